//! The status of a campaign: how far it is, who works on it, and how many faults it has.

use std::time::SystemTime;

use super::error::StudyError;
use super::faults::{Ignored, faults_of};
use super::solvers::SolverFinder;
use crate::finding::FaultCount;
use crate::report::status::StatusReport;
use crate::store::{Place, Postgres, Reader, Sqlite, Status, StoreError};

/// The status of a campaign.
pub fn status_of(
    place: &Place,
    finder: SolverFinder<'_>,
    ignored: Ignored<'_>,
) -> Result<StatusReport, StudyError> {
    let counted = |store: &dyn Reader| -> Result<FaultCount, StoreError> {
        Ok(FaultCount::of(&faults_of(store, false, finder, ignored)?.faults))
    };
    Ok(match place {
        Place::Server(address) => {
            let store = Postgres::look(address)?;
            StatusReport { status: store.status()?, turns: store.turns()?, faults: counted(&store)? }
        }
        Place::Folder(folder) => {
            let store = Sqlite::look(folder)?;
            StatusReport { status: of_one_machine(&store)?, turns: None, faults: counted(&store)? }
        }
    })
}

/// The status of a campaign of one machine.
fn of_one_machine(store: &dyn Reader) -> Result<Status, StoreError> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs() / 60);
    let last: u64 = store.course()?.iter().filter(|(minute, ..)| minute + 1 == now).map(|row| row.1).sum();
    Ok(Status {
        turns: store.series()?.iter().map(|s| u64::from(s.turns)).sum(),
        lately: last,
        findings: store.findings()?.iter().filter(|row| !row.warm).count() as u64,
        ..Status::default()
    })
}
