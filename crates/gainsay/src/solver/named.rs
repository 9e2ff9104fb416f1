//! From what a person writes after `--solver` to a solver that can be started.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use smt::ModelDialect;
use smt::value::literal::Escapes;

use super::acquire::home::Home;
use super::acquire::install::{installable, no_release};
use super::fake::plan::Plan;
use super::id::{Make, SolverId, split_words};
use super::pick::Pick;
use super::process::program::run_confined;
use super::process::protocol::Launch;
use super::process::supervisor::own_program;
use super::profile::{Flag, Input, Profile, fill};
use super::release::Release;
use super::{Ending, Limits, SolverError};

/// A solver that can be started.
#[derive(Clone, Debug)]
pub struct Solver {
    /// What it is called in tables and findings, such as `z3@4.8.7 smt.bv.solver=2`.
    pub name: SolverId,
    /// What is known of it.
    pub profile: Arc<Profile>,
    /// Which release it is, if that is known.
    pub release: Option<Release>,
    /// What to start.
    base: Launch,
    /// The options a person or a configuration adds.
    pub options: Vec<String>,
}

impl Solver {
    /// The solver that a text names: `z3`, `z3@4.8.7`, `./build/z3`, `fake:PLAN`, each with options after it.
    ///
    /// Whatever is installed is preferred to what is on the path; nothing is fetched here.
    pub fn named(text: &str, home: &Home, profile: Option<&str>) -> Result<Solver, SolverError> {
        let bad = |why: &str| SolverError::BadPick { text: text.to_owned(), why: why.to_owned() };
        let words = split_words(text).ok_or_else(|| bad("a quote is not closed"))?;
        let (first, options) = words.split_first().ok_or_else(|| bad("it is empty"))?;
        let solver = match Make::of_word(first).0 {
            Make::Fake(plan) => {
                plan.parse::<Plan>()
                    .map_err(|bad| SolverError::BadPick { text: text.to_owned(), why: bad.to_string() })?;
                Solver::fake_as(profile.unwrap_or("z3"), &plan)?
            }
            Make::Known(_) => Solver::kept(first, home)?,
            Make::Program(_) | Make::Named(_) => Solver::program(first, profile)?,
        };
        Ok(solver.with_options(options))
    }

    /// A release that is installed, or the one on the path if no release is named.
    fn kept(text: &str, home: &Home) -> Result<Solver, SolverError> {
        let pick = Pick::parse(text)?;
        let profile = Profile::named(&pick.name)?;
        let there = home.installed(&pick.name);
        if let Some(release) = pick.select(&there).last() {
            return Ok(Solver::installed(&profile, release, home));
        }
        if !text.contains('@')
            && let Some(place) = on_path(&pick.name)
        {
            return Solver::program(&place.to_string_lossy(), Some(&pick.name));
        }
        let known = installable(&profile);
        match pick.select(&known).last() {
            Some(release) => Err(SolverError::NotInstalled { name: format!("{}@{release}", pick.name) }),
            None => Err(no_release(&pick, &known)),
        }
    }

    /// An installed release.
    pub fn installed(profile: &Arc<Profile>, release: &Release, home: &Home) -> Solver {
        let place = home.place(&profile.name, release);
        Solver {
            name: SolverId::of_release(profile, release),
            profile: profile.clone(),
            release: Some(release.clone()),
            base: launch(profile, release, &place),
            options: Vec::new(),
        }
    }

    /// A program by its path or its name on the path; its version output, then its name tell its profile.
    fn program(text: &str, profile: Option<&str>) -> Result<Solver, SolverError> {
        let place = if text.contains('/') { Some(PathBuf::from(text)) } else { on_path(text) };
        let missing = |why: &str| SolverError::NotStarted { program: text.to_owned(), why: why.to_owned() };
        let Some(place) = place else {
            return Err(Profile::named(&Make::of_word(text).0.to_string())
                .err()
                .unwrap_or_else(|| missing("it is not on the path")));
        };
        let place = place.canonicalize().map_err(|e| missing(&e.to_string()))?;
        let meta = place.metadata().map_err(|e| missing(&e.to_string()))?;
        if meta.is_dir() {
            return Err(missing("it is a directory; name the program in it"));
        }
        if meta.permissions().mode() & 0o111 == 0 {
            return Err(missing("it is not executable; `chmod +x` makes it so"));
        }
        let (profile, release) = match profile {
            Some(name) => {
                let profile = Profile::named(name)?;
                let release =
                    version_output(&place, &profile.run.version).and_then(|o| profile.recognise(&o)?);
                (profile, release)
            }
            None => recognised(&place),
        };
        let launch = Launch { program: place, argv: profile.run.argv.clone(), env: Vec::new(), folder: None };
        Ok(Solver { name: SolverId::of_program(text), profile, release, base: launch, options: Vec::new() })
    }

    /// Our own fake solver, which does what its plan says; it passes for the solver of that profile.
    pub fn fake_as(profile: &str, plan: &str) -> Result<Solver, SolverError> {
        Ok(Solver { profile: Profile::named(profile)?, ..Solver::fake(plan) })
    }

    /// Our own fake solver, which does what its plan says; it passes for a z3.
    pub fn fake(plan: &str) -> Solver {
        let argv = vec!["drive".to_owned(), "fake".to_owned(), plan.to_owned()];
        Solver {
            name: SolverId::of_fake(plan),
            profile: Profile::named("z3").expect("z3 has a profile"),
            release: None,
            base: Launch { program: own_program(), argv, env: Vec::new(), folder: None },
            options: Vec::new(),
        }
    }

    /// Whether it is our own fake, which only passes for the solver of its profile.
    pub fn is_fake(&self) -> bool {
        self.name.is_fake()
    }

    /// A digest of the program and its arguments: another program has another.
    pub fn digest(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        hash.update(std::fs::read(&self.base.program).unwrap_or_default());
        for word in self.base.argv.iter().chain(&self.options) {
            hash.update([0]);
            hash.update(word);
        }
        format!("{:x}", hash.finalize())
    }

    /// Whether it departs from the standard in this.
    pub fn has(&self, flag: Flag) -> bool {
        self.profile.has(flag, self.release.as_ref())
    }

    /// Which escapes it reads in the strings of a script.
    pub fn reads(&self) -> Escapes {
        match (self.has(Flag::OldEscapes), self.has(Flag::NoUnicodeEscapes)) {
            (false, _) => Escapes::Standard,
            (true, true) => Escapes::OldZ3,
            (true, false) => Escapes::MixedZ3,
        }
    }

    /// How it spells values in models, for [`smt::Model::read_in`].
    pub fn manner(&self) -> ModelDialect {
        let escapes = if self.has(Flag::BareBackslashes) { Escapes::BareZ3 } else { self.reads() };
        ModelDialect { escapes, rounded: self.has(Flag::RoundedDecimals) }
    }

    /// The same solver with a named option set of its profile.
    pub fn with_config(&self, config: &str) -> Result<Solver, SolverError> {
        let Some(options) = self.profile.configs.get(config) else {
            let there: Vec<&str> = self.profile.configs.keys().map(String::as_str).collect();
            return Err(SolverError::NoConfig {
                solver: self.name.to_string(),
                wanted: config.to_owned(),
                there: match there.as_slice() {
                    [] => "it has none".to_owned(),
                    some => format!("it has {}", some.join(", ")),
                },
            });
        };
        Ok(self.with_options(options))
    }

    /// The same solver with more options.
    #[must_use]
    pub fn with_options(&self, options: &[String]) -> Solver {
        let mut other = self.clone();
        other.options.extend(options.iter().cloned());
        other.name = self.name.with_options(&[self.name.options(), options].concat());
        other
    }

    /// The same solver without the options that its name gives; those of an entry in `gainsay.toml` belong to the entry.
    #[must_use]
    pub fn without_options(&self) -> Solver {
        let mut other = self.clone();
        other.options.truncate(self.options.len().saturating_sub(self.name.options().len()));
        other.name = self.name.without_options();
        other
    }

    /// The same solver under a name of its own, as an entry in `gainsay.toml` gives it one.
    #[must_use]
    pub fn renamed(&self, name: SolverId) -> Solver {
        Solver { name, ..self.clone() }
    }

    /// The same solver with its random number set.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Solver {
        self.with_options(&fill(&self.profile.run.seed, &[("seed", seed)]))
    }

    /// The same, giving up after so many units of what it counts itself.
    #[must_use]
    pub fn with_units(&self, units: u64) -> Solver {
        self.with_options(&fill(&self.profile.run.units, &[("units", units)]))
    }

    /// Whether its options ask for minimal cores.
    pub fn minimises(&self) -> bool {
        let wanted = &self.profile.run.minimal_cores;
        !wanted.is_empty() && wanted.iter().all(|option| self.options.contains(option))
    }

    /// What to start, with these arguments before the person's options.
    pub(super) fn launch(&self, extra: &[String]) -> Launch {
        let mut launch = self.base.clone();
        launch.argv.extend(extra.iter().cloned());
        launch.argv.extend(self.options.iter().cloned());
        launch
    }

    /// Whether another solver is started in the same way and understood in the same way.
    pub(super) fn is_same_program(&self, other: &Solver) -> bool {
        Arc::ptr_eq(&self.profile, &other.profile) && self.base == other.base && self.options == other.options
    }

    /// Its program and options, for a command that is given the path of a script and does not read standard input.
    pub fn command(&self) -> Vec<String> {
        let program = self.base.program.display().to_string();
        [program].into_iter().chain(self.options.iter().cloned()).collect()
    }

    /// How it takes its script.
    pub(super) fn input(&self) -> Input {
        self.profile.run.input
    }

    /// What it prints when asked for its version.
    pub fn version_output(&self) -> Option<String> {
        let argv: Vec<String> = if self.base.argv.first().is_some_and(|a| a == "drive") {
            self.base.argv.iter().cloned().chain(self.profile.run.version.iter().cloned()).collect()
        } else {
            self.profile.run.version.clone()
        };
        run_briefly(&Launch { argv, ..self.base.clone() })
    }
}

fn launch(profile: &Profile, release: &Release, place: &Path) -> Launch {
    let argv = profile.run.argv.clone();
    if let Some(packages) = profile.debian.iter().find(|d| d.release == *release) {
        let libraries = place.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
        let env = vec![("LD_LIBRARY_PATH".to_owned(), libraries.display().to_string())];
        return Launch { program: place.join(&packages.program), argv, env, folder: None };
    }
    if let Some(source) = profile.cargo.as_ref().filter(|c| c.releases.contains(release)) {
        return Launch { program: place.join(&source.program), argv, env: Vec::new(), folder: None };
    }
    let wheel = profile.pip.as_ref();
    if let Some(driver) = wheel.and_then(|w| w.drive.as_ref()) {
        let mut all = vec!["drive".to_owned(), driver.clone(), place.display().to_string()];
        all.extend(argv);
        return Launch { program: own_program(), argv: all, env: Vec::new(), folder: None };
    }
    let program = wheel.and_then(|w| w.program.as_deref()).unwrap_or(&profile.name);
    Launch {
        program: place.join(program.rsplit('/').next().unwrap_or(program)),
        argv,
        env: Vec::new(),
        folder: None,
    }
}

fn recognised(place: &Path) -> (Arc<Profile>, Option<Release>) {
    let output = version_output(place, &["--version".to_owned()]).unwrap_or_default();
    for profile in Profile::all() {
        if let Some(release) = profile.recognise(&output) {
            return (profile.clone(), release);
        }
    }
    let name = place.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let by_name = Profile::all().iter().find(|p| name.starts_with(&p.name)).cloned();
    (by_name.unwrap_or_else(Profile::any), None)
}

fn version_output(place: &Path, argv: &[String]) -> Option<String> {
    run_briefly(&Launch { program: place.to_owned(), argv: argv.to_vec(), env: Vec::new(), folder: None })
}

/// What a program prints that should print something and end; it gets five seconds, and the limits of a solver.
fn run_briefly(launch: &Launch) -> Option<String> {
    // A build with a sanitizer reserves address space without end, also for this.
    let limits = Limits { address_space: false, ..Limits::of_time(Duration::from_secs(5)) };
    let done = run_confined(launch, &limits).ok()?;
    let stopped = matches!(done.ending, Ending::Stopped(_));
    (!stopped).then(|| String::from_utf8_lossy(&done.out).into_owned())
}

/// The program of that name on the path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let name = if name == "yices" { "yices-smt2" } else { name };
    std::env::split_paths(&std::env::var_os("PATH")?).map(|d| d.join(name)).find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_said_helpfully() {
        let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
        let told = |text: &str| Solver::named(text, &home, None).expect_err("nothing there").to_string();
        for (text, expected) in [
            ("nosuchsolver", "no solver is called `nosuchsolver` (known: z3"),
            ("Z3", "did you mean z3?"),
            ("z3-4.8.7", "did you mean z3@4.8.7?"),
            ("./nosuch/z3", "cannot be started"),
            ("./src", "it is a directory"),
            ("./Cargo.toml", "chmod +x"),
            ("z3@77", "has no release 77 here; there are 50 from 4.5.1"),
            ("cvc5@1.1.0", "there are 1.0.3, 1.2.0"),
            ("z3@5.0..4.8", "write the lesser first, 4.8..5.0"),
            ("z3@5.4.0", "run `gainsay solvers install z3@5.4.0`"),
            ("z3@x", "numbers and dots"),
            ("", "it is empty"),
            ("z3 'a", "a quote is not closed"),
            ("fake:honest,wrong", "cannot `wrong`"),
        ] {
            assert!(told(text).contains(expected), "{}", told(text));
        }
        let config = Solver::fake("sat").with_config("nosuch").expect_err("none").to_string();
        assert!(config.contains("no configuration `nosuch`; it has arith2"), "{config}");
    }

    #[test]
    fn the_fake_is_named_by_its_plan() {
        let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
        let named = |text: &str| Solver::named(text, &home, None).expect(text);
        let plan = "fake:honest,when=a/b@c,unsat-for-sat";
        assert_eq!((named(plan).name.as_str(), named(plan).profile.name.as_str()), (plan, "z3"));
        let seeded = named(&format!("{plan} smt.random_seed=3"));
        assert_eq!(seeded.name.as_str(), format!("{plan} smt.random_seed=3"));
        assert_eq!(seeded.base.argv[2..], [plan[5..].to_owned()]);
        assert_eq!(named("'fake:print=a b'").name.as_str(), "'fake:print=a b'");
        let other = Solver::named("fake:sat", &home, Some("cvc5")).expect("a profile");
        assert_eq!(other.profile.name, "cvc5");
    }
}
