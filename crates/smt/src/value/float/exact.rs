//! Exact binary numbers, and stand-ins for the few that would be too long.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// `±significand × 2^exponent`, never zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) exponent: i64,
    pub(super) significand: UBig,
}

impl Exact {
    /// The exponent of the leading bit.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.significand.bit_len() as i64 - 1
    }

    /// `(significand + fraction) × 2^exponent` for some fraction that is at least 0, below 1, and 0
    /// if `exact`.
    ///
    /// The result has the fraction 0 or 1/2. To a precision at least two bits below that of
    /// `significand` both round alike, as no rounding mode asks for more than whether what it cuts
    /// off is zero, below, at or above a half.
    pub(super) fn with_fraction(negative: bool, significand: UBig, exponent: i64, exact: bool) -> Self {
        let mut significand = significand << 1;
        if !exact {
            significand += UBig::ONE;
        }
        Self { negative, exponent: exponent - 1, significand }
    }

    /// The product.
    pub(super) fn times(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent,
            significand: &self.significand * &other.significand,
        }
    }

    /// The sum, or `None` if it is zero. It may be replaced by another number that rounds alike to
    /// `precision` bits.
    pub(super) fn plus(&self, other: &Self, precision: usize) -> Option<Self> {
        let (big, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        let widen = (precision + 3).saturating_sub(big.significand.bit_len());
        let place = big.exponent - widen as i64;
        if small.top() < place {
            // All of `small` is a fraction of the last place of `big`: whatever it is, a shift by
            // the difference of exponents, which may be astronomical, is not needed.
            let mut significand = &big.significand << widen;
            if big.negative != small.negative {
                significand -= UBig::ONE;
            }
            return Some(Self::with_fraction(big.negative, significand, place, false));
        }
        let exponent = big.exponent.min(small.exponent);
        let big_units = &big.significand << (big.exponent - exponent) as usize;
        let small_units = &small.significand << (small.exponent - exponent) as usize;
        let (negative, significand) = if big.negative == small.negative {
            (big.negative, big_units + small_units)
        } else if big_units >= small_units {
            (big.negative, big_units - small_units)
        } else {
            (small.negative, small_units - big_units)
        };
        (!significand.is_zero()).then_some(Self { negative, exponent, significand })
    }
}
