//! A campaign as reports see it: plain data, gathered once.

use std::collections::BTreeMap;

use super::evolve::Evolution;
use super::matrix::Matrix;
use crate::finding::{FaultCount, Finding, verdict};
use crate::solver::release::Release;
use crate::store::TallyRow;

/// A campaign as plain data.
#[derive(Clone, Debug, Default)]
pub struct Campaign {
    /// Its folder.
    pub name: String,
    /// Its random number.
    pub draw: u64,
    /// How it was set up: names and values, in words.
    pub settings: Vec<(String, String)>,
    /// How many faults it has.
    pub faults: FaultCount,
    /// How many faults were left out because the user wants that.
    pub left_out: u64,
    /// Its findings, those that maintainers want to hear of first before the others.
    pub entries: Vec<Entry>,
    /// Turns made, by strategy.
    pub turns: BTreeMap<String, u64>,
    /// Counts: strategy, solver, what, how many.
    pub tally: Vec<TallyRow>,
    /// Turns and findings, minute by minute.
    pub course: Vec<Moment>,
    /// Who works on it and how far it is, in words; empty if it is one machine's.
    pub workers: String,
    /// What tests by construction came to.
    pub matrix: Matrix,
    /// What releases did with the formulas of grammars.
    pub evolution: Option<Evolution>,
}

/// The turns and findings of one minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The number of the minute since 1970.
    pub minute: u64,
    /// How many turns were made.
    pub turns: u64,
    /// How many findings were kept.
    pub findings: u64,
}

/// A finding and all that is known of it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number.
    pub id: u64,
    /// Its folder, from the campaign's.
    pub folder: String,
    /// What it is called in a report.
    pub title: String,
    /// What findings of one fault share.
    pub group: String,
    /// How often its fingerprint was triggered.
    pub triggers: u64,
    /// The finding, as it was found.
    pub finding: Finding,
    /// What it was reduced to.
    pub reduced: Option<Finding>,
    /// Releases, in order, and whether each fails in the same way, as far as they were asked.
    pub releases: Vec<(String, bool)>,
    /// The theories of its formula.
    pub theories: Vec<String>,
    /// The text to paste into an issue.
    pub issue: String,
}

impl Entry {
    /// The finding that says most about who is wrong: as it was reduced, if that has decided what was open.
    pub fn verdict(&self) -> &Finding {
        verdict(&self.finding, self.reduced.as_ref())
    }

    /// The finding as small as it has become.
    pub fn shown(&self) -> &Finding {
        self.reduced.as_ref().unwrap_or(&self.finding)
    }

    /// Who is accused, and in which release: `z3` and `4.8.7` of `z3@4.8.7 smt.arith.solver=2`.
    pub fn accused(&self) -> (String, &str) {
        match &self.verdict().against {
            Some(id) => (id.make().to_string(), id.release().map_or("", Release::as_str)),
            None => ("undecided".to_owned(), ""),
        }
    }
}
