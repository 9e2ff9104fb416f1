//! The one way to name a solver: its make, its release and its options.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::profile::Profile;
use super::release::Release;

/// What comes before the plan of our own fake solver.
pub const FAKE: &str = "fake:";

/// Which solver it is, whatever its release and options.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Make {
    /// A solver with a profile that comes with the program, by the name of the profile.
    Known(&'static str),
    /// A program, by its path.
    Program(String),
    /// Our own fake solver, by its plan.
    Fake(String),
    /// A name from the user's `gainsay.toml`, or of a program on the path.
    Named(String),
}

impl fmt::Display for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Make::Fake(plan) => write!(f, "{FAKE}{plan}"),
            Make::Known(name) => f.write_str(name),
            Make::Program(text) | Make::Named(text) => f.write_str(text),
        }
    }
}

/// The name of a solver in tables, findings and stores: `z3@4.8.7 smt.bv.solver=2`, `./build/z3`, `fake:PLAN`.
///
/// Two names are equal if make, release and options are; `z3@5.4` equals `z3@5.4.0`. Each is displayed as it was written.
/// A clone costs no memory.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SolverId(Arc<Parts>);

struct Parts {
    /// The whole name, as it is displayed.
    text: String,
    make: Make,
    release: Option<Release>,
    options: Vec<String>,
}

/// Why a text is not the name of a solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` names no solver: {why} (write z3, z3@4.8.7, ./build/z3 or fake:PLAN, with options after it)"
)]
pub struct BadSolverId {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl SolverId {
    /// A release of a solver with that profile, without options.
    pub fn of_release(profile: &Profile, release: &Release) -> SolverId {
        let make = Make::of_name(&profile.name);
        SolverId::new(make, Some(release.clone()), Vec::new())
    }

    /// A program by its path, without options.
    pub fn of_program(path: &str) -> SolverId {
        let make = if path.contains('/') { Make::Program(path.to_owned()) } else { Make::of_name(path) };
        SolverId::new(make, None, Vec::new())
    }

    /// A solver by its name in the user's `gainsay.toml`, which may have blanks.
    pub fn of_entry(name: &str) -> SolverId {
        let whole = || SolverId::new(Make::Named(name.to_owned()), None, Vec::new());
        if name.contains(char::is_whitespace) { whole() } else { name.parse().unwrap_or_else(|_| whole()) }
    }

    /// Our own fake solver with that plan.
    pub fn of_fake(plan: &str) -> SolverId {
        SolverId::new(Make::Fake(plan.to_owned()), None, Vec::new())
    }

    fn new(make: Make, release: Option<Release>, options: Vec<String>) -> SolverId {
        let mut text = quoted(&make.to_string()).into_owned();
        if let Some(release) = &release {
            text = format!("{text}@{release}");
        }
        for option in &options {
            text.push(' ');
            text.push_str(&quoted(option));
        }
        SolverId(Arc::new(Parts { text, make, release, options }))
    }

    /// Which solver it is.
    pub fn make(&self) -> &Make {
        &self.0.make
    }

    /// The release that the name gives, if it gives one.
    pub fn release(&self) -> Option<&Release> {
        self.0.release.as_ref()
    }

    /// The options that the name gives.
    pub fn options(&self) -> &[String] {
        &self.0.options
    }

    /// The name as it is displayed.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// What it is called beside others of its make: its release and options, or the whole name if that gives no release.
    pub fn short(&self) -> &str {
        match self.release() {
            Some(_) => self.as_str().split_once('@').map_or(self.as_str(), |(_, short)| short),
            None => self.as_str(),
        }
    }

    /// The profile of the make, if the name tells it: a path does not.
    pub fn profile(&self) -> Option<Arc<Profile>> {
        match self.make() {
            Make::Known(name) => Profile::named(name).ok(),
            _ => None,
        }
    }

    /// Whether it is our own fake solver.
    pub fn is_fake(&self) -> bool {
        matches!(self.make(), Make::Fake(_))
    }

    /// The same solver with these options only.
    #[must_use]
    pub fn with_options(&self, options: &[String]) -> SolverId {
        let Parts { make, release, options: now, .. } = &*self.0;
        if now == options {
            return self.clone();
        }
        SolverId::new(make.clone(), release.clone(), options.to_vec())
    }

    /// The same solver without options.
    #[must_use]
    pub fn without_options(&self) -> SolverId {
        self.with_options(&[])
    }

    fn key(&self) -> (&Make, Option<&Release>, &[String]) {
        (self.make(), self.release(), self.options())
    }
}

impl Make {
    /// The make that the first word of a name tells, and what follows its `@`: a release, or a range of them.
    pub fn of_word(word: &str) -> (Make, Option<&str>) {
        if let Some(plan) = word.strip_prefix(FAKE) {
            (Make::Fake(plan.to_owned()), None)
        } else if word.contains('/') {
            (Make::Program(word.to_owned()), None)
        } else {
            let (name, release) = word.split_once('@').map_or((word, None), |(name, r)| (name, Some(r)));
            (Make::of_name(name), release)
        }
    }

    /// The make that a name tells that is no path and no fake solver.
    fn of_name(name: &str) -> Make {
        let known = Profile::all().iter().find(|profile| profile.name == name);
        known.map_or_else(|| Make::Named(name.to_owned()), |profile| Make::Known(&profile.name))
    }
}

impl FromStr for SolverId {
    type Err = BadSolverId;

    fn from_str(text: &str) -> Result<SolverId, BadSolverId> {
        let bad = |why| BadSolverId { text: text.to_owned(), why };
        let mut words = split_words(text).ok_or_else(|| bad("a quote is not closed"))?.into_iter();
        let first = words.next().filter(|word| !word.is_empty()).ok_or_else(|| bad("it is empty"))?;
        let (make, release) = Make::of_word(&first);
        let number = |text| Release::parse(text).ok_or_else(|| bad("a release is numbers and dots"));
        Ok(SolverId::new(make, release.map(number).transpose()?, words.collect()))
    }
}

impl TryFrom<String> for SolverId {
    type Error = BadSolverId;

    fn try_from(text: String) -> Result<SolverId, BadSolverId> {
        text.parse()
    }
}

impl From<SolverId> for String {
    fn from(id: SolverId) -> String {
        id.as_str().to_owned()
    }
}

impl fmt::Display for SolverId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SolverId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl PartialEq for SolverId {
    fn eq(&self, other: &SolverId) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.key() == other.key()
    }
}

impl Eq for SolverId {}

impl Hash for SolverId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Ord for SolverId {
    fn cmp(&self, other: &SolverId) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.key().cmp(&other.key()) }
    }
}

impl PartialOrd for SolverId {
    fn partial_cmp(&self, other: &SolverId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Cuts a command line into words as a shell does; none if a quote is not closed.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

/// A word of a name as [`split_words`] reads it back: as it is wherever that is possible.
fn quoted(word: &str) -> Cow<'_, str> {
    let special = |c: char| c.is_whitespace() || "\"'\\".contains(c);
    if word.is_empty() || word.starts_with('#') || word.contains(special) {
        shell_word(word)
    } else {
        Cow::Borrowed(word)
    }
}

/// A word as a shell takes it: in quotes unless it is plain.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.:,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    // No argument of a program has a zero byte.
    shlex::Quoter::new().allow_nul(true).quote(word).expect("a zero byte is allowed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> SolverId {
        text.parse().expect(text)
    }

    #[test]
    fn names_have_parts_and_are_displayed_as_written() {
        let program = |path: &str| Make::Program(path.to_owned());
        let fake = |plan: &str| Make::Fake(plan.to_owned());
        let mine = Make::Named("mine".to_owned());
        let rows: &[(&str, Make, Option<&str>, &[&str])] = &[
            ("z3", Make::Known("z3"), None, &[]),
            ("z3@4.8.7", Make::Known("z3"), Some("4.8.7"), &[]),
            ("z3@4.8.7 smt.bv.solver=2", Make::Known("z3"), Some("4.8.7"), &["smt.bv.solver=2"]),
            ("cvc5@1.2.0 --a --b", Make::Known("cvc5"), Some("1.2.0"), &["--a", "--b"]),
            ("./build/z3 opt=1", program("./build/z3"), None, &["opt=1"]),
            ("./a@b/z3", program("./a@b/z3"), None, &[]),
            ("fake:honest,when=a/b@c", fake("honest,when=a/b@c"), None, &[]),
            ("fake:sat smt.random_seed=3", fake("sat"), None, &["smt.random_seed=3"]),
            ("mine", mine.clone(), None, &[]),
            ("mine@2 x", mine.clone(), Some("2"), &["x"]),
            ("'fake:print=a b'", fake("print=a b"), None, &[]),
            ("'./my build/z3' 'a b'", program("./my build/z3"), None, &["a b"]),
            ("z3 '' \"a'b\"", Make::Known("z3"), None, &["", "a'b"]),
            ("z3 \"a\\\\b\" '#c'", Make::Known("z3"), None, &["a\\b", "#c"]),
        ];
        for (text, make, release, options) in rows {
            let id = id(text);
            let found = (id.make(), id.release().map(Release::as_str), id.options());
            assert_eq!(
                found,
                (make, *release, &options.iter().map(|&o| o.to_owned()).collect::<Vec<_>>()[..])
            );
            assert_eq!(id.to_string(), *text);
            assert_eq!(serde_json::to_string(&id).expect("text"), serde_json::to_string(text).expect("text"));
            assert_eq!(serde_json::from_value::<SolverId>((*text).into()).expect("a name"), id);
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "  ", "''", "z3 'a", "z3@", "z3@new", "z3@4..5", "cvc5@1.x --a"] {
            let bad = text.parse::<SolverId>().expect_err(text);
            assert!(bad.to_string().contains("names no solver"), "{bad}");
        }
    }

    #[test]
    fn releases_are_compared_by_number() {
        use std::hash::BuildHasher;
        let hash = |text: &str| rustc_hash::FxBuildHasher.hash_one(id(text));
        for (a, b) in [("z3@5.4", "z3@5.4.0"), ("z3@5.4.0.0 a", "z3@5.4 a"), ("z3@04.8", "z3@4.8")] {
            assert_eq!(id(a), id(b));
            assert_eq!(hash(a), hash(b));
            assert_eq!(id(a).cmp(&id(b)), Ordering::Equal);
            assert_ne!(id(a).as_str(), id(b).as_str());
        }
        let sorted = ["cvc5@1.2.0", "z3", "z3@4.8.9", "z3@4.8.9 a", "z3@4.8.10", "./z3", "fake:sat", "mine"];
        assert!(sorted.is_sorted_by_key(|text| id(text)));
    }

    #[test]
    fn options_come_and_go() {
        let one = id("z3@4.8.7 a=b");
        assert_eq!(one.without_options().as_str(), "z3@4.8.7");
        assert_eq!(one.with_options(&["c d".to_owned()]).as_str(), "z3@4.8.7 'c d'");
        assert_eq!(SolverId::of_entry("my z3").as_str(), "'my z3'");
        assert_eq!(SolverId::of_entry("z3@4.8.7"), one.without_options());
        assert_eq!((one.short(), id("./a@b").short()), ("4.8.7 a=b", "./a@b"));
        assert_eq!(id("z3").profile().map(|p| p.name.clone()).as_deref(), Some("z3"));
        assert!(id("./z3").profile().is_none() && id("fake:z3").is_fake());
    }

    #[test]
    fn words_are_cut_and_quoted_as_a_shell_does() {
        let cut = |text: &str| split_words(text).expect(text);
        assert_eq!(cut("cvc5 --strings-exp"), ["cvc5", "--strings-exp"]);
        assert_eq!(cut(" a 'b c' \"\" d\"e f\""), ["a", "b c", "", "de f"]);
        assert!(cut("  ").is_empty() && split_words("a 'b").is_none());
        for word in ["a=b,c", "a b", "it's", "", "\\", "$HOME", "a\nb", "#", "λ"] {
            assert_eq!(cut(&shell_word(word)), [word]);
            assert_eq!(cut(&quoted(word)), [word]);
        }
        assert_eq!(shell_word("smt.bv.solver=2"), "smt.bv.solver=2");
        assert_eq!(shell_word("$HOME"), "'$HOME'");
    }
}
