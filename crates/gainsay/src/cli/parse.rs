//! `gainsay parse`: which scripts we can read, and what is in them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;
use smt::{Head, ReadError, Script, What};

use super::exit;

/// What to read, and how to tell.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts, or folders that are searched for .smt2 files.
    #[arg(required = true, value_name = "FILE-OR-FOLDER")]
    paths: Vec<PathBuf>,
    /// One JSON object a line: file, accepted, lossless, opaque, error.
    #[arg(long)]
    json: bool,
    /// Also list each opaque part with its place.
    #[arg(long)]
    opaque: bool,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, &mut files).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let out = &mut std::io::stdout().lock();
    let mut counts = Counts::default();
    for file in &files {
        let source = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.display().to_string();
        let result = smt::read(&source);
        counts.add(&result);
        if args.json {
            writeln!(out, "{}", report(&name, &source, &result))?;
        } else {
            match &result {
                Err(error) => writeln!(out, "{}", error.locate(&name, &source))?,
                Ok(script) => {
                    if !script.is_lossless() {
                        writeln!(out, "{name}: printing this script loses something")?;
                    }
                    if args.opaque {
                        for part in script.opaque.iter() {
                            let place = ReadError { offset: part.offset, message: part.why.clone() };
                            writeln!(out, "{}", place.locate(&name, &source))?;
                        }
                    }
                }
            }
        }
    }
    if !args.json {
        counts.write(out)?;
    }
    Ok(if counts.accepted == counts.files { exit::FINE } else { exit::NOT_SO })
}

/// All .smt2 files below a folder in order, or the file itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        // A file that is named is read, whatever its name; that it exists is seen then.
        files.push(path.to_owned());
        return Ok(());
    }
    let mut folders = vec![path.to_owned()];
    let first = files.len();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == "smt2") {
                files.push(entry.path());
            }
        }
    }
    files[first..].sort();
    Ok(())
}

fn report(name: &str, source: &[u8], result: &Result<Script, ReadError>) -> serde_json::Value {
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

#[derive(Default)]
struct Counts {
    files: usize,
    accepted: usize,
    with_opaque: usize,
    opaque: usize,
    commands: BTreeMap<String, usize>,
    operators: BTreeMap<String, usize>,
    sorts: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, result: &Result<Script, ReadError>) {
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

    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        for (title, counts) in
            [("commands", &self.commands), ("operators", &self.operators), ("sorts", &self.sorts)]
        {
            let mut rows: Vec<_> = counts.iter().collect();
            rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let shown: Vec<_> = rows.iter().take(20).map(|(name, n)| format!("{name} {n}")).collect();
            let more = if rows.len() > 20 { format!(", {} more", rows.len() - 20) } else { String::new() };
            writeln!(out, "{title}: {}{more}", shown.join(", "))?;
        }
        writeln!(out, "opaque: {} parts in {} scripts", self.opaque, self.with_opaque)?;
        writeln!(out, "accepted {} of {}", self.accepted, self.files)
    }
}

/// The command's name as it stands in the source.
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
