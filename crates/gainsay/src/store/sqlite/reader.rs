//! What one sees of the store of one machine, and what is kept beside findings.

use std::collections::BTreeMap;

use super::Sqlite;
use crate::finding::{Asked, Finding};
use crate::solver::id::SolverId;
use crate::store::columns;
use crate::store::{
    AllRuns, Annotate, Definition, FormulaRow, Reader, Rebuilt, Row, RunRow, SeriesRow, StoreError, TallyRow,
    TurnOutcomes, WrongRow, folder, rebuilt, rows,
};

impl Sqlite {
    /// What the campaign says of itself under a key.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        rows::setting(self, key)
    }
}

impl Reader for Sqlite {
    fn definition(&self) -> Result<Definition, StoreError> {
        rows::definition(self, |key| self.place("campaign", key))
    }

    fn rebuilt(&self) -> Result<Vec<Rebuilt>, StoreError> {
        rebuilt::list(self)
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        columns::all(self, &rows::SERIES, rows::series_of)
    }

    fn outcomes(&self) -> Result<Vec<(u64, u32, Vec<TurnOutcomes>)>, StoreError> {
        rows::outcomes(self)
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        let with_case = |row: rows::FindingRow| {
            let place = self.root().join("findings").join(&row.folder);
            row.with_case(folder::read_case(&place)?, &place.join(folder::CASE).display())
        };
        rows::findings(self, str::to_owned)?.into_iter().map(with_case).collect()
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        let mut found = columns::all(self, &rows::TALLY, rows::tally_of)?;
        found.sort();
        Ok(found)
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        columns::all(self, &rows::COURSE, rows::minute_of)
    }

    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        Ok(columns::all(self, &rows::TRIGGERS, rows::trigger_of)?.into_iter().collect())
    }

    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError> {
        folder::read_reduced(&self.root().join(folder))
    }

    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError> {
        Ok(folder::read_releases(&self.root().join(folder))?.unwrap_or_default())
    }

    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError> {
        folder::read_options(&self.root().join(folder))
    }

    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError> {
        rows::run(self, grammar, number, release)
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        rows::wrongs(self)
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        rows::all_runs(self)
    }
}

impl Annotate for Sqlite {
    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError> {
        folder::write_reduced(&self.root().join(folder), reduced)
    }

    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError> {
        folder::write_releases(&self.root().join(folder), releases)
    }

    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError> {
        folder::write_options(&self.root().join(folder), options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Answer;
    use crate::judge::{Fault, SecondVoice};
    use crate::solver::run::{AskMode, Ending, Outcome};
    use crate::store::{Handed, Seen, Sink};

    fn place(name: &str) -> std::path::PathBuf {
        let place = std::env::temp_dir().join(format!("gainsay-runs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        place
    }

    fn definition() -> Definition {
        Definition { identity: "1".to_owned(), spec: "{}".to_owned(), place: String::new() }
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let place = place("rows");
        let store = Sqlite::open(&place, &definition(), false).expect("a store");
        let number = "1".repeat(300);
        let formula = FormulaRow {
            grammar: "Core".to_owned(),
            number: number.clone(),
            size: 5,
            text: "(check-sat)".to_owned(),
        };
        let run = RunRow {
            way: AskMode::Fresh,
            outcome: Some(Outcome::Answered),
            ending: Some(Ending::Exited(0)),
            cpu: Some(12_345),
            wall: 20_000,
            answer: Some(Answer::Sat),
            model: Some("()".to_owned()),
            machine: "node7".to_owned(),
        };
        let wrong = WrongRow {
            fault: Fault::WrongCore { voice: SecondVoice::example() },
            accused: true,
            seen: Seen::Counted,
            operators: vec!["=".to_owned(), "not".to_owned()],
        };
        let id = |name: &str| name.parse::<SolverId>().expect("a name");
        let handed = Handed { release: id("z3@1"), run: run.clone(), wrongs: vec![wrong.clone()] };
        // Twice is as once.
        for _ in 0..2 {
            store.hand_in_runs(&formula, std::slice::from_ref(&handed)).expect("a row");
        }
        assert_eq!(store.releases_asked("Core", &number).expect("rows"), [id("z3@1")]);
        assert_eq!(store.run("Core", &number, &id("z3@1")).expect("a row"), Some(run));
        assert_eq!(store.run("Core", &number, &id("z3@2")).expect("no row"), None);
        let all = store.all_runs().expect("rows");
        assert_eq!((all.formulas.len(), all.runs.len()), (1, 1));
        assert_eq!(all.wrongs, [(1, id("z3@1"), wrong.clone())]);
        assert_eq!(store.wrongs().expect("rows"), [(formula, id("z3@1"), wrong)]);
        store.database().execute("UPDATE releases SET name = 'z3@one'", []).expect("a change");
        let told = store.all_runs().expect_err("no release").to_string();
        assert!(
            told.contains(
                "campaign.sqlite: table releases, row 1, column name cannot be read: `z3@one` names no solver"
            ),
            "{told}"
        );
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
    }
}
