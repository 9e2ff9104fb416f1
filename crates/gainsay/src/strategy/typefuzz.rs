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
use super::material::{Material, Spot};
use super::mutating::{CHAIN, ChainOptions, Mutating, READABLE_BY, RESET_ON_FINDING, Step};
use super::places::Places;
use super::shape::{SKELETONS, Skeleton, skeletons};
use crate::case::{Choices, Edit, Rule};
use crate::seed::Seed;

pub(super) const ENTRY: Entry = Entry {
    name: "typefuzz",
    about: "subterms of seeds replaced by new ones of the same sort",
    flags: &[CHAIN, READABLE_BY, RESET_ON_FINDING, SKELETONS],
    build: |options| {
        Ok(Box::new(TypeFuzz { options: ChainOptions::of(options)?, skeletons: skeletons(options)? }))
    },
};

/// Larger terms are shortened in the record of an edit.
const SHOWN: u32 = 40;

struct TypeFuzz {
    options: ChainOptions,
    skeletons: Vec<Skeleton>,
}

impl Mutating for TypeFuzz {
    fn chain_options(&self) -> &ChainOptions {
        &self.options
    }

    fn start<'a>(&'a self, seed: &'a Seed) -> (Chain<'a>, Box<dyn Step + 'a>) {
        let script = seed.script();
        let mut places = Places::default();
        let chain = Chain::new(ENTRY.name, seed, &mut |pool, term| places.is_site(pool, term));
        let makers = Makers::new(self.options.support.in_script(script));
        (
            chain,
            Box::new(NewTerms { places, material: Material::of(script), makers, skeletons: &self.skeletons }),
        )
    }
}

/// The source of new terms, and the places for them.
struct NewTerms<'a> {
    places: Places,
    material: Material,
    makers: Makers,
    skeletons: &'a [Skeleton],
}

impl NewTerms<'_> {
    /// A formula of the seed's atoms in the shape of another; none if no shape is given, or in most cases.
    fn in_shape(&mut self, pool: &mut Pool, spot: &Spot, choices: &mut Choices) -> Option<TermId> {
        if self.skeletons.is_empty() || !choices.happens(1, 3) {
            return None;
        }
        let Skeleton { shape, .. } = choices.pick(self.skeletons)?;
        let material = &self.material;
        shape.filled(pool, None, choices, &mut |_, _, _, choices| {
            material.some(SortId::BOOL, spot, choices, |_| true)
        })
    }
}

impl Step for NewTerms<'_> {
    /// Replaces one term.
    fn step(&mut self, chain: &mut Chain<'_>, choices: &mut Choices) -> bool {
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
        let Some(spot) = self.material.spot(chain.command(&at), binders) else { return false };
        let pool = &mut chain.script.pool;
        let shaped = if sort == SortId::BOOL { self.in_shape(pool, &spot, choices) } else { None };
        let NewTerms { places, material, makers, .. } = self;
        let site = Site { material, spot: &spot, levels: 0 };
        let Some(new) = shaped.or_else(|| makers.make(pool, sort, site, choices)) else { return false };
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::seed::{Asked, Keep};
    use crate::strategy::Options;

    /// Without connectives, a seed gets them from operators and from skeletons; only these have so many at once.
    #[test]
    fn formulas_get_the_shapes_of_past_bugs() {
        let text = "(declare-const x Int)(assert (< x 3))(assert (distinct x 1))(assert (> x 0))(check-sat)";
        let seed = Arc::new(Seed::read("small", text.as_bytes(), Keep::Bare).expect("usable"));
        let seeds = [Asked::unasked(seed)];
        let largest = |flags: &[(&str, &str)]| {
            let flags: BTreeMap<_, _> =
                flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let options = Options::of(ENTRY.flags, &flags);
            let strategy = (ENTRY.build)(&options).expect("good flags");
            let mut series = strategy.series(0, &seeds, Choices::drawn(1, ENTRY.name, 0));
            let mut most = 0;
            while let Some(case) = series.next() {
                smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
                let last = case.lineage.edits.list().last().map(|edit| edit.new.clone()).unwrap_or_default();
                most = most.max(
                    ["(and ", "(or ", "(=> ", "(not ", "(xor ", "(ite "]
                        .map(|c| last.matches(c).count())
                        .iter()
                        .sum(),
                );
            }
            most
        };
        let folder = std::env::temp_dir().join(format!("gainsay-typefuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let past = "(declare-const p Bool)(assert (xor p (and p (or p (not p)))))(check-sat)";
        std::fs::write(folder.join("a.smt2"), past).expect("writable");
        let plain = largest(&[("chain", "150")]);
        let shaped = largest(&[("chain", "150"), ("skeletons", folder.to_str().expect("a name"))]);
        std::fs::remove_dir_all(&folder).expect("there");
        assert!(plain <= 2 && shaped >= 4, "{plain} {shaped}");
    }
}
