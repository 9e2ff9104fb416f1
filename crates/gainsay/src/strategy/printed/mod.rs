//! Incremental printing: the text of a script that changes, at the cost of what changes.
//!
//! [`Printed`] is the text of a script with the places of its commands. Once a command is printed from its terms, the places of
//! its nodes are known, too, so that the text of one node can be replaced. A chain of mutants changes one [`Printed`] step by
//! step. Mutants that are all made from their seed are composed from the text of the seed and a list of [`Change`]s.

mod term_texts;
#[cfg(test)]
mod tests;

use std::ops::Range;

use smt::sexpr::{self, Extent};
use smt::{Command, Head, Pool, Script, Span, TermId};

pub(super) use term_texts::TermTexts;

/// The text of a script, and where its commands and nodes begin in it.
#[derive(Debug, Default)]
pub(super) struct Printed {
    text: Vec<u8>,
    /// By command: its place in the text.
    spans: Vec<Span>,
    /// By command that is printed from its terms: where its nodes begin in preorder, counted from the beginning of the command.
    starts: Vec<Option<Vec<u32>>>,
}

/// A node of a term of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The number of the command.
    pub command: usize,
    /// How many nodes of the command come before it.
    pub before: u32,
    /// The term that stands there.
    pub term: TermId,
}

/// A part of a command's text that another text takes the place of.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The number of the command.
    pub command: usize,
    /// The part, counted from the beginning of the command.
    pub part: Range<usize>,
    /// The other text, as a part of the text of everything that is new.
    pub new: Range<usize>,
}

impl Clone for Printed {
    fn clone(&self) -> Printed {
        let Printed { text, spans, starts } = self;
        Printed { text: text.clone(), spans: spans.clone(), starts: starts.clone() }
    }

    fn clone_from(&mut self, other: &Printed) {
        self.text.clone_from(&other.text);
        self.spans.clone_from(&other.spans);
        self.starts.clone_from(&other.starts);
    }
}

impl Printed {
    /// Prints a script. Commands that were read are copied from the source.
    pub fn of(script: &Script) -> Printed {
        let mut text = Vec::with_capacity(script.source.len() + 256);
        let mut spans = Vec::with_capacity(script.commands.len());
        for &command in &script.commands {
            let start = text.len() as u32;
            smt::write_command_to(script, command, &mut text);
            spans.push(Span { start, end: text.len() as u32 });
            text.push(b'\n');
        }
        Printed { text, starts: vec![None; spans.len()], spans }
    }

    /// The text of the script.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text of a command.
    pub fn command(&self, command: usize) -> &[u8] {
        let Span { start, end } = self.spans[command];
        &self.text[start as usize..end as usize]
    }

    /// Whether the places of the nodes of a command are known.
    pub fn has_nodes(&self, command: usize) -> bool {
        self.starts[command].is_some()
    }

    /// Tells commands where they are in this text.
    pub fn locate(&self, commands: &mut [Command]) {
        for (command, span) in commands.iter_mut().zip(&self.spans) {
            command.span = Some(*span);
        }
    }

    /// Prints a command from its terms, as the script has it now. From now on the places of its nodes are known.
    pub fn reprint(&mut self, script: &Script, command: usize) {
        let plain = Command { span: None, ..script.commands[command] };
        let mut starts = self.starts[command].take().unwrap_or_default();
        starts.clear();
        let mut text = Vec::new();
        smt::write_command_marked(script, plain, &mut text, &mut starts);
        self.starts[command] = Some(starts);
        self.set_command(command, &text);
    }

    /// Replaces the text of a command.
    pub fn set_command(&mut self, command: usize, text: &[u8]) {
        self.splice(command, self.spans[command], text);
    }

    /// The place of a node, counted from the beginning of its command. The places of the command's nodes must be known.
    pub fn place(&self, pool: &Pool, node: Node) -> Range<usize> {
        let start = self.starts_of(node.command)[node.before as usize] as usize;
        let mut leaf = node.term;
        while pool.node(leaf).head == Head::Coerce {
            leaf = pool.args(leaf)[0];
        }
        let length = match pool.args(leaf) {
            [] => pool.bytes(pool.node(leaf).name).len(),
            _ => {
                let from = self.spans[node.command].start as usize + start;
                match sexpr::extent(&self.text, from) {
                    Extent::Ends(end) => end - from,
                    Extent::Open => self.text.len() - from,
                }
            }
        };
        start..start + length
    }

    /// Replaces the text of a node, which has `count` nodes in all, by that of another term.
    pub fn replace(&mut self, pool: &Pool, node: Node, count: u32, new: TermId) {
        let place = self.place(pool, node);
        let (mut text, mut inner) = (Vec::new(), Vec::new());
        smt::write_term_marked(pool, new, &mut text, &mut inner);
        let moved = (text.len() as u32).wrapping_sub(place.len() as u32);
        let (first, last) = (node.before as usize, (node.before + count) as usize);
        let starts = self.starts[node.command].as_mut().expect("the places of its nodes are known");
        for later in &mut starts[last..] {
            *later = later.wrapping_add(moved);
        }
        starts.splice(first..last, inner.iter().map(|&inside| place.start as u32 + inside));
        self.splice(node.command, self.part(node.command, &place), &text);
    }

    /// Replaces the name of a node's operator or quantifier by that of another term with the same arguments.
    pub fn rename(&mut self, pool: &Pool, node: Node, new: TermId) {
        let name = |term: TermId| match pool.node(term).head {
            Head::Forall(_) => b"forall",
            Head::Exists(_) => b"exists",
            _ => pool.bytes(pool.node(term).name),
        };
        let (old, new) = (name(node.term), name(new));
        let starts = self.starts[node.command].as_mut().expect("the places of its nodes are known");
        let open = usize::from(!pool.args(node.term).is_empty());
        let start = starts[node.before as usize] as usize + open;
        if new.len() != old.len() {
            let moved = (new.len() as u32).wrapping_sub(old.len() as u32);
            for later in &mut starts[node.before as usize + 1..] {
                *later = later.wrapping_add(moved);
            }
        }
        self.splice(node.command, self.part(node.command, &(start..start + old.len())), new);
    }

    /// Writes into `page` the text that results from changes, and tells the commands of the mutant where they are in it. The
    /// changes are in the order of the text. Commands that they change are taken from `plain`, where they are printed from their
    /// terms; all others are copied from here. `new` is the text of everything that is new.
    pub fn compose(
        &self,
        plain: &Printed,
        (changes, new): (&[Change], &[u8]),
        commands: &mut [Command],
        page: &mut Vec<u8>,
    ) {
        page.clear();
        let (mut next, mut left) = (0, changes);
        while let Some(first) = left.first() {
            let command = first.command;
            let count = left.iter().take_while(|change| change.command == command).count();
            let (here, rest) = left.split_at(count);
            self.copy(next..command, commands, page);
            let start = page.len() as u32;
            let text = plain.command(command);
            let mut done = 0;
            for change in here {
                page.extend_from_slice(&text[done..change.part.start]);
                page.extend_from_slice(&new[change.new.clone()]);
                done = change.part.end;
            }
            page.extend_from_slice(&text[done..]);
            commands[command].span = Some(Span { start, end: page.len() as u32 });
            page.push(b'\n');
            (next, left) = (command + 1, rest);
        }
        self.copy(next..self.spans.len(), commands, page);
    }

    /// Copies the text of some commands, with the line ends after them, and tells the commands where they are.
    fn copy(&self, which: Range<usize>, commands: &mut [Command], page: &mut Vec<u8>) {
        let spans = &self.spans[which.clone()];
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        let moved = (page.len() as u32).wrapping_sub(first.start);
        for (command, span) in commands[which].iter_mut().zip(spans) {
            let (start, end) = (span.start.wrapping_add(moved), span.end.wrapping_add(moved));
            command.span = Some(Span { start, end });
        }
        page.extend_from_slice(&self.text[first.start as usize..=last.end as usize]);
    }

    fn starts_of(&self, command: usize) -> &[u32] {
        self.starts[command].as_deref().expect("the places of its nodes are known")
    }

    /// A part of a command as a part of the whole text.
    fn part(&self, command: usize, part: &Range<usize>) -> Span {
        let start = self.spans[command].start;
        Span { start: start + part.start as u32, end: start + part.end as u32 }
    }

    /// Replaces a part of a command's text.
    fn splice(&mut self, command: usize, part: Span, new: &[u8]) {
        replace_bytes(&mut self.text, part, new);
        let old = part.end - part.start;
        if old as usize == new.len() {
            return;
        }
        let moved = |at: u32| at.wrapping_add(new.len() as u32).wrapping_sub(old);
        self.spans[command].end = moved(self.spans[command].end);
        for span in &mut self.spans[command + 1..] {
            (span.start, span.end) = (moved(span.start), moved(span.end));
        }
    }
}

/// Replaces some bytes of a text by others, and moves all that follow at once.
fn replace_bytes(text: &mut Vec<u8>, part: Span, new: &[u8]) {
    let (start, end, length) = (part.start as usize, part.end as usize, text.len());
    let new_end = start + new.len();
    if new_end > end {
        text.resize(length + new_end - end, 0);
    }
    if new_end != end {
        text.copy_within(end..length, new_end);
    }
    text[start..new_end].copy_from_slice(new);
    text.truncate(length + new_end - end);
}
