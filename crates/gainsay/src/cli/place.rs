//! Where a campaign is, on the command line: what is wrong with an address is told without it, since it may hold a password.

use std::ffi::{OsStr, OsString};
use std::sync::Once;

use clap::builder::{TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

use crate::store::{Place, is_address};

/// Reads the value of a flag as a place.
#[derive(Clone)]
pub struct Reads;

impl ValueParserFactory for Place {
    type Parser = Reads;

    fn value_parser() -> Reads {
        Reads
    }
}

impl TypedValueParser for Reads {
    type Value = Place;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Place, Error> {
        let name = arg.map_or(String::new(), |arg| format!("{arg}: "));
        let told =
            |why: &str| Error::raw(ErrorKind::ValueValidation, format!("{name}{why}\n")).with_cmd(command);
        let place = value
            .to_str()
            .map_or_else(|| Err("this is no text".to_owned()), str::parse)
            .map_err(|why| told(&why))?;
        heed(&place);
        Ok(place)
    }
}

/// Says once that a password on the command line can be read by everybody on the machine.
fn heed(place: &Place) {
    static SAID: Once = Once::new();
    if matches!(place, Place::Server(address) if address.tells_password) {
        SAID.call_once(|| {
            eprintln!(
                "gainsay: everybody on this machine can see the password in the command line; \
                 PGPASSWORD or ~/.pgpass is the place for it"
            );
        });
    }
}

/// What is wrong with a command line, without the addresses in it.
pub fn hushed(e: Error, args: &[OsString]) -> Error {
    let mut told = e.to_string();
    let before = told.clone();
    for arg in args.iter().filter_map(|arg| arg.to_str()) {
        let value = arg.split_once('=').map_or(arg, |(_, value)| value);
        for secret in [arg, value].into_iter().filter(|text| is_address(text)) {
            told = told.replace(secret, "postgres://…");
        }
    }
    if told == before { e } else { Error::raw(e.kind(), told.trim_start_matches("error: ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_echoed() {
        let command = || {
            let store = Arg::new("store").long("store").value_parser(Reads);
            Command::new("gainsay").arg(store)
        };
        for args in [
            &["gainsay", "--store", "postgres://ann:s3cret@host:port/db"][..],
            &["gainsay", "--store=postgres://ann:s3cret@host/db#S3CRET"],
            &["gainsay", "--stor=postgres://ann:s3cret@host/db"],
            &["gainsay", "postgres://ann:s3cret@host/db"],
            &["gainsay", "--store", "x", "--store", "postgres://ann:s3cret@host/db"],
        ] {
            let all: Vec<OsString> = args.iter().map(OsString::from).collect();
            let told = hushed(command().try_get_matches_from(args).expect_err("wrong"), &all);
            let told = told.to_string();
            assert!(told.starts_with("error: ") && !told.to_lowercase().contains("s3cret"), "{told}");
        }
        let told =
            command().try_get_matches_from(["gainsay", "--store", "postgres://ann:s3cret@host:port/db"]);
        assert!(told.expect_err("wrong").to_string().contains("this is no address"));
    }
}
