//! Rounding: the five modes, and from exact numbers to those of a format.

use super::exact::Exact;
use super::{Float, Format, Number};
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A value of the sort `RoundingMode`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To nearest, ties to even.
    Rne,
    /// To nearest, ties away from zero.
    Rna,
    /// Toward positive.
    Rtp,
    /// Toward negative.
    Rtn,
    /// Toward zero.
    Rtz,
}

impl Rounding {
    /// The five modes, in the standard's order.
    pub const ALL: [Self; 5] = [Self::Rne, Self::Rna, Self::Rtp, Self::Rtn, Self::Rtz];

    /// The sign of an exact sum that is zero, unless both its terms were zeros of one sign.
    pub(super) fn negative_zero_sum(self) -> bool {
        self == Self::Rtn
    }

    /// Whether a number too large for its format becomes an infinity, and not the largest finite number.
    fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            Self::Rne | Self::Rna => true,
            Self::Rtp => !negative,
            Self::Rtn => negative,
            Self::Rtz => false,
        }
    }

    /// `±significand / 2^shift` as an integer, for a nonzero `significand` and `shift > 0`.
    pub(super) fn cut(self, negative: bool, significand: &UBig, shift: i64) -> UBig {
        debug_assert!(shift > 0 && !significand.is_zero());
        let (kept, half, rest) = if shift > significand.bit_len() as i64 {
            (UBig::ZERO, false, true)
        } else {
            let shift = shift as usize;
            let zeros = significand.trailing_zeros().expect("not zero");
            (significand >> shift, significand.bit(shift - 1), zeros < shift - 1)
        };
        let away = match self {
            Self::Rne => half && (rest || kept.bit(0)),
            Self::Rna => half,
            Self::Rtp => !negative && (half || rest),
            Self::Rtn => negative && (half || rest),
            Self::Rtz => false,
        };
        if away { kept + UBig::ONE } else { kept }
    }
}

impl Exact {
    /// The number of `format` this rounds to.
    pub(super) fn round(self, format: Format, rounding: Rounding) -> Float {
        let Self { negative, significand, exponent } = self;
        let top = exponent + significand.bit_len() as i64 - 1;
        if top > format.max_exponent() {
            return Float::overflow(format, rounding, negative);
        }
        let mut place = format.last_place(top);
        let mut kept = if place <= exponent {
            significand << (exponent - place) as usize
        } else {
            rounding.cut(negative, &significand, place - exponent)
        };
        if kept.is_zero() {
            return Float::zero(format, negative);
        }
        if kept.bit_len() > format.precision() {
            // Rounding carried into a new bit, so all others are zero.
            kept >>= 1;
            place += 1;
            if place + format.sb() as i64 - 1 > format.max_exponent() {
                return Float::overflow(format, rounding, negative);
            }
        }
        let number = Number::Finite(Self { negative, significand: kept, exponent: place });
        Float { format, number }
    }
}

impl Float {
    fn overflow(format: Format, rounding: Rounding, negative: bool) -> Self {
        if rounding.overflows_to_infinity(negative) {
            Self::infinity(format, negative)
        } else {
            Self::largest(format, negative)
        }
    }
}
