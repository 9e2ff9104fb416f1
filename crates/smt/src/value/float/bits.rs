//! Making floats, taking them apart, and telling their kinds.

use super::{Exact, Float, Format, Number};
use dashu_int::UBig;
use dashu_int::ops::BitTest;

impl Float {
    /// `(_ NaN eb sb)`.
    pub const fn nan(format: Format) -> Self {
        Self { format, number: Number::Nan }
    }

    /// `(_ +oo eb sb)` or `(_ -oo eb sb)`.
    pub const fn infinity(format: Format, negative: bool) -> Self {
        Self { format, number: Number::Infinity { negative } }
    }

    /// `(_ +zero eb sb)` or `(_ -zero eb sb)`.
    pub const fn zero(format: Format, negative: bool) -> Self {
        Self { format, number: Number::Zero { negative } }
    }

    /// The finite number of greatest magnitude.
    pub fn largest(format: Format, negative: bool) -> Self {
        let significand = UBig::ones(format.precision());
        Self::finite(format, negative, significand, format.last_place(format.max_exponent()))
    }

    /// The subnormal number of least magnitude.
    pub fn smallest(format: Format, negative: bool) -> Self {
        Self::finite(format, negative, UBig::ONE, format.last_place(format.min_exponent()))
    }

    fn finite(format: Format, negative: bool, significand: UBig, exponent: i64) -> Self {
        Self { format, number: Number::Finite(Exact { negative, exponent, significand }) }
    }

    /// `(fp sign exponent significand)`, the significand without its hidden bit.
    pub fn from_parts(format: Format, negative: bool, exponent: &UBig, significand: &UBig) -> Self {
        let stored = format.precision() - 1;
        assert!(significand.bit_len() <= stored, "the significand fits the format");
        let exponent = u64::try_from(exponent).expect("the exponent fits the format");
        let ones = (1 << format.eb()) - 1;
        assert!(exponent <= ones, "the exponent fits the format");
        let subnormal_place = format.last_place(format.min_exponent());
        match (exponent == 0, significand.is_zero()) {
            (true, true) => Self::zero(format, negative),
            (true, false) => Self::finite(format, negative, significand.clone(), subnormal_place),
            _ if exponent < ones => {
                let mut significand = significand.clone();
                significand.set_bit(stored);
                Self::finite(format, negative, significand, subnormal_place + exponent as i64 - 1)
            }
            (_, true) => Self::infinity(format, negative),
            (_, false) => Self::nan(format),
        }
    }

    /// `((_ to_fp eb sb) bits)`.
    pub fn from_bits(format: Format, bits: &UBig) -> Self {
        assert!(bits.bit_len() <= format.width() as usize, "the bits fit the format");
        let (rest, sign) = bits.clone().split_bits(format.width() as usize - 1);
        let (significand, exponent) = rest.split_bits(format.precision() - 1);
        Self::from_parts(format, !sign.is_zero(), &exponent, &significand)
    }

    /// Whether the sign bit is set, the exponent and the significand without its hidden bit: the
    /// arguments of `fp`. None for NaN, which has many.
    pub fn to_parts(&self) -> Option<(bool, UBig, UBig)> {
        let stored = self.format.precision() - 1;
        match &self.number {
            Number::Nan => None,
            Number::Infinity { negative } => {
                Some((*negative, UBig::ones(self.format.eb() as usize), UBig::ZERO))
            }
            Number::Zero { negative } => Some((*negative, UBig::ZERO, UBig::ZERO)),
            Number::Finite(x) if !x.significand.bit(stored) => {
                Some((x.negative, UBig::ZERO, x.significand.clone()))
            }
            Number::Finite(x) => {
                let biased = x.top() + self.format.max_exponent();
                let mut significand = x.significand.clone();
                significand.clear_bit(stored);
                Some((x.negative, UBig::from(biased as u64), significand))
            }
        }
    }

    /// The bits in the interchange format. None for NaN, which has many.
    pub fn to_bits(&self) -> Option<UBig> {
        let (negative, exponent, significand) = self.to_parts()?;
        let mut bits = (exponent << (self.format.precision() - 1)) | significand;
        if negative {
            bits.set_bit(self.format.width() as usize - 1);
        }
        Some(bits)
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The operator `fp.isNormal`.
    pub fn is_normal(&self) -> bool {
        matches!(&self.number, Number::Finite(x) if x.significand.bit_len() == self.format.precision())
    }

    /// `fp.isSubnormal`; zeros are not.
    pub fn is_subnormal(&self) -> bool {
        matches!(&self.number, Number::Finite(x) if x.significand.bit_len() < self.format.precision())
    }

    /// The operator `fp.isZero`.
    pub fn is_zero(&self) -> bool {
        matches!(self.number, Number::Zero { .. })
    }

    /// The operator `fp.isInfinite`.
    pub fn is_infinite(&self) -> bool {
        matches!(self.number, Number::Infinity { .. })
    }

    /// The operator `fp.isNaN`.
    pub fn is_nan(&self) -> bool {
        self.number == Number::Nan
    }

    /// `fp.isNegative`: true of -0, false of NaN.
    pub fn is_negative(&self) -> bool {
        self.sign() == Some(true)
    }

    /// `fp.isPositive`: true of +0, false of NaN.
    pub fn is_positive(&self) -> bool {
        self.sign() == Some(false)
    }

    /// Whether the sign is negative; None for NaN, which has none.
    pub(super) fn sign(&self) -> Option<bool> {
        match &self.number {
            Number::Nan => None,
            Number::Infinity { negative } | Number::Zero { negative } => Some(*negative),
            Number::Finite(x) => Some(x.negative),
        }
    }

    /// The operator `fp.abs`.
    #[must_use]
    pub fn abs(&self) -> Self {
        self.with_sign(false)
    }

    /// The operator `fp.neg`.
    #[must_use]
    pub fn neg(&self) -> Self {
        self.with_sign(self.is_positive())
    }

    fn with_sign(&self, negative: bool) -> Self {
        let number = match &self.number {
            Number::Nan => Number::Nan,
            Number::Infinity { .. } => Number::Infinity { negative },
            Number::Zero { .. } => Number::Zero { negative },
            Number::Finite(x) => Number::Finite(Exact { negative, ..x.clone() }),
        };
        Self { format: self.format, number }
    }
}
