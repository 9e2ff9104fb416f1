//! Walks over terms, and replacing one occurrence, without recursion.

use rustc_hash::FxHashSet;

use crate::Pool;
use crate::symbol::Symbol;
use crate::term::{AttrValue, Binder, FunId, FunKind, Head, TermId};

/// The variables that a node binds in its argument `k`.
pub fn bound_in(pool: &Pool, term: TermId, k: usize) -> &[Binder] {
    match pool.node(term).head {
        Head::Let(list) if k == pool.binders(list).len() => pool.binders(list),
        Head::Forall(list) | Head::Exists(list) | Head::Lambda(list) => pool.binders(list),
        Head::Match(cases) if k > 0 => pool.binders(pool.cases(cases)[k - 1].binders),
        _ => &[],
    }
}

/// The variables that occur free in a term, less those given, in order of first occurrence.
pub fn free_variables(pool: &Pool, term: TermId, less: &[Binder]) -> Vec<Symbol> {
    enum Step {
        Enter(TermId),
        Bind(TermId, usize),
        Leave(usize),
    }
    let mut bound: Vec<Symbol> = less.iter().map(|b| b.name).collect();
    let outermost = bound.len();
    let mut found = Vec::new();
    let mut visited: FxHashSet<TermId> = FxHashSet::default();
    let mut steps = vec![Step::Enter(term)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave(n) => bound.truncate(n),
            Step::Bind(term, k) => bound.extend(bound_in(pool, term, k).iter().map(|b| b.name)),
            Step::Enter(term) => {
                if let Head::Variable(name) = pool.node(term).head {
                    if !bound.contains(&name) && !found.contains(&name) {
                        found.push(name);
                    }
                    continue;
                }
                // Under the same variables, a term that was seen has nothing new.
                if bound.len() == outermost && !visited.insert(term) {
                    continue;
                }
                for (k, &arg) in pool.args(term).iter().enumerate().rev() {
                    let binds = !bound_in(pool, term, k).is_empty();
                    if binds {
                        steps.push(Step::Leave(bound.len()));
                    }
                    steps.push(Step::Enter(arg));
                    if binds {
                        steps.push(Step::Bind(term, k));
                    }
                }
            }
        }
    }
    found
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
        let mut new = new;
        for (&parent, &k) in above.iter().zip(way).rev() {
            let node = *self.node(parent);
            let mut args = self.args(parent).to_vec();
            args[k as usize] = new;
            let rebuilt = self.add_term(node.head, node.name, node.sort, &args);
            if k == 0
                && let Head::Annotated(_) = node.head
            {
                self.rename_body(parent, term, new);
            }
            term = parent;
            new = rebuilt;
        }
        Some(new)
    }

    /// The name in `(! old :named n)` now stands for `new`.
    fn rename_body(&mut self, annotated: TermId, old: TermId, new: TermId) {
        let Head::Annotated(list) = self.node(annotated).head else { return };
        let names: Vec<Symbol> = self
            .attrs(list)
            .iter()
            .filter_map(|attr| match attr.value {
                AttrValue::Text(name) if self.bytes(attr.keyword) == b":named" => Some(name),
                _ => None,
            })
            .collect();
        if names.is_empty() {
            return;
        }
        for id in (0..self.fun_count()).map(FunId) {
            let fun = self.fun(id);
            if matches!(fun.kind, FunKind::Named(_))
                && names.contains(&fun.spelling)
                && self.body(id).is_some_and(|(_, body)| body == old)
            {
                self.set_body(id, new);
            }
        }
    }
}
