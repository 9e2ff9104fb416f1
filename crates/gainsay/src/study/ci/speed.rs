//! Is a build slower than its reference? Both are asked the same formulas in processes of their own, in an order in which what
//! the machine does besides falls on both alike.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::campaign::EngineError;
use crate::case::Answer;
use crate::judge::answer_of;
use crate::report::ci::{Speed, Totals};
use crate::solver::Run;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, Solver};

/// How often a figure beyond the bound is measured before it is believed.
const ROUNDS: usize = 3;

/// A formula to be timed.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Its grammar.
    pub grammar: String,
    /// The script.
    pub text: String,
}

/// Two solvers and how they are compared.
pub struct Race<'a> {
    /// The build.
    pub build: &'a Solver,
    /// The reference.
    pub against: &'a Solver,
    /// What one question may cost.
    pub limits: Limits,
    /// How many times as long the build may take.
    pub bound: f64,
    /// How many workers there are.
    pub jobs: usize,
    /// When it ends.
    pub until: Option<Instant>,
}

/// Measures; what is beyond the bound in the first round is measured again, and believed only if every round says so.
pub fn speeds(race: &Race<'_>, formulas: &[Timed], stop: &AtomicBool) -> Result<Vec<Speed>, EngineError> {
    if formulas.is_empty() {
        return Ok(Vec::new());
    }
    let mut names: Vec<String> = vec!["all".to_owned()];
    for formula in formulas {
        if !names.contains(&formula.grammar) {
            names.push(formula.grammar.clone());
        }
    }
    if names.len() == 2 {
        names.remove(0);
    }
    let mut speeds: Vec<Speed> =
        names.into_iter().map(|grammar| Speed { grammar, rounds: Vec::new(), slower: false }).collect();
    let mut open: Vec<usize> = (0..speeds.len()).collect();
    for round in 0..ROUNDS {
        let wanted = |f: &&Timed| open.iter().any(|&s| covers(&speeds[s], f));
        let asked: Vec<&Timed> = formulas.iter().filter(wanted).collect();
        if asked.is_empty() || stop.load(Ordering::Relaxed) {
            break;
        }
        // What the first round says is looked at again, however late it is: nobody is accused by one round.
        let times = measure(race, &asked, stop, race.until.filter(|_| round == 0))?;
        for &s in &open {
            let mut totals = Totals::default();
            for (formula, (own, other)) in asked.iter().zip(&times).filter_map(|(f, t)| Some((f, (*t)?))) {
                if covers(&speeds[s], formula) {
                    totals.formulas += 1;
                    totals.build += own.as_secs_f64();
                    totals.against += other.as_secs_f64();
                }
            }
            speeds[s].rounds.push(totals);
        }
        open.retain(|&s| {
            speeds[s].rounds.last().is_some_and(|t| t.says_something() && t.ratio() > race.bound)
        });
    }
    for s in open {
        speeds[s].slower = speeds[s].rounds.len() == ROUNDS;
    }
    Ok(speeds)
}

fn covers(speed: &Speed, formula: &Timed) -> bool {
    speed.grammar == "all" || speed.grammar == formula.grammar
}

type Pair = Option<(Duration, Duration)>;

/// CPU times of both on each formula; none where one of them does not solve it.
fn measure(
    race: &Race<'_>,
    formulas: &[&Timed],
    stop: &AtomicBool,
    until: Option<Instant>,
) -> Result<Vec<Pair>, EngineError> {
    let next = AtomicUsize::new(0);
    let times: Mutex<Vec<Pair>> = Mutex::new(vec![None; formulas.len()]);
    let work = || -> Result<(), EngineError> {
        let mut runner = Runner::new(race.limits);
        loop {
            let over = stop.load(Ordering::Relaxed) || until.is_some_and(|end| Instant::now() >= end);
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(formula) = formulas.get(i).filter(|_| !over) else { break };
            let pair = pair(&mut runner, race.build, race.against, &formula.text)?;
            times.lock().expect("nobody panics with it")[i] = pair;
        }
        runner.finish()?;
        Ok(())
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..race.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
    });
    results.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(times.into_inner().expect("nobody panics with it"))
}

/// The lesser of two CPU times of each, asked as build, reference, reference, build: what grows or fades falls on both, and the
/// lesser time is the one that less came in between of.
fn pair(runner: &mut Runner, build: &Solver, against: &Solver, text: &str) -> Result<Pair, EngineError> {
    let mut least: [Option<Duration>; 2] = [None, None];
    for which in [0, 1, 1, 0] {
        let solver = [build, against][which];
        let run = runner.ask(solver, Question { script: text, ask: Outputs::default() }, AskMode::Fresh)?;
        let Some(time) = solved(&run) else { return Ok(None) };
        least[which] = least[which].into_iter().chain([time]).min();
    }
    let [own, other] = least;
    Ok(own.zip(other))
}

fn solved(run: &Run) -> Option<Duration> {
    let answer = answer_of(run)?;
    run.cpu.filter(|_| matches!(answer, Answer::Sat | Answer::Unsat))
}
