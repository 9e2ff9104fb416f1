//! The trial runner: asks all solvers a case and lets the oracles judge it.

mod judging;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use crate::case::{Answer, Case};
use crate::judge::cost::DecidingCost;
use crate::judge::language::{may_declare, may_read};
use crate::judge::proof::{ProofChecker, checkers_on_path};
use crate::judge::searches::Searches;
use crate::judge::{Abstention, Budget, Complaint, Known, oracle, reply_of};
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Run, Runner, Solver, SolverError};

/// Asks and judges for one worker.
pub struct TrialRunner<'a> {
    /// Starts solvers and asks them.
    pub runner: Runner,
    /// The solvers of the campaign.
    own: &'a [Solver],
    /// The solvers of the campaign, and after them the variants of them that are asked as well.
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
    /// The searches that ended without a model.
    searches: Arc<Searches>,
    /// The cost of deciding since [`TrialRunner::take_cost`] was called last.
    spent: DecidingCost,
    /// A question that must be asked alone locks this for writing, every other question for reading.
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

/// The result of a case.
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

    /// What deciding who is wrong has cost since the last call.
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

    /// Sets the witnesses, which are asked where a meaning is disputed.
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
    pub(in crate::judge) fn witnesses(&self) -> &'a [Solver] {
        self.witnesses
    }

    /// Asks one of the solvers; none if it does not read the operators of the case.
    pub fn ask_one(&mut self, case: &Case, text: &str, which: usize) -> Result<Option<Run>, SolverError> {
        let solvers = Arc::clone(&self.solvers);
        let mut runs = self.runs(case, text, &solvers[which..=which], self.way)?;
        Ok(runs.pop().flatten())
    }

    /// What each solver does with a case. A solver that does not read the operators of the case is not asked.
    pub(in crate::judge) fn runs(
        &mut self,
        case: &Case,
        text: &str,
        solvers: &[Solver],
        way: AskMode,
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let asked: Vec<_> = solvers.iter().map(|solver| (solver, Asking::Full)).collect();
        self.runs_of(case, text, &asked, way)
    }

    /// What each solver does with a case. The `Asking` of a solver says whether it is asked and how long it may take.
    pub(in crate::judge) fn runs_of(
        &mut self,
        case: &Case,
        text: &str,
        solvers: &[(&Solver, Asking)],
        way: AskMode,
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let _reading = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let asks = case.script.queries();
        let mut roots: Vec<_> = asks.iter().flat_map(|ask| ask.assertions.iter().copied()).collect();
        // A script without a check may simplify what it defines.
        if asks.is_empty() {
            (0..case.script.commands.len()).for_each(|i| case.script.each_term(i, |root| roots.push(root)));
        }
        let ask = Outputs { model: true, core: text.contains(":named"), reason: false };
        let is_asked = |(solver, asking): &(&Solver, Asking)| {
            *asking != Asking::Not
                && may_read(solver, &case.script.pool, &roots)
                && may_declare(solver, &case.script)
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
}
