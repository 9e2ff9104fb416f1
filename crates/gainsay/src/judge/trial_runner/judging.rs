//! Judging a case: one oracle after the other judges, and gets answers to the questions that it asks.

use std::sync::{Arc, PoisonError};

use super::{TrialRunner, Tried};
use crate::case::Case;
use crate::judge::cost::CostMeter;
use crate::judge::probe::{Judgement, Probe, Probed, Step, Told};
use crate::judge::proof::ProofChecked;
use crate::judge::{Abstention, Complaint, Kind, Known, Trial, oracle};
use crate::solver::process::proof::check_proof;
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Question, Run, Solver, SolverError};

/// Rounds of questions an oracle may ask, besides those that the budget of deciding allows.
const ROUNDS: usize = 256;
/// Wall time of a question to a witness for each second of CPU time.
const WITNESS_PATIENCE: u32 = 2;
/// The stack that a solver gets when it is given room.
const LARGE_STACK: u64 = 1 << 30;

impl<'a> TrialRunner<'a> {
    /// The oracles that can say that a thing of some kind is wrong.
    pub fn oracles_of(&self, kind: Kind) -> Vec<&'static oracle::Entry> {
        // What is disputed is weighed against all that is known.
        let says = |entry: &&&oracle::Entry| {
            matches!(kind, Kind::Disagreement | Kind::Unconfirmed) || entry.kinds.contains(&kind)
        };
        self.oracles.iter().filter(says).copied().collect()
    }

    /// Judges a case, given what each solver did with it. With a kind, only oracles that find faults of that kind judge.
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
    pub(in crate::judge) fn trial<'t>(
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

    /// Lets an oracle judge a trial, and asks the solvers what the oracle wants to know.
    pub fn judge(&mut self, trial: &Trial<'_>, entry: &oracle::Entry) -> Result<Judgement, SolverError> {
        let _span = tracing::debug_span!("oracle", name = entry.name).entered();
        let mut meter = CostMeter::new(trial, entry);
        let judged = self.judge_within(trial, entry, &mut meter);
        self.spent.add(meter.spent());
        judged
    }

    /// Judges as [`TrialRunner::judge`] does, and counts the questions in `meter`.
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
        let request = Request { solver: &solver, question, way: AskMode::Fresh, within: probe.within };
        let run = self.runner.ask_all(&[request]).map(|mut runs| runs.swap_remove(0));
        self.runner.limits = self.limits;
        run
    }
}

/// Removes complaints that another one makes unnecessary. A dispute says nothing new where a solver is accused, nor does a wrong
/// model where the answer is wrong.
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
