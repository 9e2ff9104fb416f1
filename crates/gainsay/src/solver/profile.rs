//! Profiles: all that is particular to one solver, read from `solvers/<name>.toml`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use regex_lite::Regex;
use serde::Deserialize;

use super::SolverError;
use super::proofs::ProofRules;
use super::release::Release;
use crate::misspelt::nearest;

const SOURCES: &[(&str, &str)] = &[
    ("z3", include_str!("../../solvers/z3.toml")),
    ("cvc5", include_str!("../../solvers/cvc5.toml")),
    ("cvc4", include_str!("../../solvers/cvc4.toml")),
    ("bitwuzla", include_str!("../../solvers/bitwuzla.toml")),
    ("yices", include_str!("../../solvers/yices.toml")),
    ("boolector", include_str!("../../solvers/boolector.toml")),
    ("oxiz", include_str!("../../solvers/oxiz.toml")),
    ("any", include_str!("../../solvers/any.toml")),
];

static PROFILES: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| {
        Arc::new(Profile::parse(text).unwrap_or_else(|e| panic!("solvers/{name}.toml: {e}")))
    };
    SOURCES.iter().map(read).collect()
});

/// One solver: how to get it, start it, ask it and understand it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name on the command line.
    pub name: String,
    /// The name its authors give it.
    pub title: String,
    /// Whether its maintainers accept reports, if that is known.
    pub reports: Option<Reports>,
    /// How many reports a week its maintainers want from one source, if they say.
    pub weekly: Option<u32>,
    /// Beginnings of options that they do not support: what needs one is held back.
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// Releases as Python wheels.
    pub pip: Option<Wheel>,
    /// Releases as Debian packages.
    #[serde(default)]
    pub debian: Vec<Debian>,
    /// Releases as a Rust program built on request.
    pub cargo: Option<Crate>,
    /// How to start it.
    pub run: Start,
    /// How to ask it for more than an answer.
    pub ask: Outputs,
    /// How it proves that a formula is unsatisfiable, if it does.
    pub proofs: Option<ProofRules>,
    /// Where it departs from the standard.
    #[serde(default)]
    pub departs: Vec<Departure>,
    /// Named option sets worth testing.
    pub configs: BTreeMap<String, Vec<String>>,
    /// What lines of its output mean.
    #[serde(default)]
    pub signs: Vec<SignRule>,
}

/// Whether the maintainers of a solver accept reports.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reports {
    /// They accept these reports.
    Accepted(String),
    /// They accept none, for this reason.
    Declined(String),
}

/// Where in a wheel a solver is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The package's name.
    pub package: String,
    /// The program inside the wheel (a pattern with `*`).
    pub program: Option<String>,
    /// Other files to unpack (patterns with `*`).
    #[serde(default)]
    pub keep: Vec<String>,
    /// The driver that serves a wheel without a program.
    pub drive: Option<String>,
    /// The Python release whose wheel is taken, where only the library in it matters.
    pub python: Option<String>,
    /// The Python releases whose wheels are locked, where the running Python must load it.
    #[serde(default)]
    pub pythons: Vec<String>,
    /// The oldest release that can be used.
    pub oldest: Release,
}

/// A release that comes as Debian packages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Debian {
    /// The release.
    pub release: Release,
    /// The packages: the program's and its libraries'.
    pub packages: Vec<String>,
    /// The program inside them.
    pub program: String,
}

/// A program from the Rust crate registry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crate {
    /// The crate's name.
    pub package: String,
    /// The program it installs.
    pub program: String,
    /// The releases offered.
    pub releases: Vec<Release>,
}

/// How a solver takes its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// On standard input, answering command by command.
    #[default]
    Stdin,
    /// As a file named last on the command line, all at once.
    File,
}

/// How to start a solver; `{ms}`, `{s}`, `{mb}` and `{seed}` stand for numbers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Arguments it always needs to read SMT-LIB as we send it.
    pub argv: Vec<String>,
    /// Arguments that make it print its version.
    pub version: Vec<String>,
    /// What its version output looks like; the group `release` is the number.
    pub recognise: String,
    /// How it takes its script.
    #[serde(default)]
    pub input: Input,
    /// Its own limit of time per question.
    #[serde(default)]
    pub time: Vec<String>,
    /// Its own limit of memory.
    #[serde(default)]
    pub memory: Vec<String>,
    /// Its random number.
    #[serde(default)]
    pub seed: Vec<String>,
    /// What it needs before it takes `push`.
    #[serde(default)]
    pub incremental: Vec<String>,
    /// What makes it check its own models and cores.
    #[serde(default)]
    pub self_check: Vec<String>,
    /// What makes its unsatisfiable cores minimal.
    #[serde(default)]
    pub minimal_cores: Vec<String>,
    /// Options that end its work after `{units}` of what it counts itself; none if it counts nothing.
    #[serde(default)]
    pub units: Vec<String>,
    /// Exit statuses that mean a crash.
    #[serde(default)]
    pub crash_status: Vec<i32>,
    /// Whether it goes on after an error, answering a script that is not the one sent.
    #[serde(default)]
    pub goes_on_after_error: bool,
    /// Whether `(reset)` brings a session back to its beginning.
    pub reset: bool,
    /// Whether formulas may be asked between `(push 1)` and `(pop 1)`.
    pub scoped: bool,
}

/// How to ask for more than an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// The command that must come first if a model will be asked for.
    pub model: String,
    /// The command that makes the solver print a model after each `sat` and after no other answer; empty if it has none.
    ///
    /// A warm session then needs no second question for the model.
    #[serde(default)]
    pub model_with_answer: String,
    /// The command that must come first if an unsatisfiable core will be asked for; empty if it has none.
    pub core: String,
    /// The command that says why an answer is unknown, where it is safe to ask.
    #[serde(default)]
    pub reason: String,
    /// Options of a seed that change nothing in meaning; all others are dropped.
    pub harmless: Vec<String>,
}

/// A departure that code asks about: what a solver with it says must be understood otherwise, or not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// The alphabet of strings ends at 255.
    EightBitCharacters,
    /// `\x41`, octal and C escapes are read and printed.
    OldEscapes,
    /// `\u{41}` is no escape.
    NoUnicodeEscapes,
    /// Models print a backslash as itself, also before `u{41}`.
    BareBackslashes,
    /// Only the old names of string operators are known (`str.to.int`).
    OldStringNames,
    /// Models give irrational numbers as rounded decimals.
    RoundedDecimals,
    /// `x/0`, `div` and `mod` by zero have a value that no model may choose.
    FixedDivision,
    /// What floating-point conversions leave open has a value that no model may choose.
    FixedConversion,
    /// `bvxnor` takes more than two arguments.
    NaryBvxnor,
    /// An Int may stand for a Real, beyond what arithmetic of mixed logics allows.
    IntAsReal,
    /// A Real may stand for an Int, at least in `div` and `mod`.
    RealAsInt,
    /// `(_ divisible n)` is unknown.
    NoDivisible,
    /// Its own limit of time keeps a second core busy as long as it works.
    BusyClock,
}

/// A departure from the standard, and the releases that have it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// What is different, for people.
    pub what: String,
    /// What is different, for code.
    pub flag: Option<Flag>,
    /// The first release that has it; the first of all if left out.
    pub since: Option<Release>,
    /// The last release that has it; still so if left out.
    pub until: Option<Release>,
}

/// What kind of thing a line of output tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignKind {
    /// The solver gave up for want of time.
    Time,
    /// The solver gave up for want of memory.
    Memory,
    /// The solver's own check refuted its model, core or proof.
    SelfCheck,
    /// An assertion failed, or unreachable code was reached.
    Assertion,
    /// A sanitizer complained.
    Sanitizer,
    /// The solver says that it does not do this.
    Rejected,
    /// The solver refuses for what a session did before.
    Worn,
}

/// Where a sign is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Within {
    /// In lines that are no part of a parsed reply, and in standard error.
    #[default]
    Noise,
    /// In the text of an `(error "…")`.
    Error,
}

/// A pattern and what it means when it is there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignRule {
    /// What it means.
    pub kind: SignKind,
    /// Where it is looked for.
    #[serde(default)]
    pub within: Within,
    /// The pattern; its groups `file`, `line` and `text` are reported.
    #[serde(rename = "match", deserialize_with = "multi_line")]
    pub pattern: Regex,
}

/// Reads a pattern in which `^` and `$` are the ends of lines.
pub(super) fn multi_line<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(d)?;
    Regex::new(&format!("(?m){text}")).map_err(serde::de::Error::custom)
}

impl Profile {
    /// Reads a profile.
    pub fn parse(text: &str) -> Result<Profile, toml::de::Error> {
        toml::from_str(text)
    }

    /// The profiles that come with the program.
    pub fn all() -> &'static [Arc<Profile>] {
        &PROFILES
    }

    /// The profile of that name.
    pub fn named(name: &str) -> Result<Arc<Profile>, SolverError> {
        let known = || {
            let names = PROFILES.iter().filter(|p| p.name != "any").map(|p| p.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let found = PROFILES.iter().find(|p| p.name == name).cloned();
        found.ok_or_else(|| SolverError::UnknownSolver {
            name: name.to_owned(),
            nearest: Profile::meant(name),
            known: known(),
        })
    }

    /// What may have been meant by a name that no profile has: `Z3`, `z3-4.8.7`, `cvc`.
    fn meant(name: &str) -> String {
        let lower = name.to_lowercase();
        let (word, release) = match lower.find(|c: char| "-_ v".contains(c)) {
            Some(at) if lower.get(at + 1..).and_then(Release::parse).is_some() => {
                (&lower[..at], Some(&lower[at + 1..]))
            }
            _ => (lower.as_str(), None),
        };
        let names: Vec<&str> =
            PROFILES.iter().map(|p| p.name.as_str()).filter(|name| *name != "any").collect();
        match (nearest(word, &names), release) {
            (Some(name), Some(release)) => format!("; did you mean {name}@{release}?"),
            (Some(name), None) => format!("; did you mean {name}?"),
            (None, _) => String::new(),
        }
    }

    /// What is known of a solver about which nothing is known.
    pub fn any() -> Arc<Profile> {
        Profile::named("any").expect("the program comes with a profile for unknown solvers")
    }

    /// The signs to look for: its own first, then those of any solver.
    pub fn all_signs(&self) -> impl Iterator<Item = &SignRule> {
        let any = PROFILES.iter().find(|p| p.name == "any").filter(|_| self.name != "any");
        self.signs.iter().chain(any.into_iter().flat_map(|p| p.signs.iter()))
    }

    /// The release that this version output tells of, if it is this solver's.
    pub fn recognise(&self, output: &str) -> Option<Option<Release>> {
        if self.name == "any" {
            return None;
        }
        let pattern = Regex::new(&format!("(?m){}", self.run.recognise)).ok()?;
        let found = pattern.captures(output)?;
        Some(found.name("release").and_then(|m| Release::parse(m.as_str().trim_end_matches('.'))))
    }

    /// The departures from the standard of that release; a build that tells no release is taken for the newest.
    pub fn departures(&self, release: Option<&Release>) -> impl Iterator<Item = &Departure> {
        let has = move |d: &&Departure| match release {
            None => d.until.is_none(),
            Some(r) => d.since.as_ref().is_none_or(|s| r >= s) && d.until.as_ref().is_none_or(|u| r <= u),
        };
        self.departs.iter().filter(has)
    }

    /// Whether that release departs from the standard in this.
    pub fn has(&self, flag: Flag, release: Option<&Release>) -> bool {
        self.departures(release).any(|d| d.flag == Some(flag))
    }
}

/// Fills `{name}` in each argument.
pub fn fill(argv: &[String], values: &[(&str, u64)]) -> Vec<String> {
    let fill_one = |arg: &String| {
        values
            .iter()
            .fold(arg.clone(), |a, (name, value)| a.replace(&format!("{{{name}}}"), &value.to_string()))
    };
    argv.iter().map(fill_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_profiles_are_well_formed() {
        for p in Profile::all() {
            assert!(Regex::new(&p.run.recognise).is_ok(), "{}", p.name);
            assert!(
                p.name == "any" || p.pip.is_some() || !p.debian.is_empty() || p.cargo.is_some(),
                "{} cannot be had",
                p.name
            );
            for (config, options) in &p.configs {
                assert!(!options.is_empty(), "{} {config}", p.name);
            }
        }
    }

    #[test]
    fn version_outputs_are_recognised() {
        for (name, output, release) in [
            ("z3", "Z3 version 4.8.7 - 64 bit", "4.8.7"),
            ("cvc5", "This is cvc5 version 1.0.3\ncompiled with GCC", "1.0.3"),
            ("cvc4", "This is CVC4 version 1.8\ncompiled", "1.8"),
            ("yices", "Yices 2.6.5\nCopyright", "2.6.5"),
        ] {
            for p in Profile::all() {
                let told = p.recognise(output).map(|r| r.expect("a number").to_string());
                assert_eq!(told.as_deref(), (p.name == name).then_some(release), "{} of {output}", p.name);
            }
        }
    }

    #[test]
    fn departures_depend_on_the_release() {
        use Flag::{
            BareBackslashes, BusyClock, EightBitCharacters, NaryBvxnor, NoDivisible, NoUnicodeEscapes,
            OldEscapes, OldStringNames, RoundedDecimals,
        };
        // A flag, and the first and last release that have it; the releases beside them do not.
        for (name, flag, have, have_not) in [
            ("z3", EightBitCharacters, "4.5.1 4.8.10", "4.8.11 5.4.0"),
            ("z3", OldEscapes, "4.5.1 4.8.10", "4.8.11 5.4.0"),
            ("z3", NoUnicodeEscapes, "4.5.1 4.8.8", "4.8.9 5.4.0"),
            ("z3", BareBackslashes, "4.8.11 4.8.12", "4.8.10 4.8.13"),
            ("z3", OldStringNames, "4.5.1 4.8.8", "4.8.9"),
            ("z3", NaryBvxnor, "4.8.6 5.4.0", "4.8.5"),
            ("z3", NoDivisible, "4.5.1 5.4.0", ""),
            ("z3", BusyClock, "4.8.5 4.8.9", "4.8.0 4.8.10"),
            ("cvc4", EightBitCharacters, "", "1.8"),
            ("cvc5", NoDivisible, "", "1.4.2"),
            ("yices", RoundedDecimals, "2.6.4 2.6.5", ""),
        ] {
            let profile = Profile::named(name).expect(name);
            for (releases, expected) in [(have, true), (have_not, false)] {
                for r in releases.split_whitespace() {
                    let release = Release::parse(r).expect("a release");
                    assert_eq!(profile.has(flag, Some(&release)), expected, "{name} {r} {flag:?}");
                }
            }
        }
        let z3 = Profile::named("z3").expect("z3");
        assert!(z3.has(NoDivisible, None) && !z3.has(OldEscapes, None), "unknown is newest");
    }

    #[test]
    fn what_may_be_meant_is_said() {
        for (name, meant) in [
            ("zz3", "did you mean z3?"),
            ("Z3", "did you mean z3?"),
            ("z3-4.8.7", "did you mean z3@4.8.7?"),
            ("cvc", "did you mean cvc5?"),
            ("bitwuzzla", "did you mean bitwuzla?"),
            ("mathsat", ""),
            ("", ""),
        ] {
            let told = Profile::named(name).expect_err(name).to_string();
            assert_eq!(told.contains("did you mean"), !meant.is_empty(), "{told}");
            assert!(told.contains(meant) && told.contains("known: z3, cvc5"), "{told}");
        }
    }

    #[test]
    fn arguments_are_filled() {
        let argv = vec!["-t:{ms}".to_owned(), "x".to_owned()];
        assert_eq!(fill(&argv, &[("ms", 700)]), ["-t:700", "x"]);
    }
}
