//! Cores are earned: for every member a model of all the rest, found by trying out small values and accepted by our evaluator.

use std::collections::BTreeSet;

use smt::{Fuel, Model, Verdict, satisfies};

use super::super::tests::search::{World, domain};
use super::*;
use crate::strategy::parts::PARTS;

/// Values tried for one model.
const TRIES: u64 = 2000;

/// Whether every member of the core is needed.
fn is_earned(formula: &Formula) -> bool {
    let members = (0..formula.parts.len()).filter(|&i| formula.parts[i].needed);
    members
        .into_iter()
        .all(|without| witness(formula, without).is_some_and(|m| accepts(formula, without, &m)))
}

/// Values under which all but one of the conjuncts hold.
fn witness(formula: &Formula, without: usize) -> Option<String> {
    let kept = (0..formula.parts.len()).filter(|&i| i != without);
    let mut trees: Vec<Tree> = kept.map(|i| formula.parts[i].tree.clone()).collect();
    let about: String = trees.iter().map(Tree::to_string).collect();
    let is_variable = |tree: &Tree| formula.variables.iter().any(|(name, _)| *tree == Tree::word(name));
    // A conjunct that says what a variable is stands for it.
    let mut defined: Vec<(Tree, Tree)> = Vec::new();
    let definition = |tree: &Tree| {
        let [Tree::Word(equal), left, right] = tree.list()? else { return None };
        let pair = |x: &Tree, t: &Tree| (is_variable(x) && !t.holds(x)).then(|| (x.clone(), t.clone()));
        if &**equal == "=" { pair(right, left).or_else(|| pair(left, right)) } else { None }
    };
    while let Some(at) = trees.iter().position(|tree| definition(tree).is_some()) {
        let (variable, term) = definition(&trees[at]).expect("it is one");
        trees.remove(at);
        for tree in &mut trees {
            *tree = tree.put(&variable, &term);
        }
        for (_, other) in &mut defined {
            *other = other.put(&variable, &term);
        }
        defined.push((variable, term));
    }
    let free = |(name, _): &&(String, &'static str)| !defined.iter().any(|(x, _)| *x == Tree::word(name));
    let free: Vec<(String, String)> = formula
        .variables
        .iter()
        .filter(free)
        .map(|(name, sort)| (name.clone(), (*sort).to_owned()))
        .collect();
    let sort_of =
        |x: &Tree| formula.variables.iter().find(|(name, _)| *x == Tree::word(name)).map(|(_, s)| *s);
    let mut formulas: Vec<(Tree, &str)> = trees.iter().map(|tree| (tree.clone(), "Bool")).collect();
    formulas.extend(free.iter().map(|(name, sort)| (Tree::word(name), sort.as_str())));
    formulas.extend(defined.iter().map(|(x, term)| (term.clone(), sort_of(x).expect("declared"))));
    let mut world = World::new(&free, &|sort| domain(sort, &about), &formulas);
    let numbers: Vec<usize> = (0..trees.len()).collect();
    let order = world.order(&(0..free.len()).collect::<Vec<_>>(), &numbers);
    if !world.find(&order, &numbers, &mut TRIES.clone()) {
        return None;
    }
    let names = free.iter().map(|(name, sort)| (name.clone(), sort.as_str()));
    let names = names.chain(defined.iter().map(|(x, _)| (x.to_string(), sort_of(x).expect("declared"))));
    let mut model = String::from("(");
    for (i, (name, sort)) in names.enumerate() {
        let _ = write!(model, "(define-fun {name} () {sort} {})", world.text(trees.len() + i)?);
    }
    Some(model + ")")
}

/// Whether our evaluator accepts a model of all but one of the conjuncts, as it would a solver's.
fn accepts(formula: &Formula, without: usize, model: &str) -> bool {
    let mut rest = formula.clone();
    rest.parts.remove(without);
    let script = smt::read(rest.test(false).script().as_bytes()).expect("well-sorted");
    let asks = script.queries();
    let model = Model::read(&script, Some(asks[0].command), model.as_bytes()).expect("readable");
    satisfies(&asks[0], &model, &Fuel::default()) == Verdict::True
}

/// The formulas of the suite without quantifiers, of which some may be earned.
fn formulas() -> Vec<Formula> {
    let rows = PARTS.iter().flat_map(|part| equivalences::rows(part.name));
    let all = rows.flat_map(|row| {
        let converse = row.converse.then(|| Formula::converse(row));
        let base = Formula::of(row);
        let made = base.transformed(1);
        std::iter::once(base).chain(converse).chain(made).collect::<Vec<_>>()
    });
    let quantified = |formula: &Formula| !formula.quantifiers().is_empty();
    all.filter(|formula| !quantified(formula)).collect()
}

fn name(formula: &Formula) -> String {
    formula.test(false).name
}

/// A part of the list is earned again, and what is not in it is not.
#[test]
fn some_cores_are_earned() {
    for formula in formulas().iter().step_by(9) {
        let name = name(formula);
        assert_eq!(is_earned(formula), EARNED.contains(name.as_str()), "{name}");
    }
}

/// With `GAINSAY_WRITE` the list is written anew.
#[test]
#[ignore = "minutes: every core"]
fn every_core_is_earned() {
    let earned = formulas().iter().filter(|formula| is_earned(formula)).map(name).collect::<BTreeSet<_>>();
    if std::env::var_os("GAINSAY_WRITE").is_some() {
        let text = earned.iter().fold(String::new(), |text, name| text + name + "\n");
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/src/strategy/construct/cores.txt");
        std::fs::write(place, text).expect("writable");
        return;
    }
    let known: BTreeSet<String> = EARNED.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(earned, known);
}

/// Where the published claim is too large, ours is not made.
#[test]
fn cores_that_are_smaller_are_not_claimed() {
    for name in ["strings/larger-core/E7/s/NC1", "strings/larger-core/E9/t/NC1"] {
        assert!(!EARNED.contains(name), "{name}");
        let row =
            equivalences::rows("strings").find(|row| name.contains(&format!("/{}/", row.id))).expect("there");
        let made = Formula::of(row).transformed(1);
        let formula = made.iter().find(|formula| self::name(formula) == name).expect("made");
        assert!(!is_earned(formula), "{name}");
    }
    assert!(EARNED.contains("strings/larger-core/E1/s/NC2") && EARNED.contains("strings/equivalent/E4"));
}
