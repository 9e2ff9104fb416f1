//! One fault and one piece of evidence of each kind, for tests that hold for all of them.

use serde_json::Value;

use super::{SCRIPT, WHOM, id, text};
use crate::case::{Answer, Approximation, CheckRef, Claim, Direction};
use crate::judge::{
    Answered, Asked, Attempt, CheckedBy, CrashSite, Doubt, Evidence, Fault, Foreign, Heard, KnownUnsat,
    Output, Rewriter, Rewriting, SearchEnd, SecondVoice, SelfContradiction, Suspicion,
};
use crate::solver::{Ending, ProofEnd, SolverId};

/// A second voice, as a store has it.
fn voice(json: Value) -> SecondVoice {
    serde_json::from_value(json).expect("a voice")
}

pub(super) fn accused() -> SecondVoice {
    voice(serde_json::json!({ "type": "accused" }))
}

pub(super) fn other() -> SecondVoice {
    voice(serde_json::json!({ "type": "other", "by": "cvc5" }))
}

/// One fault of each variant, and of each site of a crash.
pub(super) fn faults() -> Vec<Fault> {
    let sites = [
        CrashSite::Line { file: text("/a/src/b.cpp"), line: 3 },
        CrashSite::File { file: text("src/b.cpp") },
        CrashSite::Message { text: text("x > 0") },
        CrashSite::Signal { number: 11 },
        CrashSite::Exit { status: 114 },
        CrashSite::Unknown,
    ];
    let mut all: Vec<Fault> = sites.into_iter().map(|site| Fault::Crash { site }).collect();
    let answers = vec![Answered { by: id(WHOM), answer: Answer::Sat }];
    let (first, second) = (Answer::Sat, Answer::Unsat);
    all.extend([
        Fault::WrongUnsat { voice: accused() },
        Fault::WrongSat { known: KnownUnsat::ByConstruction, voice: other() },
        Fault::WrongSat { known: KnownUnsat::ByExhaustion, voice: other() },
        Fault::WrongSat { known: KnownUnsat::WithValues, voice: other() },
        Fault::WrongSat { known: KnownUnsat::ByProof, voice: other() },
        Fault::Unconfirmed { suspect: id(WHOM), of: Suspicion::RefutedByProof },
        Fault::ContradictsItself { how: SelfContradiction::Part },
        Fault::ContradictsItself { how: SelfContradiction::Halves },
        Fault::ContradictsItself { how: SelfContradiction::More },
        Fault::ContradictsItself { how: SelfContradiction::Equivalent },
        Fault::ContradictsItself { how: SelfContradiction::Session },
        Fault::ContradictsItself { how: SelfContradiction::Checks },
        Fault::Unconfirmed { suspect: id(WHOM), of: Suspicion::WrongSat },
        Fault::Contradiction { by: id(WHOM), voice: Some(SecondVoice::example()) },
        Fault::Contradiction { by: id(WHOM), voice: None },
        Fault::SeedDenied { by: id(WHOM), voice: None },
        Fault::SeedDenied { by: id(WHOM), voice: Some(accused()) },
        Fault::WrongModel { voice: other() },
        Fault::WrongCore { voice: accused() },
        Fault::WrongAssumptions { voice: other() },
        Fault::ForeignAssumption { printed: text("(not p)") },
        Fault::WrongOutput { of: Output::Value, voice: accused() },
        Fault::WrongOutput { of: Output::SecondValue, voice: accused() },
        Fault::WrongOutput { of: Output::SecondModel, voice: other() },
        Fault::WrongOutput { of: Output::Assignment, voice: other() },
        Fault::Malformed { command: text("(get-info :all-statistics)") },
        Fault::WrongRewriting { by: Rewriter::Simplify, voice: accused() },
        Fault::WrongRewriting { by: Rewriter::Tactic(text("nnf")), voice: other() },
        Fault::ContradictsItself { how: SelfContradiction::Outputs },
        Fault::ContradictsItself { how: SelfContradiction::Proofs },
        Fault::Unconfirmed { suspect: id(WHOM), of: Suspicion::WrongOutput },
        Fault::Unconfirmed { suspect: id(WHOM), of: Suspicion::WrongAssumptions },
        Fault::Unconfirmed { suspect: id(WHOM), of: Suspicion::WrongRewriting },
        Fault::LargeCore { names: 3, minimal: 2 },
        Fault::SelfCheck { message: text("an invalid model was generated") },
        Fault::Disagreement { answers },
        Fault::Nondeterminism { first, second, asked: Asked::WithSeed { number: 42 } },
        Fault::Slow { than: id("cvc5"), milliseconds: 3 },
        Fault::TimedOut { asked: None },
        Fault::TimedOut { asked: Some(Asked::Equivalent) },
        Fault::Unknown,
        Fault::Refused { message: text("line 1: unknown constant") },
    ]);
    all
}

/// The fake solver that most evidence is of.
fn by() -> SolverId {
    id(WHOM)
}

/// Each question.
fn questions() -> Vec<Asked> {
    let rule = Approximation { name: "CORE-p-U4".into(), direction: Direction::Under };
    vec![
        Asked::Step { rule: rule.clone() },
        Asked::Polarity { rule },
        Asked::Whole,
        Asked::AfterEdits { done: 1, of: 2 },
        Asked::WithSeed { number: 1 },
        Asked::Again,
        Asked::Part { kept: 1, of: 2 },
        Asked::With { conditions: vec![text("(= x 0)")] },
        Asked::Equivalent,
        Asked::Equivalence,
        Asked::OneShot { check: 1 },
        Asked::Plain { proofs: false },
        Asked::Plain { proofs: true },
        Asked::Rewritten { rule: text("beta") },
    ]
}

/// Each attempt to decide who is wrong, with each way that it can end.
fn attempts() -> Vec<Attempt> {
    vec![
        Attempt::Models { read: 1 },
        Attempt::Values { heard: 1 },
        Attempt::WithValues { asked: 3 },
        Attempt::Proof { provers: 0 },
        Attempt::Proof { provers: 2 },
        Attempt::Search { end: SearchEnd::Infinite { symbol: text("x") } },
        Attempt::Search { end: SearchEnd::OverBudget { assignments: 9 } },
        Attempt::Search { end: SearchEnd::Open },
        Attempt::Less { parts: 1 },
        Attempt::Split { conditions: 1 },
        Attempt::Equivalent { steps: 0 },
        Attempt::Equivalent { steps: 3 },
    ]
}

/// Each doubt, with each way in which a script is foreign to a solver.
fn doubts() -> Vec<Doubt> {
    let foreign = [
        Foreign::Operator { name: text("set.member") },
        Foreign::ManyArguments { name: text("bvxnor") },
        Foreign::OlderThanStandard { name: text("re.loop") },
        Foreign::EightBitCharacters,
        Foreign::FixesWhatIsOpen { name: text("div") },
        Foreign::Escapes,
        Foreign::NotUnderstood,
    ];
    let mut all: Vec<Doubt> = foreign.into_iter().map(|why| Doubt::Foreign { to: by(), why }).collect();
    all.extend([
        Doubt::NoSuchCharacters { of: by() },
        Doubt::AlsoSat { by: by() },
        Doubt::SameOfNegation { by: by(), answer: Answer::Unsat },
        Doubt::BothInsist { by: by(), accused: by() },
        Doubt::NoModelOfConstruction,
        Doubt::NoOtherUnsat,
        Doubt::NoModel,
        Doubt::NotShownToFollow,
    ]);
    all
}

/// A value that a solver printed and that contradicts what else it printed.
fn printed(of: Output) -> Evidence {
    let (term, printed, expected, model) = (text("x"), text("1"), text("2"), text("()"));
    Evidence::PrintedValue { check: 0, of, term, printed, expected, model }
}

/// Each kind of evidence that our evaluator gives.
fn evaluated() -> Vec<Evidence> {
    vec![
        Evidence::Satisfied { by: Some(by()), check: 0, model: text("()") },
        Evidence::Satisfied { by: None, check: 0, model: text("()") },
        Evidence::SatisfiedCore { core: vec![text("A")], script: text(SCRIPT), by: by(), model: text("()") },
        Evidence::Falsified { check: 0, model: text("()"), heard: Vec::new(), assertion: text("false") },
        Evidence::Falsified {
            check: 0,
            model: text("((define-fun x () Int 0))"),
            heard: vec![Heard { term: text("(div x 0)"), value: text("1") }],
            assertion: text("false"),
        },
        Evidence::SatisfiedOther { script: 1, check: 0, by: Some(by()), model: text("()") },
        Evidence::FalseWith { check: 0, values: text("((define-fun x () Int 0))"), assertion: text("false") },
        Evidence::Exhausted { check: 0, assignments: 7 },
        Evidence::NoCounterexample { about: Asked::Whole, assignments: 7 },
        Evidence::SatisfiedAssumptions {
            assumptions: vec![text("p")],
            script: text(SCRIPT),
            by: by(),
            model: text("()"),
        },
        printed(Output::Value),
        printed(Output::SecondValue),
        printed(Output::SecondModel),
        printed(Output::Assignment),
        Evidence::Differ {
            rewriter: Rewriter::Simplify,
            term: text("(+ x 0)"),
            into: text("0"),
            point: text("(define-fun x () Int 1)"),
            values: [text("1"), text("0")],
        },
        Evidence::TwoValues { term: text("(div x 0)"), values: [text("1"), text("2")] },
        Evidence::Rewritten { steps: vec![Rewriting { rule: text("beta"), old: text("a"), new: text("b") }] },
    ]
}

/// Each kind of evidence that solvers give and that has no variants of its own.
fn told() -> Vec<Evidence> {
    vec![
        Evidence::Pinned { by: by(), script: text(SCRIPT), answer: None },
        Evidence::Claimed { claim: Claim::SatImplies(CheckRef::own(0), CheckRef { script: 1, check: 0 }) },
        Evidence::Answered { by: by(), check: 0, answer: Answer::Unknown },
        Evidence::Turned { edits: vec![0] },
        Evidence::Printed { by: by(), text: text("no") },
        Evidence::Ended { by: by(), ending: Ending::Killed(11), text: String::new() },
        Evidence::Timed { by: by(), milliseconds: vec![1, 2], on: text("a machine") },
    ]
}

/// A proof with each end of each kind of checker.
fn proofs() -> Vec<Evidence> {
    let program = || CheckedBy::Program { name: text("carcara") };
    let ends = [
        (CheckedBy::Prover, ProofEnd::Accepted),
        (CheckedBy::Prover, ProofEnd::Missing),
        (program(), ProofEnd::Accepted),
        (program(), ProofEnd::Gaps),
        (program(), ProofEnd::Rejected),
        (program(), ProofEnd::Missing),
    ];
    let proof = |(checker, end)| Evidence::Proof {
        by: by(),
        options: vec![text("--check-proofs")],
        script: text(SCRIPT),
        checker,
        end,
    };
    ends.into_iter().map(proof).collect()
}

/// One piece of evidence of each variant, with each question and each doubt.
pub(super) fn evidence() -> Vec<Evidence> {
    let ask = |about| Evidence::Asked { by: by(), about, script: text(SCRIPT), answer: Some(Answer::Unsat) };
    let mut all = [evaluated(), told(), proofs()].concat();
    all.extend(questions().into_iter().map(ask));
    all.extend(attempts().into_iter().map(|attempt| Evidence::Tried { attempt }));
    all.extend(doubts().into_iter().map(|why| Evidence::Undecided { why }));
    all
}
