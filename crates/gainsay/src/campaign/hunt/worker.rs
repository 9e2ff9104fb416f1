//! A worker of a hunt: makes the cases of series, runs and judges them, and counts the outcomes.

use std::sync::Arc;

use super::Hunt;
use super::progress::outcome_of;
use crate::campaign::engine::UnitWorker;
use crate::campaign::error::EngineError;
use crate::campaign::record::{Accusation, Settled};
use crate::campaign::worker_io::WorkerIo;
use crate::case::{Answer, Case, Choices};
use crate::finding::Turn;
use crate::finding::words::summary_of;
use crate::judge::{
    Abstention, AuditVerdict, Auditors, DecidingCost, Kind, Known, Parties, TrialRunner, Tried,
};
use crate::seed::{Asked, Corpus, Seed};
use crate::solver::Outcome;
use crate::store::{
    Counter, DifferenceEnd, EarlyEnd, Seen, SeriesNote, Sink, TestResult, TurnOutcome, TurnOutcomes,
};
use crate::strategy::{Strategy, Wants, matches_pattern};

/// How many time-outs or refusals in a row end a series.
const IN_A_ROW: u32 = 5;

/// A worker of a hunt.
pub(super) struct Worker<'a> {
    work: &'a Hunt<'a>,
    runner: TrialRunner<'a>,
    auditors: Option<Auditors>,
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
    fn turn(&mut self, outcomes: &[TurnOutcome], found: bool) -> Option<EarlyEnd> {
        let any = |outcome| outcomes.contains(&TurnOutcome::Other(outcome));
        self.late = if any(Outcome::TimedOut) { self.late + 1 } else { 0 };
        self.refused = if any(Outcome::Rejected) { self.refused + 1 } else { 0 };
        match (self.late, self.refused, found) {
            (IN_A_ROW.., _, _) => Some(EarlyEnd::TimeOuts),
            (_, IN_A_ROW.., _) => Some(EarlyEnd::Refusals),
            (_, _, true) => Some(EarlyEnd::Findings),
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
        let mut course = Course::default();
        while io.unit().series.turns < io.unit().series.allotted && !io.is_ending() {
            let Some(case) = series.next() else {
                io.unit().series.ended = true;
                break;
            };
            let turn = Turn { draw: seed, series: no, step: io.unit().series.turns };
            let (outcomes, found) = self.turn(&case, turn, io)?;
            let end = course.turn(&outcomes, found && kind.ends_at_finding()).filter(|_| kind.ends_early());
            self.count(name, outcomes, io);
            if let Some(end) = end {
                let unit = io.unit();
                (unit.series.note, unit.series.ended) = (Some(SeriesNote::Ended(end)), true);
                unit.count(None, Counter::SeriesEnded(end));
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
        Worker { work, runner, auditors }
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

    /// Has every step of an approximated case audited, if the campaign has auditors.
    fn audit(&mut self, case: &Case, io: &mut WorkerIo<'_>) -> Result<(), EngineError> {
        let Some(auditors) = &mut self.auditors else { return Ok(()) };
        if case.claims.is_empty() || case.lineage.edits.count() == 0 {
            return Ok(());
        }
        let told = auditors.case(case)?;
        for verdict in [AuditVerdict::Holds, AuditVerdict::Open] {
            io.unit().add(None, Counter::AuditedSteps(verdict), told.steps.of(verdict));
            io.unit().add(None, Counter::AuditedPlaces(verdict), told.places.of(verdict));
        }
        for (asked, _) in told.refuted {
            self.abstained(Abstention::StepRefuted { asked }, io);
        }
        Ok(())
    }

    /// Counts that an oracle abstained.
    fn abstained(&self, why: Abstention, io: &mut WorkerIo<'_>) {
        io.unit().count(None, Counter::Abstained(why.clone()));
        self.work.progress.change(|c| *c.abstained.entry(why).or_default() += 1);
    }

    /// Makes one turn: runs the case, judges it, and records confirmed complaints. Returns also whether there was a finding,
    /// including one that was only counted.
    fn turn(
        &mut self,
        case: &Case,
        turn: Turn,
        io: &mut WorkerIo<'_>,
    ) -> Result<(TurnOutcomes, bool), EngineError> {
        let _span = tracing::debug_span!("turn", series = turn.series, step = turn.step).entered();
        let text = case.text();
        self.audit(case, io)?;
        let known = self.known(io.sink(), case)?;
        let Tried { runs, complaints, abstained, differs } =
            self.runner.try_case(case, &text, known.clone())?;
        let outcomes: TurnOutcomes = runs.iter().map(|run| outcome_of(run.as_ref())).collect();
        let (mut found, mut accused, mut all) = (false, Vec::new(), Vec::new());
        let plan = self.work.plan;
        for (entry, complaint) in &complaints {
            let name = complaint.against.map(|whom| plan.solvers[whom].name.as_str());
            let summary = summary_of(&complaint.fault, name);
            if plan.ignored.iter().any(|pattern| matches_pattern(pattern, &summary)) {
                self.work.progress.change(|c| c.ignored += 1);
                io.unit().count(None, Counter::Ignored);
                continue;
            }
            let (solvers, runs, text, known) = (&plan.solvers, &runs, &text, &known);
            let accusation = Accusation { case, text, solvers, runs, known, entry, complaint, turn };
            let settled = accusation.settle(&mut self.runner, io, true)?;
            all.push(settled);
            match settled.seen {
                Seen::Once => {
                    io.unit().count(None, Counter::WarmOnly);
                    self.work.progress.change(|c| c.warm += 1);
                    continue;
                }
                Seen::Counted => {
                    io.unit().count(None, Counter::Rationed);
                    self.work.progress.change(|c| c.rationed += 1);
                }
                Seen::Confirmed => {}
            }
            found = true;
            accused.extend(complaint.against.map(|whom| (whom, complaint.kind())));
        }
        self.count_test(case, &outcomes, &accused, io);
        if differs {
            io.unit().count(None, Counter::Difference(end_of_difference(&all, &abstained)));
        }
        for why in abstained {
            self.abstained(why, io);
        }
        self.count_cost(io);
        Ok((outcomes, found))
    }

    /// Counts what deciding has cost in a turn.
    fn count_cost(&mut self, io: &mut WorkerIo<'_>) {
        let cost = self.runner.take_cost();
        if cost == DecidingCost::default() {
            return;
        }
        io.unit().add(None, Counter::DecidingQuestions, cost.questions);
        io.unit().add(None, Counter::DecidingMicros, cost.cpu.as_micros() as u64);
        self.work.progress.change(|c| c.deciding.add(cost));
    }

    /// Counts the answers to a test by construction. Only confirmed complaints accuse a solver.
    fn count_test(
        &self,
        case: &Case,
        outcomes: &[TurnOutcome],
        accused: &[(usize, Kind)],
        io: &mut WorkerIo<'_>,
    ) {
        let Some(category) = case.lineage.category else { return };
        for (i, (solver, outcome)) in self.work.plan.solvers.iter().zip(outcomes).enumerate() {
            let kinds = accused.iter().filter(|(whom, _)| *whom == i).map(|(_, kind)| *kind);
            let (result, unsound) = test_result(*outcome, kinds);
            io.unit().count(Some(&solver.name), Counter::Test { category, result, unsound });
        }
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
    fn seed_answers(&mut self, sink: &dyn Sink, seed: &Seed) -> Result<Vec<Vec<Answer>>, EngineError> {
        let mut all = Vec::new();
        for solver in &self.work.plan.solvers {
            all.push(super::prepare::answers(seed, solver, sink, &mut self.runner.runner)?);
        }
        Ok(all)
    }

    /// The answers of the solvers to the other scripts of a case. These are its seeds, or the forms of seeds that a strategy
    /// takes, so they were asked before the case was made.
    fn known(&mut self, sink: &dyn Sink, case: &Case) -> Result<Known, EngineError> {
        let mut known = Known::new();
        for name in case.lineage.seeds.iter().take(case.others.len()) {
            let seed = self.work.cases.corpus.seeds.iter().find(|s| s.name.digest == name.digest).cloned();
            known.push(match seed {
                Some(seed) => self.seed_answers(sink, &seed)?,
                None => {
                    let asked = self.work.plan.solvers.iter().map(|solver| {
                        Ok(sink.known_answers(&name.digest, &solver.name)?.unwrap_or_default())
                    });
                    asked.collect::<Result<_, EngineError>>()?
                }
            });
        }
        Ok(known)
    }
}

/// What came of a turn in which solvers said sat and unsat to one check.
fn end_of_difference(settled: &[Settled], abstained: &[Abstention]) -> DifferenceEnd {
    let is = |kind: Kind| settled.iter().any(|s| s.kind == kind && s.seen != Seen::Once);
    let decides = |s: &Settled| s.accuses && matches!(s.kind, Kind::Soundness | Kind::WrongModel);
    if settled.iter().any(|s| decides(s) && s.seen != Seen::Once) {
        return DifferenceEnd::Decided;
    }
    if is(Kind::Unconfirmed) {
        return DifferenceEnd::Unconfirmed;
    }
    if is(Kind::Disagreement) {
        return DifferenceEnd::Undecided;
    }
    if settled.iter().any(|s| s.seen == Seen::Once) {
        return DifferenceEnd::Vanished;
    }
    let foreign = abstained.iter().find_map(|why| match why {
        Abstention::Foreign { to, why } => Some((to.clone(), why.clone())),
        _ => None,
    });
    foreign.map_or(DifferenceEnd::NotJudged, |(to, why)| DifferenceEnd::Explained { to, why })
}

/// The result of a test for a solver with this outcome and these accusations, and whether its answer is unsound.
fn test_result(outcome: TurnOutcome, accused: impl Iterator<Item = Kind>) -> (TestResult, bool) {
    let answer = match outcome {
        TurnOutcome::Unasked => TestResult::NotAsked,
        TurnOutcome::Said(Answer::Sat) => TestResult::Sat,
        TurnOutcome::Said(Answer::Unsat) => TestResult::Unsat,
        TurnOutcome::Said(Answer::Unknown) => TestResult::Unknown,
        TurnOutcome::Other(Outcome::TimedOut) => TestResult::TimeOut,
        TurnOutcome::Other(_) => TestResult::Error,
    };
    // Earlier kinds are worse.
    match accused.min() {
        Some(Kind::Soundness) => (answer, true),
        Some(Kind::WrongModel) => (TestResult::WrongModel, true),
        Some(Kind::WrongCore) => (TestResult::WrongCore, true),
        Some(Kind::Imprecision) => (TestResult::ImpreciseCore, false),
        _ => (answer, false),
    }
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
            Some((0..count).filter_map(|_| choices.pick(&corpus.seeds).cloned()).collect())
        }
    }
}
