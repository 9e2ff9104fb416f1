//! Oracle `metamorphic`: answers of one solver to two scripts that cannot both be right.

use super::Oracle;
use super::audited::{Audit, Implications};
use super::implication::between;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::steps::{replayed, steps};
use crate::judge::way::{Charge, charge, charge_for, read_model, satisfies, suspect, wrong_unsat};
use crate::judge::{Abstention, Asked, Doubt, Evidence, Fault, Given, Suspicion, Trial, reply_of};
use crate::solver::Run;

/// Scripts between two others that are asked at once when the guilty step is looked for.
const BETWEEN: usize = 7;

pub(super) struct Metamorphic;

impl Oracle for Metamorphic {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut ours = None;
        for claim in &trial.case.claims {
            let Claim::SatImplies(from, to) = claim else { continue };
            for i in 0..trial.runs.len() {
                let (first, second) = (answer(trial, i, *from), answer(trial, i, *to));
                if (first, second) != (Some(Answer::Sat), Some(Answer::Unsat)) {
                    continue;
                }
                let answers = Contradiction { trial, accused: i, claim, from: *from, to: *to };
                match answers.judge(&mut questions) {
                    Some(Outcome::Wrong(complaint)) => complaints.push(*complaint),
                    Some(Outcome::Ours(asked)) => ours = Some(Abstention::StepRefuted { asked }),
                    None => {}
                }
            }
        }
        questions.or_judge(complaints, ours)
    }
}

/// Two answers of a solver that cannot both be right: sat to one check, and unsat to another that follows from it.
struct Contradiction<'t> {
    trial: &'t Trial<'t>,
    accused: usize,
    claim: &'t Claim,
    from: CheckRef,
    to: CheckRef,
}

/// What comes of two answers that cannot both be right.
enum Outcome {
    /// Something is wrong with the solver.
    Wrong(Box<Complaint>),
    /// The claim does not hold: the mistake is ours.
    Ours(Asked),
}

/// What a solver answered to a check of one of the case's scripts.
fn answer(trial: &Trial<'_>, solver: usize, ask: CheckRef) -> Option<Answer> {
    match ask.script {
        0 => trial.reply(solver, ask.check).map(|r| r.answer),
        n => trial.known.get(n - 1)?.get(solver)?.get(ask.check).copied(),
    }
}

impl Contradiction<'_> {
    /// The solver says sat to the first and unsat to the second. A model of the first that satisfies the second shows that
    /// the unsat is wrong; that the step from the first to the second is sound is otherwise asked of other solvers.
    fn judge(&self, questions: &mut Questions<'_>) -> Option<Outcome> {
        let (trial, from, to) = (self.trial, self.from, self.to);
        let mut evidence = vec![Evidence::Claimed { claim: self.claim.clone() }];
        let first = trial.case.script_of(from)?;
        let second = trial.case.script_of(to)?;
        let told = self.asked_again(first, second, questions)?;
        let (first_asks, second_asks) = (first.queries(), second.queries());
        let (ask_from, ask_to) = (first_asks.get(from.check)?, second_asks.get(to.check)?);
        let reply = reply_of(told, from.check).filter(|r| r.answer == Answer::Sat)?;
        let turn = self.guilty(&mut evidence, questions)?;
        let solver = trial.solver(self.accused);
        let model = reply.model.as_deref().and_then(|m| read_model(solver, second, ask_to, m));
        if let Some(given) = model.filter(|given| satisfies(ask_to, &given.model)) {
            let complaint = self.convict(&given, &evidence, questions)?;
            return Some(Outcome::Wrong(Box::new(complaint)));
        }
        let voice = match self.soundness(turn, &mut evidence, questions)? {
            Audit::Fails(about) => return Some(Outcome::Ours(about)),
            Audit::Holds(voice) => Some(voice),
            Audit::Open => None,
        };
        let speaks =
            |script: &smt::Script, ask: &smt::Query| speaks(solver, &script.pool, &ask.assertions).is_ok();
        let voice = voice.filter(|_| speaks(first, ask_from) && speaks(second, ask_to));
        if voice.is_none() {
            evidence.push(Evidence::Undecided { why: Doubt::NotShownToFollow });
        }
        Some(Outcome::Wrong(Box::new(Complaint {
            against: voice.is_some().then_some(self.accused),
            fault: Fault::Contradiction { by: solver.name.clone(), voice },
            check: Some(if to.script == 0 { to.check } else { from.check }),
            evidence,
        })))
    }

    /// What the accused says to the first script when it is asked for a model too. None while questions are open, or if it no
    /// longer says unsat to the second.
    fn asked_again<'q>(
        &self,
        first: &smt::Script,
        second: &smt::Script,
        questions: &mut Questions<'q>,
    ) -> Option<&'q Run> {
        let told = questions.ask(Probe::new(self.accused, first.text()).with_model());
        // What was answered to the seed once is asked again: the complaint rests on it.
        if self.to.script != 0 {
            let run = questions.ask(Probe::new(self.accused, second.text()))?;
            reply_of(run, self.to.check).filter(|reply| reply.answer == Answer::Unsat)?;
        }
        told
    }

    /// Whether the second follows from the first, where no model shows it: as a whole, or because each step holds and is where
    /// its polarity is what it should be. None while questions are open.
    fn soundness(
        &self,
        (low, high): (usize, usize),
        evidence: &mut Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<Audit> {
        let case = self.trial.case;
        let whole = between(case, self.to, low, high).map(|script| vec![(Asked::Whole, script)]);
        let mut by_step: Vec<(Asked, String)> = Vec::new();
        for audit in steps(case, low, high).into_iter().flatten() {
            let (about, about_place) = (audit.about(), audit.about_place());
            by_step.push((about, audit.step));
            by_step.extend(audit.contexts.into_iter().map(|script| (about_place.clone(), script)));
        }
        for scripts in [whole.unwrap_or_default(), by_step] {
            if scripts.is_empty() {
                continue;
            }
            let found = Implications { trial: self.trial, accused: self.accused, scripts: &scripts };
            match found.audited(evidence, questions)? {
                Audit::Open => {}
                known => return Some(known),
            }
        }
        Some(Audit::Open)
    }

    /// The first and the last of the edits between which the answer turns: asks the scripts between, and tells which edit it
    /// was. None while questions are open.
    fn guilty(&self, evidence: &mut Vec<Evidence>, questions: &mut Questions<'_>) -> Option<(usize, usize)> {
        let (trial, accused, to) = (self.trial, self.accused, self.to);
        let edits = trial.case.lineage.edits.list();
        let (mut low, mut high) = (0, edits.len());
        // The seed's answer, then the mutant's.
        let turn = if to.script == 0 { [Answer::Sat, Answer::Unsat] } else { [Answer::Unsat, Answer::Sat] };
        let mut shown = Vec::new();
        while high > low + 1 {
            let count = BETWEEN.min(high - low - 1);
            let points: Vec<usize> = (1..=count).map(|i| low + i * (high - low) / (count + 1)).collect();
            let mut told = Vec::with_capacity(count);
            for &point in &points {
                let Some(script) = replayed(trial.case, point).map(|script| script.text()) else { continue };
                let run = questions.ask(Probe::new(accused, script.clone()));
                told.push((point, script, run));
            }
            let mut answers = Vec::with_capacity(count);
            for (point, script, run) in told {
                answers.push((point, script, reply_of(run?, to.check).map(|r| r.answer)));
            }
            let turned = |a: &&(usize, String, Option<Answer>)| a.2 == Some(turn[1]);
            let last = answers.iter().find(turned);
            let until = last.map_or(high, |a| a.0);
            let first = answers.iter().rfind(|a| a.0 < until && a.2 == Some(turn[0]));
            if first.is_none() && last.is_none() {
                break;
            }
            low = first.map_or(low, |a| a.0);
            high = until;
            shown.extend([first, last].into_iter().flatten().cloned());
        }
        for (point, script, answer) in shown {
            if point == low || point == high {
                let about = Asked::AfterEdits { done: point, of: edits.len() };
                evidence.push(Evidence::Asked {
                    by: trial.solver(accused).name.clone(),
                    about,
                    script,
                    answer,
                });
            }
        }
        if high > low {
            evidence.push(Evidence::Turned { edits: (low..high).collect() });
        }
        Some((low, high))
    }

    /// The complaint that a model satisfies what the accused says unsat to. None while questions are open.
    fn convict(
        &self,
        given: &Given,
        claimed: &[Evidence],
        questions: &mut Questions<'_>,
    ) -> Option<Complaint> {
        let (trial, accused, to) = (self.trial, self.accused, self.to);
        let with = |mut evidence: Vec<Evidence>| {
            evidence.extend(claimed.iter().cloned());
            evidence
        };
        if to.script == 0 {
            return Some(match charge(trial, to.check, accused, given, questions) {
                Charge::Wrong(voice, evidence) => wrong_unsat(to.check, accused, voice, with(evidence)),
                Charge::Unconfirmed(evidence) => {
                    suspect(trial, (accused, to.check), Suspicion::WrongUnsat, with(evidence))
                }
                Charge::Disputed(evidence) => super::differential::undecided(trial, to.check, with(evidence)),
                Charge::Asking => return None,
            });
        }
        // The unsat was the answer to the other script, which is not the one on trial.
        let by = trial.solver(accused).name.clone();
        let proof = Evidence::SatisfiedOther {
            script: to.script,
            check: to.check,
            by: given.by.clone(),
            model: given.text.clone(),
        };
        let script = trial.case.script_of(to)?;
        let (voice, evidence) =
            match charge_for(trial, (script, to.check), accused, (given, proof), questions) {
                Charge::Wrong(voice, evidence) => (Some(voice), evidence),
                Charge::Unconfirmed(evidence) | Charge::Disputed(evidence) => (None, evidence),
                Charge::Asking => return None,
            };
        let against = voice.is_some().then_some(accused);
        let fault = Fault::SeedDenied { by, voice };
        Some(Complaint { fault, against, check: Some(0), evidence: with(evidence) })
    }
}
