//! What is known of a finding besides itself: its solvers, and what releases did.

use std::collections::BTreeMap;

use super::asked::{Asked, Untold};
use super::words::{untold, untold_of_release};
use crate::case::Answer;
use crate::solver::id::shell_word;
use crate::solver::profile::on_command_line;
use crate::solver::sent::as_sent;
use crate::solver::{Solver, SolverId};

/// A solver as whoever reads a report can find it.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its make, release and the options that matter: `z3@4.8.7 smt.bv.solver=2`.
    pub label: String,
    /// The same, as `--solver` takes it.
    pub solver: String,
    /// The file name of its program.
    pub program: String,
    /// Arguments that it is always given.
    pub always: Vec<String>,
    /// Arguments that it is given where a script has more than one check.
    pub incremental: Vec<String>,
    /// The options that matter.
    pub options: Vec<String>,
    /// What it prints when asked for its version, the first line.
    pub version: String,
    /// How it spells values in models.
    pub manner: Option<smt::ModelDialect>,
}

/// What is known of a finding besides itself.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The name its authors give the solver.
    pub title: String,
    /// Which reports its maintainers accept, if they accept any and that is known.
    pub accepts: Option<String>,
    /// Solvers that are here, by the names that they have in the finding.
    pub solvers: BTreeMap<SolverId, Known>,
    /// The system that it was seen on.
    pub platform: String,
    /// Releases, in order, with what they did.
    pub releases: Vec<Asked>,
    /// The accused as it is asked, if that changes the script: it has a tactic or a simplifier, or does not know some names.
    pub accused: Option<Solver>,
}

impl Scope {
    /// What a solver of the finding is called.
    pub fn label<'a>(&'a self, id: &'a SolverId) -> &'a str {
        self.solvers.get(id).map_or(id.as_str(), |known| known.label.as_str())
    }

    /// A script as the accused was asked it: with its tactic and simplifier, in the names that it knows, and without an answer
    /// that it might compare its own to.
    pub fn as_sent(&self, script: &str) -> String {
        let mut script = script.to_owned();
        for answer in [Answer::Sat, Answer::Unsat, Answer::Unknown] {
            let status = format!("(set-info :status {})", answer.word());
            script = script.replace(&format!("{status}\n"), "").replace(&status, "");
        }
        match &self.accused {
            Some(accused) => as_sent(accused, &script).into_owned(),
            None => script,
        }
    }

    /// The command line that asks a solver a script, without us.
    pub fn command(&self, id: &SolverId, incremental: bool) -> String {
        let Some(known) = self.solvers.get(id) else { return format!("{id} bug.smt2") };
        let more = if incremental { known.incremental.as_slice() } else { &[] };
        let options: Vec<String> = on_command_line(&known.options).cloned().collect();
        let words = [&known.always, more, &options].concat();
        let words = words.iter().map(|word| shell_word(word).into_owned()).chain(["bug.smt2".to_owned()]);
        [known.program.clone()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Which releases fail and which do not, and of which that is not known; empty if none was asked.
    pub fn versions(&self) -> String {
        if self.releases.is_empty() {
            return String::new();
        }
        let of = |wanted: bool| match ranges(&self.releases, |fails| *fails == Ok(wanted)) {
            runs if runs.is_empty() => "none of those asked".to_owned(),
            runs => runs.join(", "),
        };
        let mut text = format!("Affected: {}. Not affected: {}.", of(true), of(false));
        let mut left = self.releases.clone();
        if let Some(Asked { release, fails: Err(why) }) = left.last().cloned() {
            text.push_str(&format!(" Not confirmed on {release} ({}).", untold_of_release(&why)));
            left.pop();
        }
        let mut reasons: Vec<&Untold> = Vec::new();
        for reason in left.iter().filter_map(|asked| asked.fails.as_ref().err()) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        for reason in reasons {
            let runs = ranges(&left, |fails| fails.as_ref().err() == Some(reason));
            text.push_str(&format!(" Not known of {}: {}.", runs.join(", "), untold(reason)));
        }
        text
    }
}

/// The releases that did such a thing, neighbours as ranges.
pub fn ranges(releases: &[Asked], fit: impl Fn(&Result<bool, Untold>) -> bool) -> Vec<String> {
    let alike = |a: &Asked, b: &Asked| fit(&a.fails) == fit(&b.fails);
    let chunks = releases.chunk_by(alike).filter(|chunk| fit(&chunk[0].fails));
    let text = |chunk: &[Asked]| match chunk {
        [first, _, .., last] => format!("{} to {} ({} releases)", first.release, last.release, chunk.len()),
        few => few.iter().map(|one| one.release.clone()).collect::<Vec<_>>().join(", "),
    };
    chunks.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(text: &str) -> String {
        let one = |(i, c): (usize, char)| {
            let fails = match c {
                'x' => Ok(true),
                '.' => Ok(false),
                'a' => Err(Untold::NotInstalled),
                _ => Err(Untold::Unknown),
            };
            Asked { release: format!("1.{i}"), fails }
        };
        let releases = text.chars().enumerate().map(one).collect();
        Scope { releases, ..Scope::default() }.versions()
    }

    #[test]
    fn releases_are_ranges() {
        let rows = [
            ("", ""),
            ("..xx.", "Affected: 1.2, 1.3. Not affected: 1.0, 1.1, 1.4."),
            ("....xxx", "Affected: 1.4 to 1.6 (3 releases). Not affected: 1.0 to 1.3 (4 releases)."),
            ("x", "Affected: 1.0. Not affected: none of those asked."),
            ("xa", "Affected: 1.0. Not affected: none of those asked. Not confirmed on 1.1 (not installed)."),
            (
                "x??.?",
                "Affected: 1.0. Not affected: 1.3. Not confirmed on 1.4 (could not tell: it says unknown). Not known of 1.1, 1.2: it says unknown.",
            ),
            (
                "..?..",
                "Affected: none of those asked. Not affected: 1.0, 1.1, 1.3, 1.4. Not known of 1.2: it says unknown.",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(versions(text), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_exact() {
        let words = |all: &[&str]| all.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let known = Known {
            program: "yices-smt2".to_owned(),
            always: words(&["--smt2-model-format"]),
            incremental: words(&["--incremental"]),
            options: words(&["--x=a b"]),
            ..Known::default()
        };
        let id = |name: &str| name.parse::<SolverId>().expect("a name");
        let scope = Scope { solvers: BTreeMap::from([(id("mine"), known)]), ..Scope::default() };
        let expected = "yices-smt2 --smt2-model-format '--x=a b' bug.smt2";
        assert_eq!(scope.command(&id("mine"), false), expected);
        assert_eq!(scope.command(&id("mine"), true), expected.replace("format", "format --incremental"));
        assert_eq!(scope.command(&id("gone"), true), "gone bug.smt2");
    }
}
