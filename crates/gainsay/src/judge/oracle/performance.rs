//! Oracle `performance`: a time-out where another solver answers in a tenth of the time, three times, alone.

use std::time::Duration;

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::{Evidence, Fault, Trial, answer_of};
use crate::solver::{Outcome, Run, machine};

/// How many times slower than the reference is worth a word.
const RATIO: u32 = 10;
/// How often both are asked again.
const REPEATS: u32 = 3;

pub(super) struct Performance;

impl Oracle for Performance {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let slow: Vec<_> = trial.made().filter(|(_, run)| run.outcome() == Outcome::TimedOut).collect();
        let quick = trial
            .made()
            .filter(|(_, run)| run.outcome() == Outcome::Answered)
            .filter(|(_, run)| answer_of(run).is_some_and(|a| a != Answer::Unknown))
            .min_by_key(|(_, run)| run.wall);
        let Some((reference, fast)) = quick else { return questions.or_judge(complaints, None) };
        for (i, _) in slow.into_iter().filter(|(_, run)| run.wall >= fast.wall * RATIO) {
            let mut times = [Vec::new(), Vec::new()];
            let mut holds = true;
            for repeat in 0..REPEATS {
                let alone = |whom| Probe { alone: true, repeat, ..Probe::new(whom, trial.text.to_owned()) };
                let (Some(slow), Some(fast)) = (questions.ask(alone(i)), questions.ask(alone(reference)))
                else {
                    holds = false;
                    break;
                };
                holds &= slow.outcome() == Outcome::TimedOut
                    && fast.outcome() == Outcome::Answered
                    && cost(slow) >= cost(fast) * RATIO;
                times[0].push(cost(slow).as_millis() as u64);
                times[1].push(cost(fast).as_millis() as u64);
                if !holds {
                    break;
                }
            }
            if holds && questions.open.is_empty() {
                let [slow, fast] = times;
                let (name, other) = (&trial.solver(i).name, &trial.solver(reference).name);
                complaints.push(Complaint {
                    fault: Fault::Slow { than: other.clone(), milliseconds: fast[0] },
                    against: Some(i),
                    check: None,
                    evidence: vec![
                        Evidence::Timed { by: name.clone(), milliseconds: slow, on: machine() },
                        Evidence::Timed { by: other.clone(), milliseconds: fast, on: machine() },
                    ],
                });
            }
        }
        questions.or_judge(complaints, None)
    }
}

/// CPU time where it is known: others may use the machine. What hangs uses none, so that its wall time counts.
fn cost(run: &Run) -> Duration {
    match run.outcome() {
        Outcome::TimedOut => run.wall.max(run.cpu.unwrap_or_default()),
        _ => run.cpu.unwrap_or(run.wall),
    }
}
