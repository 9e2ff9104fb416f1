//! What is in scripts: counts of commands, operators and sorts.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use smt::{Head, ReadError, Script, What};

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
            *self.commands.entry(word(script, command.what)).or_default() += 1;
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
            let mut rows: Vec<_> = counts.iter().collect();
            rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let shown: Vec<_> = rows.iter().take(20).map(|(name, n)| format!("{name} {n}")).collect();
            let more = if rows.len() > 20 { format!(", {} more", rows.len() - 20) } else { String::new() };
            text.push_str(&format!("{title}: {}{more}\n", shown.join(", ")));
        }
        text.push_str(&format!("opaque: {} parts in {} scripts\n", self.opaque, self.with_opaque));
        text.push_str(&format!("accepted {} of {}\n", self.accepted, self.files));
        text
    }
}

/// The name of a command.
fn word(script: &Script, what: What) -> String {
    match what {
        What::SetLogic(_) => "set-logic",
        What::SetOption(..) => "set-option",
        What::SetInfo(..) => "set-info",
        What::DeclareSort(_) => "declare-sort",
        What::DefineSort(_) => "define-sort",
        What::DeclareDatatypes(..) => "declare-datatypes",
        What::DeclareFun(_) => "declare-fun",
        What::DefineFun(_) => "define-fun",
        What::DefineFunsRec(..) => "define-fun-rec",
        What::Assert(_) => "assert",
        What::AssertSoft(..) => "assert-soft",
        What::CheckSat => "check-sat",
        What::CheckSatAssuming(_) => "check-sat-assuming",
        What::CheckSatUsing(_) => "check-sat-using",
        What::Push(_) => "push",
        What::Pop(_) => "pop",
        What::Reset => "reset",
        What::ResetAssertions => "reset-assertions",
        What::Exit => "exit",
        What::GetValue(_) => "get-value",
        What::Optimize(word, _) | What::Query(word, _) | What::Other(word) | What::Opaque(word) => {
            script.pool.text(word)
        }
    }
    .to_owned()
}
