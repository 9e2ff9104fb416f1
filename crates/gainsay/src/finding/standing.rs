//! Standings: how much a finding has shown about who is wrong.

use super::Finding;

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
    match finding.against {
        Some(_) => Standing::Proved,
        None => Standing::Undecided,
    }
}
