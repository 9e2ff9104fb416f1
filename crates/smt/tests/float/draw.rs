//! Numbers that look random and are the same each time, the difficult ones drawn often.

use crate::chance::SplitMix;

/// What draws them.
pub struct Draw(SplitMix);

impl Draw {
    pub fn new(number: u64) -> Draw {
        Draw(SplitMix(number))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn wide(&mut self) -> u128 {
        (u128::from(self.next()) << 64) | u128::from(self.next())
    }

    /// The bits of a float.
    pub fn float(&mut self, eb: u32, sb: u32) -> u128 {
        let ones = (1u128 << eb) - 1;
        let bias = ones >> 1;
        let exponent = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => ones,
            3 => ones - 1 - u128::from(self.below(3)),
            4..7 => bias + u128::from(self.below(9)) - 4,
            7 => bias + u128::from(sb) - 4 + u128::from(self.below(6)),
            8 => u128::from(self.below(u64::from(sb) + 3)),
            _ => self.wide(),
        } & ones;
        let stored = sb - 1;
        let mask = (1u128 << stored) - 1;
        let significand = match self.below(10) {
            0 | 1 => 0,
            2 => 1,
            3 => mask,
            4 => 1 << self.below(u64::from(stored)),
            5 => mask << self.below(u64::from(stored)),
            6 => (1 << self.below(u64::from(stored))) + u128::from(self.below(3)),
            _ => self.wide(),
        } & mask;
        let sign = u128::from(self.below(2));
        (sign << (eb + stored)) | (exponent << stored) | significand
    }
}
