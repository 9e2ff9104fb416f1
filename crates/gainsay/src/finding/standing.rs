//! Standings: how much a finding has shown about who is wrong.

use super::Finding;
use crate::judge::{Fault, Kind, SecondVoice, Speaker};
use crate::solver::SolverId;

/// How much a finding has shown about who is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// A solver is accused, and the evidence proves it.
    Proved,
    /// One of the named solvers is wrong, and it is open which one.
    Undecided,
    /// Only our own evaluation speaks against a solver, so nobody is accused.
    Unconfirmed,
}

impl Standing {
    /// All standings, the strongest first.
    pub const ALL: [Standing; 3] = [Standing::Proved, Standing::Undecided, Standing::Unconfirmed];

    /// The word for it in lists and in data.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Proved => "proved",
            Standing::Undecided => "undecided",
            Standing::Unconfirmed => "unconfirmed",
        }
    }
}

/// The standing of a finding.
pub fn standing(finding: &Finding) -> Standing {
    match (&finding.against, finding.kind) {
        (Some(_), _) => Standing::Proved,
        (None, Kind::Unconfirmed) => Standing::Unconfirmed,
        (None, _) => Standing::Undecided,
    }
}

/// The finding that says most about who is wrong: what it was reduced to, if that has decided what was open.
pub fn verdict<'f>(found: &'f Finding, reduced: Option<&'f Finding>) -> &'f Finding {
    let decides = |reduced: &&Finding| found.against.is_none() && reduced.against.is_some();
    reduced.filter(decides).unwrap_or(found)
}

/// What the evidence of a finding about satisfiability is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grade {
    /// Our evaluation says it, and the accused says it, too.
    EvaluationAndAccused,
    /// Our evaluation or the construction of the case says it, and another solver says it, too.
    EvaluationAndOther,
    /// Two answers of the accused contradict each other.
    ContradictsItself,
    /// A proof says it that a program checked which is no solver.
    CheckedProof,
    /// No second voice speaks.
    Unconfirmed,
    /// It is open who is wrong.
    Undecided,
}

impl Grade {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Grade::EvaluationAndAccused => "proved by evaluation and by the accused",
            Grade::EvaluationAndOther => "proved by evaluation and by another solver",
            Grade::ContradictsItself => "contradicts itself",
            Grade::CheckedProof => "checked proof",
            Grade::Unconfirmed => "unconfirmed",
            Grade::Undecided => "undecided",
        }
    }
}

/// What the evidence of a finding is worth; none if the finding is not about an answer, a model or a core.
pub fn grade(fault: &Fault) -> Option<Grade> {
    let of = |voice: &SecondVoice| match voice.speaker() {
        Speaker::Accused => Grade::EvaluationAndAccused,
        Speaker::Other { .. } => Grade::EvaluationAndOther,
        Speaker::Checker { .. } => Grade::CheckedProof,
    };
    match fault {
        Fault::WrongUnsat { voice }
        | Fault::WrongSat { voice, .. }
        | Fault::WrongModel { voice }
        | Fault::WrongCore { voice }
        | Fault::WrongAssumptions { voice }
        | Fault::WrongOutput { voice, .. }
        | Fault::WrongRewriting { voice, .. }
        | Fault::SeedDenied { voice: Some(voice), .. } => Some(of(voice)),
        Fault::Contradiction { voice: Some(voice), .. } if !voice.is_accused() => Some(of(voice)),
        Fault::ContradictsItself { .. } | Fault::Contradiction { voice: Some(_), .. } => {
            Some(Grade::ContradictsItself)
        }
        Fault::Unconfirmed { .. } => Some(Grade::Unconfirmed),
        Fault::Disagreement { .. }
        | Fault::Contradiction { voice: None, .. }
        | Fault::SeedDenied { voice: None, .. } => Some(Grade::Undecided),
        Fault::LargeCore { .. }
        | Fault::ForeignAssumption { .. }
        | Fault::Malformed { .. }
        | Fault::Crash { .. }
        | Fault::SelfCheck { .. }
        | Fault::Nondeterminism { .. }
        | Fault::Slow { .. }
        | Fault::TimedOut { .. }
        | Fault::Unknown
        | Fault::Refused { .. } => None,
    }
}

/// The solvers of which one is wrong: those whose answers the finding is about.
pub fn disputants(finding: &Finding) -> Vec<&SolverId> {
    let mut solvers: Vec<&SolverId> = match &finding.fault {
        Fault::Disagreement { answers } => answers.iter().map(|answered| &answered.by).collect(),
        Fault::Contradiction { by, .. } | Fault::SeedDenied { by, .. } => vec![by],
        Fault::Unconfirmed { suspect, .. } => vec![suspect],
        _ => finding.said.iter().map(|said| &said.solver).collect(),
    };
    let mut seen = Vec::new();
    solvers.retain(|solver| {
        let is_new = !seen.contains(solver);
        seen.push(solver);
        is_new
    });
    solvers
}
