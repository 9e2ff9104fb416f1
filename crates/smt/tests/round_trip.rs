//! What was read prints as it was, and what is printed reads as the same.

mod change;

use std::sync::Arc;

use change::{Chance, changed};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use smt::{Command, Fuel, Model, Pool, Script, TermId, What, eval, read, walk, write_term};

const SCRIPTS: &[(&str, &str)] = &[
    ("standard", include_str!("round_trip/standard.smt2")),
    ("theories", include_str!("round_trip/theories.smt2")),
    ("z3", include_str!("round_trip/z3.smt2")),
    ("cvc5", include_str!("round_trip/cvc5.smt2")),
];

fn script(text: &str) -> Script {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{}", error.locate("script", text.as_bytes())))
}

fn text(script: &Script) -> String {
    script.text()
}

fn assertions(script: &Script) -> Vec<TermId> {
    let assertion = |command: &Command| if let What::Assert(term) = command.what { Some(term) } else { None };
    script.commands.iter().filter_map(assertion).collect()
}

#[test]
fn every_command_and_form() {
    for (name, source) in SCRIPTS {
        let read_once = script(source);
        let unknown: Vec<_> = read_once.opaque.iter().map(|part| &part.why).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
        assert!(read_once.is_lossless(), "{name}");
        let printed = text(&read_once.cut_loose());
        let again = script(&printed);
        assert_eq!(text(&again.cut_loose()), printed, "{name}");
        assert!(again.is_lossless(), "{name}, printed");
    }
}

#[test]
fn tokens_are_kept() {
    const TERMS: &[&str] = &[
        "(= |x| x |x y| x)",
        "(= #x0F #b00001111 (_ bv15 8) #x0f)",
        "(= (int.to.str x) (str.from_int x) \"\"\"\" \"\\u{41}\" \"\\x41\")",
        "(str.in.re \"a\" (str.to.re \"a\"))",
        "(= 1.50 1.5 2 (/ 1 3))",
        "(= x 007 (- 1))",
        "(! (= x 1) :named |n| :weight 1 :note (a (b \"c\") |d| 1.5))",
        "(let ((|y z| 1)) (= |y z| x))",
        "(forall ((|y| Int) (z (Array Int (_ BitVec 8)))) (= |y| y))",
        "(implies (iff true false) (if true true false))",
        "((_ divisible 3) x)",
        "(= (as x Int) x)",
        "(= (tuple) tuple.unit)",
        "(unknown (|a b| \"c\" #xFf :d 1.50) ())",
    ];
    for term in TERMS {
        let source = format!("(declare-const x Int)(declare-const |x y| Int)(assert {term})");
        let script = script(&source);
        assert_eq!(write_term(&script.pool, assertions(&script)[0]), *term);
        assert!(script.is_lossless(), "{term}");
    }
}

#[test]
fn sorts_that_are_not_understood() {
    for source in [
        "(define-sort M (K) (_ Unknown K))(declare-const m (M Int))(assert (= m m))",
        "(define-sort M () (_ Unknown 1))(declare-const m M)(declare-const n (_ Unknown 1))(assert (= m n))",
        "(define-sort M (K) (define-sort M (K) Int))(declare-const m (M Int))",
        "(declare-datatype D (par (T) ((c (s (Unknown T))))))(declare-const d (D Int))(assert (= (s d) (s d)))",
    ] {
        assert!(script(source).is_lossless(), "{source}");
    }
}

#[test]
fn notes_are_kept() {
    let script = script(SCRIPTS[0].1);
    let notes: Vec<_> = script.notes.iter().map(|note| (&*note.key, &*note.value)).collect();
    assert_eq!(notes, [("EXPECT", "sat"), ("COMMAND-LINE", "--incremental")]);
}

/// Any list of tokens and lists.
fn sexpr() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[a-z]{1,3}",
        "[0-9]{1,3}",
        "#[xb][01]{1,3}",
        "\\|[ a-z]{0,3}\\|",
        "\"[a-z\\\\]{0,3}\"",
        ":[a-z]{1,3}",
        prop::sample::select(vec![
            "assert",
            "let",
            "forall",
            "!",
            "_",
            "as",
            "match",
            "and",
            "=",
            "Int",
            "declare-fun"
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
    ];
    atom.prop_recursive(5, 40, 5, |part| {
        prop::collection::vec(part, 0..5).prop_map(|parts| format!("({})", parts.join(" ")))
    })
}

/// What holds of every text: if it is accepted, it is printed and read again without loss.
fn holds(source: &[u8]) {
    let Ok(script) = read(source) else { return };
    assert!(script.is_lossless(), "{}", String::from_utf8_lossy(source));
    let printed = script.cut_loose().text();
    let again = read(printed.as_bytes()).expect("lossless");
    assert_eq!(again.cut_loose().text(), printed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lists(lists in prop::collection::vec(sexpr(), 0..4)) {
        holds(lists.join("\n").as_bytes());
    }

    #[test]
    fn any_assertions(term in sexpr()) {
        holds(format!("(declare-const a Bool)(declare-fun b (Int) Int)(assert {term})").as_bytes());
    }

    #[test]
    fn any_changes(number: u64, which in 0..SCRIPTS.len(), from in 0..100usize, count in 1..8usize) {
        // A few commands of a script, so that most changes leave something to read.
        let lines: Vec<_> = SCRIPTS[which].1.lines().collect();
        let declarations = lines.iter().take_while(|line| !line.starts_with("(assert")).count();
        let from = declarations + from * (lines.len() - declarations) / 100;
        let picked = lines[..declarations].iter().chain(lines[from..].iter().take(count));
        let seed = picked.copied().collect::<Vec<_>>().join("\n").into_bytes();
        holds(&changed(&[seed], &mut Chance::new(number)));
    }
}

/// The script with one occurrence in its assertion `which` replaced by what stands at another way, over a frozen base.
fn mutated(source: &str, which: usize, way: &[u32], by: &[u32]) -> Script {
    let seed = script(source);
    let root = assertions(&seed)[which];
    let base = Arc::new(seed.pool.clone().freeze());
    let mut mutant = Script { pool: Pool::over(&base), ..seed };
    let new = walk::at(&mutant.pool, root, by).expect("the second way leads to a term");
    let new_root = mutant.pool.replace(root, way, new).expect("the sorts are the same");
    for command in &mut mutant.commands {
        if command.what == What::Assert(root) {
            *command = Command { what: What::Assert(new_root), span: None };
        }
    }
    mutant
}

/// What it is about, a term, the way to what is replaced, the way to what replaces it, and the new term.
type Row = (&'static str, &'static str, &'static [u32], &'static [u32], &'static str);

#[test]
fn one_occurrence_is_replaced() {
    const ROWS: &[Row] = &[
        ("one of two twins", "(and (not p) (not p))", &[0, 0], &[0], "(and (not (not p)) (not p))"),
        ("the other", "(and (not p) (not p))", &[1], &[1, 0], "(and (not p) p)"),
        ("the whole", "(and p q)", &[], &[1], "q"),
        ("a bound term", "(let ((y p) (z p)) (and y z))", &[1], &[0], "(let ((y p) (z p)) (and y z))"),
        ("in the body of a let", "(let ((y p)) (and y q))", &[1, 0], &[1, 1], "(let ((y p)) (and q q))"),
        (
            "under a quantifier",
            "(forall ((y Bool)) (or y q))",
            &[0, 1],
            &[0, 0],
            "(forall ((y Bool)) (or y y))",
        ),
        (
            "in a pattern",
            "(! (p1 x) :pattern ((p1 x) (p1 2)) :qid a)",
            &[1],
            &[2],
            "(! (p1 x) :pattern ((p1 2) (p1 2)) :qid a)",
        ),
        (
            "in a case",
            "(match l ((nil p) ((cons h t) (and q p))))",
            &[2, 0],
            &[1],
            "(match l ((nil p) ((cons h t) (and p p))))",
        ),
        ("a coerced number", "(= r (+ 1 x))", &[1, 0, 0], &[1, 0, 1], "(= r (+ x x))"),
        ("a literal as it is spelled", "(= #x0F #b00001111)", &[1], &[0], "(= #x0F #x0F)"),
    ];
    for (what, term, way, by, expected) in ROWS {
        let source = format!(
            "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const r Real)
             (declare-fun p1 (Int) Bool)(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)
             (assert {term})(check-sat)"
        );
        let mutant = mutated(&source, 0, way, by);
        assert_eq!(write_term(&mutant.pool, assertions(&mutant)[0]), *expected, "{what}");
        // The seed's other commands are copied, and what is printed reads as the same.
        let printed = text(&mutant);
        assert!(
            printed.contains(expected) && printed.starts_with("(declare-const p Bool)\n"),
            "{what}: {printed}"
        );
        let again = script(&printed);
        assert_eq!(write_term(&again.pool, assertions(&again)[0]), *expected, "{what}");
        assert!(again.is_lossless(), "{what}");
    }
}

#[test]
fn what_does_not_fit_is_not_replaced() {
    let mut seed = script("(declare-const x Int)(assert (> x 1))");
    let root = assertions(&seed)[0];
    assert_eq!(seed.pool.replace(root, &[0], root), None, "another sort");
    assert_eq!(seed.pool.replace(root, &[2], root), None, "a way that leads nowhere");
    assert_eq!(seed.pool.replace(root, &[0, 0], root), None, "a way below a constant");
    assert_eq!(walk::at(&seed.pool, root, &[0, 0]), None);
}

#[test]
fn names_follow_what_they_name() {
    let source = "(assert (! (not false) :named n))(assert (and n true))(check-sat)";
    let mutant = mutated(source, 0, &[0], &[0, 0]);
    let [named, using] = assertions(&mutant)[..] else { panic!("two assertions") };
    assert_eq!(write_term(&mutant.pool, named), "(! false :named n)");
    let model = Model::empty(&mutant);
    let value = eval(using, &model, &mut Fuel::default()).expect("no gap");
    assert_eq!(value, smt::value::Value::Bool(false), "n now names false");
    // The seed is untouched: another mutant of it sees the old meaning.
    let other = mutated(source, 1, &[1], &[1]);
    let value = eval(assertions(&other)[1], &Model::empty(&other), &mut Fuel::default());
    assert_eq!(value, Ok(smt::value::Value::Bool(true)));
}

#[test]
fn names_mean_what_is_nearest() {
    const ROWS: &[(&str, &str, &str)] = &[
        ("let over a constant", "(declare-const x Bool)(assert (= 1 (let ((x 1)) x)))", ""),
        ("let binds all at once", "(assert (let ((y 1)) (let ((y 2) (z y)) (= z 1))))", "true"),
        ("let ends", "(declare-const x Bool)(assert (and (= 1 (let ((x 1)) x)) x))", ""),
        ("forall over let", "(assert (let ((y 1)) (forall ((y Bool)) (or y (not y)))))", "true"),
        (
            "match over forall",
            "(declare-datatype B ((box (open Int))))(assert (exists ((y Bool)) (match (box 1) (((box y) (= y 1))))))",
            "true",
        ),
        (
            "a variable that matches all",
            "(declare-datatype B ((box (open Int))))(assert (match (box 1) ((y (= y (box 1))))))",
            "true",
        ),
        (
            "a constructor is no variable",
            "(declare-datatype C ((red) (green)))(assert (not (match green ((red true) (green false)))))",
            "true",
        ),
        (
            "parameters over constants",
            "(declare-const x Bool)(define-fun f ((x Int)) Int x)(assert (= (f 1) 1))",
            "true",
        ),
        ("parameters end", "(declare-const x Bool)(define-fun f ((x Int)) Int x)(assert (or x (not x)))", ""),
        ("a declared pi", "(declare-const pi Int)(assert (= pi pi 1))", ""),
        ("a declared is", "(declare-fun is (Int) Bool)(assert (is 1))", ""),
        ("a declared set.union", "(declare-fun set.union (Int Int) Int)(assert (= 1 (set.union 1 2)))", ""),
        ("a defined operator", "(define-fun bvredor ((x Int)) Bool (= x 1))(assert (bvredor 1))", "true"),
        ("a variable named as an operator", "(assert (let ((str.len 1)) (= str.len 1)))", "true"),
        (
            "bars make no other name",
            "(declare-const x Int)(assert (= x |x|))(assert (let ((|y| 1)) (= y 1)))",
            "true",
        ),
        ("a reserved word in bars", "(declare-const |let| Bool)(assert (or |let| (not |let|)))", ""),
        (
            "functions of one name, by arguments",
            "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f 1) (f true)))",
            "",
        ),
        ("a name that is bound again", "(assert (let ((y 1)) (and (let ((y true)) y) (= y 1))))", "true"),
    ];
    for (what, source, value) in ROWS {
        let script = script(source);
        assert!(script.opaque.is_empty(), "{what}: {:?}", script.opaque);
        assert!(script.is_lossless(), "{what}");
        let last = *assertions(&script).last().expect("an assertion");
        if let ("true", outcome) = (*value, eval(last, &Model::empty(&script), &mut Fuel::default())) {
            assert_eq!(outcome, Ok(smt::value::Value::Bool(true)), "{what}");
        }
    }
}

#[test]
fn names_end_with_their_level() {
    const ROWS: &[(&str, &str, usize)] = &[
        ("inside", "(push 1)(declare-const x Int)(assert (= x 1))(pop 1)", 0),
        ("after", "(push 1)(declare-const x Int)(pop 1)(assert (= x 1))", 1),
        ("two levels at once", "(push 2)(declare-const x Int)(pop 1)(assert (= x 1))(pop 1)", 1),
        ("the outer one again", "(declare-const x Int)(push)(declare-const x Bool)(pop)(assert (= x 1))", 0),
        ("a sort", "(push 1)(declare-sort S 0)(pop 1)(declare-const c S)", 1),
        ("a defined sort", "(push 1)(define-sort S () Int)(pop 1)(declare-const c S)", 1),
        ("a datatype", "(push 1)(declare-datatype D ((d)))(pop 1)(assert (= d d))", 2),
        ("a name", "(push 1)(assert (! true :named n))(pop 1)(assert n)", 1),
        ("a definition", "(push 1)(define-fun f () Int 1)(pop 1)(assert (= f 1))", 1),
        (
            "global",
            "(set-option :global-declarations true)(push 1)(declare-const x Int)(pop 1)(assert (= x 1))",
            0,
        ),
        ("reset", "(declare-const x Int)(reset)(assert (= x 1))", 1),
        ("reset-assertions", "(declare-const x Int)(reset-assertions)(assert (= x 1))", 1),
        ("reset-assertions, sorts", "(declare-sort U 0)(reset-assertions)(declare-const a U)", 1),
        (
            "reset-assertions, global",
            "(set-option :global-declarations true)(declare-const x Int)(push 1)(reset-assertions)(assert (= x 1))",
            0,
        ),
    ];
    for (what, source, unknown) in ROWS {
        assert_eq!(script(source).opaque.len(), *unknown, "{what}");
    }
}

#[test]
fn what_a_check_asks() {
    const ROWS: &[(&str, &str, &[&str])] = &[
        ("no check", "(assert true)", &[]),
        ("all before it", "(assert p)(check-sat)(assert q)(check-sat)", &["p", "p q"]),
        ("levels", "(assert p)(push 1)(assert q)(check-sat)(pop 1)(check-sat)", &["p q", "p"]),
        ("many levels", "(push 3)(assert p)(pop 2)(assert q)(check-sat)(pop 1)(check-sat)", &["q", ""]),
        ("no levels", "(assert p)(push 0)(pop 0)(check-sat)", &["p"]),
        ("assumptions", "(assert p)(check-sat-assuming (q (not p)))(check-sat)", &["p q (not p)", "p"]),
        ("assumptions as z3 has them", "(check-sat p q)", &["p q"]),
        ("with a tactic", "(assert p)(check-sat-using smt)", &["p"]),
        ("reset", "(assert p)(reset-assertions)(declare-const q Bool)(assert q)(check-sat)", &["q"]),
        ("soft assertions are not asked", "(assert-soft p)(check-sat)", &[""]),
        ("nothing after exit", "(check-sat)(exit)(check-sat)", &[""]),
    ];
    for (what, commands, expected) in ROWS {
        let script = script(&format!("(declare-const p Bool)(declare-const q Bool){commands}"));
        let asked = |ask: &smt::Query| {
            ask.assertions.iter().map(|&t| write_term(&script.pool, t)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(script.queries().iter().map(asked).collect::<Vec<_>>(), *expected, "{what}");
    }
}
