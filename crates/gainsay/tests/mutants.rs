//! What every strategy that makes mutants must keep: well-sorted, replayable, the same again, no duplicates.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use gainsay::case::{Answer, Case, Choices, replay};
use gainsay::seed::{Asked, Keep, Seed};
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits, Outcome, Outputs, Question, Runner};
use gainsay::strategy::{Options, Strategy, named};

const SEEDS: &[&str] = &[
    "(set-logic QF_LIA) ; linear
     (declare-const x Int)(declare-const y Int)(declare-const   p Bool)
     (assert (and p (< (+ x y 1) (* 2 y)) (=> p (>= x (- y 3)))))
     (assert (or (= x y) (distinct (- x) (ite p x y))))(check-sat)(exit)",
    "(set-logic QF_BV)(declare-const a (_ BitVec 8))(declare-fun b () (_ BitVec 8))
     (assert (bvult (bvadd a b #x0F) ((_ zero_extend 4) ((_ extract 5 2) a))))
     (assert (= (concat ((_ extract 3 0) a) ((_ extract 7 4) b)) ((_ rotate_left 3) (bvnot a))))(check-sat)",
    "(set-logic UFLIRA)(declare-sort S 0)(declare-fun f (S Int) Real)(declare-const s S)
     (define-fun g ((n Int) (r Real)) Bool (< (* 2.0 r) (f s (+ n 1))))
     (assert (forall ((n Int) (t S)) (! (=> (> n 0) (exists ((r Real)) (g n (+ r (f t n))))) :pattern ((f t n)))))
     (assert (! (let ((n (f s 1)) (m 0.5)) (<= (/ n 2.0) (- m))) :named top))(check-sat)",
    "(set-logic QF_SLIA)(declare-const s String)(declare-const t String)
     (assert (str.in_re (str.++ s t) (re.++ (re.* (str.to_re \"a\")) ((_ re.loop 1 3) (re.range \"b\" \"d\")))))
     (assert (str.< (str.replace s t \"x\") (str.substr s 0 (str.len t))))
     (assert (not (= (str.indexof s t 0) (- 1))))(check-sat)",
    "(set-logic QF_ABVFP)(declare-const f (_ FloatingPoint 8 24))(declare-const m RoundingMode)
     (declare-const a (Array (_ BitVec 4) (_ FloatingPoint 8 24)))
     (assert (fp.lt (fp.add m f (select a #x1)) (fp.mul RNE f ((_ to_fp 8 24) RNE 0.5))))
     (assert (fp.isNormal (select (store a #x2 (fp.sqrt m f)) #x3)))(check-sat)",
    "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)
     (push 1)(declare-const k Int)(assert (or ((_ is nil) l) (> (head l) k)))(check-sat)(pop 1)
     (declare-const k Bool)(assert (xor k (= l nil)))(check-sat-assuming (k))",
];

fn seeds() -> Vec<Asked> {
    let read = |(i, text): (usize, &&str)| {
        Seed::read(&format!("seed {i}"), text.as_bytes(), Keep::Bare).expect("usable")
    };
    SEEDS
        .iter()
        .enumerate()
        .map(read)
        .map(|seed| Asked::agreed(Arc::new(seed), vec![Answer::Sat; 2]))
        .collect()
}

const MUTATORS: &[&str] = &["opfuzz", "typefuzz", "sae"];

fn built(name: &str, options: &[(&str, &str)]) -> Box<dyn Strategy> {
    let entry = named(name).expect("registered");
    let given: BTreeMap<_, _> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    (entry.build)(&Options::of(entry.flags, &given)).expect("good options")
}

/// Calls `visit` with every case of some series over each seed.
fn each(name: &str, options: &[(&str, &str)], mut visit: impl FnMut(&Asked, &Case)) {
    let strategy = built(name, options);
    for (no, asked) in seeds().iter().enumerate() {
        let choices = Choices::drawn(5, name, no as u64);
        let mut series = strategy.series(no as u64, std::slice::from_ref(asked), choices);
        let mut count = 0;
        while let Some(case) = series.next() {
            visit(asked, &case);
            count += 1;
        }
        // The paper has nothing to say of floats.
        let few = options.contains(&("family", "paper"));
        assert!(count > 3 || few, "{name}: {count} mutants of {}", asked.seed.name.name);
    }
}

const OPTIONS: &[&[(&str, &str)]] = &[
    &[("chain", "120"), ("mutants", "120")],
    &[("chain", "60"), ("family", "paper"), ("int-real", "true"), ("mutants", "40"), ("incremental", "true")],
    &[("chain", "60"), ("int-real", "true"), ("mutants", "40"), ("only", "pst")],
];

#[test]
fn mutants_are_well_sorted_new_and_can_be_made_again() {
    for name in MUTATORS {
        for options in OPTIONS {
            let mut seen = HashSet::new();
            each(name, options, |asked, case| {
                let text = case.text();
                let edits = case.lineage.edits.list();
                let again = smt::read(text.as_bytes());
                assert!(again.is_ok(), "{name}: {:?}: {text}", again.err());
                assert!(again.expect("looked at").opaque.is_empty(), "{name}: {text}");
                // What is kept of the text is what the terms say.
                let mut plain = case.script.clone();
                for edit in &edits {
                    plain.commands[edit.place.command as usize].span = None;
                }
                assert_eq!(plain.text(), text, "{name}");
                let replayed = replay(asked.seed.fork(), edits.iter().copied());
                assert_eq!(replayed.refused, [], "{name}: {:?}", edits.last());
                let replayed = replayed.script.text();
                assert_eq!(replayed, text, "{name}: {:?}", edits.last());
                assert!(seen.insert(text), "{name}: a duplicate");
            });
        }
    }
}

#[test]
fn what_is_drawn_again_is_the_same_and_may_be_skipped() {
    let seeds = seeds();
    for name in MUTATORS {
        let strategy = built(name, &[("chain", "50"), ("mutants", "50")]);
        let draw = || Choices::drawn(9, name, 1);
        let mut first = strategy.series(1, &seeds[..1], draw());
        let texts: Vec<String> = std::iter::from_fn(|| first.next()).map(|case| case.text()).collect();
        assert_eq!(texts.len(), 50, "{name}");
        let mut second = strategy.series(1, &seeds[..1], draw());
        second.skip(30);
        assert_eq!(second.next().map(|case| case.text()).as_ref(), texts.get(30), "{name}");
        assert_eq!(strategy.longest(), 50);
    }
}

#[test]
fn many_variables_are_told_apart() {
    let bound = |i: usize| format!("(assert (forall ((v{i} Int)) (p v{i} v{i})))");
    let text =
        format!("(declare-fun p (Int Int) Bool){}(check-sat)", (0..300).map(bound).collect::<String>());
    let seed = Seed::read("many", text.as_bytes(), Keep::Bare).expect("usable");
    let seeds = [Asked::unasked(Arc::new(seed))];
    let strategy = built("typefuzz", &[("chain", "100")]);
    let mut made = 0;
    for no in 0..40 {
        let mut series = strategy.series(no, &seeds, Choices::drawn(3, "typefuzz", no));
        let Some(last) = std::iter::from_fn(|| series.next()).last() else { continue };
        made += 1;
        let read = smt::read(last.text().as_bytes()).expect("well-sorted");
        // A variable out of its scope would not be understood.
        assert!(read.opaque.is_empty(), "{}", last.text());
    }
    assert!(made >= 10, "{made}");
}

#[test]
fn edits_that_no_longer_apply_are_told() {
    for name in MUTATORS {
        each(name, &[("chain", "40"), ("mutants", "40")], |asked, case| {
            let edits = case.lineage.edits.list();
            // Every second edit: others may have lost their place, but what comes out is well-sorted.
            let half = replay(asked.seed.fork(), edits.iter().copied().step_by(2));
            let text = half.script.text();
            assert!(smt::read(text.as_bytes()).is_ok(), "{name}: {text}");
            assert!(half.refused.iter().all(|(number, _)| number * 2 < edits.len()));
        });
    }
}

#[test]
fn solvers_take_the_mutants() {
    let names = ["z3@5.4.0", "cvc5@1.4.2"];
    let Some(solvers) = require(&names) else { return };
    let limits = Limits { wall: std::time::Duration::from_secs(1), ..Limits::default() };
    let mut runner = Runner::new(limits);
    let speakers = names.join(",");
    for name in MUTATORS {
        let mut refused = Vec::new();
        let mut asked = 0;
        each(name, &[("chain", "300"), ("mutants", "60"), ("speakers", &speakers)], |_, case| {
            asked += 1;
            // One of fifteen: the changes of those between are still there.
            if asked % 15 > 0 {
                return;
            }
            let text = case.text();
            for solver in &solvers {
                let question = Question { script: &text, ask: Outputs::default() };
                let run = runner.ask(solver, question, AskMode::Fresh).expect("the machine works");
                if run.outcome() == Outcome::Rejected {
                    refused.push(format!("{}: {:?}\n{text}", solver.name, run.reply));
                }
            }
        });
        assert!(refused.is_empty(), "{name}: {} of {asked}: {}", refused.len(), refused[0]);
    }
}
