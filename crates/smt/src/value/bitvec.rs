//! Bit-vectors of any width.

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

/// A bit-vector: a width and a natural number below 2^width.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitVec {
    width: u32,
    bits: UBig,
}

impl BitVec {
    /// The low `width` bits of a natural number.
    pub fn new(width: u32, mut bits: UBig) -> Self {
        bits.clear_high_bits(width as usize);
        BitVec { width, bits }
    }

    /// An integer modulo 2^width.
    pub fn wrap(width: u32, value: &IBig) -> Self {
        let (sign, magnitude) = value.clone().into_parts();
        let low = BitVec::new(width, magnitude);
        if sign == dashu_int::Sign::Negative { low.neg() } else { low }
    }

    /// The bit-vector of zeros.
    pub fn zero(width: u32) -> Self {
        BitVec { width, bits: UBig::ZERO }
    }

    /// The bit-vector of ones.
    pub fn ones(width: u32) -> Self {
        BitVec { width, bits: UBig::ones(width as usize) }
    }

    /// One bit.
    pub fn bit(set: bool) -> Self {
        BitVec { width: 1, bits: UBig::from(set) }
    }

    /// The number of its bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Its value as a natural number.
    pub fn unsigned(&self) -> &UBig {
        &self.bits
    }

    /// Its value in two's complement.
    pub fn signed(&self) -> IBig {
        let value = IBig::from(self.bits.clone());
        if self.sign() { value - (IBig::ONE << self.width as usize) } else { value }
    }

    /// Its highest bit.
    pub fn sign(&self) -> bool {
        self.width > 0 && self.get(self.width - 1)
    }

    /// The bit with number `i`, from the lowest.
    pub fn get(&self, i: u32) -> bool {
        self.bits.bit(i as usize)
    }

    /// Two's complement negation.
    #[must_use]
    pub fn neg(&self) -> Self {
        if self.bits == UBig::ZERO {
            return self.clone();
        }
        BitVec { width: self.width, bits: (UBig::ONE << self.width as usize) - &self.bits }
    }
}
