//! Oracle `performance`: a time-out where another solver answers in a tenth of the time, three times, alone; where the answer is
//! known by construction; or where the solver itself answers the same formula asked otherwise in a tenth of the time.

use std::time::Duration;

use super::Oracle;
use super::otherwise::{claimed, otherwise};
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
        let mut complaints = beside_others(trial, &mut questions);
        for (i, run) in trial.made() {
            if complaints.iter().any(|complaint| complaint.against == Some(i)) {
                continue;
            }
            complaints.extend(match run.outcome() {
                Outcome::TimedOut if !run.cut_short => known(trial, i, &mut questions),
                Outcome::Answered => alone(trial, i, run, &mut questions),
                _ => None,
            });
        }
        questions.or_judge(complaints, None)
    }
}

/// Times of two questions that are asked again and again, alone: the first runs out of time, and the second is answered in a
/// tenth of it. None if that does not hold, or while questions are open.
fn times(slow: &Probe, fast: Option<&Probe>, questions: &mut Questions<'_>) -> Option<[Vec<u64>; 2]> {
    let mut times = [Vec::new(), Vec::new()];
    for repeat in 0..REPEATS {
        let again = |probe: &Probe| Probe { alone: true, repeat, ..probe.clone() };
        let slow = questions.ask(again(slow));
        let fast = fast.map(|fast| questions.ask(again(fast)));
        let slow = slow?;
        let mut holds = slow.outcome() == Outcome::TimedOut;
        times[0].push(cost(slow).as_millis() as u64);
        if let Some(fast) = fast {
            let fast = fast?;
            holds &= fast.outcome() == Outcome::Answered && cost(slow) >= cost(fast) * RATIO;
            times[1].push(cost(fast).as_millis() as u64);
        }
        if !holds {
            return None;
        }
    }
    Some(times)
}

/// Complaints of time-outs where another solver answers.
fn beside_others(trial: &Trial<'_>, questions: &mut Questions<'_>) -> Vec<Complaint> {
    let quick = trial.made().filter(|(_, run)| is_answer(run)).min_by_key(|(_, run)| run.wall);
    let Some((reference, fast)) = quick else { return Vec::new() };
    let mut complaints = Vec::new();
    // Who had less time than the limits allow may still answer within them.
    let slow = trial.made().filter(|(_, run)| run.outcome() == Outcome::TimedOut && !run.cut_short);
    for (i, _) in slow.filter(|(_, run)| run.wall >= fast.wall * RATIO) {
        let [slow, fast] = [i, reference].map(|whom| Probe::new(whom, trial.text.to_owned()));
        let Some([slow, fast]) = times(&slow, Some(&fast), questions) else { continue };
        let than = trial.solver(reference).name.clone();
        let evidence = vec![timed(trial, i, slow), timed(trial, reference, fast.clone())];
        complaints.push(complaint(i, Fault::Slow { than, milliseconds: fast[0] }, evidence));
    }
    complaints
}

/// The complaint of a time-out where the answer is known by construction.
fn known(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Option<Complaint> {
    let claim = claimed(trial, 0)?;
    let [slow, _] = times(&Probe::new(accused, trial.text.to_owned()), None, questions)?;
    let evidence = vec![Evidence::Claimed { claim: claim.clone() }, timed(trial, accused, slow)];
    Some(complaint(accused, Fault::TimedOut { asked: None }, evidence))
}

/// The complaint of a time-out where the solver answers the same formula at once.
fn alone(trial: &Trial<'_>, accused: usize, run: &Run, questions: &mut Questions<'_>) -> Option<Complaint> {
    if !is_answer(run) {
        return None;
    }
    for other in otherwise(trial, accused) {
        let Some(second) = questions.ask(other.probe.clone()) else { continue };
        if second.outcome() != Outcome::TimedOut || second.wall < run.wall * RATIO {
            continue;
        }
        let plain = Probe::new(accused, trial.text.to_owned());
        let [slow, fast] = times(&other.probe, Some(&plain), questions)?;
        let mut evidence = other.evidence;
        let (by, about) = (trial.solver(accused).name.clone(), other.asked.clone());
        evidence.push(Evidence::Asked { by, about, script: other.probe.script, answer: None });
        evidence.extend([timed(trial, accused, slow), timed(trial, accused, fast)]);
        return Some(complaint(accused, Fault::TimedOut { asked: Some(other.asked) }, evidence));
    }
    None
}

fn complaint(accused: usize, fault: Fault, evidence: Vec<Evidence>) -> Complaint {
    Complaint { fault, against: Some(accused), check: None, evidence }
}

fn timed(trial: &Trial<'_>, solver: usize, milliseconds: Vec<u64>) -> Evidence {
    Evidence::Timed { by: trial.solver(solver).name.clone(), milliseconds, on: machine() }
}

fn is_answer(run: &Run) -> bool {
    run.outcome() == Outcome::Answered && answer_of(run).is_some_and(|answer| answer != Answer::Unknown)
}

/// CPU time where it is known: others may use the machine. What hangs uses none, so that its wall time counts.
fn cost(run: &Run) -> Duration {
    match run.outcome() {
        Outcome::TimedOut => run.wall.max(run.cpu.unwrap_or_default()),
        _ => run.cpu.unwrap_or(run.wall),
    }
}
