//! The faults of a campaign: findings in a store, with everything that was learned about them.

use super::error::StudyError;
use super::solvers::{Labels, SolverFinder};
use crate::finding::{FaultGroup, Group, StoredFinding, faults, words};
use crate::store::{Place, Reader, Row, StoreError};
use crate::strategy::matches_pattern;

/// Patterns of faults that the user wants left out of lists. A pattern is a part of the text, or the text with `*` for anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignored<'a> {
    /// Patterns of titles.
    pub titles: &'a [String],
    /// Patterns of summaries.
    pub summaries: &'a [String],
}

impl Ignored<'_> {
    /// Whether a finding with this title and summary is left out.
    pub(super) fn leaves_out(&self, title: &str, summary: &str) -> bool {
        let fits = |patterns: &[String], text: &str| patterns.iter().any(|p| matches_pattern(p, text));
        fits(self.titles, title) || fits(self.summaries, summary)
    }

    fn is_empty(&self) -> bool {
        self.titles.is_empty() && self.summaries.is_empty()
    }
}

/// The faults of a campaign.
#[derive(Debug, Default)]
pub struct FaultList {
    /// The faults, those that maintainers want to hear of first before the others.
    pub faults: Vec<FaultGroup>,
    /// How many faults were left out because the user wants that.
    pub left_out: u64,
}

/// Reads what was learned about findings.
pub fn stored(store: &dyn Reader, rows: Vec<Row>) -> Result<Vec<StoredFinding>, StoreError> {
    let one = |Row { id, folder, warm, finding }: Row| {
        let (reduced, options) = (store.reduced(&folder)?, store.options(&folder)?);
        let releases = store.releases(&folder)?;
        Ok(StoredFinding { id, folder, warm, finding, reduced, options, releases })
    };
    rows.into_iter().map(one).collect()
}

/// The finding with this number in a campaign.
pub fn numbered(place: &Place, id: u64) -> Result<StoredFinding, StudyError> {
    let store = place.look()?;
    let rows = store.findings()?;
    let range = rows.first().map(|row| row.id).zip(rows.last().map(|row| row.id));
    let row = rows.into_iter().find(|row| row.id == id);
    let mut found = stored(&*store, row.into_iter().collect())?;
    found.pop().ok_or(StudyError::NoFinding { id, range })
}

/// The faults of a campaign. With `warm`, findings that only warm runs showed count, too.
pub fn faults_of(
    store: &dyn Reader,
    warm: bool,
    finder: SolverFinder<'_>,
    ignored: Ignored<'_>,
) -> Result<FaultList, StoreError> {
    let rows = store.findings()?.into_iter().filter(|row| warm || !row.warm).collect();
    let all = faults(stored(store, rows)?);
    if ignored.is_empty() {
        return Ok(FaultList { faults: all, left_out: 0 });
    }
    let known = all.len();
    let mut labels = Labels::new(finder);
    let stays = |fault: &FaultGroup| {
        !ignored.leaves_out(&title(fault.leader(), &mut labels), &words::summary(fault.shown()))
    };
    let faults: Vec<FaultGroup> = all.into_iter().filter(stays).collect();
    let left_out = (known - faults.len()) as u64;
    Ok(FaultList { faults, left_out })
}

/// The title of a group.
pub fn title(group: &Group, labels: &mut Labels<'_>) -> String {
    words::title(group.shown(), &labels.of(group.shown(), group.options()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_left_out() {
        let (titles, summaries) = (["*(bvxnor) [z3*".to_owned()], ["a known".to_owned()]);
        let ignored = Ignored { titles: &titles, summaries: &summaries };
        let title =
            |operators: &str| format!("Soundness: unsat for a satisfiable formula ({operators}) [z3@4.8.7]");
        assert!(ignored.leaves_out(&title("bvxnor"), "z3@4.8.7 says unsat"));
        assert!(ignored.leaves_out(&title("bvadd"), "this is a known fault"));
        assert!(!ignored.leaves_out(&title("bvadd"), "z3@4.8.7 says unsat"));
    }
}
