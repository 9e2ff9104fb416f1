//! What a finding is called in lists and reports.

use super::Finding;
use crate::case::Answer;
use crate::judge::language::about;
use crate::judge::oracle::is_mere_ending;
use crate::judge::{Evidence, Kind};

/// Operators that a title names at most.
const NAMED: usize = 3;

/// Kind, the operators it is about, and who is accused, as that one is called.
pub fn title(finding: &Finding, whom: &str) -> String {
    let operators = match smt::read(finding.case.as_bytes()) {
        Ok(script) => {
            let asks = script.queries();
            let roots: Vec<_> = match finding.check.and_then(|check| asks.get(check)) {
                Some(ask) => ask.assertions.clone(),
                None => asks.iter().flat_map(|ask| ask.assertions.clone()).collect(),
            };
            let names = about(&script.pool, &roots);
            let more = if names.len() > NAMED { ", …" } else { "" };
            names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ") + more
        }
        Err(_) => String::new(),
    };
    let operators = if operators.is_empty() { String::new() } else { format!(" ({operators})") };
    let what = match finding.kind {
        Kind::Soundness if is_contradiction(finding) => "Soundness: sat, and unsat to what follows from it",
        Kind::Soundness => match wrong_answer(finding) {
            Some(Answer::Unsat) => "Soundness: unsat for a satisfiable formula",
            Some(Answer::Sat) => "Soundness: sat for an unsatisfiable formula",
            _ => "Soundness: a wrong answer",
        },
        Kind::WrongModel => "Invalid model",
        Kind::WrongCore => "Invalid unsat core",
        Kind::Crash => "Crash",
        Kind::SelfCheck => "A self-check fails",
        Kind::Disagreement => "Disagreement",
        Kind::Nondeterminism => "The answer depends on the random seed",
        Kind::Performance => "Performance",
        Kind::Incompleteness => "unknown for an easy formula",
        Kind::Rejection => "A standard script is refused",
        Kind::Imprecision => "An unsat core is not minimal",
    };
    let place = if finding.kind == Kind::Crash { crashed(finding) } else { String::new() };
    let whom = if finding.against.is_none() { "solvers disagree" } else { whom };
    format!("{what}{place}{operators} [{whom}]")
}

/// Where or how the accused crashed, in words that follow "crashes".
pub fn crashed(finding: &Finding) -> String {
    finding.summary.split_once("crashes: ").map(|(_, place)| placed(place)).unwrap_or_default()
}

fn placed(place: &str) -> String {
    let word = if place.starts_with("SIG") { "with" } else { "at" };
    if is_mere_ending(place) || !place.contains(' ') {
        format!(" {word} {place}")
    } else {
        format!(": {place}")
    }
}

/// Whether two answers of the accused contradict each other and it is not known which of them is wrong.
pub fn is_contradiction(finding: &Finding) -> bool {
    let decides = |e: &Evidence| matches!(e, Evidence::Satisfied { .. } | Evidence::Falsified { .. });
    finding.oracle == "metamorphic" && !finding.evidence.iter().any(decides)
}

/// What the accused said of the check in question, if that is what is wrong.
pub fn wrong_answer(finding: &Finding) -> Option<Answer> {
    if finding.kind != Kind::Soundness {
        return None;
    }
    let whom = finding.against.as_ref()?;
    let said = finding.said.iter().find(|s| s.solver == *whom)?;
    let word = said.answers.get(finding.check.unwrap_or(0))?;
    [Answer::Sat, Answer::Unsat].into_iter().find(|a| a.word() == word)
}
