//! Shrinking what is wrong: the question "still wrong?" is put to the court for every candidate, evidence and all.

use std::time::Duration;

use smt::Script;

use super::construct::{Fewer, Fewest, fewest};
use crate::case::{Answer, Case, Claim, Edit, Lineage, replay};
use crate::finding::{Finding, Turn};
use crate::hunt::{Court, HuntError, Sought};
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

/// How often a session may take too long where fresh processes do not, before it is given up.
const LATE: u32 = 3;

/// Says whether candidates are still wrong, each time with its evidence established anew: in a session that goes on, and in fresh
/// processes where the session takes too long, or, once it has shown what they do not, besides.
pub struct Judge<'a> {
    warm: Option<Court<'a>>,
    /// How often the session took too long where fresh processes did not.
    late: u32,
    fresh: Court<'a>,
    /// Whether what shows in a session must show in fresh processes, candidate by candidate.
    strict: bool,
    goal: Goal,
    solver: &'a Solver,
    /// What a question may cost that decides what is found.
    limits: Limits,
    /// What a question about a candidate may cost.
    candidate: Limits,
    /// CPU time of sessions it has given up.
    spent: Duration,
}

impl<'a> Judge<'a> {
    /// A judge with these courts; `warm` is for screening, `candidate` is what a question about a candidate may cost in a fresh
    /// process. `solver` is whose time counts.
    pub fn new(
        warm: Option<Court<'a>>,
        fresh: Court<'a>,
        goal: Goal,
        solver: &'a Solver,
        (limits, candidate): (Limits, Limits),
    ) -> Judge<'a> {
        let mut judge = Judge {
            warm,
            late: 0,
            fresh,
            strict: false,
            goal,
            solver,
            limits,
            candidate,
            spent: Duration::ZERO,
        };
        // A crash is asked about in a fresh process in any case.
        let crash = matches!(&judge.goal, Goal::Wrong(aim) if aim.kind == Kind::Crash);
        if let Some(warm) = judge.warm.as_mut().filter(|_| crash) {
            warm.runner.doubts_crashes = false;
        }
        judge
    }

    /// The court that asks in fresh processes.
    pub fn court(&mut self) -> &mut Court<'a> {
        &mut self.fresh
    }

    /// Ends its solvers; tells the CPU time they used.
    pub fn finish(self) -> Result<Duration, SolverError> {
        let warm = self.warm.map_or(Ok(Duration::ZERO), |court| court.runner.finish())?;
        Ok(self.spent + warm + self.fresh.runner.finish()?)
    }

    /// Whether fresh processes show that this is wrong with a script, in the time of a candidate; none if that is too short.
    fn in_fresh_processes(
        &mut self,
        aim: &Aim,
        script: &Script,
        text: &str,
    ) -> Result<Option<bool>, HuntError> {
        self.fresh.keep_to(self.candidate);
        let there = meets(&mut self.fresh, aim, script, text);
        self.fresh.keep_to(self.limits);
        there
    }

    /// A session that asks more as fresh processes do, where this one has shown what they do not: it shows what they show
    /// and not what they refute. None if there is none.
    fn surer(&self, shown: &Script, refuted: &str) -> Result<Option<Court<'a>>, HuntError> {
        let (Some(warm), Goal::Wrong(aim)) = (&self.warm, &self.goal) else { return Ok(None) };
        let Some(script) = smt::read(refuted.as_bytes()).ok().filter(|_| warm.way() == Way::Scoped) else {
            return Ok(None);
        };
        let mut court = warm.in_reset();
        let is_surer = meets(&mut court, aim, shown, &text_of(shown))? == Some(true)
            && meets(&mut court, aim, &script, refuted)? == Some(false);
        Ok(is_surer.then_some(court))
    }

    /// Changes the session in which candidates are screened.
    fn change_session(&mut self, court: Court<'a>) -> Result<(), HuntError> {
        if let Some(before) = self.warm.replace(court) {
            self.spent += before.runner.finish()?;
        }
        Ok(())
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
        if aim.kind != Kind::Crash && aim.kind != Kind::Rejection && script.asks().is_empty() {
            // Where nothing is asked, no answer is wrong.
            return Ok(false);
        }
        let in_session = match &mut self.warm {
            Some(warm) if self.late < LATE => meets(warm, &aim, script, text)?,
            _ => None,
        };
        match in_session {
            Some(false) => Ok(false),
            // Of a crash the court has asked a fresh process already.
            Some(true) if !self.strict || aim.kind == Kind::Crash => Ok(true),
            _ => {
                let there = self.in_fresh_processes(&aim, script, text)?;
                self.late += u32::from(in_session.is_none() && there.is_some());
                Ok(there == Some(true))
            }
        }
    }
}

/// Whether a court says of a script that this is wrong with it; none if somebody ran out of time who might have shown it. The
/// accused is asked first: most candidates are done with when it has spoken.
pub fn meets(
    court: &mut Court<'_>,
    aim: &Aim,
    script: &Script,
    text: &str,
) -> Result<Option<bool>, HuntError> {
    let late = |run: Option<&Run>| run.is_some_and(|run| run.outcome() == Outcome::TimedOut);
    let case = bare(script);
    let found = match aim.against {
        None => court.try_case(&case, text, Known::new())?,
        Some(accused) => {
            let first = court.ask_one(&case, text, accused)?;
            if !aim.may_be(first.as_ref()) {
                return Ok((!late(first.as_ref())).then_some(false));
            }
            let mut runs: Vec<Option<Run>> = Vec::new();
            for i in (0..court.solvers().len()).filter(|i| *i != accused) {
                runs.push(if aim.kind.is_shown_alone() { None } else { court.ask_one(&case, text, i)? });
            }
            runs.insert(accused, first);
            court.judge_runs(&case, text, runs, Known::new(), Some(aim.kind))?
        }
    };
    let there = found.complaints.iter().any(|(_, c)| aim.is_met_by(c));
    let open = !there && found.runs.iter().any(|run| late(run.as_ref()));
    Ok((!open).then_some(there))
}

/// What became of it.
pub struct Shrunk {
    /// The smallest script that is still wrong.
    pub reduced: Reduced,
    /// The finding it is, confirmed in fresh processes; none where only time was the question.
    pub finding: Option<Finding>,
}

/// Makes a script smaller while the goal is met, and confirms what is left in fresh processes; where that cannot be confirmed,
/// goes on from the smallest before it that can, in a session that knows the two apart, or else by asking fresh processes about
/// every candidate from then on. None if not even the script itself can be confirmed.
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
        let last = kept.pop().unwrap_or_default();
        let mut seen = confirmed(judges[0].court(), &aim, &last)?;
        let warm = judges[0].warm.is_some() && !judges[0].strict;
        while let Some(text) = kept.pop_if(|_| seen.is_none() && !warm) {
            // What fresh processes show now and then does not count.
            seen = confirmed(judges[0].court(), &aim, &text)?;
        }
        if let Some((script, finding)) = seen {
            (reduced.text, reduced.script) = (text_of(&script), script);
            return Ok(Some(Shrunk { reduced, finding: Some(finding) }));
        }
        if !warm {
            return Ok(None);
        }
        // The session has shown what fresh processes do not.
        let Some(shown) = last_shown(&mut judges[0], &aim, &mut kept)? else { return Ok(None) };
        match judges[0].surer(&shown, &last)? {
            Some(court) => {
                judges[0].change_session(court)?;
                for judge in judges.iter_mut().skip(1) {
                    if let Some(court) = judge.warm.as_ref().map(Court::in_reset) {
                        judge.change_session(court)?;
                    }
                }
            }
            None => {
                for judge in judges.iter_mut() {
                    judge.strict = true;
                }
            }
        }
        kept.push(text_of(&shown));
        (script, before) = (shown, Some(reduced));
    }
}

/// A script as text.
pub fn text_of(script: &Script) -> String {
    String::from_utf8_lossy(&smt::write_script(script)).into_owned()
}

/// A text as a script with its finding, if fresh processes confirm it.
fn confirmed(court: &mut Court<'_>, aim: &Aim, text: &str) -> Result<Option<(Script, Finding)>, HuntError> {
    let Ok(script) = smt::read(text.as_bytes()) else { return Ok(None) };
    let (kind, against) = (aim.kind, aim.against);
    let sought = Sought { kind, against, oracles: &court.oracles_of(kind), is_it: &|c| aim.is_met_by(c) };
    let finding = court.confirm_sought(&bare(&script), text, &Known::new(), &sought, Turn::default())?;
    Ok(finding.map(|finding| (script, finding)))
}

/// The last of these texts that fresh processes show to be wrong, as a script; it and what comes after it is taken off.
fn last_shown(judge: &mut Judge<'_>, aim: &Aim, kept: &mut Vec<String>) -> Result<Option<Script>, HuntError> {
    while let Some(text) = kept.pop() {
        let Ok(script) = smt::read(text.as_bytes()) else { continue };
        if judge.in_fresh_processes(aim, &script, &text)? == Some(true) {
            return Ok(Some(script));
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
