//! Rules for datatypes and for functions of the script, which have no row in the operator table.

use smt::{Constructor, FunId, FunKind, Head, Index, Pool, Sort, SortId, TermId};

use super::Found;
use super::inject::At;
use super::rules::Direction;
use super::schema::fresh;

/// Whether one of these rules may fit a formula.
pub(super) fn fits(pool: &Pool, term: TermId) -> bool {
    match pool.node(term).head {
        Head::Op(op, _) => matches!(smt::theory::table().op(op).name, "=" | "distinct" | "is"),
        Head::Fun(_) => !pool.args(term).is_empty(),
        _ => false,
    }
}

/// The constructors of a datatype whose values are finite trees.
fn constructors(pool: &Pool, sort: SortId) -> Option<Vec<Constructor>> {
    let Sort::Declared(decl, _) = pool.sort(sort) else { return None };
    let datatype = pool.sort_decl(decl).datatype.as_ref()?;
    (!datatype.co).then(|| datatype.constructors.clone())
}

/// A formula made weaker or stronger.
pub(super) fn approximate(pool: &mut Pool, term: TermId, wanted: Direction, at: &mut At) -> Found {
    let args = pool.args(term).to_vec();
    // An Int that stands for a Real is one only where it stands.
    if args.iter().any(|&arg| pool.node(arg).head == Head::Coerce) {
        return None;
    }
    match pool.node(term).head {
        Head::Op(op, list) => match (smt::theory::table().op(op).name, args.as_slice()) {
            ("=", &[x, y]) => equality(pool, x, y, wanted == Direction::Over, at),
            // What follows from `=` denied gives `distinct`, the other way round.
            ("distinct", &[x, y]) => {
                let (new, id) = equality(pool, x, y, wanted == Direction::Under, at)?;
                Some((denied(pool, new, at)?, id))
            }
            ("is", &[x]) => {
                let &[Index::Function(constructor)] = pool.indices(list) else { return None };
                tester(pool, constructor, x, wanted, at)
            }
            _ => None,
        },
        Head::Fun(fun) if pool.sort_of(term) == SortId::BOOL => match pool.fun(fun).kind {
            FunKind::Tester(_) => {
                let &[x] = args.as_slice() else { return None };
                let all = constructors(pool, pool.sort_of(x))?;
                let found = all.iter().find(|c| c.tester == fun)?.function;
                tester(pool, found, x, wanted, at)
            }
            FunKind::Declared => predicate(pool, fun, &args, wanted, at),
            _ => None,
        },
        _ => None,
    }
}

fn apply(pool: &mut Pool, name: &str, args: &[TermId]) -> Option<TermId> {
    pool.apply_named(name, &[], args, None).ok()
}

fn is(pool: &mut Pool, constructor: FunId, x: TermId) -> Option<TermId> {
    pool.apply_named("is", &[Index::Function(constructor)], &[x], None).ok()
}

/// `x = y` made weaker: something of both is equal; or stronger: both are one constructor with equal fields.
fn equality(pool: &mut Pool, x: TermId, y: TermId, weaker: bool, at: &mut At) -> Found {
    let all = constructors(pool, pool.sort_of(x));
    match (weaker, all) {
        (true, Some(all)) if at.choices.happens(3, 4) => match at.choices.below(5) {
            0 => inner(pool, x, y, at).or_else(|| part(pool, x, y, &all, at)),
            1 => grown(pool, x, y, &all, at),
            2 => apart(pool, x, y, &all, at),
            3 => built(pool, x, y, &all, at),
            _ => part(pool, x, y, &all, at),
        },
        (true, _) => congruence(pool, x, y, at),
        (false, Some(all)) => {
            if at.choices.happens(1, 3)
                && let Some(found) = built(pool, x, y, &all, at)
            {
                return Some(found);
            }
            let constructor = at.choices.pick(&all)?.clone();
            let mut both = vec![is(pool, constructor.function, x)?, is(pool, constructor.function, y)?];
            for &selector in &constructor.selectors {
                let pair = [pool.call(selector, &[x], None).ok()?, pool.call(selector, &[y], None).ok()?];
                both.push(apply(pool, "=", &pair)?);
            }
            Some((apply(pool, "and", &both)?, "data-fields"))
        }
        (false, None) => None,
    }
}

/// What follows from `x = y`, denied: it makes `(distinct x y)` true.
fn denied(pool: &mut Pool, follows: TermId, at: &mut At) -> Option<TermId> {
    let args = pool.args(follows).to_vec();
    let Head::Op(op, _) = pool.node(follows).head else { return apply(pool, "not", &[follows]) };
    match (smt::theory::table().op(op).name, args.as_slice()) {
        ("=", &[a, _]) if pool.sort_of(a) == SortId::BOOL && at.choices.happens(1, 2) => {
            apply(pool, "xor", &args)
        }
        ("=", [_, _]) => apply(pool, "distinct", &args),
        ("distinct", [_, _]) => apply(pool, "=", &args),
        ("=>", &[a, b]) => {
            let other = apply(pool, "not", &[b])?;
            apply(pool, "and", &[a, other])
        }
        ("not", &[inner]) => Some(inner),
        _ => apply(pool, "not", &[follows]),
    }
}

/// Both have the same part, or none of both is of a constructor.
fn part(pool: &mut Pool, x: TermId, y: TermId, all: &[Constructor], at: &mut At) -> Found {
    let constructor = at.choices.pick(all)?.clone();
    let what = at.choices.below(constructor.selectors.len() as u64 + 1) as usize;
    let pair = match constructor.selectors.get(what) {
        Some(&selector) => [pool.call(selector, &[x], None).ok()?, pool.call(selector, &[y], None).ok()?],
        None => [is(pool, constructor.function, x)?, is(pool, constructor.function, y)?],
    };
    Some((apply(pool, "=", &pair)?, "data-part"))
}

/// `(C a b) = (C c d)`: some field of both; `x = (C a x')`: they differ, for no value is a part of itself.
fn inner(pool: &mut Pool, x: TermId, y: TermId, at: &mut At) -> Found {
    let built = |pool: &Pool, term: TermId| match pool.node(term).head {
        Head::Fun(fun) if matches!(pool.fun(fun).kind, FunKind::Constructor(..)) => Some(fun),
        _ => None,
    };
    match (built(pool, x), built(pool, y)) {
        (Some(one), Some(other)) if one == other => {
            let field = at.choices.below(pool.args(x).len() as u64) as usize;
            let pair = [*pool.args(x).get(field)?, *pool.args(y).get(field)?];
            Some((apply(pool, "=", &pair)?, "data-field"))
        }
        (_, Some(_)) => {
            let sort = pool.sort_of(x);
            let within = *pool.args(y).iter().find(|&&arg| pool.sort_of(arg) == sort)?;
            Some((apply(pool, "distinct", &[x, within])?, "data-within"))
        }
        _ => None,
    }
}

/// `x` is nothing that `y` is a part of.
fn grown(pool: &mut Pool, x: TermId, y: TermId, all: &[Constructor], at: &mut At) -> Found {
    let constructor = at.choices.pick(all)?.function;
    let [_, larger] = with(pool, constructor, pool.sort_of(x), [x, y], at)?;
    Some((apply(pool, "distinct", &[x, larger])?, "data-grown"))
}

/// A constructor of both, its other fields the same: it tells its fields apart.
fn built(pool: &mut Pool, x: TermId, y: TermId, all: &[Constructor], at: &mut At) -> Found {
    let constructor = at.choices.pick(all)?.function;
    let pair = with(pool, constructor, pool.sort_of(x), [x, y], at)?;
    Some((apply(pool, "=", &pair)?, "data-built"))
}

/// They are not of two constructors.
fn apart(pool: &mut Pool, x: TermId, y: TermId, all: &[Constructor], at: &mut At) -> Found {
    let one = at.choices.pick(all)?.function;
    let others: Vec<FunId> = all.iter().map(|c| c.function).filter(|&f| f != one).collect();
    let other = *at.choices.pick(&others)?;
    let both = [is(pool, one, x)?, is(pool, other, y)?];
    let both = apply(pool, "and", &both)?;
    Some((apply(pool, "not", &[both])?, "data-apart"))
}

/// A constructor of a sort, of each of two terms of that sort, its other fields the same.
fn with(
    pool: &mut Pool,
    constructor: FunId,
    sort: SortId,
    pair: [TermId; 2],
    at: &mut At,
) -> Option<[TermId; 2]> {
    let fields = pool.field_sorts(constructor, sort)?;
    let position = fields.iter().position(|&field| field == sort)?;
    let mut args = Vec::with_capacity(fields.len());
    for (i, &field) in fields.iter().enumerate() {
        args.push(if i == position { pair[0] } else { at.term(pool, field)? });
    }
    let mut build = |term: TermId| {
        args[position] = term;
        pool.call(constructor, &args, Some(sort)).ok()
    };
    Some([build(pair[0])?, build(pair[1])?])
}

/// `x = y` made weaker: a function of both, its other arguments the same, gives the same.
fn congruence(pool: &mut Pool, x: TermId, y: TermId, at: &mut At) -> Found {
    let sort = pool.sort_of(x);
    let functions: Vec<FunId> = pool.functions().filter(|&fun| takes(pool, fun, sort)).collect();
    let fun = *at.choices.pick(&functions)?;
    if !at.source.material.knows(fun, at.spot) {
        return None;
    }
    let wanted = pool.fun(fun).args.clone();
    let position = wanted.iter().position(|&s| s == sort)?;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (i, &s) in wanted.iter().enumerate() {
        let pair = if i == position {
            (x, y)
        } else {
            let same = at.term(pool, s)?;
            (same, same)
        };
        left.push(pair.0);
        right.push(pair.1);
    }
    let pair = [pool.call(fun, &left, None).ok()?, pool.call(fun, &right, None).ok()?];
    if pool.sort_of(pair[0]) == SortId::BOOL && at.choices.happens(1, 2) {
        return Some((apply(pool, "=>", &pair)?, "function-implies"));
    }
    Some((apply(pool, "=", &pair)?, "function-equal"))
}

fn takes(pool: &Pool, fun: FunId, sort: SortId) -> bool {
    let fun = pool.fun(fun);
    fun.kind == FunKind::Declared && fun.type_params.is_empty() && fun.args.contains(&sort)
}

/// `((_ is C) x)` made weaker or stronger.
fn tester(pool: &mut Pool, constructor: FunId, x: TermId, wanted: Direction, at: &mut At) -> Found {
    let sort = pool.sort_of(x);
    let all = constructors(pool, sort)?;
    let own = all.iter().find(|c| c.function == constructor)?.clone();
    let others: Vec<FunId> = all.iter().map(|c| c.function).filter(|&f| f != constructor).collect();
    let few = others.len() == 1;
    match (wanted, at.choices.below(3)) {
        (Direction::Over, 0) => {
            let nullary = |f: &&FunId| pool.fun(**f).args.is_empty();
            let other = *others.iter().find(nullary)?;
            let other = pool.call(other, &[], Some(sort)).ok()?;
            Some((apply(pool, "distinct", &[x, other])?, "data-not-value"))
        }
        // Of two constructors it is one or the other.
        (Direction::Over | Direction::Under, 1) if few || wanted == Direction::Over => {
            let other = *at.choices.pick(&others)?;
            let other = is(pool, other, x)?;
            Some((apply(pool, "not", &[other])?, "data-not-other"))
        }
        (Direction::Under, 0) => {
            let mut args = Vec::new();
            for field in pool.field_sorts(constructor, sort)? {
                args.push(at.term(pool, field)?);
            }
            let made = pool.call(constructor, &args, Some(sort)).ok()?;
            Some((apply(pool, "=", &[x, made])?, "data-made"))
        }
        _ => {
            let mut args = Vec::new();
            for &selector in &own.selectors {
                args.push(pool.call(selector, &[x], None).ok()?);
            }
            let made = pool.call(constructor, &args, Some(sort)).ok()?;
            Some((apply(pool, "=", &[x, made])?, "data-rebuilt"))
        }
    }
}

/// A predicate of the script, of another argument that may be the same.
fn predicate(pool: &mut Pool, fun: FunId, args: &[TermId], wanted: Direction, at: &mut At) -> Found {
    let position = at.choices.below(args.len() as u64) as usize;
    let x = *args.get(position)?;
    let mut others = args.to_vec();
    if at.choices.happens(1, 4) {
        let any = fresh(pool, pool.sort_of(x))?;
        others[position] = pool.variable(any);
        let body = pool.call(fun, &others, None).ok()?;
        return Some((pool.quantified(wanted == Direction::Under, &[any], body)?, "function-any"));
    }
    let y = at.term(pool, pool.sort_of(x))?;
    others[position] = y;
    let (same, again) = (apply(pool, "=", &[x, y])?, pool.call(fun, &others, None).ok()?);
    match wanted {
        Direction::Over => Some((apply(pool, "=>", &[same, again])?, "function-elsewhere")),
        _ => Some((apply(pool, "and", &[same, again])?, "function-here")),
    }
}
