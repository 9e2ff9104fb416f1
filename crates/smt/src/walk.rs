//! Walks over terms, and replacing one occurrence, without recursion.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Pool;
use crate::symbol::Symbol;
use crate::term::{AttrValue, Binder, FunId, FunKind, Head, TermId};

/// The variables that a node binds in its argument `k`.
pub fn bound_in(pool: &Pool, term: TermId, k: usize) -> &[Binder] {
    match pool.node(term).head {
        Head::Let(list) if k == pool.binders(list).len() => pool.binders(list),
        Head::Let(_) => &[],
        Head::Match(cases) if k > 0 => pool.binders(pool.cases(cases)[k - 1].binders),
        head => head.binders().map_or(&[], |list| pool.binders(list)),
    }
}

/// The variables that occur free in a term, less those given, in order of first occurrence.
pub fn free_variables(pool: &Pool, term: TermId, less: &[Binder]) -> Vec<Symbol> {
    let mut endless = u64::MAX;
    free_variables_within(pool, term, less, &mut endless).expect("there is no limit")
}

/// The same in no more than `steps` steps, which are counted down.
pub(crate) fn free_variables_within(
    pool: &Pool,
    term: TermId,
    less: &[Binder],
    steps: &mut u64,
) -> Option<Vec<Symbol>> {
    let mut walk = FreeVariables { left: vec![Step::Enter(term)], ..FreeVariables::default() };
    for binder in less {
        *walk.bound.entry(binder.name).or_default() += 1;
    }
    while let Some(step) = walk.left.pop() {
        *steps = steps.checked_sub(1)?;
        match step {
            Step::Bind(term, k) => {
                let here = bound_in(pool, term, k);
                walk.binders += here.len();
                for binder in here {
                    *walk.bound.entry(binder.name).or_default() += 1;
                }
            }
            Step::Leave(term, k) => {
                let here = bound_in(pool, term, k);
                walk.binders -= here.len();
                for binder in here {
                    *walk.bound.entry(binder.name).or_default() -= 1;
                }
            }
            Step::Enter(term) => walk.enter(pool, term, steps)?,
        }
    }
    Some(walk.found)
}

/// A step of the search for free variables.
enum Step {
    Enter(TermId),
    /// Enter the scope of argument `k` of a term.
    Bind(TermId, usize),
    /// Leave that scope.
    Leave(TermId, usize),
}

/// A search for free variables.
#[derive(Default)]
struct FreeVariables {
    left: Vec<Step>,
    /// How often each name is bound here.
    bound: FxHashMap<Symbol, u32>,
    /// How many binders of the term are around the current place.
    binders: usize,
    found: Vec<Symbol>,
    known: FxHashSet<Symbol>,
    visited: FxHashSet<TermId>,
}

impl FreeVariables {
    fn enter(&mut self, pool: &Pool, term: TermId, steps: &mut u64) -> Option<()> {
        if let Head::Variable(name) = pool.node(term).head {
            if self.bound.get(&name).is_none_or(|&n| n == 0) && self.known.insert(name) {
                self.found.push(name);
            }
            return Some(());
        }
        // Under the same variables, a term that was seen has nothing new.
        if self.binders == 0 && !self.visited.insert(term) {
            return Some(());
        }
        *steps = steps.checked_sub(pool.args(term).len() as u64)?;
        for (k, &arg) in pool.args(term).iter().enumerate().rev() {
            let here = bound_in(pool, term, k).len() as u64;
            if here == 0 {
                self.left.push(Step::Enter(arg));
            } else {
                *steps = steps.checked_sub(2 * here)?;
                self.left.extend([Step::Leave(term, k), Step::Enter(arg), Step::Bind(term, k)]);
            }
        }
        Some(())
    }
}

/// Visits every occurrence of a term in preorder, with the way to it from the root: the number of the argument to
/// take at each node.
pub fn occurrences(pool: &Pool, root: TermId, mut visit: impl FnMut(TermId, &[u32])) {
    let mut way: Vec<u32> = Vec::new();
    let mut above: Vec<TermId> = Vec::new();
    visit(root, &way);
    let mut at = root;
    let mut next = 0u32;
    loop {
        if let Some(&arg) = pool.args(at).get(next as usize) {
            way.push(next);
            visit(arg, &way);
            above.push(at);
            at = arg;
            next = 0;
        } else {
            let (Some(parent), Some(k)) = (above.pop(), way.pop()) else { return };
            at = parent;
            next = k + 1;
        }
    }
}

/// The term at the end of a way, if the way leads anywhere.
pub fn at(pool: &Pool, root: TermId, way: &[u32]) -> Option<TermId> {
    way.iter().try_fold(root, |term, &k| pool.args(term).get(k as usize).copied())
}

impl Pool {
    /// The root with one occurrence replaced by a term of the same sort; all others of the same term stay. None if
    /// the way leads nowhere or the sorts differ.
    pub fn replace(&mut self, root: TermId, way: &[u32], new: TermId) -> Option<TermId> {
        let mut above = Vec::with_capacity(way.len());
        let mut term = root;
        for &k in way {
            above.push(term);
            term = *self.args(term).get(k as usize)?;
        }
        if self.sort_of(term) != self.sort_of(new) {
            return None;
        }
        let (mut new, mut args) = (new, Vec::new());
        let mut renamed: FxHashMap<(Symbol, TermId), TermId> = FxHashMap::default();
        for (&parent, &k) in above.iter().zip(way).rev() {
            let node = *self.node(parent);
            args.clear();
            args.extend_from_slice(self.args(parent));
            args[k as usize] = new;
            let rebuilt = self.add_term(node.head, node.name, node.sort, &args);
            if k == 0
                && let Head::Annotated(list) = node.head
            {
                for attr in self.attrs(list) {
                    if let AttrValue::Text(name) = attr.value
                        && self.bytes(attr.keyword) == b":named"
                    {
                        renamed.insert((name, term), new);
                    }
                }
            }
            term = parent;
            new = rebuilt;
        }
        if !renamed.is_empty() {
            self.rename_bodies(&renamed);
        }
        Some(new)
    }

    /// Names in `(! old :named n)` now stand for other terms, by name and old term.
    fn rename_bodies(&mut self, renamed: &FxHashMap<(Symbol, TermId), TermId>) {
        for id in (0..self.fun_count()).map(FunId) {
            let fun = self.fun(id);
            if matches!(fun.kind, FunKind::Named(_))
                && let Some((_, old)) = self.body(id)
                && let Some(&new) = renamed.get(&(fun.spelling, old))
            {
                self.set_body(id, new);
            }
        }
    }
}
