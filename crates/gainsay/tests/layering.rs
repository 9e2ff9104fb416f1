//! Modules look only down: a module names those that it may use and no others, and hands none of their types on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, and for each the modules that it may use, or a part of one such as `solver::id`.
const MODULES: &[(&str, &[&str])] = &[
    ("misspelt", &[]),
    ("case", &[]),
    ("seed", &["case"]),
    ("strategy", &["misspelt", "case", "seed"]),
    ("solver", &["misspelt", "case"]),
    ("judge", &["misspelt", "case", "solver"]),
    ("finding", &["case", "solver", "judge"]),
    ("reduce", &["case", "solver", "judge", "finding"]),
    ("store", &["case", "solver::id", "solver::run", "judge", "finding"]),
    ("report", &["case", "solver::id", "solver::release", "solver::run", "judge", "finding", "store"]),
    ("campaign", &["case", "seed", "strategy", "solver", "judge", "finding", "reduce", "store"]),
    (
        "study",
        &["case", "seed", "strategy", "solver", "judge", "finding", "reduce", "store", "report", "campaign"],
    ),
    ("config", &["solver"]),
    (
        "cli",
        &[
            "misspelt", "seed", "strategy", "solver", "judge", "finding", "reduce", "store", "report",
            "campaign", "study", "config",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are readable") {
        let path = entry.expect("the sources are readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Tests may use any module: they make by hand what a module is given.
fn is_test(file: &Path) -> bool {
    file.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// A text without its comments and its unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The modules that a text names as `crate::module` or `crate::module::part`, with all that follows in the path.
fn named(text: &str) -> Vec<&str> {
    let mut modules = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        // A brace opens a list of modules.
        let rest = &text[at + "crate::".len()..];
        let several = rest.starts_with('{');
        let names = if several { list(rest) } else { vec![rest] };
        for name in names {
            let name = name.trim();
            let end = name.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(name.len());
            modules.push(name[..end].trim_end_matches(':'));
        }
    }
    modules
}

/// The members of a list in braces, whose own lists in braces stay whole.
fn list(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut members) = (0, 1, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            ',' if depth == 1 => {
                members.push(&text[from..at]);
                from = at + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            members.push(&text[from..at]);
            break;
        }
    }
    members.into_iter().filter(|member| !member.trim().is_empty()).collect()
}

/// The other modules whose types a text hands on with `pub use`.
fn handed_on<'t>(text: &'t str, module: &str) -> Vec<&'t str> {
    let mut modules = Vec::new();
    for line in text.split(';').map(str::trim_start) {
        let is_public =
            line.rsplit('\n').next().is_some_and(|last| last.trim_start().starts_with("pub use "))
                || line.starts_with("pub use ");
        if is_public && let Some(at) = line.find("crate::") {
            let first = |path: &'t str| path.split("::").next().unwrap_or(path);
            modules.extend(named(&line[at..]).into_iter().map(first).filter(|other| *other != module));
        }
    }
    modules
}

#[test]
fn modules_look_only_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules: BTreeMap<_, _> = MODULES.iter().copied().collect();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files.into_iter().filter(|file| !is_test(file)) {
        let inside = file.strip_prefix(&root).expect("found below the root");
        let first = inside.components().next().expect("a file has a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(allowed) = modules.get(module.as_str()) else {
            wrong.push(format!("{} is in no module that the list has", inside.display()));
            continue;
        };
        let text = code(&fs::read_to_string(&file).expect("the sources are text"));
        for path in named(&text) {
            let other = path.split("::").next().unwrap_or(path);
            let may = |allowed: &&str| {
                path.strip_prefix(*allowed).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            if other != module && modules.contains_key(other) && !allowed.iter().any(may) {
                wrong.push(format!("{}: {module} may not use {other}", inside.display()));
            }
        }
        for other in handed_on(&text, &module) {
            if modules.contains_key(other) {
                wrong.push(format!("{}: {module} hands on what is {other}'s", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn looking_up_is_seen() {
    assert_eq!(named("use crate::campaign::Turn;"), ["campaign::Turn"]);
    let text =
        code("use crate::{case::{Case, Claim}, campaign};\n// crate::store\nlet x = crate::judge::f();");
    assert_eq!(named(&text), ["case", "campaign", "judge::f"]);
    let tests = "use crate::case::Case;\n#[cfg(test)]\nmod tests {\nuse crate::cli;\n}";
    assert_eq!(named(&code(tests)), ["case::Case"]);
}

#[test]
fn handing_on_is_seen() {
    let text = "use crate::case::Case;\npub use crate::solver::{\n    Run,\n    Solver,\n};\npub use crate::judge::Kind;\npub use own::Thing;\n";
    assert_eq!(handed_on(text, "judge"), ["solver"]);
    assert_eq!(handed_on(text, "report"), ["solver", "judge"]);
}

/// The language must not be able to reach what it judges.
#[test]
fn the_language_is_pure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smt/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.into_iter().filter(|file| !is_test(file)) {
        let text = fs::read_to_string(&file).expect("the sources are text");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in
            ["std::fs", "std::net", "std::process", "std::time", "std::env", "std::thread", "println!"]
        {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}

/// The purpose of a module, as its row in a table says it; empty if it has no row.
fn purpose<'t>(table: &'t str, module: &str) -> &'t str {
    let mut rows = table.lines().filter_map(|row| row.strip_prefix(&format!("| `{module}` | ")));
    rows.find_map(|rest| rest.split(" | ").next()).unwrap_or_default()
}

/// The table of ARCHITECTURE.md has the modules of the list. `GAINSAY_WRITE` writes it; the purpose of a new module is then
/// to be filled in.
#[test]
fn the_documented_modules_are_those_of_the_list() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(&place).expect("ARCHITECTURE.md is readable");
    let (before, rest) = text.split_once("<!-- MODULES -->\n").expect("the table of modules begins");
    let (table, after) = rest.split_once("<!-- end -->").expect("the table of modules ends");
    let mut expected = "\n| module | purpose | may use |\n|---|---|---|\n".to_owned();
    for (module, uses) in MODULES {
        let uses: Vec<_> = uses.iter().map(|name| format!("`{name}`")).collect();
        let uses = if uses.is_empty() { "-".to_owned() } else { uses.join(", ") };
        expected += &format!("| `{module}` | {} | {uses} |\n", purpose(table, module));
    }
    expected.push('\n');
    if table != expected && std::env::var_os("GAINSAY_WRITE").is_some() {
        let text = format!("{before}<!-- MODULES -->\n{expected}<!-- end -->{after}");
        fs::write(&place, text).expect("ARCHITECTURE.md is writable");
        return;
    }
    assert!(table == expected, "run this test with GAINSAY_WRITE=1 to write the table of ARCHITECTURE.md");
    assert!(!table.contains("|  |"), "every module in ARCHITECTURE.md has a purpose");
}
