//! Picks: the text that names one release of a solver or many, such as `z3@4.8.5..5.4.0`.

use std::fmt;

use super::SolverError;
use super::id::Make;
use super::release::Release;

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

    #[test]
    fn picks_select() {
        let all: Vec<Release> = ["4.5.1", "4.8.5", "4.8.10", "5.4.0"]
            .iter()
            .map(|t| Release::parse(t).expect("a release"))
            .collect();
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
