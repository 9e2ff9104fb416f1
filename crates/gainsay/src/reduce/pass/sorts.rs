//! Pass `sorts`: simpler sorts of what is declared, and datatypes with fewer constructors and fields.
//!
//! What it writes is read again before it is offered: what does not fit together is no offer.

use std::collections::BTreeSet;
use std::ops::Range;

use smt::Script;
use smt::sexpr::{Piece, pieces, with_words};

use crate::reduce::{Change, Pass};

/// Sorts that are tried in the place of others.
const SIMPLE: &[&str] = &["Bool", "Int"];
/// Texts with more pieces than this are left as they are: every offer is a whole text.
const MOST: usize = 4000;

/// First all that datatypes can do without, then each part of them; then numbers that are whole, and sorts that need no
/// declaration; then another sort everywhere, and in each declaration.
pub struct Sorts;

impl Pass for Sorts {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 2 {
            return None;
        }
        let text = script.text();
        let all = pieces(&text);
        if all.len() > MOST {
            return Some(Vec::new());
        }
        let offers = match group {
            0 => fewer_parts(&all),
            1 => [whole(&text, true), whole(&text, false)].into_iter().chain(undeclared(&all)).collect(),
            _ => other_sorts(&all),
        };
        let offer = |text: String| Change { text: Some(text), ..Change::default() };
        Some(offers.into_iter().filter(|t| readable(t)).map(offer).collect())
    }
}

fn readable(text: &str) -> bool {
    smt::read(text.as_bytes()).is_ok_and(|s| s.opaque.is_empty())
}

/// The lists inside the commands with one of these words, the outermost first: where they begin and end.
fn lists(all: &[Piece<'_>], words: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut inside = false;
    for (i, token) in all.iter().enumerate() {
        match token.text {
            "(" => open.push(i),
            ")" => {
                let Some(begin) = open.pop() else { continue };
                inside &= !open.is_empty();
                if inside {
                    found.push(begin..i + 1);
                }
            }
            word if open.len() == 1 && token.word && i == open[0] + 1 => inside = words.contains(&word),
            _ => {}
        }
    }
    found.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    found
}

fn with(all: &[Piece<'_>], places: &[Range<usize>], new: &str) -> String {
    let mut out = String::new();
    let mut i = 0;
    while i < all.len() {
        if let Some(place) = places.iter().find(|p| p.start == i) {
            out.push_str(new);
            i = place.end;
        } else {
            out.push_str(all[i].text);
            i += 1;
        }
    }
    out
}

/// Datatypes without some constructor or field.
fn fewer_parts(all: &[Piece<'_>]) -> Vec<String> {
    let parts = lists(all, &["declare-datatypes", "declare-datatype"]);
    let mut gone: Vec<Range<usize>> = Vec::new();
    for part in &parts {
        if gone.iter().any(|g| g.start <= part.start && part.end <= g.end) {
            continue;
        }
        let tried: Vec<_> = gone.iter().cloned().chain([part.clone()]).collect();
        if readable(&with(all, &tried, "")) {
            gone = tried;
        }
    }
    let together = (gone.len() > 1).then(|| with(all, &gone, ""));
    together.into_iter().chain(parts.into_iter().map(|part| with(all, &[part], ""))).collect()
}

/// `0` for `0.0` everywhere; with `sorts`, `Int` for `Real`, too.
fn whole(text: &str, sorts: bool) -> String {
    with_words(text, |word| match word.split_once('.') {
        None => (sorts && word == "Real").then(|| "Int".to_owned()),
        Some((before, after)) => {
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            (digits(before) && digits(after)).then(|| before.to_owned())
        }
    })
}

/// Simple sorts for declared ones: all of them, then each.
fn undeclared(all: &[Piece<'_>]) -> Vec<String> {
    let mut declared: Vec<(Range<usize>, &str)> = Vec::new();
    for at in 0..all.len().saturating_sub(6) {
        let [open, word, _, name, _, arity, close] = &all[at..at + 7] else { continue };
        if open.text == "(" && word.text == "declare-sort" && arity.text == "0" && close.text == ")" {
            declared.push((at..at + 7, name.text));
        }
    }
    let instead = |some: &[(Range<usize>, &str)], new: &str| {
        let commands: Vec<Range<usize>> = some.iter().map(|(place, _)| place.clone()).collect();
        with_words(&with(all, &commands, ""), |word| {
            some.iter().any(|(_, name)| *name == word).then(|| new.to_owned())
        })
    };
    let each = declared.iter().map(std::slice::from_ref).filter(|_| declared.len() > 1);
    let some = std::iter::once(&declared[..]).chain(each).filter(|some| !some.is_empty());
    some.flat_map(|some| SIMPLE.iter().map(move |new| (some, new)))
        .map(|(some, new)| instead(some, new))
        .collect()
}

/// Other sorts for those of declarations.
fn other_sorts(all: &[Piece<'_>]) -> Vec<String> {
    let declaring = &["declare-fun", "declare-const", "define-fun"];
    let mut places = lists(all, declaring);
    let words: BTreeSet<&str> = ["Real", "String", "RoundingMode", "RegLan"]
        .into_iter()
        .filter(|w| all.iter().any(|t| t.text == *w))
        .collect();
    places.extend(all.iter().enumerate().filter(|(_, t)| words.contains(t.text)).map(|(i, _)| i..i + 1));
    let written = |place: &Range<usize>| all[place.clone()].iter().map(|t| t.text).collect::<String>();
    let mut everywhere: BTreeSet<String> = BTreeSet::new();
    let mut offers = Vec::new();
    for place in &places {
        let old = written(place);
        if everywhere.insert(old.clone()) {
            let same: Vec<_> = places.iter().filter(|p| written(p) == old).cloned().collect();
            offers.extend(SIMPLE.iter().filter(|s| s.len() < old.len()).map(|s| with(all, &same, s)));
        }
        offers.extend(
            SIMPLE.iter().filter(|s| s.len() < old.len()).map(|s| with(all, std::slice::from_ref(place), s)),
        );
    }
    offers
}
