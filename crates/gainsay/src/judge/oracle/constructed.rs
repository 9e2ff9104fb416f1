//! Oracle `constructed`: answers against what the case was made to be. A claim is checked before anyone is accused by it.

use super::Oracle;
use super::differential::undecided;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::proof::{Charge, Given, charge, read_model, satisfies, satisfying, wrong_unsat};
use crate::judge::{Abstention, Doubt, Evidence, Fault, KnownUnsat, Trial};

pub(super) struct Constructed;

impl Oracle for Constructed {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for claim in &trial.case.claims {
            match claim {
                Claim::Is(CheckRef { script: 0, check }, Answer::Unsat) => {
                    against_sat(trial, *check, claim, &mut complaints, &mut abstained);
                }
                // What the witness of a check says is more.
                Claim::Is(CheckRef { script: 0, check }, Answer::Sat) if !has_witness(trial, *check) => {
                    let given = satisfying(trial, *check).next();
                    against_unsat(trial, *check, claim, given.as_ref(), &mut questions, &mut complaints);
                }
                Claim::Witness(CheckRef { script: 0, check }, model) => {
                    let given = witness(trial, *check, model);
                    if given.is_none() {
                        abstained = Some(Abstention::NoWitness);
                        continue;
                    }
                    against_unsat(trial, *check, claim, given.as_ref(), &mut questions, &mut complaints);
                }
                _ => {}
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

fn has_witness(trial: &Trial<'_>, check: usize) -> bool {
    let of_check =
        |claim: &Claim| matches!(claim, Claim::Witness(CheckRef { script: 0, check: c }, _) if *c == check);
    trial.case.claims.iter().any(of_check)
}

/// The witness that the case came with, if it is one.
fn witness(trial: &Trial<'_>, check: usize, text: &str) -> Option<Given> {
    let ask = trial.queries().get(check)?;
    let model = smt::Model::read(&trial.case.script, Some(ask.command), text.as_bytes()).ok()?;
    satisfies(ask, &model).then(|| Given { by: None, text: text.to_owned(), model, plain: true })
}

/// Charges those who say unsat, given a model.
fn against_unsat(
    trial: &Trial<'_>,
    check: usize,
    claim: &Claim,
    given: Option<&Given>,
    questions: &mut Questions<'_>,
    complaints: &mut Vec<Complaint>,
) {
    let claimed = || Evidence::Claimed { claim: claim.clone() };
    for (accused, _) in trial.answers(check).filter(|(_, a)| *a == Answer::Unsat) {
        let Some(given) = given else {
            let why = Doubt::NoModelOfConstruction;
            complaints.push(undecided(trial, check, vec![claimed(), Evidence::Undecided { why }]));
            return;
        };
        match charge(trial, check, accused, given, questions) {
            Charge::Wrong(mut evidence) => {
                evidence.push(claimed());
                complaints.push(wrong_unsat(trial, check, accused, evidence));
            }
            Charge::Disputed(mut evidence) => {
                evidence.push(claimed());
                complaints.push(undecided(trial, check, evidence));
            }
            Charge::Asking => {}
        }
    }
}

/// Charges those who say sat to what is unsat by construction, if another solver says unsat. A model that satisfies it
/// refutes the claim, and then nobody is accused.
fn against_sat(
    trial: &Trial<'_>,
    check: usize,
    claim: &Claim,
    complaints: &mut Vec<Complaint>,
    abstained: &mut Option<Abstention>,
) {
    if let Some(given) = satisfying(trial, check).next() {
        *abstained = Some(Abstention::ClaimRefuted { by: given.by });
        return;
    }
    let agreeing = trial.answers(check).find(|(_, a)| *a == Answer::Unsat);
    for (accused, _) in trial.answers(check).filter(|(_, a)| *a == Answer::Sat) {
        let solver = trial.solver(accused);
        let claimed = Evidence::Claimed { claim: claim.clone() };
        let ask = &trial.queries()[check];
        if let Err(why) = crate::judge::language::speaks(solver, &trial.case.script.pool, &ask.assertions) {
            let why = Doubt::Foreign { to: solver.name.clone(), why };
            complaints.push(undecided(trial, check, vec![claimed, Evidence::Undecided { why }]));
            continue;
        }
        let model = trial.reply(accused, check).and_then(|r| r.model.as_deref());
        let read = model.and_then(|m| read_model(solver, &trial.case.script, ask, m));
        let falsified = read.as_ref().is_some_and(|given| {
            smt::satisfies(ask, &given.model, &smt::Fuel::default()) == smt::Verdict::False
        });
        let mut evidence = vec![claimed];
        if let Some((other, answer)) = agreeing {
            evidence.push(Evidence::Answered { by: trial.solver(other).name.clone(), check, answer });
        }
        if agreeing.is_none() && !falsified {
            let why = Doubt::NoOtherUnsat;
            evidence.push(Evidence::Undecided { why });
            complaints.push(undecided(trial, check, evidence));
            continue;
        }
        complaints.push(Complaint {
            fault: Fault::WrongSat { known: KnownUnsat::ByConstruction },
            against: Some(accused),
            check: Some(check),
            evidence,
        });
    }
}
