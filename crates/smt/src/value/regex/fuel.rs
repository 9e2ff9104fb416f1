//! Fuel: how much work a question may cost.

use std::fmt;

/// Steps left. A step is about as much work as a lookup, and keeps at most some hundred bytes.
#[derive(Clone, Copy, Debug)]
pub struct Fuel(u64);

/// The fuel ended before the answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

impl Fuel {
    /// Fuel for `steps` steps.
    pub fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// The steps left.
    pub fn left(self) -> u64 {
        self.0
    }

    /// Pays for `steps` steps before they are taken.
    pub(super) fn burn(&mut self, steps: usize) -> Result<(), OutOfFuel> {
        let left = self.0.checked_sub(steps as u64);
        self.0 = left.unwrap_or(0);
        left.map(drop).ok_or(OutOfFuel)
    }
}

impl fmt::Display for OutOfFuel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("out of fuel")
    }
}

impl std::error::Error for OutOfFuel {}
