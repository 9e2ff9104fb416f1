//! The goal of a reduction, which all judges of a job share.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::signature::BugSignature;

/// The property that a candidate must have.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The same thing is wrong.
    Wrong(BugSignature),
    /// A solver needs more than this to answer.
    Slow(Cost),
}

/// A cost of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// CPU time.
    Time(Duration),
    /// Units that the solver itself counts. They are the same on every machine, however busy it is.
    Units(u64),
}

/// The goal that the judges of a job share.
///
/// It changes when a candidate that is kept shows who is wrong where that was open: from then on, candidates must show that.
/// It changes between two rounds of questions only, so that the number of judges changes nothing.
pub struct SharedGoal {
    current: Mutex<Goal>,
    /// The candidates that show who is wrong, by their texts.
    decided: Mutex<FxHashMap<String, BugSignature>>,
}

impl SharedGoal {
    /// A goal to begin with.
    pub fn new(goal: Goal) -> SharedGoal {
        SharedGoal { current: Mutex::new(goal), decided: Mutex::default() }
    }

    /// The goal as it is now.
    pub fn current(&self) -> Goal {
        locked(&self.current).clone()
    }

    /// Remembers that a candidate shows who is wrong.
    pub fn note(&self, text: &str, decided: BugSignature) {
        locked(&self.decided).insert(text.to_owned(), decided);
    }

    /// Takes over what a candidate has shown that is kept.
    pub fn keep(&self, text: &str) {
        let mut noted = locked(&self.decided);
        if let Some(decided) = noted.remove(text) {
            noted.clear();
            tracing::info!(kind = decided.kind.word(), "decided on a smaller script");
            *locked(&self.current) = Goal::Wrong(decided);
        }
    }

    /// Goes back to an earlier goal.
    pub fn go_back(&self, earlier: &BugSignature) {
        locked(&self.decided).clear();
        *locked(&self.current) = Goal::Wrong(earlier.clone());
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
