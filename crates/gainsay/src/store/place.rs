//! Where a campaign is: a folder of this machine, or a `PostgreSQL` server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::address::{Address, is_address};
use super::{Annotate, Postgres, Reader, Sqlite, StoreError};

/// The place of a campaign.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a folder.
    Folder(PathBuf),
    /// On a server.
    Server(Box<Address>),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        match is_address(text) {
            true => Ok(Place::Server(Box::new(Address::parse(text)?))),
            false => Ok(Place::Folder(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Folder(place) => place.display().fmt(f),
            Place::Server(address) => address.fmt(f),
        }
    }
}

impl Place {
    /// Opens the campaign there to look at it, also while others write.
    pub fn look(&self) -> Result<Box<dyn Reader>, StoreError> {
        Ok(match self {
            Place::Folder(folder) => Box::new(Sqlite::look(folder)?),
            Place::Server(address) => Box::new(Postgres::look(address)?),
        })
    }

    /// Says early that a folder holds a campaign already, before solvers are installed and seeds are read for a new one. Whatever
    /// else is wrong is said when the campaign begins.
    pub fn check_new(&self) -> Result<(), StoreError> {
        match self {
            Place::Folder(folder) if Sqlite::look(folder).is_ok() => {
                Err(StoreError::There { place: folder.clone() })
            }
            Place::Folder(_) | Place::Server(_) => Ok(()),
        }
    }

    /// Opens the campaign there to keep something beside its findings.
    pub fn annotate(&self) -> Result<Box<dyn Annotate>, StoreError> {
        Ok(match self {
            Place::Folder(folder) => Box::new(Sqlite::look(folder)?),
            Place::Server(address) => Box::new(Postgres::look(address)?),
        })
    }

    /// Where a file of a finding is, in words.
    pub fn shown(&self, folder: &str, file: &str) -> String {
        match self {
            Place::Folder(place) => place.join(folder).join(file).display().to_string(),
            Place::Server(address) => format!("{address} {folder}/{file}"),
        }
    }
}
