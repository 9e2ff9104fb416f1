//! Functions as values: how many arguments they take, and whether two of them are equal.

use super::closure::closure;
use super::{all, equal as equal_values, tabular};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{Binder, Head, TermId};
use crate::value::{Array, Function, Functions, Value};

/// Functions that agree wherever they were tried, and could not be tried everywhere.
pub(crate) const UNKNOWN: Gap = Gap::Incomparable("functions");

/// Functions are tried on no more arguments than this.
const MOST_POINTS: u64 = 1 << 12;

/// Functions of more arguments are not tried.
const MOST_PARAMETERS: usize = 12;

/// Bodies nested deeper than this are not compared.
const DEEPEST: u32 = 200;

/// The sorts of the arguments that a function still waits for, as far as its own definition names them.
pub(crate) fn parameters(pool: &Pool, function: &Value) -> Option<Vec<SortId>> {
    let Value::Function(function) = function else { return None };
    match &***function {
        Function::Named(f) => Some(pool.fun(*f).args.clone()),
        Function::Lambda(binders, _, _) => Some(pool.binders(*binders).iter().map(|b| b.sort).collect()),
        Function::Partial(of, given) => Some(parameters(pool, of)?.get(given.len()..)?.to_vec()),
    }
}

/// Whether two functions, or a function and an array, are equal. They are if one is the other with its variables
/// renamed, or if they agree on all arguments of a small domain; they are not if they differ somewhere.
pub(super) fn equal(world: &mut dyn Functions, a: &Value, b: &Value) -> Result<bool, Gap> {
    if renamed(world, a, b)? {
        return Ok(true);
    }
    let (points, complete) = points(world, a, b)?;
    world.fuel().pay(points.len() as u64)?;
    let agree = |point: &Vec<Value>| {
        let (x, y) = (applied(world, a, point)?, applied(world, b, point)?);
        equal_values(world, &x, &y)
    };
    match all(points.iter().map(agree)) {
        Ok(true) if !complete => Err(UNKNOWN),
        decided => decided,
    }
}

fn applied(world: &mut dyn Functions, function: &Value, point: &[Value]) -> Result<Value, Gap> {
    match function {
        // z3's arrays of several indices have a tuple as index.
        Value::Array(_) if point.len() > 1 => world.apply(function, &[Value::tuple(point.to_vec())?]),
        _ => world.apply(function, point),
    }
}

/// Arguments to try two functions on, and whether they show everything.
fn points(world: &mut dyn Functions, a: &Value, b: &Value) -> Result<(Vec<Vec<Value>>, bool), Gap> {
    let known = [a, b].map(|f| parameters(world.pool(), f));
    let Some(sorts) = known.into_iter().flatten().min_by_key(Vec::len) else {
        return Ok((Vec::new(), false));
    };
    // What both compare their arguments with, if they do no more than that.
    let constants = [constants(world, a)?, constants(world, b)?];
    let mut complete = true;
    let mut domains: Vec<Vec<Value>> = Vec::new();
    for (k, &sort) in sorts.iter().enumerate() {
        let (mut values, mut whole) = world.points(sort);
        let named: Option<Vec<Value>> = constants.iter().try_fold(Vec::new(), |mut all, of| {
            all.extend(of.as_ref()?.get(k)?.iter().cloned());
            Some(all)
        });
        if let (false, Some(mut named)) = (whole, named)
            && let Some(other) = tabular::another(world, sort, &named)
        {
            named.push(other);
            named.sort();
            named.dedup();
            (values, whole) = (named, true);
        }
        complete &= whole;
        domains.push(values);
    }
    let total = domains.iter().fold(1_u64, |n, values| n.saturating_mul(values.len() as u64));
    if total > MOST_POINTS {
        complete = false;
        for values in &mut domains {
            values.truncate(2);
        }
    }
    if domains.len() > MOST_PARAMETERS {
        return Ok((Vec::new(), false));
    }
    let mut points = vec![Vec::new()];
    for values in &domains {
        let longer = |point: &Vec<Value>| {
            let point = point.clone();
            values.iter().map(move |v| [&point[..], std::slice::from_ref(v)].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    // A table says itself where something happens.
    for value in [a, b] {
        if let (Value::Array(array), 1, false) = (value, domains.len(), complete) {
            points.extend(array.entries.keys().take(MOST_POINTS as usize).map(|key| vec![key.clone()]));
        }
    }
    Ok((points, complete))
}

/// A function of one argument as a table, if it does no more than compare its argument with constants.
pub(crate) fn table(
    world: &mut dyn Functions,
    function: &Value,
    index: SortId,
) -> Result<Option<Array>, Gap> {
    let constants = constants(world, function)?;
    let Some([named]) = constants.as_deref() else { return Ok(None) };
    let Some(other) = tabular::another(world, index, named) else { return Ok(None) };
    let mut array = Array::constant(world.apply(function, &[other])?);
    for key in named {
        let element = world.apply(function, std::slice::from_ref(key))?;
        array.set(key.clone(), element);
    }
    Ok(Some(array))
}

/// What a function compares each of its arguments with, if it does nothing else with them.
fn constants(world: &mut dyn Functions, function: &Value) -> Result<Option<Vec<Vec<Value>>>, Gap> {
    match function {
        Value::Array(array) => Ok(Some(tabular::listed(array))),
        _ => match closure(world, function) {
            // A gap in a constant leaves only the usual points.
            Some(closure) => Ok(tabular::compared(world, &closure).unwrap_or(None)),
            None => Ok(None),
        },
    }
}

/// Whether both are one term but for the names of variables, with equal values around it.
fn renamed(world: &mut dyn Functions, a: &Value, b: &Value) -> Result<bool, Gap> {
    let (Some(a), Some(b)) = (closure(world, a), closure(world, b)) else { return Ok(false) };
    if !same_sorts(&a.binders, &b.binders) {
        return Ok(false);
    }
    world.fuel().pay(1)?;
    let steps = *world.fuel().left();
    let bound = pairs(&a.binders, &b.binders).collect();
    let mut renaming = Renaming { pool: world.pool(), bound, free: Vec::new(), steps };
    let alike = renaming.alike([a.body, b.body], DEEPEST);
    let Renaming { free, steps, .. } = renaming;
    *world.fuel().left() = steps;
    if !alike {
        return Ok(false);
    }
    for (x, y) in free {
        let value = |around: &[(Symbol, Value)], name| {
            around.iter().rev().find(|(n, _)| *n == name).map(|(_, value)| value.clone())
        };
        let (Some(x), Some(y)) = (value(&a.around, x), value(&b.around, y)) else { return Ok(false) };
        // What cannot be compared here may still be seen to differ elsewhere.
        if equal_values(world, &x, &y) != Ok(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_sorts(a: &[Binder], b: &[Binder]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.sort == b.sort)
}

fn pairs(a: &[Binder], b: &[Binder]) -> impl Iterator<Item = (Symbol, Symbol)> {
    a.iter().zip(b).map(|(a, b)| (a.name, b.name))
}

/// A comparison of two bodies that may differ in the names of bound variables.
struct Renaming<'p> {
    pool: &'p Pool,
    /// The variables bound here, by their names in the two bodies.
    bound: Vec<(Symbol, Symbol)>,
    /// The pairs of names that are bound around the bodies.
    free: Vec<(Symbol, Symbol)>,
    /// The work that may still be done.
    steps: u64,
}

impl Renaming<'_> {
    /// Whether two terms are the same but for the names of bound variables. Terms nested deeper than `depth` are not.
    fn alike(&mut self, [a, b]: [TermId; 2], depth: u32) -> bool {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), self.steps.checked_sub(1)) else {
            return false;
        };
        self.steps = left;
        let pool = self.pool;
        let (x, y) = (*pool.node(a), *pool.node(b));
        let (args, others) = (pool.args(a), pool.args(b));
        if let (Head::Variable(x), Head::Variable(y)) = (x.head, y.head) {
            return self.same_variable(x, y);
        }
        if x.sort != y.sort || args.len() != others.len() {
            return false;
        }
        // The last argument is in the scope of these.
        let scope = match (x.head, y.head) {
            (Head::Literal(_), Head::Literal(_)) => return x.head == y.head && x.name == y.name,
            (Head::Op(..) | Head::Fun(_) | Head::Apply | Head::Coerce, _) if x.head == y.head => None,
            (Head::Let(a), Head::Let(b))
            | (Head::Forall(a), Head::Forall(b))
            | (Head::Exists(a), Head::Exists(b))
            | (Head::Lambda(a), Head::Lambda(b))
            | (Head::Choice(a), Head::Choice(b)) => Some((pool.binders(a), pool.binders(b))),
            _ => return false,
        };
        let inner = if scope.is_some() { args.len() - 1 } else { args.len() };
        if !(0..inner).all(|k| self.alike([args[k], others[k]], depth)) {
            return false;
        }
        let Some((mine, theirs)) = scope else { return true };
        if !same_sorts(mine, theirs) {
            return false;
        }
        let before = self.bound.len();
        self.bound.extend(pairs(mine, theirs));
        let same = self.alike([args[inner], others[inner]], depth);
        self.bound.truncate(before);
        same
    }

    /// Whether two variables have the same binder. Variables that are bound around the bodies are noted as a pair.
    fn same_variable(&mut self, x: Symbol, y: Symbol) -> bool {
        let place = self.bound.iter().rposition(|(n, _)| *n == x);
        if place != self.bound.iter().rposition(|(_, n)| *n == y) {
            return false;
        }
        if place.is_none() {
            self.free.push((x, y));
        }
        true
    }
}
