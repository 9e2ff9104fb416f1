//! Reading findings: `finding.json`.

use serde::Deserialize;

use super::{Finding, VERSION};

/// Why a finding cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFinding {
    /// It is not JSON, or a field is missing or has a value that is not known.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It was written by another version of the program.
    #[error("it has version {0}, and this program reads version {VERSION}")]
    OtherVersion(u32),
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
            other => return Err(UnreadableFinding::OtherVersion(other)),
        };
        finding.check()?;
        finding.case = case;
        Ok(finding)
    }

    /// Checks the version of a finding, and that its fields do not contradict each other.
    pub fn check(&self) -> Result<(), UnreadableFinding> {
        if self.version != VERSION {
            return Err(UnreadableFinding::OtherVersion(self.version));
        }
        let fault = self.fault.kind();
        if self.kind != fault {
            let (kind, fault) = (self.kind.to_string(), fault.to_string());
            return Err(UnreadableFinding::Contradictory { kind, fault });
        }
        Ok(())
    }
}
