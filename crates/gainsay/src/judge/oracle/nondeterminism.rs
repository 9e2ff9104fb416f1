//! Oracle `nondeterminism`: another answer with another random number, or with the same.

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::{Asked, Evidence, Fault, Trial, answer_of, reply_of};

/// The random numbers that are tried.
const NUMBERS: [u64; 2] = [1, 42];
/// How often the same number is tried.
const REPEATS: u32 = 3;

pub(super) struct Nondeterminism;

impl Oracle for Nondeterminism {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        for (i, run) in trial.made() {
            if answer_of(run).is_none() {
                continue;
            }
            let solver = trial.solver(i);
            let ask = |seed, repeat| Probe { seed, repeat, ..Probe::new(i, trial.text.to_owned()) };
            let mut said: Vec<(Asked, Vec<Answer>)> = Vec::new();
            for number in NUMBERS {
                if solver.profile.run.seed.is_empty() {
                    break;
                }
                let Some(run) = questions.ask(ask(Some(number), 0)) else { continue };
                said.push((Asked::WithSeed { number }, answers(run)));
            }
            for repeat in 0..REPEATS {
                let Some(run) = questions.ask(ask(None, repeat)) else { continue };
                said.push((Asked::Again, answers(run)));
            }
            let own = answers(run);
            let differs = |(how, other): &(Asked, Vec<Answer>)| {
                let at = own.iter().zip(other).position(|(a, b)| a.contradicts(*b))?;
                Some((how.clone(), at, other[at]))
            };
            let Some((how, check, other)) = said.iter().find_map(differs) else { continue };
            complaints.push(Complaint {
                fault: Fault::Nondeterminism { first: own[check], second: other, asked: how.clone() },
                against: Some(i),
                check: Some(check),
                evidence: vec![
                    Evidence::Answered { by: solver.name.clone(), check, answer: own[check] },
                    Evidence::Asked {
                        by: solver.name.clone(),
                        about: how,
                        script: trial.text.to_owned(),
                        answer: Some(other),
                    },
                ],
            });
        }
        questions.or_judge(complaints, None)
    }
}

fn answers(run: &crate::solver::Run) -> Vec<Answer> {
    (0..run.reply.checks.len()).map_while(|k| reply_of(run, k).map(|r| r.answer)).collect()
}
