//! The tasks of an evaluation.

use crate::gap::Gap;
use crate::term::{BinderList, FunId, TermId};
use crate::theory::Control;
use crate::value::Value;

/// A step of an evaluation.
pub(super) enum Task {
    Term(TermId),
    /// All arguments are evaluated: apply the operator or function.
    Apply(TermId),
    /// One more argument of a connective is evaluated; which one, and whether one before was open.
    Control(TermId, Control, u32, Option<Gap>),
    /// The bound terms of a `let` are evaluated.
    Let(TermId),
    /// The term a `match` looks at is evaluated.
    Match(TermId),
    /// Leave a scope of so many variables.
    Unbind(u32),
    /// The value of a constant is known.
    Remember(FunId),
    /// A body was evaluated for one choice of a quantifier's variables.
    Try(Box<Trying>),
    /// The member of a comprehension was evaluated for values for which its body holds.
    Collected(Box<Trying>),
}

/// What the values of variables are tried for.
pub(super) enum Purpose {
    /// Whether the body holds for all of them, or for some.
    Decide { forall: bool },
    /// The value for which the body holds.
    Choose { found: Option<Value>, several: bool },
    /// The values of this term where the body holds.
    Collect { member: TermId, found: Vec<Value> },
}

/// A term that binds variables, whose values are being tried.
pub(super) struct Trying {
    pub body: TermId,
    pub binders: BinderList,
    /// The values of each variable.
    pub domains: Vec<Vec<Value>>,
    /// Which value each variable has now.
    pub now: Vec<usize>,
    /// Whether the domains hold every value there is.
    pub complete: bool,
    pub purpose: Purpose,
    pub open: Option<Gap>,
}
