//! What a finding is called in lists and reports.

use super::summary::crashes;
use crate::case::Answer;
use crate::finding::Finding;
use crate::finding::features::roots;
use crate::judge::language::about;
use crate::judge::{Fault, Kind};

/// Operators that a title names at most.
const NAMED: usize = 3;

/// Kind, the operators it is about, and who is accused, as that one is called.
pub fn title(finding: &Finding, whom: &str) -> String {
    let operators = match smt::read(finding.case.as_bytes()) {
        Ok(script) => {
            let roots = roots(&script, finding.check);
            let names = about(&script.pool, &roots);
            let more = if names.len() > NAMED { ", …" } else { "" };
            names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ") + more
        }
        Err(_) => String::new(),
    };
    let operators = if operators.is_empty() { String::new() } else { format!(" ({operators})") };
    let what = match finding.kind {
        Kind::Soundness if matches!(finding.fault, Fault::ContradictsItself { .. }) => {
            "Soundness: answers that contradict each other"
        }
        Kind::Soundness if finding.is_contradiction() => "Soundness: sat, and unsat to what follows from it",
        Kind::Soundness if matches!(finding.fault, Fault::SeedDenied { .. }) => {
            "Soundness: unsat for a satisfiable seed"
        }
        Kind::Soundness if finding.is_wrong_with_values() => {
            "Soundness: sat with values that make an assertion false"
        }
        Kind::Soundness => match finding.wrong_answer() {
            Some(Answer::Unsat) => "Soundness: unsat for a satisfiable formula",
            Some(Answer::Sat) => "Soundness: sat for an unsatisfiable formula",
            _ => "Soundness: a wrong answer",
        },
        Kind::WrongModel => "Invalid model",
        Kind::WrongCore
            if matches!(finding.fault, Fault::WrongAssumptions { .. } | Fault::ForeignAssumption { .. }) =>
        {
            "Invalid unsat assumptions"
        }
        Kind::WrongCore => "Invalid unsat core",
        Kind::WrongOutput => "Outputs that contradict each other",
        Kind::WrongRewriting => "A wrong simplification",
        Kind::Crash => "Crash",
        Kind::SelfCheck => "A self-check fails",
        Kind::Disagreement => "Disagreement",
        Kind::Unconfirmed => "Unconfirmed",
        Kind::Nondeterminism => "The answer depends on the random seed",
        Kind::Performance => "Performance",
        Kind::Incompleteness => "unknown for an easy formula",
        Kind::Rejection => "A standard script is refused",
        Kind::Imprecision => "An unsat core is not minimal",
    };
    let place = match &finding.fault {
        Fault::Crash { site } => crashes(site),
        _ => String::new(),
    };
    let whom = match (&finding.against, &finding.fault) {
        (Some(_), _) => whom,
        (None, Fault::Unconfirmed { suspect, .. }) => suspect.as_str(),
        (None, _) => "solvers disagree",
    };
    format!("{what}{place}{operators} [{whom}]")
}
