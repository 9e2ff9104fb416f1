//! What a script declares and does not use.

use rustc_hash::FxHashSet;
use smt::{FunId, Head, Index, Pool, Script, Sort, SortDeclId, SortId, TermId, What};

/// What is used: functions, declared sorts, and all words of what is not understood.
#[derive(Default)]
struct Used {
    functions: FxHashSet<FunId>,
    sorts: FxHashSet<SortDeclId>,
    seen_sorts: FxHashSet<SortId>,
    terms: FxHashSet<TermId>,
    left: Vec<TermId>,
}

impl Used {
    fn sort(&mut self, pool: &Pool, sort: SortId) {
        // Sorts are bounded in depth.
        if !self.seen_sorts.insert(sort) {
            return;
        }
        match pool.sort(sort) {
            Sort::Array(a, b) => {
                self.sort(pool, a);
                self.sort(pool, b);
            }
            Sort::Seq(a) | Sort::Set(a) | Sort::FiniteSet(a) | Sort::Bag(a) | Sort::Nullable(a) => {
                self.sort(pool, a);
            }
            Sort::Tuple(list) | Sort::Function(list) => {
                pool.sort_list(list).to_vec().into_iter().for_each(|s| self.sort(pool, s));
            }
            Sort::Declared(decl, list) => {
                self.sorts.insert(decl);
                pool.sort_list(list).to_vec().into_iter().for_each(|s| self.sort(pool, s));
            }
            _ => {}
        }
    }

    fn function(&mut self, pool: &Pool, fun: FunId) {
        if self.functions.insert(fun) {
            let of = pool.fun(fun);
            for sort in of.args.iter().copied().chain([of.result]) {
                self.sort(pool, sort);
            }
        }
    }

    fn term(&mut self, pool: &Pool, root: TermId) {
        self.left.push(root);
        while let Some(term) = self.left.pop() {
            if !self.terms.insert(term) {
                continue;
            }
            let node = pool.node(term);
            self.sort(pool, node.sort);
            if let Some(list) = node.head.binders() {
                pool.binders(list).iter().for_each(|b| self.sort(pool, b.sort));
            }
            match node.head {
                Head::Fun(fun) => self.function(pool, fun),
                Head::Op(_, indices) => {
                    for index in pool.indices(indices) {
                        if let Index::Function(fun) = index {
                            self.function(pool, *fun);
                        }
                    }
                }
                Head::Match(cases) => {
                    for case in pool.cases(cases) {
                        case.constructor.iter().for_each(|&c| self.function(pool, c));
                    }
                }
                _ => {}
            }
            self.left.extend_from_slice(pool.args(term));
        }
    }
}

/// Whether a command declares or defines something.
fn declares(what: What) -> bool {
    matches!(
        what,
        What::DeclareFun(_)
            | What::DefineFun(_)
            | What::DefineFunsRec(..)
            | What::DeclareSort(_)
            | What::DeclareDatatypes(..)
            | What::DefineSort(_)
    )
}

/// The commands that declare or define only what nothing uses.
pub fn dead(script: &Script) -> Vec<usize> {
    let (mut used, texts) = used_by_others(script);
    // What a used declaration needs is used; the last declarations first, for they name earlier ones.
    let mut alive: FxHashSet<usize> = FxHashSet::default();
    loop {
        let before = alive.len();
        for (i, command) in script.commands.iter().enumerate().rev() {
            if alive.contains(&i) || !declares(command.what) || !is_used(script, i, &used, &texts) {
                continue;
            }
            alive.insert(i);
            script.each_function(i, |fun| used.function(&script.pool, fun));
            script.each_term(i, |term| used.term(&script.pool, term));
            if let What::DeclareDatatypes(first, count) = command.what {
                used.sorts.extend(sorts_from(script, first, count));
            }
        }
        if alive.len() == before {
            break;
        }
    }
    let commands = script.commands.iter().enumerate();
    commands.filter(|(i, c)| declares(c.what) && !alive.contains(i)).map(|(i, _)| i).collect()
}

/// What the commands use that declare nothing, and the texts of what is not understood, which may name anything.
fn used_by_others(script: &Script) -> (Used, Vec<String>) {
    let pool = &script.pool;
    let mut used = Used::default();
    let mut texts: Vec<String> = Vec::new();
    for (i, command) in script.commands.iter().enumerate() {
        if !declares(command.what) {
            script.each_term(i, |term| used.term(pool, term));
        }
        // Soft goals and tactics may name anything, too.
        if matches!(command.what, What::Opaque(_) | What::Other(..) | What::Declare(..) | What::DefineSort(_))
        {
            texts.push(script.command_text(*command));
        }
    }
    let opaque = |term: TermId| pool.node(term).head == Head::Opaque;
    texts.extend(used.terms.iter().filter(|t| opaque(**t)).map(|&t| smt::write_term(pool, t)));
    (used, texts)
}

/// Whether something that a command declares is used, or named in one of the texts.
fn is_used(script: &Script, command: usize, used: &Used, texts: &[String]) -> bool {
    let pool = &script.pool;
    let named = |name: &str| texts.iter().any(|text| text.contains(name));
    let uses_sort = |decl: SortDeclId| used.sorts.contains(&decl) || named(name_of(pool, decl));
    let mut function = false;
    script.each_function(command, |fun| {
        function |= used.functions.contains(&fun) || named(pool.text(pool.fun(fun).name));
    });
    function
        || match script.commands[command].what {
            What::DeclareSort(decl) => uses_sort(decl),
            What::DeclareDatatypes(first, count) => sorts_from(script, first, count).any(uses_sort),
            What::DefineSort(def) => {
                let name = pool.text(pool.sort_def(def).name);
                let mut others = script.commands.iter().enumerate().filter(|(k, _)| *k != command);
                others.any(|(_, c)| {
                    let text = script.command_text(*c);
                    memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some()
                })
            }
            _ => false,
        }
}

fn name_of(pool: &Pool, decl: SortDeclId) -> &str {
    pool.text(pool.sort_decl(decl).name)
}

fn sorts_from(script: &Script, first: SortDeclId, count: u32) -> impl Iterator<Item = SortDeclId> {
    script.pool.sort_decls_from(first, count)
}

/// Leaves out all that is dead, at once.
pub fn prune(script: &mut Script) {
    let dead = dead(script);
    leave_out(script, &dead);
}

/// Leaves out the commands with these numbers.
pub fn leave_out(script: &mut Script, gone: &[usize]) {
    let mut i = 0;
    script.commands.retain(|_| {
        i += 1;
        !gone.contains(&(i - 1))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nothing_uses_is_dead() {
        let rows: &[(&str, &str)] = &[
            ("(declare-const x Int)(declare-const y Int)(assert (= x 1))", "(declare-const x Int)"),
            ("(declare-sort U 0)(declare-sort V 0)(declare-const a U)(assert (= a a))", "(declare-sort U 0)"),
            (
                "(define-fun f ((x Int)) Int x)(define-fun g ((x Int)) Int (f x))(assert (= (g 1) 1))",
                "(define-fun f",
            ),
            (
                "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(assert (= (hd (cons 1 nil)) 1))",
                "datatype",
            ),
            (
                "(declare-datatype A ((a)))(declare-datatype B ((b (x A))))(assert (forall ((y B)) true))",
                "A ((a))",
            ),
            ("(define-sort W () Int)(declare-const x W)(assert (= x 1))", "define-sort"),
        ];
        for (text, kept) in rows {
            let mut script = smt::read(text.as_bytes()).expect("well-sorted");
            prune(&mut script);
            let after = script.text();
            assert!(after.contains(kept), "{text}: {after}");
            smt::read(after.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
        }
        let mut script =
            smt::read(b"(declare-sort V 0)(declare-fun f (V) V)(define-fun g () Int 1)(check-sat)")
                .expect("well-sorted");
        prune(&mut script);
        assert_eq!(script.commands.len(), 1);
    }
}
