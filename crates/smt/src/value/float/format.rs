//! Formats: how many bits the exponent and the significand have.

/// No operation makes an integer of more bits than this, unless given one.
pub const MAX_BITS: usize = 1 << 22;

/// Exponents, their sums and differences then fit an `i64`.
const MAX_EB: u32 = 60;

/// Products, quotients and fused sums then stay within [`MAX_BITS`].
const MAX_SB: u32 = 1 << 20;

/// The widths of exponent and significand; the significand's counts the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Format {
    eb: u32,
    sb: u32,
}

/// Why two widths are no format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormatError {
    /// The standard asks for at least two bits of each.
    TooNarrow,
    /// A format, but not one computed with here: `eb` is above 60 or `sb` above 2^20.
    TooWide,
}

impl Format {
    /// The format of the sort `Float16`.
    pub const HALF: Self = Self { eb: 5, sb: 11 };
    /// The format of the sort `Float32`.
    pub const SINGLE: Self = Self { eb: 8, sb: 24 };
    /// The format of the sort `Float64`.
    pub const DOUBLE: Self = Self { eb: 11, sb: 53 };
    /// The format of the sort `Float128`.
    pub const QUAD: Self = Self { eb: 15, sb: 113 };

    /// The format of `(_ FloatingPoint eb sb)`.
    pub const fn new(eb: u32, sb: u32) -> Result<Self, FormatError> {
        if eb < 2 || sb < 2 {
            Err(FormatError::TooNarrow)
        } else if eb > MAX_EB || sb > MAX_SB {
            Err(FormatError::TooWide)
        } else {
            Ok(Self { eb, sb })
        }
    }

    /// Bits of the exponent.
    pub const fn eb(self) -> u32 {
        self.eb
    }

    /// Bits of the significand, the hidden one included.
    pub const fn sb(self) -> u32 {
        self.sb
    }

    /// Bits of the whole: `eb + sb`.
    pub const fn width(self) -> u32 {
        self.eb + self.sb
    }

    pub(super) const fn precision(self) -> usize {
        self.sb as usize
    }

    /// The exponent of the largest numbers, which is also the bias.
    pub(super) const fn max_exponent(self) -> i64 {
        (1 << (self.eb - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    pub(super) const fn min_exponent(self) -> i64 {
        1 - self.max_exponent()
    }

    /// The exponent of the last place of a number whose leading bit stands for `2^top`.
    pub(super) fn last_place(self, top: i64) -> i64 {
        top.max(self.min_exponent()) - (self.sb as i64 - 1)
    }
}
