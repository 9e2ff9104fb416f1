//! One job of shrinking: what is wrong with a script, how it can be asked fast, and the smallest that is still wrong.

use std::cell::OnceCell;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use smt::theory::table;
use smt::{Head, Script, TermId, What};

use super::check::{Bounds, Judge, meets};
use super::construct::{Made, confirmed, from_less, smallest, with_fewer_edits, wrong_with};
use super::shrink::{BugSignature, Cost, Goal, Shrunk, drop_edits, look, shrink, text_of};
use super::{Reduced, Step, Test, Until};
use crate::case::{Case, Claim, Edit};
use crate::finding::words;
use crate::judge::TrialRunner;
use crate::judge::language::reads;
use crate::judge::oracle::Entry;
use crate::judge::{Budget, Complaint, Evidence, Kind};
use crate::solver::{AskMode, Limits, Run, Solver, SolverError, SolverId};

/// Time beside what the script itself takes.
const SLACK: Duration = Duration::from_millis(500);

/// Time of a question in a session, beside what fresh processes took for the script itself.
const GLANCE: Duration = Duration::from_millis(50);

/// How to shrink.
pub struct Job<'a> {
    /// Who is asked.
    pub solvers: &'a [Solver],
    /// Who is asked only where a meaning is disputed, of what stands on its claims.
    pub witnesses: &'a [Solver],
    /// Who judges.
    pub oracles: &'a [&'static Entry],
    /// What one question may cost.
    pub limits: Limits,
    /// How far deciding who is wrong may go.
    pub budget: Budget,
    /// How many candidates are tried at a time.
    pub jobs: usize,
    /// Whether the place of a crash and the wrong answer may change.
    pub any: bool,
    /// How long it may take from when it is known that something is wrong.
    pub time: Option<Duration>,
    /// What is set when somebody wants what there is.
    pub stop: Option<&'a AtomicBool>,
}

/// How the case of a finding was made, for gear one.
pub struct Origin<'a> {
    /// The case with all that it claims.
    pub own: Case,
    /// A seed and what was done to it, of which less may do.
    pub edits: Option<(&'a Script, &'a [&'a Edit])>,
    /// The cases that are made in the same way, of which a smaller one may do.
    pub family: Vec<Case>,
}

/// What came of a job.
pub struct ReduceOutcome {
    /// What was wrong at first.
    pub complaint: Option<Complaint>,
    /// The same in a sentence.
    pub summary: Option<String>,
    /// What is left.
    pub shrunk: Shrunk,
    /// How candidates were screened.
    pub way: AskMode,
    /// How many edits of how many were needed, where there are any.
    pub edits: Option<(usize, usize)>,
    /// What a constructed case was made again as.
    pub made: Option<String>,
    /// The claims that it rests on, where nothing else shows it.
    pub rests_on: Vec<Claim>,
    /// CPU time of the solvers.
    pub cpu: Duration,
}

/// Why there is nothing to shrink.
#[derive(Debug, thiserror::Error)]
pub enum Nothing {
    /// Nobody can be accused of anything.
    #[error("nothing is wrong with this script that our oracles can show{0}")]
    Clean(String),
    /// It was seen once and not again.
    #[error("{0}; but fresh processes do not show it twice")]
    Unconfirmed(String),
    /// It is not as slow as that.
    #[error("{0} needs no more than that")]
    Fast(SolverId),
    /// It counts nothing.
    #[error("{0} has no count of its own: give a time, such as 5s")]
    Countless(SolverId),
    /// It cannot go on.
    #[error(transparent)]
    Failed(#[from] SolverError),
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

    fn court<'b>(
        &'b self,
        witnesses: &'b [Solver],
        way: AskMode,
        limits: Limits,
        quiet: &'b RwLock<()>,
    ) -> TrialRunner<'b> {
        TrialRunner::new(self.solvers, witnesses, self.oracles, limits, way, quiet)
            .deciding_within(self.budget)
    }

    /// Shrinks what is wrong with a script. With `wanted`, that must be what is wrong. With an origin, as many edits are dropped
    /// first as can be, or the case is made again as the smallest of its family; where only what is true by construction
    /// shows what is wrong, it is made again from a smaller seed, and no more can be done.
    pub fn wrong(
        &self,
        script: Script,
        origin: Option<Origin<'_>>,
        wanted: Option<(Kind, Option<usize>)>,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<ReduceOutcome, Nothing> {
        // The clock runs from when it is known that something is wrong.
        let begun = OnceCell::new();
        let until = || *begun.get_or_init(|| Until::within(self.time, self.stop));
        let quiet = RwLock::new(());
        let mut first = self.court(&[], AskMode::Fresh, self.limits, &quiet);
        let mut claiming: Vec<TrialRunner<'_>> = (0..self.jobs.max(1))
            .map(|_| self.court(self.witnesses, AskMode::Fresh, self.limits, &quiet))
            .collect();
        let (own, edited, family) = match origin {
            Some(Origin { own, edits, family }) => (Some(own), edits, family),
            None => (None, None, Vec::new()),
        };
        let mut made = None;
        // What it claims of other scripts may be all that shows it.
        let mut claims = own.filter(|own| !own.claims.is_empty());
        if !family.is_empty()
            && let Some(own) = claims.take()
        {
            made = self.again(&mut claiming, own, family, wanted, &until)?;
        }
        let script = made.as_ref().map_or(script, |made: &Made| made.case.script.clone());
        let mut seen = self.looked(&mut first, &mut claiming[0], &script, wanted)?;
        if let (None, Some(own)) = (&seen.complaint, claims) {
            made = self.again(&mut claiming, own, Vec::new(), wanted, &until)?;
            if let Some(made) = made.as_ref().filter(|made| made.text != seen.text) {
                seen = self.looked(&mut first, &mut claiming[0], &made.case.script, wanted)?;
            }
        }
        let Seen { script, text, taken, witnesses, .. } = seen;
        let complaint = match (seen.complaint, &made) {
            (Some(complaint), _) => complaint,
            (None, Some(made)) => return self.by_construction(claiming, made),
            (None, None) => return Err(Nothing::Clean(seen.told)),
        };
        until();
        let aim = BugSignature::of(&complaint, self.any);
        first.hear(witnesses);
        // A session that needs longer than fresh processes did is not worth while.
        let (glance, candidate) = (self.limits_within(taken + GLANCE), self.limits_from(taken));
        let (way, warm, lost) = Job::way(&aim, &script, &text, |way| first.in_way(way, glance, candidate))?;
        let mut cpu = finished(claiming)? + lost;
        let accused = &self.solvers[complaint.against.unwrap_or(0).min(self.solvers.len() - 1)];
        // A finding is confirmed with all the time there is.
        let bounds = Bounds { finding: self.limits, candidate };
        let mut judges = vec![Judge::new(warm, first, Goal::Wrong(aim), accused, bounds)];
        for _ in 1..self.jobs.max(1) {
            let fresh = self.court(witnesses, AskMode::Fresh, self.limits, &quiet);
            let warm = (way != AskMode::Fresh).then(|| fresh.in_way(way, glance, candidate));
            judges.push(judges[0].beside(warm, fresh));
        }
        let mut start = script;
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

    /// What a complaint says, in a sentence.
    fn summary(&self, complaint: &Complaint) -> String {
        let accused = complaint.against.and_then(|i| self.solvers.get(i));
        words::summary_of(&complaint.fault, accused.map(|solver| solver.name.as_str()))
    }

    /// What is wrong with a script that claims nothing.
    fn looked(
        &self,
        first: &mut TrialRunner<'_>,
        claiming: &mut TrialRunner<'_>,
        whole: &Script,
        wanted: Option<(Kind, Option<usize>)>,
    ) -> Result<Seen<'_>, SolverError> {
        let mut begin = Instant::now();
        // Without the script's own questions for models and the like, which ours would be mixed up with; else as it is.
        let mut script = only_checks(whole);
        let mut text = text_of(&script);
        let (mut complaint, mut told) = self.worst(first, &script, &text, wanted)?;
        if complaint.is_none() && script.commands.len() < whole.commands.len() {
            begin = Instant::now();
            (script, text) = (whole.clone(), text_of(whole));
            (complaint, told) = self.worst(first, &script, &text, wanted)?;
        }
        let mut witnesses: &[Solver] = &[];
        if complaint.is_none() && !self.witnesses.is_empty() {
            // It may have taken somebody else to show it: then they are asked all the way.
            begin = Instant::now();
            (complaint, _) = self.worst(claiming, &script, &text, wanted)?;
            witnesses = self.witnesses;
        }
        Ok(Seen { script, text, complaint, told, taken: begin.elapsed(), witnesses })
    }

    /// The case from as few edits and as small a seed, or as small a one of its family, as is wrong as this one is, by all that it
    /// claims; none if this one is not.
    fn again(
        &self,
        courts: &mut [TrialRunner<'_>],
        own: Case,
        family: Vec<Case>,
        wanted: Option<(Kind, Option<usize>)>,
        until: &dyn Fn() -> Until<'a>,
    ) -> Result<Option<Made>, SolverError> {
        let fits = |c: &Complaint| wanted.is_none_or(|(kind, whom)| c.kind() == kind && c.against == whom);
        let known = courts[0].answers_to_others(&own)?;
        let Some(own) = wrong_with(&mut courts[0], own, known, fits)? else { return Ok(None) };
        let aim = BugSignature::of(&own.seen.1, self.any);
        if family.is_empty() {
            let fewer = with_fewer_edits(courts, own, &aim, until())?;
            return from_less(courts, fewer, &aim, until()).map(Some);
        }
        smallest(courts, own, family, &aim, until()).map(Some)
    }

    /// What only its claims show to be wrong: what cannot be made again smaller would lose them.
    fn by_construction(
        &self,
        mut courts: Vec<TrialRunner<'_>>,
        made: &Made,
    ) -> Result<ReduceOutcome, Nothing> {
        let Some(finding) = confirmed(&mut courts[0], made)? else {
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
            cpu: finished(courts)?,
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
            let court = self.court(&[], AskMode::Fresh, self.limits, &quiet);
            Judge::new(
                None,
                court,
                Goal::Slow(than),
                solver,
                Bounds { finding: self.limits, candidate: self.limits },
            )
        };
        let mut judges: Vec<Judge<'_>> = (0..self.jobs.max(1)).map(|_| judge()).collect();
        let text = text_of(&script);
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

    /// The worst that is wrong, or why nothing is.
    fn worst(
        &self,
        court: &mut TrialRunner<'_>,
        script: &Script,
        text: &str,
        wanted: Option<(Kind, Option<usize>)>,
    ) -> Result<(Option<Complaint>, String), SolverError> {
        let found = look(court, script, text)?;
        let fits = |c: &Complaint| wanted.is_none_or(|(kind, whom)| c.kind() == kind && c.against == whom);
        let worst = found.into_iter().map(|(_, c)| c).find(fits);
        if worst.is_some() {
            return Ok((worst, String::new()));
        }
        let case = Case {
            script: script.clone(),
            others: Vec::new(),
            claims: Vec::<Claim>::new(),
            lineage: crate::case::Lineage::default(),
        };
        let tried = court.try_case(&case, text, Vec::new())?;
        let mut said: Vec<String> = self
            .solvers
            .iter()
            .zip(&tried.runs)
            .map(|(solver, run)| what_it_did(solver, run.as_ref(), script))
            .collect();
        said.extend(tried.abstained.iter().map(words::abstention));
        Ok((None, format!(" ({}); another `--solver` to compare with may show more", said.join(", "))))
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
        court: impl Fn(AskMode) -> TrialRunner<'b>,
    ) -> Result<(AskMode, Option<TrialRunner<'b>>, Duration), SolverError> {
        let mut lost = Duration::ZERO;
        for way in [AskMode::Scoped, AskMode::Reset] {
            let mut court = court(way);
            if meets(&mut court, aim, script, text)? == Some(true) {
                return Ok((way, Some(court), lost));
            }
            lost += court.runner.finish()?;
        }
        Ok((AskMode::Fresh, None, lost))
    }
}

/// What is wrong with a script that claims nothing, and how it was seen.
struct Seen<'a> {
    script: Script,
    text: String,
    complaint: Option<Complaint>,
    /// Why nothing is wrong.
    told: String,
    /// How long it took.
    taken: Duration,
    /// Who else was asked.
    witnesses: &'a [Solver],
}

/// Ends the solvers of courts; tells the CPU time they used.
fn finished(courts: Vec<TrialRunner<'_>>) -> Result<Duration, SolverError> {
    let mut cpu = Duration::ZERO;
    for court in courts {
        cpu += court.runner.finish()?;
    }
    Ok(cpu)
}

/// What a solver did, in words: what it says, how it ended, why it was not asked.
fn what_it_did(solver: &Solver, run: Option<&Run>, script: &Script) -> String {
    let Some(run) = run else {
        let unread = unread(solver, script).unwrap_or_else(|| "something in it".to_owned());
        return format!("{} was not asked, as it does not read {unread}", solver.name);
    };
    let answers = run.reply.answers();
    let words: Vec<_> = answers.iter().map(|a| a.word()).collect();
    let did = if words.is_empty() { run.ending.to_string() } else { format!("says {}", words.join(" ")) };
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let complains = words.is_empty().then(|| line(&run.reply.stderr)).flatten();
    match run.reply.errors.first().and_then(|text| line(text)).or(complains) {
        Some(error) => format!("{} {did}: {error}", solver.name),
        None => format!("{} {did}", solver.name),
    }
}

/// The first operator of what is asked that the solver is known not to read, with the number of its arguments.
fn unread(solver: &Solver, script: &Script) -> Option<String> {
    let pool = &script.pool;
    let mut left: Vec<TermId> = script.queries().into_iter().flat_map(|ask| ask.assertions).collect();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term).head {
            Head::Op(op, _) if reads(solver, table().op(op)) == Some(false) => {
                return Some(format!("`{}` of {} arguments", table().op(op).name, pool.args(term).len()));
            }
            Head::Fun(fun) => left.extend(pool.body(fun).map(|(_, body)| body)),
            _ => {}
        }
        left.extend_from_slice(pool.args(term));
    }
    None
}

/// The script without the commands that ask for anything but answers.
fn only_checks(script: &Script) -> Script {
    let mut plain = script.clone();
    let asks = |what: What| matches!(what, What::GetValue(_) | What::Query(..) | What::Other(_) | What::Exit);
    plain.commands.retain(|c| !asks(c.what));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::acquire::home::Home;

    #[test]
    fn what_is_not_read_is_named() {
        let (text, plain) = ("(= (seq.replace_all a a a) a)", "(= (seq.indexof a a) 1)");
        // (the solver, what it is asked, what it does not read)
        let rows = [
            ("z3@4.8.7", text, Some("`seq.replace_all` of 3 arguments")),
            ("z3@5.4.0", text, None),
            ("z3@4.8.7", plain, None),
            ("cvc5@1.4.2", plain, Some("`seq.indexof` of 2 arguments")),
        ];
        let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
        for (name, assertion, expected) in rows {
            let id: SolverId = name.parse().expect("a name");
            let profile = id.profile().expect("a profile");
            let solver = Solver::installed(&profile, id.release().expect("a release"), &home);
            let text = format!("(declare-const a (Seq Int))(assert {assertion})(check-sat)");
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            assert_eq!(unread(&solver, &script).as_deref(), expected, "{name} {assertion}");
        }
    }
}
