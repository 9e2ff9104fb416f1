//! The check of a whole campaign: every row and every file is read.

use super::copy::Tables;
use super::{Place, Postgres, Row, Sqlite, StoreError, folder, rows};
use crate::finding::Finding;

/// How much was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Series, with their turns.
    pub series: usize,
    /// Findings, with their files.
    pub findings: usize,
    /// Runs of formulas.
    pub runs: usize,
}

/// Reads everything that a campaign holds. The first thing that cannot be read is an error with its place.
pub fn check(place: &Place) -> Result<Checked, StoreError> {
    match place {
        Place::Folder(folder) => {
            let store = Sqlite::look(folder)?;
            rows::every_answer(&store)?;
            rows::every_first_run(&store)?;
            rows::every_model(&store)?;
            let checked = all(&store)?;
            store.check_folders()?;
            Ok(checked)
        }
        Place::Server(address) => {
            let store = Postgres::look(address)?;
            rows::every_answer(&store)?;
            rows::every_first_run(&store)?;
            rows::every_model(&store)?;
            store.check_shared()?;
            all(&store)
        }
    }
}

/// Reads what every store has.
fn all(store: &dyn Tables) -> Result<Checked, StoreError> {
    store.definition()?;
    store.outcomes()?;
    store.tally()?;
    store.course()?;
    store.triggers()?;
    store.wrongs()?;
    let findings = store.findings()?;
    findings.iter().try_for_each(|row| finding(store, row))?;
    let (series, runs) = (store.series()?.len(), store.all_runs()?.runs.len());
    Ok(Checked { series, findings: findings.len(), runs })
}

/// Reads the files of a finding.
fn finding(store: &dyn Tables, row: &Row) -> Result<(), StoreError> {
    store.reduced(&row.folder)?;
    store.releases(&row.folder)?;
    store.options(&row.folder)?;
    let place = || store.file_place(&row.folder, folder::FINDING);
    let files = store.files(&row.folder)?;
    let file = files.iter().find(|(name, _)| name == folder::FINDING);
    let (_, json) = file.ok_or_else(|| StoreError::unreadable(place(), "it is not there"))?;
    let read = Finding::read(json, String::new()).map_err(|e| StoreError::unreadable(place(), e))?;
    if serde_json::to_value(&read).ok() != serde_json::to_value(&row.finding).ok() {
        return Err(StoreError::unreadable(place(), "it differs from the finding in the database"));
    }
    Ok(())
}
