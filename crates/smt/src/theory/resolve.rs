//! From a name and argument sorts to a row and a result sort.

use super::{Op, OpId, table};
use crate::Pool;
use crate::sort::{Pat, Sort, SortId, Width};
use crate::term::Index;

/// A row that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The operator.
    pub op: OpId,
    /// The sort of the whole.
    pub sort: SortId,
    /// Which arguments are Ints where Reals are wanted: bit i for argument i, bit 63 for all from 63 on.
    pub coerced: u64,
}

impl Found {
    /// Whether argument `i`, which is of sort Int, is wanted as Real.
    pub fn coerces(&self, i: usize) -> bool {
        self.coerced >> i.min(63) & 1 == 1
    }
}

/// The error that no row of a name fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRow;

/// How a name occurs: its indices, the sort after `as`, and the sorts of its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Occurrence<'a> {
    pub indices: &'a [Index],
    pub want: Option<SortId>,
    pub args: &'a [SortId],
}

/// The sorts and widths that the variables of a row stand for at one occurrence.
#[derive(Clone, Copy, Default)]
pub(crate) struct Binding {
    any: [Option<SortId>; 4],
    width: [Option<u32>; 4],
    field: Option<SortId>,
}

/// Finds the row among `rows` for these indices and arguments. Exact sorts come first; then an Int may stand for a
/// Real, as z3 and cvc5 have it.
pub(crate) fn resolve(
    pool: &mut Pool,
    rows: &[OpId],
    indices: &[Index],
    want: Option<SortId>,
    args: &[SortId],
) -> Result<Found, NoRow> {
    let occurrence = Occurrence { indices, want, args };
    for &id in rows {
        if let Some(sort) = fit(pool, table().op(id), occurrence, None) {
            return Ok(Found { op: id, sort, coerced: 0 });
        }
    }
    if args.contains(&SortId::INT) {
        for &id in rows {
            let mut coerced = 0;
            if let Some(sort) = fit(pool, table().op(id), occurrence, Some(&mut coerced)) {
                return Ok(Found { op: id, sort, coerced });
            }
        }
    }
    Err(NoRow)
}

/// The sort of the whole, if a row takes these indices and arguments.
pub(super) fn fit(
    pool: &mut Pool,
    op: &Op,
    Occurrence { indices, want, args }: Occurrence,
    mut coerced: Option<&mut u64>,
) -> Option<SortId> {
    if op.indices.is_some_and(|n| n as usize != indices.len()) || !op.admits(args.len()) {
        return None;
    }
    if let Some(rule) = op.rule {
        return rule(pool, indices, args, want).filter(|&sort| want.is_none_or(|w| w == sort));
    }
    let mut binding = Binding::default();
    if let Some(want) = want {
        // An `as` can only say more about the result; the arguments still decide.
        matches(pool, op.result, want, indices, &mut binding).then_some(())?;
    }
    let mixed = coerced.is_some() && args.contains(&SortId::REAL);
    for (i, &arg) in args.iter().enumerate() {
        let pat = op.arg(i, args.len());
        let mut sort = arg;
        if sort == SortId::INT
            && let Some(coerced) = coerced.as_deref_mut()
        {
            let real = match pat {
                Pat::Is(want) => want == SortId::REAL,
                Pat::Any(v) => binding.any[v as usize].map_or(mixed, |bound| bound == SortId::REAL),
                _ => false,
            };
            if real {
                sort = SortId::REAL;
                *coerced |= 1 << i.min(63);
            }
        }
        // Most patterns are a sort, and then there is nothing to bind.
        if pat != Pat::Is(sort) && !matches(pool, pat, sort, indices, &mut binding) {
            return None;
        }
    }
    let sort = build(pool, op.result, indices, &binding)?;
    match want {
        // z3 also writes `(as const (-> Int Int))`.
        Some(want) if pool.interchangeable(want, sort) => Some(want),
        Some(want) if want != sort => None,
        _ => Some(sort),
    }
}

/// Whether `sort` is an instance of `pat`, binding its variables.
fn matches(pool: &Pool, pat: Pat, sort: SortId, indices: &[Index], b: &mut Binding) -> bool {
    if sort == SortId::UNKNOWN {
        return true;
    }
    if let Pat::Is(id) = pat {
        return id == sort;
    }
    if let Pat::Any(v) = pat {
        let bound = *b.any[v as usize].get_or_insert(sort);
        return bound == sort || pool.interchangeable(bound, sort);
    }
    match (pat, pool.sort(sort)) {
        (Pat::BitVec(w), Sort::BitVec(m)) => width_matches(w, m, indices, b),
        (Pat::Float(e, s), Sort::Float(eb, sb)) => {
            width_matches(e, eb, indices, b) && width_matches(s, sb, indices, b)
        }
        (Pat::Field, Sort::FiniteField(_)) => *b.field.get_or_insert(sort) == sort,
        (Pat::Array(x, y), Sort::Array(i, e)) => {
            matches(pool, *x, i, indices, b) && matches(pool, *y, e, indices, b)
        }
        (Pat::Function(pats), Sort::Function(list)) => {
            let sorts = pool.sort_list(list);
            sorts.len() == pats.len()
                && pats.iter().zip(sorts).all(|(&p, &s)| matches(pool, p, s, indices, b))
        }
        // z3's functions are arrays, and its sets arrays of Bool.
        (Pat::Function([x, y]), Sort::Array(i, e)) => {
            matches(pool, *x, i, indices, b) && matches(pool, *y, e, indices, b)
        }
        (Pat::Function([args @ .., result]), Sort::Array(i, e)) => match pool.sort(i) {
            Sort::Tuple(list) => {
                let sorts = pool.sort_list(list);
                sorts.len() == args.len()
                    && args.iter().zip(sorts).all(|(&p, &s)| matches(pool, p, s, indices, b))
                    && matches(pool, *result, e, indices, b)
            }
            _ => false,
        },
        (Pat::Seq(x), Sort::String) => matches(pool, *x, SortId::CHAR, indices, b),
        (Pat::Array(x, y), Sort::Function(list)) => match *pool.sort_list(list) {
            [i, e] => matches(pool, *x, i, indices, b) && matches(pool, *y, e, indices, b),
            _ => false,
        },
        (Pat::Array(x, y), Sort::Set(e)) => {
            matches(pool, *x, e, indices, b) && matches(pool, *y, SortId::BOOL, indices, b)
        }
        (pat, sort) => pat.elements_with(sort).is_some_and(|(&x, e)| matches(pool, x, e, indices, b)),
    }
}

fn width_matches(w: Width, m: u32, indices: &[Index], b: &mut Binding) -> bool {
    match w {
        Width::Var(v) => *b.width[v as usize].get_or_insert(m) == m,
        _ => width(w, indices, b) == Some(m),
    }
}

fn width(w: Width, indices: &[Index], b: &Binding) -> Option<u32> {
    match w {
        Width::Is(m) => Some(m),
        Width::Var(v) => b.width[v as usize],
        Width::Index(i) => match indices.get(i as usize) {
            Some(&Index::Number(n)) => Some(n),
            _ => None,
        },
        Width::Sum(x, y) => width(*x, indices, b)?.checked_add(width(*y, indices, b)?),
        Width::Product(x, y) => width(*x, indices, b)?.checked_mul(width(*y, indices, b)?),
        Width::Span(x, y) => width(*x, indices, b)?.checked_sub(width(*y, indices, b)?)?.checked_add(1),
    }
}

/// The sort a pattern stands for, if all its variables are bound.
fn build(pool: &mut Pool, pat: Pat, indices: &[Index], b: &Binding) -> Option<SortId> {
    let sort = match pat {
        Pat::Is(id) => return Some(id),
        Pat::Any(v) => return b.any[v as usize],
        Pat::Field => return b.field,
        Pat::BitVec(w) => return width(w, indices, b).filter(|&m| m > 0).map(|m| pool.bitvec(m)),
        Pat::Float(e, s) => {
            let (eb, sb) = (width(e, indices, b)?, width(s, indices, b)?);
            if eb < 2 || sb < 2 {
                return None;
            }
            Sort::Float(eb, sb)
        }
        Pat::Array(x, y) => Sort::Array(build(pool, *x, indices, b)?, build(pool, *y, indices, b)?),
        Pat::Seq(_) | Pat::Set(_) | Pat::FiniteSet(_) | Pat::Bag(_) | Pat::Nullable(_) => {
            let (x, of) = pat.elements()?;
            of.with_element(build(pool, *x, indices, b)?)
        }
        Pat::Function(pats) => {
            let sorts: Option<Vec<_>> = pats.iter().map(|&p| build(pool, p, indices, b)).collect();
            Sort::Function(pool.sort_list_id(&sorts?))
        }
    };
    pool.sort_id(sort)
}
