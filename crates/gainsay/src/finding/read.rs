//! Reading findings: `finding.json`, of this version or of an earlier one.

use serde::Deserialize;

use super::version1::{Unconvertible, converted};
use super::{Finding, VERSION};

/// Why a finding cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFinding {
    /// It is not JSON, or a field is missing or has a value that is not known.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It was written by a later version of the program.
    #[error("it has version {0}, and this program reads up to version {VERSION}")]
    Newer(u32),
    /// Version 0.1 wrote a fact as a sentence of a form that is not known.
    #[error(transparent)]
    Old(#[from] Unconvertible),
    /// Its fields contradict each other.
    #[error("its kind is {kind}, but its fault is of kind {fault}")]
    Contradictory {
        /// Its kind.
        kind: String,
        /// The kind of its fault.
        fault: String,
    },
}

/// The part of every version that says which one it is.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Finding {
    /// Reads `finding.json`. The script is in a file of its own.
    pub fn read(json: &[u8], case: String) -> Result<Finding, UnreadableFinding> {
        let Versioned { version } = serde_json::from_slice(json)?;
        let mut finding: Finding = match version {
            VERSION => serde_json::from_slice(json)?,
            1 => serde_json::from_value(converted(serde_json::from_slice(json)?)?)?,
            other => return Err(UnreadableFinding::Newer(other)),
        };
        let fault = finding.fault.kind();
        if finding.kind != fault {
            let (kind, fault) = (finding.kind.to_string(), fault.to_string());
            return Err(UnreadableFinding::Contradictory { kind, fault });
        }
        finding.case = case;
        Ok(finding)
    }
}
