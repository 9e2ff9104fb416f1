//! Attempts: ways of deciding a dispute that were tried and did not decide it.

use serde::{Deserialize, Serialize};

/// What was tried, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Attempt {
    /// The models of those who say sat, and of witnesses, were evaluated. None satisfies the formula.
    Models {
        /// How many models were read.
        read: usize,
    },
    /// Those who say sat were asked for the values that their models leave open.
    Values {
        /// How many terms they gave values for.
        heard: usize,
    },
    /// Those who say sat were asked the formula with values for all its symbols.
    WithValues {
        /// How many questions.
        asked: usize,
    },
    /// Solvers were asked for a proof that can be checked.
    Proof {
        /// How many solvers.
        provers: usize,
    },
    /// Assignments were tried.
    Search {
        /// How the search ended.
        end: SearchEnd,
    },
    /// Parts of the assertions were asked.
    Less {
        /// How many parts.
        parts: usize,
    },
    /// The formula was asked with further conditions.
    Split {
        /// How many conditions.
        conditions: usize,
    },
    /// An equivalent formula was asked.
    Equivalent {
        /// By how many steps it is equivalent.
        steps: usize,
    },
}

/// How a search that did not decide ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SearchEnd {
    /// A symbol has too many values to try them all, and no small values satisfy the formula.
    Infinite {
        /// The symbol.
        symbol: String,
    },
    /// The budget ended.
    OverBudget {
        /// How many values were given to symbols.
        assignments: u64,
    },
    /// Some assignments leave the formula open.
    Open,
}
