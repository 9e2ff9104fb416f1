//! Which settings a program accepts: it is asked a simple question with them.

use super::process::limits::Limits;
use super::{AskMode, Outcome, Outputs, Question, Runner, Setting, Solver, SolverError};

/// A simple question, in logics of which a setting may refuse one.
const QUESTIONS: [&str; 3] = [
    "(set-logic ALL)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n",
    "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n",
    "(set-logic QF_BV)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n",
];
/// So many settings are tried together at first.
const TOGETHER: usize = 16;

impl Solver {
    /// Whether it answers a simple question with these options besides its own.
    pub fn accepts(&self, options: &[String], runner: &mut Runner) -> Result<bool, SolverError> {
        self.answers_one_of(&QUESTIONS, options, runner)
    }

    fn answers_one_of(
        &self,
        questions: &[&str],
        options: &[String],
        runner: &mut Runner,
    ) -> Result<bool, SolverError> {
        let solver = self.with_options(options);
        for script in questions {
            let question = Question { script, ask: Outputs::default() };
            let run = runner.ask(&solver, question, AskMode::Fresh)?;
            if run.outcome() == Outcome::Answered {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The settings that it accepts, and those that it does not.
    pub fn sorted(&self, settings: Vec<Setting>) -> Result<(Vec<Setting>, Vec<Setting>), SolverError> {
        let mut runner = Runner::new(Limits::default());
        let mut accepted = vec![false; settings.len()];
        for batch in batches(&settings) {
            self.mark_accepted(&settings, &batch, &mut accepted, &mut runner)?;
        }
        runner.finish()?;
        let (mut has, mut has_not) = (Vec::new(), Vec::new());
        for (setting, accepted) in settings.into_iter().zip(accepted) {
            if accepted { has.push(setting) } else { has_not.push(setting) }
        }
        Ok((has, has_not))
    }

    /// Marks those of a batch of settings that it accepts. A batch that it does not accept is tried in halves.
    fn mark_accepted(
        &self,
        settings: &[Setting],
        batch: &[usize],
        accepted: &mut [bool],
        runner: &mut Runner,
    ) -> Result<(), SolverError> {
        let options: Vec<String> = batch.iter().flat_map(|&i| settings[i].options.clone()).collect();
        // What is wrong with a batch is found out by its parts.
        let questions = if batch.len() > 1 { &QUESTIONS[..1] } else { &QUESTIONS[..] };
        if self.answers_one_of(questions, &options, runner)? {
            for &i in batch {
                accepted[i] = true;
            }
        } else if batch.len() > 1 {
            let (first, second) = batch.split_at(batch.len() / 2);
            self.mark_accepted(settings, first, accepted, runner)?;
            self.mark_accepted(settings, second, accepted, runner)?;
        }
        Ok(())
    }
}

/// The numbers of settings in batches of different names, so that no setting hides another.
fn batches(settings: &[Setting]) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (i, setting) in settings.iter().enumerate() {
        let takes = |batch: &&mut Vec<usize>| {
            batch.len() < TOGETHER && batch.iter().all(|&other| settings[other].name != setting.name)
        };
        match batches.iter_mut().find(takes) {
            Some(batch) => batch.push(i),
            None => batches.push(vec![i]),
        }
    }
    batches
}
