//! What sentences name exists: commands, flags, links, and files of the source.

use std::collections::BTreeSet;

use super::{blocks, commands_in, documents, root};

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
