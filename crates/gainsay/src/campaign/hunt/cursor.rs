//! The schedule of a hunt: which part of which series comes next.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::campaign::plan::HuntPlan;
use crate::campaign::schedule::{Cursor, CursorStart, Schedule, Step};
use crate::store::{Range, SeriesRow, StoreError};

/// How many turns the first pass gives a series. Of a strategy whose series are shorter several come in a row, about this many
/// turns together.
const FIRST: u32 = 10;
/// How many series in a row, by strategy, make no case before the hunt is over; more if there are many seeds.
const EMPTY_SERIES: u64 = 1024;
/// How often each seed is drawn, on average, before the hunt is over because no series makes a case. A seed from which cases
/// can be made is missed with a probability of e⁻¹⁶.
const DRAWS_OF_A_SEED: u64 = 16;

/// How series are numbered: strategies take turns by a pattern that repeats.
pub struct Pattern<'a> {
    plan: &'a HuntPlan,
    /// Where in the pattern each strategy begins, and how many series it has there.
    parts: Vec<(u64, u64)>,
    period: u64,
    /// Whether a cursor came to the end of the schedule without knowing of any case.
    no_case: AtomicBool,
}

impl<'a> Pattern<'a> {
    /// The pattern of a plan.
    pub fn new(plan: &'a HuntPlan) -> Pattern<'a> {
        let mut parts = Vec::new();
        let mut period = 0;
        for (_, kind) in &plan.strategies {
            let weight = u64::from(FIRST / plan.longest(kind.as_ref())).max(1);
            parts.push((period, weight));
            period += weight;
        }
        Pattern { plan, parts, period, no_case: AtomicBool::new(false) }
    }

    /// Whether a cursor came to the end of the schedule, and no series that it knows of made a case.
    pub fn ended_without_case(&self) -> bool {
        self.no_case.load(Ordering::Relaxed)
    }

    /// How many series in a row may make no case before the hunt is over. It depends on the definition of the campaign alone.
    fn most_empty(&self) -> u64 {
        let seeds = self.plan.corpus.seeds.len() as u64;
        self.period * EMPTY_SERIES.max(seeds.saturating_mul(DRAWS_OF_A_SEED))
    }

    /// The strategy of series `no`, and its number among the series of that strategy.
    pub fn of(&self, no: u64) -> (usize, u64) {
        let place = no % self.period;
        let strategy = self.parts.partition_point(|(start, _)| *start <= place) - 1;
        let (start, weight) = self.parts[strategy];
        (strategy, no / self.period * weight + place - start)
    }

    /// The name of the strategy of a series.
    pub fn name(&self, no: u64) -> &'static str {
        self.plan.strategies[self.of(no).0].0
    }

    /// The most turns of a series.
    fn longest(&self, no: u64) -> u32 {
        self.plan.longest(self.plan.strategies[self.of(no).0].1.as_ref())
    }

    /// Series in a block.
    fn block(&self) -> u64 {
        self.period * self.plan.breadth.max(1)
    }

    /// A number that is the same for series that come soon after each other: for about so many turns.
    pub fn stretch(&self, no: u64, turns: u64) -> u64 {
        let of_a_period = u64::from(FIRST) * self.parts.len() as u64;
        no / (self.period * (turns / of_a_period).max(1))
    }

    /// Whether there is such a series.
    fn has(&self, strategy: usize, ordinal: u64) -> bool {
        let end = self.plan.series_count(self.plan.strategies[strategy].1.as_ref());
        end.is_none_or(|end| ordinal < end)
    }
}

impl Schedule for Pattern<'_> {
    fn cursor<'a>(&'a self, start: CursorStart<'_>) -> Result<Box<dyn Cursor + Send + 'a>, StoreError> {
        let CursorStart { written, turns, rows, out } = start;
        let cursor = match written {
            "" => ScheduleCursor::new(turns, rows, out),
            written => read(written)?.with(rows, out),
        };
        Ok(Box::new(HuntCursor { pattern: self, cursor }))
    }

    fn first_series(&self, written: &str) -> Result<u64, StoreError> {
        match written {
            "" => Ok(0),
            written => Ok(read(written)?.block * self.block()),
        }
    }
}

/// Reads a cursor that was written down.
fn read(written: &str) -> Result<ScheduleCursor, StoreError> {
    serde_json::from_str(written).map_err(|why| StoreError::unreadable("the cursor of the schedule", why))
}

/// A place in the schedule of a hunt.
struct HuntCursor<'a> {
    pattern: &'a Pattern<'a>,
    cursor: ScheduleCursor,
}

impl Cursor for HuntCursor<'_> {
    fn next(&mut self) -> Step {
        self.cursor.next(self.pattern)
    }

    fn done(&mut self, unit: Range) {
        self.cursor.done(unit);
    }

    fn write(&self) -> String {
        serde_json::to_string(&self.cursor).expect("a cursor is plain data")
    }
}

/// How far the schedule is.
///
/// Series come in blocks. A block is gone through in passes: the first gives each of its series a few turns, the next twice as
/// many, until they have ended; so that a short hunt sees many seeds and a long one whole chains. Within a pass strategies take
/// turns by a pattern that repeats: of one with short series several come in a row. A limit of turns is given out in this
/// order; what units leave over when all have ended is given out in another round. So the same turns are run by any number
/// of workers, and after any interruption.
///
/// The schedule is over when all series have ended, or when so many series in a row made no case that none will. Then the
/// cursor waits for the series that are being worked on before it decides, so that this, too, is the same for any number of
/// workers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScheduleCursor {
    /// Where in the block the next series is.
    place: u64,
    /// The block.
    block: u64,
    /// Which pass through the block it is.
    pass: u32,
    /// Whether the block has a series at all.
    any: bool,
    /// Whether a series had turns left in this pass.
    more: bool,
    /// How many turns each series of the block was given.
    given: HashMap<u64, u32>,
    /// Turns of this round that have not been given out; without limit if none.
    left: Option<u64>,
    /// Turns that were given out and not made.
    returned: u64,
    /// Series that were out when the cursor was made: what they leave over is counted when their turn comes.
    strangers: HashSet<u64>,
    /// The number after that of the last series that is known to have made a case; 0 if none is.
    after_last_case: u64,
    /// How far series are, in this run or an earlier one.
    #[serde(skip)]
    rows: HashMap<u64, Range>,
    /// Series that are being worked on, or not handed in.
    #[serde(skip)]
    out: HashSet<u64>,
}

impl ScheduleCursor {
    /// The beginning of a campaign of so many turns, of which these series were begun and those are being worked on.
    fn new(turns: Option<u64>, before: &[SeriesRow], out: &[u64]) -> ScheduleCursor {
        let strangers = out.iter().copied().collect();
        let cursor = ScheduleCursor { left: turns, strangers, ..ScheduleCursor::default() };
        cursor.with(before, out)
    }

    /// The same place with what is known of series.
    fn with(mut self, rows: &[SeriesRow], out: &[u64]) -> ScheduleCursor {
        self.rows = rows.iter().map(|row| (row.no, row.range())).collect();
        self.after_last_case = rows
            .iter()
            .filter(|row| row.turns > 0)
            .map(|row| row.no + 1)
            .fold(self.after_last_case, u64::max);
        self.out = out.iter().copied().collect();
        self
    }

    /// The next unit.
    fn next(&mut self, pattern: &Pattern<'_>) -> Step {
        loop {
            if self.left == Some(0) {
                match (self.out.is_empty(), self.returned) {
                    // How far series come decides how much is left over.
                    (false, _) => return Step::Wait,
                    (true, 0) => return Step::Over,
                    (true, returned) => (self.left, self.returned) = (Some(returned), 0),
                }
            }
            let Some(no) = self.upcoming(pattern) else { return self.over(pattern) };
            // How far a series comes decides what it may have next.
            if self.out.contains(&no) {
                return Step::Wait;
            }
            if no.saturating_sub(self.after_last_case) >= pattern.most_empty() {
                let may_still_make_one = self.out.iter().any(|&other| other >= self.after_last_case);
                return if may_still_make_one { Step::Wait } else { self.over(pattern) };
            }
            self.place += 1;
            if let Some(unit) = self.unit(pattern, no) {
                self.out.insert(no);
                return Step::Work(unit);
            }
        }
    }

    /// Ends the schedule before its turns are used up.
    fn over(&self, pattern: &Pattern<'_>) -> Step {
        if self.after_last_case == 0 {
            pattern.no_case.store(true, Ordering::Relaxed);
        } else {
            tracing::info!(after = self.after_last_case - 1, "no further series makes a case");
        }
        Step::Over
    }

    /// Gives a series its turns of this pass; nothing if it needs none, or an earlier run made them.
    fn unit(&mut self, pattern: &Pattern<'_>, no: u64) -> Option<Range> {
        let longest = pattern.longest(no);
        let given = self.given.get(&no).copied().unwrap_or(0);
        let row = self.rows.get(&no).copied();
        // A series that ended was given this many turns, and no more.
        if given >= longest || row.is_some_and(|row| row.ended && row.allotted <= given) {
            return None;
        }
        let target = FIRST.saturating_mul((2 << self.pass.min(16)) - 1).min(longest);
        let room = self.left.map_or(u32::MAX, |left| u32::try_from(left).unwrap_or(u32::MAX));
        let upto = given + target.saturating_sub(given).min(room);
        self.left = self.left.map(|left| left - u64::from(upto - given));
        self.given.insert(no, upto);
        self.more |= upto < longest;
        let mut row = row.unwrap_or(Range { no, allotted: 0, turns: 0, ended: false });
        if row.ended {
            self.returned += u64::from(upto.saturating_sub(row.turns));
            return None;
        }
        row.allotted = upto;
        (row.turns < upto).then_some(row)
    }

    /// The number of the next series; goes past those of strategies that have no more, and on to the next pass or block.
    fn upcoming(&mut self, pattern: &Pattern<'_>) -> Option<u64> {
        let size = pattern.block();
        loop {
            if self.place == size {
                if self.more {
                    self.pass += 1;
                } else if self.any {
                    self.block += 1;
                    self.pass = 0;
                    self.given.clear();
                    let first = self.block * size;
                    self.rows.retain(|no, _| *no >= first);
                } else {
                    return None;
                }
                (self.place, self.more, self.any) = (0, false, false);
            }
            let no = self.block * size + self.place;
            let (strategy, ordinal) = pattern.of(no);
            if pattern.has(strategy, ordinal) {
                self.any = true;
                return Some(no);
            }
            self.place += 1;
        }
    }

    /// Takes note that a unit was handed in.
    fn done(&mut self, unit: Range) {
        self.out.remove(&unit.no);
        let stranger = self.strangers.remove(&unit.no);
        if unit.ended && !stranger {
            self.returned += u64::from(unit.allotted.saturating_sub(unit.turns));
        }
        if unit.turns > 0 {
            self.after_last_case = self.after_last_case.max(unit.no + 1);
        }
        self.rows.insert(unit.no, unit);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, VecDeque};

    use super::*;
    use crate::seed::{Corpus, Keep};
    use crate::strategy::build;

    /// A plan with these strategies and a seed.
    fn plan(strategies: &[&str]) -> HuntPlan {
        let names: Vec<String> = strategies.iter().map(|&name| name.to_owned()).collect();
        let (strategies, _) = build(&names, &BTreeMap::new()).expect("strategies");
        let corpus = Corpus::of_texts(&[("seed", "(declare-const p Bool)(assert p)(check-sat)")], Keep::Bare);
        HuntPlan { strategies, corpus, breadth: 512, ..HuntPlan::default() }
    }

    /// What came of working on a schedule.
    struct Worked {
        series: HashSet<u64>,
        turns: u32,
        without_case: bool,
    }

    /// Works on a schedule of 6 turns with so many units at a time. `cases` says how many cases a series makes. The last unit
    /// that was taken is handed in first if `backwards`.
    fn work(plan: &HuntPlan, at_once: usize, backwards: bool, cases: impl Fn(u64) -> u32) -> Worked {
        let pattern = Pattern::new(plan);
        let start = CursorStart { written: "", turns: Some(6), rows: &[], out: &[] };
        let mut cursor = pattern.cursor(start).expect("a cursor");
        let (mut held, mut series, mut made) = (VecDeque::<Range>::new(), HashSet::new(), 0);
        loop {
            let step = if held.len() < at_once { cursor.next() } else { Step::Wait };
            match step {
                Step::Work(unit) => {
                    series.insert(unit.no);
                    held.push_back(unit);
                    continue;
                }
                Step::Over if held.is_empty() => break,
                Step::Over | Step::Wait => {}
            }
            let unit = if backwards { held.pop_back() } else { held.pop_front() };
            let unit = unit.expect("a unit to wait for");
            let turns = unit.allotted.min(cases(unit.no));
            made += turns - unit.turns;
            cursor.done(Range { turns, ended: turns < unit.allotted, ..unit });
            // What a server keeps is read again.
            assert!(read(&cursor.write()).is_ok());
        }
        Worked { series, turns: made, without_case: pattern.ended_without_case() }
    }

    #[test]
    fn series_without_cases_end_the_schedule_at_the_same_place_for_any_workers() {
        let plan = plan(&["opfuzz"]);
        // What is tried, how many cases a series makes, how many series there are, and whether no case is known.
        type Row = (&'static str, fn(u64) -> u32, u64, bool);
        let rows: &[Row] = &[
            ("no series makes a case", |_| 0, EMPTY_SERIES, true),
            ("the first does", |no| u32::from(no == 0), EMPTY_SERIES + 1, false),
            ("a late one does", |no| u32::from(no == 1000), EMPTY_SERIES + 1001, false),
            ("the last that may does", |no| u32::from(no == 1023), EMPTY_SERIES + 1024, false),
            ("one too late does", |no| u32::from(no == 1024), EMPTY_SERIES, true),
        ];
        for (what, cases, series, without_case) in rows {
            for (at_once, backwards) in [(1, false), (7, false), (7, true), (600, true)] {
                let worked = work(&plan, at_once, backwards, cases);
                assert_eq!(worked.series, (0..*series).collect(), "{what}, {at_once} at once");
                assert_eq!(worked.without_case, *without_case, "{what}");
            }
        }
    }

    #[test]
    fn a_hunt_goes_on_while_series_make_cases() {
        let worked = work(&plan(&["opfuzz", "sae"]), 3, false, |no| u32::from(no % 600 == 7));
        assert!(!worked.without_case);
        assert_eq!(worked.turns, 6, "all turns are made");
        assert!(worked.series.len() > 5 * 600);
    }
}
