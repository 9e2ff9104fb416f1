//! Mutants follow from their seeds, or their seeds from them: by our evaluator, at random models.

mod polarity;
mod rules;

use std::collections::BTreeMap;
use std::fmt::Write;

use smt::value::Value as Truth;
use smt::{Fuel, Model, SortId, Verdict, satisfies};

use smt::write_term;

use super::constants::edge;
use super::*;
use crate::case::Answer;
use crate::seed::{Keep, Seed};

/// Seeds whose formulas can be evaluated, each with every kind of context.
const SEEDS: &[&str] = &[
    "(declare-const x Int)(declare-const y Int)(declare-const p Bool)(declare-const q Bool)
     (assert (let ((l (< x y)) (m (= x 0))) (and (or l p) (=> (not m) (ite q l (>= y (+ x 2)))))))
     (assert (not (=> (xor p (> x y)) (and q (distinct x y 3)))))
     (assert (or (not (and p (<= x 1))) (= p (< y x)) (=> p q (not (not (< x y 5))))))(check-sat)",
    "(declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))(declare-const p Bool)
     (assert (forall ((u (_ BitVec 2))) (=> (bvult u a) (exists ((v (_ BitVec 2)) (w (_ BitVec 2)))
       (and (bvule v u) (not (= (bvadd v w) b)))))))
     (assert (=> (exists ((u Bool)) (and u p)) (bvslt a b)))
     (assert (not (forall ((u (_ BitVec 2)) (v (_ BitVec 2))) (or (bvsge u v) (bvugt u a)))))(check-sat)",
    "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(declare-const k L)
     (assert (match l ((nil (= k nil)) ((cons h t) (and (> h 0) (or (= t k) (not ((_ is nil) k))))))))
     (assert (or (distinct l k) ((_ is cons) l)))(check-sat)",
    "(declare-const s String)(declare-const t String)(declare-const x Real)
     (assert (or (str.prefixof s t) (str.in_re t (re.++ (re.range \"a\" \"c\") (re.* re.allchar)))))
     (assert (=> (str.< s t) (< x 1.5) (not (= s (str.++ t \"a\")))))
     (assert (and (<= 0 x) (distinct x 3)))(check-sat)",
    "(declare-const f (_ FloatingPoint 3 4))(declare-const g (_ FloatingPoint 3 4))
     (declare-const a (Array Bool (_ FloatingPoint 3 4)))
     (assert (or (fp.lt f g) (not (fp.leq g f)) (= f (select a true))))
     (assert (=> (fp.isNaN f) (not (fp.eq f g))))(assert (or (fp.isZero g) (distinct f g)))(check-sat)",
];

fn asked(text: &str, answer: Answer) -> [Asked; 1] {
    [Asked::agreed(Arc::new(Seed::read("test", text.as_bytes(), Keep::Bare).expect("usable")), vec![answer])]
}

fn sae(options: &[(&str, &str)]) -> Sae {
    let given: BTreeMap<_, _> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    Sae::of(&Options::of(ENTRY.flags, &given)).expect("good options")
}

/// A model of a script at random; datatypes get a few lists.
fn model(script: &mut Script, choices: &mut Choices) -> Model {
    let mut text = String::from("(");
    for fun in script.pool.functions().collect::<Vec<_>>() {
        if script.pool.fun(fun).kind != smt::FunKind::Declared {
            continue;
        }
        let (name, sort) = (script.pool.fun(fun).spelling, script.pool.fun(fun).result);
        let (name, written) = (script.pool.text(name).to_owned(), smt::sort_text(&script.pool, sort));
        let value = match written.as_str() {
            "Int" if choices.happens(4, 5) => format!("{}", choices.below(6)),
            "L" => {
                (*choices.pick(&["nil", "(cons 1 nil)", "(cons 0 (cons 2 nil))"]).expect("three")).to_owned()
            }
            _ if written.starts_with("(Array") => {
                let sort = script.pool.sort_id(smt::Sort::Float(3, 4)).expect("a sort");
                format!("((as const {written}) {})", some(script, sort, choices))
            }
            _ => some(script, sort, choices),
        };
        let _ = write!(text, "(define-fun {name} () {written} {value})");
    }
    text.push(')');
    Model::read(script, None, text.as_bytes()).expect("a model")
}

fn some(script: &mut Script, sort: SortId, choices: &mut Choices) -> String {
    let value = edge(&script.pool, sort, choices).expect("a sort with edges");
    let term = script.pool.value(sort, &value).expect("a value");
    write_term(&script.pool, term)
}

fn truth(script: &Script, model: &Model) -> Option<bool> {
    match satisfies(&script.queries()[0], model, &Fuel::new(200_000)) {
        Verdict::True => Some(true),
        Verdict::False => Some(false),
        Verdict::Open(_) => None,
    }
}

/// How many models refute a series, and how many say anything of a mutant that differs.
fn refuted(seed: &Script, answer: Answer, cases: impl Iterator<Item = Case>) -> (u32, u32, Vec<String>) {
    let (mut wrong, mut known, mut shown) = (0, 0, Vec::new());
    for (n, case) in cases.enumerate() {
        // The same text read again: its terms and the seed's have different numbers.
        let mut script = smt::read(case.text().as_bytes()).expect("well-sorted");
        let mut choices = Choices::drawn(3, "models", n as u64);
        for _ in 0..10 {
            let model = model(&mut script, &mut choices);
            let mut whole = seed.clone();
            let mut again = Choices::drawn(0, "", 0);
            let _ = self::model(&mut whole, &mut again);
            let told: Vec<String> = definitions(&script, &model);
            let told = format!("({})", told.concat());
            let own = Model::read(&whole, None, told.as_bytes()).expect("the same model");
            let (Some(before), Some(after)) = (truth(&whole, &own), truth(&script, &model)) else { continue };
            known += 1;
            let (from, to) = if answer == Answer::Sat { (before, after) } else { (after, before) };
            if from && !to {
                wrong += 1;
                let edits: Vec<_> =
                    case.lineage.edits.list().iter().map(|edit| format!("{edit:?}")).collect();
                shown.push(format!("{told}: {edits:?}"));
            }
        }
    }
    (wrong, known, shown)
}

fn definitions(script: &Script, model: &Model) -> Vec<String> {
    let declared = |fun: &smt::FunId| script.pool.fun(*fun).kind == smt::FunKind::Declared;
    script.pool.functions().filter(declared).filter_map(|fun| model.definition(fun)).collect()
}

#[test]
fn mutants_follow_from_their_seeds() {
    for options in [&[("mutants", "120")][..], &[("mutants", "60"), ("incremental", "true")]] {
        let sae = sae(options);
        for (no, text) in SEEDS.iter().enumerate() {
            for answer in [Answer::Sat, Answer::Unsat] {
                let asked = asked(text, answer);
                let mut series = sae.series(0, &asked, Choices::drawn(7, "sae", no as u64));
                let cases = std::iter::from_fn(|| series.next());
                let (wrong, known, shown) = refuted(asked[0].seed.script(), answer, cases);
                assert_eq!(wrong, 0, "{}", shown.join("\n"));
                assert!(known > 100, "{no}: only {known} models say anything");
            }
        }
    }
}

#[test]
fn without_polarity_mutants_are_refuted() {
    for options in [&[("mutants", "150")][..], &[("mutants", "60"), ("incremental", "true")]] {
        let sae = Sae { blind: true, ..sae(options) };
        let asked = asked(SEEDS[0], Answer::Sat);
        let mut mutants = sae.series(0, &asked, Choices::drawn(1, "sae", 0));
        let (wrong, ..) = refuted(asked[0].seed.script(), Answer::Sat, std::iter::from_fn(|| mutants.next()));
        assert!(wrong > 5, "{wrong}");
    }
}

#[test]
fn claims_go_from_the_answer_that_was_given() {
    let (own, seed) = (CheckRef { script: 0, check: 0 }, CheckRef { script: 1, check: 0 });
    let rows = [
        (Answer::Sat, Some(Claim::SatImplies(seed, own))),
        (Answer::Unsat, Some(Claim::SatImplies(own, seed))),
        (Answer::Unknown, None),
    ];
    for (answer, expected) in rows {
        let (sae, asked) = (sae(&[]), asked(SEEDS[0], answer));
        let case = sae.series(0, &asked, Choices::drawn(1, "sae", 0)).next();
        assert_eq!(case.as_ref().and_then(|case| case.claims.first().cloned()), expected);
        assert!(case.is_none_or(|case| case.others.len() == 1 && !case.lineage.edits.list().is_empty()));
    }
}

#[test]
fn clauses_are_the_first_case_and_their_mutants_speak_of_them() {
    let (own, other) = (CheckRef::own(0), CheckRef { script: 1, check: 0 });
    let sae = sae(&[("cnf", "true"), ("mutants", "40")]);
    for (no, text) in SEEDS.iter().enumerate() {
        for answer in [Answer::Sat, Answer::Unsat] {
            let [Asked { seed, .. }] = asked(text, answer);
            let clauses = sae.takes(&seed).expect("small");
            let asked = [Asked::agreed(Arc::clone(&clauses), vec![answer])];
            let mut series = sae.series(0, &asked, Choices::drawn(7, "sae", no as u64));
            let first = series.next().expect("the clauses");
            assert_eq!(first.claims, [Claim::SatImplies(other, own), Claim::SatImplies(own, other)]);
            assert_eq!(first.text(), clauses.script().text());
            assert_eq!(first.others[0].text(), seed.script().text());
            assert_eq!(first.lineage.seeds[..], *std::slice::from_ref(&seed.name));
            let cases: Vec<Case> = std::iter::from_fn(|| series.next()).collect();
            assert_eq!(cases.len(), 40);
            for case in &cases {
                assert_eq!(case.others[0].text(), clauses.script().text());
                assert_eq!(case.lineage.seeds[..], *std::slice::from_ref(&clauses.name));
                assert_eq!(case.claims.len(), 1, "none goes to the seed itself");
            }
            let (wrong, known, shown) = refuted(clauses.script(), answer, cases.into_iter());
            assert_eq!(wrong, 0, "{}", shown.join("\n"));
            assert!(known > 100, "{no}: only {known} models say anything");
        }
    }
    // A seed that nobody has answered is asked in clauses all the same.
    let [Asked { seed, .. }] = asked(SEEDS[0], Answer::Unknown);
    let asked = [Asked::agreed(sae.takes(&seed).expect("small"), vec![Answer::Unknown])];
    let mut series = sae.series(0, &asked, Choices::drawn(7, "sae", 0));
    assert!(series.next().is_some() && series.next().is_none());
}

#[test]
fn a_disputed_seed_is_asked_and_each_opinion_has_mutants() {
    let (own, other) = (CheckRef::own(0), CheckRef { script: 1, check: 0 });
    let [Asked { seed, .. }] = asked(SEEDS[0], Answer::Sat);
    let disputed = Asked::by_solvers(Arc::clone(&seed), &[vec![Answer::Sat], vec![Answer::Unsat]]);
    for incremental in ["", "true"] {
        let sae = sae(&[("mutants", "21"), ("incremental", incremental)]);
        let asked = [disputed.clone()];
        let mut series = sae.series(0, &asked, Choices::drawn(7, "sae", 0));
        let first = series.next().expect("the seed");
        assert_eq!(first.text(), seed.script().text());
        assert!(first.claims.is_empty() && first.lineage.edits.count() == 0 && first.others.is_empty());
        let cases: Vec<Case> = std::iter::from_fn(|| series.next()).collect();
        assert_eq!(cases.len(), 20, "the seed takes the place of a mutant");
        let (weaker, stronger): (Vec<_>, Vec<_>) =
            (cases.iter().step_by(2).cloned().collect(), cases.iter().skip(1).step_by(2).cloned().collect());
        assert!(weaker.iter().all(|case| case.claims == [Claim::SatImplies(other, own)]));
        assert!(stronger.iter().all(|case| case.claims == [Claim::SatImplies(own, other)]));
        for (answer, cases) in [(Answer::Sat, weaker), (Answer::Unsat, stronger)] {
            let (wrong, _, shown) = refuted(seed.script(), answer, cases.into_iter());
            assert_eq!(wrong, 0, "{}", shown.join("\n"));
        }
    }
    // A form of a seed is asked in any case, and nothing is asked of a strategy without turns.
    let clauses = sae(&[("cnf", "true"), ("mutants", "4")]);
    let form = clauses.takes(&seed).expect("small");
    let asked = [Asked { seed: form, opinions: disputed.opinions.clone() }];
    let mut series = clauses.series(0, &asked, Choices::drawn(7, "sae", 0));
    assert_eq!(series.next().expect("the clauses").claims.len(), 2);
    assert_eq!(std::iter::from_fn(|| series.next()).count(), 4);
    let none = sae(&[("mutants", "0")]);
    assert!(none.series(0, &[disputed], Choices::drawn(7, "sae", 0)).next().is_none());
}

#[test]
fn the_logic_is_kept() {
    let rows = [
        ("QF_LIA", "(declare-const x Int)(declare-const y Int)(assert (and (= x y) (< (* 2 x) y)))"),
        ("QF_IDL", "(declare-const x Int)(declare-const y Int)(assert (or (= x y) (< (- x y) 3)))"),
        (
            "QF_AX",
            "(declare-sort S 0)(declare-const a (Array S S))(declare-const i S)(assert (= (select a i) i))",
        ),
        ("QF_BV", "(declare-const a (_ BitVec 8))(assert (or (bvult a #x10) (= a #x11)))"),
        ("QF_S", "(declare-const s String)(assert (or (= s \"a\") (str.prefixof s \"ab\")))"),
    ];
    for (logic, body) in rows {
        let text = format!("(set-logic {logic}){body}(check-sat)");
        let (sae, asked) = (sae(&[]), asked(&text, Answer::Sat));
        let allowed = fence(asked[0].seed.script());
        let mut series = sae.series(0, &asked, Choices::drawn(1, "sae", 0));
        let mut count = 0;
        while let Some(case) = series.next() {
            count += 1;
            let again = smt::read(case.text().as_bytes()).expect("well-sorted");
            assert!(allowed.holds(Logic::of(&again)), "{logic}: {}", case.text());
            assert_eq!(again.logic(), Some(logic));
        }
        assert!(count > 20, "{logic}: {count}");
    }
}

#[test]
fn truth_is_three_valued() {
    // The harness itself: a model is read back as it was written.
    let mut script = smt::read(b"(declare-const x Int)(assert (< x 9))(check-sat)").expect("well-sorted");
    let model = model(&mut script, &mut Choices::drawn(1, "x", 1));
    assert_eq!(definitions(&script, &model).len(), 1);
    assert!(matches!(
        smt::eval(script.queries()[0].assertions[0], &model, &mut Fuel::new(99)),
        Ok(Truth::Bool(_))
    ));
}
