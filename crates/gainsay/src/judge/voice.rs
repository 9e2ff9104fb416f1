//! The second voice: who besides our evaluator speaks against the accused.
//!
//! Our evaluator never convicts alone. A fault that rests on evaluation holds a [`SecondVoice`]. In this program a second voice
//! is only made from what a solver answered or what a proof checker said: its field is private, and every function that makes
//! one asks for a run. Reading a stored finding is the exception. A store or a file that somebody changed can hold a second
//! voice that nobody gave. `gainsay replay` and `gainsay recheck` ask the solvers again and do not believe the store.

use serde::{Deserialize, Serialize};

use super::trial::{Trial, answer_of, reply_of};
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

    /// The accused, if its run on the same checks, asked in another way, has the answer to this one that contradicts it.
    pub fn of_check_in(run: &Run, check: usize, wanted: Answer) -> Option<SecondVoice> {
        let said = reply_of(run, check).map(|reply| reply.answer);
        (said == Some(wanted)).then_some(SecondVoice { speaker: Speaker::Accused })
    }

    /// Another solver, if its run on a script with nothing left to search has the wanted answer. Whoever gave a model does not
    /// confirm it, and no other release of its make and no solver of its family does.
    pub fn of_other(
        other: &Solver,
        giver: Option<&Solver>,
        run: &Run,
        wanted: Answer,
    ) -> Option<SecondVoice> {
        let independent = giver.is_none_or(|giver| !same_family(giver, other));
        (independent && answer_of(run) == Some(wanted)).then(|| SecondVoice::other(other))
    }

    /// A solver on trial of another family than the accused, if it has the wanted answer to the check itself.
    pub fn of_check(
        trial: &Trial<'_>,
        (accused, other): (usize, usize),
        check: usize,
        wanted: Answer,
    ) -> Option<SecondVoice> {
        let answer = trial.reply(other, check)?.answer;
        let other = trial.solver(other);
        (answer == wanted && !same_family(trial.solver(accused), other)).then(|| SecondVoice::other(other))
    }

    /// The accused, if its run says of one model that the arguments of two terms are equal and that the terms are not. The run
    /// was asked for the values of these equations, that of the terms last.
    pub fn of_unequal_values(run: &Run) -> Option<SecondVoice> {
        reply_of(run, 0).filter(|reply| reply.answer == Answer::Sat)?;
        let values = smt::read_values(run.reply.last_output()?).ok()?;
        let (terms, arguments) = values.split_last()?;
        let contradicts = terms.1 == "false" && arguments.iter().all(|(_, value)| value == "true");
        (contradicts && !arguments.is_empty()).then_some(SecondVoice { speaker: Speaker::Accused })
    }

    /// The accused, if it has the wanted answer to another check of the session, from which the contrary follows.
    pub fn of_session(
        trial: &Trial<'_>,
        accused: usize,
        check: usize,
        wanted: Answer,
    ) -> Option<SecondVoice> {
        let said = trial.reply(accused, check).map(|reply| reply.answer);
        (said == Some(wanted)).then_some(SecondVoice { speaker: Speaker::Accused })
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
///
/// The contrary answer of a solver of the same make is no denial.
pub fn same_make(one: &Solver, other: &Solver) -> bool {
    if is_told(one) && is_told(other) {
        one.profile.name == other.profile.name
    } else {
        one.name.make() == other.name.make()
    }
}

/// Whether two solvers are of one make, or of makes that share much of their code. They may share a fault, so that the one is no
/// second voice where the other speaks already. Its denial counts.
pub fn same_family(one: &Solver, other: &Solver) -> bool {
    let related = is_told(one) && is_told(other) && one.profile.family.is_some();
    same_make(one, other) || (related && one.profile.family == other.profile.family)
}

/// Whether the profile says who the solver is.
fn is_told(solver: &Solver) -> bool {
    solver.profile.name != "any" && !solver.name.is_fake()
}
