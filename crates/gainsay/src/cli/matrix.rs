//! `gainsay matrix`: what the answers of each solver came to, category by category.

use super::exit;
use crate::report::matrix::Matrix;
use crate::store::Place;

/// Which campaign, and for whom.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let matrix = Matrix::of(&*args.store.look()?)?;
    if args.json {
        println!("{}", matrix.json());
    } else if args.csv {
        print!("{}", matrix.csv());
    } else if matrix.is_empty() {
        println!("no strategy of this campaign has categories; `gainsay hunt --with construct` has");
    } else {
        print!("{}", matrix.terminal());
    }
    Ok(if matrix.is_empty() { exit::NOT_SO } else { exit::FINE })
}
