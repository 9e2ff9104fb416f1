//! One application of an operator to values, as the meaning of the operator sees it.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Op, Operator, Point};
use crate::Pool;
use crate::gap::{Fuel, Gap};
use crate::sort::SortId;
use crate::term::Index;
use crate::value::{Array, BitVec, Data, Float, Functions, NOT_TOLD_APART, Regex, Rounding, Value, equal};

/// One application of an operator to values.
///
/// The sorts have been checked, so an accessor can only fail if the table contradicts itself; it then says so
/// as a gap instead of ending the campaign.
pub struct Call<'a, 'w> {
    /// The values of the arguments.
    pub args: &'a [Value],
    /// The indices of the operator.
    pub indices: &'a [Index],
    /// The sort of the whole.
    pub sort: SortId,
    /// The row of the operator.
    pub(crate) op: &'static Op,
    pub(crate) world: &'a mut (dyn World + 'w),
}

/// An evaluation, as far as meanings use it. Comparing values uses [`Functions`] alone.
pub(crate) trait World: Functions {
    /// Whether everything that the model does not say has some value that is allowed.
    fn completes(&self) -> bool;
    /// The value of an application that the standard leaves open: what the model says under one of these names about
    /// `args`, else what the solver answered about the point, else what completion gives.
    fn unspecified(
        &mut self,
        names: &[&str],
        what: &'static str,
        args: &[Value],
        point: Point,
    ) -> Result<Value, Gap>;
    /// The solver's answer about an application that the standard leaves open.
    fn heard(&mut self, point: Point) -> Result<Option<Value>, Gap>;
}

/// The gap of a table that contradicts itself.
pub(crate) const CONFUSED: Gap = Gap::NoMeaning("an argument of another sort than the table says");

impl<'a> Call<'a, '_> {
    /// The value of the application: what the row of its operator says.
    #[cfg(not(test))]
    #[inline]
    pub(crate) fn evaluated(&mut self) -> Result<Value, Gap> {
        (self.op.meaning)(self)
    }

    /// The value of the application: what the row of its operator says, changed if the test of mutations asks for it.
    #[cfg(test)]
    pub(crate) fn evaluated(&mut self) -> Result<Value, Gap> {
        super::tests::mutation::evaluated(self)
    }

    /// Argument `i`.
    pub fn arg(&self, i: usize) -> Result<&'a Value, Gap> {
        self.args.get(i).ok_or(CONFUSED)
    }

    /// Argument `i`, a Bool.
    pub fn boolean(&self, i: usize) -> Result<bool, Gap> {
        if let Value::Bool(b) = self.arg(i)? { Ok(*b) } else { Err(CONFUSED) }
    }

    /// Argument `i`, an Int.
    pub fn int(&self, i: usize) -> Result<&'a IBig, Gap> {
        if let Value::Int(n) = self.arg(i)? { Ok(n) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a Real.
    pub fn real(&self, i: usize) -> Result<&'a RBig, Gap> {
        if let Value::Real(q) = self.arg(i)? { Ok(q) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a bit-vector.
    pub fn bits(&self, i: usize) -> Result<&'a BitVec, Gap> {
        if let Value::BitVec(b) = self.arg(i)? { Ok(b) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a float.
    pub fn float(&self, i: usize) -> Result<&'a Float, Gap> {
        if let Value::Float(f) = self.arg(i)? { Ok(f) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a rounding mode.
    pub fn rounding(&self, i: usize) -> Result<Rounding, Gap> {
        if let Value::Rounding(r) = self.arg(i)? { Ok(*r) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a string.
    pub fn text(&self, i: usize) -> Result<&'a [u32], Gap> {
        if let Value::Text(t) = self.arg(i)? { Ok(t) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a regular language.
    pub fn regex(&self, i: usize) -> Result<&'a Regex, Gap> {
        if let Value::Regex(r) = self.arg(i)? { Ok(r) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a sequence.
    pub fn seq(&self, i: usize) -> Result<&'a [Value], Gap> {
        if let Value::Seq(s) = self.arg(i)? { Ok(s) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a tuple.
    pub fn tuple(&self, i: usize) -> Result<&'a [Value], Gap> {
        if let Value::Tuple(t) = self.arg(i)? { Ok(t) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a finite set whose elements are told apart by their shape; any other is a gap.
    pub fn set(&self, i: usize) -> Result<&'a BTreeSet<Value>, Gap> {
        if self.arg(i)?.rigid() { self.any_set(i) } else { Err(NOT_TOLD_APART) }
    }

    /// Argument `i`, a finite set. Its elements differ by meaning, and must be compared by meaning.
    pub(crate) fn any_set(&self, i: usize) -> Result<&'a BTreeSet<Value>, Gap> {
        if let Value::Set(s) = self.arg(i)? { Ok(s) } else { Err(CONFUSED) }
    }

    /// Argument `i`, a finite bag whose elements are told apart by their shape; any other is a gap.
    pub fn bag(&self, i: usize) -> Result<&'a BTreeMap<Value, UBig>, Gap> {
        if self.arg(i)?.rigid() { self.any_bag(i) } else { Err(NOT_TOLD_APART) }
    }

    /// Argument `i`, a finite bag. Its elements differ by meaning, and must be compared by meaning.
    pub(crate) fn any_bag(&self, i: usize) -> Result<&'a BTreeMap<Value, UBig>, Gap> {
        if let Value::Bag(b) = self.arg(i)? { Ok(b) } else { Err(CONFUSED) }
    }

    /// Argument `i`, of a datatype.
    pub fn data(&self, i: usize) -> Result<&'a Data, Gap> {
        if let Value::Data(d) = self.arg(i)? { Ok(d) } else { Err(CONFUSED) }
    }

    /// Index `i`, a number.
    pub fn index(&self, i: usize) -> Result<u32, Gap> {
        if let Some(Index::Number(n)) = self.indices.get(i) { Ok(*n) } else { Err(CONFUSED) }
    }

    /// The pool of the script.
    pub fn pool(&self) -> &Pool {
        self.world.pool()
    }

    /// Pays for work.
    pub fn pay(&mut self, steps: u64) -> Result<(), Gap> {
        self.world.fuel().pay(steps)
    }

    /// Pays for building something of this size, in bits, characters or elements.
    pub fn build(&mut self, size: u64) -> Result<(), Gap> {
        self.world.fuel().build(size)
    }

    /// The fuel.
    pub fn fuel(&mut self) -> &mut Fuel {
        self.world.fuel()
    }

    /// Whether arguments `i` and `j` are equal as values of their sort.
    pub fn equal(&mut self, i: usize, j: usize) -> Result<bool, Gap> {
        let (a, b) = (self.arg(i)?, self.arg(j)?);
        self.same(a, b)
    }

    /// Whether two values of one sort are equal.
    pub fn same(&mut self, a: &Value, b: &Value) -> Result<bool, Gap> {
        equal::equal(self.world, a, b)
    }

    /// Which of these values equals `x`, if one does.
    pub(crate) fn find<'v>(
        &mut self,
        values: impl IntoIterator<Item = &'v Value>,
        x: &Value,
    ) -> Result<Option<&'v Value>, Gap> {
        equal::find(self.world, values, x)
    }

    /// The index of a table that equals this one, if it is listed.
    pub(crate) fn entry<'t>(&mut self, array: &'t Array, index: &Value) -> Result<Option<&'t Value>, Gap> {
        array.find(self.world, index)
    }

    /// A function of one argument as a table, if it does no more than compare its argument with constants.
    pub(crate) fn table_of(&mut self, function: &Value, index: SortId) -> Result<Option<Array>, Gap> {
        equal::function::table(self.world, function, index)
    }

    /// Another application in the same evaluation.
    pub(crate) fn other<'b>(&'b mut self, op: &'static Op, args: &'b [Value], sort: SortId) -> Call<'b, 'b> {
        Call { args, indices: &[], sort, op, world: &mut *self.world }
    }

    /// Applies a function or array to arguments.
    pub fn apply(&mut self, function: &Value, args: &[Value]) -> Result<Value, Gap> {
        self.world.apply(function, args)
    }

    /// The value of a case that the standard leaves open, as the model gives it: it may define a function of one of
    /// these names (`div0`) on these arguments. Otherwise a gap that names `what` is open.
    pub fn unspecified(&mut self, names: &[&str], what: &'static str, args: &[Value]) -> Result<Value, Gap> {
        let point = self.point();
        self.world.unspecified(names, what, args, point)
    }

    /// The operator and the arguments of this application, to find an answer of the solver about it.
    fn point(&self) -> Point {
        Point {
            operator: Operator::Row(self.op, self.indices.to_vec()),
            arguments: self.args.to_vec(),
            sort: self.sort,
        }
    }

    /// Does the same as [`Call::unspecified`] where only some values are allowed. Any other value is a gap.
    pub(crate) fn unspecified_among(
        &mut self,
        names: &[&str],
        what: &'static str,
        allowed: impl FnOnce(&mut Self, &Value) -> Result<bool, Gap>,
    ) -> Result<Value, Gap> {
        let value = self.unspecified(names, what, self.args)?;
        if allowed(self, &value)? { Ok(value) } else { Err(Gap::LeftToModel(what)) }
    }

    /// An element of a collection that the standard lets the model choose. Completion takes the first.
    pub(crate) fn chosen<'v>(
        &mut self,
        elements: impl Iterator<Item = &'v Value> + Clone,
        what: &'static str,
    ) -> Result<Value, Gap> {
        let Some(first) = elements.clone().next() else { return self.unspecified(&[], what, self.args) };
        let point = self.point();
        if let Some(value) = self.world.heard(point)? {
            return self.find(elements, &value)?.cloned().ok_or(Gap::LeftToModel(what));
        }
        // The choice is a function of the collection, so that equal ones must be written alike.
        if self.world.completes() && self.args.iter().all(Value::rigid) {
            return Ok(first.clone());
        }
        Err(Gap::LeftToModel(what))
    }
}

/// A call outside of any evaluation.
#[cfg(test)]
pub(crate) fn call_for_test(
    world: &mut dyn World,
    op: &'static Op,
    args: &[Value],
    indices: &[Index],
    sort: SortId,
) -> Result<Value, Gap> {
    Call { args, indices, sort, op, world }.evaluated()
}
