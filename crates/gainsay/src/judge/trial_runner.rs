//! The trial runner: asks all solvers a case, lets the oracles judge it, and confirms what they say in fresh processes.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use smt::{Logic, What};

use crate::case::{Answer, Case};
use crate::judge::cost::{CostMeter, DecidingCost};
use crate::judge::language::may_read;
use crate::judge::probe::{Judgement, Probe, Probed, Step, Told};
use crate::judge::proof::{ProofChecked, ProofChecker, checkers_on_path};
use crate::judge::{Abstention, Budget, Complaint, Kind, Known, Trial, oracle, reply_of};
use crate::solver::names::spelled;
use crate::solver::process::proof::check_proof;
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Run, Runner, Solver, SolverError};

/// Rounds of questions an oracle may ask, besides those that the budget of deciding allows.
const ROUNDS: usize = 256;
/// How often a finding is seen in fresh processes before it counts.
const FRESH: u32 = 2;
/// Wall time of a question to a witness for each second of CPU time.
const WITNESS_PATIENCE: u32 = 2;
/// The stack that a solver gets when it is given room.
const LARGE_STACK: u64 = 1 << 30;

/// Asks and judges for one worker.
pub struct TrialRunner<'a> {
    /// Who asks.
    pub runner: Runner,
    solvers: &'a [Solver],
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
    /// What deciding has cost since somebody took it.
    spent: DecidingCost,
    /// Whoever must be alone takes it for writing, all others for reading.
    quiet: &'a RwLock<()>,
}

/// Something that is to be seen again.
pub struct Sought<'a> {
    /// What kind of thing.
    pub kind: Kind,
    /// Whom it accuses.
    pub against: Option<usize>,
    /// Who may show it.
    pub oracles: &'a [&'static oracle::Entry],
    /// Whether a complaint is this thing.
    pub is_it: &'a dyn Fn(&Complaint) -> bool,
}

/// Runs, the complaint about them and whose it is.
struct Seen {
    runs: Vec<Option<Run>>,
    entry: &'static oracle::Entry,
    complaint: Complaint,
}

/// How a complaint was confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// In how many fresh runs.
    pub fresh: u32,
    /// Whether the accused's own options were left out.
    pub default_options: bool,
    /// Whether it is there without the logic line too; none if that was not asked or there is no such line.
    pub without_logic: Option<bool>,
}

/// A complaint that was seen again in fresh processes, and all that was seen with it.
pub struct Confirmed {
    /// The solvers as they were asked in the end: without their options, if that suffices.
    pub solvers: Vec<Solver>,
    /// Further solvers that were asked as witnesses; they follow the others in numbering.
    pub witnesses: Vec<Solver>,
    /// What each solver did.
    pub runs: Vec<Option<Run>>,
    /// The oracle that complains.
    pub entry: &'static oracle::Entry,
    /// What it complains of.
    pub complaint: Complaint,
    /// How it was confirmed.
    pub confirmation: Confirmation,
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
    /// A trial runner of these solvers and oracles.
    pub fn new(
        solvers: &'a [Solver],
        witnesses: &'a [Solver],
        oracles: &'a [&'static oracle::Entry],
        limits: Limits,
        way: AskMode,
        quiet: &'a RwLock<()>,
    ) -> TrialRunner<'a> {
        TrialRunner {
            runner: Runner::new(limits),
            solvers,
            witnesses,
            oracles,
            limits,
            probes: limits,
            way,
            budget: Budget::default(),
            checkers: checkers_on_path().into(),
            spent: DecidingCost::default(),
            quiet,
        }
    }

    /// The same, with another budget of deciding who is wrong.
    #[must_use]
    pub fn deciding_within(mut self, budget: Budget) -> TrialRunner<'a> {
        self.budget = budget;
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
            solvers: self.solvers,
            witnesses: self.witnesses,
            oracles: self.oracles,
            limits,
            probes,
            way,
            budget: self.budget,
            checkers: Arc::clone(&self.checkers),
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
            for solver in self.solvers {
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
        let runs = self.runs(case, text, self.solvers, self.way)?;
        self.judge_runs(case, text, runs, known, None)
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
    pub fn solvers(&self) -> &'a [Solver] {
        self.solvers
    }

    /// Asks one of the solvers; none if it does not read the operators of the case.
    pub fn ask_one(&mut self, case: &Case, text: &str, which: usize) -> Result<Option<Run>, SolverError> {
        let solvers = self.solvers;
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
        let mut trial = Trial::new(case, text, self.solvers, runs);
        trial.known = known;
        trial.witnesses = self.witnesses;
        trial.budget = self.budget;
        trial.checkers = Arc::clone(&self.checkers);
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
        let differs = trial.differs();
        Ok(Tried { runs: trial.runs, complaints, abstained, differs })
    }

    /// What each solver does with a case; who does not read its operators is not asked.
    fn runs(
        &mut self,
        case: &Case,
        text: &str,
        solvers: &[Solver],
        way: AskMode,
    ) -> Result<Vec<Option<Run>>, SolverError> {
        let _reading = self.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let asks = case.script.queries();
        let roots: Vec<_> = asks.iter().flat_map(|ask| ask.assertions.iter().copied()).collect();
        let ask = Outputs { model: true, core: text.contains(":named"), reason: false };
        let asked: Vec<bool> = solvers.iter().map(|s| may_read(s, &case.script.pool, &roots)).collect();
        let texts: Vec<Cow<'_, str>> = solvers.iter().map(|solver| spelled(solver, text)).collect();
        let requests: Vec<_> = solvers
            .iter()
            .zip(&texts)
            .zip(&asked)
            .filter(|(_, asked)| **asked)
            .map(|((solver, script), _)| Request { solver, question: Question { script, ask }, way })
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
        let script = spelled(&solver, &probe.script);
        let question = Question { script: &script, ask: probe.outputs };
        let run = self.runner.ask(&solver, question, AskMode::Fresh);
        self.runner.limits = self.limits;
        run
    }

    /// Looks at a complaint again in fresh processes; none if it does not show.
    pub fn confirm(
        &mut self,
        case: &Case,
        text: &str,
        known: &Known,
        (entry, complaint): (&'static oracle::Entry, &Complaint),
    ) -> Result<Option<Confirmed>, SolverError> {
        let (kind, against) = (complaint.kind(), complaint.against);
        // What is decided on one run may be undecided on another. A dispute about the same check is the same thing.
        let is_it = |c: &Complaint| {
            (c.kind() == kind && c.against == against)
                || (is_dispute(kind) && is_dispute(c.kind()) && c.check == complaint.check)
        };
        self.confirm_sought(case, text, known, &Sought { kind, against, oracles: &[entry], is_it: &is_it })
    }

    /// Looks for something in fresh processes until it has shown often enough to count; none if it does not show.
    pub fn confirm_sought(
        &mut self,
        case: &Case,
        text: &str,
        known: &Known,
        sought: &Sought<'_>,
    ) -> Result<Option<Confirmed>, SolverError> {
        let _span = tracing::info_span!("confirmation", kind = sought.kind.word()).entered();
        let mut solvers = self.solvers.to_vec();
        let mut confirmation = Confirmation::default();
        let accused = sought.against.filter(|&i| i < solvers.len());
        if let Some(accused) = accused.filter(|&i| !solvers[i].name.options().is_empty()) {
            // As it was seen; then with default options, if that suffices.
            if self.again(case, text, known, &solvers, sought, false)?.is_none() {
                return Ok(None);
            }
            let mut plain = solvers.clone();
            plain[accused] = plain[accused].without_options();
            confirmation.fresh = 1;
            // Who is not told to check itself does not.
            let checks = &solvers[accused].profile.run.self_check;
            let mute = sought.kind == Kind::SelfCheck
                && solvers[accused].name.options().iter().all(|o| checks.contains(o));
            if !mute && self.again(case, text, known, &plain, sought, false)?.is_some() {
                confirmation.default_options = true;
                solvers = plain;
            }
        } else {
            confirmation.default_options = accused.is_some();
        }
        let mut last = None;
        while confirmation.fresh < FRESH {
            // What all say is told in the end.
            let all = confirmation.fresh + 1 == FRESH;
            let Some(seen) = self.again(case, text, known, &solvers, sought, all)? else {
                return Ok(None);
            };
            confirmation.fresh += 1;
            last = Some(seen);
        }
        let Some(Seen { runs, entry, complaint }) = last else { return Ok(None) };
        if depends_on_meaning(complaint.kind()) && case.script.logic().is_some() {
            let (free, free_text) = without_logic(case);
            let there = self.again(&free, &free_text, known, &solvers, sought, false)?.is_some();
            confirmation.without_logic = Some(there);
            if !there && !keeps_its_logic(case) {
                return Ok(None);
            }
        }
        tracing::info!(?confirmation, "confirmed");
        Ok(Some(Confirmed {
            solvers,
            witnesses: self.witnesses.to_vec(),
            runs,
            entry,
            complaint,
            confirmation,
        }))
    }

    /// What is sought on a fresh trial, if it is there again. Where the accused alone shows it, the others are asked only for
    /// the sake of what they say: if `all` are to be.
    fn again(
        &mut self,
        case: &Case,
        text: &str,
        known: &Known,
        solvers: &[Solver],
        sought: &Sought<'_>,
        all: bool,
    ) -> Result<Option<Seen>, SolverError> {
        let shown_alone = sought.kind.is_shown_alone() && sought.oracles.iter().all(|entry| !entry.compares);
        let runs = match sought.against.filter(|i| *i < solvers.len() && shown_alone && !all) {
            Some(accused) => {
                let mut runs: Vec<Option<Run>> = solvers.iter().map(|_| None).collect();
                let own = self.runs(case, text, &solvers[accused..=accused], AskMode::Fresh)?;
                runs[accused] = own.into_iter().next().flatten();
                runs
            }
            None => self.runs(case, text, solvers, AskMode::Fresh)?,
        };
        let mut trial = Trial::new(case, text, solvers, runs);
        trial.known.clone_from(known);
        trial.witnesses = self.witnesses;
        trial.budget = self.budget;
        trial.checkers = Arc::clone(&self.checkers);
        let mut complaints = Vec::new();
        for &entry in sought.oracles {
            let Judgement::Complain(found) = self.judge(&trial, entry)? else { continue };
            complaints.extend(found.into_iter().map(|c| (entry, c)));
        }
        let seen = complaints.into_iter().filter(|(_, c)| (sought.is_it)(c)).min_by_key(|(_, c)| c.kind());
        Ok(seen.map(|(entry, complaint)| Seen { runs: trial.runs, entry, complaint }))
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

/// Whether a kind depends on what a formula means.
fn depends_on_meaning(kind: Kind) -> bool {
    is_dispute(kind) || kind == Kind::WrongCore
}

/// Whether a kind is about who is right on the satisfiability of a check.
fn is_dispute(kind: Kind) -> bool {
    matches!(kind, Kind::Soundness | Kind::WrongModel | Kind::Disagreement | Kind::Unconfirmed)
}

/// Whether the script stays within the logic it declares.
fn keeps_its_logic(case: &Case) -> bool {
    let declared = case.script.logic().and_then(Logic::named);
    declared.is_some_and(|logic| logic.holds(Logic::of(&case.script)))
}

/// The case without its logic line.
fn without_logic(case: &Case) -> (Case, String) {
    let mut free = case.clone();
    free.script.commands.retain(|c| !matches!(c.what, What::SetLogic(_)));
    let text = free.text();
    (free, text)
}
