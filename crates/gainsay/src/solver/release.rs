//! Releases of a solver and their order.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use smt::theory::ReleaseNumber;

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
}
