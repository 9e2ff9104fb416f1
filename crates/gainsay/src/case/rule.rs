//! Rules: why an edit is allowed, and what follows from it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Which of two formulas follows from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The new formula follows from the old one.
    Over,
    /// The old formula follows from the new one.
    Under,
}

/// A named rule of approximation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Approximation {
    /// The name of the rule, such as `CORE-p-U4`.
    pub name: Cow<'static, str>,
    /// Which of the two formulas follows from the other.
    pub direction: Direction,
}

/// The rule that allowed an edit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// An operator takes the place of another. Nothing follows from it.
    Operator,
    /// A term takes the place of another. Nothing follows from it.
    Term,
    /// A formula takes the place of one that it approximates.
    Approximation(Approximation),
    /// A term takes the place of one that has the same value in this case, by the rule with this name.
    Equal(Cow<'static, str>),
    /// A term takes the place of one that has the same value whatever the symbols are, by the rule with this name.
    Equivalent(Cow<'static, str>),
}

impl Rule {
    /// The rule of approximation with this name.
    pub const fn approximation(name: &'static str, direction: Direction) -> Rule {
        Rule::Approximation(Approximation { name: Cow::Borrowed(name), direction })
    }

    /// The approximation, if the rule is one.
    pub fn as_approximation(&self) -> Option<&Approximation> {
        match self {
            Rule::Approximation(approximation) => Some(approximation),
            Rule::Operator | Rule::Term | Rule::Equal(_) | Rule::Equivalent(_) => None,
        }
    }
}
