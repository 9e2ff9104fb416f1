//! Passes `constants`, `opposites`, `variables` and `fresh`: put something small in the place of a term.

use smt::value::{IBig, Value, standard};
use smt::{Fun, FunId, FunKind, Head, Index, Pool, Script, Sort, SortId, TermId, What};

use crate::case::Place;
use crate::reduce::spot::{self, Spot};
use crate::reduce::{Change, Pass};

/// What is put in the place of the terms of a level.
pub enum Constants {
    /// What changes least for an argument: true in a conjunction, false in a disjunction, zero.
    Neutral,
    /// The other truth value, one.
    Opposite,
    /// The innermost bound variable of the sort, or else the first declared constant.
    Variable,
    /// A constant that is declared for it, in the place of what is large; one for each sort in a command.
    Fresh,
}

/// Terms with fewer bytes than this are not worth a declaration.
const LARGE: usize = 10;

impl Pass for Constants {
    fn changes(&self, script: &mut Script, level: usize) -> Option<Vec<Change>> {
        let spots = spot::some_at(script, level)?;
        let mut changes = Vec::new();
        let mut declared = Vec::new();
        for spot in spots {
            let command = spot.place.command as usize;
            // An assertion that says nothing is better left out.
            let said = matches!(script.commands[command].what, What::Assert(_)) && spot.above.is_none();
            let sort = script.pool.sort_of(spot.term);
            if said || sort == SortId::UNKNOWN || is_index(&script.pool, &spot) {
                continue;
            }
            if matches!(self, Constants::Fresh) {
                changes.extend(fresh(script, &spot, &mut declared));
                continue;
            }
            let new = match self {
                Constants::Neutral => neutral(&mut script.pool, &spot, false),
                Constants::Opposite => neutral(&mut script.pool, &spot, true),
                _ => variable(script, &spot),
            };
            if let Some(new) = new.filter(|&new| new != spot.term) {
                changes.push(Change::putting(spot.place, new));
            }
        }
        Some(changes)
    }
}

/// Whether the term is what an annotation says of another, which is no part of the formula.
fn is_index(pool: &Pool, spot: &Spot) -> bool {
    spot.above.is_some_and(|(parent, k)| k > 0 && matches!(pool.node(parent).head, Head::Annotated(_)))
}

/// A value that changes least where a term stands, or the one after it.
pub fn neutral(pool: &mut Pool, spot: &Spot, opposite: bool) -> Option<TermId> {
    let sort = pool.sort_of(spot.term);
    if sort == SortId::BOOL {
        // Not by a list of names: false and true are tried both, this only says which first.
        let above = spot.above.and_then(|(parent, _)| match pool.node(parent).head {
            Head::Op(..) => Some(pool.text(pool.node(parent).name)),
            _ => None,
        });
        let value = above != Some("or");
        return pool.value(sort, &Value::Bool(value != opposite)).ok();
    }
    let value = match (standard(pool, sort)?, opposite) {
        (value, false) => value,
        (Value::Int(_), true) => Value::Int(IBig::ONE),
        (Value::Real(_), true) => Value::Real(IBig::ONE.into()),
        (Value::BitVec(bits), true) => Value::BitVec(smt::value::BitVec::new(bits.width(), 1u8.into())),
        _ => return None,
    };
    if matches!(pool.sort(sort), Sort::Declared(..)) && matches!(value, Value::Element(..)) {
        return None;
    }
    spelled(pool, sort, &value)
}

/// The shorter way of writing a value: long bit-vectors as numbers.
pub fn spelled(pool: &mut Pool, sort: SortId, value: &Value) -> Option<TermId> {
    if let Value::BitVec(bits) = value
        && (bits.width() > 40 || (bits.width() > 8 && !bits.width().is_multiple_of(4)))
        && let Ok(number) = u32::try_from(bits.unsigned())
    {
        let indices = [Index::Number(number), Index::Number(bits.width())];
        return pool.apply_named("bvX", &indices, &[], Some(sort)).ok();
    }
    pool.value(sort, value).ok()
}

/// The innermost variable of the sort that is bound there, or else the first constant of it that is declared before.
fn variable(script: &mut Script, spot: &Spot) -> Option<TermId> {
    let sort = script.pool.sort_of(spot.term);
    let bound = spot::bound(script, &spot.place);
    let shadowed = |k: usize| bound[k + 1..].iter().any(|inner| inner.name == bound[k].name);
    if let Some(k) = (0..bound.len()).rev().find(|&k| bound[k].sort == sort && !shadowed(k)) {
        return Some(script.pool.variable(bound[k]));
    }
    for i in 0..spot.place.command as usize {
        let What::DeclareFun(fun) = script.commands[i].what else { continue };
        let of = script.pool.fun(fun);
        if of.args.is_empty() && of.result == sort && !spot::is_bound(script, &spot.place, of.name) {
            return script.pool.call(fun, &[], Some(sort)).ok();
        }
    }
    None
}

/// Constants that a level declares, by command (a level of `push` may end between two) and sort.
type Declared = Vec<((u32, SortId), FunId, TermId)>;

fn fresh(script: &mut Script, spot: &Spot, declared: &mut Declared) -> Option<Change> {
    if smt::write_term(&script.pool, spot.term).len() < LARGE {
        return None;
    }
    let sort = script.pool.sort_of(spot.term);
    let key = (spot.place.command, sort);
    let (fun, term) = match declared.iter().find(|(known, ..)| *known == key) {
        Some(&(_, fun, term)) => (fun, term),
        None => {
            // A name that nothing has yet.
            let name =
                (0..u32::MAX).map(|n| format!("v{n}")).find(|name| script.pool.find(name).is_none())?;
            let (fun, term) = declare(&mut script.pool, &name, sort)?;
            declared.push((key, fun, term));
            (fun, term)
        }
    };
    Some(putting_declared(spot.place.clone(), term, fun))
}

/// A change that declares a constant and puts it somewhere.
pub fn putting_declared(place: Place, term: TermId, fun: FunId) -> Change {
    let declare = vec![(place.command as usize, fun)];
    Change { put: vec![(place, term)], declare, ..Change::default() }
}

/// Declares a constant, and calls it.
pub fn declare(pool: &mut Pool, name: &str, sort: SortId) -> Option<(FunId, TermId)> {
    let spelling = smt::spelled(name).into_owned();
    let fun = Fun {
        name: pool.intern(name),
        spelling: pool.intern(&spelling),
        type_params: Vec::new(),
        args: Vec::new(),
        result: sort,
        kind: FunKind::Declared,
    };
    let fun = pool.add_fun(fun);
    let term = pool.call(fun, &[], Some(sort)).ok()?;
    Some((fun, term))
}
