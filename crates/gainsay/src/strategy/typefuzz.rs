//! Strategy `typefuzz`: one subterm after another is replaced by a new one of the same sort.
//!
//! Generative type-aware mutation as of Park, Winterer, Zhang and Su (OOPSLA 2021): an operator of the table over subterms
//! of the seed. Where they generate from templates of operators, we ask the table which operators give the sort.

use rustc_hash::FxHashMap;
use smt::theory::{Menu, OpId, Theory, admitted, producers, shape, table};
use smt::walk::bound_in;
use smt::{Head, Literal, Pool, SortId, TermId, write_term};

use super::chain::{Chain, Rest};
use super::material::{Material, Spot, gives_name};
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

/// Failures after which an operator is no longer tried for a sort.
const FAILURES: u32 = 6;
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
        let makers = Makers { vocabulary: self.vocabulary.in_script(script), known: FxHashMap::default() };
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

/// The operators that give a sort, and how often each was tried in vain.
struct Makers {
    vocabulary: Vocabulary,
    known: FxHashMap<SortId, Vec<(OpId, u32)>>,
}

impl Makers {
    /// A new term of a sort; none if the draw was in vain.
    fn make(
        &mut self,
        pool: &mut Pool,
        sort: SortId,
        material: &Material,
        spot: &Spot,
        choices: &mut Choices,
    ) -> Option<TermId> {
        let vocabulary = &self.vocabulary;
        let makers = self.known.entry(sort).or_insert_with(|| {
            let usable = |&op: &OpId| vocabulary.has(op) && (admitted(op) || table().op(op).name == "ite");
            producers(pool, sort).filter(usable).map(|op| (op, 0)).collect()
        });
        let chosen = choices.below(makers.len() as u64) as usize;
        let (op, failures) = makers.get_mut(chosen)?;
        let op = *op;
        let made = build(pool, op, sort, material, spot, choices);
        *failures = if made.is_some() { 0 } else { *failures + 1 };
        if *failures > FAILURES {
            makers.swap_remove(chosen);
        }
        made
    }
}

fn build(
    pool: &mut Pool,
    op: OpId,
    sort: SortId,
    material: &Material,
    spot: &Spot,
    choices: &mut Choices,
) -> Option<TermId> {
    let menu =
        Menu { sorts: &material.sorts, widths: &material.widths, numbers: &material.numbers, texts: &[] };
    // cvc5 has no choice between languages.
    if sort == SortId::REGLAN && table().op(op).name == "ite" {
        return None;
    }
    let shape = shape(pool, op, sort, &menu, &mut |n| choices.below(n as u64) as usize)?;
    if !shape.args.iter().all(|&arg| material.has(arg)) {
        return None;
    }
    let mut args = Vec::with_capacity(shape.args.len());
    for &arg in &shape.args {
        let fits = |term: TermId| !wants_constant(op, arg) || is_literal(pool, term);
        args.push(material.some(arg, spot, choices, fits)?);
    }
    // By name, for that is how it is read again.
    let made = pool.apply_named(table().op(op).name, &shape.indices, &args, None).ok()?;
    (pool.sort_of(made) == sort).then_some(made)
}

/// Whether some solver wants an argument of this sort to be written down, which no sort tells.
fn wants_constant(op: OpId, sort: SortId) -> bool {
    let floats = table().theory(op) == Theory::Floats && sort == SortId::REAL;
    floats || matches!(table().op(op).name, "const" | "^" | "re.range")
}

fn is_literal(pool: &Pool, term: TermId) -> bool {
    matches!(pool.node(term).head, Head::Literal(Literal::Decimal | Literal::Numeral | Literal::String))
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
    let Some(new) = makers.make(pool, sort, material, &spot, choices) else { return false };
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
