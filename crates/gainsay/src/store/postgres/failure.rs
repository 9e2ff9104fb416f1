//! What can go wrong on a connection to a server, and whether that may pass.

use std::time::Duration;

use tokio_postgres::error::SqlState;

use crate::store::{Address, StoreError};

/// The reason why something was not done on a server.
#[derive(Debug)]
pub enum Failure {
    /// The server refused it, or the connection failed.
    Server(tokio_postgres::Error),
    /// The server said nothing for so long.
    Silent(Duration),
    /// This machine failed.
    Here(std::io::Error),
    /// The store holds another campaign than before.
    Replaced,
    /// The store cannot be used for another reason.
    Other(StoreError),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(e: tokio_postgres::Error) -> Failure {
        Failure::Server(e)
    }
}

impl From<StoreError> for Failure {
    fn from(e: StoreError) -> Failure {
        Failure::Other(e)
    }
}

/// Whether a refusal passes: no room, too many of us, a server that comes or goes, a password that somebody may mend.
fn passes(code: &SqlState) -> bool {
    const PASSING: &[&str] = &["08", "53", "57P", "58", "40", "28", "55P03", "25P03"];
    PASSING.iter().any(|start| code.code().starts_with(start))
}

impl Failure {
    /// Whether the connection must be made anew.
    pub fn is_lost(&self) -> bool {
        match self {
            Failure::Server(e) => e.code().is_none_or(passes),
            Failure::Silent(_) | Failure::Here(_) => true,
            Failure::Replaced | Failure::Other(_) => false,
        }
    }

    /// The error of a store. Who has not met the server before is told at once what is unlikely to pass.
    pub fn of(self, address: &Address, met: bool) -> StoreError {
        let place = address.to_string();
        let e = match self {
            Failure::Other(e) => return e,
            Failure::Silent(time) => {
                let why = format!("it said nothing for {:.0} s", time.as_secs_f64());
                return StoreError::Away { place, why };
            }
            Failure::Here(e) => return StoreError::Away { place, why: e.to_string() },
            Failure::Replaced => return StoreError::Replaced { place },
            Failure::Server(e) => e,
        };
        let cause = std::error::Error::source(&e).map(|cause| format!(" ({cause})")).unwrap_or_default();
        let (stays, why) = match e.as_db_error() {
            Some(said) if *said.code() == SqlState::UNDEFINED_TABLE => {
                (true, format!("this campaign was erased ({})", said.message()))
            }
            Some(said) if said.code().code().starts_with("28") => (!met, said.message().to_owned()),
            Some(said) => (!passes(said.code()), said.message().to_owned()),
            // The words are those of `tokio_postgres`; it has no other sign.
            None if cause.contains("password missing") => {
                (!met, "it needs a password: PGPASSWORD or ~/.pgpass".to_owned())
            }
            None => (!met && e.to_string().contains("TLS"), format!("{e}{cause}")),
        };
        if stays { StoreError::Refused { place, why } } else { StoreError::Away { place, why } }
    }
}
