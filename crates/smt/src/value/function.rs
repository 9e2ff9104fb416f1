//! Functions as values: how many arguments they take, and whether two of them are equal.

use super::equal::{all, equal as equal_values};
use super::{Array, Function, Value, tabular};
use crate::Pool;
use crate::eval::{Gap, World};
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{Binder, BinderList, Head, TermId};

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
pub(super) fn equal(world: &mut dyn World, a: &Value, b: &Value) -> Result<bool, Gap> {
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

fn applied(world: &mut dyn World, function: &Value, point: &[Value]) -> Result<Value, Gap> {
    match function {
        // z3's arrays of several indices have a tuple as index.
        Value::Array(_) if point.len() > 1 => world.apply(function, &[Value::tuple(point.to_vec())?]),
        _ => world.apply(function, point),
    }
}

/// Arguments to try two functions on, and whether they show everything.
fn points(world: &mut dyn World, a: &Value, b: &Value) -> Result<(Vec<Vec<Value>>, bool), Gap> {
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
pub(crate) fn table(world: &mut dyn World, function: &Value, index: SortId) -> Result<Option<Array>, Gap> {
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
fn constants(world: &mut dyn World, function: &Value) -> Result<Option<Vec<Vec<Value>>>, Gap> {
    match function {
        Value::Array(array) => Ok(Some(tabular::listed(array))),
        _ => match closure(world, function) {
            // A gap in a constant leaves only the usual points.
            Some(closure) => Ok(tabular::compared(world, &closure).unwrap_or(None)),
            None => Ok(None),
        },
    }
}

/// A function by its variables, its body, and the values of the variables around it.
pub(super) struct Closure {
    pub binders: Vec<Binder>,
    pub body: TermId,
    pub around: Vec<(Symbol, Value)>,
}

/// Variables, body and surroundings of a function, those of the functions that it gives included.
fn closure(world: &dyn World, function: &Value) -> Option<Closure> {
    let Value::Function(function) = function else { return None };
    let (list, body, around): (BinderList, TermId, Vec<(Symbol, Value)>) = match &***function {
        Function::Named(f) => {
            let (list, body) = world.body(*f)?;
            (list, body, Vec::new())
        }
        Function::Lambda(list, body, around) => (*list, *body, around.clone()),
        Function::Partial(of, given) => {
            let Closure { mut binders, body, mut around } = closure(world, of)?;
            if given.len() > binders.len() {
                return None;
            }
            let first: Vec<Binder> = binders.drain(..given.len()).collect();
            around.extend(first.iter().map(|b| b.name).zip(given.iter().cloned()));
            return Some(Closure { binders, body, around });
        }
    };
    let pool = world.pool();
    let mut closure = Closure { binders: pool.binders(list).to_vec(), body, around };
    while let Head::Lambda(list) = pool.node(closure.body).head {
        closure.binders.extend_from_slice(pool.binders(list));
        closure.body = *pool.args(closure.body).first()?;
    }
    Some(closure)
}

/// Whether both are one term but for the names of variables, with equal values around it.
fn renamed(world: &mut dyn World, a: &Value, b: &Value) -> Result<bool, Gap> {
    let (Some(a), Some(b)) = (closure(world, a), closure(world, b)) else { return Ok(false) };
    if !same_sorts(&a.binders, &b.binders) {
        return Ok(false);
    }
    let mut bound: Vec<(Symbol, Symbol)> = pairs(&a.binders, &b.binders).collect();
    let mut free: Vec<(Symbol, Symbol)> = Vec::new();
    world.fuel().pay(1)?;
    let mut steps = *world.fuel().left();
    let alike = alike(world.pool(), [a.body, b.body], &mut bound, &mut free, DEEPEST, &mut steps);
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

/// Whether two bodies are the same but for the names of bound variables. `free` collects the pairs of names that are
/// bound around them.
fn alike(
    pool: &Pool,
    [a, b]: [TermId; 2],
    bound: &mut Vec<(Symbol, Symbol)>,
    free: &mut Vec<(Symbol, Symbol)>,
    depth: u32,
    steps: &mut u64,
) -> bool {
    let (Some(depth), Some(left)) = (depth.checked_sub(1), steps.checked_sub(1)) else { return false };
    *steps = left;
    let (x, y) = (*pool.node(a), *pool.node(b));
    let (args, others) = (pool.args(a), pool.args(b));
    if let (Head::Variable(x), Head::Variable(y)) = (x.head, y.head) {
        let place = bound.iter().rposition(|(n, _)| *n == x);
        if place != bound.iter().rposition(|(_, n)| *n == y) {
            return false;
        }
        if place.is_none() {
            free.push((x, y));
        }
        return true;
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
        | (Head::Lambda(a), Head::Lambda(b)) => Some((pool.binders(a), pool.binders(b))),
        _ => return false,
    };
    let inner = if scope.is_some() { args.len() - 1 } else { args.len() };
    if !(0..inner).all(|k| alike(pool, [args[k], others[k]], bound, free, depth, steps)) {
        return false;
    }
    let Some((mine, theirs)) = scope else { return true };
    if !same_sorts(mine, theirs) {
        return false;
    }
    let before = bound.len();
    bound.extend(pairs(mine, theirs));
    let same = alike(pool, [args[inner], others[inner]], bound, free, depth, steps);
    bound.truncate(before);
    same
}
