//! Errors of stores, with what to do about them.

use std::path::{Path, PathBuf};

/// An error of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no campaign.
    #[error("{place} holds no campaign; `gainsay hunt --store {place}` begins one")]
    None {
        /// The folder or the address.
        place: PathBuf,
    },
    /// There is a campaign with another definition.
    #[error(
        "{place} holds a campaign that was begun otherwise ({what}); `--resume` goes on with it as it was begun, another --store begins a new one"
    )]
    Other {
        /// The folder or the address.
        place: PathBuf,
        /// What differs.
        what: String,
    },
    /// There is a campaign already.
    #[error("{place} holds a campaign already; --resume continues it, another --store begins a new one")]
    There {
        /// The folder or the address.
        place: PathBuf,
    },
    /// The place is used by something else.
    #[error("{place} is used by something else; name another after #")]
    Strange {
        /// The folder or the address.
        place: PathBuf,
    },
    /// The place is used, and a campaign there would be erased afterwards.
    #[error("{place} is there already, and would be erased; name one after # that is not")]
    Present {
        /// The folder or the address.
        place: PathBuf,
    },
    /// There is a copy that is not whole.
    #[error("{place} is a copy that did not come to its end; the same `gainsay store copy` makes it anew")]
    Unfinished {
        /// The folder or the address.
        place: PathBuf,
    },
    /// The campaign was replaced by another of the same name.
    #[error(
        "{place}: this campaign was replaced by another of the same name; what was found for it stays on this machine's disk"
    )]
    Replaced {
        /// The folder or the address.
        place: String,
    },
    /// Another process writes to the campaign.
    #[error(
        "{place} is in use by another gainsay that writes to it; wait for it, stop it, or take another --store"
    )]
    Busy {
        /// The folder or the address.
        place: PathBuf,
    },
    /// The store was written by a later release.
    #[error("{place} was written by a newer gainsay (its format is {found}, ours {known}); use that one")]
    Newer {
        /// The folder or the address.
        place: PathBuf,
        /// Its version.
        found: u32,
        /// The version we know.
        known: u32,
    },
    /// The store was written by an earlier release, in a form that is no longer used.
    #[error(
        "{place} was written by an earlier gainsay (its format is {found}, ours {known}), and this gainsay does not read it; go on \
         with the gainsay that wrote it, or begin a new campaign in another --store"
    )]
    Older {
        /// The folder or the address.
        place: String,
        /// Its version.
        found: u32,
        /// The version we know.
        known: u32,
    },
    /// A file or a row is not what this program writes.
    #[error("{place} cannot be read: {why}")]
    Unreadable {
        /// Which file, or which row of which table.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// The database is damaged.
    #[error("{place} cannot be read as a campaign: {why}; its findings are plain files in {findings}")]
    Corrupt {
        /// The folder or the address.
        place: PathBuf,
        /// What the database says.
        why: String,
        /// Where the findings are.
        findings: PathBuf,
    },
    /// A file cannot be written or read.
    #[error("{place}: {why}")]
    Disk {
        /// The file.
        place: PathBuf,
        /// The error of the system.
        why: std::io::Error,
    },
    /// The disk is full.
    #[error("the disk is full; make room and go on with --resume, nothing that was handed in is lost")]
    Full,
    /// The server cannot be reached, or cannot take anything now.
    #[error("{place} cannot be reached: {why}")]
    Away {
        /// The folder or the address.
        place: String,
        /// The reason.
        why: String,
    },
    /// The server refuses a statement or a connection.
    #[error("{place}: {why}")]
    Refused {
        /// The folder or the address.
        place: String,
        /// The message of the server.
        why: String,
    },
    /// The database cannot write.
    #[error("the campaign's database cannot go on: {0}")]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> StoreError {
        match e.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full,
            _ => StoreError::Database(e),
        }
    }
}

impl StoreError {
    /// The error that something cannot be read.
    pub fn unreadable(place: impl Into<String>, why: impl std::fmt::Display) -> StoreError {
        StoreError::Unreadable { place: place.into(), why: why.to_string() }
    }

    /// The error that a file cannot be read.
    pub fn unreadable_file(place: &Path, why: impl std::fmt::Display) -> StoreError {
        StoreError::unreadable(place.display().to_string(), why)
    }

    /// The error of the system at a place.
    pub fn at(place: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> StoreError {
        let place = place.as_ref().to_owned();
        move |why| StoreError::Disk { place, why }
    }
}
