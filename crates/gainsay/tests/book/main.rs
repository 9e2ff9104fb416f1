//! README and book: every command in them is run or at least understood, every flag exists, every link leads somewhere.
//!
//! In `console` and `sh` blocks each line that begins with `$ gainsay` or `gainsay` is a command. It ends with status 0, or with
//! that which `# exits N` states at its end; lines below it are printed by it, in that order. A block marked `long` is only parsed.
//! A block marked `file=NAME` is written to that file before the chapter's commands are run in a folder of their own.

mod generated;
mod names;
#[path = "../place/mod.rs"]
mod place;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use place::{Place, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// README and all chapters: their paths from the root, and their texts.
fn documents() -> Vec<(String, String)> {
    let root = root();
    let mut names = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(root.join("docs/book/src")).expect("the book") {
        let path = entry.expect("readable").path();
        // Pictures and figures of a chapter are in a folder of its name.
        if path.is_dir() {
            assert!(path.with_extension("md").is_file(), "{} belongs to no chapter", path.display());
            continue;
        }
        assert!(path.extension().is_some_and(|e| e == "md"), "{} is no chapter", path.display());
        let name = path.file_name().and_then(|n| n.to_str()).expect("text");
        names.push(format!("docs/book/src/{name}"));
    }
    names.sort();
    let read = |name: String| {
        let text = std::fs::read_to_string(root.join(&name)).expect("readable");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// A fenced block: the words after the fence, the number of its first line, its lines.
struct Block<'a> {
    words: Vec<&'a str>,
    line: usize,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }

    fn commands(&self) -> Vec<Said<'_>> {
        let mut all: Vec<Said<'_>> = Vec::new();
        if self.file().is_some() || !self.words.first().is_some_and(|w| *w == "console" || *w == "sh") {
            return all;
        }
        let console = self.words[0] == "console";
        for (i, line) in self.lines.iter().enumerate() {
            let typed = if console { line.strip_prefix("$ ") } else { Some(*line) };
            match typed {
                Some(typed) => {
                    let (typed, status) = match typed.rsplit_once("# exits ") {
                        Some((typed, status)) => (typed, status.trim().parse().expect("a status")),
                        None => (typed, 0),
                    };
                    all.push(Said { typed: typed.trim(), status, line: self.line + i, prints: Vec::new() });
                }
                None => all.last_mut().expect("a command comes first").prints.push(line.trim()),
            }
        }
        all.retain(|said| !said.typed.is_empty() && !said.typed.starts_with('#'));
        all
    }
}

/// A command in a document.
struct Said<'a> {
    typed: &'a str,
    status: i32,
    line: usize,
    prints: Vec<&'a str>,
}

/// The fenced blocks of a text, and the text without them.
fn blocks(text: &str) -> (Vec<Block<'_>>, String) {
    let mut all: Vec<Block<'_>> = Vec::new();
    let mut rest = String::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(words) => {
                inside = true;
                let words = words.split_whitespace().collect();
                all.push(Block { words, line: i + 2, lines: Vec::new() });
            }
            None if inside => all.last_mut().expect("one is open").lines.push(line),
            None => {
                rest.push_str(line);
                rest.push('\n');
            }
        }
    }
    assert!(!inside, "a block is never closed");
    (all, rest)
}

/// Splits what is typed as a shell does, as far as documents need: quotes, and several commands in a line.
fn commands_in(typed: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in typed.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ' | '|' | '&' | ';') => {
                let last = all.last_mut().expect("never empty");
                last.extend(word.take());
                if c != ' ' && !last.is_empty() {
                    all.push(Vec::new());
                }
            }
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    all.last_mut().expect("never empty").extend(word);
    for command in &mut all {
        if let Some(at) = command.iter().position(|w| w.starts_with('>') || w == "#") {
            command.truncate(at);
        }
    }
    all.retain(|command| !command.is_empty());
    all
}

/// What is wrong with a command that is only parsed.
fn misunderstood(typed: &str) -> Option<String> {
    let typed = typed.replace("cargo run --release -- ", "gainsay ");
    let commands = commands_in(&typed);
    let mut wrong = commands.iter().filter(|c| c[0] == "gainsay").filter_map(|command| {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        gainsay::cli::accepts(&words).err()
    });
    wrong.next()
}

#[test]
fn what_is_typed_is_split_as_a_shell_does() {
    let rows = [
        ("gainsay show 1", "gainsay,show,1"),
        ("gainsay check f --solver \"cvc5 --strings-exp\"", "gainsay,check,f,--solver,cvc5 --strings-exp"),
        ("gainsay triage && gainsay show 3 --as issue", "gainsay,triage / gainsay,show,3,--as,issue"),
        ("gainsay man | man -l -", "gainsay,man / man,-l,-"),
        ("gainsay completions bash > there", "gainsay,completions,bash"),
    ];
    for (typed, expected) in rows {
        let split: Vec<_> = commands_in(typed).iter().map(|c| c.join(",")).collect();
        assert_eq!(split.join(" / "), expected);
    }
    assert!(misunderstood("gainsay hunt --for 10m").is_none());
    assert!(misunderstood("gainsay hunt --fro 10m").is_some());
    assert!(misunderstood("cargo run --release -- hunt --fro 10m").is_some());
}

/// Runs the commands of a chapter in a folder of its own; says what went wrong.
fn run_chapter(name: &str, text_: &str) -> Vec<String> {
    let (blocks, _) = blocks(text_);
    let place = Place::new(&format!("book-{}", name.replace(['/', '.'], "-")));
    let mut wrong = Vec::new();
    for block in &blocks {
        let Some(file) = block.file() else { continue };
        let file = place.0.join(file);
        std::fs::create_dir_all(file.parent().expect("in the folder")).expect("writable");
        std::fs::write(&file, block.lines.join("\n") + "\n").expect("writable");
        if file.extension().is_some_and(|e| e == "sh") {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("ours");
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_gainsay"));
    let bin = program.parent().expect("in a folder").display();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    for block in blocks {
        let long = block.words.contains(&"long");
        for said in block.commands() {
            let at = format!("{name}:{}: {}", said.line, said.typed);
            if let Some(why) = misunderstood(said.typed) {
                wrong.push(format!("{at}\n{why}"));
                continue;
            }
            if long {
                continue;
            }
            // Nothing of this machine is seen: no installed solver, no file of the user's.
            let output = Command::new("sh")
                .args(["-c", said.typed])
                .current_dir(&place.0)
                .env("PATH", &path)
                .env("HOME", place.0.join(".nothing-installed"))
                .env("GAINSAY_HOME", place.0.join(".nothing-installed"))
                .env_remove("GITHUB_ACTIONS")
                .stdin(Stdio::null())
                .output()
                .expect("there is a shell");
            let printed = text(&output.stdout) + &text(&output.stderr);
            if output.status.code() != Some(said.status) {
                let code = output.status.code();
                wrong.push(format!("{at}\nends with {code:?}, not {}:\n{printed}", said.status));
            }
            let mut lines = printed.lines().map(str::trim);
            for shown in said.prints {
                if !lines.any(|line| line == shown) {
                    wrong.push(format!("{at}\ndoes not print: {shown}\nbut:\n{printed}"));
                    break;
                }
            }
        }
    }
    wrong
}

#[test]
fn every_command_in_the_documents_does_what_they_say() {
    let documents = documents();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some((name, text)) = documents.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            wrong.extend(run_chapter(name, text));
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.map(|worker| worker.join().expect("no panic")).concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
