//! Which symbols are tried, in which order, with which values.

use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};

use super::domain::Domain;
use super::{Limits, Unbounded};
use crate::Pool;
use crate::program::declared;
use crate::query::Query;
use crate::term::{FunId, FunKind, Head, Literal, TermId};
use crate::theory::table;

/// A symbol to be tried.
#[derive(Debug)]
pub(super) struct Tried {
    pub fun: FunId,
    pub domain: Domain,
}

/// The symbols that get values, and the values that are tried.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The symbols in the order in which they get values.
    pub tried: Vec<Tried>,
    /// Symbols that an assertion says to equal a term, each after those that its term needs.
    pub defined: Vec<(FunId, TermId)>,
    /// A symbol of which not all values are tried.
    pub cut_short: Option<Unbounded>,
}

pub(super) fn plan(pool: &Pool, query: &Query, limits: Limits) -> Result<Plan, Unbounded> {
    let parts = conjuncts(pool, &query.assertions);
    let uses: Vec<Vec<FunId>> = query.assertions.iter().map(|&term| declared(pool, term)).collect();
    let defined = definitions(pool, &parts);
    let known: FxHashMap<FunId, TermId> = defined.iter().copied().collect();
    // Each assertion needs what its symbols are defined by.
    let needs: Vec<Vec<FunId>> = uses.iter().map(|symbols| expanded(pool, symbols, &known)).collect();
    let bounds = bounds(pool, &parts);
    let mut plan = Plan { defined, ..Plan::default() };
    let mut domains: FxHashMap<FunId, Domain> = FxHashMap::default();
    for &fun in needs.iter().flatten() {
        if domains.contains_key(&fun) {
            continue;
        }
        let domain = match between(&bounds, fun) {
            Some(domain) => Ok(domain),
            None => Domain::of(pool, fun),
        };
        let domain = match domain {
            Ok(domain) => domain,
            Err(why) => {
                let unbounded = Unbounded { symbol: fun, why };
                let small = if limits.small_values { Domain::small(pool, fun) } else { None };
                plan.cut_short = plan.cut_short.or(Some(unbounded));
                small.ok_or(unbounded)?
            }
        };
        domains.insert(fun, domain);
    }
    for fun in order(&needs, &domains) {
        let domain = domains.remove(&fun).expect("every symbol has a domain and is tried once");
        plan.tried.push(Tried { fun, domain });
    }
    Ok(plan)
}

/// The order of symbols: again and again those of the assertion with the fewest values left, so that it is decided
/// early.
fn order(needs: &[Vec<FunId>], domains: &FxHashMap<FunId, Domain>) -> Vec<FunId> {
    let bits = |fun: &FunId| (domains[fun].size() as f64).log2();
    let mut placed: FxHashSet<FunId> = FxHashSet::default();
    let mut order = Vec::new();
    let mut left: Vec<&Vec<FunId>> = needs.iter().collect();
    loop {
        left.retain(|symbols| symbols.iter().any(|fun| !placed.contains(fun)));
        let cost =
            |symbols: &[FunId]| -> f64 { symbols.iter().filter(|fun| !placed.contains(fun)).map(bits).sum() };
        let Some(next) = left.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))) else { return order };
        let mut new: Vec<FunId> = next.iter().copied().filter(|fun| !placed.contains(fun)).collect();
        new.sort_by(|a, b| bits(a).total_cmp(&bits(b)));
        placed.extend(&new);
        order.extend(new);
    }
}

/// The assertions, with the arguments of `and` as assertions of their own.
fn conjuncts(pool: &Pool, assertions: &[TermId]) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut left: Vec<TermId> = assertions.iter().rev().copied().collect();
    while let Some(term) = left.pop() {
        match pool.node(term).head {
            Head::Op(op, _) if table().op(op).name == "and" => left.extend(pool.args(term).iter().rev()),
            Head::Annotated(_) => left.push(pool.args(term)[0]),
            _ => parts.push(term),
        }
    }
    parts
}

/// The declared symbol that a term is.
fn symbol(pool: &Pool, term: TermId) -> Option<FunId> {
    match pool.node(term).head {
        Head::Fun(fun) if pool.fun(fun).kind == FunKind::Declared && pool.fun(fun).args.is_empty() => {
            Some(fun)
        }
        _ => None,
    }
}

/// Symbols that are asserted to equal a term in which they are not, not even by way of other such symbols.
fn definitions(pool: &Pool, parts: &[TermId]) -> Vec<(FunId, TermId)> {
    let mut known: FxHashMap<FunId, TermId> = FxHashMap::default();
    for &part in parts {
        let (Head::Op(op, _), &[a, b]) = (pool.node(part).head, pool.args(part)) else { continue };
        if table().op(op).name != "=" {
            continue;
        }
        for (left, right) in [(a, b), (b, a)] {
            let Some(fun) = symbol(pool, left) else { continue };
            let closed = reached(pool, &declared(pool, right), &known);
            if !known.contains_key(&fun)
                && !closed.contains(&fun)
                && pool.sort_of(left) == pool.sort_of(right)
            {
                known.insert(fun, right);
                break;
            }
        }
    }
    // Each after those that it needs.
    let mut sorted: Vec<(FunId, TermId)> = Vec::new();
    let mut done: FxHashSet<FunId> = FxHashSet::default();
    let mut names: Vec<FunId> = known.keys().copied().collect();
    names.sort();
    while sorted.len() < known.len() {
        for &fun in &names {
            let term = known[&fun];
            let ready = declared(pool, term).iter().all(|f| !known.contains_key(f) || done.contains(f));
            if ready && done.insert(fun) {
                sorted.push((fun, term));
            }
        }
    }
    sorted
}

/// All symbols that these lead to by way of definitions, themselves included.
fn reached(pool: &Pool, symbols: &[FunId], known: &FxHashMap<FunId, TermId>) -> Vec<FunId> {
    let mut seen: FxHashSet<FunId> = FxHashSet::default();
    let mut left: Vec<FunId> = symbols.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(fun) = left.pop() {
        if seen.insert(fun) {
            found.push(fun);
            left.extend(known.get(&fun).into_iter().flat_map(|&term| declared(pool, term)));
        }
    }
    found
}

/// The symbols that must have a value for these to have one.
fn expanded(pool: &Pool, symbols: &[FunId], known: &FxHashMap<FunId, TermId>) -> Vec<FunId> {
    reached(pool, symbols, known).into_iter().filter(|fun| !known.contains_key(fun)).collect()
}

/// The least and the greatest value of an integer symbol that the assertions allow.
type Bounds = FxHashMap<FunId, (Option<IBig>, Option<IBig>)>;

fn bounds(pool: &Pool, parts: &[TermId]) -> Bounds {
    let mut bounds = Bounds::default();
    for &part in parts {
        let Head::Op(op, _) = pool.node(part).head else { continue };
        // Whether the first is above the second, and whether they may be equal.
        let (above, strict) = match table().op(op).name {
            "<=" => (false, false),
            "<" => (false, true),
            ">=" => (true, false),
            ">" => (true, true),
            _ => continue,
        };
        for pair in pool.args(part).windows(2) {
            let (low, high) = if above { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            let step = IBig::from(u8::from(strict));
            if let (Some(n), Some(fun)) = (number(pool, low), symbol(pool, high)) {
                let least = &mut bounds.entry(fun).or_default().0;
                let n = n + &step;
                *least = Some(least.take().map_or(n.clone(), |old| old.max(n)));
            }
            if let (Some(fun), Some(n)) = (symbol(pool, low), number(pool, high)) {
                let most = &mut bounds.entry(fun).or_default().1;
                let n = n - &step;
                *most = Some(most.take().map_or(n.clone(), |old| old.min(n)));
            }
        }
    }
    bounds
}

/// The integer that a term spells.
fn number(pool: &Pool, term: TermId) -> Option<IBig> {
    let node = pool.node(term);
    match (node.head, pool.args(term)) {
        (Head::Literal(Literal::Numeral), _) if node.sort == crate::SortId::INT => {
            pool.text(node.name).parse().ok()
        }
        (Head::Op(op, _), &[arg]) if table().op(op).name == "-" => Some(-number(pool, arg)?),
        _ => None,
    }
}

fn between(bounds: &Bounds, fun: FunId) -> Option<Domain> {
    let (Some(least), Some(most)) = bounds.get(&fun)? else { return None };
    // None at all: the assertions that say so are false for the one value.
    let size = if most < least { 1 } else { u64::try_from(most - least + IBig::ONE).ok()? };
    Some(Domain::Integers(least.clone(), size))
}
