//! The second voice: who besides our evaluator speaks against the accused.
//!
//! Our evaluator never convicts alone. A fault that rests on evaluation holds a [`SecondVoice`], and a second voice can only
//! be made from what a solver answered.

use serde::{Deserialize, Serialize};

use super::trial::{Trial, answer_of};
use crate::case::Answer;
use crate::solver::{Run, Solver, SolverId};

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

    /// A solver of another make than the accused that has the wanted answer to the check itself.
    pub fn of_check(trial: &Trial<'_>, accused: usize, check: usize, wanted: Answer) -> Option<SecondVoice> {
        let speaks = |&(i, answer): &(usize, Answer)| {
            answer == wanted && !same_make(trial.solver(accused), trial.solver(i))
        };
        let (other, _) = trial.answers(check).find(speaks)?;
        Some(SecondVoice::other(trial.solver(other)))
    }

    /// The accused, which gave two values for one operator at one point.
    pub fn of_two_values(first: &smt::HeardValue, second: &smt::HeardValue) -> SecondVoice {
        debug_assert!(first.point == second.point && first.value != second.value);
        SecondVoice { speaker: Speaker::Accused }
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
