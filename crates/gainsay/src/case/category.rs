//! The categories of tests that are right by construction.

use super::words;

/// The category of a test by construction. The categories are the rows of the paper's table, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// One operation alone.
    Operation,
    /// Constants in the places of an operation's arguments.
    Constant,
    /// Terms in the places of an operation's arguments.
    Term,
    /// A formula that denies that an operation equals what it means.
    Equivalent,
    /// An unsatisfiable formula with more assertions in its core.
    LargerCore,
    /// An unsatisfiable formula with more assertions outside its core.
    Redundancy,
}

words!(Category, "category of tests":
    Operation "operation",
    Constant "constant",
    Term "term",
    Equivalent "equivalent",
    LargerCore "larger-core",
    Redundancy "redundancy",
);
