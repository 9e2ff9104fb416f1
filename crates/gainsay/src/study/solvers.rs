//! The solvers that findings name, found again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::finding::{Finding, Known};
use crate::solver::acquire::choose::{Chooser, OwnSolver, Step, own_entry};
use crate::solver::acquire::home::Home;
use crate::solver::id::shell_word;
use crate::solver::{Make, Profile, Solver, SolverError, SolverId};

/// Finds the solvers that findings name.
#[derive(Clone, Copy)]
pub struct SolverFinder<'a> {
    /// The user's own solvers, by the names that stand for them.
    pub own: &'a BTreeMap<String, OwnSolver>,
    /// Called with each step of an installation.
    pub tell: &'a (dyn Fn(&Step) + Sync),
}

impl SolverFinder<'_> {
    /// The solvers of these names. A release that can be installed and is not there is installed.
    pub fn all(&self, names: &[SolverId]) -> Result<Vec<Solver>, SolverError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
        Chooser { own: self.own, profile: None, configs: &[], tell: &self.tell }.solvers(&texts)
    }

    /// The solver of this name. A release that can be installed and is not there is installed.
    pub fn one(&self, name: &SolverId) -> Result<Solver, SolverError> {
        let mut found = self.all(std::slice::from_ref(name))?;
        found.pop().ok_or_else(|| SolverError::NotInstalled { name: name.to_string() })
    }

    /// The solvers that were asked about a finding.
    pub fn of(&self, finding: &Finding) -> Result<Vec<Solver>, SolverError> {
        let names: Vec<SolverId> = finding.said.iter().map(|said| said.solver.clone()).collect();
        self.all(&names)
    }

    /// The solver that a name means after entries of the user's file are replaced, and the profile that the entry names.
    fn meant(&self, name: &SolverId) -> (SolverId, Option<String>) {
        let entry = own_entry(name, self.own).and_then(|entry| {
            let command: SolverId = entry.command.parse().ok()?;
            let options = [command.options(), name.options()].concat();
            Some((command.with_options(&options), entry.profile.clone()))
        });
        entry.unwrap_or_else(|| (name.clone(), None))
    }

    /// The solver of this name, without installing anything. A release that is not installed is described as if it were.
    pub fn described(&self, name: &SolverId) -> Option<Solver> {
        let (id, profile) = self.meant(name);
        let home = Home::of_environment();
        match Solver::named(id.as_str(), &home, profile.as_deref()) {
            Ok(solver) => Some(solver),
            Err(SolverError::NotInstalled { name }) => {
                let missing: SolverId = name.parse().ok()?;
                let solver = Solver::installed(&missing.profile()?, missing.release()?, &home);
                Some(solver.with_options(id.options()))
            }
            Err(_) => None,
        }
    }

    /// Whether a name means a release. A build of somebody's own may fail where releases do not.
    pub fn is_release(&self, name: &SolverId) -> bool {
        matches!(self.meant(name).0.make(), Make::Known(_))
    }

    /// The profile of the accused, if it is a solver that we know.
    pub fn profile_of(&self, finding: &Finding) -> Option<Arc<Profile>> {
        let name = finding.against.as_ref()?;
        let recognised = || {
            let accused = self.one(name).ok()?;
            (!accused.is_fake()).then_some(accused.profile)
        };
        self.meant(name).0.profile().or_else(recognised).filter(|profile| profile.name != "any")
    }

    /// The facts about a solver that readers of a report need, with the options that matter if they are known.
    pub fn known(&self, name: &SolverId, needed: Option<&[String]>) -> Option<Known> {
        let solver = self.described(name).filter(|solver| !solver.is_fake())?;
        known_of(&solver, self.is_release(name), needed)
    }

    /// The first line that a solver prints when it is asked for its version.
    pub fn version(&self, name: &SolverId) -> Option<String> {
        let output = self.described(name).filter(|solver| !solver.is_fake())?.version_output()?;
        Some(output.lines().next()?.trim().to_owned()).filter(|line| !line.is_empty())
    }
}

/// The options of the accused that matter, if they are known: those that `triage` found, or none where the finding shows
/// with default options.
pub fn needed<'a>(finding: &Finding, found: Option<&'a [String]>) -> Option<&'a [String]> {
    found.or_else(|| finding.confirmed.default_options.then_some(&[]))
}

fn known_of(solver: &Solver, release: bool, needed: Option<&[String]>) -> Option<Known> {
    let profile = &solver.profile;
    let command = solver.command();
    let path = Path::new(command.first()?);
    let file = path.file_name()?.to_string_lossy().into_owned();
    // Some releases are libraries. Their program is ours, which readers do not have.
    let program = if release && !file.starts_with(&profile.name) { profile.name.clone() } else { file };
    let options = needed.unwrap_or(&solver.options);
    let base = match &solver.release {
        Some(number) if release => format!("{}@{number}", profile.name),
        Some(number) => format!("{program} {number}"),
        None => program.clone(),
    };
    // These arguments are for standard input. Readers have the script in a file.
    let given = |word: &&String| !matches!(word.as_str(), "-in" | "--lang=smt2");
    let words = |first: &str| {
        let options = options.iter().map(|option| shell_word(option).into_owned());
        [first.to_owned()].into_iter().chain(options).collect::<Vec<_>>().join(" ")
    };
    let label = words(&base);
    let there = if release { base } else { format!("./{program}") };
    Some(Known {
        solver: words(&there),
        label,
        version: String::new(),
        program,
        always: profile.run.argv.iter().filter(given).cloned().collect(),
        incremental: profile.run.incremental.clone(),
        options: options.to_vec(),
        manner: Some(solver.manner()),
    })
}

/// The names of solvers in titles. Each name is looked up once.
pub struct Labels<'a> {
    finder: SolverFinder<'a>,
    known: BTreeMap<(SolverId, Option<Vec<String>>), String>,
}

impl<'a> Labels<'a> {
    /// No names yet.
    pub fn new(finder: SolverFinder<'a>) -> Labels<'a> {
        Labels { finder, known: BTreeMap::new() }
    }

    /// The name of the accused with the options that matter; `found` are those that `triage` found. Empty if nobody is accused.
    pub fn of(&mut self, finding: &Finding, found: Option<&[String]>) -> String {
        let needed = needed(finding, found);
        let Some(name) = finding.against.clone() else { return String::new() };
        if name.is_fake() {
            return name.to_string();
        }
        let finder = self.finder;
        let label = || finder.known(&name, needed).map_or_else(|| name.to_string(), |known| known.label);
        let key = (name.clone(), needed.map(<[String]>::to_vec));
        self.known.entry(key).or_insert_with(label).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Release;

    #[test]
    fn solvers_are_what_a_reader_can_find() {
        let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
        let options = ["a=b".to_owned(), "c=d".to_owned()];
        let rows = [
            ("z3", "4.8.7", None, "z3@4.8.7 a=b c=d", "z3", ""),
            ("z3", "4.8.7", Some(&options[1..]), "z3@4.8.7 c=d", "z3", ""),
            ("z3", "4.8.7", Some(&options[..0]), "z3@4.8.7", "z3", ""),
            ("yices", "2.6.5", Some(&options[..0]), "yices@2.6.5", "yices-smt2", "--smt2-model-format"),
            // A library has no program of its own.
            ("boolector", "3.2.4", Some(&options[..0]), "boolector@3.2.4", "boolector", ""),
            ("cvc5", "1.4.2", Some(&options[..1]), "cvc5@1.4.2 a=b", "cvc5", ""),
        ];
        for (make, release, needed, label, program, always) in rows {
            let profile = Profile::named(make).expect(make);
            let release = Release::parse(release).expect("a release");
            let solver = Solver::installed(&profile, &release, &home).with_options(&options);
            let known = known_of(&solver, true, needed).expect("it has a program");
            let found = (known.label.as_str(), known.program.as_str(), known.always.join(" "));
            assert_eq!(found, (label, program, always.to_owned()));
            assert_eq!(known.solver, label);
            let built = known_of(&solver, false, needed).expect("it has a program");
            assert!(built.solver.starts_with("./") && !built.label.contains('@'), "{built:?}");
        }
        let own = BTreeMap::new();
        let finder = SolverFinder { own: &own, tell: &|_| {} };
        let is_release = |name: &str| finder.is_release(&name.parse().expect("a name"));
        assert!(is_release("z3@4.8.7 a=b") && is_release("cvc5"));
        assert!(!is_release("./build/z3") && !is_release("fake:sat"));
    }
}
