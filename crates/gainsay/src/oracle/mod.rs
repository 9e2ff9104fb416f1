//! Oracles: from a trial to a judgement, with evidence. They cannot start solvers; they ask the engine to.

mod complaint;
mod constructed;
mod context;
mod core;
mod crash;
mod differential;
mod evidence;
mod incompleteness;
mod language;
mod metamorphic;
mod model;
mod nondeterminism;
mod performance;
mod pinned;
mod rejection;
mod self_check;
mod steps;

pub use complaint::{Complaint, Evidence, Kind};
pub use crash::is_mere_ending;
pub use evidence::read_model;
pub use language::{about, may_read, operators, reads, speaks, telling, theories};
pub use metamorphic::wholes;
pub use rejection::without_places;
pub use steps::{Audit, replayed, steps};

use crate::trial::{Run, Trial, Wish};

/// A question to one solver that an oracle needs answered, always in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What to ask.
    pub script: String,
    /// Whom: the number of a solver of the trial.
    pub whom: usize,
    /// What to ask besides answers.
    pub wish: Wish,
    /// Which random number it is given, if any.
    pub seed: Option<u64>,
    /// Whether it runs while nothing else does.
    pub alone: bool,
    /// Whether it is given four times the memory and a large stack.
    pub roomy: bool,
    /// Which of several equal questions it is.
    pub repeat: u32,
}

impl Probe {
    /// A plain question.
    pub fn new(whom: usize, script: String) -> Probe {
        let wish = Wish::default();
        Probe { script, whom, wish, seed: None, alone: false, roomy: false, repeat: 0 }
    }

    /// The same, with the model of a sat.
    #[must_use]
    pub fn with_model(mut self) -> Probe {
        self.wish.model = true;
        self
    }
}

/// A question and what came of it.
#[derive(Debug)]
pub struct Probed {
    /// The question.
    pub probe: Probe,
    /// What came of it.
    pub run: Run,
}

/// What an oracle does next.
#[derive(Debug)]
pub enum Step {
    /// It needs these questions answered first.
    Ask(Vec<Probe>),
    /// It has judged.
    Judge(Judgement),
}

/// What an oracle says of a trial.
#[derive(Debug)]
pub enum Judgement {
    /// Nothing is wrong.
    Clean,
    /// It cannot say, and why.
    Abstain(String),
    /// Something is wrong.
    Complain(Vec<Complaint>),
}

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
        usual: true,
        oracle: &crash::Crash,
    },
    Entry {
        name: "self-check",
        about: "the solver's own check refutes its model, core or proof",
        kinds: &[Kind::SelfCheck],
        usual: true,
        oracle: &self_check::SelfCheck,
    },
    Entry {
        name: "model",
        about: "a model that makes an assertion false under our evaluation",
        kinds: &[Kind::Soundness, Kind::WrongModel],
        usual: true,
        oracle: &model::Model,
    },
    Entry {
        name: "constructed",
        about: "an answer against what is known by construction",
        kinds: &[Kind::Soundness, Kind::Disagreement],
        usual: true,
        oracle: &constructed::Constructed,
    },
    Entry {
        name: "metamorphic",
        about: "answers to two scripts that cannot both be right",
        kinds: &[Kind::Soundness, Kind::Disagreement],
        usual: true,
        oracle: &metamorphic::Metamorphic,
    },
    Entry {
        name: "differential",
        about: "sat against unsat on the same check, decided by evidence",
        kinds: &[Kind::Soundness, Kind::Disagreement],
        usual: true,
        oracle: &differential::Differential,
    },
    Entry {
        name: "core",
        about: "an unsatisfiable core that is satisfiable, or larger than claimed",
        kinds: &[Kind::WrongCore, Kind::Imprecision],
        usual: true,
        oracle: &core::Core,
    },
    Entry {
        name: "rejection",
        about: "a standard script refused that the table says the solver reads",
        kinds: &[Kind::Rejection],
        usual: false,
        oracle: &rejection::Rejection,
    },
    Entry {
        name: "performance",
        about: "a time-out where another answers in a tenth of the time",
        kinds: &[Kind::Performance],
        usual: false,
        oracle: &performance::Performance,
    },
    Entry {
        name: "incompleteness",
        about: "unknown where the answer is known",
        kinds: &[Kind::Incompleteness],
        usual: false,
        oracle: &incompleteness::Incompleteness,
    },
    Entry {
        name: "nondeterminism",
        about: "another answer with another random number, or with the same",
        kinds: &[Kind::Nondeterminism],
        usual: false,
        oracle: &nondeterminism::Nondeterminism,
    },
];

/// The oracle of that name.
pub fn named(name: &str) -> Option<&'static Entry> {
    ORACLES.iter().find(|entry| entry.name == name)
}

/// What was asked so far; collects what else is needed.
#[derive(Default)]
pub struct Told<'a> {
    /// Questions and what came of them.
    pub probed: &'a [Probed],
}

/// Questions of one step: those that were answered can be read, the others are collected.
struct Questions<'a> {
    told: &'a Told<'a>,
    open: Vec<Probe>,
}

impl<'a> Questions<'a> {
    fn new(told: &'a Told<'a>) -> Questions<'a> {
        Questions { told, open: Vec::new() }
    }

    /// What came of a question; none if it has yet to be asked.
    fn ask(&mut self, probe: Probe) -> Option<&'a Run> {
        if let Some(found) = self.told.probed.iter().find(|p| p.probe == probe) {
            return Some(&found.run);
        }
        if !self.open.contains(&probe) {
            self.open.push(probe);
        }
        None
    }

    /// The step, if nothing is left to ask.
    fn or_judge(self, complaints: Vec<Complaint>, abstained: Option<String>) -> Step {
        if !self.open.is_empty() {
            return Step::Ask(self.open);
        }
        Step::Judge(match (complaints.is_empty(), abstained) {
            (false, _) => Judgement::Complain(complaints),
            (true, Some(why)) => Judgement::Abstain(why),
            (true, None) => Judgement::Clean,
        })
    }
}

#[cfg(test)]
mod tests;
