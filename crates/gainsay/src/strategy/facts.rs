//! What is known of the terms of a pool: their size, the logic that they need, and how many of their nodes may be changed.

use smt::{Head, Logic, Pool, TermId};

/// What is known of a node and all nodes below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// How many nodes may be changed, this one included.
    pub sites: u32,
    /// Whether this node may be changed.
    pub is_site: bool,
    /// How many nodes there are, this one included.
    pub nodes: u32,
    /// What the term uses.
    pub logic: Logic,
}

/// Whether a node may be changed.
pub(super) type IsSite<'a> = &'a mut dyn FnMut(&mut Pool, TermId) -> bool;

/// The facts of all terms of a pool, by their numbers.
#[derive(Debug, Default)]
pub(super) struct TermFacts(Vec<Facts>);

impl TermFacts {
    /// The facts of a term.
    pub fn of(&self, term: TermId) -> &Facts {
        &self.0[term.index()]
    }

    /// Adds the facts of the terms that are new in a pool.
    pub fn learn(&mut self, pool: &mut Pool, is_site: IsSite) {
        self.0.reserve(pool.term_count() as usize - self.0.len());
        for term in pool.terms_from(self.0.len()) {
            let is_site = is_site(pool, term);
            let facts = self.gathered(pool, term, is_site);
            self.0.push(facts);
        }
    }

    /// Adds the facts of the terms that are new in a pool. None of them may be changed.
    pub fn learn_without_sites(&mut self, pool: &Pool) {
        for term in pool.terms_from(self.0.len()) {
            let facts = self.gathered(pool, term, false);
            self.0.push(facts);
        }
    }

    /// The facts of a term whose arguments are known.
    fn gathered(&self, pool: &Pool, term: TermId, is_site: bool) -> Facts {
        let mut facts = Facts { sites: 0, is_site, nodes: 1, logic: Logic::of_node(pool, term) };
        let is_annotated = matches!(pool.node(term).head, Head::Annotated(_));
        for (k, &arg) in pool.args(term).iter().enumerate() {
            let below = self.of(arg);
            facts.nodes = facts.nodes.saturating_add(below.nodes);
            // Patterns are not changed: not every term can be one.
            if k == 0 || !is_annotated {
                facts.sites = facts.sites.saturating_add(below.sites);
            }
            if Logic::counts(pool, term, k) {
                facts.logic = facts.logic.join(below.logic);
            }
        }
        facts.sites = facts.sites.saturating_add(u32::from(is_site));
        facts
    }

    /// What a term uses, which may be newer than the facts.
    pub fn logic_of(&self, pool: &Pool, term: TermId) -> Logic {
        if let Some(facts) = self.0.get(term.index()) {
            return facts.logic;
        }
        // Only what a rule has built is new, so this recursion is no deeper than rules are.
        let mut logic = Logic::of_node(pool, term);
        for (k, &arg) in pool.args(term).iter().enumerate() {
            if Logic::counts(pool, term, k) {
                logic = logic.join(self.logic_of(pool, arg));
            }
        }
        logic
    }
}
