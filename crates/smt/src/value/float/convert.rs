//! Between formats, reals and integers.

use super::{Exact, Float, Format, MAX_BITS, Number, Open, Rounding};
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

impl Float {
    /// `((_ to_fp eb sb) rounding self)`.
    #[must_use]
    pub fn convert(&self, format: Format, rounding: Rounding) -> Self {
        match &self.number {
            Number::Finite(x) => x.clone().round(format, rounding),
            number => Self { format, number: number.clone() },
        }
    }

    /// `((_ to_fp eb sb) rounding real)`; zero is +0.
    pub fn from_real(format: Format, rounding: Rounding, real: &RBig) -> Self {
        let Some(numerator) = Exact::integer(real.numerator()) else { return Self::zero(format, false) };
        let denominator = Exact { negative: false, exponent: 0, significand: real.denominator().clone() };
        numerator.over(&denominator, format.precision()).round(format, rounding)
    }

    /// `((_ to_fp eb sb) rounding bits)` and `to_fp_unsigned`, given the number the bits denote;
    /// zero is +0.
    pub fn from_int(format: Format, rounding: Rounding, integer: &IBig) -> Self {
        match Exact::integer(integer) {
            Some(integer) => integer.round(format, rounding),
            None => Self::zero(format, false),
        }
    }

    /// `fp.to_real`; unspecified for infinities and NaN.
    pub fn to_real(&self) -> Result<RBig, Open> {
        let x = match &self.number {
            Number::Nan | Number::Infinity { .. } => return Err(Open::Unspecified),
            Number::Zero { .. } => return Ok(RBig::ZERO),
            Number::Finite(x) => x,
        };
        let zeros = x.significand.trailing_zeros().expect("not zero");
        let (odd, exponent) = (&x.significand >> zeros, x.exponent + zeros as i64);
        if x.top() >= MAX_BITS as i64 || -exponent >= MAX_BITS as i64 {
            return Err(Open::TooLarge);
        }
        let shift = exponent.unsigned_abs() as usize;
        let (numerator, denominator) =
            if exponent < 0 { (odd, UBig::ONE << shift) } else { (odd << shift, UBig::ONE) };
        Ok(RBig::from_parts(IBig::from_parts(Sign::from(x.negative), numerator), denominator))
    }
}

impl Exact {
    /// The integer, or `None` if it is zero.
    fn integer(integer: &IBig) -> Option<Self> {
        let (sign, significand) = integer.clone().into_parts();
        let negative = sign == Sign::Negative;
        (!significand.is_zero()).then_some(Self { negative, exponent: 0, significand })
    }
}
