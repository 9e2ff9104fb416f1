//! How many formulas a duration is worth: a table, so that the same duration means the same formulas everywhere.

use std::time::Duration;

/// How many formulas of a grammar are screened, and how many of those are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Asked and judged.
    pub screened: u64,
    /// Timed, from the smallest.
    pub timed: u64,
}

fn seconds(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.len().checked_sub(1)?);
    let scale = match unit {
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    Some(number.parse::<u64>().ok()? * scale)
}

fn share(text: &str) -> Option<Share> {
    let (screened, timed) = text.split_once('/')?;
    Some(Share { screened: screened.parse().ok()?, timed: timed.parse().ok()? })
}

fn rows() -> impl Iterator<Item = &'static str> {
    include_str!("counts.tsv").lines().filter(|line| !line.starts_with('#'))
}

/// The row of the longest duration in the table that is not longer, or of the shortest.
fn row_of(time: Duration) -> &'static str {
    let fits = |line: &&str| line.split('\t').next().and_then(seconds).is_some_and(|s| s <= time.as_secs());
    rows().skip(1).filter(fits).last().or_else(|| rows().nth(1)).expect("the table has rows")
}

/// How many turns strategies get of a duration, all together.
pub fn turns_of(time: Duration) -> u64 {
    row_of(time).split('\t').nth(1).and_then(|turns| turns.parse().ok()).expect("the table is well-formed")
}

/// What a grammar gets of a duration.
pub fn share_of(grammar: &str, time: Duration) -> Share {
    let head: Vec<&str> = rows().next().expect("the table has a head").split('\t').collect();
    let column = head.iter().position(|name| *name == grammar).unwrap_or(head.len() - 1);
    share(row_of(time).split('\t').nth(column).unwrap_or_default()).expect("the table is well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_grows() {
        let rows: Vec<Vec<&str>> = rows().map(|l| l.split('\t').collect()).collect();
        for pair in rows[1..].windows(2) {
            assert_eq!(pair[0].len(), rows[0].len());
            assert!(seconds(pair[0][0]) < seconds(pair[1][0]), "{pair:?}");
            for (less, more) in pair[0][2..].iter().zip(&pair[1][2..]) {
                let (less, more) = (share(less).expect("a share"), share(more).expect("a share"));
                assert!(
                    less.screened < more.screened && less.timed <= more.timed && more.timed <= more.screened
                );
            }
        }
        let minutes = |m: u64| Duration::from_secs(m * 60);
        assert_eq!(share_of("Ints", minutes(31)), share_of("Ints", minutes(30)));
        assert_eq!(share_of("FP", Duration::ZERO), share_of("FP", minutes(1)));
        assert!(turns_of(minutes(1)) < turns_of(minutes(30)));
        assert_eq!(share_of("mine", minutes(5)), Share { screened: 500, timed: 50 });
    }
}
