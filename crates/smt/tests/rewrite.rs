//! Steps of rewriting keep what they say they keep, on scripts that a search decides.

#[path = "change/chance.rs"]
mod chance;

use chance::SplitMix;
use smt::rewrite::{Keeps, Limits, Place, Rule, alone, apply, normal, question, steps};
use smt::{Decision, Script, search};

/// What drives the drawing of scripts.
struct Chance(SplitMix);

impl Chance {
    fn new(number: u64) -> Self {
        Chance(SplitMix(number))
    }

    /// A number below `end`, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        (self.0.next() % end as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

fn read(text: &str) -> Script {
    smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.message))
}

/// The text of a script, as it is read again.
fn again(script: &Script) -> Script {
    read(&script.text())
}

/// Whether what is asserted at the last check is satisfiable; none if the search does not know.
fn decided(script: &Script) -> Option<bool> {
    let query = script.queries().pop().expect("a check");
    match search(script, &query, smt::Limits { assignments: 200_000, small_values: false }) {
        Decision::Sat(_) => Some(true),
        Decision::Unsat { .. } => Some(false),
        _ => None,
    }
}

fn assertions(script: &Script) -> Vec<String> {
    script.text().lines().filter(|line| line.starts_with("(assert")).map(str::to_owned).collect()
}

#[test]
fn normal_forms() {
    let rows: &[(&str, &[&str])] = &[
        ("(declare-const p Bool)(assert (and p (not p)))", &["(assert false)"]),
        ("(declare-const x Int)(assert (= x 3))(assert (< (* x x) 10))", &["(assert true)"]),
        (
            "(declare-const x Int)(declare-const y Int)(assert (= x (+ y 1)))(assert (< x y))",
            &["(assert (< (+ y 1) y))"],
        ),
        ("(declare-const x Int)(assert (= x (+ x 1)))", &["(assert (= x (+ x 1)))"]),
        (
            "(declare-fun f (Int) Int)(assert (distinct (f 1) (f 2) 3))",
            &["(assert (not (= (f 1) (f 2))))", "(assert (not (= (f 1) 3)))", "(assert (not (= (f 2) 3)))"],
        ),
        (
            "(declare-fun f (Int) Bool)(assert (=> (f 1) (f 2) (f 3)))",
            &["(assert (or (not (f 1)) (not (f 2)) (f 3)))"],
        ),
        ("(declare-fun f (Int) Bool)(assert (xor (f 1) (f 2)))", &["(assert (not (= (f 1) (f 2))))"]),
        // The value is open: it stays.
        ("(declare-fun f (Int) Bool)(assert (f (div 1 0)))", &["(assert (f (div 1 0)))"]),
        ("(declare-fun f (Int) Bool)(assert (f (div 7 2)))", &["(assert (f 3))"]),
        // The bound x is not the constant x.
        (
            "(declare-const x Int)(declare-fun f (Int Int) Bool)(assert (forall ((x Int)) (f x x)))(assert (= x 1))",
            &["(assert (forall ((x Int)) (f x x)))"],
        ),
        // Nothing captures the constant y.
        (
            "(declare-const x Int)(declare-const y Int)(declare-fun f (Int Int) Bool)
             (assert (= x (+ y 1)))(assert (forall ((y Int)) (f x y)))",
            &["(assert (forall ((y!0 Int)) (f (+ y 1) y!0)))"],
        ),
        (
            "(declare-const y Int)(declare-fun f (Int Int) Bool)(define-fun g ((x Int)) Bool (f x y))
             (assert (forall ((y Int)) (g y)))",
            &["(assert (forall ((y!0 Int)) (f y!0 y)))"],
        ),
        (
            "(declare-fun f (Int Int) Bool)(define-fun g ((x Int)) Bool (exists ((y Int)) (f x y)))
             (assert (forall ((y Int)) (g y)))",
            &["(assert (forall ((y Int)) (exists ((y!0 Int)) (f y y!0))))"],
        ),
        // Recursive definitions stay.
        (
            "(declare-const y Int)(define-fun-rec f ((x Int)) Int (ite (< x 1) 0 (f (- x 1))))(assert (= (f y) 2))",
            &["(assert (= (f y) 2))"],
        ),
        // A constant in a recursive definition stays.
        (
            "(declare-const y Int)(define-fun-rec f ((x Int)) Int (ite (< x y) 0 (f (- x 1))))
             (assert (= y 2))(assert (= (f 2) 2))",
            &["(assert (= y 2))", "(assert (= (f 2) 2))"],
        ),
        (
            "(declare-const p Bool)(declare-fun f (Bool) Bool)(assert (! (f p) :named a))(assert (f a))",
            &["(assert (f p))", "(assert (f (f p)))"],
        ),
        (
            "(declare-fun f (Int) Bool)(assert (forall ((x Int)) (! (f x) :pattern ((f x)))))",
            &["(assert (forall ((x Int)) (f x)))"],
        ),
        // A constant that is declared later.
        (
            "(declare-const x Int)(assert (< x 9))(declare-const y Int)(assert (= x (+ y 1)))(assert (> y x))",
            &["(assert (< (+ y 1) 9))", "(assert (> y (+ y 1)))"],
        ),
        (
            "(declare-const e (-> Int (-> Int Int)))
             (define-fun a ((b (-> Int (-> Int Int))) (c Int) (d Int)) Int (b 0 0))
             (assert (= e (lambda ((f Int)) (lambda ((g Int)) 0))))(assert (not (< (a e 0 0) 1)))",
            &["(assert false)"],
        ),
        (
            "(declare-sort U 0) (declare-fun a () U) (define-fun K ((x U) (y U)) U x)
             (define-fun S ((f (-> U (-> U U))) (g (-> U U)) (x U)) U (f x (g x)))
             (assert (not (= (S (lambda ((x U)) (lambda ((y U)) (K x y))) (lambda ((x U)) (K x a)) a) a)))",
            &["(assert (not (= a a)))"],
        ),
    ];
    for (text, expected) in rows {
        let script = read(&format!("{text}(check-sat)"));
        let (normal, steps) = normal(&script, 0, Limits::default()).expect(text);
        assert_eq!(assertions(&normal), *expected, "{text}: {steps:?}");
        again(&normal);
    }
}

#[test]
fn only_what_is_in_scope_is_taken() {
    let text =
        "(set-logic ALL)(declare-const x Int)(assert (> x 0))(push 1)(declare-const y Int)(assert (= y x))
        (check-sat)(pop 1)(declare-const y Bool)(assert y)(check-sat-assuming ((not y)))";
    let script = read(text);
    let shown = |check| alone(&script, check).map(|script| again(&script).text());
    assert_eq!(
        shown(0).as_deref(),
        Some(
            "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n(assert (> x 0))\n(assert (= y x))\n(check-sat)\n"
        )
    );
    assert_eq!(
        shown(1).as_deref(),
        Some(
            "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Bool)\n(assert (> x 0))\n(assert y)\n(assert (not y))\n(check-sat)\n"
        )
    );
    assert_eq!(shown(2), None);
    assert!(alone(&read("(declare-const x Int)(unheard-of x)(check-sat)"), 0).is_none());
}

#[test]
fn growth_is_bounded() {
    let mut text = "(declare-const x0 Int)".to_owned();
    for i in 1..60 {
        let before = i - 1;
        text += &format!("(declare-const x{i} Int)(assert (= x{i} (* x{before} x{before})))");
    }
    text += "(assert (> x59 x30))(check-sat)";
    let (normal, _) = normal(&read(&text), 0, Limits::default()).expect("a check");
    assert!(normal.text().len() < 400_000, "{}", normal.text().len());
}

#[test]
fn steps_of_another_script_are_refused() {
    let mut script = alone(
        &read("(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (exists ((z Int)) (< x z y)))(check-sat)"),
        0,
    )
    .expect("a check");
    let all = steps(&mut script, 100);
    let rules: Vec<Rule> = all.iter().map(|step| step.rule).collect();
    for wanted in
        [Rule::Substitute, Rule::Skolem, Rule::Rename, Rule::RenameBound, Rule::Binary, Rule::Reorder]
    {
        assert!(rules.contains(&wanted), "{wanted:?}: {rules:?}");
    }
    for step in &all {
        let mut moved = step.clone();
        moved.command += 1;
        assert!(step.rule == Rule::Rename || apply(&script, &moved).is_none(), "{moved:?}");
        let mut other = step.clone();
        other.old = all.iter().map(|s| s.old).find(|old| *old != step.old).expect("another term");
        assert!(apply(&script, &other).is_none(), "{other:?}");
    }
    // The value of a constant is what is asserted, nothing else.
    let substitute = all.iter().find(|step| step.rule == Rule::Substitute).expect("it is there");
    let mut wrong = substitute.clone();
    wrong.new = wrong.old;
    assert!(apply(&script, &wrong).is_none());
}

#[test]
fn words_are_distinct() {
    let words: std::collections::BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.word()).collect();
    assert_eq!(words.len(), Rule::ALL.len());
}

// ---- drawn scripts

/// A term of sort Bool (true) or of two bits (false) over the constants and these bound variables.
fn drawn(chance: &mut Chance, boolean: bool, depth: u32, bound: &mut Vec<(String, bool)>) -> String {
    let leaf = depth == 0 || chance.below(6) == 0;
    if leaf {
        let mut all: Vec<&str> =
            if boolean { vec!["p", "q", "true"] } else { vec!["x", "y", "#b01", "#b10"] };
        let own: Vec<&str> = bound.iter().filter(|(_, b)| *b == boolean).map(|(n, _)| n.as_str()).collect();
        // The innermost variable of a name hides the others, whatever their sort.
        all.extend(own.iter().copied().chain(own.iter().copied()));
        all.retain(|name| bound.iter().rev().find(|(n, _)| n == name).is_none_or(|(_, b)| *b == boolean));
        return chance.pick(&all).to_owned();
    }
    let mut term = |chance: &mut Chance, b: bool| drawn(chance, b, depth - 1, bound);
    if boolean {
        match chance.below(14) {
            0 => format!("(and {} {} {})", term(chance, true), term(chance, true), term(chance, true)),
            1 => format!("(or {} {})", term(chance, true), term(chance, true)),
            2 => format!("(=> {} {} {})", term(chance, true), term(chance, true), term(chance, true)),
            3 => format!("(xor {} {} {})", term(chance, true), term(chance, true), term(chance, true)),
            4 => {
                format!("(distinct {} {} {})", term(chance, false), term(chance, false), term(chance, false))
            }
            5 => format!("(= {} {})", term(chance, true), term(chance, true)),
            6 => format!("(= {} {} {})", term(chance, false), term(chance, false), term(chance, false)),
            7 => format!("(bvult {} {})", term(chance, false), term(chance, false)),
            8 => format!("(g {} {})", term(chance, true), term(chance, false)),
            9 => format!("(h {})", term(chance, false)),
            10 => format!("(not {})", term(chance, true)),
            11 => binding(chance, true, depth, bound),
            12 => quantified(chance, depth, bound),
            _ => applied(chance, true, depth, bound),
        }
    } else {
        match chance.below(7) {
            0 => format!("(bvadd {} {} {})", term(chance, false), term(chance, false), term(chance, false)),
            1 => format!("(bvudiv {} {})", term(chance, false), term(chance, false)),
            2 => format!("(ite {} {} {})", term(chance, true), term(chance, false), term(chance, false)),
            3 => format!("(bvshl {} {})", term(chance, false), term(chance, false)),
            4 => binding(chance, false, depth, bound),
            5 => "k".to_owned(),
            _ => applied(chance, false, depth, bound),
        }
    }
}

/// Names of bound variables: some are those of constants and of other variables.
const NAMES: [&str; 5] = ["x", "p", "u", "v", "u"];

fn binding(chance: &mut Chance, boolean: bool, depth: u32, bound: &mut Vec<(String, bool)>) -> String {
    let (name, sort) = (chance.pick(&NAMES).to_owned(), chance.below(2) == 0);
    let value = drawn(chance, sort, depth - 1, bound);
    bound.push((name.clone(), sort));
    let body = drawn(chance, boolean, depth - 1, bound);
    bound.pop();
    format!("(let (({name} {value})) {body})")
}

fn sort_name(boolean: bool) -> &'static str {
    if boolean { "Bool" } else { "(_ BitVec 2)" }
}

fn quantified(chance: &mut Chance, depth: u32, bound: &mut Vec<(String, bool)>) -> String {
    let (name, sort) = (chance.pick(&NAMES).to_owned(), chance.below(2) == 0);
    let word = if chance.below(2) == 0 { "forall" } else { "exists" };
    bound.push((name.clone(), sort));
    let body = drawn(chance, true, depth - 1, bound);
    bound.pop();
    format!("({word} (({name} {})) {body})", sort_name(sort))
}

fn applied(chance: &mut Chance, boolean: bool, depth: u32, bound: &mut Vec<(String, bool)>) -> String {
    let (name, sort) = (chance.pick(&NAMES).to_owned(), chance.below(2) == 0);
    let value = drawn(chance, sort, depth - 1, bound);
    bound.push((name.clone(), sort));
    let body = drawn(chance, boolean, depth - 1, bound);
    bound.pop();
    format!("((lambda (({name} {})) {body}) {value})", sort_name(sort))
}

fn drawn_script(chance: &mut Chance) -> String {
    let mut text = "(declare-const p Bool)(declare-const q Bool)(declare-const x (_ BitVec 2))
        (declare-const y (_ BitVec 2))(declare-fun h ((_ BitVec 2)) Bool)
        (define-fun g ((p Bool) (u (_ BitVec 2))) Bool (forall ((v (_ BitVec 2))) (or p (bvule u v) (= v x))))
        (define-fun k () (_ BitVec 2) (bvadd x #b01))"
        .to_owned();
    for _ in 0..=chance.below(3) {
        let term = match chance.below(4) {
            0 => format!("(= {} {})", chance.pick(&["x", "y"]), drawn(chance, false, 2, &mut Vec::new())),
            1 => format!("(= {} {})", drawn(chance, true, 2, &mut Vec::new()), chance.pick(&["p", "q"])),
            _ => drawn(chance, true, 3, &mut Vec::new()),
        };
        text += &format!("(assert {term})");
    }
    text + "(check-sat)"
}

#[test]
fn normal_forms_have_the_same_answer() {
    let (mut sat, mut unsat) = (0, 0);
    for number in 0..600 {
        let text = drawn_script(&mut Chance::new(number));
        let script = read(&text);
        let Some(answer) = decided(&script) else { continue };
        let (normal, steps) = normal(&script, 0, Limits::default()).expect("a check");
        let normal = again(&normal);
        let words: Vec<_> = steps.iter().map(|step| step.rule.word()).collect();
        assert_eq!(decided(&normal), Some(answer), "{text}\n{}\n{words:?}", normal.text());
        *if answer { &mut sat } else { &mut unsat } += 1;
    }
    assert!(sat > 150 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn every_step_keeps_what_it_says() {
    let mut met = std::collections::BTreeMap::new();
    for number in 0..300 {
        let text = drawn_script(&mut Chance::new(1_000_000 + number));
        let mut script = alone(&read(&text), 0).expect("a check");
        let Some(answer) = decided(&script) else { continue };
        for step in steps(&mut script, 60) {
            let after = apply(&script, &step).expect("steps that are offered can be done");
            let shown = || format!("{text}\n{}\n{:?}", after.text(), step);
            assert_eq!(decided(&again(&after)), Some(answer), "{}", shown());
            *met.entry(step.rule).or_insert(0) += 1;
            let asked = question(&script, &step);
            assert_eq!(
                asked.is_some(),
                step.keeps() == Keeps::Meaning && !matches!(step.rule, Rule::SplitAnd | Rule::Reorder)
            );
            if let Some(asked) = asked {
                assert_eq!(decided(&again(&asked)), Some(false), "{}\n{}", asked.text(), shown());
            }
            if let Place::At(path) = &step.place {
                assert!(path.len() < 20);
            }
        }
    }
    for rule in Rule::ALL {
        assert!(rule == Rule::Unannotate || met.get(&rule).is_some_and(|&n| n > 3), "{rule:?}: {met:?}");
    }
}
