//! Passes `commands`, `only` and `declarations`: leave commands out; ask a plain question instead of a special one.

use smt::{Script, What};

use crate::reduce::dead::dead;
use crate::reduce::{Change, Pass};

/// Leaves commands out: first what changes no answer, then assertions and checks, then levels.
pub struct Commands;

impl Pass for Commands {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        match group {
            0 => Some(of(script, |what| {
                matches!(
                    what,
                    What::SetInfo(..)
                        | What::SetOption(..)
                        | What::SetLogic(_)
                        | What::GetValue(_)
                        | What::Ask(..)
                        | What::Other(_)
                        | What::Exit
                )
            })),
            1 => Some(of(script, |what| {
                matches!(
                    what,
                    What::Assert(_)
                        | What::AssertSoft(..)
                        | What::Optimize(..)
                        | What::CheckSat
                        | What::CheckSatAssuming(_)
                        | What::CheckSatUsing(_)
                        | What::Reset
                        | What::ResetAssertions
                        | What::Opaque(_)
                )
            })),
            2 => Some(frames(script)),
            3 => Some(plain(script)),
            _ => None,
        }
    }
}

fn of(script: &Script, wanted: impl Fn(What) -> bool) -> Vec<Change> {
    let commands = script.commands.iter().enumerate();
    commands.filter(|(_, c)| wanted(c.what)).map(|(i, _)| Change::dropping(i)).collect()
}

/// Each level with all that is inside, then only its `push` and `pop`, then only its `pop`. A `push` that is never popped goes
/// alone.
fn frames(script: &Script) -> Vec<Change> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (i, command) in script.commands.iter().enumerate() {
        match command.what {
            What::Push(1) => open.push(i),
            What::Push(_) | What::Reset | What::ResetAssertions => open.clear(),
            What::Pop(1) => pairs.extend(open.pop().map(|begin| (begin, i))),
            What::Pop(_) => return Vec::new(),
            _ => {}
        }
    }
    let inside = pairs.iter().map(|&(a, b)| Change { drop: (a..=b).collect(), ..Change::default() });
    let outside = pairs.iter().map(|&(a, b)| Change { drop: vec![a, b], ..Change::default() });
    let ends = pairs.iter().map(|&(_, b)| Change::dropping(b));
    inside.chain(outside).chain(ends).chain(open.iter().map(|&i| Change::dropping(i))).collect()
}

/// A plain `check-sat` instead of one with a tactic or assumptions, and fewer assumptions.
fn plain(script: &mut Script) -> Vec<Change> {
    let mut changes = Vec::new();
    for i in 0..script.commands.len() {
        match script.commands[i].what {
            What::CheckSatUsing(_) => changes.push(Change::doing(i, What::CheckSat)),
            What::CheckSatAssuming(list) => {
                changes.push(Change::doing(i, What::CheckSat));
                let terms = script.pool.terms(list).to_vec();
                for k in 0..terms.len() {
                    let rest: Vec<_> =
                        terms.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, t)| *t).collect();
                    let rest = script.pool.term_list_id(&rest);
                    changes.push(Change::doing(i, What::CheckSatAssuming(rest)));
                }
            }
            _ => {}
        }
    }
    changes
}

/// Leaves all assertions out but one. Where each seems to be needed, often none is: what a solver does is not monotone, and one
/// alone is as wrong as all.
pub struct Only;

/// Of more assertions each is not worth a question of its own.
const FEW: usize = 8;

impl Pass for Only {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let all = of(script, |what| matches!(what, What::Assert(_)));
        // Of two, leaving out one is leaving all out but the other.
        if !(3..=FEW).contains(&all.len()) {
            return Some(Vec::new());
        }
        let others =
            |k: usize| all.iter().enumerate().filter(move |(i, _)| *i != k).flat_map(|(_, c)| c.drop.clone());
        // The last are what somebody wrote down after all the rest.
        Some(
            (0..all.len()).rev().map(|k| Change { drop: others(k).collect(), ..Change::default() }).collect(),
        )
    }
}

/// Leaves out what is declared and not used, where it does not go with every change.
pub struct Declarations;

impl Pass for Declarations {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        (group == 0).then(|| dead(script).into_iter().map(Change::dropping).collect())
    }
}
