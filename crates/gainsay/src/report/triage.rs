//! What a triage came to, as data and in words.

use super::words::many;
use crate::finding::words::{self, untold_of_release};
use crate::finding::{Asked, FaultCount, Standing, Untold};
use crate::solver::id::SolverId;

/// The result of a triage.
#[derive(Clone, Debug)]
pub struct TriageList {
    /// How many triggers the campaign had.
    pub triggers: u64,
    /// How many findings it has.
    pub findings: u64,
    /// How many findings were looked at.
    pub looked_at: u64,
    /// How many faults were left out because the user wants that.
    pub left_out: u64,
    /// If the triage was stopped: how many groups of how many were examined.
    pub stopped: Option<(u64, u64)>,
    /// The faults, those that are to be reported first.
    pub faults: Vec<ListedFault>,
}

/// A fault in the list of a triage.
#[derive(Clone, Debug)]
pub struct ListedFault {
    /// The number of the finding to report.
    pub id: u64,
    /// Its title.
    pub title: String,
    /// Its standing.
    pub standing: Standing,
    /// The size of its formula.
    pub bytes: usize,
    /// How many triggers it had.
    pub triggers: u64,
    /// The releases that it was compared with.
    pub compared: Compared,
    /// The releases that were asked, the oldest first.
    pub releases: Vec<Asked>,
    /// The options that matter.
    pub needed: Vec<String>,
    /// The numbers of findings that are probably the same.
    pub same: Vec<u64>,
    /// Whether it was seen again; none if it was not examined.
    pub seen_again: Option<bool>,
    /// Why it is held back, if it is.
    pub held_back: Option<HeldBack>,
}

/// The releases that a fault was compared with.
#[derive(Clone, Debug)]
pub enum Compared {
    /// No solver is accused. One of these is wrong.
    Nobody {
        /// The solvers.
        solvers: Vec<SolverId>,
    },
    /// No releases of the accused are known.
    NoReleases,
    /// The installed releases of the accused.
    Releases {
        /// Whether the accused is one of them, not a build of somebody's own.
        of_release: bool,
    },
}

/// Why a fault is not to be reported now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldBack {
    /// The triage ended before it was examined.
    NotExamined,
    /// The accused, asked again, did not fail.
    NotSeenAgain,
    /// The makers of the solver take no reports.
    TakesNoReports {
        /// The name of the solver.
        solver: String,
        /// Their reason.
        why: String,
    },
    /// A later release does not fail.
    Fixed {
        /// The name of the solver.
        solver: String,
        /// The release.
        release: String,
    },
    /// It is not known whether the newest release fails.
    NotConfirmed {
        /// The name of the solver.
        solver: String,
        /// The newest release.
        release: String,
        /// The reason.
        why: Untold,
    },
    /// The fault needs an option that the makers of the solver do not support.
    Unsupported {
        /// The name of the solver.
        solver: String,
        /// The option.
        option: String,
    },
    /// The makers of the solver want no more reports this week.
    Enough {
        /// The name of the solver.
        solver: String,
        /// How many they want.
        most: u32,
    },
}

impl TriageList {
    /// How many faults of each standing are listed.
    pub fn count(&self) -> FaultCount {
        let mut count = FaultCount::default();
        self.faults.iter().for_each(|fault| count.add(fault.standing));
        count
    }
}

/// A number of faults, and of which standing they are: `3 faults (2 proved, 1 undecided)`.
pub fn fault_count(count: FaultCount) -> String {
    let all = many(count.all(), "fault");
    let parts: Vec<String> =
        [(count.proved, "proved"), (count.undecided, "undecided"), (count.unconfirmed, "unconfirmed")]
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| format!("{number} {word}"))
            .collect();
    if parts.is_empty() { all } else { format!("{all} ({})", parts.join(", ")) }
}

/// Why a fault is held back.
pub fn held_back(why: &HeldBack) -> String {
    match why {
        HeldBack::NotExamined => "it was not examined yet".to_owned(),
        HeldBack::NotSeenAgain => "it was not seen again".to_owned(),
        HeldBack::TakesNoReports { solver, why } => format!("{solver} takes no reports: {why}"),
        HeldBack::Fixed { solver, release } => format!("fixed, {solver} {release} is right"),
        HeldBack::NotConfirmed { solver, release, why } => {
            format!("not confirmed on {solver} {release} ({})", untold_of_release(why))
        }
        HeldBack::Unsupported { solver, option } => format!("{solver} does not support {option}"),
        HeldBack::Enough { solver, most } => format!("{solver} wants no more than {most} a week"),
    }
}

impl ListedFault {
    /// The size, the releases and the triggers of a fault, in a line.
    pub fn about(&self) -> String {
        let mut told = match &self.compared {
            Compared::Nobody { solvers } => {
                let names: Vec<&str> = solvers.iter().map(SolverId::as_str).collect();
                let who = words::one_is_wrong(&names);
                let seen = if self.seen_again == Some(false) { ", and it was not seen again" } else { "" };
                format!("{who}{seen}")
            }
            Compared::NoReleases => "no releases are known to compare with".to_owned(),
            Compared::Releases { of_release: true } => releases(&self.releases),
            Compared::Releases { of_release: false } => format!("of releases: {}", releases(&self.releases)),
        };
        if !self.needed.is_empty() {
            told.push_str(&format!("; needs {}", self.needed.join(" ")));
        }
        format!("{} bytes; {told}; {}", self.bytes, many(self.triggers, "trigger"))
    }

    /// The findings that are probably the same, in a line; none if there are none.
    pub fn same_in_words(&self) -> Option<String> {
        const SHOWN: usize = 5;
        let numbers: Vec<String> = self.same.iter().take(SHOWN).map(u64::to_string).collect();
        let (more, plural) =
            (if self.same.len() > SHOWN { ", …" } else { "" }, if self.same.len() == 1 { "" } else { "s" });
        (!self.same.is_empty()).then(|| {
            format!(
                "likely the same: {} of like operators, wrong and right in the same releases (finding{plural} {}{more})",
                many(self.same.len() as u64, "formula"),
                numbers.join(", ")
            )
        })
    }
}

/// Which releases fail: `wrong since 4.8.5, right in 4.8.0; last wrong in 4.8.7, right in 4.8.8`.
pub fn releases(asked: &[Asked]) -> String {
    let mut text = known_releases(asked);
    if let Some(Asked { release, fails: Err(why) }) = asked.last() {
        let how = if *why == Untold::NotInstalled { ": `--install` gets it" } else { "" };
        text.push_str(&format!("; not confirmed on {release} ({}{how})", untold_of_release(why)));
    }
    text
}

fn known_releases(asked: &[Asked]) -> String {
    let known: Vec<(String, bool)> = asked.iter().filter_map(Asked::known).collect();
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
        None if asked.last().is_some_and(|newest| newest.fails.is_err()) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<Asked> {
        let fails = |c: char| match c {
            'x' => Ok(true),
            '.' => Ok(false),
            'a' => Err(Untold::NotInstalled),
            _ => Err(Untold::Unknown),
        };
        text.chars().enumerate().map(|(i, c)| Asked { release: format!("1.{i}"), fails: fails(c) }).collect()
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
            // It is not known what the newest does. That must be said.
            (
                "xx?",
                "wrong since 1.0; last seen wrong in 1.1; not confirmed on 1.2 (could not tell: it says unknown)",
            ),
            (
                "x.?",
                "wrong since 1.0; last wrong in 1.0, right in 1.1; not confirmed on 1.2 (could not tell: it says unknown)",
            ),
            ("?", "no release could be asked; not confirmed on 1.0 (could not tell: it says unknown)"),
            (
                "xxa",
                "wrong since 1.0; last seen wrong in 1.1; not confirmed on 1.2 (not installed: `--install` gets it)",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(releases(&asked(text)), expected, "{text}");
        }
    }

    #[test]
    fn counts_name_the_standings() {
        let rows = [
            ((0, 0, 0), "0 faults"),
            ((1, 0, 0), "1 fault (1 proved)"),
            ((2, 1, 0), "3 faults (2 proved, 1 undecided)"),
            ((0, 1, 2), "3 faults (1 undecided, 2 unconfirmed)"),
        ];
        for ((proved, undecided, unconfirmed), expected) in rows {
            assert_eq!(fault_count(FaultCount { proved, undecided, unconfirmed }), expected);
        }
    }
}
