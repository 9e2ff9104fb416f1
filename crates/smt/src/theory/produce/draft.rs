//! Choosing indices and argument sorts so that an operator gives a wanted sort.

use super::{Menu, Shape};
use crate::pool::Pool;
use crate::sort::{Pat, Sort, SortId, Width};
use crate::term::{FunId, Index};
use crate::theory::pattern::may_be;
use crate::theory::unambiguous::tells;
use crate::theory::{Arity, Op};

/// A shape in the making.
pub(super) struct Draft<'d> {
    pub pool: &'d mut Pool,
    pub row: &'static Op,
    pub result: SortId,
    pub menu: &'d Menu<'d>,
    pub pick: &'d mut dyn FnMut(usize) -> usize,
    pub indices: &'d mut Vec<Option<Index>>,
    pub any: [Option<SortId>; 4],
    pub width: [Option<u32>; 4],
}

impl Draft<'_> {
    /// Fills a shape from the patterns of the row, or with sorts seen so far if it is `loose`.
    pub fn shape(&mut self, loose: bool, shape: &mut Shape) -> Option<()> {
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
            (Pat::Function(pats), Sort::Function(list)) => {
                let sorts = self.pool.sort_list(list).to_vec();
                sorts.len() == pats.len() && pats.iter().zip(sorts).all(|(&p, s)| self.bind(p, s))
            }
            (pat, sort) => pat.elements_with(sort).is_some_and(|(&x, e)| self.bind(x, e)),
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
            Pat::Seq(_) | Pat::Set(_) | Pat::FiniteSet(_) | Pat::Bag(_) | Pat::Nullable(_) => {
                let (x, of) = pat.elements()?;
                of.with_element(self.fill(*x)?)
            }
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
        Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => pool.sort_list(list).to_vec(),
        sort => sort.element().into_iter().collect(),
    }
}

fn parts_of_tuple(pool: &Pool, sort: SortId) -> Vec<SortId> {
    if let Sort::Tuple(_) = pool.sort(sort) { parts(pool, sort) } else { Vec::new() }
}
