//! `gainsay status`: how far a campaign is, and who works on it.

use super::{STORE, choose, exit};
use crate::config::Config;
use crate::report::status::{json, words};
use crate::store::Place;
use crate::study::status_of;

/// Which campaign, and for whom.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign: a folder, or `postgres://user@host/database#name`
    #[arg(long, default_value = STORE)]
    store: Place,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let config = Config::read()?;
    let report = status_of(&args.store, choose::finder(&config), choose::ignored(&config))?;
    if args.json {
        println!("{}", json(&report));
    } else {
        print!("{}", words(&report));
    }
    Ok(exit::FINE)
}
