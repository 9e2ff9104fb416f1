//! From a complaint to a finding: counted if its like are many, confirmed in fresh processes, recorded.

use super::engine::EngineError;
use super::worker_io::WorkerIo;
use crate::case::Case;
use crate::finding::{Finding, Turn, fingerprint_of};
use crate::judge::{Complaint, Confirmation, Kind, Known, Trial, TrialRunner, oracle};
use crate::solver::{Run, Solver};
use crate::store::{Room, Seen};

/// A complaint, with all that it is about.
pub struct Accusation<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its text.
    pub text: &'a str,
    /// Who was asked.
    pub solvers: &'a [Solver],
    /// What each of them did.
    pub runs: &'a [Option<Run>],
    /// What they answered to the other scripts of the case.
    pub known: &'a Known,
    /// The oracle that complains.
    pub entry: &'static oracle::Entry,
    /// What it complains of.
    pub complaint: &'a Complaint,
    /// In which turn.
    pub turn: Turn,
}

/// What came of a complaint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// How surely it was seen.
    pub seen: Seen,
    /// Its kind, which fresh processes may have changed: what one run decides may be undecided on another.
    pub kind: Kind,
    /// Whether a solver is accused of it.
    pub accuses: bool,
}

impl Settled {
    fn of(complaint: &Complaint, seen: Seen) -> Settled {
        Settled { seen, kind: complaint.kind(), accuses: complaint.against.is_some() }
    }
}

impl Accusation<'_> {
    /// Counts the complaint, confirms it in fresh processes while there is room for its like, and records what it is. With
    /// `may_count` a complaint of which there are enough is counted and nothing else; what was seen in a warm session alone must
    /// be confirmed even then, if somebody rests on it.
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
            return Ok(Settled::of(complaint, Seen::Counted));
        }
        let Some(confirmed) = runner.confirm(case, text, known, (entry, complaint))? else {
            let trial = Trial::new(case, text, solvers, runs.to_vec());
            let finding = Finding::new(&trial, entry.name, complaint.clone(), Confirmation::default(), turn);
            tracing::info!(kind = complaint.kind().word(), "not confirmed: seen in a warm session alone");
            io.record(finding, true)?;
            return Ok(Settled::of(complaint, Seen::Once));
        };
        let settled = Settled::of(&confirmed.complaint, Seen::Confirmed);
        if !full {
            io.record(Finding::confirmed(case, text, confirmed, turn), false)?;
        }
        Ok(settled)
    }
}
