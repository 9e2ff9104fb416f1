//! What releases did with numbered formulas: one row each, there once and for all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::{Answer, words};
use crate::judge::{Fault, Kind};
use crate::solver::id::SolverId;
use crate::solver::run::{AskMode, Ending, Outcome};

/// A formula of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaRow {
    /// The grammar's name.
    pub grammar: String,
    /// Its number, in digits.
    pub number: String,
    /// Its size.
    pub size: u64,
    /// The script.
    pub text: String,
}

/// What a release did with a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRow {
    /// How it was asked.
    pub way: AskMode,
    /// The outcome of the run; none if it was not made because the release does not read the formula.
    pub outcome: Option<Outcome>,
    /// How its process ended; none if there was no run.
    pub ending: Option<Ending>,
    /// CPU time in microseconds; only a process of its own has one.
    pub cpu: Option<u64>,
    /// Wall time in microseconds.
    pub wall: u64,
    /// Its answer, if it gave one.
    pub answer: Option<Answer>,
    /// The model it printed, if that is kept.
    pub model: Option<String>,
    /// The machine it ran on; times are only compared within one. Empty if it was not kept.
    pub machine: String,
}

impl RunRow {
    /// The word for the outcome of a run that was not made.
    pub const UNASKED: &'static str = "unasked";

    /// The word for its outcome.
    pub fn outcome_word(&self) -> &'static str {
        self.outcome.map_or(RunRow::UNASKED, Outcome::word)
    }

    /// Its ending as a column of a store holds it.
    pub(super) fn ending_column(&self) -> String {
        serde_json::to_string(&self.ending).expect("an ending is plain data")
    }
}

/// How surely something is known to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Confirmed in fresh processes; it is a finding.
    Confirmed,
    /// Seen in a fresh process, with evidence; of its fingerprint there are findings enough.
    Counted,
    /// Seen, and then not again.
    Once,
}

words!(Seen, "degree of certainty": Confirmed "confirmed", Counted "counted", Once "once");

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongRow {
    /// What is wrong.
    pub fault: Fault,
    /// Whether the release is accused of it; else another solver may be wrong.
    pub accused: bool,
    /// How surely.
    pub seen: Seen,
    /// The operators of the formula, sorted.
    pub operators: Vec<String>,
}

impl WrongRow {
    /// What kind of thing is wrong.
    pub fn kind(&self) -> Kind {
        self.fault.kind()
    }

    /// Its fault as a column of a store holds it.
    pub(super) fn fault_column(&self) -> String {
        serde_json::to_string(&self.fault).expect("a fault is plain data")
    }

    /// Its operators as a column of a store holds them.
    pub(super) fn operators_column(&self) -> String {
        serde_json::to_string(&self.operators).expect("names are plain data")
    }
}

/// What a release did with a formula, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handed {
    /// The release.
    pub release: SolverId,
    /// What it did.
    pub run: RunRow,
    /// What is wrong with that.
    pub wrongs: Vec<WrongRow>,
}

/// All rows, for whoever makes tables of them.
#[derive(Clone, Debug, Default)]
pub struct AllRuns {
    /// Formulas by their ids.
    pub formulas: BTreeMap<u64, FormulaRow>,
    /// Runs by formula and release; without models.
    pub runs: BTreeMap<(u64, SolverId), RunRow>,
    /// What is wrong, by formula and release.
    pub wrongs: Vec<(u64, SolverId, WrongRow)>,
}
