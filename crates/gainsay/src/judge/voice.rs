//! The second voice: who besides our evaluator speaks against the accused.
//!
//! Our evaluator never convicts alone. A fault that rests on evaluation holds a [`SecondVoice`]. In this program a second voice
//! is only made from what a solver answered or what a proof checker said: its field is private, and every function that makes
//! one asks for a run. Reading a stored finding is the exception. A store or a file that somebody changed can hold a second
//! voice that nobody gave. `gainsay replay` and `gainsay recheck` ask the solvers again and do not believe the store.

use serde::{Deserialize, Serialize};

use super::language::speaks;
use super::trial::{Trial, answer_of};
use crate::case::Answer;
use crate::solver::{ProofEnd, Run, Solver, SolverId};

/// Somebody who speaks against the accused and is not our evaluator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecondVoice {
    speaker: Speaker,
}

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Speaker {
    /// The accused contradicts its own answer on something that follows by logic alone.
    Accused,
    /// Another solver.
    Other {
        /// The solver.
        by: SolverId,
    },
    /// A program that checks proofs and is no solver.
    Checker {
        /// Its name.
        name: String,
        /// The solver that made the proof.
        of: SolverId,
    },
}

impl SecondVoice {
    /// The accused, if its run on a script that follows from the check has the answer that contradicts it.
    pub fn of_accused(run: &Run, wanted: Answer) -> Option<SecondVoice> {
        (answer_of(run) == Some(wanted)).then_some(SecondVoice { speaker: Speaker::Accused })
    }

    /// Another solver, if its run on a script with nothing left to search has the wanted answer. Whoever gave a model does not
    /// confirm it, and no other release of its make does.
    pub fn of_other(
        other: &Solver,
        giver: Option<&Solver>,
        run: &Run,
        wanted: Answer,
    ) -> Option<SecondVoice> {
        let independent = giver.is_none_or(|giver| !same_make(giver, other));
        (independent && answer_of(run) == Some(wanted)).then(|| SecondVoice::other(other))
    }

    /// A solver of another make than the accused that has the wanted answer to the check itself, and to whom the check means
    /// what it means to us.
    pub fn of_check(trial: &Trial<'_>, accused: usize, check: usize, wanted: Answer) -> Option<SecondVoice> {
        let asserted = &trial.queries().get(check)?.assertions;
        let counts = |&(i, answer): &(usize, Answer)| {
            let solver = trial.solver(i);
            answer == wanted
                && !same_make(trial.solver(accused), solver)
                && speaks(solver, &trial.case.script.pool, asserted).is_ok()
        };
        let (other, _) = trial.answers(check).find(counts)?;
        Some(SecondVoice::other(trial.solver(other)))
    }

    /// The accused, if it gave two values for one operator at one point.
    pub fn of_two_values(first: &smt::HeardValue, second: &smt::HeardValue) -> Option<SecondVoice> {
        (first.point == second.point && first.value != second.value)
            .then_some(SecondVoice { speaker: Speaker::Accused })
    }

    /// A proof checker, if it accepts the proof that a solver gave with its unsat.
    pub fn of_proof(checker: &str, prover: &Solver, run: &Run, end: ProofEnd) -> Option<SecondVoice> {
        let (name, of) = (checker.to_owned(), prover.name.clone());
        (end == ProofEnd::Accepted && answer_of(run) == Some(Answer::Unsat))
            .then_some(SecondVoice { speaker: Speaker::Checker { name, of } })
    }

    fn other(solver: &Solver) -> SecondVoice {
        SecondVoice { speaker: Speaker::Other { by: solver.name.clone() } }
    }

    /// The voice of the accused, for tests of what comes after judging.
    #[cfg(test)]
    pub(crate) fn example() -> SecondVoice {
        SecondVoice { speaker: Speaker::Accused }
    }

    /// Who speaks.
    pub fn speaker(&self) -> &Speaker {
        &self.speaker
    }

    /// Whether the accused contradicts itself.
    pub fn is_accused(&self) -> bool {
        self.speaker == Speaker::Accused
    }
}

/// Whether two solvers are releases, builds or configurations of one make. Fake solvers with different plans are not.
pub fn same_make(one: &Solver, other: &Solver) -> bool {
    let told = |solver: &Solver| solver.profile.name != "any" && !solver.name.is_fake();
    if told(one) && told(other) {
        one.profile.name == other.profile.name
    } else {
        one.name.make() == other.name.make()
    }
}
