//! The definition of a study, and its definition in a store.

use crate::campaign::spec::{RoleSpec, StudySpec, WorkSpec};
use crate::campaign::{CampaignSpec, Subject};
use crate::judge::oracle::usual_and;
use crate::solver::{AskMode, Limits, Solver};
use crate::store::{Address, Place, Postgres, StoreError};
use crate::study::error::StudyError;
use crate::study::machine::same_program;
use crate::study::solvers::SolverFinder;

/// The roles of subjects in a definition.
pub fn roles(subjects: &[Subject]) -> Vec<RoleSpec> {
    let role = |subject: &Subject| RoleSpec {
        studied: subject.studied,
        references: subject.references.clone(),
        lasting: subject.lasting,
    };
    subjects.iter().map(role).collect()
}

/// The definition of a study of these subjects.
pub fn define(
    study: StudySpec,
    subjects: &[Subject],
    limits: Limits,
    mode: AskMode,
    finder: SolverFinder<'_>,
) -> Result<CampaignSpec, StudyError> {
    let mut spec = CampaignSpec::new(WorkSpec::Study(study), &limits, mode);
    let solvers: Vec<Solver> = subjects.iter().map(|subject| subject.solver.clone()).collect();
    spec.solvers = finder.specs_of(&solvers)?;
    spec.oracles = usual_and(None).iter().map(|oracle| oracle.name.to_owned()).collect();
    Ok(spec)
}

/// The definition that a study has so far; none if it was not begun. A definition that contradicts it is an error.
pub fn study_before(place: &Place, spec: &CampaignSpec) -> Result<Option<CampaignSpec>, StudyError> {
    let store = match place.look() {
        Err(StoreError::None { .. }) => return Ok(None),
        store => store?,
    };
    let before = CampaignSpec::read(&store.definition()?)?;
    let differences = before.differences(spec);
    if !differences.is_empty() {
        let (place, what) = (place.to_string().into(), differences.join("; "));
        return Err(StoreError::Other { place, what }.into());
    }
    Ok(Some(before))
}

/// Puts a study on a server. One that is there may grow while nobody works on it.
pub fn put_study(
    address: &Address,
    before: Option<&CampaignSpec>,
    mut spec: CampaignSpec,
) -> Result<(), StudyError> {
    let begun = before.is_some();
    if let (Some(before), WorkSpec::Study(study)) = (before, &mut spec.work) {
        study.edition = before.study().map_or(0, |study| study.edition);
    }
    if before == Some(&spec) {
        return Ok(());
    }
    let store = Postgres::open(address, &spec.definition(), true)?;
    if begun {
        same_program(&store)?;
        let status = store.status()?;
        if status.open > status.overdue {
            return Err(StudyError::Busy { leases: status.open - status.overdue });
        }
    }
    let mut formulas = 0;
    if let WorkSpec::Study(study) = &mut spec.work {
        study.edition += u32::from(begun);
        formulas = study.grammars.iter().map(|grammar| grammar.count).sum();
    }
    Ok(store.redefine(&spec.definition(), formulas)?)
}
