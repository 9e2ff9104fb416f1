//! Programs that were built anew in the middle of a campaign.

use serde::{Deserialize, Serialize};

use super::columns::{self, Query, Select};
use super::{Reader, StoreError};
use crate::solver::id::SolverId;

/// The key under which a campaign keeps the list.
pub(super) const KEY: &str = "rebuilt";

/// A solver whose program was replaced by a later build of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rebuilt {
    /// The solver.
    pub solver: SolverId,
    /// The digest of the program before.
    pub was: String,
    /// The digest of the program since.
    pub is: String,
    /// How many turns were made before.
    pub turns: u64,
    /// The number of the last finding before; 0 if there was none.
    pub finding: u64,
}

impl Rebuilt {
    /// A solver that is built anew now, in this campaign.
    pub fn now(store: &dyn Reader, solver: SolverId, was: String, is: String) -> Result<Rebuilt, StoreError> {
        let turns = store.series()?.iter().map(|series| u64::from(series.turns)).sum();
        let finding = store.findings()?.last().map_or(0, |row| row.id);
        Ok(Rebuilt { solver, was, is, turns, finding })
    }
}

/// The programs of a campaign that were built anew, oldest first.
pub(super) fn list(store: &impl Select) -> Result<Vec<Rebuilt>, StoreError> {
    let sql = "SELECT key, value FROM campaign WHERE key = $1";
    let query = Query { table: "campaign", keys: 1, sql, words: &[KEY] };
    Ok(columns::all(store, &query, |row| row.json(1))?.into_iter().next().unwrap_or_default())
}

/// The list with more of them, as a campaign keeps it.
pub(super) fn longer(store: &impl Select, more: &[Rebuilt]) -> Result<String, StoreError> {
    let mut all = list(store)?;
    all.extend_from_slice(more);
    Ok(serde_json::to_string(&all).expect("a list is plain data"))
}
