//! Why a value is open, and how much work may be spent before it is.

use std::fmt;

/// Why a term has no value here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The standard leaves it to the model, and the model does not say: `(div x 0)`.
    LeftToModel(&'static str),
    /// The model says nothing about this name.
    NotInModel(String),
    /// The fuel ended.
    TooMuchWork,
    /// The value would be too large to hold.
    TooLarge,
    /// A part that we do not understand.
    Opaque(String),
    /// A quantifier over a domain that cannot be tried out.
    Quantifier,
    /// A number that is not rational, or was rounded.
    Inexact(&'static str),
    /// We have no meaning for it.
    NoMeaning(&'static str),
    /// A function that is defined by itself: whether there is such a function is not known.
    Recursive(String),
    /// Functions, or languages, that cannot be compared.
    Incomparable(&'static str),
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::LeftToModel(what) => write!(f, "{what} is left to the model, which does not say"),
            Gap::NotInModel(name) => write!(f, "the model does not say what {name} is"),
            Gap::TooMuchWork => write!(f, "it would take too much work"),
            Gap::TooLarge => write!(f, "the value is too large"),
            Gap::Opaque(text) => write!(f, "{text} is not understood"),
            Gap::Quantifier => write!(f, "a quantifier over a domain that cannot be tried out"),
            Gap::Inexact(what) => write!(f, "{what} is not a rational number"),
            Gap::NoMeaning(name) => write!(f, "{name} has no meaning here"),
            Gap::Recursive(name) => write!(f, "{name} is defined by itself, and that is an axiom"),
            Gap::Incomparable(what) => write!(f, "{what} cannot be compared"),
        }
    }
}

impl std::error::Error for Gap {}

/// How much work an evaluation may still do. A step is about the cost of a small addition.
#[derive(Clone, Debug)]
pub struct Fuel {
    steps: u64,
}

impl Fuel {
    /// The size of the largest value that is built, in bits, characters or elements.
    pub const LARGEST: u64 = 1 << 22;

    /// Fuel for so many steps.
    pub fn new(steps: u64) -> Self {
        Fuel { steps }
    }

    /// Pays for work, or tells that there is not enough left.
    pub fn pay(&mut self, steps: u64) -> Result<(), Gap> {
        if let Some(left) = self.steps.checked_sub(steps) {
            self.steps = left;
            return Ok(());
        }
        self.steps = 0;
        Err(Gap::TooMuchWork)
    }

    /// Pays for building something of this size, in bits, characters or elements.
    pub fn build(&mut self, size: u64) -> Result<(), Gap> {
        if size > Fuel::LARGEST { Err(Gap::TooLarge) } else { self.pay(size / 64) }
    }

    /// The steps that are left.
    pub fn left(&mut self) -> &mut u64 {
        &mut self.steps
    }
}

impl Default for Fuel {
    /// Ten million steps: well under a second.
    fn default() -> Self {
        Fuel::new(10_000_000)
    }
}
