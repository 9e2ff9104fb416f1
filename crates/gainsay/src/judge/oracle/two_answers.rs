//! Two answers of one solver to the same assertions: which of them is wrong, if that can be shown.

use crate::judge::complaint::Complaint;
use crate::judge::derived::Searched;
use crate::judge::language::speaks;
use crate::judge::probe::Questions;
use crate::judge::way::{Charge, charge, models, searched};
use crate::judge::{Evidence, Fault, KnownUnsat, SecondVoice, SelfContradiction, Trial};

/// Charges a solver that says unsat to a check with a model that another solver or a search gives.
pub(super) fn charge_with_any(
    trial: &Trial<'_>,
    check: usize,
    accused: usize,
    questions: &mut Questions<'_>,
) -> Charge {
    if let Some(given) = &models(trial, check).satisfying {
        return charge(trial, check, accused, given, questions);
    }
    match &*searched(trial, check) {
        Searched::Sat(given) => charge(trial, check, accused, given, questions),
        _ => Charge::Disputed(Vec::new()),
    }
}

/// The complaint that a sat is wrong because no assignment satisfies the check; none if that is not shown.
pub(super) fn exhausted(
    trial: &Trial<'_>,
    accused: usize,
    check: usize,
    voice: Option<SecondVoice>,
    evidence: &[Evidence],
) -> Option<Complaint> {
    let query = trial.queries().get(check)?;
    speaks(trial.solver(accused), &trial.case.script.pool, &query.assertions).ok()?;
    let Searched::Unsat { assignments } = *searched(trial, check) else { return None };
    let fault = Fault::WrongSat { known: KnownUnsat::ByExhaustion, voice: voice? };
    let mut evidence = evidence.to_vec();
    evidence.push(Evidence::Exhausted { check, assignments });
    Some(Complaint { fault, against: Some(accused), check: Some(check), evidence })
}

/// The complaint that two answers of a solver contradict each other.
pub(super) fn contradiction(
    accused: usize,
    check: usize,
    how: SelfContradiction,
    evidence: Vec<Evidence>,
) -> Complaint {
    let fault = Fault::ContradictsItself { how };
    Complaint { fault, against: Some(accused), check: Some(check), evidence }
}
