//! Limits of time that fit the formula: a ladder of limits, and the rung on which a solver is asked in a series.
//!
//! Nothing here reads a clock. Times come from runs.

use std::time::Duration;

/// The rungs below the limit of the campaign, in milliseconds.
const RUNGS: [u64; 5] = [20, 50, 100, 250, 1000];
/// The first rung whose time is so many times that of the slowest question before is taken.
const MULTIPLE: u32 = 4;

/// A ladder of limits: a few short ones, and the limit of the campaign at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ladder(Vec<Duration>);

impl Ladder {
    /// The ladder up to a limit.
    pub(super) fn new(limit: Duration) -> Ladder {
        let below = RUNGS.into_iter().map(Duration::from_millis).filter(|time| *time < limit);
        Ladder(below.chain([limit]).collect())
    }

    /// The time of a rung; that of the top if there is none so high.
    pub(super) fn time(&self, rung: usize) -> Duration {
        self.0[rung.min(self.top())]
    }

    /// The time of a question for the answer to a seed. It is asked of every seed that is drawn, and many seeds are too hard.
    pub(super) fn of_seeds(&self) -> Duration {
        self.time(self.middle() + 1)
    }

    /// The number of the last rung.
    pub(super) fn top(&self) -> usize {
        self.0.len() - 1
    }

    /// The rung where a series begins of which nothing is known.
    pub(super) fn middle(&self) -> usize {
        self.top() / 2
    }

    /// The lowest rung that leaves room for a question like one that took so long.
    pub(super) fn fitting(&self, took: Duration) -> usize {
        let wanted = took.saturating_mul(MULTIPLE);
        self.0.iter().position(|time| *time >= wanted).unwrap_or(self.top())
    }
}

/// What is known of a solver's time before a series begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing.
    Nothing,
    /// It took so long for the seeds of the series.
    Took(Duration),
    /// It ran out of time on a seed of the series.
    Late,
}

impl Before {
    /// What is known of two seeds together.
    pub(super) fn and(self, other: Before) -> Before {
        match (self, other) {
            (Before::Late, _) | (_, Before::Late) => Before::Late,
            (Before::Took(one), Before::Took(two)) => Before::Took(one + two),
            (Before::Nothing, known) | (known, Before::Nothing) => known,
        }
    }
}

/// The rung on which a solver is asked in a series. It follows what the solver needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// The rung of the next question.
    pub(super) rung: usize,
    /// The time of the slowest question that was answered.
    slowest: Duration,
}

impl Pace {
    /// The rung on which a series begins.
    pub(super) fn new(ladder: &Ladder, before: Before) -> Pace {
        match before {
            Before::Took(time) => Pace { rung: ladder.fitting(time), slowest: time },
            Before::Nothing => Pace { rung: ladder.middle(), slowest: Duration::ZERO },
            Before::Late => Pace { rung: 0, slowest: Duration::ZERO },
        }
    }

    /// Takes note of the time of a question that was answered.
    pub(super) fn answered(&mut self, ladder: &Ladder, took: Duration) {
        self.slowest = self.slowest.max(took);
        self.rung = ladder.fitting(self.slowest);
    }

    /// Takes note that a question ran out of time. If questions of the series were answered, the machine may be busy: the next
    /// one has a little more.
    pub(super) fn late(&mut self, ladder: &Ladder) {
        if self.slowest > Duration::ZERO && self.rung < ladder.middle() {
            self.rung += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_ladder_ends_at_the_limit() {
        let rows: &[(u64, &[u64], usize)] = &[
            (5000, &[20, 50, 100, 250, 1000, 5000], 2),
            (1000, &[20, 50, 100, 250, 1000], 2),
            (100, &[20, 50, 100], 1),
            (60, &[20, 50, 60], 1),
            (20, &[20], 0),
            (5, &[5], 0),
        ];
        for (limit, rungs, middle) in rows {
            let ladder = Ladder::new(ms(*limit));
            assert_eq!(ladder.0, rungs.iter().map(|&n| ms(n)).collect::<Vec<_>>(), "{limit}");
            assert_eq!((ladder.middle(), ladder.top()), (*middle, rungs.len() - 1), "{limit}");
            assert_eq!(ladder.time(99), ms(*limit), "nothing is above the limit");
            assert_eq!(ladder.of_seeds(), ms(*rungs.get(middle + 1).unwrap_or(limit)));
        }
    }

    #[test]
    fn a_question_gets_a_small_multiple_of_what_one_like_it_took() {
        let ladder = Ladder::new(ms(1000));
        for (took, time) in
            [(0, 20), (5, 20), (6, 50), (12, 50), (13, 100), (62, 250), (63, 1000), (900, 1000)]
        {
            assert_eq!(ladder.time(ladder.fitting(ms(took))), ms(time), "{took}");
        }
    }

    #[test]
    fn a_series_begins_where_its_seeds_say() {
        let ladder = Ladder::new(ms(1000));
        let rows = [
            (Before::Nothing, 100),
            (Before::Took(ms(20)), 100),
            (Before::Late, 20),
            (Before::Took(ms(10)).and(Before::Took(ms(10))), 100),
            (Before::Took(ms(10)).and(Before::Late), 20),
            (Before::Nothing.and(Before::Took(ms(1))), 20),
        ];
        for (before, time) in rows {
            let pace = Pace::new(&ladder, before);
            assert_eq!(ladder.time(pace.rung), ms(time), "{before:?}");
        }
    }

    #[test]
    fn the_pace_follows_what_is_answered() {
        let ladder = Ladder::new(ms(1000));
        let mut pace = Pace::new(&ladder, Before::Nothing);
        for (took, time) in [(2, 20), (15, 100), (3, 100), (70, 1000), (1, 1000)] {
            pace.answered(&ladder, ms(took));
            assert_eq!(ladder.time(pace.rung), ms(time), "{took}");
        }
        // Late questions have a little more, but not of a series that never had an answer.
        let late = |before: Before| {
            let mut pace = Pace::new(&ladder, before);
            let mut late = || {
                pace.late(&ladder);
                pace.rung
            };
            [late(), late(), late()].map(|rung| ladder.time(rung))
        };
        assert_eq!(late(Before::Took(ms(1))), [50, 100, 100].map(ms));
        assert_eq!(late(Before::Took(ms(100))), [1000; 3].map(ms));
        assert_eq!(late(Before::Late), [20; 3].map(ms));
        assert_eq!(late(Before::Nothing), [100; 3].map(ms));
    }
}
