//! Renaming: scripts that differ in names only, or in the order of declarations, have one canonical text.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::sexpr::{self, with_words};
use crate::theory::table;
use crate::{Script, TermId, unquoted};

/// The names of a text in the order in which they come, and short ones for them.
pub fn order<'t>(text: &'t str, own: &BTreeSet<String>) -> (Vec<&'t str>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let all = sexpr::words(text).filter(|word| own.contains(unquoted(word)));
    let order: Vec<&str> = all.filter(|word| seen.insert(*word)).collect();
    let words: BTreeSet<&str> = sexpr::words(text).collect();
    let short = short_names(&words, own, order.len());
    (order, short)
}

/// The text with names changed, and constants declared by the short word.
pub fn renamed(text: &str, some: &BTreeMap<&str, &str>) -> String {
    constants(&with_words(text, |word| some.get(word).map(|new| (*new).to_owned())))
}

/// The text of a script with names that say nothing, in the order in which they are first used, and declarations in
/// that order: scripts that differ in names only, or in which of two constants is declared first, have the same.
pub fn canonical(script: &Script, text: &str) -> String {
    let own = own_names(script);
    let (mut pieces, rest) = pieces(text);
    let mut seen = BTreeSet::new();
    let mut used: Vec<&str> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.head.starts_with("declare-")) {
        let names = sexpr::words(piece.body).filter(|word| own.contains(unquoted(word)));
        used.extend(names.filter(|name| seen.insert(*name)));
    }
    let rank: BTreeMap<&str, usize> = used.iter().enumerate().map(|(rank, name)| (*name, rank)).collect();
    // What is declared one after another can be declared in any order.
    for run in pieces.chunk_by_mut(|one, next| one.is_constant() == next.is_constant()) {
        if run[0].is_constant() {
            let mut sorted: Vec<(usize, &str)> =
                run.iter().map(|p| (rank.get(p.name).copied().unwrap_or(usize::MAX), p.body)).collect();
            sorted.sort_by_key(|(rank, _)| *rank);
            run.iter_mut().zip(sorted).for_each(|(piece, (_, body))| piece.body = body);
        }
    }
    let text: String = pieces.iter().flat_map(|p| [p.before, p.body]).chain([rest]).collect();
    let (all, short) = order(&text, &own);
    let others = all.into_iter().filter(|name| !rank.contains_key(name));
    let names = used.iter().copied().chain(others).zip(short.iter().map(String::as_str)).collect();
    renamed(&text, &names)
}

/// A command in a text.
struct Piece<'t> {
    /// The text between it and the one before.
    before: &'t str,
    body: &'t str,
    /// Its first word.
    head: &'t str,
    /// Its second word.
    name: &'t str,
}

impl Piece<'_> {
    fn is_constant(&self) -> bool {
        ["declare-const", "declare-fun"].contains(&self.head)
    }
}

/// The commands of a text, and the text after them.
fn pieces(text: &str) -> (Vec<Piece<'_>>, &str) {
    let mut found = Vec::new();
    let mut end = 0;
    while let Some(command) = sexpr::next_list(text, end) {
        let mut words = sexpr::words(&text[command.clone()]);
        let (head, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        found.push(Piece { before: &text[end..command.start], body: &text[command.clone()], head, name });
        end = command.end;
    }
    (found, &text[end..])
}

/// `(declare-const a Int)` for `(declare-fun a () Int)`.
fn constants(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("(declare-fun ") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let inside = &from["(declare-fun ".len()..];
        let name = sexpr::tokens(inside.as_bytes()).next().map_or(0, |token| token.end);
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
pub fn own_names(script: &Script) -> BTreeSet<String> {
    let pool = &script.pool;
    let mut names = BTreeSet::new();
    for (i, command) in script.commands.iter().enumerate() {
        script.each_function(i, |fun| {
            names.insert(pool.text(pool.fun(fun).name).to_owned());
        });
        match command.what {
            crate::What::DeclareSort(decl) => {
                names.insert(pool.text(pool.sort_decl(decl).name).to_owned());
            }
            crate::What::DeclareDatatypes(first, count) => {
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
        if let Some(list) = pool.node(term).head.binders() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_the_order_of_declarations_make_no_difference() {
        let of = |text: &str| canonical(&crate::read(text.as_bytes()).expect("well-sorted"), text);
        let same = [
            (
                "(declare-const a Int)(declare-const b Int)(assert (< b a))",
                "(declare-const x Int)(declare-const y Int)(assert (< x y))",
            ),
            (
                "(declare-const p Bool)\n(declare-fun x () Int)\n(assert (= x 1))(assert p)",
                "(declare-const n Int)\n(declare-const |q r| Bool)\n(assert (= n 1))(assert |q r|)",
            ),
            (
                "(declare-sort U 0)(declare-fun f (U) U)(declare-const c U)(assert (= c (f c)))",
                "(declare-sort V 0)(declare-const f V)(declare-fun c (V) V)(assert (= f (c f)))",
            ),
            // What is not used comes last, as it stood.
            (
                "(declare-const u Int)(declare-const x Int)(assert (= x 1))",
                "(declare-const x Int)(declare-const u Int)(assert (= x 1))",
            ),
        ];
        for (one, other) in same {
            assert_eq!(of(one), of(other), "{one} {other}");
            let again = of(one);
            assert_eq!(of(&again), again, "{one}");
        }
        let apart = [
            (
                "(declare-const a Int)(declare-const b Int)(assert (< b a))",
                "(declare-const a Int)(declare-const b Int)(assert (< a a))",
            ),
            (
                "(declare-const a Int)(declare-const b Real)(assert (< b 1.0))(assert (= a 1))",
                "(declare-const a Int)(declare-const b Real)(assert (= a 1))(assert (< b 1.0))",
            ),
            // A declaration does not move over an assertion.
            (
                "(declare-const a Int)(assert (= a 1))(declare-const b Int)(assert (= b 1))",
                "(declare-const a Int)(declare-const b Int)(assert (= a 1))(assert (= b 1))",
            ),
        ];
        for (one, other) in apart {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
    }
}
