//! What a campaign counts: each counter is a value, and its words are made where people read them.

use serde::{Deserialize, Serialize};

use crate::case::{Answer, Category, words};
use crate::judge::{Abstention, AuditVerdict, Foreign};
use crate::solver::id::SolverId;
use crate::solver::run::Outcome;

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Counter {
    /// Runs of a solver that had this outcome.
    Run(TurnOutcome),
    /// Runs of a solver with drawn options that had this outcome.
    RunWithOptions(TurnOutcome),
    /// Answers of a solver to tests of a category.
    Test {
        /// The category.
        category: Category,
        /// What the answers were.
        result: TestResult,
        /// Whether they were proved wrong.
        unsound: bool,
    },
    /// Times that an oracle abstained for this reason.
    Abstained(Abstention),
    /// Steps of approximations that were audited with this verdict.
    AuditedSteps(AuditVerdict),
    /// Places of steps that were audited with this verdict.
    AuditedPlaces(AuditVerdict),
    /// Series that ended before all of their turns were made.
    SeriesEnded(EarlyEnd),
    /// Cases that a series left out because they were there before.
    Duplicates,
    /// Complaints that match a pattern of the ignore list.
    Ignored,
    /// Complaints that only a warm run showed.
    WarmOnly,
    /// Complaints of a fingerprint of which enough findings are kept.
    Rationed,
    /// Turns that could not be made because this program failed.
    FailedTurns,
    /// Turns in which solvers said sat and unsat to one check, by what came of it.
    Difference(DifferenceEnd),
    /// Questions that solvers were asked to decide who is wrong.
    DecidingQuestions,
    /// Microseconds of CPU time that deciding who is wrong has taken, of solvers and of this program.
    DecidingMicros,
    /// Microseconds of wall time that all questions to solvers have taken.
    QuestionMicros,
    /// Microseconds of wall time of the questions that ran out of time.
    LateMicros,
    /// Questions that ran out of a time below the limit of the campaign, and were asked again with more.
    AskedHigher,
    /// Turns in which a solver was not asked because it fails on a seed of the series as it is.
    SeedFails,
    /// Turns in which a solver was not asked because it refused a seed of the series as it is.
    SeedRefused,
}

/// What came of a turn in which solvers said sat and unsat to one check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum DifferenceEnd {
    /// A solver is accused.
    Decided,
    /// The formula does not mean to a solver what the standard says.
    Explained {
        /// The solver.
        to: SolverId,
        /// The reason why the formula means something else to it.
        why: Foreign,
    },
    /// Our evaluation alone speaks against a solver.
    Unconfirmed,
    /// No way of deciding decided it.
    Undecided,
    /// It was not seen again in fresh processes.
    Vanished,
    /// No oracle of the campaign complains of it, or the complaint is on the ignore list.
    NotJudged,
}

impl Counter {
    /// The counter as a column of a store holds it.
    pub(super) fn column(&self) -> String {
        serde_json::to_string(self).expect("a counter is plain data")
    }

    /// The counter in a column of a store.
    pub(super) fn read(column: &str) -> Result<Counter, String> {
        serde_json::from_str(column).map_err(|e| format!("{column:?} is no counter: {e}"))
    }
}

/// The outcome of one solver in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnOutcome {
    /// The solver was not asked.
    Unasked,
    /// Its first answer.
    Said(Answer),
    /// Its run had this outcome and no answer.
    Other(Outcome),
}

impl TurnOutcome {
    /// All outcomes, each with its letter and its word.
    const ALL: [(TurnOutcome, char, &'static str); 12] = [
        (TurnOutcome::Unasked, '-', "not asked"),
        (TurnOutcome::Said(Answer::Sat), 's', "sat"),
        (TurnOutcome::Said(Answer::Unsat), 'u', "unsat"),
        (TurnOutcome::Said(Answer::Unknown), '?', "unknown"),
        (TurnOutcome::Other(Outcome::TimedOut), 'T', "time-out"),
        (TurnOutcome::Other(Outcome::OutOfMemory), 'M', "out of memory"),
        (TurnOutcome::Other(Outcome::Unruly), 'U', "unruly"),
        (TurnOutcome::Other(Outcome::SelfCheck), 'X', "self-check"),
        (TurnOutcome::Other(Outcome::Crashed), 'C', "crashed"),
        (TurnOutcome::Other(Outcome::Disturbed), 'D', "disturbed"),
        (TurnOutcome::Other(Outcome::Rejected), 'R', "rejected"),
        (TurnOutcome::Other(Outcome::Answered), 'A', "answered"),
    ];

    fn row(self) -> (TurnOutcome, char, &'static str) {
        let found = TurnOutcome::ALL.into_iter().find(|row| row.0 == self);
        found.expect("every outcome has a row")
    }

    /// Whether the solver decided the first check: it said `sat` or `unsat`.
    pub fn is_solved(self) -> bool {
        matches!(self, TurnOutcome::Said(Answer::Sat | Answer::Unsat))
    }

    /// Whether the solver said `unknown`.
    pub fn is_unknown(self) -> bool {
        self == TurnOutcome::Said(Answer::Unknown)
    }

    /// The letter that stands for it in the row of a turn.
    pub fn letter(self) -> char {
        self.row().1
    }

    /// The outcome that a letter stands for.
    pub fn of_letter(letter: char) -> Option<TurnOutcome> {
        TurnOutcome::ALL.into_iter().find(|row| row.1 == letter).map(|row| row.0)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        self.row().2
    }
}

/// The outcomes of all solvers in one turn.
pub type TurnOutcomes = Vec<TurnOutcome>;

/// The outcomes of turns, one after another. They are written as a letter for each solver, with blanks between turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Outcomes(pub Vec<TurnOutcomes>);

impl From<Outcomes> for String {
    fn from(outcomes: Outcomes) -> String {
        letters(&outcomes.0)
    }
}

impl TryFrom<String> for Outcomes {
    type Error = String;

    fn try_from(letters: String) -> Result<Outcomes, String> {
        read_letters(&letters).map(Outcomes)
    }
}

/// The outcomes of turns in letters.
pub(super) fn letters(turns: &[TurnOutcomes]) -> String {
    let mut letters = String::new();
    for (i, turn) in turns.iter().enumerate() {
        if i > 0 {
            letters.push(' ');
        }
        letters.extend(turn.iter().map(|outcome| outcome.letter()));
    }
    letters
}

/// The outcomes of turns that letters stand for.
pub(super) fn read_letters(letters: &str) -> Result<Vec<TurnOutcomes>, String> {
    let outcome = |letter: char| {
        TurnOutcome::of_letter(letter).ok_or_else(|| format!("{letter:?} is no outcome of a turn"))
    };
    letters.split(' ').map(|turn| turn.chars().map(outcome).collect()).collect()
}

/// What an answer to a test by construction counts as: the columns of the matrix, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestResult {
    /// A model that makes an assertion false.
    WrongModel,
    /// A core that is satisfiable.
    WrongCore,
    /// A core larger than the only minimal one.
    ImpreciseCore,
    /// The solver answered `sat`.
    Sat,
    /// The solver answered `unsat`.
    Unsat,
    /// The solver answered `unknown`.
    Unknown,
    /// The solver ran out of time.
    TimeOut,
    /// The solver gave no answer for another reason.
    Error,
    /// The solver was not asked.
    NotAsked,
}

words!(TestResult, "result of a test":
    WrongModel "wrong model",
    WrongCore "wrong core",
    ImpreciseCore "imprecise core",
    Sat "sat",
    Unsat "unsat",
    Unknown "unknown",
    TimeOut "time-out",
    Error "error",
    NotAsked "not asked",
);

/// Why a series ended before all of its turns were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EarlyEnd {
    /// Too many time-outs in a row.
    TimeOuts,
    /// Too many refusals in a row.
    Refusals,
    /// A finding.
    Findings,
    /// Every solver fails on a seed of the series as it is, or refuses it.
    FailingSeed,
    /// Every solver refuses a seed of the series as it is.
    RefusedSeed,
}

words!(EarlyEnd, "reason why a series ends":
    TimeOuts "time-outs",
    Refusals "refusals",
    Findings "findings",
    FailingSeed "a seed that fails",
    RefusedSeed "a seed that is refused",
);

/// What happened to a series besides its turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SeriesNote {
    /// It ended early.
    Ended(EarlyEnd),
    /// A turn of it could not be made because this program failed.
    Failed {
        /// The number of the turn.
        step: u32,
        /// What the program said, and where in its sources.
        error: String,
    },
}

/// A note as a column of a store holds it: empty for none.
pub(super) fn note_column(note: Option<&SeriesNote>) -> String {
    note.map_or_else(String::new, |note| serde_json::to_string(note).expect("a note is plain data"))
}

/// The note in a column of a store.
pub(super) fn read_note(column: &str) -> Result<Option<SeriesNote>, String> {
    if column.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(column).map(Some).map_err(|e| format!("{column:?} is no note of a series: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_as_they_were_written() {
        let counters = [
            (Counter::Run(TurnOutcome::Said(Answer::Sat)), r#"{"run":{"said":"sat"}}"#),
            (Counter::Run(TurnOutcome::Unasked), r#"{"run":"unasked"}"#),
            (Counter::RunWithOptions(TurnOutcome::Unasked), r#"{"run-with-options":"unasked"}"#),
            (
                Counter::Test { category: Category::LargerCore, result: TestResult::Unsat, unsound: true },
                r#"{"test":{"category":"larger-core","result":"unsat","unsound":true}}"#,
            ),
            (Counter::Abstained(Abstention::NoWitness), r#"{"abstained":{"type":"no-witness"}}"#),
            (Counter::AuditedSteps(AuditVerdict::Holds), r#"{"audited-steps":"holds"}"#),
            (Counter::SeriesEnded(EarlyEnd::TimeOuts), r#"{"series-ended":"time-outs"}"#),
            (Counter::Rationed, r#""rationed""#),
            (Counter::Difference(DifferenceEnd::Undecided), r#"{"difference":"undecided"}"#),
            (
                Counter::Difference(DifferenceEnd::Explained {
                    to: "z3@4.8.7".parse().expect("a name"),
                    why: Foreign::EightBitCharacters,
                }),
                r#"{"difference":{"explained":{"to":"z3@4.8.7","why":{"type":"eight-bit-characters"}}}}"#,
            ),
            (Counter::DecidingMicros, r#""deciding-micros""#),
            (Counter::LateMicros, r#""late-micros""#),
            (Counter::SeriesEnded(EarlyEnd::FailingSeed), r#"{"series-ended":"a seed that fails"}"#),
        ];
        for (counter, column) in counters {
            assert_eq!(counter.column(), column);
            assert_eq!(Counter::read(column).as_ref(), Ok(&counter));
        }
        for wrong in ["", "sat", r#""sat""#, r#"{"run":"saturn"}"#, r#"{"test":{"category":"odd"}}"#] {
            assert!(Counter::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_outcome_has_its_own_letter() {
        let answers = Answer::ALL.iter().map(|answer| TurnOutcome::Said(*answer));
        let others = Outcome::ALL.iter().map(|outcome| TurnOutcome::Other(*outcome));
        let all: Vec<TurnOutcome> = [TurnOutcome::Unasked].into_iter().chain(answers).chain(others).collect();
        for outcome in &all {
            assert_eq!(TurnOutcome::of_letter(outcome.letter()), Some(*outcome));
        }
        let turns = [all.clone(), vec![TurnOutcome::Unasked], all];
        assert_eq!(read_letters(&letters(&turns)).expect("letters"), turns);
        assert!(read_letters("su zz").is_err());
    }
}
