//! `gainsay store`: campaigns as a whole.

use clap::Subcommand;

use super::exit;
use crate::campaign::CampaignSpec;
use crate::report::many;
use crate::store::{Checked, Place, check, copy};

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
    /// Read every row and every file of a campaign, and say what cannot be read
    Check {
        /// The campaign: a folder, or `postgres://user@host/database#name`
        #[arg(default_value = super::STORE)]
        store: Place,
    },
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    match what {
        What::Copy { from, to } => {
            let copied = copy(from, to)?;
            println!("{} and {} are in {to}", many(copied.rows, "row"), many(copied.findings, "finding"));
        }
        What::Check { store } => {
            CampaignSpec::read(&store.look()?.definition()?)?;
            let Checked { series, findings, runs } = check(store)?;
            let (findings, runs) = (many(findings as u64, "finding"), many(runs as u64, "run"));
            println!("{store}: {series} series, {findings} and {runs} of formulas were read");
        }
    }
    Ok(exit::FINE)
}
