//! Decides the assertions at a check by trying all assignments of finite domains, or few values of infinite ones.
//!
//! The assertions are compiled once to a flat program. The search assigns one symbol at a time, computes what
//! depends on it and can be known already, and gives an assignment up as soon as one assertion is false.

mod domain;
mod found;
mod plan;
mod run;
#[cfg(test)]
mod tests;

use crate::gap::Gap;
use crate::model::Model;
use crate::program;
use crate::query::Query;
use crate::script::Script;
use crate::term::FunId;

/// The budget of trying small values is this part of that of trying all.
const SMALL: u64 = 8;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// So many values may be given to symbols, the expensive ones counted several times.
    pub assignments: u64,
    /// Whether to try a few small values of an infinite domain. This can find a model and proves nothing else.
    pub small_values: bool,
}

impl Default for Limits {
    /// Ten million assignments: some seconds.
    fn default() -> Self {
        Limits { assignments: 10_000_000, small_values: false }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Decision {
    /// This model satisfies everything.
    Sat(Box<Model>),
    /// No assignment satisfies everything; so many values were given to symbols.
    Unsat {
        /// How many.
        assignments: u64,
    },
    /// A symbol has too many values to try them all.
    Infinite(Unbounded),
    /// The budget ended.
    OverBudget {
        /// How many values were given to symbols.
        assignments: u64,
    },
    /// No model was seen, and this is why there may be one.
    Open(Gap),
}

/// A symbol whose values cannot all be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unbounded {
    /// The symbol.
    pub symbol: FunId,
    /// Why they cannot.
    pub why: &'static str,
}

/// Tries all assignments; where a domain is infinite, a few small values. If that decides nothing, the result is that
/// of [`search`].
///
/// The budget of the small values is a part of that of all assignments.
pub fn decide(script: &Script, query: &Query, assignments: u64, seen: &mut dyn FnMut(u64)) -> Decision {
    let all = search_seen(script, query, Limits { assignments, small_values: false }, seen);
    if let Decision::Infinite(_) = all {
        let limits = Limits { assignments: assignments / SMALL, small_values: true };
        if let sat @ Decision::Sat(_) = search_seen(script, query, limits, seen) {
            return sat;
        }
    }
    all
}

/// Decides the assertions at a check of the script.
pub fn search(script: &Script, query: &Query, limits: Limits) -> Decision {
    search_seen(script, query, limits, &mut |_| {})
}

/// Does the same as [`search`], and now and then calls `seen` with the number of values given to symbols so far.
pub fn search_seen(script: &Script, query: &Query, limits: Limits, seen: &mut dyn FnMut(u64)) -> Decision {
    if query.opaque {
        return Decision::Open(Gap::Opaque("a command before the check".to_owned()));
    }
    let plan = match plan::plan(&script.pool, query, limits) {
        Ok(plan) => plan,
        Err(unbounded) => return Decision::Infinite(unbounded),
    };
    let symbols = plan.tried.iter().map(|tried| tried.fun);
    let program = match program::compile(&script.pool, symbols, &plan.defined, &query.assertions) {
        Ok(program) => program,
        Err(gap) => return Decision::Open(gap),
    };
    let base = Model::empty(script);
    let budget = run::Budget { assignments: limits.assignments, seen };
    run::run(&base, query, &plan, program, budget)
}
