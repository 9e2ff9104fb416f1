//! The budget of deciding: how far each way may go.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How far the ways of deciding may go. It is part of a campaign, so that a verdict does not depend on the machine.
///
/// The defaults of all ways are here. Only a dispute costs anything, and disputes are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Other solvers that are asked about one script.
    pub others: usize,
    /// CPU time of one question to a witness, in milliseconds.
    pub witness_ms: u64,
    /// Rounds in which a solver is asked for values that its model leaves open.
    pub values: usize,
    /// Assignments of values to all symbols that one who says sat is asked.
    pub pins: usize,
    /// Values that a search may give to symbols.
    pub assignments: u64,
    /// Parts of the assertions that a solver is asked.
    pub parts: usize,
    /// Conditions that the formula is asked with.
    pub conditions: usize,
    /// Steps to an equivalent formula.
    pub steps: usize,
    /// Solvers that are asked for a proof.
    pub proofs: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            others: 6,
            witness_ms: 5_000,
            values: 4,
            pins: 3,
            assignments: 2_000_000,
            parts: 4,
            conditions: 8,
            steps: 2_000,
            proofs: 2,
        }
    }
}

/// A way of deciding, and what bounds it.
pub struct BoundedWay {
    /// Its name.
    pub way: &'static str,
    /// What is done.
    pub about: &'static str,
    /// What its budget counts, as it is written after `--decide`.
    pub unit: &'static str,
    get: fn(&Budget) -> u64,
    set: fn(&mut Budget, u64),
}

impl BoundedWay {
    /// How far it may go.
    pub fn of(&self, budget: &Budget) -> u64 {
        (self.get)(budget)
    }
}

/// A number as a machine has it.
fn small(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// All ways, from the cheapest, each with its part of a budget.
pub static BOUNDED_WAYS: &[BoundedWay] = &[
    BoundedWay {
        way: "models",
        about: "evaluate the models that were given, and those of witnesses; ask other solvers to confirm",
        unit: "others",
        get: |budget| budget.others as u64,
        set: |budget, number| budget.others = small(number),
    },
    BoundedWay {
        way: "values",
        about: "ask a solver that says `sat` for the values that its model leaves open",
        unit: "values",
        get: |budget| budget.values as u64,
        set: |budget, number| budget.values = small(number),
    },
    BoundedWay {
        way: "witnesses",
        about: "ask witnesses one after the other, each for so many milliseconds of CPU time",
        unit: "witness_ms",
        get: |budget| budget.witness_ms,
        set: |budget, number| budget.witness_ms = number,
    },
    BoundedWay {
        way: "search",
        about: "try all assignments of finite domains, and small values of infinite ones",
        unit: "assignments",
        get: |budget| budget.assignments,
        set: |budget, number| budget.assignments = number,
    },
    BoundedWay {
        way: "less",
        about: "ask a solver that says `sat` the core of one that says `unsat`",
        unit: "parts",
        get: |budget| budget.parts as u64,
        set: |budget, number| budget.parts = small(number),
    },
    BoundedWay {
        way: "equivalent",
        about: "ask everybody an equivalent formula, and whether it is one; if need be, other solvers every step",
        unit: "steps",
        get: |budget| budget.steps as u64,
        set: |budget, number| budget.steps = small(number),
    },
    BoundedWay {
        way: "split",
        about: "ask everybody the formula with a condition and with its negation",
        unit: "conditions",
        get: |budget| budget.conditions as u64,
        set: |budget, number| budget.conditions = small(number),
    },
    BoundedWay {
        way: "with values",
        about: "ask a solver that says `sat` a false assertion with values for all symbols",
        unit: "pins",
        get: |budget| budget.pins as u64,
        set: |budget, number| budget.pins = small(number),
    },
    BoundedWay {
        way: "proofs",
        about: "ask solvers for a proof; a program that is no solver checks it",
        unit: "proofs",
        get: |budget| budget.proofs as u64,
        set: |budget, number| budget.proofs = small(number),
    },
];

impl Budget {
    /// Nothing is tried beyond the models that were given.
    pub const NONE: Budget = Budget {
        others: 6,
        witness_ms: 5_000,
        values: 0,
        pins: 0,
        assignments: 0,
        parts: 0,
        conditions: 0,
        steps: 0,
        proofs: 0,
    };

    /// Much is tried, at a cost that only a few disputes are worth.
    pub const THOROUGH: Budget = Budget {
        others: 12,
        witness_ms: 30_000,
        values: 16,
        pins: 16,
        assignments: 50_000_000,
        parts: 16,
        conditions: 32,
        steps: 20_000,
        proofs: 4,
    };

    /// CPU time of one question to a witness.
    pub fn witness_time(&self) -> Duration {
        Duration::from_millis(self.witness_ms)
    }

    /// The budgets that have a name.
    pub fn named() -> [(&'static str, Budget); 3] {
        [("default", Budget::default()), ("none", Budget::NONE), ("thorough", Budget::THOROUGH)]
    }

    /// How many rounds of questions the ways can need for a trial of so many solvers: each condition is a round for each of them.
    pub fn rounds(&self, solvers: usize) -> usize {
        self.conditions.saturating_add(self.values).saturating_mul(solvers)
    }
}

impl FromStr for Budget {
    type Err = String;

    /// Reads `thorough`, or `assignments=5000000,parts=8`, or a name with changes after it.
    fn from_str(text: &str) -> Result<Budget, String> {
        let names = || Budget::named().map(|(name, _)| name).join(", ");
        let units = || BOUNDED_WAYS.iter().map(|way| way.unit).collect::<Vec<_>>().join(", ");
        let mut budget = Budget::default();
        for (i, part) in text.split(',').enumerate() {
            let Some((unit, number)) = part.split_once('=') else {
                let named = Budget::named().into_iter().find(|(name, _)| *name == part);
                let Some((_, named)) = named else {
                    return Err(format!("{part:?} is none of {}, and no change such as parts=8", names()));
                };
                if i > 0 {
                    return Err(format!("{part} stands first, and changes follow it"));
                }
                budget = named;
                continue;
            };
            let Some(way) = BOUNDED_WAYS.iter().find(|way| way.unit == unit) else {
                return Err(format!("{unit:?} is none of {}", units()));
            };
            let number = number.replace('_', "").parse();
            (way.set)(&mut budget, number.map_err(|_| format!("{part}: a whole number is wanted"))?);
        }
        Ok(budget)
    }
}

impl fmt::Display for Budget {
    /// Writes the name of a budget, or all of its parts; `from_str` reads it again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = Budget::named().iter().find(|(_, budget)| budget == self) {
            return f.write_str(name);
        }
        let parts = BOUNDED_WAYS.iter().map(|way| format!("{}={}", way.unit, way.of(self)));
        f.write_str(&parts.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_written() {
        let rows = [
            ("default", Ok(Budget::default())),
            ("none", Ok(Budget::NONE)),
            ("thorough", Ok(Budget::THOROUGH)),
            ("parts=4", Ok(Budget::default())),
            ("none,parts=8", Ok(Budget { parts: 8, ..Budget::NONE })),
            (
                "assignments=5_000_000,parts=8",
                Ok(Budget { assignments: 5_000_000, parts: 8, ..Budget::default() }),
            ),
            ("much", Err("\"much\" is none of default, none, thorough, and no change such as parts=8")),
            ("parts=8,none", Err("none stands first, and changes follow it")),
            (
                "seconds=8",
                Err(
                    "\"seconds\" is none of others, values, witness_ms, assignments, parts, steps, conditions, pins, proofs",
                ),
            ),
            ("parts=", Err("parts=: a whole number is wanted")),
            ("parts=-1", Err("parts=-1: a whole number is wanted")),
            ("", Err("\"\" is none of default, none, thorough, and no change such as parts=8")),
        ];
        for (text, expected) in rows {
            assert_eq!(text.parse::<Budget>(), expected.map_err(str::to_owned), "{text}");
            if let Ok(budget) = text.parse::<Budget>() {
                assert_eq!(budget.to_string().parse(), Ok(budget), "{text}");
            }
        }
        assert_eq!(Budget::NONE.to_string(), "none");
    }
}
