//! Findings asked again of another build.

use super::again::{Now, Panel, again, case_of};
use super::error::StudyError;
use super::solvers::SolverFinder;
use crate::finding::{Finding, StoredFinding};
use crate::judge::Budget;
use crate::judge::oracle::usual_and;
use crate::solver::acquire::choose::witnesses;
use crate::solver::{Limits, Solver, SolverError};

/// The solvers of a finding, with one of them replaced.
pub struct Replaced {
    /// The solvers.
    pub solvers: Vec<Solver>,
    /// The place of the new solver, if somebody is accused.
    pub whom: Option<usize>,
    /// Why other solvers of the finding are missing.
    pub absent: Vec<SolverError>,
}

/// The solvers of a finding with another solver in the place of the accused, with the options of the accused if it has none.
/// If nobody is accused, it takes the place of the first solver with its profile. Solvers that are no longer there are left out.
pub fn replaced(finding: &Finding, new: &Solver, finder: SolverFinder<'_>) -> Replaced {
    let mut result = Replaced { solvers: Vec::new(), whom: None, absent: Vec::new() };
    let mut placed = false;
    for said in &finding.said {
        let is_accused = Some(&said.solver) == finding.against.as_ref();
        let old = finder.one(&said.solver);
        let profile = || match &old {
            Ok(old) => Some(old.profile.clone()),
            Err(_) => said.solver.profile(),
        };
        let is_like = || profile().is_some_and(|profile| profile.name == new.profile.name);
        if is_accused || (finding.against.is_none() && !placed && is_like()) {
            result.whom = is_accused.then_some(result.solvers.len());
            placed = true;
            // An entry of the user's file has options that its name does not tell.
            let options = old.map_or_else(|_| said.solver.options().to_vec(), |old| old.options);
            result.solvers.push(if new.options.is_empty() {
                new.with_options(&options)
            } else {
                new.clone()
            });
            continue;
        }
        match old {
            Ok(old) => result.solvers.push(old),
            Err(why) => result.absent.push(why),
        }
    }
    if finding.against.is_none() && !placed {
        result.solvers.push(new.clone());
    }
    result
}

/// What a finding comes to with a build in the place of the accused.
pub struct Rechecked {
    /// What it comes to.
    pub now: Now,
    /// Why other solvers of the finding could not be asked.
    pub absent: Vec<SolverError>,
}

/// Asks a finding again of a build. Deciding who is wrong may go as far as the budget.
pub fn recheck(
    stored: &StoredFinding,
    build: &Solver,
    finder: SolverFinder<'_>,
    limits: Limits,
    budget: Budget,
) -> Result<Rechecked, StudyError> {
    let shown = stored.shown();
    let case = case_of(stored.id, shown)?;
    let Replaced { solvers, whom, absent } = replaced(shown, build, finder);
    let oracles = usual_and(Some(&shown.oracle));
    let panel = Panel { solvers: &solvers, whom, witnesses: &witnesses(&solvers), oracles: &oracles, budget };
    Ok(Rechecked { now: again(shown, &case, &panel, limits)?, absent })
}
