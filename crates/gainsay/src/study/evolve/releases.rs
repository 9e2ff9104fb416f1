//! The releases of a study: which are installed, what they are called, what a question may cost them.

use std::sync::Arc;
use std::time::Duration;

use crate::report::evolve::Studied;
use crate::solver::acquire::home::Home;
use crate::solver::id::split_words;
use crate::solver::pick::{Pick, Which};
use crate::solver::{Limits, Make, Profile, Solver, SolverError};

/// The limits of a question. CPU time decides; wall time only ends a process that sleeps or that gets no CPU.
pub fn limits(timeout: Duration, memory: u64) -> Limits {
    let wall = timeout * 5 + Duration::from_secs(2);
    Limits { cpu: timeout, wall, memory: memory << 20, ..Limits::default() }
}

/// The installed releases of a range. A text that is no range stays as it is.
pub fn installed(text: &str, home: &Home) -> Result<Vec<String>, SolverError> {
    let words = split_words(text).unwrap_or_default();
    let Some(word) = words.first().filter(|word| Make::of_word(word).1.is_some()) else {
        return Ok(vec![text.to_owned()]);
    };
    let pick = Pick::parse(word)?;
    if !matches!(pick.which, Which::Between(..)) {
        return Ok(vec![text.to_owned()]);
    }
    let there = home.installed(&pick.name);
    Ok(pick
        .select(&there)
        .iter()
        .map(|r| text.replacen(word.as_str(), &format!("{}@{r}", pick.name), 1))
        .collect())
}

/// The name of a solver in tables. A build, a fake solver or an entry of the user's file counts as a release of its profile.
pub fn studied(solver: &Solver) -> Studied {
    let short = solver.name.short().to_owned();
    Studied { name: solver.name.clone(), make: solver.profile.name.clone(), short }
}

/// The newest installed release of every make.
pub fn newest(home: &Home) -> Vec<Solver> {
    let newest = |p: &Arc<Profile>| Some(Solver::installed(p, home.installed(&p.name).last()?, home));
    Profile::all().iter().filter(|p| p.name != "any").filter_map(newest).collect()
}
