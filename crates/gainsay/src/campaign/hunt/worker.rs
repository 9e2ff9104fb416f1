//! A worker of a hunt: makes the cases of series, runs and judges them, and counts the outcomes.

use std::sync::Arc;

use smt::Script;

use super::Hunt;
use super::ladder::Ladder;
use super::prepare::{SeedTerms, answers};
use super::terms::Terms;
use super::variants::Variants;
use crate::campaign::engine::UnitWorker;
use crate::campaign::error::EngineError;
use crate::campaign::spec::TimeLimits;
use crate::campaign::worker_io::WorkerIo;
use crate::case::{Answer, Choices};
use crate::finding::Turn;
use crate::judge::{Auditors, Parties, TrialRunner};
use crate::seed::{Asked, Corpus, Seed};
use crate::solver::{Outcome, SolverId};
use crate::store::{Counter, EarlyEnd, SeriesNote, Sink, TurnOutcome, TurnOutcomes};
use crate::strategy::{Strategy, Wants};

/// How many refusals in a row end a series; so many time-outs do, if questions have the time of the campaign.
const IN_A_ROW: u32 = 5;

/// A worker of a hunt.
pub(super) struct Worker<'a> {
    pub(super) work: &'a Hunt<'a>,
    pub(super) runner: TrialRunner<'a>,
    pub(super) auditors: Option<Auditors>,
    pub(super) variants: Variants<'a>,
    /// The numbers of the solvers of which variants are asked besides.
    pub(super) varied: Vec<usize>,
    /// What solvers answered to the one-shot forms of the present series.
    pub(super) forms: Vec<(Arc<Script>, SolverId, Vec<Answer>)>,
    /// The limits that questions are given; none if each has the time of the campaign.
    pub(super) ladder: Option<Ladder>,
    /// The terms of the present series.
    pub(super) terms: Terms,
}

/// The counts that decide whether a series ends early.
#[derive(Default)]
struct Course {
    /// Time-outs in a row.
    late: u32,
    /// Refusals in a row.
    refused: u32,
}

impl Course {
    /// Counts a turn. Returns why the series ends early, if it does.
    fn turn(&mut self, outcomes: &[TurnOutcome], found: bool, patience: u32) -> Option<EarlyEnd> {
        let any = |outcome| outcomes.contains(&TurnOutcome::Other(outcome));
        self.late = if any(Outcome::TimedOut) { self.late + 1 } else { 0 };
        self.refused = if any(Outcome::Rejected) { self.refused + 1 } else { 0 };
        match (self.refused, found) {
            _ if self.late >= patience => Some(EarlyEnd::TimeOuts),
            (IN_A_ROW.., _) => Some(EarlyEnd::Refusals),
            (_, true) => Some(EarlyEnd::Findings),
            _ => None,
        }
    }
}

impl UnitWorker for Worker<'_> {
    fn work(&mut self, io: &mut WorkerIo<'_>) -> Result<(), EngineError> {
        let no = io.unit().series.no;
        let (strategy, ordinal) = self.work.pattern.of(no);
        let (name, kind) = &self.work.cases.strategies[strategy];
        let seed = self.work.plan.seed;
        let seeds = self.draw_seeds(io.sink(), (name, kind.as_ref()), ordinal)?;
        let mut series = kind.series(ordinal, &seeds, Choices::drawn(seed, name, ordinal));
        series.skip(io.unit().series.turns);
        let before = series.skipped();
        let (mut course, mut begun) = (Course::default(), false);
        self.forms.clear();
        while io.unit().series.turns < io.unit().series.allotted && !io.is_ending() {
            let Some(case) = series.next() else {
                io.unit().series.ended = true;
                break;
            };
            let turn = Turn { draw: seed, series: no, step: io.unit().series.turns };
            // Nobody is asked about seeds of which no mutant is made.
            if !begun {
                self.terms = self.terms_of(kind.as_ref(), &seeds, turn, io)?;
                begun = true;
            }
            if let Some(end) = self.terms.leave_out_everybody() {
                end_early(end, io);
                break;
            }
            let judged = self.turn(&case, turn, io)?;
            if let (true, Some(asked)) = (kind.keeps_seeds() && self.needs_first_runs(), seeds.first()) {
                self.remember_first_runs(&asked.seed, &judged, io.sink())?;
            }
            if judged.found {
                self.work.pays(no);
            }
            let patience = if self.ladder.is_some() { self.work.account().patience() } else { IN_A_ROW };
            let end = course.turn(&judged.outcomes, judged.found && kind.ends_at_finding(), patience);
            self.count(name, judged.outcomes, io);
            if let Some(end) = end.filter(|_| kind.ends_early()) {
                end_early(end, io);
                io.turn_made()?;
                break;
            }
            io.turn_made()?;
        }
        let unit = io.unit();
        unit.series.ended |= unit.series.turns >= self.work.cases.longest(kind.as_ref());
        unit.add(None, Counter::Duplicates, u64::from(series.skipped() - before));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), EngineError> {
        let cpu = self.runner.runner.finish()?;
        self.work.progress.change(|c| c.solver_cpu += cpu);
        Ok(())
    }
}

impl<'a> Worker<'a> {
    /// A worker of a hunt.
    pub(super) fn new(work: &'a Hunt<'a>) -> Worker<'a> {
        let plan = work.plan;
        let runner = TrialRunner::new(
            Parties { solvers: &plan.solvers, witnesses: &plan.witnesses, oracles: &plan.oracles },
            plan.limits,
            plan.ask_mode,
            &work.quiet,
        )
        .deciding_within(plan.deciding);
        let auditors =
            (!plan.auditors.is_empty()).then(|| Auditors::new(plan.auditors.clone(), plan.limits.cpu));
        let variants = Variants::new(plan.seed, &plan.solvers, work.cases);
        let ladder = match work.cases.time_limits {
            TimeLimits::Fitted => Some(Ladder::new(plan.limits.wall)),
            TimeLimits::Fixed => None,
        };
        let (varied, forms, terms) = (Vec::new(), Vec::new(), Terms::default());
        Worker { work, runner, auditors, variants, varied, forms, ladder, terms }
    }

    /// Whether anything depends on what solvers do with seeds as they are.
    pub(super) fn needs_first_runs(&self) -> bool {
        self.ladder.is_some() || self.work.cases.leave_out.failing
    }

    /// Counts the outcomes of a turn.
    fn count(&self, name: &'static str, outcomes: TurnOutcomes, io: &mut WorkerIo<'_>) {
        let unit = io.unit();
        for (solver, outcome) in self.work.plan.solvers.iter().zip(&outcomes) {
            unit.count(Some(&solver.name), Counter::Run(*outcome));
        }
        self.work.progress.change(|c| {
            c.turns += 1;
            *c.by_strategy.entry(name).or_default() += 1;
            for (counts, outcome) in c.outcomes.iter_mut().zip(&outcomes) {
                *counts.entry(*outcome).or_default() += 1;
            }
        });
        unit.outcomes.push(outcomes);
    }

    /// The seeds of a series.
    fn draw_seeds(
        &mut self,
        sink: &dyn Sink,
        (name, kind): (&str, &dyn Strategy),
        ordinal: u64,
    ) -> Result<Vec<Asked>, EngineError> {
        let cases = self.work.cases;
        let drawn = seeds_of(name, kind, &cases.corpus, self.work.plan.seed, ordinal);
        let mut drawn = drawn.unwrap_or_default();
        // Where each seed has its series, only the further seeds of a series are drawn.
        if let (Some(_), Some(first)) = (cases.mutants, drawn.first_mut())
            && let Some(own) = cases.corpus.seeds.get(ordinal as usize)
        {
            *first = Arc::clone(own);
            if !cases.corpus.is_drawn(own) {
                return Ok(Vec::new());
            }
        }
        let mut asked = Vec::new();
        for seed in drawn.iter().filter_map(|seed| kind.takes(seed)) {
            asked.push(match kind.wants_answers() {
                true => {
                    let answers = self.seed_answers(sink, &seed)?;
                    Asked::by_solvers(seed, &answers)
                }
                false => Asked::unasked(seed),
            });
        }
        Ok(asked)
    }

    /// The answers of each solver to a seed. Solvers are asked once in a campaign.
    pub(super) fn seed_answers(
        &mut self,
        sink: &dyn Sink,
        seed: &Seed,
    ) -> Result<Vec<Vec<Answer>>, EngineError> {
        let terms = match &self.ladder {
            Some(ladder) => SeedTerms { way: self.runner.way(), within: Some(ladder.of_seeds()) },
            None => SeedTerms::IN_FULL,
        };
        let mut all = Vec::new();
        for solver in &self.work.plan.solvers {
            all.push(answers(seed, (solver, terms), sink, &mut self.runner.runner)?);
        }
        Ok(all)
    }
}

/// Ends the present series before all of its turns are made.
fn end_early(end: EarlyEnd, io: &mut WorkerIo<'_>) {
    let unit = io.unit();
    (unit.series.note, unit.series.ended) = (Some(SeriesNote::Ended(end)), true);
    unit.count(None, Counter::SeriesEnded(end));
}

/// The seeds of series `ordinal` of a strategy; none if there is no such series.
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
            Some((0..count).filter_map(|_| choices.pick(corpus.drawn()).cloned()).collect())
        }
    }
}
