//! A worker: takes series, makes their cases, tries them, and hands in what came of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::cursor::Job;
use super::progress::{Progress, TurnOutcome};
use super::schedule::{Next, Supply};
use super::{Event, HuntError, Plan};
use crate::case::{Answer, Case, Choices};
use crate::finding::{Finding, Turn};
use crate::judge::Confirmation;
use crate::judge::Kind;
use crate::judge::{Auditors, TrialRunner, Word};
use crate::judge::{Known, Trial};
use crate::report::matrix;
use crate::seed::{Asked, Corpus, Seed};
use crate::solver::Outcome;
use crate::store::{HandIn, Kept, Room, SeriesRow, Store};
use crate::strategy::{Strategy, Wants, matches_pattern};

/// How long turns are gathered before they are handed in: a killed run loses no more, and they are only run again.
const GATHER: Duration = Duration::from_millis(100);
/// Time-outs, or refusals, in a row after which a series ends: its seed is too hard, or not for this solver.
const IN_A_ROW: u32 = 5;

pub(super) fn work(
    plan: &Plan,
    (store, supply): (&dyn Store, &dyn Supply),
    progress: &Progress,
    quiet: &RwLock<()>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) -> Result<(), HuntError> {
    let court = TrialRunner::new(&plan.solvers, &plan.witnesses, &plan.oracles, plan.limits, plan.way, quiet);
    let auditors = (!plan.auditors.is_empty()).then(|| Auditors::new(plan.auditors.clone(), plan.limits.cpu));
    let held = Held { turns: Vec::new(), left: Vec::new(), since: Instant::now() };
    let mut worker = Worker { plan, store, supply, progress, stop, events, court, auditors, held };
    loop {
        match supply.next(worker.held.left.is_empty())? {
            Next::Work(job) => worker.series(job)?,
            Next::Later => worker.hand_in()?,
            Next::Over => break,
        }
    }
    worker.hand_in()?;
    supply.finish()?;
    let Worker { court, .. } = worker;
    let cpu = court.runner.finish()?;
    progress.change(|c| c.solver_cpu += cpu);
    Ok(())
}

struct Worker<'a> {
    plan: &'a Plan,
    store: &'a dyn Store,
    supply: &'a dyn Supply,
    progress: &'a Progress,
    stop: &'a AtomicBool,
    events: &'a Sender<Event>,
    court: TrialRunner<'a>,
    auditors: Option<Auditors>,
    held: Held,
}

/// What has not been handed in.
struct Held {
    turns: Vec<HandIn>,
    /// Series that the worker has left.
    left: Vec<SeriesRow>,
    since: Instant,
}

/// Turns of one series that have not been handed in.
#[derive(Default)]
struct Gathered {
    outcomes: Vec<String>,
    tally: BTreeMap<(String, String), u64>,
}

impl Gathered {
    fn count(&mut self, solver: &str, what: &str) {
        self.add(solver, what, 1);
    }

    fn add(&mut self, solver: &str, what: &str, count: u64) {
        if count > 0 {
            *self.tally.entry((solver.to_owned(), what.to_owned())).or_default() += count;
        }
    }
}

impl Worker<'_> {
    fn series(&mut self, job: Job) -> Result<(), HuntError> {
        let Job { mut row, strategy, ordinal } = job;
        let (name, kind) = &self.plan.strategies[strategy];
        let seeds = self.draw_seeds(name, kind.as_ref(), ordinal)?;
        let choices = Choices::drawn(self.plan.draw, name, ordinal);
        let mut series = kind.series(ordinal, &seeds, choices);
        series.skip(row.turns);
        let before = series.skipped();
        let mut gathered = Gathered::default();
        let (mut late, mut refused) = (0, 0);
        while row.turns < row.allotted {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(case) = series.next() else {
                row.ended = true;
                break;
            };
            let turn = Turn { draw: self.plan.draw, series: row.no, step: row.turns };
            let (letters, found) = self.turn(&case, turn, &mut gathered)?;
            row.turns += 1;
            let any = |word: &str| letters.iter().any(|l| l.word() == word);
            late = if any("time-out") { late + 1 } else { 0 };
            refused = if any("rejected") { refused + 1 } else { 0 };
            self.count(name, &letters, &mut gathered);
            let why = match (late, refused, found && kind.ends_at_finding()) {
                _ if !kind.ends_early() => None,
                (IN_A_ROW.., _, _) => Some(("time-outs", format!("{IN_A_ROW} time-outs in a row"))),
                (_, IN_A_ROW.., _) => Some(("refusals", format!("{IN_A_ROW} refusals in a row"))),
                (_, _, true) => Some(("findings", "a finding".to_owned())),
                _ => None,
            };
            if let Some((short, why)) = why {
                row.why = why;
                row.ended = true;
                gathered.count("", &format!("series ended by {short}"));
                break;
            }
            if self.held.since.elapsed() >= GATHER {
                self.hold(&row, std::mem::take(&mut gathered));
                self.hand_in()?;
            }
        }
        row.ended |= row.turns >= kind.longest();
        gathered.add("", "duplicates left out", u64::from(series.skipped() - before));
        self.hold(&row, gathered);
        self.held.left.push(row);
        Ok(())
    }

    fn hold(&mut self, row: &SeriesRow, gathered: Gathered) {
        let Gathered { outcomes, tally } = gathered;
        self.held.turns.push(HandIn { series: row.clone(), outcomes, tally });
    }

    /// Hands in what is held; what has been left can then be gone on with.
    fn hand_in(&mut self) -> Result<(), HuntError> {
        let turns = std::mem::take(&mut self.held.turns);
        if !turns.is_empty() {
            self.store.hand_in(&turns)?;
        }
        for row in self.held.left.drain(..) {
            self.supply.done(&row);
        }
        self.held.since = Instant::now();
        Ok(())
    }

    fn count(&self, name: &str, letters: &[TurnOutcome], gathered: &mut Gathered) {
        gathered.outcomes.push(letters.iter().map(|l| l.letter()).collect());
        for (solver, letter) in self.plan.solvers.iter().zip(letters) {
            gathered.count(&solver.name, letter.word());
        }
        self.progress.change(|c| {
            c.turns += 1;
            *c.by_strategy.entry(name.to_owned()).or_default() += 1;
            for (counts, letter) in c.letters.iter_mut().zip(letters) {
                *counts.entry(*letter).or_default() += 1;
            }
        });
    }

    /// Has every step of an approximated case audited, if somebody does that.
    fn audit(&mut self, case: &Case, gathered: &mut Gathered) -> Result<(), HuntError> {
        let Some(auditors) = &mut self.auditors else { return Ok(()) };
        if case.claims.is_empty() || case.lineage.edits.count() == 0 {
            return Ok(());
        }
        let told = auditors.case(case)?;
        for (what, tally) in [("steps", told.steps), ("places", told.places)] {
            gathered.add("", &format!("audited {what} that hold"), tally.of(Word::Holds));
            gathered.add("", &format!("audited {what} left open"), tally.of(Word::Open));
        }
        for (rule, _) in told.refuted {
            let why = format!("a step of ours is refuted: {rule}");
            gathered.count("", &format!("abstained: {why}"));
            self.progress.change(|c| *c.abstained.entry(why).or_default() += 1);
        }
        Ok(())
    }

    /// Makes one turn: runs the case, judges it, and records what is confirmed. Tells also whether there was a finding;
    /// one of a kind that is only counted by now is one.
    fn turn(
        &mut self,
        case: &Case,
        turn: Turn,
        gathered: &mut Gathered,
    ) -> Result<(Vec<TurnOutcome>, bool), HuntError> {
        let mut found = false;
        let text = case.text();
        self.audit(case, gathered)?;
        let known = self.known(case)?;
        let tried = self.court.try_case(case, &text, known.clone())?;
        let letters: Vec<TurnOutcome> = tried.runs.iter().map(|run| TurnOutcome::of(run.as_ref())).collect();
        let mut accused = Vec::new();
        for why in tried.abstained {
            gathered.count("", &format!("abstained: {why}"));
            self.progress.change(|c| *c.abstained.entry(why).or_default() += 1);
        }
        for (entry, complaint) in &tried.complaints {
            if self.plan.ignored.iter().any(|pattern| matches_pattern(pattern, &complaint.summary)) {
                self.progress.change(|c| c.ignored += 1);
                gathered.count("", "ignored");
                continue;
            }
            let fingerprint = crate::finding::fingerprint_of(case, &text, &self.plan.solvers, complaint);
            if let Room::Below(size) = self.store.trigger(&fingerprint)?
                && text.len() as u64 >= size
            {
                self.progress.change(|c| c.rationed += 1);
                gathered.count("", "rationed");
                // Twenty of this kind were confirmed.
                accused.extend(complaint.against.map(|whom| (whom, complaint.kind)));
                found = true;
                continue;
            }
            let confirmed = self.court.confirm(case, &text, &known, (entry, complaint))?;
            match confirmed.map(|confirmed| Finding::confirmed(case, &text, confirmed, turn)) {
                Some(finding) => {
                    found = true;
                    accused.extend(complaint.against.map(|whom| (whom, complaint.kind)));
                    self.record(finding, false)?;
                }
                None => {
                    gathered.count("", "only warm");
                    self.progress.change(|c| c.warm += 1);
                    let trial = Trial::new(case, &text, &self.plan.solvers, tried.runs.clone());
                    let unconfirmed = Confirmation::default();
                    let finding = Finding::new(&trial, entry.name, complaint.clone(), unconfirmed, turn);
                    self.record(finding, true)?;
                }
            }
        }
        self.count_cells(case, &letters, &accused, gathered);
        Ok((letters, found))
    }

    /// Counts a case that has a category for the matrix, with what solvers are accused of: what was confirmed, nothing else.
    fn count_cells(
        &self,
        case: &Case,
        letters: &[TurnOutcome],
        accused: &[(usize, Kind)],
        gathered: &mut Gathered,
    ) {
        let category = &case.lineage.category;
        if category.is_empty() {
            return;
        }
        for (i, (solver, letter)) in self.plan.solvers.iter().zip(letters).enumerate() {
            let kinds = accused.iter().filter(|(whom, _)| *whom == i).map(|(_, kind)| *kind);
            let (answer, wrong) = cell(*letter, kinds);
            gathered.count(&solver.name, &matrix::key(category, answer, wrong));
        }
    }

    fn record(&self, finding: Finding, warm: bool) -> Result<(), HuntError> {
        let number = match self.store.record(&finding, warm)? {
            Kept::Known => return Ok(()),
            Kept::Numbered(number) => Some(number),
            Kept::Held => None,
        };
        if !warm {
            self.progress.found(&finding);
        }
        let _ = self.events.send(Event::Found { number, finding: Box::new(finding), warm });
        Ok(())
    }

    /// The seeds of a series.
    fn draw_seeds(&mut self, name: &str, kind: &dyn Strategy, ordinal: u64) -> Result<Vec<Asked>, HuntError> {
        let drawn = seeds_of(name, kind, &self.plan.corpus, self.plan.draw, ordinal).unwrap_or_default();
        let mut asked = Vec::new();
        for seed in drawn.iter().filter_map(|seed| kind.takes(seed)) {
            let answers = if kind.wants_answers() { self.agreed(&seed)? } else { Vec::new() };
            asked.push(Asked { seed, answers });
        }
        Ok(asked)
    }

    /// What the solvers answer to a seed, where those that answer agree.
    fn agreed(&mut self, seed: &Seed) -> Result<Vec<Answer>, HuntError> {
        let all = self.seed_answers(seed)?;
        let checks = all.iter().map(Vec::len).max().unwrap_or(0);
        let one = |check: usize| {
            let mut said = all.iter().filter_map(|a| a.get(check)).filter(|a| **a != Answer::Unknown);
            let first = said.next().copied().unwrap_or(Answer::Unknown);
            if said.all(|a| *a == first) { first } else { Answer::Unknown }
        };
        Ok((0..checks).map(one).collect())
    }

    /// What each solver answers to a seed, asked once in a campaign.
    fn seed_answers(&mut self, seed: &Seed) -> Result<Vec<Vec<Answer>>, HuntError> {
        let mut all = Vec::new();
        for solver in &self.plan.solvers {
            all.push(match self.store.seed_answers(&seed.name.digest, &solver.name)? {
                Some(answers) => answers,
                None => {
                    let text = seed.script().text();
                    super::prepare::ask(seed, solver, &text, self.store, &mut self.court.runner)?
                }
            });
        }
        Ok(all)
    }

    /// What the solvers answered to the other scripts of a case, which are its seeds or what a strategy took in the place
    /// of one, and asked before it made the case.
    fn known(&mut self, case: &Case) -> Result<Known, HuntError> {
        let mut known = Known::new();
        for name in case.lineage.seeds.iter().take(case.others.len()) {
            let seed = self.plan.corpus.seeds.iter().find(|s| s.name.digest == name.digest).cloned();
            known.push(match seed {
                Some(seed) => self.seed_answers(&seed)?,
                None => {
                    let asked = self.plan.solvers.iter().map(|solver| {
                        Ok(self.store.seed_answers(&name.digest, &solver.name)?.unwrap_or_default())
                    });
                    asked.collect::<Result<_, HuntError>>()?
                }
            });
        }
        Ok(known)
    }
}

/// What a run counts as in the matrix, given what it is accused of, and whether that is a failure of soundness.
fn cell(letter: TurnOutcome, accused: impl Iterator<Item = Kind>) -> (&'static str, bool) {
    let answer = match letter {
        TurnOutcome::Unasked | TurnOutcome::Said(_) | TurnOutcome::Other(Outcome::TimedOut) => letter.word(),
        TurnOutcome::Other(_) => "error",
    };
    // The gravest comes first among kinds.
    match accused.min() {
        Some(Kind::Soundness) => (answer, true),
        Some(Kind::WrongModel) => ("wrong model", true),
        Some(Kind::WrongCore) => ("wrong core", true),
        Some(Kind::Imprecision) => ("imprecise core", false),
        _ => (answer, false),
    }
}

/// The seeds that series `ordinal` of a strategy is given; none if there is no such series.
pub fn seeds_of(
    name: &str,
    kind: &dyn Strategy,
    corpus: &Corpus,
    draw: u64,
    ordinal: u64,
) -> Option<Vec<Arc<Seed>>> {
    if kind.series_count().is_some_and(|count| ordinal >= count) {
        return None;
    }
    match kind.wants() {
        Wants::Nothing => Some(Vec::new()),
        Wants::EachInTurn => Some(vec![corpus.seeds.get(ordinal as usize)?.clone()]),
        Wants::Drawn(count) => {
            let mut choices = Choices::drawn(draw, &format!("seeds of {name}"), ordinal);
            Some((0..count).filter_map(|_| choices.pick(&corpus.seeds).cloned()).collect())
        }
    }
}
