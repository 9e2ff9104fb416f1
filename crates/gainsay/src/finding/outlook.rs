//! What more of a hunt would bring, estimated from how often each fingerprint was triggered.

use std::time::Duration;

/// With fewer triggers nothing is estimated.
const FEWEST: u64 = 10;

/// The triggers of a hunt, and the time in which they came.
///
/// The estimate is that of Good and Turing: the chance that the next trigger is of a new fingerprint is about the share of
/// fingerprints that were triggered once among all triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Fingerprints that were triggered once.
    pub once: u64,
    /// All triggers.
    pub triggers: u64,
    /// The time in which they came.
    pub during: Duration,
}

impl Outlook {
    /// The outlook of a hunt with so many triggers of each fingerprint.
    pub fn of(counts: impl IntoIterator<Item = u64>, during: Duration) -> Outlook {
        let (mut once, mut triggers) = (0, 0);
        for count in counts {
            once += u64::from(count == 1);
            triggers += count;
        }
        Outlook { once, triggers, during }
    }

    /// The chance that the next trigger is of a new fingerprint; none if there are too few triggers.
    pub fn chance(&self) -> Option<f64> {
        (self.triggers >= FEWEST).then(|| self.once as f64 / self.triggers as f64)
    }

    /// How many new fingerprints as much time again as this would bring at most, if the hunt goes on as it went. They become
    /// rarer.
    pub fn within(&self, time: Duration) -> Option<f64> {
        let seconds = self.during.as_secs_f64();
        let rate = self.triggers as f64 / seconds.max(1.0);
        Some(self.chance()? * rate * time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_fingerprints_are_estimated_from_those_seen_once() {
        let hour = Duration::from_secs(3600);
        // Triggers of each fingerprint in half an hour; the chance, and what an hour would bring.
        type Row<'a> = (&'a [u64], Option<(f64, f64)>);
        let rows: [Row<'_>; 5] = [
            (&[], None),
            (&[1, 1, 7], None),
            (&[1, 1, 8], Some((0.2, 4.0))),
            (&[5, 5], Some((0.0, 0.0))),
            (&[1; 20], Some((1.0, 40.0))),
        ];
        for (counts, expected) in rows {
            let outlook = Outlook::of(counts.iter().copied(), hour / 2);
            let told = outlook.chance().zip(outlook.within(hour));
            assert_eq!(told, expected, "{counts:?}");
        }
    }
}
