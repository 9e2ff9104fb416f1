//! One turn of a hunt: a case is asked, judged and counted.

use std::sync::Arc;

use smt::Script;

use super::progress::outcome_of;
use super::worker::Worker;
use crate::campaign::error::EngineError;
use crate::campaign::record::{Accusation, Settled};
use crate::campaign::worker_io::WorkerIo;
use crate::case::{Answer, Case, Claim};
use crate::finding::Turn;
use crate::finding::words::summary_of;
use crate::judge::{Abstention, AuditVerdict, DecidingCost, Kind, Known, Tried};
use crate::solver::{Outcome, Run, Solver, SolverId};
use crate::store::{Counter, DifferenceEnd, Seen, Sink, TestResult, TurnOutcome, TurnOutcomes};
use crate::strategy::matches_pattern;

/// What came of a case.
pub(super) struct Judged {
    /// What each solver of the campaign did.
    pub(super) runs: Vec<Option<Run>>,
    /// The outcome of each solver of the campaign.
    pub(super) outcomes: TurnOutcomes,
    /// Whether there was a finding, including one that was only counted.
    pub(super) found: bool,
    /// The solvers that are accused, by number, and of what kind of thing.
    pub(super) accused: Vec<(usize, Kind)>,
}

impl Worker<'_> {
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

    /// Makes one turn: asks about the case, judges it, and records confirmed complaints.
    pub(super) fn turn(
        &mut self,
        case: &Case,
        turn: Turn,
        io: &mut WorkerIo<'_>,
    ) -> Result<Judged, EngineError> {
        let _span = tracing::debug_span!("turn", series = turn.series, step = turn.step).entered();
        self.audit(case, io)?;
        self.ask_variants(turn.series, case);
        let known = self.known(io.sink(), case)?;
        self.judged(case, &known, turn, io)
    }

    /// Asks about a case, judges it, and records confirmed complaints.
    pub(super) fn judged(
        &mut self,
        case: &Case,
        known: &Known,
        turn: Turn,
        io: &mut WorkerIo<'_>,
    ) -> Result<Judged, EngineError> {
        let text = case.text();
        let runs = self.ask(case, &text, io)?;
        let Tried { mut runs, complaints, abstained, differs } =
            self.runner.judge_runs(case, &text, runs, known.clone(), None)?;
        for (i, run) in runs.iter().take(self.work.plan.solvers.len()).enumerate() {
            self.count_refusal(i, run.as_ref(), &text);
        }
        let mut outcomes: TurnOutcomes = runs.iter().map(|run| outcome_of(run.as_ref())).collect();
        let plan = self.work.plan;
        for (solver, outcome) in self.varied.iter().zip(outcomes.split_off(plan.solvers.len())) {
            io.unit().count(Some(&plan.solvers[*solver].name), Counter::RunWithOptions(outcome));
        }
        let solvers = self.runner.solvers();
        let (mut found, mut accused, mut all) = (false, Vec::new(), Vec::new());
        for (entry, complaint) in &complaints {
            let name = complaint.against.map(|whom| solvers[whom].name.as_str());
            let summary = summary_of(&complaint.fault, name);
            if plan.ignored.iter().any(|pattern| matches_pattern(pattern, &summary)) {
                self.work.progress.change(|c| c.ignored += 1);
                io.unit().count(None, Counter::Ignored);
                continue;
            }
            let (solvers, runs, text) = (&*solvers, &runs, &text);
            let accusation = Accusation { case, text, solvers, runs, known, entry, complaint, turn };
            let settled = accusation.settle(&mut self.runner, io, true)?;
            let seen = settled.seen;
            self.count_seen(seen, io);
            if seen != Seen::Once {
                found = true;
                self.work.progress.triggered(&settled.fingerprint, &case.lineage.strategy);
            }
            all.push(settled);
            if seen == Seen::Once {
                continue;
            }
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
        runs.truncate(plan.solvers.len());
        Ok(Judged { runs, outcomes, found, accused })
    }

    /// Draws the variants that are asked besides the solvers.
    fn ask_variants(&mut self, series: u64, case: &Case) {
        let drawn = self.variants.of_case(&self.work.pattern, series, case);
        let (of, variants): (Vec<usize>, Vec<&Solver>) = drawn.into_iter().unzip();
        self.runner.ask_besides(&variants);
        self.varied = of;
    }

    /// Asks no variants besides the solvers.
    pub(super) fn ask_nobody_besides(&mut self) {
        self.runner.ask_besides(&[]);
        self.varied.clear();
    }

    /// Counts that a solver was asked, and what it said if it refused.
    fn count_refusal(&self, solver: usize, run: Option<&Run>, text: &str) {
        let Some(run) = run else { return };
        self.work.progress.change(|c| c.asked += 1);
        if run.outcome() == Outcome::Rejected {
            let said = run.reply.errors.first().unwrap_or(&run.reply.stderr);
            tracing::debug!(solver = %self.work.plan.solvers[solver].name, said, "refused");
            tracing::trace!(script = text, "what was refused");
            self.work.progress.refused(solver, said);
        }
    }

    /// Counts how surely a complaint was seen, if there is no finding of it.
    fn count_seen(&self, seen: Seen, io: &mut WorkerIo<'_>) {
        match seen {
            Seen::Once => {
                io.unit().count(None, Counter::WarmOnly);
                self.work.progress.change(|c| c.warm += 1);
            }
            Seen::Counted => {
                io.unit().count(None, Counter::Rationed);
                self.work.progress.change(|c| c.rationed += 1);
            }
            Seen::Confirmed => {}
        }
    }

    /// Counts the time of the questions of a turn, and what deciding has cost.
    fn count_cost(&mut self, io: &mut WorkerIo<'_>) {
        self.work.spend(self.runner.runner.take_time(), io.unit());
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

    /// The answers of the solvers and their variants to a one-shot form. Each is asked once in a series, when a case first needs
    /// it.
    fn form_answers(&mut self, form: &Arc<Script>) -> Result<Vec<Vec<Answer>>, EngineError> {
        let solvers = self.runner.solvers();
        let mut all = Vec::with_capacity(solvers.len());
        for (i, solver) in solvers.iter().enumerate() {
            let is_it =
                |(of, by, _): &&(Arc<Script>, SolverId, _)| Arc::ptr_eq(of, form) && *by == solver.name;
            if let Some((_, _, answers)) = self.forms.iter().find(is_it) {
                all.push(answers.clone());
                continue;
            }
            let answers = self.runner.answers_alone(form, solver, self.asking(i))?;
            self.forms.push((Arc::clone(form), solver.name.clone(), answers.clone()));
            all.push(answers);
        }
        Ok(all)
    }

    /// The answers of the solvers to the other scripts of a case. These were made for it, such as one-shot forms of its checks, or
    /// they are its seeds, or the forms of seeds that a strategy takes, which were asked before the case was made. Variants of
    /// solvers were not asked seeds.
    fn known(&mut self, sink: &dyn Sink, case: &Case) -> Result<Known, EngineError> {
        let variants = self.varied.len();
        let mut known = Known::new();
        if !case.others_are_seeds() {
            for (i, other) in case.others.iter().enumerate() {
                let is_compared = |claim: &Claim| {
                    claim.compares().is_some_and(|checks| checks.iter().any(|check| check.script == i + 1))
                };
                let is_needed = case.claims.iter().any(is_compared);
                known.push(if is_needed { self.form_answers(other)? } else { Vec::new() });
            }
            return Ok(known);
        }
        for name in case.lineage.seeds.iter().take(case.others.len()) {
            let seed = self.work.cases.corpus.seeds.iter().find(|s| s.name.digest == name.digest).cloned();
            let mut answers = match seed {
                Some(seed) => self.seed_answers(sink, &seed)?,
                None => {
                    let asked = self.work.plan.solvers.iter().map(|solver| {
                        Ok(sink.known_answers(&name.digest, &solver.name)?.unwrap_or_default())
                    });
                    asked.collect::<Result<Vec<_>, EngineError>>()?
                }
            };
            answers.extend((0..variants).map(|_| Vec::new()));
            known.push(answers);
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
