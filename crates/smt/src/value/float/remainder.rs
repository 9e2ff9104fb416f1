//! The IEEE remainder.

use super::Number::{Finite, Infinity, Nan, Zero};
use super::{Exact, Float, Rounding};
use dashu_int::UBig;
use dashu_int::ops::BitTest;
use std::cmp::Ordering;

impl Float {
    /// `fp.rem`: `x - y * n` for the integer `n` nearest to `x / y`, the even one if two are. Exact;
    /// a zero has the sign of `x`.
    #[must_use]
    pub fn rem(&self, other: &Self) -> Self {
        self.same_format(other);
        match (&self.number, &other.number) {
            (Nan | Infinity { .. }, _) | (_, Nan | Zero { .. }) => Self::nan(self.format),
            (Zero { .. }, _) | (_, Infinity { .. }) => self.clone(),
            (Finite(x), Finite(y)) => match x.remainder(y) {
                // The remainder is a multiple of the lesser last place and no greater than its
                // number, so no mode changes it.
                Some(rest) => rest.round(self.format, Rounding::Rtz),
                None => Self::zero(self.format, x.negative),
            },
        }
    }
}

impl Exact {
    /// The remainder, or `None` if it is zero.
    fn remainder(&self, other: &Self) -> Option<Self> {
        if self.top() + 1 < other.top() {
            // Less than half of `other`: n is 0.
            return Some(self.clone());
        }
        // Both in units of `2^exponent`. Only `other` is shifted, by about `sb` at most.
        let exponent = self.exponent.min(other.exponent);
        let divisor = &other.significand << (other.exponent - exponent) as usize;
        // Twice the divisor, to see whether the quotient is odd.
        let modulus = &divisor << 1;
        let power = power_of_two(self.exponent - exponent, &modulus);
        let mut rest = (&self.significand % &modulus) * power % &modulus;
        let odd = rest >= divisor;
        if odd {
            rest -= &divisor;
        }
        let up = match (&rest << 1).cmp(&divisor) {
            Ordering::Less => false,
            Ordering::Equal => odd,
            Ordering::Greater => true,
        };
        let significand = if up { divisor - rest } else { rest };
        let negative = self.negative != up;
        (!significand.is_zero()).then_some(Self { negative, exponent, significand })
    }
}

/// `2^exponent mod modulus`, by squaring: the exponent may be astronomical.
fn power_of_two(exponent: i64, modulus: &UBig) -> UBig {
    let exponent = exponent as u64;
    let mut power = UBig::ONE % modulus;
    for bit in (0..exponent.bit_len()).rev() {
        power = &power * &power % modulus;
        if exponent.bit(bit) {
            power = (power << 1) % modulus;
        }
    }
    power
}
