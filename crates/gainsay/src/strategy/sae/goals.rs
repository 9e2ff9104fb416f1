//! Goals: whether each assertion of a seed may become weaker or stronger, by the answers to the checks that it is in scope of.

use smt::scope::Scoped;
use smt::{Script, What};

use super::rules::Direction;
use crate::case::{Answer, CheckRef, Claim};

/// The most levels of one `push` or `pop`. A script with more has no goals.
const MOST_LEVELS: u32 = 1000;

/// How the assertions of a seed may change, and what follows for its mutants.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Goals {
    /// By command: whether its assertion may become weaker or stronger.
    pub ways: Vec<Option<Direction>>,
    /// The claims about the seed (script 1) and a mutant (script 0).
    pub claims: Vec<Claim>,
}

impl Goals {
    /// The goals that follow from the answers to the checks of a seed. An assertion may become weaker if all answered checks
    /// that it is in scope of are `sat`, and stronger if all are `unsat`. The published technique treats every answer other
    /// than `sat` as `unsat`.
    pub fn of(script: &Script, answers: &[Answer]) -> Goals {
        let Some(seen) = seen(script) else { return Goals::default() };
        let opaque: Vec<bool> = script.queries().iter().map(|ask| ask.opaque).collect();
        let mut goals = Goals { ways: vec![None; script.commands.len()], claims: Vec::new() };
        let mut mixed = vec![false; script.commands.len()];
        for (check, commands) in seen.iter().enumerate() {
            let (way, claim) = match answers.get(check) {
                _ if opaque.get(check) != Some(&false) => continue,
                Some(Answer::Sat) => (Direction::Over, [1, 0]),
                Some(Answer::Unsat) => (Direction::Under, [0, 1]),
                _ => continue,
            };
            let [from, to] = claim.map(|script| CheckRef { script, check });
            goals.claims.push(Claim::SatImplies(from, to));
            for &command in commands {
                mixed[command] |= goals.ways[command].is_some_and(|known| known != way);
                goals.ways[command] = Some(way);
            }
        }
        for (way, mixed) in goals.ways.iter_mut().zip(mixed) {
            *way = way.filter(|_| !mixed);
        }
        goals
    }
}

/// By check: the commands whose assertions are in scope; none if there are too many levels.
fn seen(script: &Script) -> Option<Vec<Vec<usize>>> {
    let (mut seen, mut asserted) = (Vec::new(), Scoped::default());
    for (i, command) in script.commands.iter().enumerate() {
        match command.what {
            What::Assert(_) => asserted.add(i),
            What::Push(n) | What::Pop(n) if n > MOST_LEVELS => return None,
            what if what.is_check() => seen.push(asserted.items().to_vec()),
            What::Exit => break,
            what => drop(asserted.follow(what)),
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_move_as_the_checks_that_see_them_allow() {
        use Answer::{Sat, Unknown, Unsat};
        let script = smt::read(
            b"(declare-const p Bool)(assert p)(push 1)(assert p)(check-sat)(pop 1)(push 1)(assert p)(check-sat)
              (pop 1)(assert p)(check-sat)(assert p)",
        )
        .expect("well-sorted");
        let (over, under) = (Some(Direction::Over), Some(Direction::Under));
        // The assertions of commands 1, 3, 7, 10 and 12, seen by checks 0 and 1 and 2, 0, 1, 2, and none.
        type Row<'a> = (&'a [Answer], [Option<Direction>; 5], usize);
        let rows: &[Row] = &[
            (&[Sat, Sat, Sat], [over, over, over, over, None], 3),
            (&[Unsat, Unsat, Unsat], [under, under, under, under, None], 3),
            (&[Sat, Unsat, Sat], [None, over, under, over, None], 3),
            (&[Sat, Unknown, Sat], [over, over, None, over, None], 2),
            (&[Unknown, Unknown, Unsat], [under, None, None, under, None], 1),
            (&[Unknown, Unknown, Unknown], [None; 5], 0),
            (&[], [None; 5], 0),
        ];
        for (answers, ways, claims) in rows {
            let goals = Goals::of(&script, answers);
            assert_eq!([1, 3, 7, 10, 12].map(|command| goals.ways[command]), *ways, "{answers:?}");
            assert_eq!(goals.claims.len(), *claims, "{answers:?}");
        }
        let goals = Goals::of(&script, &[Sat, Unsat]);
        let ask = |script, check| CheckRef { script, check };
        let claims = [Claim::SatImplies(ask(1, 0), ask(0, 0)), Claim::SatImplies(ask(0, 1), ask(1, 1))];
        assert_eq!(goals.claims, claims);
    }
}
