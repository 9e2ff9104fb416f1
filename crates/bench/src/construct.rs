//! `gainsay bench construct`: tests by construction a second, from nothing, as text and as cases, in CPU time of one thread.

use std::collections::BTreeMap;
use std::hint::black_box;

use crate::thread_cpu;
use gainsay::case::Choices;
use gainsay::cli::exit;
use gainsay::strategy::{Options, named};

const THEORIES: [&str; 7] = ["strings", "bitvec", "float", "ints", "reals", "arrays", "seq"];
/// The best of so many: others use the machine, too.
const TIMES: u32 = 5;

/// Runs the command.
pub fn run() -> anyhow::Result<u8> {
    println!("{:<9} {:>7} {:>9} {:>14} {:>14}", "", "tests", "bytes", "texts a second", "cases a second");
    for theory in THEORIES {
        let (count, bytes, texts) = best(theory, true);
        let (_, _, cases) = best(theory, false);
        println!("{theory:<9} {count:>7} {bytes:>9} {texts:>14.0} {cases:>14.0}");
    }
    Ok(exit::FINE)
}

/// The suite of a theory: how many tests and bytes it has, and how many a second were made at best.
fn best(theory: &str, as_text: bool) -> (u64, usize, f64) {
    let given = BTreeMap::from([("theory".to_owned(), theory.to_owned())]);
    let entry = named("construct").expect("registered");
    let (mut count, mut bytes, mut rate) = (0u64, 0usize, 0f64);
    for _ in 0..TIMES {
        (count, bytes) = (0, 0);
        let start = thread_cpu();
        let strategy = (entry.build)(&Options::of(entry.flags, &given)).expect("good options");
        for no in 0..strategy.series_count().expect("it ends") {
            let mut series = strategy.series(no, &[], Choices::drawn(0, entry.name, no));
            let mut next = || match as_text {
                true => series.next_text().map(|text| black_box(text).len()),
                false => series.next().map(|case| black_box(case).script.source.len()),
            };
            while let Some(size) = next() {
                count += 1;
                bytes += size;
            }
        }
        rate = rate.max(count as f64 / (thread_cpu() - start));
    }
    (count, bytes, rate)
}
