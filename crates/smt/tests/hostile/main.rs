//! Texts made to break the reader, the printer, the walks and the evaluator, on a stack too small for recursion.

mod bytes;
mod deep;
mod large;
mod meaning;

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use smt::{Fuel, Gap, Model, ReadError, Script, What, eval, read, walk};

/// Far too small for recursion on a million levels.
const STACK: usize = 256 << 10;

/// Generous: the build is not optimised for speed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The CPU time that this thread has used. Other programs on the machine do not count.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Runs one row on a small stack and within a CPU time.
pub(crate) fn on_a_small_stack<T: Send + 'static>(what: &str, row: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().name(what.to_owned()).stack_size(STACK);
    let thread = thread.spawn(|| (row(), used())).expect("a thread can be started");
    let (done, took) = thread.join().unwrap_or_else(|_| panic!("{what}: see above"));
    println!("{what}: {took:?}");
    assert!(took < PATIENCE, "{what}: took {took:?}");
    done
}

/// One text after the other, made of their numbers.
pub(crate) fn many(count: usize, each: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut text = String::new();
    (0..count).for_each(|i| each(&mut text, i).expect("a string takes all"));
    text
}

/// Reads, prints, walks and evaluates; the number of parts that were not understood.
pub(crate) fn survives(text: &str) -> usize {
    let script = read(text.as_bytes()).unwrap_or_else(|error| panic!("{}", shown(&error, text.as_bytes())));
    assert!(script.is_lossless());
    evaluates(&script, &Model::empty(&script));
    evaluates(&script, &Model::empty(&script).completed());
    script.opaque.len()
}

/// Walks over all assertions and evaluates them; what they are under the model.
pub(crate) fn evaluates(script: &Script, model: &Model) -> Vec<Result<String, Gap>> {
    let mut outcomes = Vec::new();
    for command in &script.commands {
        let What::Assert(term) = command.what else { continue };
        let mut deepest = 0;
        walk::occurrences(&script.pool, term, |_, way| deepest = deepest.max(way.len()));
        walk::free_variables(&script.pool, term, &[]);
        let outcome = eval(term, model, &mut Fuel::new(2_000_000));
        outcomes.push(outcome.map(|value| format!("{value:?}")));
    }
    outcomes
}

pub(crate) fn shown(error: &ReadError, source: &[u8]) -> String {
    let shown = error.locate("hostile.smt2", source).to_string();
    assert!(shown.len() < 2000, "an error that nobody reads: {} bytes", shown.len());
    shown
}

/// The first line of the error that refuses a text.
pub(crate) fn refused(text: &[u8]) -> String {
    let Err(error) = read(text) else {
        panic!("{} is accepted", String::from_utf8_lossy(&text[..text.len().min(80)]));
    };
    shown(&error, text).lines().next().unwrap_or_default().to_owned()
}
