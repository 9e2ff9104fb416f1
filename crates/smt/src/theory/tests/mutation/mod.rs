//! A test of the tests: a meaning is changed by one small step, and the tables of this crate must notice.
//!
//! Nothing is compiled again. The tests of this crate run in another process, in which a variable of the environment
//! names the row and the change. A first run notes which tests each change can be seen in.

mod change;
mod draw;
mod runner;

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::{LazyLock, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gap::Gap;
use crate::theory::Call;
use crate::theory::{Op, table};
use crate::value::Value;
use change::Change;

/// Names a file to note in what can be seen where.
const NOTE: &str = "SMT_MUTATION_NOTE";

/// Names the row, by its number, and the change.
const MUTANT: &str = "SMT_MUTATION";

/// What this process does to meanings.
enum Setting {
    Nothing,
    Note(Mutex<Notes>),
    Mutate(usize, Change),
}

/// What was noted: for each row and change, the test or `open`.
struct Notes {
    file: File,
    known: FxHashSet<(usize, Change, String)>,
}

static SETTING: LazyLock<Setting> = LazyLock::new(|| {
    if let Ok(path) = std::env::var(NOTE) {
        let file = OpenOptions::new().append(true).create(true).open(path).expect("a file to note in");
        return Setting::Note(Mutex::new(Notes { file, known: FxHashSet::default() }));
    }
    let Ok(mutant) = std::env::var(MUTANT) else { return Setting::Nothing };
    let (row, change) = mutant.split_once(' ').expect("a row and a change");
    let change = Change::ALL.into_iter().find(|c| c.word() == change).expect("a known change");
    // The first test that fails decides. Without this, other tests would run, and failed properties would be shrunk.
    std::panic::set_hook(Box::new(|_| std::process::exit(101)));
    Setting::Mutate(row.parse().expect("the number of a row"), change)
});

/// Whether this process runs for a mutation.
fn is_child() -> bool {
    !matches!(*SETTING, Setting::Nothing)
}

/// The number of a row.
fn number(op: &'static Op) -> Option<usize> {
    static NUMBERS: LazyLock<FxHashMap<usize, usize>> = LazyLock::new(|| {
        table().ids().enumerate().map(|(row, id)| (std::ptr::from_ref(table().op(id)).addr(), row)).collect()
    });
    NUMBERS.get(&std::ptr::from_ref(op).addr()).copied()
}

/// Whether a connective holds, or which branch is taken, in this process; `held` is what is right.
pub(crate) fn controlled(op: &'static Op, held: bool) -> bool {
    match &*SETTING {
        Setting::Mutate(row, Change::OffByOne) => held != (number(op) == Some(*row)),
        Setting::Note(notes) => {
            if let (Some(row), Some(test)) = (number(op), std::thread::current().name()) {
                write(notes, row, Change::OffByOne, test);
            }
            held
        }
        _ => held,
    }
}

/// The value of an application in this process: what its row says, changed if that is asked for.
pub(crate) fn evaluated(call: &mut Call) -> Result<Value, Gap> {
    match &*SETTING {
        Setting::Nothing => (call.op.meaning)(call),
        Setting::Mutate(row, change) => {
            let outcome = (call.op.meaning)(call);
            if number(call.op) == Some(*row) { change.made(call, outcome) } else { outcome }
        }
        Setting::Note(notes) => {
            let outcome = (call.op.meaning)(call);
            for change in Change::ALL {
                note(notes, call, change, &outcome);
            }
            outcome
        }
    }
}

/// Notes whether a change of the row can be seen in the test that runs now. A change that meets an open value is no
/// change; that is noted with `open` in the place of the test.
fn note(notes: &Mutex<Notes>, call: &mut Call, change: Change, outcome: &Result<Value, Gap>) {
    let (Some(row), Some(test)) = (number(call.op), std::thread::current().name().map(str::to_owned)) else {
        return;
    };
    let known = |test: &str| {
        let key = (row, change, test.to_owned());
        notes.lock().expect("no test panics here").known.contains(&key)
    };
    if !change.applies(call) || known(&test) {
        return;
    }
    if change.made(call, outcome.clone()) != *outcome {
        write(notes, row, change, &test);
    } else if outcome.is_err() {
        write(notes, row, change, "open");
    }
}

fn write(notes: &Mutex<Notes>, row: usize, change: Change, test: &str) {
    let mut notes = notes.lock().expect("no test panics here");
    if notes.known.insert((row, change, test.to_owned())) {
        let line = format!("{row} {} {test}\n", change.word());
        notes.file.write_all(line.as_bytes()).expect("the file takes a line");
    }
}
