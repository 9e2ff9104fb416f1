//! Real solvers for tests: installed on demand, or the test says that it was skipped and why.

use super::acquire::home::Home;
use super::acquire::install::Installer;
use super::runnable::Solver;

/// The solvers named, installed if need be.
///
/// `None` if they cannot be had; the reason is printed, unless `GAINSAY_REQUIRE` contains `solvers`: then it panics.
pub fn require(names: &[&str]) -> Option<Vec<Solver>> {
    let home = Home::of_environment();
    let installer = Installer { home: home.clone(), unlocked: false };
    let get = |name: &&str| {
        let first = name.split_whitespace().next().unwrap_or(name);
        for wanted in installer.wanted(first)? {
            installer.install(&wanted)?;
        }
        Solver::named(name, &home, None)
    };
    match names.iter().map(get).collect::<Result<Vec<Solver>, _>>() {
        Ok(solvers) => Some(solvers),
        Err(e) => {
            let required = std::env::var("GAINSAY_REQUIRE").is_ok_and(|r| r.contains("solvers"));
            assert!(!required, "solvers are required: {e}");
            eprintln!("skipped: {} cannot be had here: {e}", names.join(", "));
            None
        }
    }
}
