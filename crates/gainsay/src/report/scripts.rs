//! What is in scripts: counts of commands, operators and sorts.

use std::collections::BTreeMap;

use super::words::counted;
use serde_json::{Value, json};
use smt::{Head, ReadError, Script};

/// What is known of a file as a line of JSON.
pub fn file_json(name: &str, source: &[u8], result: &Result<Script, ReadError>) -> Value {
    match result {
        Ok(script) => {
            let opaque: Vec<_> = script.opaque.iter().map(|part| &part.why).collect();
            json!({
                "file": name, "accepted": true, "lossless": script.is_lossless(), "opaque": opaque, "error": null
            })
        }
        Err(error) => {
            let place = error.locate(name, source);
            let error = json!({ "line": place.line, "column": place.column, "message": place.message });
            json!({ "file": name, "accepted": false, "lossless": false, "opaque": [], "error": error })
        }
    }
}

/// Counts of what is in scripts.
#[derive(Default)]
pub struct ScriptCounts {
    /// How many files were read.
    pub files: usize,
    /// How many of them are scripts.
    pub accepted: usize,
    with_opaque: usize,
    opaque: usize,
    commands: BTreeMap<String, usize>,
    operators: BTreeMap<String, usize>,
    sorts: BTreeMap<String, usize>,
}

impl ScriptCounts {
    /// Counts what is in a file.
    pub fn add(&mut self, result: &Result<Script, ReadError>) {
        self.files += 1;
        let Ok(script) = result else { return };
        self.accepted += 1;
        self.opaque += script.opaque.len();
        self.with_opaque += usize::from(!script.opaque.is_empty());
        for command in &script.commands {
            *self.commands.entry(command.what.word(&script.pool).to_owned()).or_default() += 1;
        }
        for term in script.pool.all_terms() {
            let node = script.pool.node(term);
            if let Head::Op(op, _) = node.head {
                *self.operators.entry(smt::theory::table().op(op).name.to_owned()).or_default() += 1;
            }
            *self.sorts.entry(smt::sort_text(&script.pool, node.sort)).or_default() += 1;
        }
    }

    /// The counts in a few lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (title, counts) in
            [("commands", &self.commands), ("operators", &self.operators), ("sorts", &self.sorts)]
        {
            text.push_str(&format!("{title}: {}\n", counted(counts, 20)));
        }
        text.push_str(&format!("opaque: {} parts in {} scripts\n", self.opaque, self.with_opaque));
        text.push_str(&format!("accepted {} of {}\n", self.accepted, self.files));
        text
    }
}
