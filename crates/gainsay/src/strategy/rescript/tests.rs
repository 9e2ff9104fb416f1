//! Sessions keep the meaning: each check has exactly a part in scope, whatever the forms.

use std::collections::BTreeMap;

use smt::{Decision, Head};

use super::*;
use crate::seed::{Keep, builtin};

const SEED: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-fun p () Bool)
    (define-fun f ((y (_ BitVec 3))) Bool (bvult y #b101))
    (assert (f x))(assert (=> p (bvugt x #b010)))(assert (! p :named a))(assert (distinct x #b011 #b100))(check-sat)";
const OTHER: &str =
    "(set-logic QF_LIA)(declare-const x Int)(declare-datatypes ((L 0)) (((nil) (cons (head Int)))))
    (declare-const l L)(assert (= x 2))(assert (and (is-cons l) (= (head l) x)))(check-sat)";

fn strategy(forms: &str) -> Rescript {
    let flags = BTreeMap::from([("forms".to_owned(), forms.to_owned())]);
    Rescript::of(&Options::of(ENTRY.flags, &flags)).expect("known forms")
}

fn asked(texts: [&str; 2]) -> Vec<Asked> {
    let seed = |text: &str| {
        Asked::unasked(Arc::new(Seed::read("small", text.as_bytes(), Keep::Bare).expect("usable")))
    };
    texts.map(seed).to_vec()
}

fn sessions(forms: &str, texts: [&str; 2], draw: u64) -> Vec<Case> {
    let (strategy, seeds) = (strategy(forms), asked(texts));
    let mut series = strategy.series(0, &seeds, Choices::drawn(draw, ENTRY.name, 0));
    std::iter::from_fn(|| series.next()).collect()
}

/// Whether a check has a model, by trying everything.
fn is_sat(script: &Script, check: usize) -> Option<bool> {
    match smt::decide(script, &script.queries()[check], 100_000, &mut |_| {}) {
        Decision::Sat(_) => Some(true),
        Decision::Unsat { .. } => Some(false),
        _ => None,
    }
}

#[test]
fn every_check_has_the_answer_of_its_part() {
    let (mut compared, mut unsat) = (0, 0);
    for (draw, form) in SessionForm::ALL.iter().map(|form| form.word()).chain(["all"; 8]).enumerate() {
        for case in sessions(form, [SEED, OTHER], draw as u64) {
            for claim in &case.claims {
                let Claim::Same(own, part) = claim else { panic!("{claim:?}") };
                let form = case.script_of(*part).expect("a part");
                let (here, alone) = (is_sat(&case.script, own.check), is_sat(form, part.check));
                assert!(here.is_some() && here == alone, "{claim:?}\n{}\n{}", case.text(), form.text());
                compared += 1;
                unsat += usize::from(alone == Some(false));
            }
        }
    }
    assert!(compared > 2000 && unsat > 200, "{compared} {unsat}");
}

/// What a seed asks for besides its checks is no part of the sessions.
#[test]
fn commands_of_a_seed_that_only_ask_are_left_out() {
    let text = "(declare-const p Bool)(assert p)(check-sat)(get-value (p))(simplify p)(echo \"sat\")(assert (not p))(check-sat)(get-model)";
    let seed = Seed::read("asks", text.as_bytes(), Keep::Commands(|_, _| true)).expect("usable");
    let seeds = [Asked::unasked(Arc::new(seed))];
    let strategy = strategy("levels");
    let mut series = strategy.series(0, &seeds, Choices::drawn(1, ENTRY.name, 0));
    let case = series.next().expect("a session");
    for text in std::iter::once(case.text()).chain(case.others.iter().map(|other| other.text())) {
        assert!(!["get-", "simplify", "echo"].iter().any(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn every_form_is_used_and_named() {
    for form in SessionForm::ALL {
        let cases = sessions(&format!("levels,{form}"), [SEED, OTHER], 3);
        let has = |case: &&Case| case.lineage.forms.contains(form);
        let case = cases.iter().find(has).unwrap_or_else(|| panic!("no session has {form}"));
        let word = match form {
            SessionForm::Levels | SessionForm::Order => "(push 1)",
            SessionForm::Guards => "(check-sat-assuming (guard!",
            SessionForm::Foreign => "(assert (= other!x 2))",
            SessionForm::Local => "(push 1)\n(declare-",
            SessionForm::Global => "(set-option :global-declarations true)",
            SessionForm::Again => "(check-sat)\n(check-sat)",
            SessionForm::Values => "(get-value (x p))",
            SessionForm::Unused => "(define-fun unused!0 () Bool",
            SessionForm::Reset => "(reset-assertions)",
            SessionForm::Named => ":named named!",
            SessionForm::Options => "(set-option :print-success false)",
            SessionForm::Models => "(get-model)",
            SessionForm::Assignment => "(get-assignment)",
            SessionForm::Assumptions => "(get-unsat-assumptions)",
            SessionForm::Information => "(get-info :all-statistics)",
            SessionForm::Proofs => "(set-option :produce-proofs true)",
        };
        assert!(case.text().contains(word), "{form}: {}", case.text());
        let others = ["guard!", "other!", "unused!", "named!"].map(|name| case.text().contains(name));
        let own = [
            &[SessionForm::Guards, SessionForm::Assumptions][..],
            &[SessionForm::Foreign],
            &[SessionForm::Unused],
            &[SessionForm::Named, SessionForm::Assignment],
        ];
        assert_eq!(others, own.map(|forms| forms.contains(form)), "{form}: {}", case.text());
    }
    assert_eq!(FORMS.iter().map(|(form, _)| *form).collect::<Vec<_>>(), SessionForm::ALL);
    let flags = BTreeMap::from([("forms".to_owned(), "level".to_owned())]);
    let error = Rescript::of(&Options::of(ENTRY.flags, &flags)).err().expect("unknown").to_string();
    assert!(error.contains("levels      assertions are spread over levels"), "{error}");
}

#[test]
fn a_logic_holds_both_seeds() {
    let logic = |own: &str, foreign: &str| {
        let seeds = asked([own, foreign]);
        let own = Material::of(seeds[0].seed.script(), 0).expect("usable");
        let foreign = own.beside(seeds[1].seed.script(), 0).expect("usable");
        common_logic(&own, &foreign)
    };
    let lra = "(set-logic QF_LRA)(declare-const r Real)(assert (< r 1))";
    let none = "(declare-const r Real)(assert (< r 1.0))";
    let rows = [
        (SEED, SEED, Ok(Some("QF_BV"))),
        (SEED, OTHER, Ok(Some("ALL"))),
        (OTHER, SEED, Ok(Some("ALL"))),
        (lra, lra, Ok(Some("QF_LRA"))),
        // A numeral is a Real in the one and an Int in the other.
        (lra, OTHER, Err(NoCommonLogic)),
        (SEED, lra, Err(NoCommonLogic)),
        (none, OTHER, Ok(None)),
    ];
    for (own, foreign, expected) in rows {
        assert_eq!(logic(own, foreign), expected.map(|name| name.map(str::to_owned)), "{own} {foreign}");
    }
}

#[test]
fn what_cannot_be_taken_apart_makes_no_session() {
    let rows = [
        ("(declare-const p Bool)(assert p)", true),
        ("(declare-const p Bool)(assert (! p :named a))(assert (not a))", false),
        ("(declare-const p Bool)(assert (not (! p :named a)))", false),
        ("(declare-const guard!0 Bool)(assert guard!0)", false),
        ("(nonsense)(assert true)", false),
        ("(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)", true),
    ];
    for (text, expected) in rows {
        assert_eq!(!sessions("all", [text, OTHER], 1).is_empty(), expected, "{text}");
    }
}

#[test]
fn the_built_in_seeds_make_sessions_that_are_understood() {
    let seeds: Vec<_> = builtin::scripts().map(|(_, text)| text).collect();
    let (mut made, mut mixed) = (0, 0);
    for (i, pair) in seeds.windows(2).enumerate().step_by(3) {
        for case in sessions("all", [pair[0], pair[1]], i as u64).iter().take(12) {
            let opaque =
                |script: &Script| script.pool.all_terms().any(|t| script.pool.node(t).head == Head::Opaque);
            assert!(
                case.others.iter().any(|other| opaque(other)) || !opaque(&case.script),
                "{}",
                case.text()
            );
            made += 1;
            mixed += usize::from(case.lineage.seeds.len() > 1);
        }
    }
    assert!(made > 100 && mixed > 5, "{made} {mixed}");
}
