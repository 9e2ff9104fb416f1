//! A composer: makes cases from one script by replacing some of its terms, at the cost of what changes.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};
use smt::{Base, Pool, Script, TermId};

use super::printed::{Change, Node, Printed};
use crate::case::{Case, Claim, Edit, Edits, Lineage, Place, Rule, SeedName};

/// An occurrence of a term in the script of a composer.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    /// The command. It has one term.
    pub command: usize,
    /// The way to the occurrence from the top of the term.
    pub path: Vec<u32>,
    /// Its place in the text of the command.
    pub place: Range<usize>,
}

/// A term that takes the place of another.
pub(super) struct Replacement<'o> {
    /// The occurrence that is replaced.
    pub at: &'o Occurrence,
    /// The new term.
    pub term: TermId,
    /// The text of the old term.
    pub old: String,
    /// The text of the new term.
    pub new: String,
    /// Why it may stand there.
    pub rule: Rule,
}

/// Makes cases from one script.
pub(super) struct Composer {
    strategy: &'static str,
    seeds: Vec<SeedName>,
    base: Base,
    script: Script,
    /// The text of the script.
    printed: Printed,
    /// The same text, in which commands that may change are printed from their terms.
    plain: Printed,
    /// The script, as the one that the cases are made from.
    others: Vec<Arc<Script>>,
    seen: FxHashSet<u64>,
    /// Cases that were made before.
    pub skipped: u32,
    changes: Vec<Change>,
    text: Vec<u8>,
    page: Vec<u8>,
}

impl Composer {
    /// A composer for a script, some of whose commands may change.
    pub fn new(strategy: &'static str, script: Script, commands: &[usize], seeds: Vec<SeedName>) -> Composer {
        let printed = Printed::of(&script);
        let mut plain = printed.clone();
        for &command in commands {
            plain.reprint(&script, command);
        }
        let others = vec![Arc::new(script.clone())];
        let Script { pool, commands, source, notes, opaque } = script;
        let base = pool.freeze();
        let script = Script { pool: Pool::over(&base), commands, source, notes, opaque };
        Composer {
            strategy,
            seeds,
            base,
            script,
            printed,
            plain,
            others,
            seen: FxHashSet::default(),
            skipped: 0,
            changes: Vec::new(),
            text: Vec::new(),
            page: Vec::new(),
        }
    }

    /// The script that cases are made from.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The occurrence of a term at a path of a command that may change, before which there are so many nodes.
    pub fn occurrence(&self, node: Node, path: &[u32]) -> Occurrence {
        let place = self.plain.place(&self.script.pool, node);
        Occurrence { command: node.command, path: path.to_vec(), place }
    }

    /// A copy of the script that can be changed.
    pub fn fork(&self) -> Script {
        self.script.over(&self.base)
    }

    /// The case that replacements make of a copy of the script. They are in the order of the text and do not overlap. None if
    /// one does not fit, or if the case was made before.
    pub fn case(
        &mut self,
        mut script: Script,
        replacements: Vec<Replacement<'_>>,
        claims: &[Claim],
    ) -> Option<Case> {
        let mut edits = Edits::default();
        self.changes.clear();
        self.text.clear();
        for Replacement { at, term, old, new, rule } in replacements {
            let root = script.term_of(at.command, 0)?;
            let root = script.pool.replace(root, &at.path, term)?;
            if !script.set_term(at.command, 0, root) {
                return None;
            }
            let first = self.text.len();
            self.text.extend_from_slice(new.as_bytes());
            let (command, part) = (at.command, at.place.clone());
            self.changes.push(Change { command, part, new: first..self.text.len() });
            let place = Place { command: at.command as u32, term: 0, path: at.path.clone() };
            edits = edits.then(Edit { place, old, new, rule });
        }
        self.printed.compose(&self.plain, (&self.changes, &self.text), &mut script.commands, &mut self.page);
        if !self.seen.insert(FxBuildHasher.hash_one(&self.page)) {
            self.skipped += 1;
            return None;
        }
        script.source = self.page.as_slice().into();
        let lineage = self.lineage(edits);
        Some(Case { script, others: self.others.clone(), claims: claims.to_vec(), lineage })
    }

    /// The script as a case of its own, beside another script.
    pub fn unchanged(&self, other: Arc<Script>, claims: Vec<Claim>) -> Case {
        let script = Script::clone(&self.others[0]);
        Case { script, others: vec![other], claims, lineage: self.lineage(Edits::default()) }
    }

    fn lineage(&self, edits: Edits) -> Lineage {
        Lineage { strategy: self.strategy.into(), seeds: self.seeds.clone(), edits, ..Lineage::default() }
    }
}
