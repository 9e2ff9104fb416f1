//! Histories: which releases fail on a case, and which one to ask next.

use crate::finding::{Asked, Untold};
use crate::solver::Release;

/// What releases of one solver did, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    asked: Vec<(Release, Result<bool, Untold>)>,
}

impl History {
    /// The history that was stored. What is no release number is left out.
    pub fn of(asked: &[Asked]) -> History {
        let mut history = History::default();
        for one in asked {
            if let Some(release) = Release::parse(&one.release) {
                history.note(release, one.fails.clone());
            }
        }
        history
    }

    /// Adds a release: whether it fails, or why that is not known. What was known of it is replaced.
    pub fn note(&mut self, release: Release, fails: Result<bool, Untold>) {
        let at = self.asked.partition_point(|(other, _)| *other < release);
        match self.asked.get_mut(at) {
            Some((other, known)) if *other == release => *known = fails,
            _ => self.asked.insert(at, (release, fails)),
        }
    }

    /// The releases of which it is known, and whether each fails.
    pub fn known(&self) -> impl DoubleEndedIterator<Item = (&Release, bool)> {
        self.asked.iter().filter_map(|(release, fails)| Some((release, *fails.as_ref().ok()?)))
    }

    /// All of them, to be kept.
    pub fn all(&self) -> Vec<Asked> {
        let one = |(release, fails): &(Release, Result<bool, Untold>)| Asked {
            release: release.to_string(),
            fails: fails.clone(),
        };
        self.asked.iter().map(one).collect()
    }

    /// Takes note of a release that cannot be asked, if it is newer than all that were.
    pub fn lacks(&mut self, newest: Release) {
        if self.asked.last().is_none_or(|(last, _)| *last < newest) {
            self.note(newest, Err(Untold::NotInstalled));
        }
    }

    /// The newest release there is, if it is not known whether it fails, and why not: then a report is not confirmed.
    pub fn unconfirmed(&self) -> Option<(&Release, &Untold)> {
        let (newest, fails) = self.asked.last()?;
        Some((newest, fails.as_ref().err()?))
    }

    /// The release to ask next, of those that could be: the newest, then one halfway between two known neighbours of which
    /// one fails and one does not. None when every step between them is known.
    pub fn next(&self, there: &[Release]) -> Option<Release> {
        let new = |release: &&Release| self.asked.iter().all(|(other, _)| other != *release);
        if let Some(newest) = there.iter().max().filter(new) {
            return Some(newest.clone());
        }
        let known: Vec<(&Release, bool)> = self.known().collect();
        known.windows(2).filter(|pair| pair[0].1 != pair[1].1).find_map(|pair| {
            let between = |release: &&Release| *release > pair[0].0 && *release < pair[1].0;
            let mut left: Vec<&Release> = there.iter().filter(between).filter(new).collect();
            left.sort();
            left.get(left.len() / 2).map(|release| (*release).clone())
        })
    }

    /// The first release that is right, of those after the last that is wrong.
    pub fn fixed_in(&self) -> Option<&Release> {
        let last = self.known().filter(|known| known.1).map(|known| known.0).next_back()?;
        self.known().map(|known| known.0).find(|release| *release > last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(minor: usize) -> Release {
        Release::parse(&format!("1.{minor}")).expect("a number")
    }

    fn history(text: &str) -> History {
        let mut history = History::default();
        // In any order.
        for (i, c) in text.chars().enumerate().collect::<Vec<_>>().into_iter().rev() {
            match c {
                'x' => history.note(release(i), Ok(true)),
                '.' => history.note(release(i), Ok(false)),
                '?' => history.note(release(i), Err(Untold::Unknown)),
                _ => {}
            }
        }
        history
    }

    #[test]
    fn the_newest_release_and_the_first_that_is_right() {
        let mut absent = history("xx");
        absent.lacks(release(1));
        assert!(absent.unconfirmed().is_none(), "it was asked");
        absent.lacks(release(2));
        assert_eq!(absent.unconfirmed(), Some((&release(2), &Untold::NotInstalled)));
        absent.note(release(2), Ok(true));
        assert!(absent.unconfirmed().is_none(), "what was known is replaced");
        assert_eq!(History::of(&absent.all()).all(), absent.all());
        let fixed = |text: &str| history(text).fixed_in().map(ToString::to_string);
        assert_eq!(fixed("..xx?.."), Some("1.5".to_owned()));
        assert_eq!(fixed("x.x"), None);
        assert_eq!(fixed(".."), None);
    }

    #[test]
    fn what_to_ask_next() {
        let there: Vec<Release> = (0..9).map(release).collect();
        let rows = [
            // The newest first.
            (".     x  ", Some(8)),
            (".     x x", Some(3)),
            (".  x  x x", Some(2)),
            (". xx  x x", Some(1)),
            (".xxx  x x", None),
            // What cannot be told is not asked again.
            (".  ?  x x", Some(4)),
            ("x     . .", Some(3)),
            ("x  x  . .", Some(5)),
            ("         ", Some(8)),
            ("        x", None),
        ];
        for (text, expected) in rows {
            assert_eq!(history(text).next(&there), expected.map(release), "{text}");
        }
    }

    /// Whatever fails from one release to another, every step is found, and few are asked.
    #[test]
    fn every_step_is_found() {
        let there: Vec<Release> = (0..50).map(release).collect();
        for (from, to) in [(0, 50), (3, 4), (17, 30), (49, 50), (20, 50)] {
            let fails = |r: &Release| (from..to).any(|i| release(i) == *r);
            let mut history = History::default();
            history.note(release(from), Ok(true));
            history.note(release(0), Ok(fails(&release(0))));
            let mut count = 0;
            while let Some(next) = history.next(&there) {
                let fails = fails(&next);
                history.note(next, Ok(fails));
                count += 1;
            }
            assert!(count <= 14, "{count} asked");
            let first = history.known().find(|known| known.1).map(|known| known.0.clone());
            assert_eq!(first, Some(release(from)));
            assert_eq!(history.fixed_in().cloned(), (to < 50).then(|| release(to)));
        }
    }
}
