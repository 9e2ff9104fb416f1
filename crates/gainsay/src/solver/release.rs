//! Releases of a solver: their order, and the text that names one or many (`z3@4.8.5..5.4.0`).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use smt::theory::ReleaseNumber;

use super::SolverError;
use super::id::Make;

/// A release number such as `4.8.7`; missing parts count as zero, so `1.8` equals `1.8.0`.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Release {
    text: String,
    number: ReleaseNumber,
}

impl Release {
    /// Reads a release number: digits and dots.
    pub fn parse(text: &str) -> Option<Release> {
        Some(Release { text: text.to_owned(), number: ReleaseNumber::parse(text)? })
    }

    /// The release a package version stands for: its first three numbers (`4.5.1.0.post2` is 4.5.1).
    pub fn of_package(version: &str) -> Option<Release> {
        let numbers: Vec<&str> = version
            .split('.')
            .take(3)
            .take_while(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
            .collect();
        Release::parse(&numbers.join("."))
    }

    /// The number, which is what releases are compared by.
    pub fn number(&self) -> ReleaseNumber {
        self.number
    }

    /// The number as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for Release {
    type Error = String;

    fn try_from(text: String) -> Result<Release, String> {
        Release::parse(&text).ok_or_else(|| format!("`{text}` is not a release number"))
    }
}

impl From<Release> for String {
    fn from(release: Release) -> String {
        release.text
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ord for Release {
    fn cmp(&self, other: &Release) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl PartialOrd for Release {
    fn partial_cmp(&self, other: &Release) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Release {
    fn eq(&self, other: &Release) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Release {}

impl Hash for Release {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

/// Which releases of one solver are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest there is (`z3`).
    Newest,
    /// This one (`z3@4.8.7`).
    One(Release),
    /// All from the first to the second, both included; an end left out is open (`z3@4.8.5..5.4.0`).
    Between(Option<Release>, Option<Release>),
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |r: &Option<Release>| r.as_ref().map_or_else(String::new, ToString::to_string);
        match self {
            Which::Newest | Which::Between(None, None) => f.write_str("at all"),
            Which::One(release) => release.fmt(f),
            Which::Between(from, to) => write!(f, "{}..{}", end(from), end(to)),
        }
    }
}

/// A solver's name and the releases of it that are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The profile's name.
    pub name: String,
    /// The releases.
    pub which: Which,
}

impl Pick {
    /// Reads `z3`, `z3@4.8.7`, `z3@all` or `z3@4.8.5..5.4.0`.
    pub fn parse(text: &str) -> Result<Pick, SolverError> {
        let bad = |why: &str| SolverError::BadPick { text: text.to_owned(), why: why.to_owned() };
        let number = |t: &str| Release::parse(t).ok_or_else(|| bad("a release is numbers and dots"));
        let (make, wanted) = Make::of_word(text);
        let name = make.to_string();
        let Some(wanted) = wanted else {
            return Ok(Pick { name, which: Which::Newest });
        };
        let which = match wanted {
            "all" => Which::Between(None, None),
            "newest" | "latest" => Which::Newest,
            range if range.contains("..") => {
                let (from, to) = range.split_once("..").expect("it contains two dots");
                let end = |t: &str| if t.is_empty() { Ok(None) } else { number(t).map(Some) };
                Which::Between(end(from)?, end(to)?)
            }
            one => Which::One(number(one)?),
        };
        Ok(Pick { name, which })
    }

    /// Which of `releases` (sorted) are meant.
    pub fn select<'a>(&self, releases: &'a [Release]) -> Vec<&'a Release> {
        match &self.which {
            Which::Newest => releases.last().into_iter().collect(),
            Which::One(r) => releases.iter().filter(|x| *x == r).collect(),
            Which::Between(from, to) => releases
                .iter()
                .filter(|x| from.as_ref().is_none_or(|f| *x >= f) && to.as_ref().is_none_or(|t| *x <= t))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(text: &str) -> Release {
        Release::parse(text).expect("a release")
    }

    #[test]
    fn order_is_by_number() {
        assert!(r("4.8.10") > r("4.8.9"));
        assert!(r("1.8") == r("1.8.0"));
        assert!(r("5.0.0") > r("4.16.0"));
        assert!(Release::parse("4.8.x").is_none());
        assert!(Release::parse("").is_none() && Release::parse("4.+8").is_none());
    }

    #[test]
    fn packages_map_to_releases() {
        for (version, release) in [
            ("4.5.1.0.post2", "4.5.1"),
            ("5.4.0.0", "5.4.0"),
            ("2.6.5.post24", "2.6.5"),
            ("3.2.4.38488416565", "3.2.4"),
            ("1.4.2", "1.4.2"),
            ("0.9.1", "0.9.1"),
        ] {
            assert_eq!(Release::of_package(version).expect(version).as_str(), release);
        }
    }

    #[test]
    fn picks_select() {
        let all: Vec<Release> = ["4.5.1", "4.8.5", "4.8.10", "5.4.0"].iter().map(|t| r(t)).collect();
        let names = |text: &str| {
            let pick = Pick::parse(text).expect(text);
            pick.select(&all).iter().map(|r| r.as_str().to_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("z3"), "5.4.0");
        assert_eq!(names("z3@4.8.5"), "4.8.5");
        assert_eq!(names("z3@all"), "4.5.1 4.8.5 4.8.10 5.4.0");
        assert_eq!(names("z3@4.8.5..4.8.10"), "4.8.5 4.8.10");
        assert_eq!(names("z3@4.8.6.."), "4.8.10 5.4.0");
        assert_eq!(names("z3@9.9"), "");
        assert!(Pick::parse("z3@new").is_err());
        assert!(Pick::parse("z3@4..x").is_err());
    }
}
