//! The trial runner: asks all solvers a case, lets the oracles judge it, and confirms what they say in fresh processes.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use crate::case::{Answer, Case};
use crate::judge::cost::{CostMeter, DecidingCost};
use crate::judge::language::may_read;
use crate::judge::probe::{Judgement, Probe, Probed, Step, Told};
use crate::judge::proof::{ProofChecked, ProofChecker, checkers_on_path};
use crate::judge::searches::Searches;
use crate::judge::{Abstention, Budget, Complaint, Kind, Known, Trial, oracle, reply_of};
use crate::solver::process::proof::check_proof;
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Run, Runner, Solver, SolverError};

/// Rounds of questions an oracle may ask, besides those that the budget of deciding allows.
const ROUNDS: usize = 256;
/// Wall time of a question to a witness for each second of CPU time.
const WITNESS_PATIENCE: u32 = 2;
/// The stack that a solver gets when it is given room.
const LARGE_STACK: u64 = 1 << 30;

/// Asks and judges for one worker.
pub struct TrialRunner<'a> {
    /// Who asks.
    pub runner: Runner,
    /// The solvers of the campaign.
    own: &'a [Solver],
    /// They, and the variants of them that are asked besides.
    solvers: Arc<[Solver]>,
    witnesses: &'a [Solver],
    oracles: &'a [&'static oracle::Entry],
    /// What a question about a case may cost.
    limits: Limits,
    /// What a question may cost that an oracle asks.
    probes: Limits,
    way: AskMode,
    budget: Budget,
    /// Programs that check proofs.
    checkers: Arc<[ProofChecker]>,
    searches: Arc<Searches>,
    /// What deciding has cost since somebody took it.
    spent: DecidingCost,
    /// Whoever must be alone takes it for writing, all others for reading.
    quiet: &'a RwLock<()>,
}

/// Whether and for how long a solver is asked about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// It is not asked.
    Not,
    /// It is asked with this time, at most that of the limits.
    Within(Duration),
    /// It is asked with the time of the limits.
    Full,
}

/// Who is asked about a case, and who judges it.
#[derive(Clone, Copy)]
pub struct Parties<'a> {
    /// The solvers of the campaign.
    pub solvers: &'a [Solver],
    /// Solvers that are asked only to decide a dispute.
    pub witnesses: &'a [Solver],
    /// The oracles.
    pub oracles: &'a [&'static oracle::Entry],
}

/// What came of a case.
pub struct Tried {
    /// What each solver did.
    pub runs: Vec<Option<Run>>,
    /// What oracles complain of.
    pub complaints: Vec<(&'static oracle::Entry, Complaint)>,
    /// Why oracles abstained.
    pub abstained: Vec<Abstention>,
    /// Whether solvers say sat and unsat to one check.
    pub differs: bool,
}

impl<'a> TrialRunner<'a> {
    /// A trial runner for these parties.
    pub fn new(
        Parties { solvers, witnesses, oracles }: Parties<'a>,
        limits: Limits,
        way: AskMode,
        quiet: &'a RwLock<()>,
    ) -> TrialRunner<'a> {
        TrialRunner {
            runner: Runner::new(limits),
            own: solvers,
            solvers: solvers.into(),
            witnesses,
            oracles,
            limits,
            probes: limits,
            way,
            budget: Budget::default(),
            checkers: checkers_on_path().into(),
            searches: Arc::default(),
            spent: DecidingCost::default(),
            quiet,
        }
    }

    /// The same, with another budget of deciding who is wrong.
    #[must_use]
    pub fn deciding_within(mut self, budget: Budget) -> TrialRunner<'a> {
        // A search that ended at one budget may go on with another.
        (self.budget, self.searches) = (budget, Arc::default());
        self
    }

    /// The same, with these proof checkers instead of those on the path.
    #[must_use]
    pub fn checking_with(mut self, checkers: Vec<ProofChecker>) -> TrialRunner<'a> {
        self.checkers = checkers.into();
        self
    }

    /// Another trial runner like it that asks in another mode, not at the same time.
    #[must_use]
    pub fn in_way(&self, way: AskMode, limits: Limits, probes: Limits) -> TrialRunner<'a> {
        TrialRunner {
            runner: self.runner.beside(limits),
            own: self.own,
            solvers: Arc::clone(&self.solvers),
            witnesses: self.witnesses,
            oracles: self.oracles,
            limits,
            probes,
            way,
            budget: self.budget,
            checkers: Arc::clone(&self.checkers),
            searches: Arc::clone(&self.searches),
            spent: DecidingCost::default(),
            quiet: self.quiet,
        }
    }

    /// The same with a session that is brought back to its beginning after each question.
    #[must_use]
    pub fn in_reset(&self) -> TrialRunner<'a> {
        self.in_way(AskMode::Reset, self.limits, self.probes)
    }

    /// What deciding who is wrong has cost since this was asked last.
    pub fn take_cost(&mut self) -> DecidingCost {
        std::mem::take(&mut self.spent)
    }

    /// What a question about a case may cost.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How it asks.
    pub fn way(&self) -> AskMode {
        self.way
    }

    /// What the solvers answer to the other scripts of a case, asked now in fresh processes.
    pub fn answers_to_others(&mut self, case: &Case) -> Result<Known, SolverError> {
        let mut known = Known::new();
        for other in &case.others {
            let text = other.text();
            let mut answers = Vec::new();
            for solver in &*Arc::clone(&self.solvers) {
                let question = Question { script: &text, ask: Outputs::default() };
                let run = self.runner.ask(solver, question, AskMode::Fresh)?;
                let one = |k| reply_of(&run, k).map_or(Answer::Unknown, |c| c.answer);
                answers.push((0..run.reply.checks.len()).map(one).collect());
            }
            known.push(answers);
        }
        Ok(known)
    }

    /// Runs a case and judges it.
    pub fn try_case(&mut self, case: &Case, text: &str, known: Known) -> Result<Tried, SolverError> {
        let _span =
            tracing::debug_span!("trial", strategy = %case.lineage.strategy, bytes = text.len()).entered();
        let solvers = Arc::clone(&self.solvers);
        let runs = self.runs(case, text, &solvers, self.way)?;
        self.judge_runs(case, text, runs, known, None)
    }

    /// What each of the solvers does with a case; `asking` says of each how it is asked.
    pub fn runs_within(
        &mut self,
        case: &Case,
        text: &str,
        asking: &[Asking],
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let solvers = Arc::clone(&self.solvers);
        let asked: Vec<_> = solvers.iter().zip(asking.iter().copied()).collect();
        self.runs_of(case, text, &asked, self.way)
    }

    /// The oracles that can say that a thing of some kind is wrong.
    pub fn oracles_of(&self, kind: Kind) -> Vec<&'static oracle::Entry> {
        // What is disputed is weighed against all that is known.
        let says = |entry: &&&oracle::Entry| {
            matches!(kind, Kind::Disagreement | Kind::Unconfirmed) || entry.kinds.contains(&kind)
        };
        self.oracles.iter().filter(says).copied().collect()
    }

    /// Hears these besides, where a meaning is disputed.
    pub fn hear(&mut self, witnesses: &'a [Solver]) {
        self.witnesses = witnesses;
    }

    /// Changes what one question may cost.
    pub fn keep_to(&mut self, limits: Limits) {
        (self.limits, self.probes) = (limits, limits);
        self.runner.limits = limits;
    }

    /// The solvers it asks.
    pub fn solvers(&self) -> Arc<[Solver]> {
        Arc::clone(&self.solvers)
    }

    /// Asks these variants besides the solvers of the campaign, from now on. They follow the others in numbering.
    pub fn ask_besides(&mut self, variants: &[&Solver]) {
        let now = self.solvers[self.own.len()..].iter().map(|solver| &solver.name);
        if !now.eq(variants.iter().map(|variant| &variant.name)) {
            self.solvers = self.own.iter().chain(variants.iter().copied()).cloned().collect();
        }
    }

    /// The solvers that it asks only to decide a dispute.
    pub(super) fn witnesses(&self) -> &'a [Solver] {
        self.witnesses
    }

    /// Asks one of the solvers; none if it does not read the operators of the case.
    pub fn ask_one(&mut self, case: &Case, text: &str, which: usize) -> Result<Option<Run>, SolverError> {
        let solvers = Arc::clone(&self.solvers);
        let mut runs = self.runs(case, text, &solvers[which..=which], self.way)?;
        Ok(runs.pop().flatten())
    }

    /// Judges a case of which it is known already what each solver did; with a kind, only whether something of that kind is wrong.
    pub fn judge_runs(
        &mut self,
        case: &Case,
        text: &str,
        runs: Vec<Option<Run>>,
        known: Known,
        kind: Option<Kind>,
    ) -> Result<Tried, SolverError> {
        let solvers = Arc::clone(&self.solvers);
        let trial = self.trial(case, text, &solvers, runs, known);
        let mut complaints = Vec::new();
        let mut abstained = Vec::new();
        for entry in kind.map_or_else(|| self.oracles.to_vec(), |kind| self.oracles_of(kind)) {
            match self.judge(&trial, entry)? {
                Judgement::Clean => {}
                Judgement::Abstain(why) => abstained.push(why),
                Judgement::Complain(found) => complaints.extend(found.into_iter().map(|c| (entry, c))),
            }
        }
        weigh(&mut complaints);
        // What a solver does without drawn options is no news of its variant. Options may make it refuse, give up or be slow.
        let told: Vec<_> = complaints.iter().map(|(_, c)| (c.kind(), c.against)).collect();
        let besides = self.own.len()..solvers.len();
        complaints.retain(|(_, c)| {
            let variant = c.against.filter(|whom| besides.contains(whom));
            let plain = variant.and_then(|whom| trial.variant_of(whom));
            plain.is_none_or(|plain| !c.kind().is_up_to_options() && !told.contains(&(c.kind(), Some(plain))))
        });
        let differs = trial.differs();
        Ok(Tried { runs: trial.runs, complaints, abstained, differs })
    }

    /// A trial with the witnesses, the budget and the proof checkers of this runner.
    pub(super) fn trial<'t>(
        &self,
        case: &'t Case,
        text: &'t str,
        solvers: &'t [Solver],
        runs: Vec<Option<Run>>,
        known: Known,
    ) -> Trial<'t>
    where
        'a: 't,
    {
        let mut trial = Trial::new(case, text, solvers, runs);
        trial.known = known;
        trial.witnesses = self.witnesses;
        trial.budget = self.budget;
        trial.checkers = Arc::clone(&self.checkers);
        trial.searches = Arc::clone(&self.searches);
        trial
    }

    /// What each solver does with a case; who does not read its operators is not asked.
    pub(super) fn runs(
        &mut self,
        case: &Case,
        text: &str,
        solvers: &[Solver],
        way: AskMode,
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let asked: Vec<_> = solvers.iter().map(|solver| (solver, Asking::Full)).collect();
        self.runs_of(case, text, &asked, way)
    }

    /// The same, each asked in its own way.
    pub(super) fn runs_of(
        &mut self,
        case: &Case,
        text: &str,
        solvers: &[(&Solver, Asking)],
        way: AskMode,
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let _reading = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let asks = case.script.queries();
        let roots: Vec<_> = asks.iter().flat_map(|ask| ask.assertions.iter().copied()).collect();
        let ask = Outputs { model: true, core: text.contains(":named"), reason: false };
        let is_asked = |(solver, asking): &(&Solver, Asking)| {
            *asking != Asking::Not && may_read(solver, &case.script.pool, &roots)
        };
        let asked: Vec<bool> = solvers.iter().map(is_asked).collect();
        let chosen = solvers.iter().zip(&asked).filter(|(_, asked)| **asked);
        let requests: Vec<_> = chosen
            .map(|(&(solver, asking), _)| {
                let within = match asking {
                    Asking::Within(time) => Some(time),
                    Asking::Not | Asking::Full => None,
                };
                Request { solver, question: Question { script: text, ask }, way, within }
            })
            .collect();
        let mut runs = self.runner.ask_all(&requests)?.into_iter();
        Ok(asked.iter().map(|&asked| if asked { runs.next() } else { None }).collect())
    }

    /// Lets an oracle judge, asking what it wants to know.
    pub fn judge(&mut self, trial: &Trial<'_>, entry: &oracle::Entry) -> Result<Judgement, SolverError> {
        let _span = tracing::debug_span!("oracle", name = entry.name).entered();
        let mut meter = CostMeter::new(trial, entry);
        let judged = self.judge_within(trial, entry, &mut meter);
        self.spent.add(meter.spent());
        judged
    }

    /// The same, measured.
    fn judge_within(
        &mut self,
        trial: &Trial<'_>,
        entry: &oracle::Entry,
        meter: &mut CostMeter,
    ) -> Result<Judgement, SolverError> {
        let (mut probed, mut proofs): (Vec<Probed>, Vec<ProofChecked>) = (Vec::new(), Vec::new());
        let rounds = ROUNDS.saturating_add(trial.budget.rounds(trial.solvers.len()));
        for _ in 0..rounds {
            match entry.oracle.step(trial, &Told { probed: &probed, proofs: &proofs }) {
                Step::Judge(judgement) => {
                    if let Judgement::Complain(found) = &judgement {
                        let declared = |c: &Complaint| entry.kinds.contains(&c.kind());
                        debug_assert!(found.iter().all(declared), "{}: {found:?}", entry.name);
                    }
                    tracing::trace!(?judgement, "judged");
                    return Ok(judgement);
                }
                Step::Ask(wanted) => {
                    meter.asks();
                    for probe in wanted.probes {
                        let run = self.probe(trial, &probe)?;
                        meter.asked(&run);
                        probed.push(Probed { probe, run });
                    }
                    for question in wanted.proofs {
                        let checker = &trial.checkers[question.checker];
                        let (script, proof) = (question.script.as_str(), question.proof.as_str());
                        let end =
                            check_proof(&checker.program, checker.rule(), (script, proof), &self.probes)?;
                        proofs.push(ProofChecked { question, end });
                    }
                }
            }
        }
        Ok(Judgement::Abstain(Abstention::AsksWithoutEnd { oracle: entry.name.to_owned() }))
    }

    fn probe(&mut self, trial: &Trial<'_>, probe: &Probe) -> Result<Run, SolverError> {
        let _span = tracing::debug_span!("probe", whom = %trial.solver(probe.whom).name).entered();
        let quiet = self.quiet;
        let (reading, writing);
        if probe.alone {
            writing = quiet.write().unwrap_or_else(PoisonError::into_inner);
            let _ = &writing;
        } else {
            reading = quiet.read().unwrap_or_else(PoisonError::into_inner);
            let _ = &reading;
        }
        let mut solver = trial.solver(probe.whom).clone();
        if let Some(seed) = probe.seed {
            solver = solver.with_seed(seed);
        }
        if !probe.options.is_empty() {
            solver = solver.with_options(&probe.options);
        }
        self.runner.limits = self.probes;
        if probe.whom >= trial.solvers.len() {
            // A witness has a limit of its own: the campaign's may be short. The time that the machine gives to others is not
            // the witness's.
            let time = trial.budget.witness_time();
            (self.runner.limits.cpu, self.runner.limits.wall) = (time, time * WITNESS_PATIENCE);
        }
        if probe.roomy {
            self.runner.limits.memory = self.probes.memory.saturating_mul(4);
            self.runner.limits.stack = Some(LARGE_STACK);
        }
        let question = Question { script: &probe.script, ask: probe.outputs };
        let run = self.runner.ask(&solver, question, AskMode::Fresh);
        self.runner.limits = self.limits;
        run
    }
}

/// Where somebody can be accused of the same check, nobody needs to hear that it is disputed. Where an answer is wrong, its model
/// is no news.
fn weigh(complaints: &mut Vec<(&'static oracle::Entry, Complaint)>) {
    let accused = complaints.iter().any(|(_, c)| c.against.is_some() && c.kind() < Kind::Disagreement);
    if accused {
        complaints.retain(|(_, c)| !matches!(c.kind(), Kind::Disagreement | Kind::Unconfirmed));
    }
    let unsound: Vec<_> = complaints
        .iter()
        .filter(|(_, c)| c.kind() == Kind::Soundness && c.against.is_some())
        .map(|(_, c)| (c.against, c.check))
        .collect();
    complaints.retain(|(_, c)| c.kind() != Kind::WrongModel || !unsound.contains(&(c.against, c.check)));
    // One complaint of a kind against one solver says it all.
    let mut seen = Vec::new();
    complaints.retain(|(_, c)| {
        let key = (c.kind(), c.against);
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
}
