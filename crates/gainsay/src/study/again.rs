//! Looking at findings again with other solvers: fixed, still wrong, or changed.

use std::sync::RwLock;

use crate::case::Case;
use crate::finding::{Finding, wrong_answer};
use crate::hunt::{Court, HuntError};
use crate::oracle::{Entry, Kind};
use crate::solver::{Limits, Solver, Way};
use crate::trial::{Known, Outcome};

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// The same thing is wrong.
    Still(String),
    /// Something else is wrong.
    Changed(String),
    /// Nothing is wrong any more.
    Fixed,
    /// It cannot be said: the solver refuses the script, or runs out of time.
    Untold(String),
}

impl Now {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Now::Still(_) => "still",
            Now::Changed(_) => "changed",
            Now::Fixed => "fixed",
            Now::Untold(_) => "untold",
        }
    }

    /// What is wrong now, or why nothing can be said.
    pub fn why(&self) -> &str {
        match self {
            Now::Still(text) | Now::Changed(text) | Now::Untold(text) => text,
            Now::Fixed => "",
        }
    }
}

/// Asks the script of a finding again, in fresh processes. `solvers` are those of the finding, one of them (`whom`) in the
/// place of the accused.
pub fn again(
    case: &Case,
    text: &str,
    kind: Kind,
    solvers: &[Solver],
    whom: Option<usize>,
    oracles: &[&'static Entry],
    limits: Limits,
) -> Result<Now, HuntError> {
    let quiet = RwLock::new(());
    let mut court = Court::new(solvers, &[], oracles, limits, Way::Fresh, &quiet);
    let tried = court.try_case(case, text, Known::new())?;
    court.runner.finish()?;
    let mut other = None;
    for (_, complaint) in tried.complaints {
        if complaint.kind == kind && complaint.against == whom {
            return Ok(Now::Still(complaint.summary));
        }
        if complaint.against == whom {
            other = Some(complaint.summary);
        }
    }
    if let Some(summary) = other {
        return Ok(Now::Changed(summary));
    }
    let run = whom.and_then(|i| tried.runs.get(i)?.as_ref());
    Ok(match run.map(crate::trial::Run::outcome) {
        Some(Outcome::Answered | Outcome::SelfCheck) => Now::Fixed,
        Some(Outcome::TimedOut) => Now::Untold("it runs out of time".to_owned()),
        Some(Outcome::OutOfMemory) => Now::Untold("it runs out of memory".to_owned()),
        Some(Outcome::Rejected) => Now::Untold("it refuses the script".to_owned()),
        Some(_) => Now::Untold("it ends oddly".to_owned()),
        None if whom.is_none() => Now::Fixed,
        None => Now::Untold("it does not read these operators".to_owned()),
    })
}

/// The order in which maintainers want to hear of things: unsat for sat, sat for unsat, wrong models, the rest.
pub fn rank(finding: &Finding) -> u32 {
    match (finding.kind, wrong_answer(finding)) {
        (Kind::Soundness, Some(crate::case::Answer::Unsat)) => 0,
        (Kind::Soundness, _) => 1,
        (Kind::WrongModel, _) => 2,
        (kind, _) => 3 + kind as u32,
    }
}
