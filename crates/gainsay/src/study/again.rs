//! Looking at findings again with other solvers: fixed, still wrong, or changed.

use std::sync::{Arc, RwLock};

use super::error::StudyError;
use crate::campaign::EngineError;
use crate::campaign::spec::keep;
use crate::case::{Answer, Case};
use crate::finding::{Finding, Untold, words};
use crate::judge::oracle::Entry;
use crate::judge::way::read_model;
use crate::judge::{Budget, Fault, Kind, Parties, TrialRunner, reply_of};
use crate::seed::Seed;
use crate::solver::{AskMode, Limits, Outcome, Run, Solver};

/// What a finding comes to when its script is asked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// The same kind of thing is wrong.
    Still(Fault),
    /// Something else is wrong.
    Changed(Fault),
    /// Nothing is wrong any more.
    Fixed,
    /// It is not known.
    Untold(Untold),
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

    /// What is wrong now with the solver of this name, or why that is not known, in words; empty if nothing is wrong.
    pub fn why(&self, accused: Option<&str>) -> String {
        match self {
            Now::Still(fault) | Now::Changed(fault) => words::summary_of(fault, accused),
            Now::Untold(why) => words::untold(why),
            Now::Fixed => String::new(),
        }
    }
}

/// The solvers that are asked about a finding again, and the oracles that judge.
pub struct Panel<'a> {
    /// The solvers.
    pub solvers: &'a [Solver],
    /// The number of the solver in the place of the accused.
    pub whom: Option<usize>,
    /// Solvers that are asked only to decide a dispute.
    pub witnesses: &'a [Solver],
    /// The oracles.
    pub oracles: &'a [&'static Entry],
    /// How far deciding who is wrong may go.
    pub budget: Budget,
}

/// Asks the script of a finding again, in fresh processes.
pub fn again(f: &Finding, case: &Case, panel: &Panel<'_>, limits: Limits) -> Result<Now, EngineError> {
    let &Panel { solvers, whom, witnesses, oracles, budget } = panel;
    let quiet = RwLock::new(());
    let mut runner =
        TrialRunner::new(Parties { solvers, witnesses, oracles }, limits, AskMode::Fresh, &quiet)
            .deciding_within(budget);
    let known = runner.answers_to_others(case)?;
    let tried = runner.try_case(case, &f.case, known)?;
    runner.runner.finish()?;
    let mut other = None;
    for (_, complaint) in tried.complaints {
        if complaint.against != whom {
            continue;
        }
        if complaint.kind() == f.kind {
            return Ok(Now::Still(complaint.fault));
        }
        other = Some(complaint.fault);
    }
    if let Some(fault) = other {
        return Ok(Now::Changed(fault));
    }
    let run = whom.and_then(|i| tried.runs.get(i)?.as_ref());
    Ok(match run.map(|run| (run.outcome(), run)) {
        Some((Outcome::Answered | Outcome::SelfCheck, run)) => {
            let solver = whom.map(|i| &solvers[i]).expect("a run is somebody's");
            fixed(f, case, solver, run)
        }
        Some((Outcome::TimedOut, _)) => Now::Untold(Untold::TimeOut),
        Some((Outcome::OutOfMemory, _)) => Now::Untold(Untold::OutOfMemory),
        Some((Outcome::Rejected, _)) => Now::Untold(Untold::Refused),
        Some(_) => Now::Untold(Untold::OddEnd),
        None if whom.is_none() => Now::Fixed,
        None => Now::Untold(Untold::ForeignOperators),
    })
}

/// What an answer that no oracle complains of means. It is fixed if it is another answer than before. Where a model was wrong,
/// sat is fixed only with a model that our evaluator finds true.
fn fixed(f: &Finding, case: &Case, solver: &Solver, run: &Run) -> Now {
    let answers = matches!(f.kind, Kind::Soundness | Kind::WrongModel | Kind::WrongCore);
    let check = f.check.unwrap_or(0);
    let reply = reply_of(run, check);
    match reply.map_or(Answer::Unknown, |reply| reply.answer) {
        _ if !answers => Now::Fixed,
        Answer::Unknown => Now::Untold(Untold::Unknown),
        answer if f.wrong_answer() == Some(answer) => Now::Untold(Untold::SameAnswer { answer }),
        Answer::Sat if f.kind == Kind::WrongModel => {
            let model = reply.and_then(|reply| reply.model.as_deref());
            is_right(case, solver, check, model).map_or_else(Now::Untold, |()| Now::Fixed)
        }
        _ => Now::Fixed,
    }
}

/// Whether a model is right by our evaluation, or why that is not known.
fn is_right(case: &Case, solver: &Solver, check: usize, model: Option<&str>) -> Result<(), Untold> {
    let text = model.ok_or(Untold::NoModel)?;
    let queries = case.script.queries();
    let query = queries.get(check).ok_or(Untold::NoCheck)?;
    let given = read_model(solver, &case.script, query, text).ok_or(Untold::UnreadModel)?;
    match smt::satisfies(query, &given.model, &smt::Fuel::default()) {
        smt::Verdict::True => Ok(()),
        smt::Verdict::False => Err(Untold::RefutedModel),
        smt::Verdict::Open(gap) => Err(Untold::OpenModel { gap: gap.into() }),
    }
}

/// The case of the finding with this number.
pub fn case_of(id: u64, f: &Finding) -> Result<Case, StudyError> {
    read_case(f).map_err(|error| StudyError::Script { id, error })
}

/// The case of a finding.
pub fn read_case(f: &Finding) -> Result<Case, smt::ReadError> {
    let read = |text: &str| smt::read(text.as_bytes());
    let other = |text: &String| {
        let seed = Seed::read("other", text.as_bytes(), keep(false));
        let script = seed.map(|s| s.fork()).or_else(|_| read(text));
        script.map(Arc::new)
    };
    let others = f.others.iter().map(other).collect::<Result<_, _>>()?;
    Ok(Case { script: read(&f.case)?, others, claims: f.claims.clone(), lineage: f.lineage.clone() })
}
