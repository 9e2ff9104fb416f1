//! Speed of making tests by construction, in CPU time of this thread: the suite from nothing, as text and as cases.

use std::collections::BTreeMap;
use std::hint::black_box;

use gainsay::case::Choices;
use gainsay::strategy::{Options, named};
use rustix::time::{ClockId, clock_gettime};

fn now() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

fn main() {
    for theory in ["strings", "bitvec", "float", "ints", "reals", "arrays", "seq"] {
        let given = BTreeMap::from([("theory".to_owned(), theory.to_owned())]);
        let entry = named("strings").expect("registered");
        let build = || (entry.build)(&Options::of(entry.flags, &given)).expect("good options");
        let mut made = [(0u64, 0usize, 0.0); 2];
        for (way, result) in made.iter_mut().enumerate() {
            // The best of a few: others use the machine, too.
            for _ in 0..5 {
                let start = now();
                let strategy = build();
                let (mut count, mut bytes) = (0, 0);
                for no in 0..strategy.series_count().expect("it ends") {
                    let mut series = strategy.series(no, &[], Choices::drawn(0, entry.name, no));
                    let mut next = || match way {
                        0 => series.next_text().map(|text| black_box(text).len()),
                        _ => series.next().map(|case| black_box(case).script.source.len()),
                    };
                    while let Some(size) = next() {
                        count += 1;
                        bytes += size;
                    }
                }
                let rate = count as f64 / (now() - start);
                *result = (count, bytes, rate.max(result.2));
            }
        }
        let [(count, bytes, texts), (_, _, cases)] = made;
        println!(
            "{theory:9} {count:6} tests, {bytes:8} bytes: {texts:9.0} texts a second, {cases:9.0} cases a second"
        );
    }
}
