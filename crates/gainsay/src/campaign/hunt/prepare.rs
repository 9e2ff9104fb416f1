//! Preparation of seeds, as in the papers: seeds that folding alone decides and seeds that no solver answers in time are
//! removed. The answers are stored, so that no solver is asked twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::campaign::error::EngineError;
use crate::case::Answer;
use crate::judge::reply_of;
use crate::seed::{Asked, Corpus, Seed};
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, Solver};
use crate::store::Sink;

/// The time limit for one seed.
const TIME: Duration = Duration::from_secs(5);

/// The result of a preparation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Seeds that stay.
    pub kept: usize,
    /// Seeds that folding alone decides.
    pub folded: usize,
    /// Seeds that no solver answers in time.
    pub unsolved: usize,
    /// Seeds that stay, and to which one solver says `sat` and another `unsat`.
    pub disputed: usize,
}

/// What a preparation needs.
pub struct Preparation<'a> {
    /// The solvers that are asked.
    pub solvers: &'a [Solver],
    /// The store for the answers.
    pub sink: &'a dyn Sink,
    /// How many seeds are prepared at the same time.
    pub jobs: usize,
    /// Set when the preparation is to end early.
    pub stop: &'a AtomicBool,
}

/// Removes seeds that are not worth mutating. `watch` is told how many seeds are done.
pub fn prepare(
    corpus: &mut Corpus,
    with: &Preparation<'_>,
    watch: impl Fn(usize) + Sync,
) -> Result<Prepared, EngineError> {
    let &Preparation { solvers, sink, jobs, stop } = with;
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let seeds = &corpus.seeds;
    let work = || -> Result<Vec<(usize, Fate)>, EngineError> {
        let mut runner = Runner::new(Limits::of_time(TIME));
        let mut mine = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(seed) = seeds.get(i).filter(|_| !stop.load(Ordering::Relaxed)) else { return Ok(mine) };
            mine.push((i, fate(seed, solvers, sink, &mut runner)?));
            watch(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|w| w.join().expect("preparing does not panic")).collect()
    });
    let mut told = Prepared::default();
    let mut keep = vec![false; corpus.seeds.len()];
    for result in results {
        for (i, fate) in result? {
            match fate {
                Fate::Folded => told.folded += 1,
                Fate::Unsolved => told.unsolved += 1,
                Fate::Kept { disputed } => {
                    keep[i] = true;
                    told.kept += 1;
                    told.disputed += usize::from(disputed);
                }
            }
        }
    }
    let mut keep = keep.into_iter();
    corpus.seeds.retain(|_: &Arc<Seed>| keep.next().unwrap_or(false));
    Ok(told)
}

/// What is done with a seed.
enum Fate {
    /// It is left out, because folding alone decides it.
    Folded,
    /// It is left out, because no solver answers every check in time.
    Unsolved,
    /// It stays.
    Kept {
        /// Whether solvers contradict each other on it.
        disputed: bool,
    },
}

/// Decides what is done with a seed.
fn fate(
    seed: &Arc<Seed>,
    solvers: &[Solver],
    sink: &dyn Sink,
    runner: &mut Runner,
) -> Result<Fate, EngineError> {
    if seed.is_folded() {
        return Ok(Fate::Folded);
    }
    let all: Vec<_> = solvers
        .iter()
        .map(|solver| answers(seed, (solver, SeedTerms::IN_FULL), sink, runner))
        .collect::<Result<_, _>>()?;
    let is_solved = |given: &Vec<Answer>| !given.is_empty() && !given.contains(&Answer::Unknown);
    if !all.iter().any(is_solved) {
        return Ok(Fate::Unsolved);
    }
    Ok(Fate::Kept { disputed: Asked::by_solvers(Arc::clone(seed), &all).is_disputed() })
}

/// How solvers are asked for their answers to seeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeedTerms {
    /// The mode.
    pub(super) way: AskMode,
    /// The time, if it is less than the limits allow.
    pub(super) within: Option<Duration>,
}

impl SeedTerms {
    /// A process of its own for each question, with all the time that the limits allow.
    pub(super) const IN_FULL: SeedTerms = SeedTerms { way: AskMode::Fresh, within: None };
}

/// The answers of a solver to a seed. It is asked once in a campaign.
pub(super) fn answers(
    seed: &Seed,
    (solver, terms): (&Solver, SeedTerms),
    sink: &dyn Sink,
    runner: &mut Runner,
) -> Result<Vec<Answer>, EngineError> {
    if let Some(known) = sink.known_answers(&seed.name.digest, &solver.name)? {
        return Ok(known);
    }
    let text = seed.script().text();
    let question = Question { script: &text, ask: Outputs::default() };
    let request = Request { solver, question, way: terms.way, within: terms.within };
    let run = runner.ask_all(&[request])?.swap_remove(0);
    let checks = seed.script().queries().len();
    let answers: Vec<_> =
        (0..checks).map(|k| reply_of(&run, k).map_or(Answer::Unknown, |c| c.answer)).collect();
    sink.remember(&seed.name.digest, &solver.name, &answers)?;
    // Another worker may have stored answers first. Then those count.
    Ok(sink.known_answers(&seed.name.digest, &solver.name)?.unwrap_or(answers))
}
