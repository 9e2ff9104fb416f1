//! Separation logic, as cvc5 has it: read and printed, never evaluated.

use super::{A, B, BOOL, Op, op};
use crate::gap::Gap;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("sep.emp", &[], BOOL, heap).cvc5_only(),
    op("sep.nil", &[], A, heap).cvc5_only(),
    op("pto", &[A, B], BOOL, heap).cvc5_only(),
    op("sep", &[BOOL, BOOL], BOOL, heap).left_assoc().at_least(2).cvc5_only(),
    op("wand", &[BOOL, BOOL], BOOL, heap).cvc5_only(),
];

fn heap(_: &mut Call) -> Result<Value, Gap> {
    Err(Gap::NoMeaning("separation logic"))
}
