//! Every `gainsay bench` command of the documents is one that this program takes.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use gainsay_bench::Cli;

/// All documents below the root of the repository: README and its like, the book.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.clone(), root.join("docs/book/src")];
    let inside = |folder: &PathBuf| std::fs::read_dir(folder).expect("the documents are there");
    let files = folders.iter().flat_map(inside).map(|entry| entry.expect("readable").path());
    files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect()
}

/// The commands in a text that begin with `gainsay bench`, each as its arguments.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("gainsay bench ") {
        let rest = &text[at..];
        let command = rest.split(['`', '\n']).next().unwrap_or_default();
        found.push(command.split_whitespace().skip(1).collect());
    }
    found
}

#[test]
fn commands_in_the_documents_are_taken() {
    let mut seen = 0;
    for file in documents() {
        let text = std::fs::read_to_string(&file).expect("a text");
        for command in commands(&text) {
            // A sentence may name a measurement without all that it needs.
            let is_wrong = |e: &clap::Error| e.use_stderr() && e.kind() != ErrorKind::MissingRequiredArgument;
            let wrong = Cli::try_parse_from(&command).err().filter(is_wrong);
            assert!(wrong.is_none(), "{}: {command:?}: {}", file.display(), wrong.expect("just seen"));
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen} commands were found");
}

#[test]
fn help_fits_eighty_columns() {
    let mut all = Cli::command();
    all.build();
    for command in std::iter::once(&all).chain(all.get_subcommands()) {
        for line in command.clone().render_long_help().to_string().lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
        }
    }
}
