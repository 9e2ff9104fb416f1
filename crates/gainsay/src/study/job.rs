//! One job of shrinking: what is wrong with a script, how it can be asked fast, and the smallest that is still wrong.

use std::sync::RwLock;
use std::time::{Duration, Instant};

use smt::{Script, What};

use super::construct::{Made, confirmed, smallest, wrong_with};
use super::shrink::{Aim, Cost, Goal, Judge, Shrunk, drop_edits, look, meets, shrink, text_of};
use crate::case::{Case, Claim, Edit};
use crate::hunt::{Court, HuntError};
use crate::oracle::{Complaint, Entry, Kind};
use crate::reduce::{Reduced, Step, Test};
use crate::solver::{Limits, Solver, Way};

/// Time beside what the script itself takes.
const SLACK: Duration = Duration::from_millis(500);

/// Time to see whether a session shows it, beside what fresh processes took.
const GLANCE: Duration = Duration::from_millis(200);

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
    /// How many candidates are tried at a time.
    pub jobs: usize,
    /// Whether the place of a crash and the wrong answer may change.
    pub any: bool,
    /// How long it may take in all.
    pub time: Option<Duration>,
}

/// How the case of a finding was made, for gear one.
pub enum Origin<'a> {
    /// By edits of a seed, of which fewer may do.
    Edits(&'a Script, &'a [&'a Edit]),
    /// By construction, as this case of a family, of which a smaller one may do.
    Family(Box<Case>, Vec<Case>),
}

/// What came of a job.
pub struct Came {
    /// What was wrong at first.
    pub complaint: Option<Complaint>,
    /// What is left.
    pub shrunk: Shrunk,
    /// How candidates were screened.
    pub way: Way,
    /// How many edits of how many were needed, where there are any.
    pub edits: Option<(usize, usize)>,
    /// What a constructed case was made again as.
    pub made: Option<String>,
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
    Fast(String),
    /// It counts nothing.
    #[error("{0} has no count of its own: give a time, such as 5s")]
    Countless(String),
    /// It cannot go on.
    #[error(transparent)]
    Failed(#[from] HuntError),
}

impl Job<'_> {
    fn court<'b>(
        &'b self,
        witnesses: &'b [Solver],
        way: Way,
        limits: Limits,
        quiet: &'b RwLock<()>,
    ) -> Court<'b> {
        Court::new(self.solvers, witnesses, self.oracles, limits, way, quiet)
    }

    /// Shrinks what is wrong with a script. With `kind`, that must be what is wrong. With an origin, as many edits are dropped
    /// first as can be, or the case is made again as the smallest of its family; where only what is true by construction
    /// shows what is wrong, that is all that can be done.
    pub fn wrong(
        &self,
        script: Script,
        origin: Option<Origin<'_>>,
        wanted: Option<(Kind, Option<usize>)>,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Came, Nothing> {
        let quiet = RwLock::new(());
        let mut first = self.court(&[], Way::Fresh, self.limits, &quiet);
        let mut claiming = self.court(self.witnesses, Way::Fresh, self.limits, &quiet);
        let (edited, made) = match origin {
            Some(Origin::Edits(seed, all)) => (Some((seed, all)), None),
            Some(Origin::Family(own, family)) => (None, self.again(&mut claiming, *own, family, wanted)?),
            None => (None, None),
        };
        let script = made.as_ref().map_or(script, |made| made.case.script.clone());
        let mut begin = Instant::now();
        // Without the script's own questions for models and the like, which ours would be mixed up with; else as it is.
        let (mut script, whole) = (only_checks(&script), script);
        let mut text = text_of(&script);
        let (mut complaint, mut told) = self.worst(&mut first, &script, &text, wanted)?;
        if complaint.is_none() && script.commands.len() < whole.commands.len() {
            begin = Instant::now();
            (script, text) = (whole.clone(), text_of(&whole));
            (complaint, told) = self.worst(&mut first, &script, &text, wanted)?;
        }
        let mut witnesses: &[Solver] = &[];
        if complaint.is_none() && !self.witnesses.is_empty() {
            // It may have taken somebody else to show it: then they are asked all the way.
            begin = Instant::now();
            (complaint, _) = self.worst(&mut claiming, &script, &text, wanted)?;
            witnesses = self.witnesses;
        }
        let complaint = match (complaint, made.as_ref()) {
            (Some(complaint), _) => complaint,
            (None, Some(made)) => return Job::by_construction(claiming, made),
            (None, None) => return Err(Nothing::Clean(told)),
        };
        let taken = begin.elapsed();
        let limits = self.limits_from(taken);
        let aim = Aim::of(&complaint, self.any);
        // A session that needs longer than fresh processes did is not worth while.
        let way = self.way(&aim, &script, &text, (witnesses, self.limits_within(taken + GLANCE)), &quiet)?;
        let goal = Goal::Wrong(aim);
        let mut cpu = claiming.runner.finish().map_err(HuntError::from)?;
        cpu += first.runner.finish().map_err(HuntError::from)?;
        let accused = &self.solvers[complaint.against.unwrap_or(0).min(self.solvers.len() - 1)];
        let judge = || {
            let warm = (way != Way::Fresh).then(|| self.court(witnesses, way, limits, &quiet));
            // A finding is confirmed with all the time there is.
            let fresh = self.court(witnesses, Way::Fresh, self.limits, &quiet);
            Judge::new(warm, fresh, goal.clone(), accused, self.limits)
        };
        let mut judges: Vec<Judge<'_>> = (0..self.jobs.max(1)).map(|_| judge()).collect();
        let (mut start, mut edits) = (script, None);
        if let Some((seed, all)) = edited
            && let Some((fewer, count)) = drop_edits(seed, all, &mut judges[0])?
        {
            edits = Some((count, all.len()));
            start = fewer;
        }
        let shrunk = shrink(start, &mut judges, self.time, watch)?;
        for judge in judges {
            cpu += judge.finish().map_err(HuntError::from)?;
        }
        let Some(shrunk) = shrunk else { return Err(Nothing::Unconfirmed(complaint.summary)) };
        Ok(Came {
            complaint: Some(complaint),
            shrunk,
            way,
            edits,
            made: made.map(|m| m.case.lineage.about),
            cpu,
        })
    }

    /// The smallest case of a family that is wrong as this one is; none if this one is not.
    fn again(
        &self,
        court: &mut Court<'_>,
        own: Case,
        family: Vec<Case>,
        wanted: Option<(Kind, Option<usize>)>,
    ) -> Result<Option<Made>, HuntError> {
        let fits = |c: &Complaint| wanted.is_none_or(|(kind, whom)| c.kind == kind && c.against == whom);
        let Some(own) = wrong_with(court, own, fits)? else { return Ok(None) };
        let aim = Aim::of(&own.seen.1, self.any);
        smallest(court, own, family, &aim).map(Some)
    }

    /// What only its claims show to be wrong: no script can be made smaller without losing them.
    fn by_construction(mut court: Court<'_>, made: &Made) -> Result<Came, Nothing> {
        let Some(finding) = confirmed(&mut court, made)? else {
            return Err(Nothing::Unconfirmed(made.seen.1.summary.clone()));
        };
        let reduced = Reduced::whole(made.case.script.clone(), made.text.clone(), made.tried);
        let cpu = court.runner.finish().map_err(HuntError::from)?;
        Ok(Came {
            complaint: Some(made.seen.1.clone()),
            shrunk: Shrunk { reduced, finding: Some(finding) },
            way: Way::Fresh,
            edits: None,
            made: Some(made.case.lineage.about.clone()),
            cpu,
        })
    }

    /// Shrinks a script on which the first solver needs more CPU time than this.
    pub fn slow(
        &self,
        script: Script,
        than: Cost,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Came, Nothing> {
        let quiet = RwLock::new(());
        let solver = &self.solvers[0];
        if matches!(than, Cost::Units(_)) && solver.profile.run.units.is_empty() {
            return Err(Nothing::Countless(solver.name.clone()));
        }
        let judge = || {
            let court = self.court(&[], Way::Fresh, self.limits, &quiet);
            Judge::new(None, court, Goal::Slow(than), solver, self.limits)
        };
        let mut judges: Vec<Judge<'_>> = (0..self.jobs.max(1)).map(|_| judge()).collect();
        let text = text_of(&script);
        if !judges[0].wanted(&script, &text)? {
            return Err(Nothing::Fast(solver.name.clone()));
        }
        let shrunk = shrink(script, &mut judges, self.time, watch)?;
        let mut cpu = Duration::ZERO;
        for judge in judges {
            cpu += judge.finish().map_err(HuntError::from)?;
        }
        let Some(shrunk) = shrunk else { return Err(Nothing::Fast(solver.name.clone())) };
        Ok(Came { complaint: None, shrunk, way: Way::Fresh, edits: None, made: None, cpu })
    }

    /// The worst that is wrong, or why nothing is.
    fn worst(
        &self,
        court: &mut Court<'_>,
        script: &Script,
        text: &str,
        wanted: Option<(Kind, Option<usize>)>,
    ) -> Result<(Option<Complaint>, String), HuntError> {
        let found = look(court, script, text)?;
        let fits = |c: &Complaint| wanted.is_none_or(|(kind, whom)| c.kind == kind && c.against == whom);
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
        let mut said = Vec::new();
        for (solver, run) in self.solvers.iter().zip(&tried.runs) {
            let answers = run.as_ref().map_or_else(Vec::new, |r| r.reply.answers());
            let words: Vec<_> = answers.iter().map(|a| a.word()).collect();
            let ending = run.as_ref().map_or_else(|| "was not asked".to_owned(), |r| r.ending.to_string());
            said.push(if words.is_empty() {
                format!("{} {ending}", solver.name)
            } else {
                format!("{} says {}", solver.name, words.join(" "))
            });
        }
        said.extend(tried.abstained);
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

    /// The fastest way of asking that shows what is wrong.
    fn way(
        &self,
        aim: &Aim,
        script: &Script,
        text: &str,
        (witnesses, limits): (&[Solver], Limits),
        quiet: &RwLock<()>,
    ) -> Result<Way, HuntError> {
        for way in [Way::Scoped, Way::Reset] {
            let mut court = self.court(witnesses, way, limits, quiet);
            let shows = meets(&mut court, aim, script, text)?;
            court.runner.finish()?;
            if shows {
                return Ok(way);
            }
        }
        Ok(Way::Fresh)
    }
}

/// The script without the commands that ask for anything but answers.
fn only_checks(script: &Script) -> Script {
    let mut plain = script.clone();
    let asks = |what: What| matches!(what, What::GetValue(_) | What::Ask(..) | What::Other(_) | What::Exit);
    plain.commands.retain(|c| !asks(c.what));
    plain
}
