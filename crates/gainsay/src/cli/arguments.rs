//! Values of arguments that several commands read, and what becomes of wrong ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

/// A command line that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadUsage(pub String);

/// A file on the command line that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}{}", place.display(), if *directory { ": it is a directory; name one script" } else { "" })]
pub struct Unreadable {
    place: PathBuf,
    directory: bool,
}

/// Reads a file that the command line names.
pub fn read_named(place: &Path) -> anyhow::Result<Vec<u8>> {
    let unreadable = |directory: bool| Unreadable { place: place.to_owned(), directory };
    if place.is_dir() {
        return Err(unreadable(true).into());
    }
    std::fs::read(place).with_context(|| unreadable(false))
}

/// Reads 500ms, 90s, 10m, 2h, 1d, or seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 =
        text[..text.len() - unit.len()].parse().map_err(|_| "a number and s, m, h or d".to_owned())?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "d" => number * 86400.0,
        _ => return Err(format!("the unit {unit} is none of ms, s, m, h, d")),
    };
    if seconds.is_finite() && (0.0..1e9).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("that is too long".to_owned())
    }
}

/// The number of workers that was given, or one for each core; at least one.
pub fn workers(given: Option<usize>) -> usize {
    given.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert!(duration("soon").is_err());
        assert!(duration("3 weeks").is_err());
        assert!(duration("99999999999d").is_err());
    }
}
