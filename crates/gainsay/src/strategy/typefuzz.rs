//! Strategy `typefuzz`: one subterm after another is replaced by a new one of the same sort.
//!
//! Generative type-aware mutation as of Park, Winterer, Zhang and Su (OOPSLA 2021): an operator of the table over subterms
//! of the seed. Where they generate from templates of operators, we ask the table which operators give the sort.

use smt::theory::OpId;
use smt::walk::bound_in;
use smt::{Head, Pool, SortId, TermId, write_term};

use super::chain::{Chain, Rest};
use super::makers::{Makers, wants_constant};
use super::material::{Material, gives_name};
use super::opfuzz::{CHAIN, SPEAKERS};
use super::vocabulary::Vocabulary;
use super::{Entry, Series, Strategy, Wants};
use crate::case::{Case, Choices, Edit, TERM};
use crate::seed::Asked;

pub(super) const ENTRY: Entry = Entry {
    name: "typefuzz",
    about: "subterms of seeds replaced by new ones of the same sort",
    flags: &[CHAIN, SPEAKERS],
    build: |options| {
        Ok(Box::new(TypeFuzz {
            chain: u32::try_from(options.number("chain")?).unwrap_or(u32::MAX),
            vocabulary: Vocabulary::of(options.text("speakers")),
        }))
    },
};

/// Terms of more nodes are shortened in the record of what stood there.
const SHOWN: u32 = 40;

struct TypeFuzz {
    chain: u32,
    vocabulary: Vocabulary,
}

impl Strategy for TypeFuzz {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn longest(&self) -> u32 {
        self.chain
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let Some(asked) = seeds.first() else { return Box::new(super::Nothing) };
        let script = asked.seed.script();
        let mut places = Places::default();
        let chain = Chain::new(ENTRY.name, &asked.seed, &mut |pool, term| places.is_site(pool, term));
        let makers = Makers::new(self.vocabulary.in_script(script));
        let material = Material::of(script);
        Box::new(Mutants {
            chain,
            places,
            material,
            makers,
            choices,
            rest: Rest { left: self.chain, skipped: 0 },
        })
    }
}

/// Which nodes may be replaced: those of known sort in which nothing is named.
#[derive(Default)]
struct Places {
    names: Vec<bool>,
}

impl Places {
    /// Asked of each term once, in order.
    fn is_site(&mut self, pool: &Pool, term: TermId) -> bool {
        let below = pool.args(term).iter().any(|arg| self.names[arg.index()]);
        self.names.push(below || gives_name(pool, term));
        let coerced = pool.node(term).head == Head::Coerce;
        pool.sort_of(term) != SortId::UNKNOWN && !self.names[term.index()] && !coerced
    }
}

struct Mutants<'a> {
    chain: Chain<'a>,
    places: Places,
    material: Material,
    makers: Makers,
    choices: Choices,
    rest: Rest,
}

/// Replaces one term of a chain; false if the draw was in vain.
fn step(
    chain: &mut Chain<'_>,
    places: &mut Places,
    material: &Material,
    makers: &mut Makers,
    choices: &mut Choices,
) -> bool {
    let Some(at) = chain.site(choices.below(chain.sites())) else { return false };
    let pool = &chain.script.pool;
    let sort = pool.sort_of(at.term);
    let picky = |op: OpId| wants_constant(op, sort);
    if let Some((parent, _)) = chain.above(&at).last()
        && let Head::Op(op, _) = pool.node(parent).head
        && picky(op)
    {
        return false;
    }
    let inner = chain.above(&at).flat_map(|(term, k)| bound_in(pool, term, k));
    let binders = chain.variables(&at).iter().chain(inner);
    let Some(spot) = material.spot(chain.command(&at), binders) else { return false };
    let pool = &mut chain.script.pool;
    let Some(new) = makers.make(pool, sort, (material, &spot), 0, choices) else { return false };
    if new == at.term {
        return false;
    }
    let old = if chain.nodes(at.term) > SHOWN {
        format!("({} …)", chain.script.pool.text(chain.script.pool.node(at.term).name))
    } else {
        write_term(&chain.script.pool, at.term)
    };
    let text = write_term(&chain.script.pool, new);
    let edit = |place| Edit { place, old, new: text, rule: TERM.into() };
    chain.change(at, new, edit, false, &mut |pool, term| places.is_site(pool, term))
}

impl Series for Mutants<'_> {
    fn next(&mut self) -> Option<Case> {
        let Mutants { chain, places, material, makers, choices, rest } = self;
        rest.next(chain, choices, |chain, choices| step(chain, places, material, makers, choices))
    }

    fn skipped(&self) -> u32 {
        self.rest.skipped
    }
}
