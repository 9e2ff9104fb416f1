//! Forms of sessions: what a strategy does with the assertions of a seed to make a session of them.

use super::words;

/// What a session does besides asserting and checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SessionForm {
    /// Assertions are spread over levels.
    Levels,
    /// What is popped is asserted again in another order.
    Order,
    /// Assertions have guards, and the guards are assumed.
    Guards,
    /// Assertions of another seed are pushed, checked and popped.
    Foreign,
    /// Names are declared in the level that needs them.
    Local,
    /// Names are declared in a level and outlive it.
    Global,
    /// A check is asked twice.
    Again,
    /// Values are asked for between checks.
    Values,
    /// Something is defined and not used.
    Unused,
    /// All assertions are dropped and asserted again.
    Reset,
    /// Assertions have names, so that cores can be asked for.
    Named,
    /// An option is set between checks.
    Options,
    /// A model is asked for after a check.
    Models,
    /// The truth values of named assertions are asked for after a check.
    Assignment,
    /// The assumptions that suffice are asked for after a check.
    Assumptions,
    /// Statistics are asked for after a check, and the reason if it was `unknown`.
    Information,
    /// Proofs are on, and asked for after a check.
    Proofs,
}

words!(SessionForm, "form of a session":
    Levels "levels",
    Order "order",
    Guards "guards",
    Foreign "foreign",
    Local "local",
    Global "global",
    Again "again",
    Values "values",
    Unused "unused",
    Reset "reset",
    Named "named",
    Options "options",
    Models "models",
    Assignment "assignment",
    Assumptions "assumptions",
    Information "information",
    Proofs "proofs",
);
