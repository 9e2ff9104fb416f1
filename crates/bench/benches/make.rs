//! Speed of making and printing one mutant: `gainsay bench make`.
//!
//! `GAINSAY_SEEDS=folder cargo bench -p gainsay-bench --bench make` measures the .smt2 files of 1 to 4 kB below a folder; without
//! it, scripts made here. Names of strategies after `--` measure those alone.

use gainsay_bench::make;

fn main() -> anyhow::Result<()> {
    let seeds = std::env::var_os("GAINSAY_SEEDS").map(Into::into).into_iter().collect();
    let with = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    make::run(&make::Args { seeds, with }).map(|_| ())
}
