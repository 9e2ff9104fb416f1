//! A chain: a script that changes step by step, at the cost of what each step changes.
//!
//! What is known of a node (how many sites are below it, what logic it needs) is kept by its number, so that a random site
//! is found by going down once. The text is kept, too: where a node begins in it is known, and a new operator is put there.

use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashSet};
use smt::sexpr::{self, Extent};
use smt::{Command, Head, Logic, Pool, Script, Sort, Span, TermId, What};

use super::splice::replace_bytes;
use crate::case::{Case, DeclaredLogic, Edit, Edits, Lineage, Place, put};
use crate::seed::Seed;

/// Nodes after which the pool of a chain is frozen, so that the next mutants share it instead of copying it.
const LAYER: u32 = 256;

/// What is known of a node and all below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Places below and here where something may be changed.
    pub sites: u32,
    /// Whether here is one.
    pub is_site: bool,
    nodes: u32,
    logic: Logic,
}

/// A term at the top of a command.
#[derive(Clone, Copy, Debug)]
struct Root {
    command: u32,
    number: u32,
    term: TermId,
    /// Nodes of the terms before it in the same command.
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

/// Whether a node is a place where something may be changed.
pub(super) type IsSite<'a> = &'a mut dyn FnMut(&mut Pool, TermId) -> bool;

/// A script that changes.
pub(super) struct Chain<'a> {
    seed: &'a Seed,
    strategy: &'static str,
    /// As it is now. Its commands' spans are places in `text`.
    pub script: Script,
    text: Vec<u8>,
    facts: Vec<Facts>,
    roots: Vec<Root>,
    /// By command: where its nodes begin, from its own beginning.
    marks: Vec<Option<Vec<u32>>>,
    layer: u32,
    kept: Vec<Kept>,
    fixed: Logic,
    edits: Edits,
    digest: u64,
    /// What no change may go beyond.
    pub fence: Option<Logic>,
    /// Whether different terms may have one text, so that only the text tells scripts apart.
    by_text: bool,
    seen: FxHashSet<u64>,
}

/// A promise that is kept.
#[derive(Clone)]
struct Kept {
    promise: DeclaredLogic,
    /// What its declarations use.
    fixed: Logic,
    /// The logic that is set in place of the seed's, if another is.
    other: Option<String>,
    /// The text of the command that sets the logic, as the seed has it.
    declared: Vec<u8>,
}

/// A chain as it once was; its terms stay in the pool.
pub(super) struct Saved {
    commands: Vec<Command>,
    text: Vec<u8>,
    roots: Vec<Root>,
    marks: Vec<Option<Vec<u32>>>,
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

impl<'a> Chain<'a> {
    pub fn new(strategy: &'static str, seed: &'a Seed, is_site: IsSite) -> Chain<'a> {
        let mut script = seed.fork();
        let keep = |promise: DeclaredLogic| {
            let fixed = Logic::of_declarations(&script, promise.commands.clone());
            Kept { promise, fixed, other: None, declared: Vec::new() }
        };
        let mut kept: Vec<Kept> = DeclaredLogic::all(&script).into_iter().map(keep).collect();
        let fixed = Logic::of_declarations(&script, 0..script.commands.len());
        let mut text = Vec::with_capacity(seed.size + 256);
        let mut roots = Vec::new();
        for i in 0..script.commands.len() {
            let start = text.len() as u32;
            smt::write_command_to(&script, script.commands[i], &mut text);
            let span = Some(Span { start, end: text.len() as u32 });
            if let Some(kept) = kept.iter_mut().find(|kept| kept.promise.command == i) {
                kept.declared = text[start as usize..].to_vec();
            }
            text.push(b'\n');
            let mut number = 0;
            // Assumptions must stay literals. How a function's sort is spelled means something to z3, and is not kept
            // when a definition is printed anew.
            let changes = match script.commands[i].what {
                What::CheckSatAssuming(_) => false,
                What::DefineFun(fun) => {
                    !matches!(script.pool.sort(script.pool.fun(fun).result), Sort::Function(_))
                }
                _ => true,
            };
            script.each_term(i, |term| {
                roots.push(Root { command: i as u32, number, term, before: 0, changes });
                number += 1;
            });
            script.commands[i].span = span;
        }
        let marks = vec![None; script.commands.len()];
        let layer = script.pool.term_count();
        let mut chain = Chain {
            seed,
            strategy,
            script,
            text,
            facts: Vec::with_capacity(layer as usize * 2),
            roots,
            marks,
            layer,
            kept,
            fixed,
            edits: Edits::default(),
            digest: 0,
            fence: None,
            by_text: false,
            seen: FxHashSet::default(),
        };
        chain.learn(is_site);
        for i in 1..chain.roots.len() {
            let last = chain.roots[i - 1];
            if last.command == chain.roots[i].command {
                chain.roots[i].before = last.before + chain.facts[last.term.index()].nodes;
            }
        }
        chain.digest =
            chain.roots.iter().enumerate().fold(0, |sum, (i, root)| sum.wrapping_add(mix(i, root.term)));
        chain.seen.insert(chain.digest);
        chain
    }

    /// Gathers the facts of nodes that are new.
    fn learn(&mut self, is_site: IsSite) {
        for term in self.script.pool.terms_from(self.facts.len()) {
            let is_site = is_site(&mut self.script.pool, term);
            let pool = &self.script.pool;
            let mut facts = Facts { sites: 0, is_site, nodes: 1, logic: Logic::of_node(pool, term) };
            let is_annotated = matches!(pool.node(term).head, Head::Annotated(_));
            for (k, arg) in pool.args(term).iter().enumerate() {
                let below = &self.facts[arg.index()];
                facts.nodes = facts.nodes.saturating_add(below.nodes);
                // Patterns are left alone: not every term can be one.
                if k == 0 || !is_annotated {
                    facts.sites = facts.sites.saturating_add(below.sites);
                }
                if Logic::counts(pool, term, k) {
                    facts.logic = facts.logic.join(below.logic);
                }
            }
            facts.sites = facts.sites.saturating_add(u32::from(is_site));
            self.facts.push(facts);
        }
    }

    /// What declarations and the terms of some commands use.
    fn logic(&self, fixed: Logic, commands: &Range<usize>) -> Logic {
        let join = |all: Logic, root: &Root| all.join(self.facts[root.term.index()].logic);
        let there = self.roots.iter().filter(|root| commands.contains(&(root.command as usize)));
        there.fold(fixed, join).settled()
    }

    /// The occurrence at the end of a way into the first term of a command.
    pub fn occurrence(&self, command: usize, way: Vec<u32>) -> Option<Occurrence> {
        let root = self.roots.iter().position(|root| root.command as usize == command)?;
        let (mut term, mut before) = (self.roots[root].term, self.roots[root].before);
        for &k in &way {
            let args = self.script.pool.args(term);
            let passed = args.get(..k as usize)?.iter().map(|arg| self.facts[arg.index()].nodes);
            before += 1 + passed.sum::<u32>();
            term = *args.get(k as usize)?;
        }
        Some(Occurrence { root, way, before, term })
    }

    /// The chain as it is now, to come back to. What was seen stays seen.
    pub fn save(&self) -> Saved {
        Saved {
            commands: self.script.commands.clone(),
            text: self.text.clone(),
            roots: self.roots.clone(),
            marks: self.marks.clone(),
            others: self.kept.iter().map(|kept| kept.other.clone()).collect(),
            edits: self.edits.clone(),
            digest: self.digest,
        }
    }

    /// Goes back to what was saved.
    pub fn restore(&mut self, saved: &Saved) {
        self.script.commands.clone_from(&saved.commands);
        self.text.clone_from(&saved.text);
        self.roots.clone_from(&saved.roots);
        self.marks.clone_from(&saved.marks);
        for (kept, other) in self.kept.iter_mut().zip(&saved.others) {
            kept.other.clone_from(other);
        }
        (self.edits, self.digest) = (saved.edits.clone(), saved.digest);
    }

    /// How many sites there are.
    pub fn sites(&self) -> u64 {
        let sites = |root: &Root| u64::from(self.facts[root.term.index()].sites);
        self.roots.iter().filter(|root| root.changes).map(sites).sum()
    }

    /// The site with this number, in the order of the text.
    pub fn site(&self, number: u64) -> Option<Occurrence> {
        let mut left = number;
        for (i, root) in self.roots.iter().enumerate().filter(|(_, root)| root.changes) {
            let sites = u64::from(self.facts[root.term.index()].sites);
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
            if self.facts[term.index()].is_site {
                if left == 0 {
                    return Occurrence { root, way, before, term };
                }
                left -= 1;
            }
            before += 1;
            for (k, &arg) in pool.args(term).iter().enumerate() {
                let facts = &self.facts[arg.index()];
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

    /// The nodes above an occurrence, from the top, each with the argument that leads on.
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

    /// Puts a term in the place of another. False, and nothing changed, if it does not fit or would make numerals mean
    /// something else. `same_nodes` says that only a name changes in the text.
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
        self.learn(is_site);
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
        let span = self.script.commands[command].span;
        let set = self.script.set_term(command, number, top);
        debug_assert!(set, "the sort is the same");
        self.script.commands[command].span = span;
        self.digest = self.digest.wrapping_sub(mix(at.root, old_root)).wrapping_add(mix(at.root, top));
        if let (Some(i), Some(logic)) = (bound, logic)
            && logic != self.kept[i].other
        {
            self.kept[i].other = logic;
            self.declare(i);
        }
        let nodes = |term: TermId| u64::from(self.facts[term.index()].nodes);
        // A new sort may have put steps from Int to Real around it, which are nodes without a text.
        let alone = nodes(top) + nodes(at.term) == nodes(old_root) + nodes(new);
        if self.marks[command].is_none() || !alone {
            self.print(command);
            self.count_nodes(command);
        } else if same_nodes {
            self.rename(command, &at, new);
        } else {
            self.rewrite(command, &at, new);
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
            before += self.facts[root.term.index()].nodes;
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
        let span = self.span(command);
        self.splice(command, span, &text);
    }

    fn span(&self, command: usize) -> Span {
        self.script.commands[command].span.expect("every command of a chain is in its text")
    }

    /// Puts the name of a node's new operator into the text.
    fn rename(&mut self, command: usize, at: &Occurrence, new: TermId) {
        let pool = &self.script.pool;
        let name = |term: TermId| match pool.node(term).head {
            Head::Forall(_) => b"forall",
            Head::Exists(_) => b"exists",
            _ => pool.bytes(pool.node(term).name),
        };
        let (old_length, new_name) = (name(at.term).len() as u32, name(new).to_vec());
        let marks = self.marks[command].as_mut().expect("looked at before");
        let open = u32::from(!pool.args(at.term).is_empty());
        let start = self.script.commands[command].span.map_or(0, |span| span.start);
        let start = start + marks[at.before as usize] + open;
        for mark in &mut marks[at.before as usize + 1..] {
            *mark = mark.wrapping_add(new_name.len() as u32).wrapping_sub(old_length);
        }
        self.splice(command, Span { start, end: start + old_length }, &new_name);
    }

    /// Puts the text of a new term in the place of another's.
    fn rewrite(&mut self, command: usize, at: &Occurrence, new: TermId) {
        let pool = &self.script.pool;
        let marks = self.marks[command].as_mut().expect("looked at before");
        let (first, last) = (at.before as usize, (at.before + self.facts[at.term.index()].nodes) as usize);
        let mark = marks[first];
        let start = self.script.commands[command].span.map_or(0, |span| span.start) + mark;
        let mut leaf = at.term;
        while pool.node(leaf).head == Head::Coerce {
            leaf = pool.args(leaf)[0];
        }
        let old_length = match pool.args(leaf) {
            [] => pool.bytes(pool.node(leaf).name).len(),
            _ => match sexpr::extent(&self.text, start as usize) {
                Extent::Ends(end) => end - start as usize,
                Extent::Open => self.text.len() - start as usize,
            },
        } as u32;
        let (mut text, mut inner) = (Vec::new(), Vec::new());
        smt::write_term_marked(pool, new, &mut text, &mut inner);
        let moved = (text.len() as u32).wrapping_sub(old_length);
        for later in &mut marks[last..] {
            *later = later.wrapping_add(moved);
        }
        marks.splice(first..last, inner.iter().map(|&inside| mark + inside));
        self.splice(command, Span { start, end: start + old_length }, &text);
    }

    /// Prints a command anew.
    fn print(&mut self, command: usize) {
        let plain = Command { span: None, ..self.script.commands[command] };
        let mut marks = self.marks[command].take().unwrap_or_default();
        marks.clear();
        let mut text = Vec::new();
        smt::write_command_marked(&self.script, plain, &mut text, &mut marks);
        self.marks[command] = Some(marks);
        self.splice(command, self.span(command), &text);
    }

    /// Puts other bytes in the place of a part of a command's text.
    fn splice(&mut self, command: usize, part: Span, new: &[u8]) {
        let old = part.end - part.start;
        replace_bytes(&mut self.text, part, new);
        let moved = |at: u32| at.wrapping_add(new.len() as u32).wrapping_sub(old);
        for (i, c) in self.script.commands.iter_mut().enumerate().skip(command) {
            if let Some(span) = &mut c.span {
                span.end = moved(span.end);
                if i > command {
                    span.start = moved(span.start);
                }
            }
        }
    }

    /// Tells scripts apart by their text alone.
    pub fn compare_texts(&mut self) {
        self.by_text = true;
        self.seen.insert(FxBuildHasher.hash_one(&self.text));
    }

    /// Whether the script as it is was there before in this chain; if not, it is from now on.
    pub fn is_new(&mut self) -> bool {
        let digest = if self.by_text { FxBuildHasher.hash_one(&self.text) } else { self.digest };
        self.seen.insert(digest)
    }

    /// The script as it is, as a case of its own.
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
        let script = Script { source: self.text.as_slice().into(), ..self.script.clone() };
        Case { script, others: Vec::new(), claims: Vec::new(), lineage }
    }

    /// Bytes of the text as it is.
    pub fn length(&self) -> usize {
        self.text.len()
    }

    /// How many nodes a term has.
    pub fn nodes(&self, term: TermId) -> u32 {
        self.facts[term.index()].nodes
    }
}
