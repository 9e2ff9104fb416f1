//! Rounding to integers, as floats and as bit-vectors.

use super::{Exact, Float, MAX_BITS, Number, Open, Rounding};
use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};

impl Float {
    /// `fp.roundToIntegral`; the sign of a zero is that of the argument.
    ///
    /// In a format such as `(_ FloatingPoint 2 4)` the largest numbers are not integers. Rounding
    /// them up leaves the format, of which the theory's text does not speak: unspecified, though
    /// solvers give an infinity.
    pub fn round_to_integral(&self, rounding: Rounding) -> Result<Self, Open> {
        let Number::Finite(x) = &self.number else { return Ok(self.clone()) };
        if x.exponent >= 0 {
            return Ok(self.clone());
        }
        let integer = rounding.cut(x.negative, &x.significand, -x.exponent);
        if integer.is_zero() {
            return Ok(Self::zero(self.format, x.negative));
        }
        let integer = Exact { negative: x.negative, exponent: 0, significand: integer };
        if integer.top() > self.format.max_exponent() {
            return Err(Open::Unspecified);
        }
        Ok(integer.round(self.format, rounding))
    }

    /// `(_ fp.to_ubv width)`, as the number the bits denote; unspecified if the rounded number is
    /// out of range.
    ///
    /// A negative number that rounds to 0 gives 0, as the standard's definition has it; a note
    /// there calls all negative numbers out of range.
    pub fn to_ubv(&self, width: u32, rounding: Rounding) -> Result<UBig, Open> {
        let integer = self.to_integer(width as usize, rounding)?;
        UBig::try_from(integer).map_err(|_| Open::Unspecified)
    }

    /// `(_ fp.to_sbv width)`, as the number the bits denote in two's complement; unspecified if the
    /// rounded number is out of range.
    pub fn to_sbv(&self, width: u32, rounding: Rounding) -> Result<IBig, Open> {
        let width = width as usize;
        let integer = self.to_integer(width, rounding)?;
        let (sign, mut magnitude) = integer.clone().into_parts();
        if sign == Sign::Negative {
            // There is one more negative number than there are positive ones.
            magnitude -= UBig::ONE;
        }
        if magnitude.bit_len() < width { Ok(integer) } else { Err(Open::Unspecified) }
    }

    /// The nearest integer, unspecified if its magnitude has more than `width` bits.
    fn to_integer(&self, width: usize, rounding: Rounding) -> Result<IBig, Open> {
        let x = match &self.number {
            Number::Nan | Number::Infinity { .. } => return Err(Open::Unspecified),
            Number::Zero { .. } => return Ok(IBig::ZERO),
            Number::Finite(x) => x,
        };
        let magnitude = if x.exponent < 0 {
            rounding.cut(x.negative, &x.significand, -x.exponent)
        } else if x.top() >= width as i64 {
            return Err(Open::Unspecified);
        } else if x.top() >= MAX_BITS as i64 {
            return Err(Open::TooLarge);
        } else {
            &x.significand << x.exponent as usize
        };
        if magnitude.bit_len() > width {
            return Err(Open::Unspecified);
        }
        Ok(IBig::from_parts(Sign::from(x.negative), magnitude))
    }
}
