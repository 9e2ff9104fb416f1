//! Looking at findings again with other solvers: fixed, still wrong, or changed.

use std::sync::{Arc, RwLock};

use crate::case::{Answer, Case};
use crate::finding::{Finding, wrong_answer};
use crate::hunt::{Court, HuntError};
use crate::oracle::{Entry, Kind};
use crate::seed::Seed;
use crate::solver::{Ask, Limits, Question, Solver, Way};
use crate::trial::{Known, Outcome, reply_of};

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
    let known = known(&mut court, case, solvers)?;
    let tried = court.try_case(case, text, known)?;
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

/// What the solvers say to the other scripts of a case now.
pub fn known(court: &mut Court<'_>, case: &Case, solvers: &[Solver]) -> Result<Known, HuntError> {
    let mut known = Known::new();
    for other in &case.others {
        let text = String::from_utf8_lossy(&smt::write_script(other)).into_owned();
        let mut answers = Vec::new();
        for solver in solvers {
            let question = Question { script: &text, ask: Ask::default() };
            let run = court.runner.ask(solver, question, Way::Fresh)?;
            let one = |k| reply_of(&run, k).map_or(Answer::Unknown, |c| c.answer);
            answers.push((0..run.reply.checks.len()).map(one).collect());
        }
        known.push(answers);
    }
    Ok(known)
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

/// The order in which maintainers want to hear of things: unsat for sat, sat for unsat, wrong models, the rest.
pub fn rank(finding: &Finding) -> u32 {
    match (finding.kind, wrong_answer(finding)) {
        (Kind::Soundness, Some(Answer::Unsat)) => 0,
        (Kind::Soundness, _) => 1,
        (Kind::WrongModel, _) => 2,
        (kind, _) => 3 + kind as u32,
    }
}
