//! Kinds of failures: who can do something about an error.

use std::error::Error;

use super::error::StudyError;
use crate::campaign::spec::SpecError;
use crate::campaign::{EngineError, PlanError};
use crate::reduce::Nothing;
use crate::seed::SeedError;
use crate::solver::SolverError;
use crate::store::StoreError;
use crate::strategy::BadChoice;

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The user, by other arguments or files.
    Usage,
    /// A solver cannot be found, installed or started.
    Solver,
    /// A file, the disk or a server.
    Disk,
}

impl Failure {
    /// The kind of an error; none if it is a defect of the program.
    pub fn of(error: &(dyn Error + 'static)) -> Option<Failure> {
        if error.is::<BadChoice>() || error.is::<SeedError>() {
            return Some(Failure::Usage);
        }
        let is_spec = error.is::<SpecError>();
        let solver = error.is::<SolverError>().then_some(Failure::Solver);
        let of_type = [
            error.downcast_ref().map(of_study),
            error.downcast_ref().map(of_plan).map(Some),
            error.downcast_ref().map(of_engine),
            error.downcast_ref().map(of_store).map(Some),
        ];
        solver.or(is_spec.then_some(Failure::Disk)).or_else(|| of_type.into_iter().flatten().next().flatten())
    }
}

fn of_study(error: &StudyError) -> Option<Failure> {
    match error {
        StudyError::Store(e) => Some(of_store(e)),
        StudyError::Engine(e) => of_engine(e),
        StudyError::Plan(e) => Some(of_plan(e)),
        StudyError::Spec(_) => Some(Failure::Disk),
        StudyError::Solver(_) | StudyError::Reduce(Nothing::Failed(_)) => Some(Failure::Solver),
        StudyError::Seeds(_)
        | StudyError::NoFinding { .. }
        | StudyError::NoHunt { .. }
        | StudyError::Grammar(_)
        | StudyError::Options { .. }
        | StudyError::Strategy(_)
        | StudyError::NoSeeds { .. }
        | StudyError::OtherProgram { .. }
        | StudyError::Busy { .. } => Some(Failure::Usage),
        StudyError::Script { .. }
        | StudyError::Reduce(_)
        | StudyError::Name(_)
        | StudyError::File { .. }
        | StudyError::ChangedSeed { .. }
        | StudyError::UnreadSeeds { .. } => None,
    }
}

fn of_plan(error: &PlanError) -> Failure {
    if matches!(error, PlanError::Solver(_)) { Failure::Solver } else { Failure::Usage }
}

fn of_engine(error: &EngineError) -> Option<Failure> {
    match error {
        EngineError::Store(e) => Some(of_store(e)),
        EngineError::Solver(_) => Some(Failure::Solver),
        EngineError::NoCase(_) => Some(Failure::Usage),
        EngineError::Panicked(_) => None,
    }
}

fn of_store(error: &StoreError) -> Failure {
    match error {
        StoreError::There { .. }
        | StoreError::Other { .. }
        | StoreError::None { .. }
        | StoreError::Strange { .. }
        | StoreError::Present { .. } => Failure::Usage,
        _ => Failure::Disk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_keep_their_kind_when_they_are_passed_on() {
        let solver = || SolverError::NotInstalled { name: "z3@1.0".to_owned() };
        let store = || StoreError::Other { place: "here".into(), what: "seeds".to_owned() };
        let rows: Vec<(Box<dyn Error>, Option<Failure>)> = vec![
            (Box::new(solver()), Some(Failure::Solver)),
            (Box::new(EngineError::Solver(solver())), Some(Failure::Solver)),
            (Box::new(StudyError::Engine(EngineError::Solver(solver()))), Some(Failure::Solver)),
            (Box::new(PlanError::Solver(solver())), Some(Failure::Solver)),
            (Box::new(store()), Some(Failure::Usage)),
            (Box::new(StudyError::Engine(EngineError::Store(store()))), Some(Failure::Usage)),
            (Box::new(EngineError::Panicked("x".to_owned())), None),
            (Box::new(StudyError::Busy { leases: 1 }), Some(Failure::Usage)),
            (Box::new(std::io::Error::other("x")), None),
        ];
        for (error, expected) in rows {
            assert_eq!(Failure::of(&*error), expected, "{error}");
        }
    }
}
