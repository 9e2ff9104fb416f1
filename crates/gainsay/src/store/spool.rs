//! The spool: results of leases that wait on disk while the server is away.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::lease_result::VERSION;
use super::{LeaseResult, StoreError};

/// A folder in which results of leases wait.
pub struct Spool<'a>(&'a Path);

/// What a file says of its version, whatever else is in it.
#[derive(serde::Deserialize)]
struct Versioned {
    version: u32,
}

impl<'a> Spool<'a> {
    /// The spool in this folder.
    pub fn new(folder: &'a Path) -> Spool<'a> {
        Spool(folder)
    }

    /// Writes a result, wholly or not at all.
    pub fn write(&self, result: &LeaseResult) -> Result<PathBuf, StoreError> {
        std::fs::create_dir_all(self.0).map_err(StoreError::at(self.0))?;
        let place = self.0.join(result.file_name());
        let draft = self.0.join(format!(".draft-{}", result.file_name()));
        let text = serde_json::to_vec(result).expect("a result is plain data");
        write(&draft, &text).map_err(StoreError::at(&draft))?;
        std::fs::rename(&draft, &place).map_err(StoreError::at(&place))?;
        Ok(place)
    }

    /// The files that are results of a campaign.
    pub fn waiting(&self, campaign: &str) -> Result<Vec<PathBuf>, StoreError> {
        let entries = match std::fs::read_dir(self.0) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(StoreError::at(self.0))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(StoreError::at(self.0))?;
            if entry.file_name().to_string_lossy().starts_with(&format!("{campaign}-")) {
                found.push(entry.path());
            }
        }
        Ok(found)
    }

    /// Reads a result; none if somebody else who shares the folder has just handed it in.
    pub fn read(&self, place: &Path) -> Result<Option<LeaseResult>, StoreError> {
        let text = match std::fs::read(place) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(StoreError::at(place))?,
        };
        let unreadable = |why| StoreError::unreadable_file(place, why);
        let Versioned { version } = serde_json::from_slice(&text).map_err(|e| unreadable(e.to_string()))?;
        if version != VERSION {
            return Err(unreadable(format!("it has version {version}, and this program reads {VERSION}")));
        }
        let result: LeaseResult = serde_json::from_slice(&text).map_err(|e| unreadable(e.to_string()))?;
        if place.file_name() != Some(result.file_name().as_ref()) {
            return Err(unreadable(format!("its content belongs into {}", result.file_name())));
        }
        Ok(Some(result))
    }

    /// Removes the file of a result that was handed in; somebody else who shares the folder may have done so.
    pub fn remove(&self, place: &Path) -> Result<(), StoreError> {
        match std::fs::remove_file(place) {
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
            done => done.map_err(StoreError::at(place)),
        }
    }

    /// Gives the file of a result another name, under which nobody looks for it.
    pub fn put_aside(&self, place: &Path) -> Result<PathBuf, StoreError> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let aside = place.with_file_name(format!("refused-{name}"));
        std::fs::rename(place, &aside).map_err(StoreError::at(place))?;
        Ok(aside)
    }

    /// Makes the folder, and checks that files can be written there.
    pub fn check(&self) -> Result<(), StoreError> {
        std::fs::create_dir_all(self.0).map_err(StoreError::at(self.0))?;
        let probe = self.0.join(format!(".probe-{}", std::process::id()));
        write(&probe, b"x").map_err(StoreError::at(&probe))?;
        self.remove(&probe)
    }
}

/// Writes a file that only we can read, to the disk itself.
fn write(place: &Path, text: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::File::options();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(place)?;
    file.write_all(text)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::counter::Outcomes;
    use super::super::{Counter, HandIn, SeriesRow, TurnOutcome};
    use super::*;
    use crate::case::Answer;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("gainsay-spool-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }

    fn result() -> LeaseResult {
        let (strategy, note) = ("opfuzz".to_owned(), None);
        let [sat, unsat] = [Answer::Sat, Answer::Unsat].map(TurnOutcome::Said);
        let series = SeriesRow { no: 7, strategy, allotted: 10, turns: 4, ended: false, note };
        let tally = [((Some("z3".parse().expect("a name")), Counter::Run(sat)), 2)].into();
        let mut result =
            LeaseResult { campaign: "abc".to_owned(), worker: 1, lease: 2, ..LeaseResult::default() };
        let half = SeriesRow { turns: 2, ..series.clone() };
        let outcomes = || vec![vec![sat], vec![unsat]];
        result.add(&[HandIn { series: half, made: 2, outcomes: outcomes(), tally }]);
        result.add(&[HandIn { series, made: 2, outcomes: outcomes(), tally: BTreeMap::new() }]);
        result
    }

    #[test]
    fn a_result_is_read_as_it_was_written() {
        let folder = folder("read");
        let (spool, result) = (Spool::new(&folder), result());
        assert_eq!(result.series[0].turns, 4);
        let letters = |turns: &(u64, u32, Outcomes)| (turns.0, turns.1, String::from(turns.2.clone()));
        let turns: Vec<_> = result.turns.iter().map(letters).collect();
        assert_eq!(turns, [(7, 0, "s u".to_owned()), (7, 2, "s u".to_owned())]);
        assert!(!result.is_empty() && LeaseResult::default().is_empty());
        let place = spool.write(&result).expect("written");
        let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&place).expect("there"));
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(spool.waiting("abc").expect("a folder"), std::slice::from_ref(&place));
        assert!(spool.waiting("ab").expect("a folder").is_empty());
        let read = spool.read(&place).expect("readable").expect("there");
        assert_eq!((read.counts, read.series), (result.counts.clone(), result.series.clone()));
        let mut twice = result.counts.clone();
        twice.add(result.counts);
        assert_eq!((twice.turns, twice.tally[0].3), (8, 4));
        // Who shares the folder may have been first.
        for _ in 0..2 {
            spool.remove(&place).expect("gone");
        }
        assert!(spool.read(&place).expect("no error").is_none());
        assert!(spool.waiting("abc").expect("a folder").is_empty());
        Spool::new(&folder.join("new")).check().expect("made");
        std::fs::write(folder.join("file"), "").expect("writable");
        assert!(Spool::new(&folder.join("file")).check().is_err());
        std::fs::remove_dir_all(folder).expect("ours");
    }

    #[test]
    fn what_is_not_whole_is_an_error_that_names_the_file() {
        let folder = folder("torn");
        let spool = Spool::new(&folder);
        let place = spool.write(&result()).expect("written");
        let text = std::fs::read_to_string(&place).expect("there");
        let later = text.replacen("\"version\":2", "\"version\":3", 1);
        let other = text.replacen("\"counts\"", "\"sums\"", 1);
        let moved = text.replacen("\"lease\":2", "\"lease\":3", 1);
        for (torn, why) in [
            (&text[..text.len() / 2], "EOF"),
            ("", "EOF"),
            ("no JSON", "expected"),
            (later.as_str(), "it has version 3, and this program reads 2"),
            (other.as_str(), "unknown field `sums`"),
            (moved.as_str(), "its content belongs into abc-1-3.json"),
        ] {
            std::fs::write(&place, torn).expect("ours");
            let told = spool.read(&place).expect_err("not whole").to_string();
            assert!(told.contains("abc-1-2.json cannot be read") && told.contains(why), "{told}");
        }
        std::fs::remove_dir_all(folder).expect("ours");
    }
}
