//! Trigger groups: triggers of one kind whose formulas are made of the same operators, and the releases that have them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Evolution, KINDS, Line};
use crate::judge::Kind;

/// Triggers that are taken for one fault of one make.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The make whose fault it is.
    pub make: String,
    /// The kind of the fault.
    pub kind: Kind,
    /// The grammar.
    pub grammar: usize,
    /// The operators of its smallest trigger.
    pub operators: String,
    /// The numbers of releases that have it, oldest first.
    pub failing: Vec<usize>,
    /// How many pairs of a formula and a release there are.
    pub triggers: usize,
    /// The smallest formula: its grammar's number.
    pub smallest: String,
    /// The size of the smallest formula.
    pub size: u64,
    /// The text of the smallest formula.
    pub text: String,
    /// The release that introduced it; none if the oldest one studied has it.
    pub introduced: Option<usize>,
    /// The release that no longer has it and answers its smallest formula; none if there is no such one.
    pub fixed: Option<usize>,
    /// Whether it went and came back.
    pub returned: bool,
}

/// Triggers with one set of operators.
#[derive(Default)]
struct Draft<'a> {
    operators: &'a [String],
    failing: BTreeSet<usize>,
    triggers: usize,
    lines: Vec<&'a Line>,
}

/// The trigger groups of a study: the gravest first, then by grammar and smallest trigger.
///
/// A set of operators is no group of its own if a smaller set fails in at least the same releases: then whatever fails
/// with more operators fails for what is in the smaller one, as far as can be told from outside.
pub fn groups(evolution: &Evolution) -> Vec<Group> {
    let mut found = Vec::new();
    for make in evolution.makes() {
        for &(kind, _) in KINDS {
            for grammar in 0..evolution.grammars.len() {
                found.extend(some(evolution, make, kind, grammar));
            }
        }
    }
    let place = |g: &Group| KINDS.iter().position(|(kind, _)| *kind == g.kind);
    found.sort_by_key(|g| (place(g), g.grammar));
    found
}

fn some(evolution: &Evolution, make: &str, kind: Kind, grammar: usize) -> Vec<Group> {
    let releases = evolution.of_make(make);
    let mut drafts: BTreeMap<&[String], Draft<'_>> = BTreeMap::new();
    for line in evolution.of_grammar(Some(grammar)) {
        for &r in releases.iter().filter(|&&r| line.cells[r].is_trigger(kind)) {
            let wrong = line.cells[r].wrongs.iter().find(|w| w.kind() == kind).expect("it is a trigger");
            let draft = drafts.entry(&wrong.operators).or_default();
            draft.operators = &wrong.operators;
            draft.failing.insert(r);
            draft.triggers += 1;
            if draft.lines.last().is_none_or(|last| last.formula.number != line.formula.number) {
                draft.lines.push(line);
            }
        }
    }
    let mut sets: Vec<Draft<'_>> = drafts.into_values().collect();
    sets.sort_by_key(|draft| (draft.operators.len(), draft.lines[0].formula.size));
    let mut kept: Vec<Draft<'_>> = Vec::new();
    for draft in sets {
        let within = |other: &&mut Draft<'_>| {
            other.operators.iter().all(|op| draft.operators.contains(op))
                && draft.failing.is_subset(&other.failing)
        };
        match kept.iter_mut().find(within) {
            Some(other) => {
                other.triggers += draft.triggers;
                other.lines.extend(draft.lines);
            }
            None => kept.push(draft),
        }
    }
    let mut groups: Vec<Group> =
        kept.iter().map(|draft| group(evolution, make, kind, grammar, draft)).collect();
    groups.sort_by(|a, b| {
        let key = |g: &Group| (g.smallest.len(), g.smallest.clone());
        key(a).cmp(&key(b))
    });
    groups
}

fn group(evolution: &Evolution, make: &str, kind: Kind, grammar: usize, draft: &Draft<'_>) -> Group {
    let smallest = draft
        .lines
        .iter()
        .min_by(|a, b| {
            let key = |l: &Line| (l.formula.number.len(), l.formula.number.clone());
            key(a).cmp(&key(b))
        })
        .expect("a group has triggers");
    let releases = evolution.of_make(make);
    let failing: Vec<usize> = draft.failing.iter().copied().collect();
    let (first, last) = (failing[0], failing[failing.len() - 1]);
    // A release that does not answer the formulas has not fixed anything.
    let answers = |r: usize| draft.lines.iter().any(|line| line.cells[r].is_solved());
    let between = releases.iter().filter(|&&r| r > first && r < last);
    Group {
        make: make.to_owned(),
        kind,
        grammar,
        operators: draft.operators.join(" "),
        triggers: draft.triggers,
        smallest: smallest.formula.number.clone(),
        size: smallest.formula.size,
        text: smallest.formula.text.clone(),
        introduced: Some(first).filter(|r| *r != releases[0]),
        fixed: releases.iter().copied().find(|&r| r > last && answers(r)),
        returned: between.copied().any(|r| !failing.contains(&r) && answers(r)),
        failing,
    }
}
