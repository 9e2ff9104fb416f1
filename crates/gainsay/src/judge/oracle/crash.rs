//! Oracle `crash`: a signal, an assertion failure or a sanitizer's complaint that a solver brought on itself.

use super::Oracle;
use crate::judge::Trial;
use crate::judge::complaint::{Complaint, Evidence, Kind};
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::solver::{Ending, Outcome, Run, SignKind};

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
                abstained = Some(format!("{} does not crash with more memory", solver.name));
                continue;
            }
            let place = place(again);
            complaints.push(Complaint {
                kind: Kind::Crash,
                against: Some(i),
                check: None,
                summary: format!("{} crashes: {place}", solver.name),
                about: place,
                evidence: vec![Evidence::Printed { by: solver.name.clone(), text: words(again) }],
            });
        }
        questions.or_judge(complaints, abstained)
    }
}

/// Where it crashed: the place its message names, else the message, else the signal.
pub(super) fn place(run: &Run) -> String {
    let crash = |kind| matches!(kind, SignKind::Assertion | SignKind::Sanitizer);
    match run.signs.iter().find(|sign| crash(sign.kind)) {
        Some(sign) => match (&sign.file, sign.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            _ => sign.text.clone(),
        },
        None => match run.ending {
            Ending::Killed(_) => run.ending.to_string(),
            ending => format!("it {ending}"),
        },
    }
}

/// Whether a crash is told only by how the process ended, which says nothing of where.
pub fn is_mere_ending(place: &str) -> bool {
    place.starts_with("SIG") || place.starts_with("signal ") || place.starts_with("it ")
}

fn words(run: &Run) -> String {
    let mut lines = vec![run.ending.to_string()];
    for sign in &run.signs {
        lines.push(sign.text.clone());
        lines.extend(sign.stack.iter().enumerate().map(|(i, frame)| format!("  #{i} {frame}")));
    }
    lines.join("\n").trim().to_owned()
}
