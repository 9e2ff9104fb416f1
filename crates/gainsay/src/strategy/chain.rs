//! A chain: a script that changes step by step, at the cost of what each step changes.
//!
//! The facts of a node (how many sites are below it, what logic it needs) are kept by its number, so that a random site is found
//! by going down once. The text of the script is changed together with its terms.

use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashSet};
use smt::{Command, Logic, Pool, Script, Sort, TermId, What};

use super::facts::{IsSite, TermFacts};
use super::printed::{Node, Printed};
use crate::case::{Case, DeclaredLogic, Edit, Edits, Lineage, Place, put};
use crate::seed::Seed;

/// How many new nodes a chain has before its pool is frozen. Later mutants share a frozen pool instead of copying it.
const LAYER: u32 = 256;

/// A term at the top of a command.
#[derive(Clone, Copy, Debug)]
struct Root {
    command: u32,
    number: u32,
    term: TermId,
    /// How many nodes the terms before it in the same command have.
    before: u32,
    changes: bool,
}

/// An occurrence of a term.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    root: usize,
    way: Vec<u32>,
    /// How many nodes of its command come before it.
    before: u32,
    /// The term.
    pub term: TermId,
}

/// A script that changes step by step.
pub(super) struct Chain<'a> {
    seed: &'a Seed,
    strategy: &'static str,
    /// The script as it is now.
    pub script: Script,
    printed: Printed,
    facts: TermFacts,
    roots: Vec<Root>,
    layer: u32,
    kept: Vec<Kept>,
    fixed: Logic,
    edits: Edits,
    digest: u64,
    /// The logic that every script of the chain must be in, if there is one.
    pub fence: Option<Logic>,
    /// Whether different terms may have the same text, so that scripts must be compared by text.
    by_text: bool,
    seen: FxHashSet<u64>,
}

/// A logic that the seed declares, and that the script must not use more than.
#[derive(Clone)]
struct Kept {
    promise: DeclaredLogic,
    /// The logic that its declarations need.
    fixed: Logic,
    /// The logic that is set in place of the seed's, if another is.
    other: Option<String>,
    /// The text of the command that sets the logic, as the seed has it.
    declared: Vec<u8>,
}

/// A state of a chain. Its terms stay in the pool.
pub(super) struct Saved {
    commands: Vec<Command>,
    printed: Printed,
    roots: Vec<Root>,
    others: Vec<Option<String>>,
    edits: Edits,
    digest: u64,
}

fn mix(root: usize, term: TermId) -> u64 {
    // SplitMix64's last steps: sums of these tell sets of roots apart.
    let mut z = (root as u64) << 32 ^ term.index() as u64;
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The terms of all commands, with nothing counted yet.
fn roots(script: &Script) -> Vec<Root> {
    let mut roots = Vec::new();
    for (i, command) in script.commands.iter().enumerate() {
        // Assumptions must stay literals. How a function's sort is spelled means something to z3, and is not kept
        // when a definition is printed anew.
        let changes = match command.what {
            What::CheckSatAssuming(_) => false,
            What::DefineFun(fun) => {
                !matches!(script.pool.sort(script.pool.fun(fun).result), Sort::Function(_))
            }
            _ => true,
        };
        let mut number = 0;
        script.each_term(i, |term| {
            roots.push(Root { command: i as u32, number, term, before: 0, changes });
            number += 1;
        });
    }
    roots
}

impl<'a> Chain<'a> {
    /// A chain that begins with a seed.
    pub fn new(strategy: &'static str, seed: &'a Seed, is_site: IsSite) -> Chain<'a> {
        let script = seed.fork();
        let printed = Printed::of(&script);
        let keep = |promise: DeclaredLogic| {
            let fixed = Logic::of_declarations(&script, promise.commands.clone());
            let declared = printed.command(promise.command).to_vec();
            Kept { promise, fixed, other: None, declared }
        };
        let kept = DeclaredLogic::all(&script).into_iter().map(keep).collect();
        let mut chain = Chain {
            seed,
            strategy,
            fixed: Logic::of_declarations(&script, 0..script.commands.len()),
            layer: script.pool.term_count(),
            roots: roots(&script),
            script,
            printed,
            facts: TermFacts::default(),
            kept,
            edits: Edits::default(),
            digest: 0,
            fence: None,
            by_text: false,
            seen: FxHashSet::default(),
        };
        chain.facts.learn(&mut chain.script.pool, is_site);
        for i in 1..chain.roots.len() {
            let last = chain.roots[i - 1];
            if last.command == chain.roots[i].command {
                chain.roots[i].before = last.before + chain.nodes(last.term);
            }
        }
        chain.digest =
            chain.roots.iter().enumerate().fold(0, |sum, (i, root)| sum.wrapping_add(mix(i, root.term)));
        chain.seen.insert(chain.digest);
        chain
    }

    /// The logic that declarations and the terms of some commands need together.
    fn logic(&self, fixed: Logic, commands: &Range<usize>) -> Logic {
        let join = |all: Logic, root: &Root| all.join(self.facts.of(root.term).logic);
        let there = self.roots.iter().filter(|root| commands.contains(&(root.command as usize)));
        there.fold(fixed, join).settled()
    }

    /// The occurrence at the end of a path into the first term of a command.
    pub fn occurrence(&self, command: usize, way: Vec<u32>) -> Option<Occurrence> {
        let root = self.roots.iter().position(|root| root.command as usize == command)?;
        let (mut term, mut before) = (self.roots[root].term, self.roots[root].before);
        for &k in &way {
            let args = self.script.pool.args(term);
            let passed = args.get(..k as usize)?.iter().map(|&arg| self.nodes(arg));
            before += 1 + passed.sum::<u32>();
            term = *args.get(k as usize)?;
        }
        Some(Occurrence { root, way, before, term })
    }

    /// The state of the chain, for [`Chain::restore`]. Scripts that were seen are not part of it.
    pub fn save(&self) -> Saved {
        Saved {
            commands: self.script.commands.clone(),
            printed: self.printed.clone(),
            roots: self.roots.clone(),
            others: self.kept.iter().map(|kept| kept.other.clone()).collect(),
            edits: self.edits.clone(),
            digest: self.digest,
        }
    }

    /// Goes back to a saved state.
    pub fn restore(&mut self, saved: &Saved) {
        self.script.commands.clone_from(&saved.commands);
        self.printed.clone_from(&saved.printed);
        self.roots.clone_from(&saved.roots);
        for (kept, other) in self.kept.iter_mut().zip(&saved.others) {
            kept.other.clone_from(other);
        }
        (self.edits, self.digest) = (saved.edits.clone(), saved.digest);
    }

    /// How many sites there are.
    pub fn sites(&self) -> u64 {
        let sites = |root: &Root| u64::from(self.facts.of(root.term).sites);
        self.roots.iter().filter(|root| root.changes).map(sites).sum()
    }

    /// The site with this number, in the order of the text.
    pub fn site(&self, number: u64) -> Option<Occurrence> {
        let mut left = number;
        for (i, root) in self.roots.iter().enumerate().filter(|(_, root)| root.changes) {
            let sites = u64::from(self.facts.of(root.term).sites);
            if left < sites {
                return Some(self.below(i, left as u32));
            }
            left -= sites;
        }
        None
    }

    fn below(&self, root: usize, mut left: u32) -> Occurrence {
        let pool = &self.script.pool;
        let (mut term, mut before) = (self.roots[root].term, self.roots[root].before);
        let mut way = Vec::with_capacity(16);
        'down: loop {
            if self.facts.of(term).is_site {
                if left == 0 {
                    return Occurrence { root, way, before, term };
                }
                left -= 1;
            }
            before += 1;
            for (k, &arg) in pool.args(term).iter().enumerate() {
                let facts = self.facts.of(arg);
                if left < facts.sites {
                    way.push(k as u32);
                    term = arg;
                    continue 'down;
                }
                left -= facts.sites;
                before += facts.nodes;
            }
            unreachable!("the sites below a node are those of its arguments");
        }
    }

    /// The command of an occurrence.
    pub fn command(&self, at: &Occurrence) -> usize {
        self.roots[at.root].command as usize
    }

    /// The nodes above an occurrence, from the top, each with the number of the argument that leads to it.
    pub fn above(&self, at: &Occurrence) -> impl Iterator<Item = (TermId, usize)> {
        let pool = &self.script.pool;
        at.way.iter().scan(self.roots[at.root].term, |term, &k| {
            let here = *term;
            *term = pool.args(here)[k as usize];
            Some((here, k as usize))
        })
    }

    /// The variables that a definition binds around an occurrence.
    pub fn variables(&self, at: &Occurrence) -> &[smt::Binder] {
        let root = &self.roots[at.root];
        self.script.variables_of(root.command as usize, root.number as usize)
    }

    /// Replaces a term by another. If the new term does not fit or would change the meaning of numerals, nothing is changed and
    /// the result is false. `same_nodes` says that only a name changes in the text.
    pub fn change(
        &mut self,
        at: Occurrence,
        new: TermId,
        edit: impl FnOnce(Place) -> Edit,
        same_nodes: bool,
        is_site: IsSite,
    ) -> bool {
        let root = self.roots[at.root];
        let old_root = root.term;
        let Some(top) = put(&mut self.script.pool, root.term, &at.way, new) else { return false };
        self.facts.learn(&mut self.script.pool, is_site);
        self.roots[at.root].term = top;
        let (command, number) = (root.command as usize, root.number as usize);
        let bound = self.kept.iter().position(|kept| kept.promise.commands.contains(&command));
        let logic = bound.and_then(|i| {
            let Kept { promise, fixed, .. } = &self.kept[i];
            let used = self.logic(*fixed, &promise.commands);
            let other = promise.other(used);
            promise.admits(used, other.as_deref()).then_some(other)
        });
        let everything = 0..self.script.commands.len();
        let fenced = self.fence.is_none_or(|fence| fence.holds(self.logic(self.fixed, &everything)));
        if !fenced || bound.is_some() != logic.is_some() {
            self.roots[at.root].term = old_root;
            return false;
        }
        let set = self.script.set_term(command, number, top);
        debug_assert!(set, "the sort is the same");
        self.digest = self.digest.wrapping_sub(mix(at.root, old_root)).wrapping_add(mix(at.root, top));
        if let (Some(i), Some(logic)) = (bound, logic)
            && logic != self.kept[i].other
        {
            self.kept[i].other = logic;
            self.declare(i);
        }
        let nodes = |term: TermId| u64::from(self.nodes(term));
        // A new sort may have put conversions from Int to Real around it, which are nodes without a text.
        let alone = nodes(top) + nodes(at.term) == nodes(old_root) + nodes(new);
        let (node, pool) = (Node { command, before: at.before, term: at.term }, &self.script.pool);
        if !self.printed.has_nodes(command) || !alone {
            self.printed.reprint(&self.script, command);
            self.count_nodes(command);
        } else if same_nodes {
            self.printed.rename(pool, node, new);
        } else {
            self.printed.replace(pool, node, self.facts.of(at.term).nodes, new);
            self.count_nodes(command);
        }
        let place = Place { command: root.command, term: root.number, path: at.way };
        self.edits = self.edits.then(edit(place));
        true
    }

    fn count_nodes(&mut self, command: usize) {
        let mut before = 0;
        for root in self.roots.iter_mut().filter(|root| root.command as usize == command) {
            root.before = before;
            before += self.facts.of(root.term).nodes;
        }
    }

    /// Sets another logic, or the declared one again.
    fn declare(&mut self, kept: usize) {
        let Kept { promise, other, declared, .. } = &self.kept[kept];
        let command = promise.command;
        let (name, text) = match other {
            Some(name) => {
                let text = format!("(set-logic {name})").into_bytes();
                (self.script.pool.intern(name), text)
            }
            None => match self.seed.script().commands[command].what {
                What::SetLogic(name) => (name, declared.clone()),
                _ => return,
            },
        };
        self.script.commands[command].what = What::SetLogic(name);
        self.printed.set_command(command, &text);
    }

    /// Compares scripts by their text from now on.
    pub fn compare_texts(&mut self) {
        self.by_text = true;
        self.seen.insert(FxBuildHasher.hash_one(self.printed.text()));
    }

    /// Whether the script is new in this chain. The next time it is not.
    pub fn is_new(&mut self) -> bool {
        let digest = if self.by_text { FxBuildHasher.hash_one(self.printed.text()) } else { self.digest };
        self.seen.insert(digest)
    }

    /// The script as a case.
    pub fn case(&mut self) -> Case {
        let own = self.script.pool.term_count() - self.layer;
        // Layers grow with what is below them, so that there are never many.
        if own > LAYER.max(self.layer / 8) {
            let base = std::mem::take(&mut self.script.pool).freeze();
            self.script.pool = Pool::over(&base);
            self.layer = self.script.pool.term_count();
        }
        let lineage = Lineage {
            strategy: self.strategy.into(),
            seeds: vec![self.seed.name.clone()],
            edits: self.edits.clone(),
            ..Lineage::default()
        };
        let mut script = Script { source: self.printed.text().into(), ..self.script.clone() };
        self.printed.locate(&mut script.commands);
        Case { script, others: Vec::new(), claims: Vec::new(), lineage }
    }

    /// The size of the text in bytes.
    pub fn length(&self) -> usize {
        self.printed.text().len()
    }

    /// How many nodes a term has.
    pub fn nodes(&self, term: TermId) -> u32 {
        self.facts.of(term).nodes
    }
}
