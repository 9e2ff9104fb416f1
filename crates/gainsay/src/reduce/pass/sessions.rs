//! Pass `sessions`: merges levels, drops levels whose assertions are asserted again, unwraps guards and asserts assumptions.

use smt::{Command, FunKind, Head, Script, TermId, What};

use crate::case::Place;
use crate::reduce::{Change, Pass};

/// Makes a session simpler without leaving out what it asks.
pub struct Sessions;

impl Pass for Sessions {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        match group {
            0 => Some(merged(script)),
            1 => Some(asserted_again(script)),
            2 => Some(unguarded(script)),
            3 => Some(asserted(script)),
            _ => None,
        }
    }
}

/// The `push` and `pop` commands of each level that one command opens and another closes.
fn levels(script: &Script) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (i, command) in script.commands.iter().enumerate() {
        match command.what {
            What::Push(1) => open.push(i),
            What::Pop(1) => {
                let Some(begin) = open.pop() else { return pairs };
                pairs.push((begin, i));
            }
            // Several levels at once are left to the pass that leaves commands out.
            What::Push(_) | What::Pop(_) => return pairs,
            What::Reset | What::ResetAssertions => open.clear(),
            _ => {}
        }
    }
    pairs
}

/// A `pop` and the next `push` left out: two levels become one.
fn merged(script: &Script) -> Vec<Change> {
    let ends = levels(script).into_iter().map(|(_, end)| end);
    let next = |end: usize| {
        let rest = script.commands.iter().enumerate().skip(end + 1);
        let mut rest = rest.skip_while(|(_, c)| !matches!(c.what, What::Push(_) | What::Pop(_)));
        rest.next().filter(|(_, c)| c.what == What::Push(1)).map(|(i, _)| i)
    };
    ends.filter_map(|end| Some(Change { drop: vec![end, next(end)?], ..Change::default() })).collect()
}

/// The `push` and `pop` of a level left out, with what is asserted again after it.
fn asserted_again(script: &Script) -> Vec<Change> {
    let asserted = |i: usize| match script.commands[i].what {
        What::Assert(term) => Some(term),
        _ => None,
    };
    let without = |(begin, end): (usize, usize)| {
        let inside: Vec<TermId> = (begin..end).filter_map(asserted).collect();
        let again =
            (end..script.commands.len()).filter(|&i| asserted(i).is_some_and(|t| inside.contains(&t)));
        Change { drop: [begin, end].into_iter().chain(again).collect(), ..Change::default() }
    };
    levels(script).into_iter().map(without).collect()
}

/// For each guard: what it guards is asserted without it, and it is assumed no more.
fn unguarded(script: &mut Script) -> Vec<Change> {
    let mut guards: Vec<TermId> = Vec::new();
    for command in &script.commands {
        let What::CheckSatAssuming(list) = command.what else { continue };
        for &term in script.pool.terms(list) {
            let is_constant = matches!(script.pool.node(term).head, Head::Fun(fun)
                if script.pool.fun(fun).kind == FunKind::Declared && script.pool.args(term).is_empty());
            if is_constant && !guards.contains(&term) {
                guards.push(term);
            }
        }
    }
    guards.into_iter().map(|guard| without_guard(script, guard)).collect()
}

fn without_guard(script: &mut Script, guard: TermId) -> Change {
    let mut change = Change::default();
    for i in 0..script.commands.len() {
        match script.commands[i].what {
            What::Assert(term) => {
                let pool = &script.pool;
                let is_implication =
                    matches!(pool.node(term).head, Head::Op(..)) && pool.text(pool.node(term).name) == "=>";
                if let [first, second] = *pool.args(term)
                    && is_implication
                    && first == guard
                {
                    let place = Place { command: i as u32, term: 0, path: Vec::new() };
                    change.put.push((place, second));
                }
            }
            What::CheckSatAssuming(list) => {
                let mut rest = script.pool.terms(list).to_vec();
                rest.retain(|term| *term != guard);
                let what = match rest.is_empty() {
                    true => What::CheckSat,
                    false => What::CheckSatAssuming(script.pool.term_list_id(&rest)),
                };
                change.what.push((i, what));
            }
            _ => {}
        }
    }
    change
}

/// The assumptions of a check asserted before it.
fn asserted(script: &Script) -> Vec<Change> {
    let mut changes = Vec::new();
    for (i, command) in script.commands.iter().enumerate() {
        let What::CheckSatAssuming(list) = command.what else { continue };
        let made = |what| Command { what, span: None };
        let mut plain = script.clone();
        let assumed = script.pool.terms(list).iter().map(|&term| made(What::Assert(term)));
        plain.commands.splice(i..=i, assumed.chain([made(What::CheckSat)]));
        changes.push(Change { text: Some(plain.text()), ..Change::default() });
    }
    changes
}
