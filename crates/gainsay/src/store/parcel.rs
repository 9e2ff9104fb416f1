//! What a worker of many hands in at the end of a lease; also as a file, while the server is away.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FormulaRow, HandIn, Handed, SeriesRow, StoreError, TallyRow};
use crate::finding::Finding;
use crate::solver::id::SolverId;

/// What was counted in the ranges of a lease.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Turns.
    pub turns: u64,
    /// Findings, but for those that only warm runs showed.
    pub findings: u64,
    /// By strategy, solver and what is counted.
    pub tally: Vec<TallyRow>,
    /// Triggers by fingerprint.
    pub triggers: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds other counts to these.
    pub fn add(&mut self, other: Counts) {
        self.turns += other.turns;
        self.findings += other.findings;
        for (strategy, solver, what, n) in other.tally {
            self.count(&strategy, solver.as_ref(), &what, n);
        }
        for (print, n) in other.triggers {
            *self.triggers.entry(print).or_default() += n;
        }
    }

    /// Adds to one of them.
    pub fn count(&mut self, strategy: &str, solver: Option<&SolverId>, what: &str, n: u64) {
        let at = self.tally.binary_search_by(|(a, b, c, _)| {
            (a.as_str(), b.as_ref(), c.as_str()).cmp(&(strategy, solver, what))
        });
        match at {
            Ok(at) => self.tally[at].3 += n,
            Err(at) => {
                let row = (strategy.to_owned(), solver.cloned(), what.to_owned(), n);
                self.tally.insert(at, row);
            }
        }
    }
}

/// A finding with all that its own text leaves out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    finding: Finding,
    case: String,
    /// What solvers printed, a letter for each byte.
    outputs: Vec<(String, String)>,
    /// Whether only a warm run showed it.
    pub warm: bool,
}

impl Found {
    fn new(finding: &Finding, warm: bool) -> Found {
        let letters = |bytes: &[u8]| bytes.iter().map(|&b| char::from(b)).collect::<String>();
        let outputs = finding.said.iter().map(|s| (letters(&s.output.0), letters(&s.output.1))).collect();
        Found { finding: finding.clone(), case: finding.case.clone(), outputs, warm }
    }

    /// The finding, whole.
    pub fn whole(&self) -> Finding {
        let bytes = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        let mut finding = self.finding.clone();
        finding.case.clone_from(&self.case);
        for (said, (out, err)) in finding.said.iter_mut().zip(&self.outputs) {
            said.output = (bytes(out), bytes(err));
        }
        finding
    }
}

/// A part of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The number of the series.
    pub no: u64,
    /// How many turns it may have.
    pub allotted: u32,
    /// How many it has.
    pub turns: u32,
    /// Whether there are no more.
    pub ended: bool,
}

impl Range {
    /// Whether nothing is left of it.
    pub fn is_done(&self) -> bool {
        self.ended || self.turns >= self.allotted
    }
}

/// All that came of the ranges of a lease.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LeaseResult {
    /// The campaign it belongs to.
    pub campaign: String,
    /// Who made it.
    pub worker: u64,
    /// Under which lease, and when that began.
    pub lease: u64,
    /// The same.
    pub began: u64,
    /// The ranges of the lease, as far as they have come.
    pub ranges: Vec<Range>,
    /// What was counted.
    pub counts: Counts,
    /// How far its series are now.
    pub series: Vec<SeriesRow>,
    /// Turns one after another: series, first step, and for each turn a letter for each solver.
    pub turns: Vec<(u64, u32, String)>,
    /// What was found.
    pub findings: Vec<Found>,
    /// What releases did with formulas.
    #[serde(default)]
    pub runs: Vec<(FormulaRow, Vec<Handed>)>,
}

impl LeaseResult {
    /// Puts in turns of series.
    pub fn add(&mut self, turns: &[HandIn]) {
        for HandIn { series, outcomes, tally } in turns {
            for range in self.ranges.iter_mut().filter(|range| range.no == series.no) {
                (range.turns, range.ended) = (series.turns, series.ended);
            }
            self.series.retain(|row| row.no != series.no);
            self.series.push(series.clone());
            if !outcomes.is_empty() {
                self.turns.push((series.no, series.turns - outcomes.len() as u32, outcomes.join(" ")));
            }
            self.counts.turns += outcomes.len() as u64;
            for ((solver, what), n) in tally {
                self.counts.count(&series.strategy, solver.as_ref(), what, *n);
            }
        }
    }

    /// Takes note that a range of formulas has come so far.
    pub fn advance(&mut self, now: Range) {
        let Range { no, allotted, turns, ended } = now;
        for range in self.ranges.iter_mut().filter(|range| range.no == no) {
            self.counts.turns += u64::from(turns.saturating_sub(range.turns));
            *range = now;
        }
        self.series.retain(|row| row.no != no);
        let (strategy, why) = ("enumerate".to_owned(), String::new());
        self.series.push(SeriesRow { no, strategy, allotted, turns, ended, why });
    }

    /// Puts in a finding.
    pub fn found(&mut self, finding: &Finding, warm: bool) {
        self.counts.findings += u64::from(!warm);
        self.findings.push(Found::new(finding, warm));
    }

    /// Puts in a finding whose turn does not count yet.
    pub fn glimpsed(&mut self, finding: &Finding, warm: bool) {
        self.findings.push(Found::new(finding, warm));
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.is_light() && self.series.is_empty()
    }

    /// Whether there is nothing in it but turns and counts.
    pub fn is_light(&self) -> bool {
        self.findings.is_empty() && self.runs.is_empty()
    }

    fn name(&self) -> String {
        format!("{}-{}-{}.json", self.campaign, self.worker, self.lease)
    }

    /// Writes it to a folder, wholly or not at all.
    pub fn keep(&self, folder: &Path) -> Result<PathBuf, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::at(folder))?;
        let place = folder.join(self.name());
        let draft = folder.join(format!(".draft-{}", self.name()));
        let text = serde_json::to_vec(self).expect("a parcel is plain");
        write(&draft, &text).map_err(StoreError::at(&draft))?;
        std::fs::rename(&draft, &place).map_err(StoreError::at(&place))?;
        Ok(place)
    }

    /// The files in a folder that are parcels of a campaign.
    pub fn waiting(folder: &Path, campaign: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let ours = |name: &str| name.starts_with(&format!("{campaign}-"));
        entries.filter(|e| ours(&e.file_name().to_string_lossy())).map(|e| e.path()).collect()
    }

    /// The parcels of a campaign that were left in a folder. One that somebody else has just handed in is left out.
    pub fn kept(folder: &Path, campaign: &str) -> Vec<(PathBuf, LeaseResult)> {
        let read = |place: &PathBuf| serde_json::from_slice(&std::fs::read(place).ok()?).ok();
        let all = LeaseResult::waiting(folder, campaign).into_iter();
        all.filter_map(|place| read(&place).map(|parcel| (place, parcel))).collect()
    }

    /// Removes the file of a parcel that was handed in; somebody else who shares the folder may have done so.
    pub fn let_go(place: &Path) -> Result<(), StoreError> {
        match std::fs::remove_file(place) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            done => done.map_err(StoreError::at(place)),
        }
    }

    /// Gives the file of a parcel another name, under which nobody looks for it.
    pub fn put_aside(place: &Path) -> Result<PathBuf, StoreError> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let aside = place.with_file_name(format!("refused-{name}"));
        std::fs::rename(place, &aside).map_err(StoreError::at(place))?;
        Ok(aside)
    }

    /// Makes the folder, and sees whether files can be written there.
    pub fn try_folder(folder: &Path) -> Result<(), StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::at(folder))?;
        let probe = folder.join(format!(".probe-{}", std::process::id()));
        write(&probe, b"x").map_err(StoreError::at(&probe))?;
        LeaseResult::let_go(&probe)
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
    use super::*;

    #[test]
    fn a_parcel_is_read_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("gainsay-parcel-{}", std::process::id()));
        let series = SeriesRow {
            no: 7,
            strategy: "opfuzz".to_owned(),
            allotted: 10,
            turns: 4,
            ended: false,
            why: String::new(),
        };
        let tally = [((Some("z3".parse().expect("a name")), "sat".to_owned()), 2)].into();
        let mut parcel =
            LeaseResult { campaign: "abc".to_owned(), worker: 1, lease: 2, ..LeaseResult::default() };
        let half = SeriesRow { turns: 2, ..series.clone() };
        let letters = || vec!["s".to_owned(), "u".to_owned()];
        parcel.add(&[HandIn { series: half, outcomes: letters(), tally }]);
        parcel.add(&[HandIn { series: series.clone(), outcomes: letters(), tally: BTreeMap::new() }]);
        assert_eq!(parcel.series, [series]);
        assert_eq!(parcel.turns, [(7, 0, "s u".to_owned()), (7, 2, "s u".to_owned())]);
        let place = parcel.keep(&folder).expect("written");
        let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&place).expect("there"));
        assert_eq!(mode & 0o777, 0o600);
        assert!(!parcel.is_empty() && LeaseResult::default().is_empty());
        let read = LeaseResult::kept(&folder, "abc");
        assert!(LeaseResult::kept(&folder, "ab").is_empty());
        assert_eq!(read.len(), 1);
        assert_eq!((&read[0].0, &read[0].1.counts), (&place, &parcel.counts));
        let mut twice = parcel.counts.clone();
        twice.add(parcel.counts.clone());
        assert_eq!((twice.turns, twice.tally[0].3), (8, 4));
        // Who shares the folder may have been first.
        for _ in 0..2 {
            LeaseResult::let_go(&place).expect("gone");
        }
        assert!(LeaseResult::waiting(&folder, "abc").is_empty());
        LeaseResult::try_folder(&folder.join("new")).expect("made");
        std::fs::write(folder.join("file"), "").expect("writable");
        assert!(LeaseResult::try_folder(&folder.join("file")).is_err());
        std::fs::remove_dir_all(folder).expect("ours");
    }
}
