//! The solvers of a finding, found again by the names that they have in it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::choose;
use crate::config::Config;
use crate::finding::{Finding, Known};
use crate::solver::acquire::choose::own_entry;
use crate::solver::acquire::home::Home;
use crate::solver::{Make, Profile, Solver, SolverError, SolverId};

/// What a name stands for, by `gainsay.toml`, and the profile that is said there.
fn meant(name: &SolverId) -> (SolverId, Option<String>) {
    let own = Config::read().unwrap_or_default().solvers;
    let entry = own_entry(name, &own).and_then(|entry| {
        let command: SolverId = entry.command.parse().ok()?;
        let options = [command.options(), name.options()].concat();
        Some((command.with_options(&options), entry.profile.clone()))
    });
    entry.unwrap_or_else(|| (name.clone(), None))
}

/// The solver of that name; nothing is installed, and a release that is not here is what it would be if it were.
pub fn found(name: &SolverId) -> Option<Solver> {
    let (id, profile) = meant(name);
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

/// Whether a name means a release, not somebody's build, which may be wrong where releases are right.
pub fn is_release(name: &SolverId) -> bool {
    matches!(meant(name).0.make(), Make::Known(_))
}

/// The profile of the accused, be it a release or a build, if there is one that we know.
pub fn profile_of(f: &Finding) -> Option<Arc<Profile>> {
    let name = f.against.as_ref()?;
    let recognised = || {
        let accused = choose::again(std::slice::from_ref(name)).ok()?.swap_remove(0);
        (!accused.is_fake()).then_some(accused.profile)
    };
    meant(name).0.profile().or_else(recognised).filter(|profile| profile.name != "any")
}

/// The options of the accused that matter, if that is known: those kept by `triage`, or none where it was seen without any.
pub fn needed<'a>(f: &Finding, kept: Option<&'a [String]>) -> Option<&'a [String]> {
    kept.or_else(|| f.confirmed.default_options.then_some(&[]))
}

/// What readers of a report must know of a solver, with the options that matter if that is known.
pub fn known(name: &SolverId, needed: Option<&[String]>) -> Option<Known> {
    let solver = found(name).filter(|solver| !solver.is_fake())?;
    known_of(&solver, is_release(name), needed)
}

fn known_of(solver: &Solver, release: bool, needed: Option<&[String]>) -> Option<Known> {
    let profile = &solver.profile;
    let command = solver.command();
    let path = Path::new(command.first()?);
    let file = path.file_name()?.to_string_lossy().into_owned();
    // Some releases are libraries, for which we are the program.
    let program = if release && !file.starts_with(&profile.name) { profile.name.clone() } else { file };
    let options = needed.unwrap_or(&solver.options);
    let base = match &solver.release {
        Some(number) if release => format!("{}@{number}", profile.name),
        Some(number) => format!("{program} {number}"),
        None => program.clone(),
    };
    // The script is in a file, whose name tells the language.
    let given = |word: &&String| !matches!(word.as_str(), "-in" | "--lang=smt2");
    let label = [std::slice::from_ref(&base), options].concat().join(" ");
    let there = if release { base } else { format!("./{program}") };
    Some(Known {
        solver: [&[there], options].concat().join(" "),
        label,
        version: String::new(),
        program,
        always: profile.run.argv.iter().filter(given).cloned().collect(),
        incremental: profile.run.incremental.clone(),
        options: options.to_vec(),
        manner: Some(solver.manner()),
    })
}

/// What a solver prints when asked for its version, the first line.
pub fn version(name: &SolverId) -> Option<String> {
    let output = found(name).filter(|solver| !solver.is_fake())?.version_output()?;
    Some(output.lines().next()?.trim().to_owned()).filter(|line| !line.is_empty())
}

/// Names of solvers as titles have them, each found out once.
#[derive(Default)]
pub struct Labels(BTreeMap<(SolverId, Option<Vec<String>>), String>);

impl Labels {
    /// Who is accused, with the options that matter; `kept` are those that `triage` kept.
    pub fn of(&mut self, f: &Finding, kept: Option<&[String]>) -> String {
        let needed = needed(f, kept);
        let Some(name) = f.against.clone() else { return String::new() };
        if name.is_fake() {
            return name.to_string();
        }
        let label = || known(&name, needed).map_or_else(|| name.to_string(), |known| known.label);
        let key = (name.clone(), needed.map(<[String]>::to_vec));
        self.0.entry(key).or_insert_with(label).clone()
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
            // For libraries we are the program, which a reader need not have.
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
        let is_release = |name: &str| is_release(&name.parse().expect("a name"));
        assert!(is_release("z3@4.8.7 a=b") && is_release("cvc5"));
        assert!(!is_release("./build/z3") && !is_release("fake:sat"));
    }
}
