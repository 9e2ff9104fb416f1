//! Sums, products, quotients and square roots.

use super::Number::{Finite, Infinity, Nan, Zero};
use super::{Exact, Float, Rounding};
use dashu_int::ops::{BitTest, DivRem, SquareRootRem};

impl Float {
    /// The operator `fp.add`.
    #[must_use]
    pub fn add(&self, rounding: Rounding, other: &Self) -> Self {
        self.same_format(other);
        let format = self.format;
        match (&self.number, &other.number) {
            (Nan, _) | (_, Nan) => Self::nan(format),
            (Infinity { negative: x }, Infinity { negative: y }) if x != y => Self::nan(format),
            (Infinity { .. }, _) | (Finite(_), Zero { .. }) => self.clone(),
            (_, Infinity { .. }) | (Zero { .. }, Finite(_)) => other.clone(),
            (Zero { negative: x }, Zero { negative: y }) => Self::zero_sum(self, rounding, *x, *y),
            (Finite(x), Finite(y)) => self.sum(rounding, x, y),
        }
    }

    /// The operator `fp.sub`.
    #[must_use]
    pub fn sub(&self, rounding: Rounding, other: &Self) -> Self {
        self.add(rounding, &other.neg())
    }

    /// The operator `fp.mul`.
    #[must_use]
    pub fn mul(&self, rounding: Rounding, other: &Self) -> Self {
        self.same_format(other);
        let format = self.format;
        let (Some(x), Some(y)) = (self.sign(), other.sign()) else { return Self::nan(format) };
        match (&self.number, &other.number) {
            (Infinity { .. }, Zero { .. }) | (Zero { .. }, Infinity { .. }) => Self::nan(format),
            (Infinity { .. }, _) | (_, Infinity { .. }) => Self::infinity(format, x != y),
            (Finite(x), Finite(y)) => x.times(y).round(format, rounding),
            _ => Self::zero(format, x != y),
        }
    }

    /// The operator `fp.div`.
    #[must_use]
    pub fn div(&self, rounding: Rounding, other: &Self) -> Self {
        self.same_format(other);
        let format = self.format;
        let (Some(x), Some(y)) = (self.sign(), other.sign()) else { return Self::nan(format) };
        match (&self.number, &other.number) {
            (Infinity { .. }, Infinity { .. }) | (Zero { .. }, Zero { .. }) => Self::nan(format),
            (Infinity { .. }, _) | (_, Zero { .. }) => Self::infinity(format, x != y),
            (Finite(x), Finite(y)) => x.over(y, format.precision()).round(format, rounding),
            _ => Self::zero(format, x != y),
        }
    }

    /// `fp.fma`: this times `factor` plus `term`, rounded once.
    #[must_use]
    pub fn fma(&self, rounding: Rounding, factor: &Self, term: &Self) -> Self {
        self.same_format(factor);
        self.same_format(term);
        let format = self.format;
        if let (Finite(x), Finite(y)) = (&self.number, &factor.number) {
            return match &term.number {
                Finite(z) => self.sum(rounding, &x.times(y), z),
                Zero { .. } => x.times(y).round(format, rounding),
                Infinity { .. } | Nan => term.clone(),
            };
        }
        // Here the product is NaN, an infinity or a zero, so it is not rounded.
        self.mul(rounding, factor).add(rounding, term)
    }

    /// The operator `fp.sqrt`.
    #[must_use]
    pub fn sqrt(&self, rounding: Rounding) -> Self {
        match &self.number {
            Zero { .. } => self.clone(),
            _ if !self.is_positive() => Self::nan(self.format),
            Finite(x) => x.root(self.format.precision()).round(self.format, rounding),
            _ => self.clone(),
        }
    }

    fn sum(&self, rounding: Rounding, x: &Exact, y: &Exact) -> Self {
        match x.plus(y, self.format.precision()) {
            Some(sum) => sum.round(self.format, rounding),
            None => self.zero_sum(rounding, x.negative, y.negative),
        }
    }

    fn zero_sum(&self, rounding: Rounding, x: bool, y: bool) -> Self {
        Self::zero(self.format, if x == y { x } else { rounding.negative_zero_sum() })
    }
}

impl Exact {
    /// The quotient, or a number that rounds alike to `precision` bits.
    pub(super) fn over(&self, other: &Self, precision: usize) -> Self {
        let wanted = other.significand.bit_len() + precision + 2;
        let widen = wanted.saturating_sub(self.significand.bit_len());
        let (quotient, rest) = (&self.significand << widen).div_rem(&other.significand);
        let exponent = self.exponent - other.exponent - widen as i64;
        Self::with_fraction(self.negative != other.negative, quotient, exponent, rest.is_zero())
    }

    /// The square root of a positive number, or a number that rounds alike to `precision` bits.
    fn root(&self, precision: usize) -> Self {
        let mut widen = (2 * (precision + 2)).saturating_sub(self.significand.bit_len()) as i64;
        if (self.exponent - widen) % 2 != 0 {
            widen += 1;
        }
        let (root, rest) = (&self.significand << widen as usize).sqrt_rem();
        Self::with_fraction(false, root, (self.exponent - widen) / 2, rest.is_zero())
    }
}
