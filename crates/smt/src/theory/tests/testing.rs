//! For the tests of meanings: one operator applied to values, outside of any script.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::gap::{Fuel, Gap};
use crate::pool::Pool;
use crate::sort::{Sort, SortId};
use crate::term::{BinderList, Fun, FunId, FunKind, Index, TermId};
use crate::theory::call::call_for_test;
use crate::theory::resolve::{Occurrence, resolve};
use crate::theory::{Arity, OpId, Point, World, table};
use crate::value::{Array, BitVec, Functions, Value};

/// What a model says of a case the standard leaves open.
pub(crate) type Says = (&'static str, Vec<Value>, Value);

/// A world with nothing in it but what a model says.
pub(crate) struct Bare<'m> {
    pub pool: Pool,
    pub fuel: Fuel,
    pub model: &'m [Says],
}

impl Bare<'_> {
    /// A world of two functions about which nothing is known.
    pub(crate) fn with_functions() -> Self {
        let mut pool = Pool::new();
        for name in ["f", "g"] {
            let name = pool.intern(name);
            let (args, result) = (vec![SortId::UNKNOWN], SortId::UNKNOWN);
            let kind = FunKind::Declared;
            pool.add_fun(Fun { name, spelling: name, type_params: Vec::new(), args, result, kind });
        }
        Bare { pool, fuel: Fuel::default(), model: &[] }
    }
}

impl Functions for Bare<'_> {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn fuel(&mut self) -> &mut Fuel {
        &mut self.fuel
    }

    /// The only function there is takes a bit-vector to its bit 0.
    fn apply(&mut self, _: &Value, args: &[Value]) -> Result<Value, Gap> {
        match args {
            [Value::BitVec(b)] => Ok(Value::Bool(b.get(0))),
            _ => Err(Gap::NoMeaning("no such function")),
        }
    }

    fn points(&mut self, _: SortId) -> (Vec<Value>, bool) {
        (Vec::new(), false)
    }

    fn body(&self, _: FunId) -> Option<(BinderList, TermId)> {
        None
    }

    fn is_equality(&self, op: OpId) -> bool {
        table().op(op).name == "="
    }
}

impl World for Bare<'_> {
    fn completes(&self) -> bool {
        false
    }

    fn unspecified(
        &mut self,
        names: &[&str],
        what: &'static str,
        args: &[Value],
        _: Point,
    ) -> Result<Value, Gap> {
        let said = self.model.iter().find(|(name, of, _)| names.contains(name) && of == args);
        said.map(|(_, _, value)| value.clone()).ok_or(Gap::LeftToModel(what))
    }

    fn heard(&mut self, _: Point) -> Result<Option<Value>, Gap> {
        Ok(None)
    }
}

/// The sort of a value. Arrays without entries are over `index`.
pub(crate) fn sort_of(pool: &mut Pool, value: &Value, index: SortId) -> SortId {
    let sort = match value {
        Value::Bool(_) => Sort::Bool,
        Value::Int(_) => Sort::Int,
        Value::Real(_) => Sort::Real,
        Value::Text(_) => Sort::String,
        Value::BitVec(b) => Sort::BitVec(b.width()),
        Value::Field(_, p) => Sort::FiniteField(pool.intern(&p.to_string())),
        Value::Array(a) => {
            let index = a.entries.keys().next().map_or(index, |i| sort_of(pool, i, index));
            Sort::Array(index, sort_of(pool, &a.default, index))
        }
        _ => Sort::Unknown,
    };
    pool.sort_id(sort).expect("not too deep")
}

/// Applies an operator as the evaluator does, its sorts given.
pub(crate) fn apply(
    world: &mut Bare,
    name: &str,
    args: &[Value],
    Occurrence { indices, want, args: sorts }: Occurrence,
) -> Result<Value, Gap> {
    let found = resolve(&mut world.pool, table().named(name), indices, want, sorts)
        .unwrap_or_else(|_| panic!("{name} {indices:?} {args:?}: no row"));
    let op = table().op(found.op);
    let mut step = |args: &[Value]| call_for_test(world, op, args, indices, found.sort);
    match op.arity {
        Arity::LeftAssoc => {
            let mut value = args[0].clone();
            for next in &args[1..] {
                value = step(&[value, next.clone()])?;
            }
            Ok(value)
        }
        Arity::Chainable => {
            for pair in args.windows(2) {
                if step(pair)? == Value::Bool(false) {
                    return Ok(Value::Bool(false));
                }
            }
            Ok(Value::Bool(true))
        }
        _ => step(args),
    }
}

pub(crate) fn with_model(model: &[Says], name: &str, indices: &[u32], args: &[Value]) -> Result<Value, Gap> {
    let mut world = Bare { pool: Pool::new(), fuel: Fuel::default(), model };
    let indices: Vec<_> = indices.iter().map(|&n| Index::Number(n)).collect();
    let sorts: Vec<_> = args.iter().map(|a| sort_of(&mut world.pool, a, SortId::INT)).collect();
    apply(&mut world, name, args, Occurrence { indices: &indices, want: None, args: &sorts })
}

/// Arrays without entries are over bit-vectors of this width.
pub(crate) fn value_over(width: u32, name: &str, args: &[Value]) -> Result<Value, Gap> {
    let mut world = Bare { pool: Pool::new(), fuel: Fuel::default(), model: &[] };
    let index = world.pool.bitvec(width);
    let sorts: Vec<_> = args.iter().map(|a| sort_of(&mut world.pool, a, index)).collect();
    apply(&mut world, name, args, Occurrence { indices: &[], want: None, args: &sorts })
}

pub(crate) fn value(name: &str, indices: &[u32], args: &[Value]) -> Result<Value, Gap> {
    with_model(&[], name, indices, args)
}

pub(crate) fn holds(name: &str, indices: &[u32], args: &[Value]) -> Result<bool, Gap> {
    value(name, indices, args).map(|value| value == Value::Bool(true))
}

/// Whether some row takes arguments like these.
pub(crate) fn is_sorted(name: &str, indices: &[Index], args: &[Value]) -> bool {
    let mut pool = Pool::new();
    let sorts: Vec<_> = args.iter().map(|a| sort_of(&mut pool, a, SortId::INT)).collect();
    resolve(&mut pool, table().named(name), indices, None, &sorts).is_ok()
}

pub(crate) fn left_to_model(value: &Result<Value, Gap>) -> bool {
    matches!(value, Err(Gap::LeftToModel(_)))
}

pub(crate) fn int(n: i64) -> Value {
    Value::Int(n.into())
}

pub(crate) fn rational(n: i64, d: i64) -> Value {
    Value::Real(RBig::from_parts_signed(n.into(), d.into()))
}

pub(crate) fn bits(width: u32, n: i64) -> Value {
    Value::BitVec(BitVec::wrap(width, &IBig::from(n)))
}

pub(crate) fn array(default: Value, entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
    let mut array = Array::constant(default);
    for (index, element) in entries {
        array.set(index, element);
    }
    Value::array(array).expect("a small array")
}
