//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    gainsay::cli::run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
