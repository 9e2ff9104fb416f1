//! Changes: what a pass would do to a script, as data, done by one function.

use smt::scope::Levels;
use smt::{Base, Command, FunId, Pool, Script, TermId, What};

use super::dead;
use crate::case::Place;

/// One change. Changes of one pass may be done together.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Commands that are left out.
    pub drop: Vec<usize>,
    /// Terms put in the place of others of the same sort.
    pub put: Vec<(Place, TermId)>,
    /// Commands that do something else.
    pub what: Vec<(usize, What)>,
    /// Constants declared before a command.
    pub declare: Vec<(usize, FunId)>,
    /// A whole text, which can be done only alone.
    pub text: Option<String>,
}

impl Change {
    /// A command left out.
    pub fn dropping(command: usize) -> Change {
        Change { drop: vec![command], ..Change::default() }
    }

    /// A term put in the place of another.
    pub fn putting(place: Place, new: TermId) -> Change {
        Change { put: vec![(place, new)], ..Change::default() }
    }

    /// A command that does something else.
    pub fn doing(command: usize, what: What) -> Change {
        Change { what: vec![(command, what)], ..Change::default() }
    }
}

/// A script whose pool no longer grows, so that candidates can stand on it.
pub struct Ground {
    base: Base,
    rest: Script,
}

impl Ground {
    /// The ground of a script and the terms that changes speak of.
    pub fn new(script: Script) -> Ground {
        let Script { pool, commands, source, notes, opaque } = script;
        let rest = Script { pool: Pool::new(), commands, source, notes, opaque };
        Ground { base: pool.freeze(), rest }
    }

    /// A script of its own that shares everything.
    fn fork(&self) -> Script {
        self.rest.over(&self.base)
    }

    /// The text of the script with these changes; with `prune`, without what is then declared and not used. None if a
    /// change cannot be done.
    pub fn changed<'c>(&self, changes: impl IntoIterator<Item = &'c Change>, prune: bool) -> Option<String> {
        let mut script = self.fork();
        let mut put: Vec<&(Place, TermId)> = Vec::new();
        let mut drop = Vec::new();
        let mut declare = Vec::new();
        for change in changes {
            if let Some(text) = &change.text {
                return Some(text.clone());
            }
            drop.extend_from_slice(&change.drop);
            put.extend(&change.put);
            declare.extend_from_slice(&change.declare);
            for &(command, what) in &change.what {
                *script.commands.get_mut(command)? = Command { what, span: None };
            }
        }
        put.sort_by(|a, b| key(&a.0).cmp(&key(&b.0)));
        let mut last: Option<&Place> = None;
        for (place, new) in put {
            // What is inside something that was replaced is no longer there.
            let inside = |outer: &Place| key(outer).0 == key(place).0 && place.path.starts_with(&outer.path);
            if last.is_some_and(inside) {
                continue;
            }
            let (command, number) = (place.command as usize, place.term as usize);
            let root = script.term_of(command, number)?;
            let root = script.pool.replace(root, &place.path, *new)?;
            if !script.set_term(command, number, root) {
                return None;
            }
            last = Some(place);
        }
        declare.sort_by_key(|(command, _)| *command);
        let mut known = Vec::new();
        declare.retain(|(_, fun)| {
            let new = !known.contains(fun);
            known.push(*fun);
            new
        });
        let mut commands = Vec::with_capacity(script.commands.len());
        for (i, command) in script.commands.iter().enumerate() {
            let new = declare.iter().filter(|(before, _)| *before == i);
            commands.extend(new.map(|&(_, fun)| Command { what: What::DeclareFun(fun), span: None }));
            if !drop.contains(&i) {
                commands.push(*command);
            }
        }
        script.commands = commands;
        if sinks(&script.commands) && !sinks(&self.rest.commands) {
            return None;
        }
        if prune {
            dead::prune(&mut script);
        }
        Some(script.text())
    }
}

/// Whether more levels are closed somewhere than are open: one level less of the same command, done twice, is one less.
fn sinks(commands: &[Command]) -> bool {
    let mut open = Levels::default();
    commands.iter().any(|command| {
        match command.what {
            What::Push(count) => open.push((), count),
            What::Pop(count) => return !open.pop(count.into()).1,
            What::Reset | What::ResetAssertions => open.clear(),
            _ => {}
        }
        false
    })
}

fn key(place: &Place) -> ((u32, u32), &[u32]) {
    ((place.command, place.term), &place.path)
}
