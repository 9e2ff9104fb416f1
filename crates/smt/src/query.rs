//! The questions of a script: its checks, and what is asserted at each.

use crate::Pool;
use crate::levels::Levels;
use crate::script::{Command, Script, What};
use crate::term::{FunId, TermId};

/// One question of a script: a check and what is asserted there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The number of the command that asks.
    pub command: usize,
    /// The assertions in scope, outermost first, then the assumptions.
    pub assertions: Vec<TermId>,
    /// Functions in scope that were defined with `define-fun-rec` or `define-funs-rec`.
    pub recursive: Vec<FunId>,
    /// Whether a command we do not understand came before it.
    pub opaque: bool,
}

/// What is in scope after some commands of a script.
#[derive(Default)]
struct AssertedScope {
    asserted: Vec<TermId>,
    recursive: Vec<FunId>,
    levels: Levels<(usize, usize)>,
    global: bool,
    opaque: bool,
}

impl AssertedScope {
    /// Changes the scope as a command does.
    fn follow(&mut self, pool: &Pool, what: What) {
        match what {
            What::Assert(term) => self.asserted.push(term),
            What::DefineFunsRec(first, count) => {
                self.recursive.extend((first.0..first.0 + count).map(FunId));
            }
            What::SetOption(key, value) if pool.text(key) == ":global-declarations" => {
                self.global = pool.text(value) == "true";
            }
            What::Push(n) => self.levels.push((self.asserted.len(), self.recursive.len()), n),
            What::Pop(n) => {
                if let (Some((asserts, funs)), _) = self.levels.pop(n.into()) {
                    self.asserted.truncate(asserts);
                    if !self.global {
                        self.recursive.truncate(funs);
                    }
                }
            }
            What::Reset | What::ResetAssertions => {
                self.asserted.clear();
                if what == What::Reset || !self.global {
                    self.recursive.clear();
                }
                self.levels.clear();
            }
            What::Opaque(_) => self.opaque = true,
            _ => {}
        }
    }

    /// What is in scope now, with the assumptions of a check.
    fn query(&self, pool: &Pool, command: usize, check: What) -> Query {
        let mut assertions = self.asserted.clone();
        if let What::CheckSatAssuming(list) = check {
            assertions.extend_from_slice(pool.terms(list));
        }
        Query { command, assertions, recursive: self.recursive.clone(), opaque: self.opaque }
    }
}

impl Script {
    /// Every check with the assertions in scope at it. Soft assertions are not in scope.
    pub fn queries(&self) -> Vec<Query> {
        let mut scope = AssertedScope::default();
        let mut asks = Vec::new();
        for (number, &Command { what, .. }) in self.commands.iter().enumerate() {
            if what == What::Exit {
                break;
            }
            if what.is_check() {
                asks.push(scope.query(&self.pool, number, what));
            } else {
                scope.follow(&self.pool, what);
            }
        }
        asks
    }

    /// The assertions in scope at a command, as if it were a check.
    pub fn scope_at(&self, command: usize) -> Query {
        let mut scope = AssertedScope::default();
        for &Command { what, .. } in self.commands.iter().take(command) {
            scope.follow(&self.pool, what);
        }
        scope.query(&self.pool, command, self.commands.get(command).map_or(What::CheckSat, |c| c.what))
    }
}
