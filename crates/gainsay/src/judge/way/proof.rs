//! A proof that was checked: whoever says sat to the formula is wrong.
//!
//! A program that checks proofs and is no solver is a second voice. The own checker of the solver that made the proof is none:
//! it leaves the finding unconfirmed.

use super::search::searched;
use super::{Came, Dispute, models};
use crate::case::Answer;
use crate::judge::attempt::Attempt;
use crate::judge::derived::Searched;
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, KnownUnsat, Suspicion};
use crate::judge::pinned::asserting;
use crate::judge::probe::{Probe, Questions};
use crate::judge::proof::{CheckedBy, ProofQuestion};
use crate::judge::trial::answer_of;
use crate::judge::voice::SecondVoice;
use crate::judge::voices::understands;
use crate::solver::{Outcome, ProofEnd, ProofRules, Run};

/// Asks solvers for a proof that can be checked, and accuses those who say sat.
pub fn try_proofs(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let Dispute { trial, check, query, .. } = *dispute;
    // Where our evaluation says that the formula is satisfiable, a proof of the contrary accuses nobody.
    let is_sat =
        models(trial, check).satisfying.is_some() || matches!(*searched(trial, check), Searched::Sat(_));
    if dispute.sat.is_empty() || is_sat {
        return Came::Nothing(Vec::new());
    }
    let terms = query.assertions.iter().map(|&term| smt::write_term(&trial.case.script.pool, term));
    let script = asserting(&trial.case.script, query, &terms.collect::<Vec<_>>());
    let provers = (0..trial.all()).filter_map(|number| {
        let solver = trial.solver(number);
        let rules = solver.profile.proofs.as_ref()?;
        let can = rules.holds_for(solver.release.as_ref()) && understands(trial, number, query);
        can.then_some(Prover { number, rules, script: &script })
    });
    let (mut evidence, mut own, mut asked) = (Vec::new(), false, 0);
    for prover in provers.take(trial.budget.proofs) {
        asked += 1;
        match prover.checked(dispute, &mut evidence, questions) {
            None => return Came::Asking,
            Some(Checked::Accepted(voice)) => return accuse(dispute, &voice, &evidence),
            Some(Checked::Not) => {}
        }
        match prover.checked_itself(dispute, &mut evidence, questions) {
            None => return Came::Asking,
            Some(accepted) => own |= accepted,
        }
    }
    if own {
        let mut all = dispute.answers();
        all.extend(evidence);
        let suspect = |&suspect| dispute.unconfirmed(suspect, Suspicion::RefutedByProof, all.clone());
        return Came::Complaints(dispute.sat.iter().map(suspect).collect());
    }
    evidence.push(Evidence::Tried { attempt: Attempt::Proof { provers: asked } });
    Came::Nothing(evidence)
}

/// Accuses everybody who says sat to what is proved to be unsatisfiable.
fn accuse(dispute: &Dispute<'_, '_>, voice: &SecondVoice, evidence: &[Evidence]) -> Came {
    let one = |&accused: &usize| {
        let mut all = dispute.answers();
        all.extend_from_slice(evidence);
        let voice = voice.clone();
        dispute.against(accused, Fault::WrongSat { known: KnownUnsat::ByProof, voice }, all)
    };
    Came::Complaints(dispute.sat.iter().map(one).collect())
}

/// What programs that check proofs say of one.
enum Checked {
    /// One accepts it.
    Accepted(SecondVoice),
    /// There is no such program, or none accepts it.
    Not,
}

/// A solver that proves.
struct Prover<'p> {
    number: usize,
    rules: &'p ProofRules,
    script: &'p str,
}

impl Prover<'_> {
    /// Asks the solver with more options, and with a command after the script.
    fn ask<'q>(&self, options: &[String], then: &str, questions: &mut Questions<'q>) -> Option<&'q Run> {
        let (options, script) = (options.to_vec(), format!("{}{then}", self.script));
        questions.ask(Probe { options, ..Probe::new(self.number, script) })
    }

    fn evidence(
        &self,
        dispute: &Dispute<'_, '_>,
        options: &[String],
        checker: CheckedBy,
        end: ProofEnd,
    ) -> Evidence {
        let (by, options) = (dispute.trial.solver(self.number).name.clone(), options.to_vec());
        Evidence::Proof { by, options, script: self.script.to_owned(), checker, end }
    }

    /// What programs say of the proof. None while a question is open.
    fn checked(
        &self,
        dispute: &Dispute<'_, '_>,
        evidence: &mut Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<Checked> {
        let solver = dispute.trial.solver(self.number);
        for (number, checker) in dispute.trial.checkers.iter().enumerate() {
            if checker.profile.name != solver.profile.name {
                continue;
            }
            let run = self.ask(&self.rules.print, &self.rules.ask, questions)?;
            let name = &checker.rule().name;
            let end = match self.proof_in(run) {
                None => ProofEnd::Missing,
                Some(proof) if self.rules.gap.is_match(proof) => ProofEnd::Gaps,
                Some(proof) => {
                    let (script, proof) = (self.script.to_owned(), proof.to_owned());
                    questions.check(ProofQuestion { checker: number, script, proof })?
                }
            };
            let by = CheckedBy::Program { name: name.clone() };
            evidence.push(self.evidence(dispute, &self.rules.print, by, end));
            if let Some(voice) = SecondVoice::of_proof(name, solver, run, end) {
                return Some(Checked::Accepted(voice));
            }
        }
        Some(Checked::Not)
    }

    /// Whether the solver's own checker accepts its proof. None while it is asked.
    fn checked_itself(
        &self,
        dispute: &Dispute<'_, '_>,
        evidence: &mut Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<bool> {
        let run = self.ask(&self.rules.own, "", questions)?;
        let accepted = run.outcome() == Outcome::Answered && answer_of(run) == Some(Answer::Unsat);
        // It does not answer if a step is only trusted, or does not hold.
        let end = if accepted { ProofEnd::Accepted } else { ProofEnd::Missing };
        evidence.push(self.evidence(dispute, &self.rules.own, CheckedBy::Prover, end));
        Some(accepted)
    }

    /// The proof that the solver printed with its unsat.
    fn proof_in<'r>(&self, run: &'r Run) -> Option<&'r str> {
        answer_of(run).filter(|answer| *answer == Answer::Unsat)?;
        run.reply.last_output().filter(|text| !self.rules.missing.is_match(text))
    }
}
