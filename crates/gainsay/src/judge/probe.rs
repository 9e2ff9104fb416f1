//! What an oracle may do: ask for more runs, or judge.

use std::time::Duration;

use super::complaint::Complaint;
use super::doubt::Abstention;
use super::proof::{ProofChecked, ProofQuestion};
use crate::solver::{Outputs, ProofEnd, Run};

/// A question to one solver that an oracle needs answered, always in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What to ask.
    pub script: String,
    /// Whom: the number of a solver of the trial.
    pub whom: usize,
    /// What to ask besides answers.
    pub outputs: Outputs,
    /// Which random number it is given, if any.
    pub seed: Option<u64>,
    /// Options that it is given besides its own.
    pub options: Vec<String>,
    /// Whether it runs while nothing else does.
    pub alone: bool,
    /// Whether it is given four times the memory and a large stack.
    pub roomy: bool,
    /// Which of several equal questions it is.
    pub repeat: u32,
    /// The time that it is worth, if that is less than the limits allow.
    pub within: Option<Duration>,
}

/// A question like one that took so long may take so many times as long.
const LIKE_ANOTHER: u32 = 4;
/// The time that a question may take beyond that: a process of its own has to start.
const START: Duration = Duration::from_millis(500);

impl Probe {
    /// A plain question.
    pub fn new(whom: usize, script: String) -> Probe {
        let outputs = Outputs::default();
        let options = Vec::new();
        let (seed, alone, roomy, repeat, within) = (None, false, false, 0, None);
        Probe { script, whom, outputs, seed, options, alone, roomy, repeat, within }
    }

    /// The same, with about as much time as another question took that is as hard.
    #[must_use]
    pub fn like(mut self, run: &Run) -> Probe {
        self.within = Some(run.wall * LIKE_ANOTHER + START);
        self
    }

    /// The same, with the model of a sat.
    #[must_use]
    pub fn with_model(mut self) -> Probe {
        self.outputs.model = true;
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
    Ask(Wanted),
    /// It has judged.
    Judge(Judgement),
}

/// Questions that an oracle needs answered.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Questions to solvers.
    pub probes: Vec<Probe>,
    /// Proofs that are to be checked.
    pub proofs: Vec<ProofQuestion>,
}

impl Wanted {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty() && self.proofs.is_empty()
    }
}

/// What an oracle says of a trial.
#[derive(Debug)]
pub enum Judgement {
    /// Nothing is wrong.
    Clean,
    /// It cannot say, and why.
    Abstain(Abstention),
    /// Something is wrong.
    Complain(Vec<Complaint>),
}

/// What was asked so far; collects what else is needed.
#[derive(Default)]
pub struct Told<'a> {
    /// Questions and what came of them.
    pub probed: &'a [Probed],
    /// Proofs and what their checkers say.
    pub proofs: &'a [ProofChecked],
}

/// Questions of one step: those that were answered can be read, the others are collected.
pub struct Questions<'a> {
    told: &'a Told<'a>,
    pub(super) open: Wanted,
}

impl<'a> Questions<'a> {
    /// Questions of a step that was told this.
    pub fn new(told: &'a Told<'a>) -> Questions<'a> {
        Questions { told, open: Wanted::default() }
    }

    /// What came of a question; none if it has yet to be asked.
    pub fn ask(&mut self, probe: Probe) -> Option<&'a Run> {
        if let Some(found) = self.told.probed.iter().find(|p| p.probe == probe) {
            return Some(&found.run);
        }
        if !self.open.probes.contains(&probe) {
            self.open.probes.push(probe);
        }
        None
    }

    /// What a checker says of a proof; none if it has yet to be asked.
    pub fn check(&mut self, question: ProofQuestion) -> Option<ProofEnd> {
        if let Some(found) = self.told.proofs.iter().find(|p| p.question == question) {
            return Some(found.end);
        }
        if !self.open.proofs.contains(&question) {
            self.open.proofs.push(question);
        }
        None
    }

    /// The step, if nothing is left to ask.
    pub fn or_judge(self, complaints: Vec<Complaint>, abstained: Option<Abstention>) -> Step {
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
