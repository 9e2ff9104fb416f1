//! Strategy `simplify`: many terms in one script, each to be simplified, and formulas to which tactics are applied.
//!
//! Nothing is searched: what a solver makes of a term is evaluated at drawn points, by the oracle `rewriting`.

use rustc_hash::FxHashSet;
use smt::theory::{Theory, table};
use smt::{Arithmetic, Command, Head, Logic, Script, SortId, TermId, What};

use super::makers::{Makers, Site};
use super::material::{Material, Spot};
use super::mutating::READABLE_BY;
use super::support::OperatorSupport;
use super::{BadOption, Entry, Flag, Nothing, Options, Series, Strategy, Value, Wants};
use crate::case::{Case, Choices, HIGHER_ORDER, HIGHER_ORDER_ALL, Lineage, SeedName, one_shot};
use crate::seed::{Asked, Seed};

/// Levels of new operators above subterms of the seed.
const LEVELS: u64 = 3;
/// How often a term is drawn for each that is wanted.
const TRIES: u32 = 8;
/// Longer terms are left out: `let` can double the length of a term with each level.
const LONGEST: usize = 2000;

/// The tactics that are applied if none is named. Each eliminates or rewrites something; none searches.
const USUAL: &[&str] = &[
    "simplify",
    "propagate-values",
    "ctx-simplify",
    "solve-eqs",
    "nnf",
    "propagate-ineqs",
    "propagate-bv-bounds",
    "aig",
    "dom-simplify",
    "split-clause",
    "elim-uncnstr",
    "add-bounds",
];

pub(super) const ENTRY: Entry = Entry {
    name: "simplify",
    about: "terms of seeds and new ones, to be simplified and evaluated",
    flags: &[
        Flag {
            name: "scripts",
            value: Value::Number,
            default: "50",
            about: "scripts that are made of a seed",
        },
        Flag { name: "terms", value: Value::Number, default: "40", about: "terms in a script" },
        Flag {
            name: "tactics",
            value: Value::Text,
            default: "usual",
            about: "tactics that are applied to formulas, such as nnf,solve-eqs; none if empty",
        },
        READABLE_BY,
    ],
    build: |options| Ok(Box::new(Simplify::of(options)?)),
};

struct Simplify {
    scripts: u32,
    terms: u32,
    tactics: Vec<String>,
    support: OperatorSupport,
}

impl Simplify {
    fn of(options: &Options) -> Result<Simplify, BadOption> {
        let number = |flag| Ok(u32::try_from(options.number(flag)?).unwrap_or(u32::MAX));
        let tactics: Vec<&str> = match options.text("tactics") {
            "usual" => USUAL.to_vec(),
            list => list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect(),
        };
        Ok(Simplify {
            scripts: number("scripts")?,
            terms: number("terms")?.max(1),
            tactics: tactics.into_iter().map(str::to_owned).collect(),
            support: OperatorSupport::of(options.text(READABLE_BY.name)),
        })
    }
}

impl Strategy for Simplify {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn longest(&self) -> u32 {
        self.scripts
    }

    fn ends_early(&self) -> bool {
        false
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let made = seeds.first().and_then(|asked| Scripts::new(self, &asked.seed, choices));
        made.map_or_else(|| Box::new(Nothing) as Box<dyn Series + 'a>, |scripts| Box::new(scripts))
    }
}

/// The scripts of one series.
struct Scripts<'a> {
    of: &'a Simplify,
    seed: &'a SeedName,
    /// What is declared at a check of the seed, without assertions.
    base: Script,
    /// The same as text.
    declared: String,
    material: Material,
    spot: Spot,
    /// The operators that may be used.
    support: OperatorSupport,
    makers: Makers,
    choices: Choices,
    /// The texts of terms that were used.
    used: FxHashSet<String>,
    left: u32,
}

impl<'a> Scripts<'a> {
    fn new(of: &'a Simplify, seed: &'a Seed, mut choices: Choices) -> Option<Scripts<'a>> {
        let queries = seed.script().queries();
        let check = choices.below(queries.len() as u64) as usize;
        let base = one_shot(seed.script(), queries.get(check)?)?;
        let base = smt::read(base.text().as_bytes()).ok()?;
        // A name of the seed may be that of an operator in a logic that has all of them.
        let named = |fun| !table().named(base.pool.text(base.pool.fun(fun).name)).is_empty();
        if base.pool.functions().any(named) {
            return None;
        }
        let logic = logic_of(&base);
        let declared = declared(&base, &logic);
        let material = Material::of(&base);
        let spot = material.spot(base.commands.len() - 1, std::iter::empty())?;
        let support = of.support.in_script(&base);
        // z3 knows no extensions in any other logic.
        let support = match &*logic {
            "ALL" => support.in_all_theories(),
            HIGHER_ORDER_ALL => support.of_the_standard(),
            _ => support.of_the_standard().without(Theory::RealsInts),
        };
        let makers = Makers::new(support.clone());
        let (used, left) = (FxHashSet::default(), of.scripts);
        let seed = &seed.name;
        Some(Scripts { of, seed, base, declared, material, spot, support, makers, choices, used, left })
    }

    /// A term of a drawn sort: a new one, or a subterm of the seed.
    fn term(&mut self, sort: SortId) -> Option<TermId> {
        let levels = self.choices.below(LEVELS) as u32;
        let site = Site { material: &self.material, spot: &self.spot, levels };
        if self.choices.happens(3, 4) {
            return self.makers.make(&mut self.base.pool, sort, site, &mut self.choices);
        }
        let pool = &self.base.pool;
        let is_worth = |term: TermId| !pool.args(term).is_empty() && pool.node(term).head != Head::Opaque;
        self.material.some(sort, &self.spot, &mut self.choices, is_worth)
    }

    /// The text of a term that was not used before.
    fn new_text(&mut self, sort: SortId) -> Option<String> {
        let term = self.term(sort)?;
        if !self.is_readable(term) {
            return None;
        }
        let text = smt::write_term(&self.base.pool, term);
        (text.len() <= LONGEST && self.used.insert(text.clone())).then_some(text)
    }

    /// Whether all operators of a term may be used.
    fn is_readable(&self, term: TermId) -> bool {
        let pool = &self.base.pool;
        let (mut seen, mut left) = (FxHashSet::default(), vec![term]);
        while let Some(term) = left.pop() {
            if !seen.insert(term) {
                continue;
            }
            if matches!(pool.node(term).head, Head::Op(op, _) if !self.support.has(op)) {
                return false;
            }
            left.extend_from_slice(pool.args(term));
        }
        true
    }

    /// A script with as many terms as are wanted; none if there are no new ones.
    fn text(&mut self) -> Option<String> {
        let mut text = self.declared.clone();
        let mut count = 0;
        for _ in 0..self.of.terms.saturating_mul(TRIES) {
            let sorts = &self.material.sorts;
            let sort = *self.choices.pick(sorts)?;
            let tactic = match sort == SortId::BOOL && self.choices.happens(1, 3) {
                true => self.choices.pick(&self.of.tactics).cloned(),
                false => None,
            };
            let Some(term) = self.new_text(sort) else { continue };
            text += &match tactic {
                Some(tactic) => format!("(push 1)\n(assert {term})\n(apply {tactic})\n(pop 1)\n"),
                None => format!("(simplify {term})\n"),
            };
            count += 1;
            if count == self.of.terms {
                break;
            }
        }
        (count > 0).then_some(text)
    }
}

impl Series for Scripts<'_> {
    fn next(&mut self) -> Option<Case> {
        self.left = self.left.checked_sub(1)?;
        let text = self.text();
        self.choices.forget_made();
        let script = text.and_then(|text| smt::read(text.as_bytes()).ok());
        let Some(script) = script else {
            self.left = 0;
            return None;
        };
        let lineage =
            Lineage { strategy: ENTRY.name.into(), seeds: vec![self.seed.clone()], ..Lineage::default() };
        Some(Case { script, others: Vec::new(), claims: Vec::new(), lineage })
    }
}

/// Whether the logic of a script says that numerals are Reals.
fn has_real_numerals(script: &Script) -> bool {
    script.logic().is_some_and(smt::read::is_real_only)
}

/// A logic that has all theories, or as many as it can have if numerals must mean what they mean in a script.
fn logic_of(base: &Script) -> String {
    let higher = base.logic().is_some_and(|logic| logic.starts_with(HIGHER_ORDER));
    let used = Logic::of(base);
    match base.logic() {
        // The name ends in NRA: what would make it another one is left out.
        Some(_) if has_real_numerals(base) => Logic {
            quantifiers: true,
            functions: true,
            ints: false,
            reals: true,
            arithmetic: Arithmetic::NonLinear,
            transcendentals: false,
            higher_order: false,
            other: false,
            ..used
        }
        .name(),
        // cvc5 takes functions as values only in this one.
        _ if higher || used.higher_order => HIGHER_ORDER_ALL.to_owned(),
        _ => "ALL".to_owned(),
    }
}

/// What a script declares, in a logic.
fn declared(base: &Script, logic: &str) -> String {
    let mut text = format!("(set-logic {logic})\n");
    let declares = |command: &&Command| {
        !command.what.is_check()
            && !matches!(command.what, What::SetLogic(_) | What::SetOption(..) | What::Assert(_))
    };
    for command in base.commands.iter().filter(declares) {
        text += &base.command_text(*command);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::seed::{Keep, builtin};

    fn cases(flags: &[(&str, &str)], text: &str, draw: u64) -> Vec<Case> {
        let flags = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let strategy = Simplify::of(&Options::of(ENTRY.flags, &flags)).expect("known flags");
        let seed = Seed::read("small", text.as_bytes(), Keep::Bare).expect("usable");
        let seeds = [Asked::unasked(Arc::new(seed))];
        let mut series = strategy.series(0, &seeds, Choices::drawn(draw, ENTRY.name, 0));
        std::iter::from_fn(|| series.next()).collect()
    }

    const SEED: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-fun p () Bool)\
        (define-fun f ((y (_ BitVec 4))) Bool (bvult y #x5))(assert (! (f (bvadd x #x1)) :named n))\
        (assert (=> p (bvugt x #x2)))(check-sat)";

    #[test]
    fn terms_are_new_and_well_sorted_and_nothing_is_checked() {
        let made = cases(&[("scripts", "6"), ("terms", "20")], SEED, 1);
        assert_eq!(made.len(), 6);
        let mut seen = FxHashSet::default();
        let (mut simplified, mut applied) = (0, 0);
        for case in &made {
            assert!(case.script.opaque.is_empty() && case.script.queries().is_empty(), "{}", case.text());
            for command in &case.script.commands {
                match command.what {
                    What::Query(_, term, _) => {
                        assert!(seen.insert(smt::write_term(&case.script.pool, term)), "{}", case.text());
                        simplified += 1;
                    }
                    What::Apply(_) => applied += 1,
                    _ => {}
                }
            }
        }
        assert!(simplified > 60 && applied > 5 && simplified + applied == 120, "{simplified} {applied}");
    }

    #[test]
    fn tactics_can_be_chosen_or_left_out() {
        let without: String =
            cases(&[("tactics", ""), ("scripts", "3")], SEED, 2).iter().map(Case::text).collect();
        assert!(without.contains("(simplify ") && !without.contains("(apply"), "{without}");
        let with: String =
            cases(&[("tactics", "(then simplify nnf)")], SEED, 2).iter().map(Case::text).collect();
        assert!(with.contains("(apply (then simplify nnf))") && !with.contains("(apply nnf)"));
    }

    #[test]
    fn operators_are_known_in_the_logic_of_the_script() {
        let numbers = "(declare-const x Real)(assert (=> (< x 1) (implies (> x 0) (iff (< x 2) (= x 1)))))";
        for (seed, forbidden) in [
            (numbers.to_owned(), &["implies", "iff"][..]),
            (
                format!("(set-logic QF_NRA){numbers}"),
                &["implies", "iff", "sin", "^", "at-most", "is_int", "to_int"],
            ),
        ] {
            let flags = [("readable-by", "z3@5.4.0"), ("scripts", "20")];
            let text: String = cases(&flags, &seed, 3).iter().map(Case::text).collect();
            assert!(text.len() > 5000, "{text}");
            for name in forbidden {
                assert!(!text.contains(&format!("({name} ")), "{name}: {text}");
            }
        }
    }

    #[test]
    fn functions_as_values_have_a_logic_with_them() {
        let declared = "(declare-const f (-> Int Int))(assert (< (f 1) 2))";
        for seed in [declared.to_owned(), format!("(set-logic HO_UFLIA){declared}")] {
            let text: String = cases(&[("scripts", "2")], &seed, 3).iter().map(Case::text).collect();
            assert!(text.contains("(set-logic HO_ALL)") && !text.contains("(set-logic ALL)"), "{text}");
        }
    }

    #[test]
    fn the_promise_of_every_tactic_is_known() {
        let options = Options::of(ENTRY.flags, &BTreeMap::new());
        let strategy = Simplify::of(&options).expect("defaults");
        let source = include_str!("../../solvers/z3.toml");
        let table = source.split("[tactics]").nth(1).expect("a table").split("\n[").next().expect("rows");
        for tactic in &strategy.tactics {
            assert!(table.contains(&format!("\"{tactic}\"")), "{tactic}");
        }
    }

    #[test]
    fn the_built_in_seeds_have_terms() {
        let mut made = 0;
        for (i, (_, text)) in builtin::scripts().enumerate() {
            made += cases(&[("scripts", "2"), ("terms", "8")], text, i as u64).len();
        }
        assert!(made > 50, "{made}");
    }
}
