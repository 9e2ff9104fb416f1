//! Comparing floats as numbers.

use super::{Float, Number, Open};
use std::cmp::Ordering;

impl Float {
    /// The operator `fp.leq`.
    pub fn leq(&self, other: &Self) -> bool {
        self.order(other).is_some_and(Ordering::is_le)
    }

    /// The operator `fp.lt`.
    pub fn lt(&self, other: &Self) -> bool {
        self.order(other).is_some_and(Ordering::is_lt)
    }

    /// The operator `fp.geq`.
    pub fn geq(&self, other: &Self) -> bool {
        self.order(other).is_some_and(Ordering::is_ge)
    }

    /// The operator `fp.gt`.
    pub fn gt(&self, other: &Self) -> bool {
        self.order(other).is_some_and(Ordering::is_gt)
    }

    /// `fp.eq`: the zeros are equal and NaN is not equal to itself.
    pub fn ieee_eq(&self, other: &Self) -> bool {
        self.order(other).is_some_and(Ordering::is_eq)
    }

    /// `fp.min`; unspecified for two zeros of different signs.
    pub fn minimum(&self, other: &Self) -> Result<Self, Open> {
        self.choose(other, Ordering::Less)
    }

    /// `fp.max`; unspecified for two zeros of different signs.
    pub fn maximum(&self, other: &Self) -> Result<Self, Open> {
        self.choose(other, Ordering::Greater)
    }

    fn choose(&self, other: &Self, wanted: Ordering) -> Result<Self, Open> {
        match self.order(other) {
            None if self.is_nan() => Ok(other.clone()),
            None => Ok(self.clone()),
            Some(Ordering::Equal) if self != other => Err(Open::Unspecified),
            Some(order) if order == wanted => Ok(self.clone()),
            Some(_) => Ok(other.clone()),
        }
    }

    /// The order of the numbers; None if one is NaN.
    fn order(&self, other: &Self) -> Option<Ordering> {
        self.same_format(other);
        let (mine, theirs) = (self.sign()?, other.sign()?);
        Some(match (mine, theirs) {
            _ if self.is_zero() && other.is_zero() => Ordering::Equal,
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.order_of_magnitude(other),
            (true, true) => other.order_of_magnitude(self),
        })
    }

    fn order_of_magnitude(&self, other: &Self) -> Ordering {
        use Number::{Finite, Infinity, Nan, Zero};
        match (&self.number, &other.number) {
            // Of one format, the number with the higher last place is the greater one.
            (Finite(x), Finite(y)) => {
                x.exponent.cmp(&y.exponent).then_with(|| x.significand.cmp(&y.significand))
            }
            (Infinity { .. }, Infinity { .. }) | (Zero { .. }, Zero { .. }) => Ordering::Equal,
            (Infinity { .. }, _) | (_, Zero { .. }) => Ordering::Greater,
            (_, Infinity { .. }) | (Zero { .. }, _) => Ordering::Less,
            (Nan, _) | (_, Nan) => unreachable!("NaN has no sign"),
        }
    }

    pub(super) fn same_format(&self, other: &Self) {
        assert_eq!(self.format, other.format, "arguments of one format");
    }
}
