//! The turns of a campaign, one by one.

/// Reads rows of turns in the order of series and steps.
pub const QUERY: &str = "SELECT series || ' ' || step || ' ' || outcomes FROM turns ORDER BY series, step";

/// A line for each turn: its series, its step, and what it came to.
pub fn each(rows: &[String]) -> Vec<String> {
    let mut turns = Vec::new();
    for row in rows {
        let mut words = row.split(' ');
        let (series, first) = (words.next().expect("a series"), words.next().expect("a step"));
        let first: u32 = first.parse().expect("a number");
        turns.extend((first..).zip(words).map(|(step, letters)| format!("{series} {step} {letters}")));
    }
    turns
}
