//! What can go wrong with a store, and what to do about it.

use std::path::{Path, PathBuf};

/// What is wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is none.
    #[error("{place} holds no campaign; `gainsay hunt --store {place}` begins one")]
    None {
        /// Where.
        place: PathBuf,
    },
    /// There is one already, of other kind.
    #[error(
        "{place} holds a campaign that was begun otherwise ({what}); `--resume` goes on with it as it was begun, another --store begins a new one"
    )]
    Other {
        /// Where.
        place: PathBuf,
        /// What differs.
        what: String,
    },
    /// There is one already.
    #[error("{place} holds a campaign already; --resume continues it, another --store begins a new one")]
    There {
        /// Where.
        place: PathBuf,
    },
    /// Something else is there.
    #[error("{place} is used by something else; name another after #")]
    Strange {
        /// Where.
        place: PathBuf,
    },
    /// Something is there, and what is to be there is erased afterwards.
    #[error("{place} is there already, and would be erased; name one after # that is not")]
    Present {
        /// Where.
        place: PathBuf,
    },
    /// A copy that is not whole is there.
    #[error("{place} is a copy that did not come to its end; the same `gainsay store copy` makes it anew")]
    Unfinished {
        /// Where.
        place: PathBuf,
    },
    /// It is not the one that it was.
    #[error(
        "{place}: this campaign was replaced by another of the same name; what was found for it stays on this machine's disk"
    )]
    Replaced {
        /// Where.
        place: String,
    },
    /// Somebody else writes to it.
    #[error(
        "{place} is in use by another gainsay that writes to it; wait for it, stop it, or take another --store"
    )]
    Busy {
        /// Where.
        place: PathBuf,
    },
    /// It was written by a later release.
    #[error("{place} was written by a newer gainsay (its format is {found}, ours {known}); use that one")]
    Newer {
        /// Where.
        place: PathBuf,
        /// Its version.
        found: u32,
        /// The version we know.
        known: u32,
    },
    /// It was written by an earlier release, in a form that is no longer used.
    #[error(
        "{place} was written by an earlier gainsay (its format is {found}, ours {known}), and this gainsay does not read it; go on \
         with the gainsay that wrote it, or begin a new campaign in another --store"
    )]
    Older {
        /// Where.
        place: String,
        /// Its version.
        found: u32,
        /// The version we know.
        known: u32,
    },
    /// Something that is kept there is not what we wrote.
    #[error("{place} cannot be read: {why}")]
    Unreadable {
        /// Which file, or which row of which table.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is damaged.
    #[error("{place} cannot be read as a campaign: {why}; its findings are plain files in {findings}")]
    Corrupt {
        /// Where.
        place: PathBuf,
        /// What the database says.
        why: String,
        /// Where the findings are.
        findings: PathBuf,
    },
    /// A file cannot be written or read.
    #[error("{place}: {why}")]
    Disk {
        /// Which.
        place: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// There is no room left.
    #[error("the disk is full; make room and go on with --resume, nothing that was handed in is lost")]
    Full,
    /// The server cannot be reached, or cannot take anything now.
    #[error("{place} cannot be reached: {why}")]
    Away {
        /// Where.
        place: String,
        /// What was said.
        why: String,
    },
    /// The server refuses what we say.
    #[error("{place}: {why}")]
    Refused {
        /// Where.
        place: String,
        /// What it says.
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
    /// Says what cannot be read, and why.
    pub fn unreadable(place: impl Into<String>, why: impl std::fmt::Display) -> StoreError {
        StoreError::Unreadable { place: place.into(), why: why.to_string() }
    }

    /// The same, of a file.
    pub fn unreadable_file(place: &Path, why: impl std::fmt::Display) -> StoreError {
        StoreError::unreadable(place.display().to_string(), why)
    }

    /// Says where the disk failed.
    pub fn at(place: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> StoreError {
        let place = place.as_ref().to_owned();
        move |why| StoreError::Disk { place, why }
    }
}
