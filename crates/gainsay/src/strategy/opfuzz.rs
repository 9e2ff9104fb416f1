//! Strategy `opfuzz`: replaces one operator after another by an operator that fits at its place.
//!
//! Type-aware operator mutation as of Winterer, Zhang and Su (OOPSLA 2020). Where the paper has classes of operators,
//! we take every operator of the table that fits the arguments and the result at the place.

use rustc_hash::FxHashMap;
use smt::theory::{OpId, Place, StandIn, stand_ins, table};
use smt::{Head, Pool, SortId, TermId};

use super::chain::Chain;
use super::mutating::{CHAIN, ChainOptions, Mutating, READABLE_BY, RESET_ON_FINDING, Step};
use super::support::OperatorSupport;
use super::{Entry, Flag, Options, Value};
use crate::case::{Choices, Edit, Rule};
use crate::seed::Seed;

pub(super) const ENTRY: Entry = Entry {
    name: "opfuzz",
    about: "operators of seeds replaced by others that may stand there",
    flags: &[
        CHAIN,
        READABLE_BY,
        RESET_ON_FINDING,
        Flag {
            name: "family",
            value: Value::Text,
            default: "all",
            about: "all operators, or only the replacements of the paper: all, paper",
        },
        Flag {
            name: "int-real",
            value: Value::Switch,
            default: "",
            about: "let an Int stand where a Real is wanted, as the paper does",
        },
    ],
    build: |options| Ok(Box::new(OpFuzz::of(options)?)),
};

struct OpFuzz {
    options: ChainOptions,
    paper: bool,
    int_real: bool,
}

impl OpFuzz {
    fn of(options: &Options) -> Result<OpFuzz, super::BadOption> {
        let paper = match options.text("family") {
            "all" => false,
            "paper" => true,
            _ => return Err(options.bad("family", "all or paper is wanted")),
        };
        Ok(OpFuzz { options: ChainOptions::of(options)?, paper, int_real: options.is_on("int-real") })
    }
}

impl Mutating for OpFuzz {
    fn chain_options(&self) -> &ChainOptions {
        &self.options
    }

    fn start<'a>(&'a self, seed: &'a Seed) -> (Chain<'a>, Box<dyn Step + 'a>) {
        let support = self.options.support.in_script(seed.script());
        let mut lists = Lists::new(support, self.paper, self.int_real);
        let mut chain = Chain::new(ENTRY.name, seed, &mut |pool, term| lists.is_site(pool, term));
        if self.int_real {
            // A sum of Ints and the same sum as a Real have one text.
            chain.compare_texts();
        }
        (chain, Box::new(lists))
    }
}

/// The paper's figure 5: what may replace what. `div` may replace `mod`, not the other way round.
const PAPER: &[(&[&str], &[&str])] = &[
    (&["=", "distinct"], &["=", "distinct"]),
    (&["and", "or", "=>"], &["and", "or", "=>"]),
    (&["<=", ">=", "<", ">"], &["<=", ">=", "<", ">"]),
    (&["+", "-", "*", "/"], &["+", "-", "*", "/"]),
    (&["div"], &["div"]),
    (&["mod"], &["mod", "div"]),
];

/// The operators that fit at a place, found once for each signature.
struct Lists {
    support: OperatorSupport,
    paper: bool,
    int_real: bool,
    found: Vec<Vec<StandIn>>,
    /// The number of the list by the present operator if it matters, whether Ints are given for Reals, and the sorts of the
    /// result and the arguments.
    known: FxHashMap<(Option<OpId>, bool), FxHashMap<Vec<SortId>, u32>>,
    signature: Vec<SortId>,
}

impl Lists {
    fn new(support: OperatorSupport, paper: bool, int_real: bool) -> Lists {
        let (found, known, signature) = (Vec::new(), FxHashMap::default(), Vec::new());
        Lists { support, paper, int_real, found, known, signature }
    }

    /// The number of the list of operators that can replace this one.
    fn list(&mut self, pool: &mut Pool, term: TermId, op: OpId) -> usize {
        self.signature.clear();
        self.signature.push(pool.sort_of(term));
        // By what is written: an Int that is a Real without a word is read as an Int again.
        self.signature.extend(pool.args(term).iter().map(|&arg| pool.sort_of(written(pool, arg))));
        let coerces = pool.args(term).iter().any(|&arg| written(pool, arg) != arg);
        let known = self.known.entry((self.paper.then_some(op), coerces)).or_default();
        if let Some(&list) = known.get(&self.signature) {
            return list as usize;
        }
        let mut found = Vec::new();
        let class = PAPER.iter().find(|(from, _)| from.contains(&table().op(op).name));
        let in_class = |other: OpId| class.is_some_and(|(_, to)| to.contains(&table().op(other).name));
        let allowed = |other: OpId| self.support.has(other) && (!self.paper || in_class(other));
        let (result, args) = (self.signature[0], &self.signature[1..]);
        let place = Place { args, result, int_real: self.int_real || coerces };
        stand_ins(pool, place, &allowed, &mut found);
        found.retain(|stand_in| self.int_real || stand_in.result == result);
        let number = self.found.len();
        known.insert(self.signature.clone(), number as u32);
        self.found.push(found);
        number
    }

    fn is_site(&mut self, pool: &mut Pool, term: TermId) -> bool {
        match pool.node(term).head {
            Head::Forall(_) | Head::Exists(_) => true,
            Head::Op(op, _) => {
                let list = self.list(pool, term, op);
                match &self.found[list][..] {
                    [] => false,
                    [one] => one.op != op || one.has_choice(),
                    _ => true,
                }
            }
            _ => false,
        }
    }

    /// The term with another operator; none if the drawn operator does not fit.
    fn other(&mut self, pool: &mut Pool, term: TermId, choices: &mut Choices) -> Option<TermId> {
        let Head::Op(op, _) = pool.node(term).head else { return pool.dual(term) };
        let list = self.list(pool, term, op);
        let list = &self.found[list];
        // What is there now is no choice, unless with other indices.
        let same = list.iter().position(|s| s.op == op && !s.has_choice());
        let mut chosen = choices.below((list.len() - usize::from(same.is_some())) as u64) as usize;
        chosen += usize::from(same.is_some_and(|same| chosen >= same));
        let stand_in = &list[chosen];
        let mut pick = |n: usize| choices.below(n as u64) as usize;
        let indices = stand_in.draw(pool, &self.signature[1..], &mut pick)?;
        let args: Vec<TermId> = pool.args(term).iter().map(|&arg| written(pool, arg)).collect();
        let new = pool.apply(stand_in.op, &indices, &args, None).ok()?;
        (new != term).then_some(new)
    }
}

impl Step for Lists {
    /// Replaces one operator.
    fn step(&mut self, chain: &mut Chain<'_>, choices: &mut Choices) -> bool {
        let lists = self;
        let Some(at) = chain.site(choices.below(chain.sites())) else { return false };
        let old = at.term;
        let Some(new) = lists.other(&mut chain.script.pool, old, choices) else { return false };
        let pool = &chain.script.pool;
        let same_nodes = pool.sort_of(old) == pool.sort_of(new) && pool.args(old) == pool.args(new);
        let (old, new_name) = (name(pool, old), name(pool, new));
        let edit = |place| Edit { place, old, new: new_name, rule: Rule::Operator };
        chain.change(at, new, edit, same_nodes, &mut |pool, term| lists.is_site(pool, term))
    }
}

/// A term without the conversion from Int to Real that is not written.
fn written(pool: &Pool, term: TermId) -> TermId {
    if pool.node(term).head == Head::Coerce { pool.args(term)[0] } else { term }
}

/// The text of the operator at the top of a term.
fn name(pool: &Pool, term: TermId) -> String {
    let node = pool.node(term);
    match node.head {
        Head::Forall(_) => "forall",
        Head::Exists(_) => "exists",
        _ => pool.text(node.name),
    }
    .to_owned()
}

#[cfg(test)]
mod tests;
