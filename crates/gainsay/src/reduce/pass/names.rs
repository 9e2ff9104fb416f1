//! Pass `names`: short names, and the short word for declaring a constant.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use smt::theory::table;
use smt::{Head, Script, TermId, unquoted};

use super::token::{changed, tokens};
use crate::reduce::{Change, Pass};

/// All names at once, then each.
pub struct Names;

impl Pass for Names {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let text = String::from_utf8(smt::write_script(script)).ok()?;
        let own = own_names(script);
        let (order, short) = order(&text, &own);
        let words: BTreeSet<&str> = tokens(&text).iter().filter(|t| t.word).map(|t| t.text).collect();
        let all: BTreeMap<&str, &str> = order.iter().copied().zip(short.iter().map(String::as_str)).collect();
        let offer =
            |some: &BTreeMap<&str, &str>| Change { text: Some(renamed(&text, some)), ..Change::default() };
        let mut changes = vec![offer(&all)];
        // A name must not become one that another still has.
        for old in &order {
            let free = short.iter().find(|new| !words.contains(new.as_str()));
            changes.extend(free.map(|new| offer(&BTreeMap::from([(*old, new.as_str())]))));
        }
        changes.push(offer(&BTreeMap::new()));
        Some(changes)
    }
}

/// The names of a text in the order in which they come, and short ones for them.
fn order<'t>(text: &'t str, own: &BTreeSet<String>) -> (Vec<&'t str>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let all = tokens(text).into_iter().filter(|t| t.word && own.contains(unquoted(t.text)));
    let order: Vec<&str> = all.map(|t| t.text).filter(|t| seen.insert(*t)).collect();
    let words: BTreeSet<&str> = tokens(text).iter().filter(|t| t.word).map(|t| t.text).collect();
    let short = short_names(&words, own, order.len());
    (order, short)
}

fn renamed(text: &str, some: &BTreeMap<&str, &str>) -> String {
    constants(&changed(text, |word| some.get(word).map(|new| (*new).to_owned())))
}

/// The text of a script with names that say nothing: scripts that differ in names only have the same.
pub fn canonical(script: &Script, text: &str) -> String {
    let own = own_names(script);
    let (order, short) = order(text, &own);
    renamed(text, &order.into_iter().zip(short.iter().map(String::as_str)).collect())
}

/// `(declare-const a Int)` for `(declare-fun a () Int)`.
fn constants(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(declare-fun ") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let inside = &from["(declare-fun ".len()..];
        let name = tokens(inside.split('\n').next().unwrap_or(inside)).first().map_or(0, |t| t.text.len());
        match inside[name..].strip_prefix(" () ") {
            Some(after) => {
                out.push_str("(declare-const ");
                out.push_str(&inside[..name]);
                out.push(' ');
                rest = after;
            }
            None => {
                out.push_str("(declare-fun ");
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The names that the script gives: of functions, sorts and variables, without bars.
fn own_names(script: &Script) -> BTreeSet<String> {
    let pool = &script.pool;
    let mut names = BTreeSet::new();
    for (i, command) in script.commands.iter().enumerate() {
        script.each_function(i, |fun| {
            names.insert(pool.text(pool.fun(fun).name).to_owned());
        });
        match command.what {
            smt::What::DeclareSort(decl) => {
                names.insert(pool.text(pool.sort_decl(decl).name).to_owned());
            }
            smt::What::DeclareDatatypes(first, count) => {
                for decl in pool.sort_decls_from(first, count) {
                    names.insert(pool.text(pool.sort_decl(decl).name).to_owned());
                }
            }
            _ => {}
        }
        for number in 0..2 {
            names.extend(script.variables_of(i, number).iter().map(|b| pool.text(b.name).to_owned()));
        }
    }
    let mut left: Vec<TermId> = Vec::new();
    (0..script.commands.len()).for_each(|i| script.each_term(i, |root| left.push(root)));
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Head::Let(list) | Head::Forall(list) | Head::Exists(list) | Head::Lambda(list) =
            pool.node(term).head
        {
            names.extend(pool.binders(list).iter().map(|b| pool.text(b.name).to_owned()));
        }
        left.extend_from_slice(pool.args(term));
    }
    // `is-nil` is no word of its own to be changed.
    names.retain(|name| !name.starts_with("is-"));
    names
}

/// So many short names that mean nothing else.
fn short_names(words: &BTreeSet<&str>, own: &BTreeSet<String>, count: usize) -> Vec<String> {
    let letters = ('a'..='z').map(|c| c.to_string());
    let more = (0..).flat_map(|n: u32| ('a'..='z').map(move |c| format!("{c}{n}")));
    let usable = |name: &String| {
        let other = words.contains(name.as_str()) && !own.contains(name);
        !other && table().named(name).is_empty()
    };
    letters.chain(more).filter(usable).take(count).collect()
}
