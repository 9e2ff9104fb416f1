//! Profiles: all that is particular to one solver, read from `solvers/<name>.toml`.

mod departure;
mod promise;
mod proofs;
mod setting;
mod sign;
mod source;
mod start;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use regex_lite::Regex;
use serde::Deserialize;

use crate::misspelt::nearest;
use crate::solver::SolverError;
use crate::solver::release::Release;

pub use departure::{Departure, Flag};
pub use promise::{Promise, TacticTable};
pub use proofs::{CheckerRule, ProofEnd, ProofRules};
pub use setting::{
    SIMPLIFIER, Setting, SettingClass, SettingName, SettingRow, SettingTable, TACTIC, Theory,
    is_text_setting, on_command_line,
};
pub use sign::{SignKind, SignRule, Within};
pub use source::{Crate, Debian, Wheel};
pub use start::{Input, Outputs, Start, fill};

const SOURCES: &[(&str, &str)] = &[
    ("z3", include_str!("../../../solvers/z3.toml")),
    ("cvc5", include_str!("../../../solvers/cvc5.toml")),
    ("cvc4", include_str!("../../../solvers/cvc4.toml")),
    ("bitwuzla", include_str!("../../../solvers/bitwuzla.toml")),
    ("yices", include_str!("../../../solvers/yices.toml")),
    ("boolector", include_str!("../../../solvers/boolector.toml")),
    ("oxiz", include_str!("../../../solvers/oxiz.toml")),
    ("any", include_str!("../../../solvers/any.toml")),
];

/// The option that says whether declarations outlive their level.
const GLOBAL: &str = ":global-declarations";

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
    /// The name of the family, if solvers of other names share its code. Members of a family do not confirm each other.
    pub family: Option<String>,
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
    /// With which options the authors of papers started it, by the name of the paper.
    #[serde(default)]
    pub published: BTreeMap<String, Vec<String>>,
    /// Options, tactics and simplifiers that `--options` draws from.
    #[serde(default)]
    pub options: SettingTable,
    /// What its tactics promise.
    #[serde(default)]
    pub tactics: TacticTable,
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

    /// Whether that release may be sent an option of a script with this value: it changes no meaning and writes no file.
    pub fn allows(&self, release: Option<&Release>, key: &str, value: &str) -> bool {
        // What is declared outlives its level or not: our own reading of the script goes by it.
        if key == GLOBAL {
            return true;
        }
        let is_it = |listed: &String| match listed.split_once(' ') {
            Some((name, only)) => name == key && only == value,
            None => listed == key,
        };
        self.ask.harmless.iter().any(is_it)
            || self.options.safe.iter().any(|row| row.is_option(key) && row.has(release) && row.takes(value))
    }

    /// Whether some profile allows an option with this value. A seed keeps no other.
    pub fn any_allows(key: &str, value: &str) -> bool {
        PROFILES.iter().any(|profile| profile.allows(None, key, value))
    }

    /// Whether some profile lists an option, whatever its value.
    pub fn is_known_option(key: &str) -> bool {
        let name = |listed: &String| listed.split(' ').next() == Some(key);
        let knows = |profile: &Arc<Profile>| {
            profile.ask.harmless.iter().any(name) || profile.options.safe.iter().any(|row| row.is_option(key))
        };
        PROFILES.iter().any(knows)
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
}
