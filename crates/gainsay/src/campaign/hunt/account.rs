//! The account of time: how much of the time of all questions those take that run out of time.
//!
//! Nothing here reads a clock. Times come from runs.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ladder::Ladder;
use crate::solver::QuestionTime;

/// The most that time-outs may take, in hundredths of the time of all questions.
const SHARE: u32 = 15;
/// The most that may be spent on questions that are asked again, in hundredths. Each rung has an equal part of it, so that the
/// many questions on low rungs leave something for those on high ones.
const AGAIN: u32 = 10;
/// The same for a series that had a finding.
const AGAIN_IF_PAID: u32 = 15;
/// The time of questions that an account begins with, so that something may be asked again from the start.
const CREDIT: Duration = Duration::from_secs(20);
/// How many time-outs in a row end a series.
const PATIENCE: u32 = 5;

/// What time-outs have taken in this run of a hunt.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    time: QuestionTime,
    /// What was spent on each rung on questions that were asked again.
    again: BTreeMap<usize, Duration>,
}

impl Account {
    /// Adds the time of questions.
    pub(super) fn add(&mut self, time: QuestionTime) {
        self.time.all += time.all;
        self.time.late += time.late;
    }

    /// Takes note that a question was asked again on a rung, and how long that took.
    pub(super) fn asked_again(&mut self, rung: usize, took: Duration) {
        *self.again.entry(rung).or_default() += took;
    }

    /// The lowest rung above another one on which a question may be asked again. More may be spent on a series that had a
    /// finding.
    pub(super) fn next(&self, ladder: &Ladder, rung: usize, has_paid: bool) -> Option<usize> {
        (rung + 1..=ladder.top()).find(|&next| self.allows(ladder, next, has_paid))
    }

    fn allows(&self, ladder: &Ladder, rung: usize, has_paid: bool) -> bool {
        let share = if has_paid { AGAIN_IF_PAID } else { AGAIN };
        let (time, rungs) = (ladder.time(rung), ladder.top() as u32);
        let spent = self.again.get(&rung).copied().unwrap_or_default() + time;
        let all = self.time.all + CREDIT + time;
        spent * 100 * rungs <= all * share && (self.time.late + time) * 100 <= all * SHARE
    }

    /// Whether time-outs have taken more than their share.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.time.late * 100 > (self.time.all + CREDIT) * SHARE
    }

    /// How many time-outs in a row end a series.
    pub(super) fn patience(&self) -> u32 {
        if self.is_overdrawn() { 1 } else { PATIENCE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(all: u64, late: u64) -> Account {
        let mut account = Account::default();
        account.add(QuestionTime { all: Duration::from_millis(all), late: Duration::from_millis(late) });
        account
    }

    #[test]
    fn a_fixed_share_is_left_for_questions_that_are_asked_again() {
        let ladder = Ladder::new(Duration::from_secs(1));
        // All questions, time-outs, what was spent again on a rung, the rung of a time-out: where it may be asked again, and
        // where if its series has had a finding.
        let rows = [
            (0, 0, (1, 0), 0, Some(1), Some(1)),
            (100_000, 0, (1, 0), 0, Some(1), Some(1)),
            (100_000, 0, (1, 0), 3, Some(4), Some(4)),
            (100_000, 0, (1, 0), 4, None, None),
            // What is spent on one rung leaves the parts of the others.
            (100_000, 3000, (1, 2990), 0, Some(2), Some(1)),
            (100_000, 4600, (1, 4600), 0, Some(2), Some(2)),
            // A high rung needs a longer hunt.
            (0, 0, (1, 0), 2, Some(3), Some(3)),
            (0, 0, (1, 0), 3, None, None),
            (15_000, 0, (1, 0), 3, None, Some(4)),
            // Nothing is left when time-outs have taken their share.
            (100_000, 18_000, (1, 0), 0, None, None),
        ];
        for (all, late, (rung, spent), from, unpaid, paid) in rows {
            let mut account = account(all, late);
            account.asked_again(rung, Duration::from_millis(spent));
            let next = (account.next(&ladder, from, false), account.next(&ladder, from, true));
            assert_eq!(next, (unpaid, paid), "{all} {late} {spent} {from}");
        }
    }

    #[test]
    fn a_series_ends_sooner_when_time_outs_have_taken_too_much() {
        for (all, late, patience) in
            [(0, 0, 5), (100, 3015, 5), (100, 3016, 1), (100_000, 18_000, 5), (100_000, 18_001, 1)]
        {
            assert_eq!(account(all, late).patience(), patience, "{late} of {all}");
        }
    }

    /// Questions of which every tenth is hard and takes whatever it gets.
    #[test]
    fn time_outs_keep_to_their_share() {
        let ladder = Ladder::new(Duration::from_secs(1));
        let mut account = Account::default();
        let mut reached = [0; 5];
        for n in 0..20_000 {
            if n % 10 > 0 {
                account.add(QuestionTime { all: Duration::from_millis(30), late: Duration::ZERO });
                continue;
            }
            let mut rung = Some(0);
            while let Some(now) = rung {
                let time = ladder.time(now);
                account.add(QuestionTime { all: time, late: time });
                if now > 0 {
                    account.asked_again(now, time);
                }
                reached[now] += 1;
                rung = account.next(&ladder, now, false);
            }
        }
        let QuestionTime { all, late } = account.time;
        assert!(late * 100 <= (all + CREDIT) * SHARE, "{late:?} of {all:?}");
        assert!(reached.iter().all(|&times| times > 5), "every rung has its part: {reached:?}");
    }
}
