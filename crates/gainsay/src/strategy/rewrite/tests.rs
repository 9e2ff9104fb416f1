//! Every row of the table holds, and rewritten seeds have the answer of their seed.

use std::collections::BTreeSet;

use smt::Script;

use super::*;
use crate::case::{Answer, Case, CheckRef, Claim, Rule, replay};
use crate::seed::builtin;
use crate::strategy::testing::{self, answers, asked};

/// The points at which each row is tested, with each meaning of its letters.
const MANY: usize = 1000;

fn strategy(flags: &[(&str, &str)]) -> Result<Rewrite, BadOption> {
    Rewrite::of(&testing::options(&ENTRY, flags))
}

fn made(strategy: &Rewrite, seed: &Asked, draw: u64) -> Vec<Case> {
    let seeds = [seed.clone()];
    let mut series = strategy.series(0, &seeds, Choices::drawn(draw, ENTRY.name, 0));
    std::iter::from_fn(|| series.next()).collect()
}

#[test]
fn rows_hold_at_thousands_of_points() {
    let mut wrong = Vec::new();
    for row in table::built_in() {
        let checked = Equivalence::read(row).and_then(|row| check::row(&row, MANY));
        wrong.extend(checked.err().map(|why| format!("{}: {why}", row.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = table::built_in().iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), table::built_in().len(), "names are told apart");
    assert!(names.len() > 280, "{}", names.len());
}

#[test]
fn wrong_rows_are_refused() {
    // (the sorts, the left side, the right side, a word of the error)
    let rows = [
        ("x = \"Int\"", "(+ x 1)", "x", "its sides differ at x ="),
        ("x = \"(_ BitVec n)\"", "(bvlshr x x)", "x", "its sides differ"),
        ("x = \"Int\"", "(div x 0)", "x", "no value"),
        ("x = \"Int\"", "(plus x 1)", "x", "plus"),
        ("x = \"Int\"", "(+ x y)", "x", "`y` is no variable"),
        ("x = \"Int\"", "(+ x 1", "x", "is no term"),
        ("x = \"Int\"", "(= x 1)", "x", "different sorts"),
        ("x = \"Bool\"", "(+ x 1)", "x", "not well-sorted"),
        ("x = \"(_ BitVec k)\"", "(bvnot (bvnot x))", "x", "a letter that is not"),
        ("x = \"Complex\"", "(= x x)", "true", "no pattern of a sort"),
    ];
    let file = std::env::temp_dir().join(format!("gainsay-rewrite-{}.toml", std::process::id()));
    let name = file.to_str().expect("a name");
    let write = |sorts: &str, left: &str, right: &str| {
        let text = format!(
            "[[equivalence]]\nname = \"mine\"\nsorts = {{ {sorts} }}\nleft = \"{left}\"\nright = \"{right}\"\n"
        );
        std::fs::write(&file, text).expect("writable");
    };
    for (sorts, left, right, word) in rows {
        write(sorts, left, right);
        let error =
            strategy(&[("table", name)]).err().unwrap_or_else(|| panic!("{left} {right}")).to_string();
        assert!(error.contains("mine: ") && error.contains(word), "{left}: {error}");
    }
    write("x = \"Int\"", "(- x 7)", "(+ x (- 7))");
    let made = strategy(&[("table", name), ("equivalences", "mine")]).expect("a good row");
    assert_eq!(made.book.rows().len(), 1);
    std::fs::remove_file(&file).expect("there");
    let error = strategy(&[("equivalences", "bvsubs")]).err().expect("unknown").to_string();
    assert!(
        error.contains("bvsubs is no equivalence; did you mean bvsub?; `--equivalences help` lists all"),
        "{error}"
    );
    let error = strategy(&[("equivalences", "help")]).err().expect("a list").to_string();
    assert!(error.contains("bvneg, bvsub"), "{error}");
}

const BITS: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))(declare-const p Bool)
    (define-fun f ((a (_ BitVec 3)) (p Bool)) (_ BitVec 3) (ite p (bvsub a y) (bvneg a)))
    (assert (=> p (bvult (bvsub x y) (bvudiv x #b010))))(push 1)(assert (distinct (f x p) y (bvxor x y)))(check-sat)
    (pop 1)(assert (let ((z (bvsmod x y))) (xor p (bvsle z (bvadd z x)))))(check-sat)";
const NO_BITS: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
    (assert (bvult x y))(assert (not (bvult (bvadd x #b001) (bvadd y #b001))))(assert (distinct y #b111))(check-sat)";

#[test]
fn every_case_has_the_answers_of_its_seed() {
    let mut rules = BTreeSet::new();
    let strategy = strategy(&[("forms-of-seed", "25")]).expect("good flags");
    for text in [BITS, NO_BITS] {
        let seed = asked(text, Answer::Unknown);
        let expected = answers(seed.seed.script());
        for case in (0..12).flat_map(|draw| made(&strategy, &seed, draw)) {
            assert_eq!(answers(&case.script), expected, "{}", case.text());
            assert_eq!(case.claims.len(), 2 * expected.len());
            assert!(case.others_are_seeds());
            let done = replay(Script::clone(&case.others[0]), case.lineage.edits.list());
            assert!(done.refused.is_empty(), "{}", case.text());
            assert_eq!(done.script.text(), case.text());
            for edit in case.lineage.edits.list() {
                let Rule::Equivalent(name) = &edit.rule else { panic!("{edit:?}") };
                rules.insert(name.to_string());
            }
        }
    }
    // Forwards and backwards, with drawn terms, and the steps that decide disputes.
    for name in
        ["bvsub", "bvneg-twice", "bvule", "inline-let", "inline-definition", "expand-xor", "bvxor-and-bvxor"]
    {
        assert!(rules.contains(name), "{name} is not among {rules:?}");
    }
}

#[test]
fn nothing_is_captured_and_no_name_is_given_twice() {
    let text = "(declare-const y Int)(declare-fun and2 (Int) Bool)(define-fun f ((x Int)) Int (+ x y))
        (assert (! (or (< y 3) (= y 4)) :named a))
        (assert (exists ((y Int)) (and a (= (f y) (+ y y)) (forall ((bvnot Int)) (=> (< y bvnot) (and2 bvnot))))))(check-sat)";
    let strategy = strategy(&[]).expect("good flags");
    for case in (0..20).flat_map(|draw| made(&strategy, &asked(text, Answer::Unknown), draw)) {
        let script = smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
        assert_eq!(script.text(), case.text());
        assert_eq!(case.text().matches(":named").count(), 1, "{}", case.text());
        // What `f` means has the outer y, which may not stand below a variable of that name.
        let inner = case.text().split("(exists").nth(1).map(str::to_owned).unwrap_or_default();
        assert!(!case.text().contains("(exists") || inner.contains("(f "), "{}", case.text());
    }
}

#[test]
fn disputed_seeds_come_first_as_they_are() {
    let seed = asked(BITS, Answer::Sat).seed;
    let answers = [[Answer::Sat, Answer::Sat], [Answer::Unsat, Answer::Sat]].map(|all| all.to_vec());
    let first = &made(&strategy(&[]).expect("good flags"), &Asked::by_solvers(seed, &answers), 1)[0];
    assert!(first.claims.is_empty() && first.lineage.edits.count() == 0);
}

#[test]
fn built_in_seeds_are_rewritten_within_their_logic() {
    let mut count = 0;
    let strategy = strategy(&[("forms-of-seed", "6")]).expect("good flags");
    for (i, (name, text)) in builtin::scripts().enumerate() {
        for case in made(&strategy, &asked(text, Answer::Unknown), i as u64) {
            let script =
                smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}\n{}", case.text()));
            assert_eq!(script.text(), case.text(), "{name}");
            assert!(script.opaque.is_empty(), "{name}\n{}", case.text());
            let own = Claim::SatImplies(CheckRef { script: 1, check: 0 }, CheckRef::own(0));
            assert!(case.claims.contains(&own), "{name}");
            if let Some(logic) = script.logic().and_then(smt::Logic::named) {
                assert!(logic.holds(smt::Logic::of(&script)), "{name}\n{}", case.text());
            }
            count += 1;
        }
    }
    assert!(count > 600, "{count}");
}
