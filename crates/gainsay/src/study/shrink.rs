//! Shrinking what is wrong: the question "still wrong?" is put to the court for every candidate, evidence and all.

use std::time::Duration;

use smt::Script;

use super::construct::{Fewer, Fewest, fewest};
use crate::case::{Answer, Case, Claim, Edit, Lineage, replay};
use crate::finding::{Finding, Turn};
use crate::hunt::{Court, HuntError};
use crate::oracle::{Complaint, Entry, Kind};
use crate::reduce::{self, Reduced, Step, Test, Until};
use crate::solver::{Ask, Bound, Check, Ending, Limits, Question, Runner, Solver, SolverError, Way};
use crate::trial::{Known, Outcome, Run};

/// What must stay wrong.
#[derive(Clone, Debug)]
pub struct Aim {
    /// What kind of thing.
    pub kind: Kind,
    /// Who is wrong, by its number.
    pub against: Option<usize>,
    /// Where it crashed, which answer was wrong; none if anything will do.
    pub about: Option<String>,
}

impl Aim {
    /// The aim that a complaint is; with `any`, only kind and accused must stay.
    pub fn of(complaint: &Complaint, any: bool) -> Aim {
        let about = match complaint.kind {
            // Nobody is accused: who says what must stay.
            Kind::Disagreement => Some(complaint.summary.clone()),
            Kind::Crash | Kind::SelfCheck | Kind::Rejection => Some(complaint.about.clone()),
            // A wrong sat stays a wrong sat, whatever showed it first.
            Kind::Soundness if complaint.about == "unsat" => Some("unsat".to_owned()),
            _ => None,
        };
        let (kind, against) = (complaint.kind, complaint.against);
        Aim { kind, against, about: about.filter(|_| !any) }
    }

    /// Whether what the accused did leaves it open that this is wrong: then it is worth while to ask the others.
    fn may_be(&self, run: Option<&Run>) -> bool {
        let Some(run) = run else { return false };
        let says = |wanted: &[Answer]| run.reply.answers().iter().any(|answer| wanted.contains(answer));
        match self.kind {
            Kind::Crash | Kind::SelfCheck => run.outcome() != Outcome::Answered,
            Kind::WrongModel => says(&[Answer::Sat]),
            Kind::WrongCore => says(&[Answer::Unsat]),
            Kind::Soundness if self.about.as_deref() == Some("unsat") => says(&[Answer::Unsat]),
            Kind::Soundness => says(&[Answer::Sat, Answer::Unsat]),
            _ => true,
        }
    }

    /// Whether the accused alone shows it.
    fn is_shown_alone(&self) -> bool {
        matches!(self.kind, Kind::Crash | Kind::SelfCheck)
    }

    /// Whether a complaint is what must stay.
    pub fn is_met_by(&self, complaint: &Complaint) -> bool {
        let about = match complaint.kind {
            Kind::Disagreement => &complaint.summary,
            _ => &complaint.about,
        };
        complaint.kind == self.kind
            && complaint.against == self.against
            && self.about.as_ref().is_none_or(|wanted| wanted == about)
    }
}

/// What is looked for in a candidate.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The same thing is wrong.
    Wrong(Aim),
    /// A solver needs more than this.
    Slow(Cost),
}

/// What a solver may need to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// CPU time.
    Time(Duration),
    /// Units that the solver itself counts, the same on every machine and however busy that is.
    Units(u64),
}

/// Time on the wall for little CPU time: on a busy machine that takes long.
const PATIENCE: Duration = Duration::from_secs(30);

/// A case that claims nothing: what is left of one whose script was changed.
fn bare(script: &Script) -> Case {
    Case {
        script: script.clone(),
        others: Vec::new(),
        claims: Vec::<Claim>::new(),
        lineage: Lineage::default(),
    }
}

/// What the court says of a script, the worst first.
pub fn look(
    court: &mut Court<'_>,
    script: &Script,
    text: &str,
) -> Result<Vec<(&'static Entry, Complaint)>, HuntError> {
    let mut found = court.try_case(&bare(script), text, Known::new())?.complaints;
    found.sort_by_key(|(_, c)| (c.kind, c.against));
    Ok(found)
}

/// Says whether candidates are still wrong, each time with its evidence established anew: in a session that goes on, and, once
/// that has shown what fresh processes do not, in fresh processes besides.
pub struct Judge<'a> {
    warm: Option<Court<'a>>,
    fresh: Court<'a>,
    /// Whether what shows in a session must show in fresh processes, candidate by candidate.
    strict: bool,
    goal: Goal,
    solver: &'a Solver,
    limits: Limits,
}

impl<'a> Judge<'a> {
    /// A judge with these courts; `warm` is for screening. `solver` is whose time counts.
    pub fn new(
        warm: Option<Court<'a>>,
        fresh: Court<'a>,
        goal: Goal,
        solver: &'a Solver,
        limits: Limits,
    ) -> Judge<'a> {
        Judge { warm, fresh, strict: false, goal, solver, limits }
    }

    /// The court that asks in fresh processes.
    pub fn court(&mut self) -> &mut Court<'a> {
        &mut self.fresh
    }

    /// Ends its solvers; tells the CPU time they used.
    pub fn finish(self) -> Result<Duration, SolverError> {
        let warm = self.warm.map_or(Ok(Duration::ZERO), |court| court.runner.finish())?;
        Ok(warm + self.fresh.runner.finish()?)
    }

    /// Whether it gives up for having used all its units.
    fn runs_out(&mut self, text: &str, units: u64) -> Result<bool, HuntError> {
        let question = Question { script: text, ask: Ask { reason: true, ..Ask::default() } };
        let run = self.fresh.runner.ask(&self.solver.with_units(units), question, Way::Fresh)?;
        // z3's words depend on where it was when they ran out; nothing else cancels it in a process of its own.
        let ran_out = |reason: &String| reason.contains("resource") || reason == "canceled";
        let reason = |check: &Check| check.reason.as_ref().is_some_and(ran_out);
        Ok(run.reply.checks.iter().any(reason))
    }

    fn is_slow(&mut self, text: &str, than: Duration) -> Result<bool, HuntError> {
        let question = Question { script: text, ask: Ask::default() };
        let runner: &mut Runner = &mut self.fresh.runner;
        // Wall time is a poor clock on a busy machine: it only ends what sleeps.
        runner.limits = Limits { cpu: than, wall: (than * 8).max(PATIENCE), ..self.limits };
        let run = runner.ask(self.solver, question, Way::Fresh)?;
        runner.limits = self.limits;
        Ok(matches!(run.ending, Ending::Stopped(Bound::Cpu)) || run.cpu.is_some_and(|t| t >= than))
    }
}

impl Test for Judge<'_> {
    type Error = HuntError;

    fn wanted(&mut self, script: &Script, text: &str) -> Result<bool, HuntError> {
        let aim = match &self.goal {
            &Goal::Slow(Cost::Time(than)) => return self.is_slow(text, than),
            &Goal::Slow(Cost::Units(units)) => return self.runs_out(text, units),
            Goal::Wrong(aim) => aim.clone(),
        };
        let Some(warm) = &mut self.warm else { return meets(&mut self.fresh, &aim, script, text) };
        let there = meets(warm, &aim, script, text)?;
        // Of a crash the court has asked a fresh process already.
        if !there || !self.strict || aim.kind == Kind::Crash {
            return Ok(there);
        }
        meets(&mut self.fresh, &aim, script, text)
    }
}

/// Whether a court says of a script that this is wrong with it. The accused is asked first: most candidates are done with when it
/// has spoken.
pub fn meets(court: &mut Court<'_>, aim: &Aim, script: &Script, text: &str) -> Result<bool, HuntError> {
    let case = bare(script);
    let found = match aim.against {
        None => court.try_case(&case, text, Known::new())?,
        Some(accused) => {
            let first = court.ask_one(&case, text, accused)?;
            if !aim.may_be(first.as_ref()) {
                return Ok(false);
            }
            let mut runs: Vec<Option<Run>> = Vec::new();
            for i in (0..court.count()).filter(|i| *i != accused) {
                runs.push(if aim.is_shown_alone() { None } else { court.ask_one(&case, text, i)? });
            }
            runs.insert(accused, first);
            court.judge_runs(&case, text, runs, Known::new())?
        }
    };
    Ok(found.complaints.iter().any(|(_, c)| aim.is_met_by(c)))
}

/// What became of it.
pub struct Shrunk {
    /// The smallest script that is still wrong.
    pub reduced: Reduced,
    /// The finding it is, confirmed in fresh processes; none where only time was the question.
    pub finding: Option<Finding>,
}

/// Makes a script smaller while the goal is met, and confirms what is left in fresh processes; where that cannot be confirmed,
/// goes on from the smallest before it that can, and asks fresh processes about every candidate from then on. None if not even
/// the script itself can be confirmed.
pub fn shrink(
    mut script: Script,
    judges: &mut [Judge<'_>],
    until: Until<'_>,
    watch: &mut dyn FnMut(&Step<'_>),
) -> Result<Option<Shrunk>, HuntError> {
    let mut kept = vec![text_of(&script)];
    let mut before: Option<Reduced> = None;
    loop {
        let mut reduced = reduce::reduce(script, judges, until, &mut |step| {
            kept.push(step.text.to_owned());
            watch(step);
        })?;
        if let Some(before) = before.take() {
            reduced.follows(before);
        }
        let Goal::Wrong(aim) = judges[0].goal.clone() else {
            return Ok(Some(Shrunk { reduced, finding: None }));
        };
        let wanted = kept.len();
        let Some((confirmed, finding)) = last_confirmed(judges[0].court(), &aim, &mut kept)? else {
            return Ok(None);
        };
        let is_last = kept.len() + 1 == wanted;
        if is_last || judges[0].strict || judges[0].warm.is_none() {
            (reduced.text, reduced.script) = (text_of(&confirmed), confirmed);
            return Ok(Some(Shrunk { reduced, finding: Some(finding) }));
        }
        for judge in judges.iter_mut() {
            judge.strict = true;
        }
        kept.push(text_of(&confirmed));
        (script, before) = (confirmed, Some(reduced));
    }
}

/// A script as text.
pub fn text_of(script: &Script) -> String {
    String::from_utf8_lossy(&smt::write_script(script)).into_owned()
}

/// The last of these texts that fresh processes confirm, as a script with its finding; it and what comes after it is taken off.
fn last_confirmed(
    court: &mut Court<'_>,
    aim: &Aim,
    kept: &mut Vec<String>,
) -> Result<Option<(Script, Finding)>, HuntError> {
    while let Some(text) = kept.pop() {
        let Ok(script) = smt::read(text.as_bytes()) else { continue };
        let found = look(court, &script, &text)?;
        let Some((entry, complaint)) = found.into_iter().find(|(_, c)| aim.is_met_by(c)) else { continue };
        let case = bare(&script);
        let seen = (entry, &complaint);
        if let Some(finding) = court.confirm(&case, &text, &Known::new(), seen, Turn::default())? {
            return Ok(Some((script, finding)));
        }
    }
    Ok(None)
}

/// The seed with as few edits as still meet the goal; none if not even all do.
pub fn drop_edits(
    seed: &Script,
    edits: &[&Edit],
    judges: &mut [Judge<'_>],
    until: Until<'_>,
) -> Result<Option<Fewest<Script>>, HuntError> {
    let make = |some: &[&Edit]| {
        let text = text_of(&replay(seed.clone(), some.iter().copied()).script);
        // As it is read again, for that is what counts.
        Some((bare(&smt::read(text.as_bytes()).ok()?), text))
    };
    let Some((Case { script, .. }, text)) = make(edits) else { return Ok(None) };
    if !judges[0].wanted(&script, &text)? {
        return Ok(None);
    }
    let at_a_time = judges.len();
    let ask = |cases: Vec<Case>| {
        let texts: Vec<String> = cases.iter().map(Case::text).collect();
        let scripts: Vec<(&Script, &str)> =
            cases.iter().zip(&texts).map(|(case, text)| (&case.script, text.as_str())).collect();
        let answers = reduce::asked(judges, &scripts);
        let wanted = |(answer, case): (Result<bool, _>, Case)| Ok(answer?.then_some(case.script));
        answers.into_iter().zip(cases).map(wanted).collect()
    };
    let mut found = fewest(edits, Fewer { of: script, text }, at_a_time, until, make, ask)?;
    found.tried += 1;
    Ok(Some(found))
}
