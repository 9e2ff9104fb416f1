//! Putting terms in the place of variables, and the same node over other arguments, without recursion.

use rustc_hash::FxHashMap;

use crate::Pool;
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::walk::{bound_in, free_variables};

/// No more variables than this are replaced at once.
const MOST: usize = 64;

impl Pool {
    /// The same node over other arguments of the same sorts; none if their number or some sort differs.
    pub fn over_args(&mut self, term: TermId, args: &[TermId]) -> Option<TermId> {
        let old = self.args(term);
        let fits = |(a, b): (&TermId, &TermId)| self.sort_of(*a) == self.sort_of(*b);
        if old.len() != args.len() || !old.iter().zip(args).all(fits) {
            return None;
        }
        let node = *self.node(term);
        Some(self.add_term(node.head, node.name, node.sort, args))
    }

    /// The same term under another name of its operator.
    pub fn renamed(&mut self, term: TermId, name: Symbol) -> Option<TermId> {
        let node = *self.node(term);
        let crate::Head::Op(op, _) = node.head else { return None };
        let text = self.text(name);
        let row = crate::theory::table().op(op);
        let known = |name: &&str| text.trim_start_matches("(_ ").split([' ', ')']).next() == Some(*name);
        if node.name != name && ![row.name].iter().chain(row.aliases).any(known) {
            return None;
        }
        let args = self.args(term).to_vec();
        Some(self.add_term(node.head, name, node.sort, &args))
    }

    /// The term without its annotations: `t` for `(! t ..)`.
    pub fn without_annotations(&mut self, root: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut left = vec![(root, false)];
        while let Some((term, ready)) = left.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let args = self.args(term).to_vec();
            if !ready {
                left.push((term, true));
                left.extend(args.into_iter().map(|arg| (arg, false)));
                continue;
            }
            let new = if let crate::Head::Annotated(_) = self.node(term).head {
                done[&args[0]]
            } else {
                let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
                self.over_args(term, &args).expect("annotations do not change sorts")
            };
            done.insert(term, new);
        }
        done[&root]
    }

    /// The term with other terms in the place of free variables, by name. None if a binder inside would capture a
    /// variable of what is put there, if some sort differs, or if there are more than 64 of them.
    pub fn substituted(&mut self, root: TermId, by: &[(Symbol, TermId)]) -> Option<TermId> {
        if by.len() > MOST {
            return None;
        }
        let free: Vec<Vec<Symbol>> = by.iter().map(|&(_, new)| free_variables(self, new, &[])).collect();
        let all = if by.len() == MOST { u64::MAX } else { (1u64 << by.len()) - 1 };
        // Under binders of the same name fewer variables are replaced: a term has a result for each such set.
        let mut done: FxHashMap<(TermId, u64), TermId> = FxHashMap::default();
        let mut left = vec![(root, all, false)];
        while let Some((term, active, ready)) = left.pop() {
            if done.contains_key(&(term, active)) {
                continue;
            }
            if let crate::Head::Variable(name) = self.node(term).head {
                let found = (0..by.len()).find(|&i| active >> i & 1 == 1 && by[i].0 == name);
                let new = found.map_or(term, |i| by[i].1);
                if self.sort_of(new) != self.sort_of(term) {
                    return None;
                }
                done.insert((term, active), new);
                continue;
            }
            let mut inside = Vec::with_capacity(self.args(term).len());
            for (k, &arg) in self.args(term).iter().enumerate() {
                let bound = bound_in(self, term, k);
                let mut still = active;
                for (i, &(name, _)) in by.iter().enumerate() {
                    if bound.iter().any(|b| b.name == name) {
                        still &= !(1 << i);
                    }
                }
                let captured = |i: usize| bound.iter().any(|b| free[i].contains(&b.name));
                let used = (0..by.len()).any(|i| still >> i & 1 == 1 && captured(i));
                if used && mentions(self, arg, by, still) {
                    return None;
                }
                inside.push((arg, still));
            }
            if ready {
                let args: Vec<TermId> = inside.iter().map(|key| done[key]).collect();
                let new = if args == self.args(term) { term } else { self.over_args(term, &args)? };
                done.insert((term, active), new);
            } else {
                left.push((term, active, true));
                left.extend(inside.into_iter().map(|(arg, still)| (arg, still, false)));
            }
        }
        done.get(&(root, all)).copied()
    }
}

/// Whether some variable that is to be replaced is free in a term.
fn mentions(pool: &Pool, term: TermId, by: &[(Symbol, TermId)], active: u64) -> bool {
    let free = free_variables(pool, term, &[]);
    (0..by.len()).any(|i| active >> i & 1 == 1 && free.contains(&by[i].0))
}

#[cfg(test)]
mod tests {
    use crate::{Head, What, read, write_term};

    /// The body of the let that is asserted, with what it binds put in place.
    fn inlined(term: &str) -> Option<String> {
        let text = format!("(declare-const a Int)(declare-const p Bool)(assert {term})");
        let mut script = read(text.as_bytes()).expect("well-sorted");
        let Some(What::Assert(root)) = script.commands.last().map(|c| c.what) else { unreachable!() };
        let Head::Let(list) = script.pool.node(root).head else { panic!("no let") };
        let names: Vec<_> = script.pool.binders(list).iter().map(|b| b.name).collect();
        let args = script.pool.args(root).to_vec();
        let by: Vec<_> = names.into_iter().zip(args.iter().copied()).collect();
        let body = *args.last().expect("a body");
        let new = script.pool.substituted(body, &by)?;
        Some(write_term(&script.pool, new))
    }

    #[test]
    fn variables_become_terms() {
        let rows = [
            ("(let ((x 1) (y a)) (< x y (+ x y)))", Some("(< 1 a (+ 1 a))")),
            ("(let ((x 1)) (exists ((x Int)) (= x a)))", Some("(exists ((x Int)) (= x a))")),
            ("(let ((x 1)) (let ((x (+ x 1))) (= x a)))", Some("(let ((x (+ 1 1))) (= x a))")),
            ("(let ((x 1)) (exists ((y Int)) (= x y)))", Some("(exists ((y Int)) (= 1 y))")),
        ];
        for (term, expected) in rows {
            assert_eq!(inlined(term).as_deref(), expected, "{term}");
        }
    }

    #[test]
    fn nothing_is_captured() {
        let text = "(assert (forall ((y Int)) (let ((x y)) (exists ((y Int)) (= x y)))))";
        let mut script = read(text.as_bytes()).expect("well-sorted");
        let Some(What::Assert(root)) = script.commands.last().map(|c| c.what) else { unreachable!() };
        let inner = script.pool.args(root)[0];
        let Head::Let(list) = script.pool.node(inner).head else { panic!("no let") };
        let name = script.pool.binders(list)[0].name;
        let args = script.pool.args(inner).to_vec();
        assert_eq!(script.pool.substituted(args[1], &[(name, args[0])]), None);
    }
}
