//! The grammars of a study, from a list of names.

use crate::campaign::spec::GrammarSpec;
use crate::seed::digest;
use crate::strategy::enumerate::{Variation, builtin, source};

/// The formulas of a list of grammars, each with a count of its own if one stands after a colon.
pub fn grammar_specs(list: &str, count: u64, readers: &str) -> Result<Vec<GrammarSpec>, String> {
    let names: Vec<String> = match list {
        "" | "all" => builtin::names().map(str::to_owned).collect(),
        _ if list.starts_with("derive:") => vec![list.to_owned()],
        _ => list
            .split(',')
            .flat_map(|name| match name.split_once(':') {
                Some(("all", count)) => builtin::names().map(|n| format!("{n}:{count}")).collect(),
                _ if name == "all" => builtin::names().map(str::to_owned).collect(),
                _ => vec![name.to_owned()],
            })
            .collect(),
    };
    let mut found: Vec<GrammarSpec> = Vec::new();
    for name in names {
        let (name, own) = match name.rsplit_once(':').and_then(|(n, c)| Some((n, c.parse().ok()?))) {
            Some((name, own)) => (name.to_owned(), own),
            None => (name, count),
        };
        let grammars = source::grammars(&name, readers, &Variation::default())?;
        // A grammar without formulas is an error before anything is asked.
        source::formulas(&grammars)?;
        for grammar in &grammars {
            let text = grammar.to_string();
            let label = if builtin::text(&name).is_some() {
                name.clone()
            } else {
                // A file of the same name may have other contents later.
                format!("{}-{:.8}", grammar.name, digest(text.as_bytes()))
            };
            // The last mention of a grammar counts: `all,FP:500`.
            found.retain(|known| known.label != label);
            found.push(GrammarSpec { label, text, count: own });
        }
    }
    Ok(found)
}
