//! The trait through which the comparison of values applies and inspects functions.

use super::Value;
use crate::gap::{Fuel, Gap};
use crate::pool::Pool;
use crate::sort::SortId;
use crate::term::{BinderList, FunId, OpId, TermId};

/// An evaluation, as far as the comparison of values uses it: it applies functions and shows how they are defined.
pub(crate) trait Functions {
    /// The pool of the script.
    fn pool(&self) -> &Pool;
    /// The work that may still be done.
    fn fuel(&mut self) -> &mut Fuel;
    /// The value of a function or an array at these arguments.
    fn apply(&mut self, function: &Value, args: &[Value]) -> Result<Value, Gap>;
    /// Values of a sort, and whether they are all of them.
    fn points(&mut self, sort: SortId) -> (Vec<Value>, bool);
    /// The variables and the body of a function, from its definition or from the model.
    fn body(&self, fun: FunId) -> Option<(BinderList, TermId)>;
    /// Whether an operator is `=`.
    fn is_equality(&self, op: OpId) -> bool;
}
