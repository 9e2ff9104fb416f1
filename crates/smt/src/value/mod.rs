//! Values: exact, unbounded, and canonical where that is possible. [`equal`] decides equality by meaning.

/// One test per operator, one assertion per row.
#[cfg(test)]
macro_rules! rows {
    ($test:ident, $call:expr; $($why:literal : $args:expr => $out:expr,)+) => {
        #[test]
        fn $test() {
            let call = $call;
            $(assert_eq!(call($args), $out, "{}", $why);)+
        }
    };
}

mod array;
pub mod bitvec;
pub(crate) mod equal;
pub mod finite;
pub mod float;
mod functions;
pub mod list;
pub mod literal;
mod nested;
pub mod regex;
mod standard;
pub mod text;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;

use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{BinderList, FunId, TermId};
pub(crate) use array::{leaves_some, listed};
pub use bitvec::BitVec;
pub(crate) use finite::tables;
pub use finite::{cardinality, elements};
pub use float::{Float, Rounding};
pub(crate) use functions::Functions;
pub(crate) use nested::NOT_TOLD_APART;
pub use nested::Nested;
pub use regex::Regex;
pub use standard::standard;
pub use write::{write, write_sort};

/// Values nested deeper than this are not built ([`crate::Gap::TooLarge`]), so that comparing, printing and dropping
/// them may be plain recursion.
pub const MAX_DEPTH: u32 = 1000;

/// A value of any sort. Those that hold other values are made by [`Value::seq`] and its neighbours.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// Of sort `Bool`.
    Bool(bool),
    /// Of sort `Int`.
    Int(IBig),
    /// Of sort `Real`.
    Real(RBig),
    /// Of a bit-vector sort.
    BitVec(BitVec),
    /// Of a float sort.
    Float(Float),
    /// Of sort `RoundingMode`.
    Rounding(Rounding),
    /// Of sort `String`: code points.
    Text(Arc<[u32]>),
    /// Of sort `RegLan`.
    Regex(Regex),
    /// Of z3's sort `Unicode`.
    Char(u32),
    /// Of a sequence sort.
    Seq(Arc<Nested<Vec<Value>>>),
    /// Of an array sort, given by its entries.
    Array(Arc<Nested<Array>>),
    /// Of a function sort, or of an array sort where z3 writes a `lambda` or `as-array`.
    Function(Arc<Nested<Function>>),
    /// A finite set; its elements differ from each other by meaning.
    Set(Arc<Nested<BTreeSet<Value>>>),
    /// A finite bag: how often each element occurs, never zero times.
    Bag(Arc<Nested<BTreeMap<Value, UBig>>>),
    /// Of a datatype.
    Data(Arc<Nested<Data>>),
    /// A tuple.
    Tuple(Arc<Nested<Vec<Value>>>),
    /// Of an uninterpreted sort: elements with different names are different.
    Element(SortId, Symbol),
    /// Of a finite field: the residue and the modulus.
    Field(UBig, UBig),
}

/// An array given by its entries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Array {
    /// The element at every index not listed.
    pub default: Value,
    /// The other elements; none equals the default.
    pub entries: BTreeMap<Value, Value>,
}

/// A function as a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Function {
    /// A function of the script.
    Named(FunId),
    /// A `lambda` and the values of the variables around it.
    Lambda(BinderList, TermId, Vec<(Symbol, Value)>),
    /// A function applied to its first arguments only.
    Partial(Value, Vec<Value>),
}

/// A value of a datatype.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Data {
    /// The constructor.
    pub constructor: FunId,
    /// The arguments of the constructor.
    pub fields: Vec<Value>,
}
