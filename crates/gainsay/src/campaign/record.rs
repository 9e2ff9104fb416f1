//! Makes a finding of a complaint: confirms it in fresh processes and records it, or counts it if there are enough similar
//! ones.

use super::error::EngineError;
use super::worker_io::WorkerIo;
use crate::case::Case;
use crate::finding::{Finding, Turn, fingerprint_of};
use crate::judge::{Complaint, Confirmation, Kind, Known, Trial, TrialRunner, oracle};
use crate::solver::{Run, Solver};
use crate::store::{Room, Seen};

/// A complaint together with its case and the runs that it is about.
pub struct Accusation<'a> {
    /// The case.
    pub case: &'a Case,
    /// The text of the case.
    pub text: &'a str,
    /// The solvers that were asked.
    pub solvers: &'a [Solver],
    /// The run of each solver; none if it was not asked.
    pub runs: &'a [Option<Run>],
    /// The answers of the solvers to the other scripts of the case.
    pub known: &'a Known,
    /// The oracle that complains.
    pub entry: &'static oracle::Entry,
    /// The complaint.
    pub complaint: &'a Complaint,
    /// The turn in which the oracle complained.
    pub turn: Turn,
}

/// What came of a complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The fingerprint of what was complained of.
    pub fingerprint: String,
    /// How surely it was seen.
    pub seen: Seen,
    /// Its kind, which fresh processes may have changed: what one run decides may be undecided on another.
    pub kind: Kind,
    /// Whether a solver is accused of it.
    pub accuses: bool,
}

impl Settled {
    fn of(fingerprint: String, complaint: &Complaint, seen: Seen) -> Settled {
        let (kind, accuses) = (complaint.kind(), complaint.against.is_some());
        Settled { fingerprint, seen, kind, accuses }
    }
}

impl Accusation<'_> {
    /// Counts the complaint, confirms it in fresh processes and records it. If enough findings with its fingerprint are stored,
    /// it is only counted with `may_count`; without, it is also confirmed, because the caller relies on it.
    pub fn settle(
        &self,
        runner: &mut TrialRunner<'_>,
        io: &WorkerIo<'_>,
        may_count: bool,
    ) -> Result<Settled, EngineError> {
        let &Accusation { case, text, solvers, runs, known, entry, complaint, turn } = self;
        let fingerprint = fingerprint_of(case, text, solvers, complaint);
        let full = match io.sink().trigger(&fingerprint)? {
            Room::Plenty => false,
            Room::Below(size) => text.len() as u64 >= size,
        };
        if full && may_count {
            return Ok(Settled::of(fingerprint, complaint, Seen::Counted));
        }
        let Some(confirmed) = runner.confirm(case, text, known, (entry, complaint))? else {
            let trial = Trial::new(case, text, solvers, runs.to_vec());
            let finding = Finding::new(&trial, entry.name, complaint.clone(), Confirmation::default(), turn);
            tracing::info!(kind = complaint.kind().word(), "not confirmed: seen in a warm session alone");
            io.record(finding, true)?;
            return Ok(Settled::of(fingerprint, complaint, Seen::Once));
        };
        let settled = Settled::of(fingerprint, &confirmed.complaint, Seen::Confirmed);
        if !full {
            io.record(Finding::confirmed(case, text, confirmed, turn), false)?;
        }
        Ok(settled)
    }
}
