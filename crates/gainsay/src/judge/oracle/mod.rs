//! Oracles: from a trial to a judgement, with evidence. They cannot start solvers; they ask the engine to.
//!
//! An oracle is a type that implements [`Oracle`], with an [`Entry`] in [`ORACLES`]. Its `step` is called again and again: each
//! time it reads the answers that it was told, and either wants more or judges.
//!
//! ```
//! use gainsay::case::{Answer, Case, Lineage};
//! use gainsay::judge::oracle::Oracle;
//! use gainsay::judge::probe::{Judgement, Probe, Questions, Step, Told};
//! use gainsay::judge::{Complaint, Evidence, Fault, Trial, answer_of};
//! use gainsay::solver::Solver;
//!
//! /// Complains of a solver that says unknown to what it answers in a fresh process.
//! struct Forgetful;
//!
//! impl Oracle for Forgetful {
//!     fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
//!         let mut questions = Questions::new(told);
//!         let mut complaints = Vec::new();
//!         for (solver, answer) in trial.answers(0).filter(|(_, answer)| *answer == Answer::Unknown) {
//!             // None: the question is open. It is asked, and `step` is called again.
//!             let Some(run) = questions.ask(Probe::new(solver, trial.text.to_owned())) else { continue };
//!             if answer_of(run).is_some_and(|again| again != Answer::Unknown) {
//!                 let by = trial.solver(solver).name.clone();
//!                 let evidence = vec![Evidence::Answered { by, check: 0, answer }];
//!                 let (against, check) = (Some(solver), Some(0));
//!                 complaints.push(Complaint { fault: Fault::Unknown, against, check, evidence });
//!             }
//!         }
//!         questions.or_judge(complaints, None)
//!     }
//! }
//!
//! // A trial in which nobody was asked is clean.
//! let script = smt::read(b"(assert true)(check-sat)").expect("well-sorted");
//! let case = Case { script, others: Vec::new(), claims: Vec::new(), lineage: Lineage::default() };
//! let (text, solvers) = (case.text(), [Solver::fake("unknown")]);
//! let trial = Trial::new(&case, &text, &solvers, vec![None]);
//! assert!(matches!(Forgetful.step(&trial, &Told::default()), Step::Judge(Judgement::Clean)));
//! ```

mod assignment;
mod assumptions;
mod audited;
mod choose;
mod constructed;
mod core;
mod crash;
mod differential;
mod implication;
mod incompleteness;
mod information;
mod metamorphic;
mod model;
mod nondeterminism;
mod otherwise;
mod outputs;
mod performance;
mod rejection;
mod rewriting;
mod second_model;
mod self_check;
mod session;
mod two_answers;
mod value;

use super::kind::Kind;
use super::probe::{Step, Told};
use super::trial::Trial;

pub use choose::{choose, usual_and};
pub use implication::wholes;

/// What judges a trial. Given the same trial and the same answers to its questions it says the same.
pub trait Oracle: Send + Sync {
    /// Says what it needs to know, given what it has been told so far, or judges.
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step;
}

/// An oracle that can be chosen.
pub struct Entry {
    /// Its name after `--oracles`.
    pub name: &'static str,
    /// What it looks for, in a line.
    pub about: &'static str,
    /// What kinds of things it complains of.
    pub kinds: &'static [Kind],
    /// Whether it compares the answers of several solvers, so that a run of the accused alone shows nothing.
    pub compares: bool,
    /// Whether it judges when no oracle is named.
    pub usual: bool,
    /// The oracle.
    pub oracle: &'static dyn Oracle,
}

/// All oracles, the surest first.
pub static ORACLES: &[Entry] = &[
    Entry {
        name: "crash",
        about: "a signal, an assertion failure, a sanitizer's complaint",
        kinds: &[Kind::Crash],
        compares: false,
        usual: true,
        oracle: &crash::Crash,
    },
    Entry {
        name: "self-check",
        about: "the solver's own check refutes its model, core or proof",
        kinds: &[Kind::SelfCheck],
        compares: false,
        usual: true,
        oracle: &self_check::SelfCheck,
    },
    Entry {
        name: "model",
        about: "a model that makes an assertion false under our evaluation",
        kinds: &[Kind::Soundness, Kind::WrongModel, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &model::Model,
    },
    Entry {
        name: "constructed",
        about: "an answer against what is known by construction",
        kinds: &[Kind::Soundness, Kind::Disagreement, Kind::Unconfirmed],
        compares: true,
        usual: true,
        oracle: &constructed::Constructed,
    },
    Entry {
        name: "metamorphic",
        about: "answers to two scripts that cannot both be right",
        kinds: &[Kind::Soundness, Kind::Disagreement, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &metamorphic::Metamorphic,
    },
    Entry {
        name: "outputs",
        about: "an answer that is another where output or proofs are asked for",
        kinds: &[Kind::Soundness],
        compares: false,
        usual: true,
        oracle: &outputs::Outputs,
    },
    Entry {
        name: "session",
        about: "an answer in a session against the answer to the same assertions alone, or to another check",
        kinds: &[Kind::Soundness],
        compares: false,
        usual: true,
        oracle: &session::Session,
    },
    Entry {
        name: "differential",
        about: "sat against unsat on the same check, decided by evidence",
        kinds: &[Kind::Soundness, Kind::WrongModel, Kind::Disagreement, Kind::Unconfirmed],
        compares: true,
        usual: true,
        oracle: &differential::Differential,
    },
    Entry {
        name: "core",
        about: "an unsatisfiable core that is satisfiable, or larger than claimed",
        kinds: &[Kind::WrongCore, Kind::Imprecision, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &core::Core,
    },
    Entry {
        name: "assumptions",
        about: "assumptions after unsat that do not suffice, or are none of the check",
        kinds: &[Kind::WrongCore, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &assumptions::Assumptions,
    },
    Entry {
        name: "value",
        about: "a value that is not that of the model, or two values of one term",
        kinds: &[Kind::WrongOutput, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &value::Value,
    },
    Entry {
        name: "second-model",
        about: "two models of one check with different values",
        kinds: &[Kind::WrongOutput, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &second_model::SecondModel,
    },
    Entry {
        name: "assignment",
        about: "the truth value of a named term that is not that of the model",
        kinds: &[Kind::WrongOutput, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &assignment::Assignment,
    },
    Entry {
        name: "information",
        about: "information about a check that cannot be read",
        kinds: &[Kind::WrongOutput],
        compares: false,
        usual: true,
        oracle: &information::Information,
    },
    Entry {
        name: "rewriting",
        about: "a simplified term, or goals of a tactic, that differ at a point",
        kinds: &[Kind::WrongRewriting, Kind::Unconfirmed],
        compares: false,
        usual: true,
        oracle: &rewriting::Rewriting,
    },
    Entry {
        name: "rejection",
        about: "a standard script refused that the table says the solver reads",
        kinds: &[Kind::Rejection],
        compares: false,
        usual: false,
        oracle: &rejection::Rejection,
    },
    Entry {
        name: "performance",
        about: "a time-out where another answers in a tenth of the time, or the answer is known",
        kinds: &[Kind::Performance],
        compares: true,
        usual: false,
        oracle: &performance::Performance,
    },
    Entry {
        name: "incompleteness",
        about: "unknown where the answer is known",
        kinds: &[Kind::Incompleteness],
        compares: true,
        usual: false,
        oracle: &incompleteness::Incompleteness,
    },
    Entry {
        name: "nondeterminism",
        about: "another answer with another random number, or with the same",
        kinds: &[Kind::Nondeterminism],
        compares: false,
        usual: false,
        oracle: &nondeterminism::Nondeterminism,
    },
];

/// The oracle of that name.
pub fn named(name: &str) -> Option<&'static Entry> {
    ORACLES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests;
