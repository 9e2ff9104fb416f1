//! What was asked of formulas that have an order, such as those of a grammar.

use std::collections::BTreeMap;

use super::{Reader, StoreError, TurnOutcome, TurnOutcomes};
use crate::solver::id::SolverId;
use crate::solver::run::Outcome;

/// What was asked of the formulas of one grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumerated {
    /// The name of the grammar.
    pub grammar: String,
    /// How many formulas were asked from the first on, with nothing left out.
    pub first: u64,
    /// How many later formulas were asked.
    pub later: u64,
    /// The parts that ended before all of their formulas were asked, by number, from 0.
    pub cut: Vec<u64>,
    /// What became of the questions to each solver.
    pub solvers: BTreeMap<SolverId, Unanswered>,
}

/// Questions to a solver that have no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unanswered {
    /// Those that ran out of time.
    pub late: u64,
    /// Those that the solver refused.
    pub refused: u64,
    /// Formulas that it was not asked, because it does not read an operator in them.
    pub unasked: u64,
}

/// A part of the formulas of a grammar, as far as it was asked.
struct Part {
    turns: u64,
    ended: bool,
    cut: bool,
}

/// The parts of a grammar that were begun, by number.
type Parts = BTreeMap<u64, Part>;

impl Enumerated {
    /// What was asked in a campaign. `part_of` says of a series to which grammar it belongs, and which part of it it is, from 0.
    pub fn of(
        store: &dyn Reader,
        solvers: &[SolverId],
        part_of: impl Fn(u64) -> Option<(String, u64)>,
    ) -> Result<Vec<Enumerated>, StoreError> {
        let mut grammars: BTreeMap<String, (Parts, BTreeMap<SolverId, Unanswered>)> = BTreeMap::new();
        for row in store.series()? {
            let Some((grammar, place)) = part_of(row.no) else { continue };
            let part = Part { turns: u64::from(row.turns), ended: row.ended, cut: row.note.is_some() };
            grammars.entry(grammar).or_default().0.insert(place, part);
        }
        if grammars.is_empty() {
            return Ok(Vec::new());
        }
        for (no, _, turns) in store.outcomes()? {
            let Some((_, counts)) = part_of(no).and_then(|(grammar, _)| grammars.get_mut(&grammar)) else {
                continue;
            };
            for turn in &turns {
                count(counts, solvers, turn);
            }
        }
        let one = |(grammar, (parts, solvers))| Enumerated { grammar, solvers, ..asked(&parts) };
        Ok(grammars.into_iter().map(one).collect())
    }
}

/// Counts the outcomes of a turn.
fn count(counts: &mut BTreeMap<SolverId, Unanswered>, solvers: &[SolverId], turn: &TurnOutcomes) {
    for (solver, outcome) in solvers.iter().zip(turn) {
        let counts = counts.entry(solver.clone()).or_default();
        match outcome {
            TurnOutcome::Other(Outcome::TimedOut) => counts.late += 1,
            TurnOutcome::Other(Outcome::Rejected) => counts.refused += 1,
            TurnOutcome::Unasked => counts.unasked += 1,
            _ => {}
        }
    }
}

/// How many formulas were asked, given the parts of a grammar that were begun.
fn asked(parts: &Parts) -> Enumerated {
    let mut told = Enumerated::default();
    let mut is_whole = true;
    for (n, (place, part)) in parts.iter().enumerate() {
        is_whole &= *place == n as u64;
        if is_whole {
            told.first += part.turns;
        } else {
            told.later += part.turns;
        }
        is_whole &= part.ended && !part.cut;
        if part.cut {
            told.cut.push(*place);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Answer;

    #[test]
    fn what_follows_a_gap_is_not_among_the_first() {
        // Parts: place, turns, whether it ended, whether it was cut. Then how many of the first, how many later, and what is cut.
        type Row<'a> = (&'a [(u64, u64, bool, bool)], u64, u64, &'a [u64]);
        let rows: &[Row] = &[
            (&[], 0, 0, &[]),
            (&[(0, 10, false, false)], 10, 0, &[]),
            (&[(0, 1000, true, false), (1, 400, false, false)], 1400, 0, &[]),
            (&[(0, 1000, false, false), (1, 400, false, false)], 1000, 400, &[]),
            (&[(0, 1000, true, false), (2, 1000, true, false)], 1000, 1000, &[]),
            (&[(1, 7, true, false)], 0, 7, &[]),
            (&[(0, 12, true, true), (1, 1000, true, false)], 12, 1000, &[0]),
        ];
        for (parts, first, later, cut) in rows {
            let parts = parts.iter().map(|&(n, turns, ended, cut)| (n, Part { turns, ended, cut })).collect();
            let told = asked(&parts);
            assert_eq!((told.first, told.later, &*told.cut), (*first, *later, *cut));
        }
    }

    #[test]
    fn what_has_no_answer_is_counted_for_its_solver() {
        let solvers: [SolverId; 2] = ["z3@4.8.7", "cvc4@1.8"].map(|name| name.parse().expect("a name"));
        let (late, refused) = (TurnOutcome::Other(Outcome::TimedOut), TurnOutcome::Other(Outcome::Rejected));
        let sat = TurnOutcome::Said(Answer::Sat);
        let mut counts = BTreeMap::new();
        for turn in [vec![sat, refused], vec![late, refused], vec![sat, TurnOutcome::Unasked]] {
            count(&mut counts, &solvers, &turn);
        }
        assert_eq!(counts[&solvers[0]], Unanswered { late: 1, ..Unanswered::default() });
        assert_eq!(counts[&solvers[1]], Unanswered { late: 0, refused: 2, unasked: 1 });
    }
}
