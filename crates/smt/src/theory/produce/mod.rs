//! From a wanted sort to the operators that give it and the arguments they then take.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::resolve::fit;
use super::stand_in::tells;
use super::{Arity, Op, OpId, table};
use crate::Pool;
use crate::sort::{Pat, Sort, SortId, Width};
use crate::symbol::Symbol;
use crate::term::{FunId, Index};

/// What may stand where a wanted sort leaves a choice.
#[derive(Clone, Copy, Debug)]
pub struct Menu<'a> {
    /// Sorts.
    pub sorts: &'a [SortId],
    /// Widths of bit-vectors and parts of floats.
    pub widths: &'a [u32],
    /// Indices that are numbers.
    pub numbers: &'a [u32],
    /// Indices that are neither numbers nor functions: `#x61`, names of operators.
    pub texts: &'a [Symbol],
}

/// An operator's indices and argument sorts at one occurrence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// The indices.
    pub indices: Vec<Index>,
    /// The sorts of the arguments.
    pub args: Vec<SortId>,
}

/// The operators whose result may be of this sort. Of an operator whose sorts are computed more may be listed than
/// [`shape`] then finds arguments for.
pub fn producers(pool: &Pool, sort: SortId) -> impl Iterator<Item = OpId> + '_ {
    table().ids().filter(move |&id| may_be(pool, table().op(id).result, sort))
}

/// Whether terms of these sorts may be all that an operator is applied to. Of an operator whose sorts are computed that is
/// not known, and so it may.
pub fn may_take(pool: &Pool, op: OpId, sorts: &[SortId]) -> bool {
    let row = table().op(op);
    let patterns = if row.arity == Arity::Variadic { &row.args[..row.args.len().min(1)] } else { row.args };
    let fits = |&pat: &Pat, &sort: &SortId| {
        // z3's functions are arrays, and its sets, too.
        let alike = match pat {
            Pat::Function(_) => matches!(pool.sort(sort), Sort::Array(..)),
            Pat::Array(..) => matches!(pool.sort(sort), Sort::Function(_) | Sort::Set(_)),
            _ => false,
        };
        alike || may_be(pool, pat, sort)
    };
    row.rule.is_some() || patterns.iter().all(|pat| sorts.iter().any(|sort| fits(pat, sort)))
}

/// Indices and argument sorts with which an operator gives a term of the sort `result`. What the sort leaves open is
/// taken from the menu; `pick(n)` chooses, by a number below `n`. None if the tries it makes find nothing.
pub fn shape(
    pool: &mut Pool,
    op: OpId,
    result: SortId,
    menu: &Menu,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Shape> {
    let mut shape = Shape::default();
    shape_into(pool, op, result, menu, pick, &mut shape).then_some(shape)
}

/// The same as [`shape`], put into a shape that was used before; false if nothing is found, and it means nothing then.
pub fn shape_into(
    pool: &mut Pool,
    op: OpId,
    result: SortId,
    menu: &Menu,
    pick: &mut dyn FnMut(usize) -> usize,
    shape: &mut Shape,
) -> bool {
    let row = table().op(op);
    if !may_be(pool, row.result, result) {
        return false;
    }
    // Computed sorts are found by trying: first what the patterns suggest, then sorts seen so far.
    let tries = if row.rule.is_some() { 96 } else { 8 };
    let indices = &mut Vec::new();
    (0..tries).any(|i| {
        indices.clear();
        let mut draft = Draft { pool, row, result, menu, pick, indices, any: [None; 4], width: [None; 4] };
        let loose = i % 2 == 1;
        if draft.shape(loose, shape).is_none() {
            return false;
        }
        let mut fits = || {
            [None, Some(result)]
                .into_iter()
                .any(|want| fit(pool, row, &shape.indices, want, &shape.args, None) == Some(result))
        };
        debug_assert!(loose || !is_plain(op) || fits(), "{} gives what its patterns say", row.name);
        (!loose && is_plain(op)) || fits()
    })
}

/// Whether arguments that are filled in from the patterns of a row always give what was asked for.
fn is_plain(op: OpId) -> bool {
    static PLAIN: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let plain =
            |pat: &Pat| matches!(pat, Pat::Is(_) | Pat::Any(_) | Pat::BitVec(Width::Is(_) | Width::Var(_)));
        let row = |op| {
            let row = table().op(op);
            row.rule.is_none() && row.indices == Some(0) && plain(&row.result) && row.args.iter().all(plain)
        };
        table().ids().map(row).collect()
    });
    PLAIN[op.index()]
}

/// Whether the arguments of a row tell it from every other row of its name, so that it need not be looked for by name.
pub(crate) fn is_unmistakable(op: OpId) -> bool {
    // Patterns of which no sort is an instance of both.
    fn apart(one: &Pat, other: &Pat) -> bool {
        match (one, other) {
            (Pat::Is(one), Pat::Is(other)) => one != other,
            (Pat::Is(_), Pat::BitVec(_) | Pat::Float(..)) | (Pat::BitVec(_) | Pat::Float(..), Pat::Is(_)) => {
                true
            }
            (Pat::BitVec(_), Pat::Float(..)) | (Pat::Float(..), Pat::BitVec(_)) => true,
            _ => false,
        }
    }
    static UNMISTAKABLE: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let row = |op: OpId| {
            let row = table().op(op);
            let differs = |&other: &OpId| {
                let first = (row.args.first(), table().op(other).args.first());
                other == op || matches!(first, (Some(one), Some(other)) if apart(one, other))
            };
            // Its result, too, must be told by the arguments.
            let told = matches!(row.result, Pat::Is(_)) || row.args.contains(&row.result);
            is_plain(op) && told && table().named(row.name).iter().all(differs)
        };
        table().ids().map(row).collect()
    });
    UNMISTAKABLE[op.index()]
}

/// Whether a sort may be an instance of a pattern.
pub(super) fn may_be(pool: &Pool, pat: Pat, sort: SortId) -> bool {
    match (pat, pool.sort(sort)) {
        (Pat::Any(_), _) => true,
        (Pat::Is(id), _) => id == sort,
        (Pat::BitVec(Width::Is(n)), Sort::BitVec(m)) => n == m,
        (Pat::BitVec(_), Sort::BitVec(_)) | (Pat::Float(..), Sort::Float(..)) => true,
        (Pat::Field, Sort::FiniteField(_)) => true,
        (Pat::Array(x, y), Sort::Array(i, e)) => may_be(pool, *x, i) && may_be(pool, *y, e),
        (Pat::Seq(x), Sort::String) => may_be(pool, *x, SortId::CHAR),
        (Pat::Seq(x), Sort::Seq(e)) | (Pat::Set(x), Sort::Set(e)) | (Pat::Bag(x), Sort::Bag(e)) => {
            may_be(pool, *x, e)
        }
        (Pat::Function(pats), Sort::Function(list)) => {
            let sorts = pool.sort_list(list);
            sorts.len() == pats.len() && pats.iter().zip(sorts).all(|(&p, &s)| may_be(pool, p, s))
        }
        _ => false,
    }
}

/// A shape in the making.
struct Draft<'d> {
    pool: &'d mut Pool,
    row: &'static Op,
    result: SortId,
    menu: &'d Menu<'d>,
    pick: &'d mut dyn FnMut(usize) -> usize,
    indices: &'d mut Vec<Option<Index>>,
    any: [Option<SortId>; 4],
    width: [Option<u32>; 4],
}

impl Draft<'_> {
    fn shape(&mut self, loose: bool, shape: &mut Shape) -> Option<()> {
        let count = self.row.indices.map_or_else(|| (self.pick)(5), usize::from);
        self.indices.resize(count, None);
        // Computed sorts need not follow the pattern of the result.
        if !self.bind(self.row.result, self.result) && self.row.rule.is_none() {
            return None;
        }
        for i in 0..count {
            if self.indices[i].is_none() {
                self.indices[i] = Some(self.index()?);
            }
        }
        let n = self.arguments();
        let Shape { indices, args } = shape;
        args.clear();
        for i in 0..n {
            let pat = self.row.arg(i, n);
            args.push(if loose { self.seen(args, pat)? } else { self.fill(pat)? });
        }
        indices.clear();
        for &index in &*self.indices {
            indices.push(index?);
        }
        Some(())
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { items.get((self.pick)(items.len())).copied() }
    }

    /// How many arguments: as many as the row has, or a few more.
    fn arguments(&mut self) -> usize {
        let least = match self.row.arity {
            Arity::Fixed => return self.row.args.len(),
            Arity::Variadic => self.row.least.max(1) as usize,
            _ => self.row.args.len().max(self.row.least as usize),
        };
        let more = [0, 0, 0, 1, 1, 2][(self.pick)(6)];
        (least + more).min(self.row.most.map_or(usize::MAX, usize::from))
    }

    fn index(&mut self) -> Option<Index> {
        // As many as one likes are columns of a table or weights: small numbers.
        if self.row.indices.is_none() && (self.pick)(4) > 0 {
            return Some(Index::Number((self.pick)(3) as u32));
        }
        let functions = self.pool.fun_count() as usize;
        // Only computed sorts may depend on other indices than numbers.
        let kind = if self.row.rule.is_some() { (self.pick)(3) } else { 0 };
        match kind {
            1 if functions > 0 => {
                let fun = FunId((self.pick)(functions) as u32);
                tells(self.pool, fun).then_some(Index::Function(fun))
            }
            2 if !self.menu.texts.is_empty() => self.one_of(self.menu.texts).map(Index::Text),
            _ => self.one_of(self.menu.numbers).map(Index::Number),
        }
    }

    /// A width that may be wide enough for the indices.
    fn any_width(&mut self) -> Option<u32> {
        let highest = self.indices.iter().flatten().filter_map(|i| match i {
            Index::Number(n) => Some(*n),
            _ => None,
        });
        match (highest.max(), (self.pick)(2)) {
            (Some(highest), 0) => Some(highest.checked_add(1 + (self.pick)(4) as u32)?),
            _ => self.one_of(self.menu.widths),
        }
    }

    /// The wanted sort, a sort of the menu, one chosen before, or a part of one of these. The first argument, on which
    /// the others depend, at least looks like its pattern.
    fn seen(&mut self, args: &[SortId], pat: Pat) -> Option<SortId> {
        match (self.pick)(5) {
            0 => Some(self.result),
            1 if !args.is_empty() => self.one_of(args),
            2 | 3 if !args.is_empty() => {
                let whole = self.one_of(args)?;
                let parts = parts(self.pool, whole);
                let part = self.one_of(&parts)?;
                let inner = parts_of_tuple(self.pool, part);
                if inner.is_empty() { Some(part) } else { self.one_of(&inner) }
            }
            4 if !args.is_empty() => self.one_of(self.menu.sorts),
            1 => {
                let parts = parts(self.pool, self.result);
                self.one_of(&parts)
            }
            _ => {
                let (pool, menu) = (&*self.pool, self.menu);
                let alike = || menu.sorts.iter().copied().filter(|&s| may_be(pool, pat, s));
                match alike().count() {
                    0 => None,
                    count => alike().nth((self.pick)(count)),
                }
            }
        }
    }

    /// Binds the variables of a pattern so that it stands for a sort, choosing where there is a choice.
    fn bind(&mut self, pat: Pat, sort: SortId) -> bool {
        match (pat, self.pool.sort(sort)) {
            (Pat::Is(id), _) => id == sort,
            (Pat::Any(v), _) => *self.any[v as usize].get_or_insert(sort) == sort,
            (Pat::BitVec(w), Sort::BitVec(m)) => self.solve(w, m),
            (Pat::Float(e, s), Sort::Float(eb, sb)) => self.solve(e, eb) && self.solve(s, sb),
            // There is one field in a row, kept in the last place.
            (Pat::Field, Sort::FiniteField(_)) => *self.any[3].get_or_insert(sort) == sort,
            (Pat::Array(x, y), Sort::Array(i, e)) => self.bind(*x, i) && self.bind(*y, e),
            (Pat::Seq(x), Sort::String) => self.bind(*x, SortId::CHAR),
            (Pat::Seq(x), Sort::Seq(e)) | (Pat::Set(x), Sort::Set(e)) | (Pat::Bag(x), Sort::Bag(e)) => {
                self.bind(*x, e)
            }
            (Pat::Function(pats), Sort::Function(list)) => {
                let sorts = self.pool.sort_list(list).to_vec();
                sorts.len() == pats.len() && pats.iter().zip(sorts).all(|(&p, s)| self.bind(p, s))
            }
            _ => false,
        }
    }

    /// Binds the variables and indices of a width so that it is `m`.
    fn solve(&mut self, w: Width, m: u32) -> bool {
        match w {
            Width::Is(n) => n == m,
            Width::Var(v) => *self.width[v as usize].get_or_insert(m) == m,
            Width::Index(i) => match self.indices.get_mut(i as usize) {
                Some(index) => *index.get_or_insert(Index::Number(m)) == Index::Number(m),
                None => false,
            },
            Width::Sum(x, y) => {
                let left = match (self.known(*x), self.known(*y)) {
                    (Some(left), _) => left,
                    (None, Some(right)) => {
                        return m.checked_sub(right).is_some_and(|left| self.solve(*x, left));
                    }
                    // A vector has a bit at least; an index may be zero.
                    (None, None) => {
                        let least = u32::from(!matches!(x, Width::Index(_)));
                        let most = m.saturating_sub(u32::from(!matches!(y, Width::Index(_))));
                        if most < least {
                            return false;
                        }
                        least + (self.pick)((most - least + 1) as usize) as u32
                    }
                };
                m.checked_sub(left).is_some_and(|right| self.solve(*x, left) && self.solve(*y, right))
            }
            Width::Product(x, y) => {
                let divisors: Vec<u32> = (1..=m.min(1 << 12)).filter(|&d| m.is_multiple_of(d)).collect();
                let left = self.known(*x).or_else(|| self.one_of(&divisors));
                left.is_some_and(|d| {
                    d > 0 && m.is_multiple_of(d) && self.solve(*x, d) && self.solve(*y, m / d)
                })
            }
            Width::Span(x, y) => {
                let low = self.known(*y).or_else(|| self.one_of(self.menu.numbers)).unwrap_or(0);
                low.checked_add(m - 1).is_some_and(|high| self.solve(*y, low) && self.solve(*x, high))
            }
        }
    }

    /// A width, if all it is made of is bound.
    fn known(&self, w: Width) -> Option<u32> {
        match w {
            Width::Is(n) => Some(n),
            Width::Var(v) => self.width[v as usize],
            Width::Index(i) => match self.indices.get(i as usize) {
                Some(Some(Index::Number(n))) => Some(*n),
                _ => None,
            },
            Width::Sum(x, y) => self.known(*x)?.checked_add(self.known(*y)?),
            Width::Product(x, y) => self.known(*x)?.checked_mul(self.known(*y)?),
            Width::Span(x, y) => self.known(*x)?.checked_sub(self.known(*y)?)?.checked_add(1),
        }
    }

    /// A width in which everything unbound is now chosen.
    fn chosen(&mut self, w: Width) -> Option<u32> {
        if let Width::Var(v) = w
            && self.width[v as usize].is_none()
        {
            self.width[v as usize] = Some(self.any_width()?);
        }
        self.known(w)
    }

    /// The sort of a pattern in which everything unbound is now chosen.
    fn fill(&mut self, pat: Pat) -> Option<SortId> {
        let sort = match pat {
            Pat::Is(id) => return Some(id),
            Pat::Any(v) => {
                if self.any[v as usize].is_none() {
                    self.any[v as usize] = self.one_of(self.menu.sorts);
                }
                return self.any[v as usize];
            }
            Pat::Field => {
                if self.any[3].is_none() {
                    let fields = self.menu.sorts.iter().copied();
                    let fields: Vec<_> =
                        fields.filter(|&s| matches!(self.pool.sort(s), Sort::FiniteField(_))).collect();
                    self.any[3] = self.one_of(&fields);
                }
                return self.any[3];
            }
            Pat::BitVec(w) => return self.chosen(w).filter(|&m| m > 0).map(|m| self.pool.bitvec(m)),
            Pat::Float(e, s) => {
                let (mut eb, mut sb) = (self.known(e), self.known(s));
                if eb.is_none() && sb.is_none() {
                    // Formats that somebody uses: those of the menu.
                    let formats = self.menu.sorts.iter().filter_map(|&s| match self.pool.sort(s) {
                        Sort::Float(eb, sb) => Some((eb, sb)),
                        _ => None,
                    });
                    let formats: Vec<_> = formats.collect();
                    if let Some(format) = self.one_of(&formats) {
                        (eb, sb) = (Some(format.0), Some(format.1));
                    }
                }
                let eb = eb.or_else(|| self.any_width())?;
                let sb = sb.or_else(|| self.any_width())?;
                if eb < 2 || sb < 2 || !self.solve(e, eb) || !self.solve(s, sb) {
                    return None;
                }
                Sort::Float(eb, sb)
            }
            Pat::Array(x, y) => Sort::Array(self.fill(*x)?, self.fill(*y)?),
            Pat::Seq(x) => Sort::Seq(self.fill(*x)?),
            Pat::Set(x) => Sort::Set(self.fill(*x)?),
            Pat::Bag(x) => Sort::Bag(self.fill(*x)?),
            Pat::Function(pats) => {
                let sorts: Option<Vec<_>> = pats.iter().map(|&p| self.fill(p)).collect();
                Sort::Function(self.pool.sort_list_id(&sorts?))
            }
        };
        self.pool.sort_id(sort)
    }
}

/// The sorts that a sort is made of.
fn parts(pool: &Pool, sort: SortId) -> Vec<SortId> {
    match pool.sort(sort) {
        Sort::Array(i, e) => vec![i, e],
        Sort::Seq(e) | Sort::Set(e) | Sort::Bag(e) => vec![e],
        Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => pool.sort_list(list).to_vec(),
        _ => Vec::new(),
    }
}

fn parts_of_tuple(pool: &Pool, sort: SortId) -> Vec<SortId> {
    if let Sort::Tuple(_) = pool.sort(sort) { parts(pool, sort) } else { Vec::new() }
}
