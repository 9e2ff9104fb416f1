//! What releases did with numbered formulas: one row each, there once and for all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::Answer;
use crate::judge::Kind;
use crate::solver::id::SolverId;

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
    pub way: String,
    /// What the run came to: `answered`, `timed-out`, …; `unasked` if the release does not read the formula.
    pub outcome: String,
    /// How its process ended.
    pub ending: String,
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

/// How surely something is known to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Confirmed in fresh processes; it is a finding.
    Confirmed,
    /// Seen in a fresh process, with evidence; of its fingerprint there are findings enough.
    Counted,
    /// Seen, and then not again.
    Once,
}

impl Seen {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Seen::Confirmed => "confirmed",
            Seen::Counted => "counted",
            Seen::Once => "once",
        }
    }

    pub(super) fn of(word: &str) -> Result<Seen, String> {
        let all = [Seen::Confirmed, Seen::Counted, Seen::Once];
        all.into_iter()
            .find(|seen| seen.word() == word)
            .ok_or_else(|| format!("{word:?} is no word for how surely"))
    }
}

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongRow {
    /// What kind of thing.
    pub kind: Kind,
    /// How surely.
    pub seen: Seen,
    /// The operators of the formula, sorted, with blanks between.
    pub operators: String,
    /// In a sentence.
    pub summary: String,
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

/// The answer that a column has; none if it has none.
pub(super) fn answer_of(word: Option<&str>) -> Result<Option<Answer>, String> {
    let Some(word) = word else { return Ok(None) };
    let known = [Answer::Sat, Answer::Unsat, Answer::Unknown].into_iter().find(|a| a.word() == word);
    known.map(Some).ok_or_else(|| format!("{word:?} is no answer"))
}

/// The kind that a column has.
pub(super) fn kind_of(word: &str) -> Result<Kind, String> {
    serde_json::from_value(word.into()).map_err(|_| format!("{word:?} is no kind of finding"))
}
