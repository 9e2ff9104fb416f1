//! Histories: which releases fail on a case, and which one to ask next.

use crate::finding::{ABSENT, Asked, untold};
use crate::solver::Release;

/// What releases of one solver did, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    asked: Vec<(Release, Result<bool, String>)>,
}

impl History {
    /// Takes note of a release: whether it fails, or why this cannot be told.
    pub fn note(&mut self, release: Release, fails: Result<bool, String>) {
        let at = self.asked.partition_point(|(other, _)| *other < release);
        self.asked.insert(at, (release, fails));
    }

    /// The releases of which it is known, and whether each fails.
    pub fn known(&self) -> impl DoubleEndedIterator<Item = (&Release, bool)> {
        self.asked.iter().filter_map(|(release, fails)| Some((release, *fails.as_ref().ok()?)))
    }

    /// All of them, to be kept.
    pub fn all(&self) -> Vec<Asked> {
        let one = |(release, fails): &(Release, Result<bool, String>)| Asked {
            release: release.to_string(),
            fails: fails.clone(),
        };
        self.asked.iter().map(one).collect()
    }

    /// Takes note of a release that cannot be asked, if it is newer than all that were.
    pub fn lacks(&mut self, newest: Release) {
        if self.asked.last().is_none_or(|(last, _)| *last < newest) {
            self.note(newest, Err(ABSENT.to_owned()));
        }
    }

    /// The newest release there is, if it is not known whether it fails, and why not: then a report is not confirmed.
    pub fn unconfirmed(&self) -> Option<(&Release, &str)> {
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

    /// The releases that tell this fault from others, and whether each fails: the last that does and the next, which does not;
    /// where there is none after it, the first that does and the one before.
    pub fn telling(&self) -> Vec<(Release, bool)> {
        let known: Vec<(&Release, bool)> = self.known().collect();
        let Some(last) = known.iter().rposition(|known| known.1) else { return Vec::new() };
        let mut at = vec![last];
        if last + 1 < known.len() {
            at.push(last + 1);
        } else {
            let first = known.iter().position(|known| known.1).unwrap_or(last);
            at.extend((first != last).then_some(first));
            at.extend(first.checked_sub(1));
        }
        at.into_iter().map(|i| (known[i].0.clone(), known[i].1)).collect()
    }

    /// The first release that is right, of those after the last that is wrong.
    pub fn fixed_in(&self) -> Option<&Release> {
        let last = self.known().filter(|known| known.1).map(|known| known.0).next_back()?;
        self.known().map(|known| known.0).find(|release| *release > last)
    }

    /// `wrong since 4.8.5, right in 4.8.0; last wrong in 4.8.7, right in 4.8.8`
    pub fn words(&self) -> String {
        let mut text = self.known_in_words();
        if let Some((newest, why)) = self.unconfirmed() {
            let how = if why == ABSENT { ": `--install` gets it" } else { "" };
            text.push_str(&format!("; not confirmed on {newest} ({}{how})", untold(why)));
        }
        text
    }

    fn known_in_words(&self) -> String {
        let known: Vec<(&Release, bool)> = self.known().collect();
        if known.is_empty() {
            return "no release could be asked".to_owned();
        }
        let Some(first) = known.iter().position(|known| known.1) else {
            return "no installed release fails so alone".to_owned();
        };
        let last = known.iter().rposition(|known| known.1).unwrap_or(first);
        let mut text = format!("wrong since {}", known[first].0);
        if first > 0 {
            text.push_str(&format!(", right in {}", known[first - 1].0));
        }
        match known.get(last + 1) {
            Some(next) => text.push_str(&format!("; last wrong in {}, right in {}", known[last].0, next.0)),
            None if self.unconfirmed().is_some() => {
                text.push_str(&format!("; last seen wrong in {}", known[last].0));
            }
            None => text.push_str(&format!("; still wrong in the newest, {}", known[last].0)),
        }
        let between = known[first..last].iter().filter(|known| !known.1).count();
        if between > 0 {
            text.push_str(&format!("; right in {between} between"));
        }
        text
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
                '?' => history.note(release(i), Err("it says unknown".to_owned())),
                _ => {}
            }
        }
        history
    }

    #[test]
    fn releases_in_words() {
        let rows = [
            ("..xx.", "wrong since 1.2, right in 1.1; last wrong in 1.3, right in 1.4"),
            (".?xx", "wrong since 1.2, right in 1.0; still wrong in the newest, 1.3"),
            ("xx", "wrong since 1.0; still wrong in the newest, 1.1"),
            ("x.x.", "wrong since 1.0; last wrong in 1.2, right in 1.3; right in 1 between"),
            ("..", "no installed release fails so alone"),
            ("", "no release could be asked"),
            // What the newest does is not known: that must be said, and that it is still wrong must not.
            (
                "xx?",
                "wrong since 1.0; last seen wrong in 1.1; not confirmed on 1.2 (could not tell: it says unknown)",
            ),
            (
                "x.?",
                "wrong since 1.0; last wrong in 1.0, right in 1.1; not confirmed on 1.2 (could not tell: it says unknown)",
            ),
            ("?", "no release could be asked; not confirmed on 1.0 (could not tell: it says unknown)"),
        ];
        for (text, expected) in rows {
            assert_eq!(history(text).words(), expected, "{text}");
        }
        let mut absent = history("xx");
        absent.lacks(release(1));
        assert!(absent.unconfirmed().is_none(), "it was asked");
        absent.lacks(release(2));
        let expected = "wrong since 1.0; last seen wrong in 1.1; not confirmed on 1.2 (not installed: `--install` gets it)";
        assert_eq!(absent.words(), expected);
        let fixed = |text: &str| history(text).fixed_in().map(ToString::to_string);
        assert_eq!(fixed("..xx?.."), Some("1.5".to_owned()));
        assert_eq!(fixed("x.x"), None);
        assert_eq!(fixed(".."), None);
    }

    #[test]
    fn what_tells_a_fault() {
        let rows = [
            ("..xx.", "1.3 fails, 1.4 does not"),
            (".?xx", "1.3 fails, 1.2 fails, 1.0 does not"),
            ("x.x..", "1.2 fails, 1.3 does not"),
            (".x", "1.1 fails, 1.0 does not"),
            ("x", "1.0 fails"),
            ("..", ""),
        ];
        for (text, expected) in rows {
            let words = |(release, fails): &(Release, bool)| {
                format!("{release} {}", if *fails { "fails" } else { "does not" })
            };
            let told: Vec<String> = history(text).telling().iter().map(words).collect();
            assert_eq!(told.join(", "), expected, "{text}");
        }
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
            assert!(history.words().starts_with(&format!("wrong since 1.{from}")), "{}", history.words());
            let end = if to < 50 { format!("right in 1.{to}") } else { "newest, 1.49".to_owned() };
            assert!(history.words().ends_with(&end), "{}", history.words());
        }
    }
}
