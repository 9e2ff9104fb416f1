//! The first look at a script that is to be reduced: what is wrong with it, and what it took to see that.

use std::time::{Duration, Instant};

use smt::{Script, What};

use super::candidate::{bare, look};
use super::signature::{WantedBug, is_undecided};
use super::silence::silence;
use crate::judge::{Complaint, Known, TrialRunner};
use crate::solver::{Solver, SolverError};

/// What is wrong with a script that claims nothing, and how it was seen.
pub struct Seen<'a> {
    pub script: Script,
    pub text: String,
    pub complaint: Option<Complaint>,
    /// Why nothing is wrong.
    pub told: String,
    /// How long the question took.
    pub taken: Duration,
    /// The witnesses that were asked.
    pub witnesses: &'a [Solver],
}

/// Who looks at a script, and for what.
pub struct Look<'a> {
    /// The solvers that are asked.
    pub solvers: &'a [Solver],
    /// The solvers that are asked besides where it is open what is wrong.
    pub witnesses: &'a [Solver],
    /// What must be wrong, if not anything.
    pub wanted: Option<WantedBug>,
}

impl<'a> Look<'a> {
    /// What is wrong with a script that claims nothing: by the solvers of `first`, and where that is open by those of
    /// `claiming`, which asks the witnesses too.
    pub fn at(
        &self,
        first: &mut TrialRunner<'_>,
        claiming: &mut TrialRunner<'_>,
        whole: &Script,
    ) -> Result<Seen<'a>, SolverError> {
        let mut begin = Instant::now();
        // Without the script's own questions for models and the like, which ours would be mixed up with; else as it is.
        let mut script = only_checks(whole);
        let mut text = script.text();
        let (mut complaint, mut told) = self.worst(first, &script, &text)?;
        if complaint.is_none() && script.commands.len() < whole.commands.len() {
            begin = Instant::now();
            (script, text) = (whole.clone(), whole.text());
            (complaint, told) = self.worst(first, &script, &text)?;
        }
        let mut witnesses: &[Solver] = &[];
        let is_open = complaint.as_ref().is_none_or(|c| is_undecided(c.kind()));
        if is_open && !self.witnesses.is_empty() {
            // Others may show it, or decide who is wrong. Then they are asked all the way.
            begin = Instant::now();
            let (shown, _) = self.worst(claiming, &script, &text)?;
            complaint = shown.or(complaint);
            witnesses = self.witnesses;
        }
        Ok(Seen { script, text, complaint, told, taken: begin.elapsed(), witnesses })
    }

    /// The worst that is wrong, or why nothing is.
    fn worst(
        &self,
        trials: &mut TrialRunner<'_>,
        script: &Script,
        text: &str,
    ) -> Result<(Option<Complaint>, String), SolverError> {
        let found = look(trials, script, text)?;
        let fits = |c: &Complaint| self.wanted.is_none_or(|wanted| wanted.fits(c));
        let worst = found.into_iter().map(|(_, c)| c).find(fits);
        if worst.is_some() {
            return Ok((worst, String::new()));
        }
        let tried = trials.try_case(&bare(script), text, Known::new())?;
        Ok((None, silence(self.solvers, &tried, script)))
    }
}

/// The script without the commands that ask for anything but answers.
fn only_checks(script: &Script) -> Script {
    let mut plain = script.clone();
    plain.commands.retain(|c| !c.what.is_output() && c.what != What::Exit);
    plain
}
