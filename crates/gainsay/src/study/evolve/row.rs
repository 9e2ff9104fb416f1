//! Between runs and the rows that keep them.

use std::time::Duration;

use crate::judge::reply_of;
use crate::solver::machine;
use crate::solver::process::reply::{Check, Reply};
use crate::solver::{AskMode, Ending, Outcome, Run};
use crate::store::RunRow;

/// The row of a run; of none if the solver does not read the formula.
pub fn row_of(run: Option<&Run>, way: AskMode, with_model: bool) -> RunRow {
    let Some(run) = run else {
        return RunRow {
            way,
            outcome: None,
            ending: None,
            cpu: None,
            wall: 0,
            answer: None,
            model: None,
            machine: machine(),
        };
    };
    let told = reply_of(run, 0);
    RunRow {
        way: run.way,
        outcome: Some(run.outcome()),
        ending: Some(run.ending),
        // A warm session's end tells what all its questions took.
        cpu: run.cpu.filter(|_| run.way == AskMode::Fresh).map(|t| t.as_micros() as u64),
        wall: run.wall.as_micros() as u64,
        answer: told.map(|c| c.answer),
        model: told.and_then(|c| c.model.clone()).filter(|_| with_model),
        machine: machine(),
    }
}

/// The run that a row keeps, as far as a judge must know it; none if there is no answer in it.
pub fn run_of(row: &RunRow) -> Option<Run> {
    let answer = row.answer?;
    let check = Check { answer, reason: None, void: false, model: row.model.clone(), core: None };
    let run = Run {
        way: row.way,
        reply: Reply { checks: vec![check], ..Reply::default() },
        ending: Ending::Exited(0),
        earlier: None,
        signs: Vec::new(),
        cut_short: false,
        wall: Duration::from_micros(row.wall),
        cpu: row.cpu.map(Duration::from_micros),
        peak: None,
    };
    Some(run).filter(|run| run.outcome() == Outcome::Answered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Answer;

    #[test]
    fn a_kept_run_says_what_it_said() {
        let row = RunRow {
            way: AskMode::Fresh,
            outcome: Some(Outcome::Answered),
            ending: Some(Ending::Exited(0)),
            cpu: Some(7),
            wall: 9,
            answer: Some(Answer::Sat),
            model: Some("()".to_owned()),
            machine: String::new(),
        };
        let run = run_of(&row).expect("it answered");
        assert_eq!(reply_of(&run, 0).expect("an answer").model.as_deref(), Some("()"));
        assert_eq!(row_of(Some(&run), AskMode::Fresh, true).cpu, Some(7));
        assert!(run_of(&row_of(None, AskMode::Fresh, true)).is_none());
    }
}
