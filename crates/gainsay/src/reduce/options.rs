//! The fewest options: before a script is made smaller, the options of the accused that do not matter are left out.

use std::sync::RwLock;

use super::job::Job;
use super::signature::WantedBug;
use crate::case::Case;
use crate::judge::{Complaint, Sought};
use crate::solver::{AskMode, Solver, SolverError};

impl Job<'_> {
    /// The solvers with as few options of the accused as show what is wrong with a case; none if all are needed.
    pub(super) fn with_fewer_options(
        &self,
        case: &Case,
        wanted: Option<WantedBug>,
    ) -> Result<Option<Vec<Solver>>, SolverError> {
        if self.solvers.iter().all(|solver| solver.name.options().is_empty()) {
            return Ok(None);
        }
        let quiet = RwLock::new(());
        let mut trials = self.trials(self.witnesses, AskMode::Fresh, self.limits, &quiet);
        let (text, known) = (case.text(), trials.answers_to_others(case)?);
        let tried = trials.try_case(case, &text, known.clone())?;
        let fits = |c: &Complaint| wanted.is_none_or(|wanted| wanted.fits(c));
        let mut found = None;
        if let Some((entry, complaint)) = tried.complaints.iter().find(|(_, c)| fits(c)) {
            let (kind, against) = (complaint.kind(), complaint.against);
            let is_it = |c: &Complaint| (c.kind(), c.against) == (kind, against);
            let sought = Sought { kind, against, oracles: &[entry], is_it: &is_it };
            found = trials.confirm_sought(case, &text, &known, &sought)?;
        }
        trials.runner.finish()?;
        let names = |solvers: &[Solver]| solvers.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        let found = found.map(|confirmed| confirmed.solvers);
        Ok(found.filter(|solvers| names(solvers) != names(self.solvers)))
    }
}
