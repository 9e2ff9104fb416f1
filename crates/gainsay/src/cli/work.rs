//! `gainsay work`: takes part in a hunt or a study that is on a server.

use std::time::Duration;

use super::arguments::{BadUsage, duration, workers};
use super::join::{Joining, Run, joined};
use super::{exit, signals};
use crate::store::Place;

/// Which hunt or study, and how much of this machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay work --store postgres://lab@db.example/solvers --jobs 16
  gainsay work --store postgres://lab@db.example/solvers#week --for 8h

The password comes from PGPASSWORD or ~/.pgpass. Ctrl-C hands in what was made and ends.
Exit codes: 0 nothing found, 10 findings, 2 usage, 3 internal error, 4 no usable solver, 5 disk or server.")]
pub struct Args {
    /// The address of the campaign: `postgres://user@host/database#name`
    #[arg(long)]
    store: Place,
    /// Cases that are worked on at a time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop after this long: 90s, 10m, 2h
    #[arg(long = "for", value_parser = duration)]
    for_: Option<Duration>,
    /// Exit with 0 instead of 10 if there are findings, for schedulers that take every other status for a failure
    #[arg(long)]
    findings_are_fine: bool,
    /// Events as lines of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    joining: Joining,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Place::Server(address) = &args.store else {
        let words =
            format!("{} is a folder of one machine; `gainsay hunt --resume` goes on there", args.store);
        return Err(BadUsage(words).into());
    };
    let stop = signals::stop()?;
    let run = Run { jobs: workers(args.jobs), time: args.for_, json: args.json, stop: &stop };
    let (code, _) = joined(address, &args.joining, &run)?;
    Ok(if code == exit::FINDINGS && args.findings_are_fine { exit::FINE } else { code })
}
