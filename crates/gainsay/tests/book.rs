//! README and book: every command in them is run or at least understood, every flag exists, every link leads somewhere.
//!
//! In `console` and `sh` blocks each line that begins with `$ gainsay` or `gainsay` is a command. It ends with status 0, or with
//! that which `# exits N` states at its end; lines below it are printed by it, in that order. A block marked `long` is only parsed.
//! A block marked `file=NAME` is written to that file before the chapter's commands are run in a folder of their own.

mod place;

use std::collections::BTreeSet;
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

/// What stands between single backticks.
fn spans(text: &str) -> Vec<String> {
    text.split("\n\n")
        .flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2).map(|s| s.replace('\n', " ")))
        .collect()
}

#[test]
fn every_command_and_flag_named_in_a_sentence_exists() {
    let flags: BTreeSet<String> = gainsay::cli::flags();
    let mut wrong = Vec::new();
    for (name, text) in documents() {
        for span in spans(&blocks(&text).1) {
            if span.starts_with("gainsay ") {
                // What stands for something else: `show N`, `SEEDS…`.
                let stands = |w: &str| {
                    let w = w.trim_end_matches('…');
                    w.chars().any(|c| c.is_ascii_uppercase())
                        && w.chars().all(|c| c.is_ascii_uppercase() || c == '-')
                };
                let words = commands_in(&span).remove(0);
                let words = words.iter().filter(|w| *w != "…");
                let mut words: Vec<&str> = words
                    .map(|w| match w.as_str() {
                        "SHELL" => "bash",
                        w if stands(w) => "1",
                        w => w.trim_end_matches('…'),
                    })
                    .collect();
                // A sentence may leave out what the command needs, but names nothing that it does not know.
                words.push("--help");
                let result = gainsay::cli::accepts(&words);
                if let Err(why) = result {
                    wrong.push(format!("{name}: `{span}`: {why}"));
                }
            } else if let Some(flag) = span.strip_prefix("--") {
                let flag = flag.split([' ', '=']).next().expect("a word");
                if !flag.is_empty() && !flags.contains(flag) {
                    wrong.push(format!("{name}: there is no flag --{flag}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where links in a text lead, from the text's own folder.
fn links(text: &str) -> Vec<&str> {
    let ends = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
    ends.filter_map(|rest| rest.split_once(')')).map(|(link, _)| link).collect()
}

#[test]
fn every_link_leads_to_a_file_and_every_chapter_is_in_the_summary() {
    let root = root();
    for (name, text) in documents() {
        let folder = root.join(&name).parent().expect("in a folder").to_owned();
        for link in links(&blocks(&text).1) {
            let file = link.split('#').next().expect("a path");
            if file.is_empty() || file.starts_with("http") {
                continue;
            }
            assert!(folder.join(file).exists(), "{name}: {link} leads nowhere");
        }
    }
    let summary = std::fs::read_to_string(root.join("docs/book/src/SUMMARY.md")).expect("readable");
    let listed: Vec<&str> = links(&summary);
    for (name, _) in documents() {
        let Some(chapter) = name.strip_prefix("docs/book/src/") else { continue };
        assert!(chapter == "SUMMARY.md" || listed.contains(&chapter), "{chapter} is not in the summary");
    }
}

/// The documents that name source files: those of contributors, the decisions, README and the chapters.
fn documents_with_paths() -> Vec<(String, String)> {
    let mut all = documents();
    let mut names = vec!["ARCHITECTURE.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    let decisions = std::fs::read_dir(root().join("docs/decisions")).expect("the decisions");
    names.extend(decisions.map(|entry| {
        let name = entry.expect("readable").file_name();
        format!("docs/decisions/{}", name.to_str().expect("text"))
    }));
    for name in names {
        let text = std::fs::read_to_string(root().join(&name)).expect("readable");
        all.push((name, text));
    }
    all
}

/// The part of a path of the repository that must exist: all of it, or the folder of a part that stands for something else
/// (`crates/smt/src/theory/<theory>.rs`, `crates/gainsay/solvers/NAME.toml`).
fn source_path(span: &str) -> Option<&str> {
    let roots = ["crates/", "docs/", "examples/", ".ci/"];
    if span.contains(' ') || !roots.iter().any(|start| span.starts_with(start)) {
        return None;
    }
    match span.find(['<', '*', '…']).or_else(|| span.find("NAME")) {
        Some(at) => Some(&span[..span[..at].rfind('/').expect("begins with a folder")]),
        None => Some(span),
    }
}

#[test]
fn every_source_path_in_the_documents_exists() {
    assert_eq!(source_path("crates/smt/src/theory/<theory>.rs"), Some("crates/smt/src/theory"));
    assert_eq!(source_path("docs/book/src/strategy-NAME.md"), Some("docs/book/src"));
    assert_eq!(source_path("case.smt2"), None);
    let root = root();
    let mut wrong = Vec::new();
    for (name, text) in documents_with_paths() {
        for span in spans(&blocks(&text).1) {
            if source_path(&span).is_some_and(|path| !root.join(path).exists()) {
                wrong.push(format!("{name}: {span} does not exist"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compares the block below a mark with what the program says, or writes it there if `GAINSAY_WRITE` is set.
fn compare(chapter: &str, mark: &str, expected: &str) {
    let place = root().join("docs/book/src").join(chapter);
    let text = std::fs::read_to_string(&place).expect("readable");
    let head = format!("<!-- {mark} -->\n\n");
    let (before, rest) = text.split_once(&head).unwrap_or_else(|| panic!("{chapter}: no {head}"));
    let end = "<!-- end -->";
    let (now, after) = rest.split_once(end).unwrap_or_else(|| panic!("{chapter}: no {end}"));
    let expected = format!("{}\n\n", expected.trim_end());
    if now != expected && std::env::var_os("GAINSAY_WRITE").is_some() {
        std::fs::write(&place, format!("{before}{head}{expected}{end}{after}")).expect("writable");
        return;
    }
    assert!(now == expected, "{chapter}: run this test with GAINSAY_WRITE=1 to write:\n{expected}");
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|g| str::from_utf8(g).expect("digits")).collect();
    groups.join(",")
}

#[test]
fn what_is_generated_is_what_the_code_says() {
    let place = Place::new("book-config");
    let keys = text(&place.gainsay(&["config"]).stdout);
    compare("configuration.md", "gainsay config", &format!("```text\n{}\n```", keys.trim_end()));
    let table = |head: &str, rows: Vec<String>| format!("{head}\n{}", rows.join("\n"));
    let rows = gainsay::judge::oracle::ORACLES.iter().map(|o| {
        let when = if o.usual { "by default" } else { "on request" };
        format!("| `{}` | {} | {when} |", o.name, o.about)
    });
    compare(
        "evidence.md",
        "ORACLES",
        &table("| oracle | complains of | judges |\n|---|---|---|", rows.collect()),
    );
    let budgets = gainsay::judge::Budget::named();
    let rows = gainsay::judge::BOUNDED_WAYS.iter().map(|way| {
        let cells = budgets.iter().map(|(_, budget)| format!(" {} |", grouped(way.of(budget))));
        format!("| {} | {} | `{}` |{}", way.way, way.about, way.unit, cells.collect::<Vec<_>>().concat())
    });
    let names = budgets.iter().map(|(name, _)| format!(" `{name}` |")).collect::<Vec<_>>().concat();
    let head =
        format!("| way | what is done | counted in |{names}\n|---|---|---|{}", "---|".repeat(budgets.len()));
    compare("evidence.md", "WAYS", &table(&head, rows.collect()));
    let rows = gainsay::strategy::STRATEGIES
        .iter()
        .map(|s| format!("| [`{}`](strategy-{}.md) | {} |", s.name, s.name, s.about));
    compare("strategies.md", "STRATEGIES", &table("| strategy | makes |\n|---|---|", rows.collect()));
    let rows = gainsay::reduce::PASSES.iter().map(|p| format!("| `{}` | {} |", p.name, p.about));
    compare("reduce.md", "PASSES", &table("| pass | does |\n|---|---|", rows.collect()));
    let rows = gainsay::report::REPORTS.iter().map(|r| format!("| `{}` | {} |", r.name, r.about));
    compare("report.md", "REPORTS", &table("| `--as` | writes |\n|---|---|", rows.collect()));
}

#[test]
fn shells_complete_and_a_manual_is_written() {
    let place = Place::new("book-shells");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = place.gainsay(&["completions", shell]);
        let script = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(script.contains("hunt") && script.contains("solver-seed"), "{shell}: {script}");
        assert!(!script.contains("supervise"), "{shell}: what only we start is not completed");
    }
    assert_eq!(place.gainsay(&["completions", "csh"]).status.code(), Some(2));
    let page = text(&place.gainsay(&["man"]).stdout);
    assert!(page.contains(".TH gainsay 1") && page.contains("hunt") && !page.contains("supervise"), "{page}");
    assert_eq!(place.gainsay(&["man", "--to", "pages"]).status.code(), Some(0));
    let hunt = std::fs::read_to_string(place.0.join("pages/gainsay-hunt.1")).expect("a page for hunt");
    assert!(hunt.contains("solver\\-seed"), "{hunt}");
    assert!(!place.0.join("pages/gainsay-drive.1").exists());
}
