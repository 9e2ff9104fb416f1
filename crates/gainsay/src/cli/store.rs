//! `gainsay store`: campaigns as a whole.

use clap::Subcommand;

use super::exit;
use crate::report::many;
use crate::store::{Place, copy};

/// What to do with a campaign.
#[derive(Subcommand)]
pub enum What {
    /// Copy a campaign to a place that has none: from a folder to a server, or back
    Copy {
        /// The campaign: a folder, or `postgres://user@host/database#name`
        from: Place,
        /// Where to: the same
        to: Place,
    },
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    let What::Copy { from, to } = what;
    let copied = copy(from, to)?;
    println!("{} and {} are in {to}", many(copied.rows, "row"), many(copied.findings, "finding"));
    Ok(exit::FINE)
}
