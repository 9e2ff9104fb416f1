//! What a worker of many hands in at the end of a lease.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counter::Outcomes;
use super::{Counter, FormulaRow, HandIn, Handed, SeriesRow, TallyRow};
use crate::finding::Finding;
use crate::solver::id::SolverId;

/// What was counted in the ranges of a lease.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The number of turns.
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
            self.count(&strategy, solver.as_ref(), what, n);
        }
        for (print, n) in other.triggers {
            *self.triggers.entry(print).or_default() += n;
        }
    }

    /// Adds to one of them.
    pub fn count(&mut self, strategy: &str, solver: Option<&SolverId>, what: Counter, n: u64) {
        let at = self
            .tally
            .binary_search_by(|(a, b, c, _)| (a.as_str(), b.as_ref(), c).cmp(&(strategy, solver, &what)));
        match at {
            Ok(at) => self.tally[at].3 += n,
            Err(at) => {
                let row = (strategy.to_owned(), solver.cloned(), what, n);
                self.tally.insert(at, row);
            }
        }
    }
}

/// A finding of a lease.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "StoredFound", into = "StoredFound")]
pub struct Found {
    /// The finding, with its script and with what solvers printed.
    pub finding: Finding,
    /// Whether only a warm run showed it.
    pub warm: bool,
}

/// The form in which a finding of a lease is stored: with all that the JSON of a finding leaves out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFound {
    finding: Finding,
    case: String,
    /// What solvers printed, a letter for each byte.
    outputs: Vec<(String, String)>,
    warm: bool,
}

impl From<Found> for StoredFound {
    fn from(found: Found) -> StoredFound {
        let letters = |bytes: &[u8]| bytes.iter().map(|&b| char::from(b)).collect::<String>();
        let Found { finding, warm } = found;
        let outputs = finding.said.iter().map(|s| (letters(&s.output.0), letters(&s.output.1))).collect();
        StoredFound { case: finding.case.clone(), finding, outputs, warm }
    }
}

impl TryFrom<StoredFound> for Found {
    type Error = String;

    fn try_from(stored: StoredFound) -> Result<Found, String> {
        let StoredFound { mut finding, case, outputs, warm } = stored;
        finding.check().map_err(|e| format!("a finding is wrong: {e}"))?;
        finding.case = case;
        if !finding.is_of_its_case() {
            return Err("a finding has the script of another".to_owned());
        }
        if outputs.len() != finding.said.len() {
            return Err(format!("a finding has {} outputs of {} solvers", outputs.len(), finding.said.len()));
        }
        let byte = |letter: char| {
            u8::try_from(letter)
                .map_err(|_| format!("{letter:?} in the output of a solver stands for no byte"))
        };
        let bytes = |text: &str| text.chars().map(byte).collect::<Result<Vec<u8>, String>>();
        for (said, (out, err)) in finding.said.iter_mut().zip(&outputs) {
            said.output = (bytes(out)?, bytes(err)?);
        }
        Ok(Found { finding, warm })
    }
}

/// A part of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// The version of the form in which results wait on disk.
pub const VERSION: u32 = 2;

/// The result of a lease.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaseResult {
    /// The version of this form.
    pub version: u32,
    /// The campaign it belongs to.
    pub campaign: String,
    /// The worker that made it.
    pub worker: u64,
    /// The number of the lease.
    pub lease: u64,
    /// When the lease began.
    pub began: u64,
    /// The ranges of the lease, as far as they have come.
    pub ranges: Vec<Range>,
    /// The counts of its turns.
    pub counts: Counts,
    /// How far its series are now.
    pub series: Vec<SeriesRow>,
    /// Turns one after another: the series, the first of them, and their outcomes.
    pub turns: Vec<(u64, u32, Outcomes)>,
    /// The findings.
    pub findings: Vec<Found>,
    /// What releases did with formulas.
    pub runs: Vec<(FormulaRow, Vec<Handed>)>,
}

impl Default for LeaseResult {
    fn default() -> LeaseResult {
        LeaseResult {
            version: VERSION,
            campaign: String::new(),
            worker: 0,
            lease: 0,
            began: 0,
            ranges: Vec::new(),
            counts: Counts::default(),
            series: Vec::new(),
            turns: Vec::new(),
            findings: Vec::new(),
            runs: Vec::new(),
        }
    }
}

impl LeaseResult {
    /// The name of its file while it waits on disk.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}.json", self.campaign, self.worker, self.lease)
    }

    /// Adds turns of series.
    pub fn add(&mut self, turns: &[HandIn]) {
        for HandIn { series, made, outcomes, tally } in turns {
            for range in self.ranges.iter_mut().filter(|range| range.no == series.no) {
                (range.turns, range.ended) = (series.turns, series.ended);
            }
            self.series.retain(|row| row.no != series.no);
            self.series.push(series.clone());
            if !outcomes.is_empty() {
                self.turns.push((
                    series.no,
                    series.turns - outcomes.len() as u32,
                    Outcomes(outcomes.clone()),
                ));
            }
            self.counts.turns += u64::from(*made);
            for ((solver, what), n) in tally {
                self.counts.count(&series.strategy, solver.as_ref(), what.clone(), *n);
            }
        }
    }

    /// Adds a finding.
    pub fn found(&mut self, finding: &Finding, warm: bool) {
        self.counts.findings += u64::from(!warm);
        self.findings.push(Found { finding: finding.clone(), warm });
    }

    /// Adds a finding whose turn does not count yet.
    pub fn glimpsed(&mut self, finding: &Finding, warm: bool) {
        self.findings.push(Found { finding: finding.clone(), warm });
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.is_light() && self.series.is_empty()
    }

    /// Whether there is nothing in it but turns and counts.
    pub fn is_light(&self) -> bool {
        self.findings.is_empty() && self.runs.is_empty()
    }
}
