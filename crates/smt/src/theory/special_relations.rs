//! z3's orders and closures. They constrain a relation that no model shows, so they have no meaning here.

use super::{A, BOOL, Meaning, Op, op};
use crate::gap::Gap;

pub(super) static OPS: &[Op] = &[
    order("partial-order", |_| Err(Gap::NoMeaning("partial-order"))),
    order("linear-order", |_| Err(Gap::NoMeaning("linear-order"))),
    order("tree-order", |_| Err(Gap::NoMeaning("tree-order"))),
    order("piecewise-linear-order", |_| Err(Gap::NoMeaning("piecewise-linear-order"))),
    // Indexed by a predicate.
    order("transitive-closure", |_| Err(Gap::NoMeaning("transitive-closure"))),
];

const fn order(name: &'static str, meaning: Meaning) -> Op {
    op(name, &[A, A], BOOL, meaning).indexed(1).z3_only()
}
