//! Looking at findings again with other solvers: fixed, still wrong, or changed.

use std::sync::{Arc, RwLock};

use crate::campaign::EngineError;
use crate::case::{Answer, Case};
use crate::finding::Finding;
use crate::finding::words::summary_of;
use crate::judge::Kind;
use crate::judge::TrialRunner;
use crate::judge::oracle::Entry;
use crate::judge::proof::read_model;
use crate::judge::reply_of;
use crate::seed::Seed;
use crate::solver::{AskMode, Limits, Solver};
use crate::solver::{Outcome, Run};

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

/// Whom a finding is put to again: its solvers, one of them in the place of the accused, and those who are asked only where a
/// meaning is disputed.
pub struct Panel<'a> {
    /// The solvers.
    pub solvers: &'a [Solver],
    /// The number of the one in the place of the accused.
    pub whom: Option<usize>,
    /// Who else may be asked.
    pub witnesses: &'a [Solver],
    /// Who judges.
    pub oracles: &'a [&'static Entry],
}

/// Asks the script of a finding again, in fresh processes.
pub fn again(f: &Finding, case: &Case, panel: &Panel<'_>, limits: Limits) -> Result<Now, EngineError> {
    let &Panel { solvers, whom, witnesses, oracles } = panel;
    let quiet = RwLock::new(());
    let mut court = TrialRunner::new(solvers, witnesses, oracles, limits, AskMode::Fresh, &quiet);
    let known = court.answers_to_others(case)?;
    let tried = court.try_case(case, &f.case, known)?;
    court.runner.finish()?;
    let mut other = None;
    for (_, complaint) in tried.complaints {
        if complaint.against != whom {
            continue;
        }
        let summary = summary_of(&complaint.fault, whom.map(|i| solvers[i].name.as_str()));
        if complaint.kind() == f.kind {
            return Ok(Now::Still(summary));
        }
        other = Some(summary);
    }
    if let Some(summary) = other {
        return Ok(Now::Changed(summary));
    }
    let run = whom.and_then(|i| tried.runs.get(i)?.as_ref());
    Ok(match run.map(|run| (run.outcome(), run)) {
        Some((Outcome::Answered | Outcome::SelfCheck, run)) => {
            let solver = whom.map(|i| &solvers[i]).expect("a run is somebody's");
            fixed(f, case, solver, run)
        }
        Some((Outcome::TimedOut, _)) => Now::Untold("it runs out of time".to_owned()),
        Some((Outcome::OutOfMemory, _)) => Now::Untold("it runs out of memory".to_owned()),
        Some((Outcome::Rejected, _)) => Now::Untold("it refuses the script".to_owned()),
        Some(_) => Now::Untold("it ends oddly".to_owned()),
        None if whom.is_none() => Now::Fixed,
        None => Now::Untold("it does not read these operators".to_owned()),
    })
}

/// What an answer that nobody complains of says: that it is fixed, if it is another one and an answer at all. Where a model was
/// wrong, sat is right only with a model that our evaluator finds true.
fn fixed(f: &Finding, case: &Case, solver: &Solver, run: &Run) -> Now {
    let answers = matches!(f.kind, Kind::Soundness | Kind::WrongModel | Kind::WrongCore);
    let check = f.check.unwrap_or(0);
    let reply = reply_of(run, check);
    let untold = |why: &str| Now::Untold(why.to_owned());
    match reply.map_or(Answer::Unknown, |reply| reply.answer) {
        _ if !answers => Now::Fixed,
        Answer::Unknown => untold("it says unknown"),
        same if f.wrong_answer() == Some(same) => Now::Untold(format!(
            "it says {} as before, and nobody could show that this is wrong",
            same.word()
        )),
        Answer::Sat if f.kind == Kind::WrongModel => {
            let Some(text) = reply.and_then(|reply| reply.model.as_deref()) else {
                return untold("it says sat and gives no model");
            };
            let asks = case.script.queries();
            let Some(ask) = asks.get(check) else { return untold("the check is not there") };
            match read_model(solver, &case.script, ask, text) {
                None => untold("its model cannot be read"),
                Some(given) => match smt::satisfies(ask, &given.model, &smt::Fuel::default()) {
                    smt::Verdict::True => Now::Fixed,
                    smt::Verdict::False => untold("its model is none, and nobody could show that"),
                    smt::Verdict::Open(gap) => {
                        Now::Untold(format!("it is open whether its model is one: {gap}"))
                    }
                },
            }
        }
        _ => Now::Fixed,
    }
}

/// The case of a finding.
pub fn case_of(f: &Finding) -> Result<Case, smt::ReadError> {
    let read = |text: &str| smt::read(text.as_bytes());
    let other = |text: &String| {
        let script = Seed::read("other", text.as_bytes()).map(|s| s.fork()).or_else(|_| read(text));
        script.map(Arc::new)
    };
    let others = f.others.iter().map(other).collect::<Result<_, _>>()?;
    Ok(Case { script: read(&f.case)?, others, claims: f.claims.clone(), lineage: f.lineage.clone() })
}
