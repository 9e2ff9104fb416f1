//! A finding looked at again: its stored evidence, then its solvers.

use std::sync::RwLock;

use super::again::case_of;
use super::error::StudyError;
use crate::campaign::EngineError;
use crate::case::{Answer, Case};
use crate::finding::StoredFinding;
use crate::judge::oracle::Entry;
use crate::judge::probe::Judgement;
use crate::judge::{
    Abstention, Budget, Complaint, Evidence, Fault, Heard, Kind, Parties, Trial, TrialRunner, reply_of,
};
use crate::solver::acquire::choose::witnesses;
use crate::solver::{AskMode, Ending, Limits, Solver, SolverId};

/// What came of looking at a finding again.
pub struct Replayed {
    /// The verdict of our evaluator on each stored model.
    pub models: Vec<smt::Verdict>,
    /// What each solver did.
    pub runs: Vec<ReplayedRun>,
    /// The judgement.
    pub verdict: ReplayVerdict,
}

/// What a solver did with a finding.
pub struct ReplayedRun {
    /// The solver.
    pub solver: SolverId,
    /// Its answers, check by check.
    pub answers: Vec<Answer>,
    /// How its process ended.
    pub ending: Ending,
}

/// The judgement on a finding that was looked at again.
pub enum ReplayVerdict {
    /// It is still wrong.
    Still {
        /// What is wrong.
        fault: Fault,
        /// The accused.
        against: Option<SolverId>,
    },
    /// The oracle says nothing.
    Abstained(Abstention),
    /// It is no longer wrong.
    Gone,
}

/// Looks at a finding again: its evidence, then the solvers, then the judgement of the oracle that found it.
pub fn replay(
    stored: &StoredFinding,
    oracle: &'static Entry,
    solvers: &[Solver],
    limits: Limits,
    budget: Budget,
) -> Result<Replayed, StudyError> {
    let finding = &stored.finding;
    let case = case_of(stored.id, finding)?;
    let models = finding.evidence.iter().filter_map(|evidence| evaluated(&case, evidence, solvers)).collect();
    let quiet = RwLock::new(());
    let witnesses = witnesses(solvers);
    let mut runner = TrialRunner::new(
        Parties { solvers, witnesses: &witnesses, oracles: &[] },
        limits,
        AskMode::Fresh,
        &quiet,
    )
    .deciding_within(budget);
    let known = runner.answers_to_others(&case)?;
    let tried = runner.try_case(&case, &finding.case, known.clone())?;
    let mut trial = Trial::new(&case, &finding.case, solvers, tried.runs);
    trial.known = known;
    trial.witnesses = &witnesses;
    trial.budget = budget;
    let run = |(i, run): (usize, &crate::solver::Run)| ReplayedRun {
        solver: solvers[i].name.clone(),
        answers: (0..run.reply.checks.len()).filter_map(|k| reply_of(run, k)).map(|c| c.answer).collect(),
        ending: run.ending,
    };
    let runs = trial.made().map(run).collect();
    // Only complaints about the accused count, if it is among those who are asked.
    let whom = finding.against.as_ref().and_then(|name| solvers.iter().position(|s| s.name == *name));
    // What was open may be decided by now, or with a larger budget.
    let was_open = matches!(finding.kind, Kind::Disagreement | Kind::Unconfirmed);
    let is_same = |c: &Complaint| {
        (c.kind() == finding.kind && (whom.is_none() || c.against == whom))
            || (was_open && c.check == finding.check)
    };
    let verdict = match runner.judge(&trial, oracle).map_err(EngineError::from)? {
        Judgement::Complain(found) => match found.into_iter().find(is_same) {
            Some(complaint) => ReplayVerdict::Still {
                against: complaint.against.map(|i| trial.solver(i).name.clone()),
                fault: complaint.fault,
            },
            None => ReplayVerdict::Gone,
        },
        Judgement::Abstain(why) => ReplayVerdict::Abstained(why),
        Judgement::Clean => ReplayVerdict::Gone,
    };
    Ok(Replayed { models, runs, verdict })
}

/// What our evaluator says of a stored model now; none if the evidence has no model.
fn evaluated(case: &Case, evidence: &Evidence, solvers: &[Solver]) -> Option<smt::Verdict> {
    let core;
    let mut script = &case.script;
    let mut said: &[Heard] = &[];
    let (by, check, model, wanted) = match evidence {
        Evidence::Satisfied { by, check, model } => (by.as_ref(), *check, model, true),
        Evidence::SatisfiedOther { script: number, check, by, model } => {
            script = case.others.get(number.checked_sub(1)?)?;
            (by.as_ref(), *check, model, true)
        }
        Evidence::SatisfiedCore { script: text, by, model, .. }
        | Evidence::SatisfiedAssumptions { script: text, by, model, .. } => {
            core = smt::read(text.as_bytes()).ok()?;
            script = &core;
            (Some(by), 0, model, true)
        }
        Evidence::Falsified { check, model, heard, .. } => {
            said = heard;
            (None, *check, model, false)
        }
        _ => return None,
    };
    let queries = script.queries();
    let query = queries.get(check)?;
    let giver = solvers.iter().find(|s| Some(&s.name) == by);
    let dialect = giver.map_or(smt::ModelDialect::STANDARD, Solver::manner);
    let mut model = smt::Model::read_in(script, Some(query.command), model.as_bytes(), dialect).ok()?;
    for Heard { term, value } in said {
        let open = smt::open_terms(query, &model, &smt::Fuel::default());
        let open = open.iter().find(|open| open.text == *term)?;
        model.hear(script, query.command, open, value, dialect).ok()?;
    }
    let model = if wanted { model.completed() } else { model };
    Some(smt::satisfies(query, &model, &smt::Fuel::default()))
}
