//! The places of a seed where a term may take the place of another.

use smt::{Head, Pool, SortId, TermId};

use super::material::gives_name;

/// The nodes that may be replaced: those that have a known sort and give no name.
#[derive(Default)]
pub(super) struct Places {
    names: Vec<bool>,
}

impl Places {
    /// Whether a term may be replaced. This is called once for each term, in order.
    pub fn is_site(&mut self, pool: &Pool, term: TermId) -> bool {
        let below = pool.args(term).iter().any(|arg| self.names[arg.index()]);
        self.names.push(below || gives_name(pool, term));
        let coerced = pool.node(term).head == Head::Coerce;
        pool.sort_of(term) != SortId::UNKNOWN && !self.names[term.index()] && !coerced
    }
}
