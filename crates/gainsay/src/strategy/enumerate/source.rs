//! Sources of formulas: the grammars that `--grammar` names, with variations.

use sha2::{Digest, Sha256};

use super::grammar::Grammar;
use super::unrank::Formulas;
use super::vary::Variation;
use super::{builtin, derive};

/// The prefix of the name of a grammar that is derived from the operator table.
const DERIVED: &str = "derive:";

/// The grammar that a word names: a built-in one, `derive:` and theories, or a file.
pub fn named(name: &str, speakers: &str) -> Result<Grammar, String> {
    if let Some(text) = builtin::text(name) {
        return Ok(Grammar::read(text).expect("the built-in grammars are good"));
    }
    if let Some(theories) = name.strip_prefix(DERIVED) {
        return derive::grammar(theories, speakers);
    }
    let text = std::fs::read_to_string(name).map_err(|e| {
        let known: Vec<&str> = builtin::names().collect();
        format!("{name}: {e}; built in are {}, and {DERIVED}THEORY,…", known.join(", "))
    })?;
    Grammar::read(&text).map_err(|e| format!("{name}:{e}"))
}

/// The grammars of a list such as `Ints,my.g4`, varied; `all`, or nothing, for all that are built in. The theories after
/// `derive:` are a list too, so that it stands alone.
pub fn grammars(list: &str, speakers: &str, variation: &Variation) -> Result<Vec<Grammar>, String> {
    let names: Vec<&str> = match list {
        "" | "all" => builtin::names().collect(),
        _ if list.starts_with(DERIVED) => vec![list],
        _ => list.split(',').collect(),
    };
    let strict = names.len() == 1;
    let one = |name: &&str| {
        let grammar = named(name, speakers)?;
        variation.apply(&grammar, strict).map_err(|e| format!("{name}: {e}"))
    };
    names.iter().map(one).collect()
}

/// The files among the grammars of a list.
pub fn files(list: &str) -> impl Iterator<Item = &str> {
    let derived = list.starts_with(DERIVED);
    let is_file =
        move |name: &&str| !derived && !matches!(*name, "" | "all") && builtin::text(name).is_none();
    list.split(',').filter(is_file)
}

/// A digest of the files among the grammars of a list.
pub fn digest(list: &str) -> String {
    let mut hash = Sha256::new();
    for name in files(list) {
        hash.update(std::fs::read(name).unwrap_or_default());
    }
    format!("{:.16}", format!("{:x}", hash.finalize()))
}

/// The formulas of these grammars.
pub fn formulas(grammars: &[Grammar]) -> Result<Vec<Formulas>, String> {
    grammars.iter().map(|grammar| Formulas::of(grammar).map_err(|e| e.to_string())).collect()
}

/// The members of a list, cut at commas that stand neither in quotes nor in parentheses.
pub fn list(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut depth, mut quoted) = (0, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().expect("never empty").push(c);
    }
    found.retain(|member| !member.trim().is_empty());
    found.iter().map(|member| member.trim().to_owned()).collect()
}
