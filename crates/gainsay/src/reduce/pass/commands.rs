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
                        | What::SetSimplifier(_)
                        | What::Exit
                ) || what.is_output()
            })),
            1 => Some(of(script, |what| {
                matches!(
                    what,
                    What::Assert(_)
                        | What::AssertSoft(..)
                        | What::Optimize(..)
                        | What::Reset
                        | What::ResetAssertions
                        | What::Declare(..)
                        | What::Opaque(_)
                ) || what.is_check()
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
/// alone. Of `(push 2)`, one level may go and the other stay.
fn frames(script: &Script) -> Vec<Change> {
    // The open levels, by the command that opened them; of closed ones, also the command that closed them.
    let (mut open, mut pairs) = (Vec::<usize>::new(), Vec::<(usize, usize)>::new());
    let (mut inside, mut idle, mut unclosed) = (Vec::new(), Vec::new(), Vec::new());
    for (i, command) in script.commands.iter().enumerate() {
        match command.what {
            What::Push(0) | What::Pop(0) => idle.push(Change::dropping(i)),
            What::Push(count) if count <= MOST_LEVELS => open.extend((0..count).map(|_| i)),
            What::Pop(count) if count as usize <= open.len() => {
                let closed = open.split_off(open.len() - count as usize);
                // What was opened by one command alone goes with it.
                if let Some(&begin) = closed.first().filter(|begin| open.last() != Some(begin)) {
                    inside.push(Change { drop: (begin..=i).collect(), ..Change::default() });
                }
                pairs.extend(closed.into_iter().rev().map(|begin| (begin, i)));
            }
            What::Reset | What::ResetAssertions => unclosed.append(&mut open),
            // Levels without end, or more closed than opened.
            What::Push(_) | What::Pop(_) => return Vec::new(),
            _ => {}
        }
    }
    pairs.dedup();
    unclosed.append(&mut open);
    unclosed.dedup();
    let outside = pairs.iter().map(|&(a, b)| fewer(script, &[a, b]));
    let ends = pairs.iter().map(|&(_, b)| fewer(script, &[b]));
    let alone = unclosed.iter().map(|&i| fewer(script, &[i]));
    inside.into_iter().chain(outside).chain(ends).chain(alone).chain(idle).collect()
}

/// More levels than this in one command are left alone.
const MOST_LEVELS: u32 = 1000;

/// One level less of each of these commands.
fn fewer(script: &Script, commands: &[usize]) -> Change {
    let mut change = Change::default();
    for &i in commands {
        match script.commands[i].what {
            What::Push(count) if count > 1 => change.what.push((i, What::Push(count - 1))),
            What::Pop(count) if count > 1 => change.what.push((i, What::Pop(count - 1))),
            _ => change.drop.push(i),
        }
    }
    change
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
