//! Ways of deciding who is wrong when solvers contradict each other about a check, from the cheapest to the dearest.
//!
//! `docs/decisions/0021-who-may-be-accused.md` has the two laws. Each way is a file.

mod equivalent;
mod less;
mod proof;
mod satisfied;
mod search;
mod split;
mod values;
mod with_values;

use super::complaint::Complaint;
use super::evidence::Evidence;
use super::fault::{Fault, Suspicion};
use super::kind::Kind;
use super::language::speaks;
use super::probe::Questions;
use super::trial::Trial;
use crate::case::Answer;

pub use equivalent::equivalent_of;
pub use satisfied::{Charge, charge, charge_for, is_plain, models, read_model, satisfies, wrong_unsat};
pub use search::{searched, searched_script};
pub use values::{Refutation, refuted};
pub use with_values::with_values;

/// Contradicting answers to one check.
pub struct Dispute<'d, 't> {
    /// The trial.
    pub trial: &'d Trial<'t>,
    /// The number of the check.
    pub check: usize,
    /// What is asserted there.
    pub query: &'d smt::Query,
    /// Those who say sat and to whom the formula means what it means to us.
    pub sat: Vec<usize>,
    /// Those who say unsat and to whom the formula means what it means to us.
    pub unsat: Vec<usize>,
}

/// What came of one way.
pub enum Came {
    /// Questions are open.
    Asking,
    /// Somebody is accused or suspected.
    Complaints(Vec<Complaint>),
    /// It did not decide. The evidence says what was tried.
    Nothing(Vec<Evidence>),
}

/// What comes of an answer or a model that is wrong by our evaluation.
pub enum Reviewed {
    /// Questions are open.
    Asking,
    /// The accused is wrong, or our evaluation alone says so.
    Complaint(Box<Complaint>),
    /// A solver of another make says that the accused is right, or nothing speaks against it.
    Defended,
}

impl Reviewed {
    /// A complaint.
    pub fn complaint(complaint: Complaint) -> Reviewed {
        Reviewed::Complaint(Box::new(complaint))
    }
}

/// A way of deciding.
type Way = fn(&Dispute<'_, '_>, &mut Questions<'_>) -> Came;

/// All ways, from the cheapest.
const WAYS: &[Way] = &[
    satisfied::try_models,
    values::try_values,
    search::try_all,
    less::try_parts,
    equivalent::try_equivalent,
    split::try_halves,
    // It shows that a solver is wrong, but on the formula with values. The others speak of the formula itself.
    with_values::try_assignments,
    proof::try_proofs,
];

impl<'d, 't> Dispute<'d, 't> {
    /// The dispute about a check, with those who speak its language.
    pub fn of(trial: &'d Trial<'t>, check: usize) -> Option<Dispute<'d, 't>> {
        let query = trial.queries().get(check)?;
        let pool = &trial.case.script.pool;
        let mut dispute = Dispute { trial, check, query, sat: Vec::new(), unsat: Vec::new() };
        for (solver, answer) in trial.answers(check) {
            if speaks(trial.solver(solver), pool, &query.assertions).is_err() {
                continue;
            }
            match answer {
                Answer::Sat => dispute.sat.push(solver),
                Answer::Unsat => dispute.unsat.push(solver),
                Answer::Unknown => {}
            }
        }
        Some(dispute)
    }

    /// A complaint against one of them.
    fn against(&self, accused: usize, fault: Fault, evidence: Vec<Evidence>) -> Complaint {
        Complaint { fault, against: Some(accused), check: Some(self.check), evidence }
    }

    /// That our evaluation alone speaks against one of them.
    fn unconfirmed(&self, suspect: usize, of: Suspicion, evidence: Vec<Evidence>) -> Complaint {
        self::suspect(self.trial, (suspect, self.check), of, evidence)
    }

    /// What those say who answer the check, as evidence.
    fn answers(&self) -> Vec<Evidence> {
        let one = |(i, answer)| Evidence::Answered {
            by: self.trial.solver(i).name.clone(),
            check: self.check,
            answer,
        };
        self.trial.answers(self.check).map(one).collect()
    }
}

/// The complaint that our evaluation alone speaks against a solver. It accuses nobody.
pub fn suspect(
    trial: &Trial<'_>,
    (suspect, check): (usize, usize),
    of: Suspicion,
    evidence: Vec<Evidence>,
) -> Complaint {
    let suspect = trial.solver(suspect).name.clone();
    Complaint { fault: Fault::Unconfirmed { suspect, of }, against: None, check: Some(check), evidence }
}

/// Tries the ways in order until one shows that an answer is wrong.
///
/// A wrong model does not end it: the answer itself may be wrong, which is worse. If no way accuses anybody, what is said
/// without a second voice is returned; if that is nothing, only what was tried.
pub fn decide(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let (mut suspected, mut tried) = (Vec::new(), Vec::new());
    let mut models: Vec<Complaint> = Vec::new();
    for way in WAYS {
        match way(dispute, questions) {
            Came::Asking => return Came::Asking,
            Came::Nothing(evidence) => tried.extend(evidence),
            Came::Complaints(complaints) => {
                let (accusing, rest): (Vec<_>, Vec<_>) =
                    complaints.into_iter().partition(|complaint| complaint.against.is_some());
                suspected.extend(rest);
                let (wrong_models, answers): (Vec<_>, Vec<_>) =
                    accusing.into_iter().partition(|complaint| complaint.kind() == Kind::WrongModel);
                models.extend(wrong_models);
                if !answers.is_empty() {
                    return Came::Complaints(with_models(answers, models));
                }
            }
        }
    }
    if !models.is_empty() {
        return Came::Complaints(models);
    }
    if suspected.is_empty() {
        return Came::Nothing(tried);
    }
    for complaint in &mut suspected {
        complaint.evidence.extend(tried.iter().cloned());
    }
    Came::Complaints(suspected)
}

/// Complaints of answers, each with what is known of the model of the accused, and complaints of the models of others.
fn with_models(mut answers: Vec<Complaint>, models: Vec<Complaint>) -> Vec<Complaint> {
    for model in models {
        match answers.iter_mut().find(|answer| answer.against == model.against) {
            Some(answer) => answer.evidence.extend(model.evidence),
            None => answers.push(model),
        }
    }
    answers
}
