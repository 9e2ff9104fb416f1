//! Arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // Supervisors and drivers of solvers are this program, started again.
    if gainsay::cli::is_own_child() {
        return gainsay::cli::main();
    }
    gainsay::cli::ended(gainsay_bench::run(&gainsay_bench::Cli::parse()))
}
