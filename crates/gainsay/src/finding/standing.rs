//! Standings: how much a finding has shown about who is wrong.

use super::Finding;
use crate::judge::{Fault, Kind};
use crate::solver::SolverId;

/// How much a finding has shown about who is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// A solver is accused, and the evidence proves it.
    Proved,
    /// One of the named solvers is wrong, and it is open which one.
    Undecided,
    /// Only our own evaluation speaks against a solver, so nobody is accused.
    Unconfirmed,
}

impl Standing {
    /// All standings, the strongest first.
    pub const ALL: [Standing; 3] = [Standing::Proved, Standing::Undecided, Standing::Unconfirmed];

    /// The word for it in lists and in data.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Proved => "proved",
            Standing::Undecided => "undecided",
            Standing::Unconfirmed => "unconfirmed",
        }
    }
}

/// The standing of a finding.
pub fn standing(finding: &Finding) -> Standing {
    match (&finding.against, finding.kind) {
        (Some(_), _) => Standing::Proved,
        (None, Kind::Unconfirmed) => Standing::Unconfirmed,
        (None, _) => Standing::Undecided,
    }
}

/// The finding that says most about who is wrong: what it was reduced to, if that has decided what was open.
pub fn verdict<'f>(found: &'f Finding, reduced: Option<&'f Finding>) -> &'f Finding {
    let decides = |reduced: &&Finding| found.against.is_none() && reduced.against.is_some();
    reduced.filter(decides).unwrap_or(found)
}

/// The solvers of which one is wrong: those whose answers the finding is about.
pub fn disputants(finding: &Finding) -> Vec<&SolverId> {
    let mut solvers: Vec<&SolverId> = match &finding.fault {
        Fault::Disagreement { answers } => answers.iter().map(|answered| &answered.by).collect(),
        Fault::Contradiction { by, .. } | Fault::SeedDenied { by, .. } => vec![by],
        Fault::Unconfirmed { suspect, .. } => vec![suspect],
        _ => finding.said.iter().map(|said| &said.solver).collect(),
    };
    let mut seen = Vec::new();
    solvers.retain(|solver| {
        let is_new = !seen.contains(solver);
        seen.push(solver);
        is_new
    });
    solvers
}
