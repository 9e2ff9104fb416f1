//! Strategy `typefuzz`: replaces one subterm after another by a new term of the same sort.
//!
//! Generative type-aware mutation as of Park, Winterer, Zhang and Su (OOPSLA 2021): an operator of the table over subterms
//! of the seed. Where they generate from templates of operators, we ask the table which operators give the sort.

use smt::theory::table;
use smt::walk::bound_in;
use smt::{Head, Pool, SortId, TermId, write_term};

use super::Entry;
use super::chain::Chain;
use super::makers::{Makers, Site};
use super::material::{Material, gives_name};
use super::mutating::{CHAIN, ChainOptions, Mutating, READABLE_BY, RESET_ON_FINDING, Step};
use crate::case::{Choices, Edit, Rule};
use crate::seed::Seed;

pub(super) const ENTRY: Entry = Entry {
    name: "typefuzz",
    about: "subterms of seeds replaced by new ones of the same sort",
    flags: &[CHAIN, READABLE_BY, RESET_ON_FINDING],
    build: |options| Ok(Box::new(TypeFuzz(ChainOptions::of(options)?))),
};

/// Larger terms are shortened in the record of an edit.
const SHOWN: u32 = 40;

struct TypeFuzz(ChainOptions);

impl Mutating for TypeFuzz {
    fn chain_options(&self) -> &ChainOptions {
        &self.0
    }

    fn start<'a>(&'a self, seed: &'a Seed) -> (Chain<'a>, Box<dyn Step + 'a>) {
        let script = seed.script();
        let mut places = Places::default();
        let chain = Chain::new(ENTRY.name, seed, &mut |pool, term| places.is_site(pool, term));
        let makers = Makers::new(self.0.support.in_script(script));
        (chain, Box::new(NewTerms { places, material: Material::of(script), makers }))
    }
}

/// The nodes that may be replaced: those that have a known sort and give no name.
#[derive(Default)]
struct Places {
    names: Vec<bool>,
}

impl Places {
    /// Whether a term may be replaced. This is called once for each term, in order.
    fn is_site(&mut self, pool: &Pool, term: TermId) -> bool {
        let below = pool.args(term).iter().any(|arg| self.names[arg.index()]);
        self.names.push(below || gives_name(pool, term));
        let coerced = pool.node(term).head == Head::Coerce;
        pool.sort_of(term) != SortId::UNKNOWN && !self.names[term.index()] && !coerced
    }
}

/// The source of new terms, and the places for them.
struct NewTerms {
    places: Places,
    material: Material,
    makers: Makers,
}

impl Step for NewTerms {
    /// Replaces one term.
    fn step(&mut self, chain: &mut Chain<'_>, choices: &mut Choices) -> bool {
        let NewTerms { places, material, makers } = self;
        let Some(at) = chain.site(choices.below(chain.sites())) else { return false };
        let pool = &chain.script.pool;
        let sort = pool.sort_of(at.term);
        if let Some((parent, place)) = chain.above(&at).last()
            && let Head::Op(op, _) = pool.node(parent).head
            && table().op(op).wants_constant(place)
        {
            return false;
        }
        let inner = chain.above(&at).flat_map(|(term, k)| bound_in(pool, term, k));
        let binders = chain.variables(&at).iter().chain(inner);
        let Some(spot) = material.spot(chain.command(&at), binders) else { return false };
        let pool = &mut chain.script.pool;
        let site = Site { material, spot: &spot, levels: 0 };
        let Some(new) = makers.make(pool, sort, site, choices) else { return false };
        if new == at.term {
            return false;
        }
        let old = if chain.nodes(at.term) > SHOWN {
            format!("({} …)", chain.script.pool.text(chain.script.pool.node(at.term).name))
        } else {
            write_term(&chain.script.pool, at.term)
        };
        let text = write_term(&chain.script.pool, new);
        let edit = |place| Edit { place, old, new: text, rule: Rule::Term };
        chain.change(at, new, edit, false, &mut |pool, term| places.is_site(pool, term))
    }
}
