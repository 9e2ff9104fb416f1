//! Oracle `constructed`: answers against what the case was made to be. A claim is checked before anyone is accused by it.

use super::Oracle;
use super::differential::undecided;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::voice::same_family;
use crate::judge::voices::ask_about_check;
use crate::judge::way::{Charge, Reviewed, charge, models, satisfies, suspect, with_values, wrong_unsat};
use crate::judge::{Abstention, Doubt, Evidence, Fault, Given, KnownUnsat, Suspicion, Trial};

pub(super) struct Constructed;

impl Oracle for Constructed {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for claim in &trial.case.claims {
            match claim {
                Claim::Is(CheckRef { script: 0, check }, Answer::Unsat) => {
                    if let Some(given) = &models(trial, *check).satisfying {
                        abstained = Some(Abstention::ClaimRefuted { by: given.by.clone() });
                        continue;
                    }
                    against_sat(trial, *check, claim, &mut questions, &mut complaints);
                }
                // What the witness of a check says is more.
                Claim::Is(CheckRef { script: 0, check }, Answer::Sat) if !has_witness(trial, *check) => {
                    let given = &models(trial, *check).satisfying;
                    against_unsat(trial, (*check, claim), given.as_ref(), &mut questions, &mut complaints);
                }
                Claim::Witness(CheckRef { script: 0, check }, model) => {
                    let given = witness(trial, *check, model);
                    if given.is_none() {
                        abstained = Some(Abstention::NoWitness);
                        continue;
                    }
                    against_unsat(trial, (*check, claim), given.as_ref(), &mut questions, &mut complaints);
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
    let query = trial.queries().get(check)?;
    let model = smt::Model::read(&trial.case.script, Some(query.command), text.as_bytes()).ok()?;
    satisfies(query, &model).then(|| Given { by: None, text: text.to_owned(), model, plain: true })
}

/// Charges those who say unsat, given a model.
fn against_unsat(
    trial: &Trial<'_>,
    (check, claim): (usize, &Claim),
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
            Charge::Wrong(voice, mut evidence) => {
                evidence.push(claimed());
                complaints.push(wrong_unsat(check, accused, voice, evidence));
            }
            Charge::Unconfirmed(mut evidence) => {
                evidence.push(claimed());
                complaints.push(suspect(trial, (accused, check), Suspicion::WrongUnsat, evidence));
            }
            Charge::Disputed(mut evidence) => {
                evidence.push(claimed());
                complaints.push(undecided(trial, check, evidence));
            }
            Charge::Asking => {}
        }
    }
}

/// Charges those who say sat to what is unsat by construction.
///
/// If a solver of another make on trial says unsat, that is the second voice. If none does, the accused is asked the formula with
/// values for all its symbols, which others decide at once. Only then are witnesses asked the formula itself, which may be hard.
fn against_sat(
    trial: &Trial<'_>,
    check: usize,
    claim: &Claim,
    questions: &mut Questions<'_>,
    complaints: &mut Vec<Complaint>,
) {
    let Some(query) = trial.queries().get(check) else { return };
    for (accused, _) in trial.answers(check).filter(|(_, a)| *a == Answer::Sat) {
        let solver = trial.solver(accused);
        let mut evidence = vec![Evidence::Claimed { claim: claim.clone() }];
        if let Err(why) = speaks(solver, &trial.case.script.pool, &query.assertions) {
            evidence.push(Evidence::Undecided { why: Doubt::Foreign { to: solver.name.clone(), why } });
            complaints.push(undecided(trial, check, evidence));
            continue;
        }
        let other =
            |(i, answer): (usize, Answer)| answer == Answer::Unsat && !same_family(trial.solver(i), solver);
        if !trial.answers(check).any(other) {
            match with_values(trial, (accused, check), questions) {
                Reviewed::Asking => continue,
                Reviewed::Complaint(mut complaint) => {
                    complaint.evidence.extend(evidence);
                    complaints.push(*complaint);
                    continue;
                }
                Reviewed::Defended => {}
            }
        }
        let Some(said) = ask_about_check(trial, (accused, check), questions) else { continue };
        evidence.extend(said.evidence);
        complaints.push(match (said.voice, said.denied) {
            (Some(voice), None) => Complaint {
                fault: Fault::WrongSat { known: KnownUnsat::ByConstruction, voice },
                against: Some(accused),
                check: Some(check),
                evidence,
            },
            (_, denied) => {
                let why = denied.map_or(Doubt::NoOtherUnsat, |by| Doubt::AlsoSat { by });
                evidence.push(Evidence::Undecided { why });
                suspect(trial, (accused, check), Suspicion::WrongSat, evidence)
            }
        });
    }
}
