//! Applications to values, as far as they tell which answer of a solver is about which application.

use super::Op;
use crate::sort::SortId;
use crate::term::{FunId, Index};
use crate::value::Value;

/// The operator of an application whose value only a model can say.
#[derive(Clone, Debug)]
pub enum Operator {
    /// A row of the table, with its indices.
    Row(&'static Op, Vec<Index>),
    /// A function of the script: declared, or a selector.
    Function(FunId),
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Operator::Row(a, i), Operator::Row(b, j)) => std::ptr::eq(*a, *b) && i == j,
            (Operator::Function(a), Operator::Function(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Operator {}

/// An application to values: equal operators and equal arguments have equal values, however they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// The operator.
    pub operator: Operator,
    /// The values of its arguments.
    pub arguments: Vec<Value>,
    /// The sort that tells the instances of one operator apart: the sort of the argument of a selector, else that of
    /// the result.
    pub sort: SortId,
}
