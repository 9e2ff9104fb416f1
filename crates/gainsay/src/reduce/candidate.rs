//! Candidates: what the solvers and oracles of a job say of a script that claims nothing.

use smt::Script;

use super::signature::BugSignature;
use crate::case::{Case, Claim, Lineage, one_shots};
use crate::judge::oracle::Entry;
use crate::judge::{Complaint, Known, TrialRunner};
use crate::solver::{Outcome, Run, SolverError};

/// A case that claims nothing: what is left of one whose script was changed.
pub fn bare(script: &Script) -> Case {
    Case {
        script: script.clone(),
        others: Vec::new(),
        claims: Vec::<Claim>::new(),
        lineage: Lineage::default(),
    }
}

/// A case that claims of a session only what follows from its script: each check has the answer of its one-shot form.
pub fn with_one_shots(script: &Script) -> Case {
    let (others, claims) = one_shots(script);
    Case { others, claims, ..bare(script) }
}

/// The case of a script that may show a bug.
pub fn candidate(aim: &BugSignature, script: &Script) -> Case {
    if aim.rests_on_one_shots { with_one_shots(script) } else { bare(script) }
}

/// All complaints about a script, the worst first.
pub fn look(
    trials: &mut TrialRunner<'_>,
    script: &Script,
    text: &str,
) -> Result<Vec<(&'static Entry, Complaint)>, SolverError> {
    let mut found = trials.try_case(&with_one_shots(script), text, Known::new())?.complaints;
    found.sort_by_key(|(_, c)| (c.kind(), c.against));
    Ok(found)
}

/// What a candidate shows of a bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The bug is not there.
    Nothing,
    /// The bug is there.
    Same,
    /// The bug is there, and it is known who is wrong.
    Decided(Box<BugSignature>),
}

impl Shown {
    /// Whether the bug is there.
    pub fn is_there(&self) -> bool {
        *self != Shown::Nothing
    }
}

/// What a script shows of a bug. None if a solver ran out of time that might have shown it. The accused is asked first: most
/// candidates need no other question.
pub fn meets(
    trials: &mut TrialRunner<'_>,
    aim: &BugSignature,
    script: &Script,
    text: &str,
) -> Result<Option<Shown>, SolverError> {
    let late = |run: Option<&Run>| run.is_some_and(|run| run.outcome() == Outcome::TimedOut);
    let case = candidate(aim, script);
    let found = match aim.against {
        None => trials.try_case(&case, text, Known::new())?,
        Some(accused) => {
            let first = trials.ask_one(&case, text, accused)?;
            if !aim.may_be(first.as_ref()) {
                return Ok((!late(first.as_ref())).then_some(Shown::Nothing));
            }
            let mut runs: Vec<Option<Run>> = Vec::new();
            for i in (0..trials.solvers().len()).filter(|i| *i != accused) {
                runs.push(if aim.shown_alone { None } else { trials.ask_one(&case, text, i)? });
            }
            runs.insert(accused, first);
            trials.judge_runs(&case, text, runs, Known::new(), Some(aim.kind))?
        }
    };
    let complaints = || found.complaints.iter().map(|(_, c)| c);
    let mut decided: Vec<BugSignature> =
        complaints().filter_map(|c| aim.decided_by(c, &found.runs)).collect();
    decided.sort_by_key(|signature| signature.kind);
    if let Some(decided) = decided.into_iter().next() {
        return Ok(Some(Shown::Decided(Box::new(decided))));
    }
    if complaints().any(|c| aim.is_shown_by(c, &found.runs)) {
        return Ok(Some(Shown::Same));
    }
    let open = found.runs.iter().any(|run| late(run.as_ref()));
    Ok((!open).then_some(Shown::Nothing))
}
