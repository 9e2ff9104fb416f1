//! One-shot forms: what the solvers answer to a script that shares no level with another.

use smt::Script;

use super::trial::reply_of;
use super::trial_runner::{Asking, TrialRunner};
use crate::case::{Answer, Case, Lineage};
use crate::solver::{AskMode, Solver, SolverError};

impl TrialRunner<'_> {
    /// The answers of a solver to the checks of a script. It is never asked between `push` and `pop`, because what the
    /// incremental mode of a solver answers is no one-shot answer. A solver that cannot be asked has none.
    pub fn answers_alone(
        &mut self,
        script: &Script,
        solver: &Solver,
        asking: Asking,
    ) -> Result<Vec<Answer>, SolverError> {
        let way = if self.way() == AskMode::Fresh { AskMode::Fresh } else { AskMode::Reset };
        let (script, lineage) = (script.clone(), Lineage::default());
        let case = Case { script, others: Vec::new(), claims: Vec::new(), lineage };
        let (checks, text) = (case.script.queries().len(), case.text());
        let runs = self.runs_of(&case, &text, &[(solver, asking)], way)?;
        let answers = |run| (0..checks).map(move |k| reply_of(run, k).map_or(Answer::Unknown, |c| c.answer));
        Ok(runs.iter().flatten().flat_map(answers).collect())
    }
}
