//! One job of reduction: it finds out what is wrong with a script and how to ask fast, and makes the script smaller.

use std::cell::OnceCell;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use smt::Script;

use super::candidate::{bare, meets};
use super::check::{Bounds, Judge};
use super::construct::{Made, confirmed, from_less, smallest, with_fewer_edits, wrong_with};
use super::goal::{Cost, Goal};
use super::look::{Look, Seen};
use super::outcome::{Nothing, ReduceOutcome};
use super::shrink::{Shrunk, drop_edits, shrink};
use super::signature::{BugSignature, WantedBug};
use super::{Reduced, Step, Test, Until};
use crate::case::{Case, Edit};
use crate::finding::words;
use crate::judge::oracle::Entry;
use crate::judge::{Budget, Complaint, Evidence, Parties, TrialRunner};
use crate::solver::{AskMode, Limits, Solver, SolverError};

/// The time that a candidate may take beyond three times that of the script itself.
const SLACK: Duration = Duration::from_millis(500);

/// The time that a question in a session may take beyond that of fresh processes for the script itself.
const GLANCE: Duration = Duration::from_millis(50);

/// A job of reduction.
pub struct Job<'a> {
    /// The solvers that are asked.
    pub solvers: &'a [Solver],
    /// The solvers that are asked only where solvers contradict each other, or where a case rests on its claims.
    pub witnesses: &'a [Solver],
    /// The oracles that judge.
    pub oracles: &'a [&'static Entry],
    /// The limits of one question.
    pub limits: Limits,
    /// How far deciding who is wrong may go.
    pub budget: Budget,
    /// How many candidates are tried at a time.
    pub jobs: usize,
    /// Whether the place of a crash and the wrong answer may change.
    pub any: bool,
    /// The time that it may take, from when it is known that something is wrong.
    pub time: Option<Duration>,
    /// A flag that ends the job with the smallest script by then.
    pub stop: Option<&'a AtomicBool>,
}

/// How the case of a finding was made, so that it can be made again.
pub struct Origin<'a> {
    /// The case with all that it claims.
    pub own: Case,
    /// The seed, and the edits that made the case of it.
    pub edits: Option<(&'a Script, &'a [&'a Edit])>,
    /// The cases that are made in the same way. A smaller one may show the same.
    pub family: Vec<Case>,
}

impl<'a> Job<'a> {
    /// A job for these, without a deadline, one candidate at a time.
    pub fn new(
        solvers: &'a [Solver],
        witnesses: &'a [Solver],
        oracles: &'a [&'static Entry],
        limits: Limits,
    ) -> Job<'a> {
        let budget = Budget::default();
        Job { solvers, witnesses, oracles, limits, budget, jobs: 1, any: false, time: None, stop: None }
    }

    pub(super) fn trials<'b>(
        &'b self,
        witnesses: &'b [Solver],
        way: AskMode,
        limits: Limits,
        quiet: &'b RwLock<()>,
    ) -> TrialRunner<'b> {
        TrialRunner::new(
            Parties { solvers: self.solvers, witnesses, oracles: self.oracles },
            limits,
            way,
            quiet,
        )
        .deciding_within(self.budget)
    }

    /// Shrinks what is wrong with a script, with as few options of the accused as show it. With `wanted`, that must be what is
    /// wrong. Where it is open who is wrong, a smaller
    /// script may decide that; the job then goes on with what is decided.
    ///
    /// With an origin, as many edits are dropped first as can be, or the case is made again as the smallest of its family. Where
    /// only what is true by construction shows what is wrong, the case is made again from a smaller seed, and no more can be
    /// done.
    pub fn wrong(
        &self,
        script: Script,
        origin: Option<Origin<'_>>,
        wanted: Option<WantedBug>,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<ReduceOutcome, Nothing> {
        let own = origin.as_ref().map_or_else(|| bare(&script), |origin| origin.own.clone());
        let fewer = self.with_fewer_options(&own, wanted)?;
        let solvers = fewer.as_deref().unwrap_or(self.solvers);
        let &Job { witnesses, oracles, limits, budget, jobs, any, time, stop, .. } = self;
        let job = Job { solvers, witnesses, oracles, limits, budget, jobs, any, time, stop };
        job.with_these_options(script, origin, wanted, watch)
    }

    /// The same, with the options that the solvers have.
    fn with_these_options(
        &self,
        script: Script,
        origin: Option<Origin<'_>>,
        wanted: Option<WantedBug>,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<ReduceOutcome, Nothing> {
        // The clock runs from when it is known that something is wrong.
        let begun = OnceCell::new();
        let until = || *begun.get_or_init(|| Until::within(self.time, self.stop));
        let quiet = RwLock::new(());
        let mut first = self.trials(&[], AskMode::Fresh, self.limits, &quiet);
        let mut claiming: Vec<TrialRunner<'_>> = (0..self.jobs.max(1))
            .map(|_| self.trials(self.witnesses, AskMode::Fresh, self.limits, &quiet))
            .collect();
        let (own, edited, family) = match origin {
            Some(Origin { own, edits, family }) => (Some(own), edits, family),
            None => (None, None, Vec::new()),
        };
        let given = Given { script, own, family };
        let (made, mut seen) = self.found(&mut first, &mut claiming, given, wanted, &until)?;
        let complaint = match (seen.complaint.take(), &made) {
            (Some(complaint), _) => complaint,
            (None, Some(made)) => return self.by_construction(claiming, made),
            (None, None) => return Err(Nothing::Clean(seen.told)),
        };
        until();
        let (way, mut judges, lost) = self.judges(first, &seen, &complaint, &quiet)?;
        let mut cpu = finished(claiming)? + lost;
        let mut start = seen.script;
        let (mut edits, mut tried) = made.as_ref().map_or((None, 0), |made| (made.edits, made.tried));
        if let Some((seed, all)) = edited.filter(|_| made.is_none())
            && let Some(fewest) = drop_edits(seed, all, &mut judges, until())?
        {
            edits = Some((fewest.kept, all.len()));
            tried += fewest.tried;
            start = fewest.of;
        }
        let shrunk = shrink(start, &mut judges, until(), watch)?;
        for judge in judges {
            cpu += judge.finish()?;
        }
        let summary = self.summary(&complaint);
        let Some(mut shrunk) = shrunk else { return Err(Nothing::Unconfirmed(summary)) };
        shrunk.reduced.tried += tried;
        Ok(ReduceOutcome {
            complaint: Some(complaint),
            summary: Some(summary),
            shrunk,
            way,
            edits,
            made: made.map(|m| m.case.lineage.about).filter(|about| !about.is_empty()),
            rests_on: Vec::new(),
            cpu,
        })
    }

    /// What is wrong with a script, and the case that was made again for it, if one was.
    fn found(
        &self,
        first: &mut TrialRunner<'_>,
        claiming: &mut [TrialRunner<'_>],
        given: Given,
        wanted: Option<WantedBug>,
        until: &dyn Fn() -> Until<'a>,
    ) -> Result<(Option<Made>, Seen<'_>), SolverError> {
        let Given { script, own, family } = given;
        let mut made = None;
        // What it claims of other scripts may be all that shows it.
        let mut claims = own.filter(|own| !own.claims.is_empty());
        if !family.is_empty()
            && let Some(own) = claims.take()
        {
            made = self.again(claiming, own, family, wanted, until)?;
        }
        let script = made.as_ref().map_or(script, |made: &Made| made.case.script.clone());
        let look = Look { solvers: self.solvers, witnesses: self.witnesses, wanted };
        let mut seen = look.at(first, &mut claiming[0], &script)?;
        if let (None, Some(own)) = (&seen.complaint, claims) {
            made = self.again(claiming, own, Vec::new(), wanted, until)?;
            if let Some(made) = made.as_ref().filter(|made| made.text != seen.text) {
                seen = look.at(first, &mut claiming[0], &made.case.script)?;
            }
        }
        Ok((made, seen))
    }

    /// The judges of a complaint, how they screen candidates, and the CPU time of finding that out.
    fn judges<'b>(
        &'b self,
        mut first: TrialRunner<'b>,
        seen: &Seen<'b>,
        complaint: &Complaint,
        quiet: &'b RwLock<()>,
    ) -> Result<(AskMode, Vec<Judge<'b>>, Duration), SolverError> {
        let aim = BugSignature::of(complaint, self.any, self.solvers);
        first.hear(seen.witnesses);
        // A session that needs longer than fresh processes did is not worth while.
        let (glance, candidate) = (self.limits_within(seen.taken + GLANCE), self.limits_from(seen.taken));
        let asking = |way| first.in_way(way, glance, candidate);
        let (way, warm, lost) = Job::way(&aim, &seen.script, &seen.text, asking)?;
        let accused = &self.solvers[complaint.against.unwrap_or(0).min(self.solvers.len() - 1)];
        // A finding is confirmed with all the time there is.
        let bounds = Bounds { finding: self.limits, candidate };
        let mut judges = vec![Judge::new(warm, first, Goal::Wrong(aim), accused, bounds)];
        for _ in 1..self.jobs.max(1) {
            let fresh = self.trials(seen.witnesses, AskMode::Fresh, self.limits, quiet);
            let warm = (way != AskMode::Fresh).then(|| fresh.in_way(way, glance, candidate));
            judges.push(judges[0].beside(warm, fresh));
        }
        Ok((way, judges, lost))
    }

    /// What a complaint says, in a sentence.
    fn summary(&self, complaint: &Complaint) -> String {
        let accused = complaint.against.and_then(|i| self.solvers.get(i));
        words::summary_of(&complaint.fault, accused.map(|solver| solver.name.as_str()))
    }

    /// The case from as few edits and as small a seed, or as small a one of its family, as is wrong as this one is, by all that it
    /// claims; none if this one is not.
    fn again(
        &self,
        runners: &mut [TrialRunner<'_>],
        own: Case,
        family: Vec<Case>,
        wanted: Option<WantedBug>,
        until: &dyn Fn() -> Until<'a>,
    ) -> Result<Option<Made>, SolverError> {
        let fits = |c: &Complaint| wanted.is_none_or(|wanted| wanted.fits(c));
        let known = runners[0].answers_to_others(&own)?;
        let Some(own) = wrong_with(&mut runners[0], own, known, fits)? else { return Ok(None) };
        let aim = BugSignature::of(&own.seen.1, self.any, self.solvers);
        if family.is_empty() {
            let fewer = with_fewer_edits(runners, own, &aim, until())?;
            return from_less(runners, fewer, &aim, until()).map(Some);
        }
        smallest(runners, own, family, &aim, until()).map(Some)
    }

    /// What only its claims show to be wrong: what cannot be made again smaller would lose them.
    fn by_construction(
        &self,
        mut runners: Vec<TrialRunner<'_>>,
        made: &Made,
    ) -> Result<ReduceOutcome, Nothing> {
        let Some(finding) = confirmed(&mut runners[0], made)? else {
            return Err(Nothing::Unconfirmed(self.summary(&made.seen.1)));
        };
        let mut reduced = Reduced::whole(made.case.script.clone(), made.text.clone(), made.tried);
        reduced.cut_short = made.cut_short;
        let claimed = |e: &Evidence| match e {
            Evidence::Claimed { claim } => Some(claim.clone()),
            _ => None,
        };
        let about = &made.case.lineage.about;
        Ok(ReduceOutcome {
            complaint: Some(made.seen.1.clone()),
            summary: Some(self.summary(&made.seen.1)),
            rests_on: finding.evidence.iter().filter_map(claimed).collect(),
            shrunk: Shrunk { reduced, finding: Some(finding) },
            way: AskMode::Fresh,
            edits: made.edits,
            made: (!about.is_empty()).then(|| about.clone()),
            cpu: finished(runners)?,
        })
    }

    /// Shrinks a script on which the first solver needs more CPU time than this.
    pub fn slow(
        &self,
        script: Script,
        than: Cost,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<ReduceOutcome, Nothing> {
        let quiet = RwLock::new(());
        let solver = &self.solvers[0];
        if matches!(than, Cost::Units(_)) && solver.profile.run.units.is_empty() {
            return Err(Nothing::Countless(solver.name.clone()));
        }
        let judge = || {
            let trials = self.trials(&[], AskMode::Fresh, self.limits, &quiet);
            Judge::new(
                None,
                trials,
                Goal::Slow(than),
                solver,
                Bounds { finding: self.limits, candidate: self.limits },
            )
        };
        let mut judges: Vec<Judge<'_>> = (0..self.jobs.max(1)).map(|_| judge()).collect();
        let text = script.text();
        if !judges[0].wanted(&script, &text)? {
            return Err(Nothing::Fast(solver.name.clone()));
        }
        let shrunk = shrink(script, &mut judges, Until::within(self.time, self.stop), watch)?;
        let mut cpu = Duration::ZERO;
        for judge in judges {
            cpu += judge.finish()?;
        }
        let Some(shrunk) = shrunk else { return Err(Nothing::Fast(solver.name.clone())) };
        let (edits, made, rests_on) = (None, None, Vec::new());
        Ok(ReduceOutcome {
            complaint: None,
            summary: None,
            shrunk,
            way: AskMode::Fresh,
            edits,
            made,
            rests_on,
            cpu,
        })
    }

    /// What a candidate may cost, given what the script itself took: it is smaller, so it should not take much longer.
    fn limits_from(&self, taken: Duration) -> Limits {
        self.limits_within(taken * 3 + SLACK)
    }

    fn limits_within(&self, time: Duration) -> Limits {
        let time = time.min(self.limits.wall);
        Limits { wall: time, cpu: time.min(self.limits.cpu), ..self.limits }
    }

    /// The fastest way of asking that shows what is wrong, who was asked so, and the CPU time of those that do not show it.
    fn way<'b>(
        aim: &BugSignature,
        script: &Script,
        text: &str,
        trials: impl Fn(AskMode) -> TrialRunner<'b>,
    ) -> Result<(AskMode, Option<TrialRunner<'b>>, Duration), SolverError> {
        let mut lost = Duration::ZERO;
        for way in [AskMode::Scoped, AskMode::Reset] {
            let mut trials = trials(way);
            if meets(&mut trials, aim, script, text)?.is_some_and(|shown| shown.is_there()) {
                return Ok((way, Some(trials), lost));
            }
            lost += trials.runner.finish()?;
        }
        Ok((AskMode::Fresh, None, lost))
    }
}

/// What a job is given to reduce.
struct Given {
    script: Script,
    /// The case with all that it claims, if that is known.
    own: Option<Case>,
    /// The cases that are made in the same way.
    family: Vec<Case>,
}

/// Ends the solvers of trial runners. Returns the CPU time that they used.
fn finished(runners: Vec<TrialRunner<'_>>) -> Result<Duration, SolverError> {
    let mut cpu = Duration::ZERO;
    for trials in runners {
        cpu += trials.runner.finish()?;
    }
    Ok(cpu)
}
