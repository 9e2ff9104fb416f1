//! Oracle `crash`: a signal, an assertion failure or a sanitizer's complaint that a solver brought on itself.

use super::Oracle;
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::{Abstention, CrashSite, Evidence, Fault, Trial};
use crate::solver::{Outcome, Run};

pub(super) struct Crash;

impl Oracle for Crash {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for (i, _) in trial.made().filter(|(_, run)| run.outcome() == Outcome::Crashed) {
            let solver = trial.solver(i);
            // It may have died of our limits without saying so.
            let probe = Probe { roomy: true, ..Probe::new(i, trial.text.to_owned()) };
            let Some(again) = questions.ask(probe) else { continue };
            if again.outcome() != Outcome::Crashed {
                abstained = Some(Abstention::NeedsMemory { of: solver.name.clone() });
                continue;
            }
            let (by, ending) = (solver.name.clone(), again.ending);
            complaints.push(Complaint {
                fault: Fault::Crash { site: CrashSite::of(again) },
                against: Some(i),
                check: None,
                evidence: vec![Evidence::Ended { by, ending, text: printed(again) }],
            });
        }
        questions.or_judge(complaints, abstained)
    }
}

/// What the solver or a sanitizer printed about the crash, with the stack.
fn printed(run: &Run) -> String {
    let mut lines = Vec::new();
    for sign in &run.signs {
        lines.push(sign.text.clone());
        lines.extend(sign.stack.iter().enumerate().map(|(i, frame)| format!("  #{i} {frame}")));
    }
    lines.join("\n").trim().to_owned()
}
