//! The log for contributors: what happens inside, on standard error, if somebody asks for it.

use std::sync::OnceLock;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::arguments::BadUsage;

/// The variable that says what is logged, such as `gainsay::judge=debug,gainsay::solver=trace`.
const VARIABLE: &str = "GAINSAY_LOG";

/// How often `-v` was given.
static VERBOSITY: OnceLock<u8> = OnceLock::new();

/// Whether `-v` was given.
pub fn is_verbose() -> bool {
    VERBOSITY.get().is_some_and(|times| *times > 0)
}

/// Begins to log what `$GAINSAY_LOG` says, or else what `-v` says. If neither says anything, logging costs nothing.
pub fn start(verbosity: u8) -> Result<(), BadUsage> {
    let _ = VERBOSITY.set(verbosity);
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let Some(wanted) = wanted(&variable, verbosity)? else { return Ok(()) };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_timer(uptime())
        .with_ansi(false)
        .with_thread_names(false);
    // It fails only if something else in this process logs already.
    let _ = tracing_subscriber::registry().with(wanted).with(lines).try_init();
    Ok(())
}

/// Which parts of the program are logged in which detail; none if nothing is.
fn wanted(variable: &str, verbosity: u8) -> Result<Option<Targets>, BadUsage> {
    if !variable.trim().is_empty() {
        let targets = variable.parse::<Targets>();
        return targets.map(Some).map_err(|e| BadUsage(format!("${VARIABLE} is {variable}: {e}")));
    }
    let level = match verbosity {
        0 => return Ok(None),
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    Ok(Some(Targets::new().with_target("gainsay", level)))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn the_variable_wins_over_the_flag() {
        let logs = |variable: &str, verbosity, target, level| {
            let wanted = wanted(variable, verbosity).expect("readable");
            wanted.is_some_and(|wanted| wanted.would_enable(target, &level))
        };
        let rows = [
            ("", 0, "gainsay", Level::ERROR, false),
            ("", 1, "gainsay::judge", Level::INFO, true),
            ("", 1, "gainsay::judge", Level::DEBUG, false),
            ("", 2, "gainsay::judge", Level::DEBUG, true),
            ("", 3, "gainsay::judge", Level::TRACE, true),
            ("", 3, "rustls", Level::ERROR, false),
            ("gainsay::judge=debug", 3, "gainsay::judge::oracle", Level::DEBUG, true),
            ("gainsay::judge=debug", 3, "gainsay::solver", Level::DEBUG, false),
            ("info", 0, "gainsay::solver", Level::INFO, true),
        ];
        for (variable, verbosity, target, level, expected) in rows {
            assert_eq!(
                logs(variable, verbosity, target, level),
                expected,
                "{variable} {verbosity} {target} {level}"
            );
        }
        assert!(wanted("gainsay=loud", 0).is_err());
    }
}
