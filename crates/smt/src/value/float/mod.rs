//! Floating-point numbers of any format, computed exactly as SMT-LIB's `FloatingPoint` defines them.
//!
//! Operations take arguments of one format and panic if given two. Work is bounded: see [`MAX_BITS`].

mod arithmetic;
mod bits;
mod compare;
mod convert;
mod exact;
mod format;
mod integral;
mod remainder;
mod rounding;

use exact::Exact;
pub use format::{Format, FormatError, MAX_BITS};
pub use rounding::Rounding;

/// A value of one format: the sort `(_ FloatingPoint eb sb)`.
///
/// Each value has one representation, so `==` is SMT-LIB's `=`: NaN equals itself and the zeros differ.
/// IEEE equality is [`Float::ieee_eq`]. `Ord` is some order, for maps; the order of numbers is
/// [`Float::lt`] and the other comparisons.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    format: Format,
    number: Number,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Number {
    Nan,
    Infinity {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// In units of the last place: a normal number has `sb` bits, a subnormal one fewer and the
    /// format's least exponent.
    Finite(Exact),
}

/// Why an operation has no value here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Open {
    /// The standard lets the model choose.
    Unspecified,
    /// The value would take more than [`MAX_BITS`].
    TooLarge,
}
