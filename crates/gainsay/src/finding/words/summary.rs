//! What is wrong, in one sentence.

use super::questions::asked;
use crate::finding::Finding;
use crate::judge::{
    Answered, Asked, Complaint, CrashSite, Fault, KnownUnsat, Output, Rewriter, SelfContradiction, Suspicion,
    Trial,
};
use crate::solver::process::signs::signal_name;
use crate::solver::{Ending, SolverId};

/// What a finding says, in one sentence.
pub fn summary(finding: &Finding) -> String {
    summary_of(&finding.fault, finding.against.as_ref().map(SolverId::as_str))
}

/// What a complaint about a trial says, in one sentence.
pub fn complaint(trial: &Trial<'_>, complaint: &Complaint) -> String {
    summary_of(&complaint.fault, complaint.against.map(|i| trial.solver(i).name.as_str()))
}

/// What is wrong, in one sentence that names the accused as it is called here.
pub fn summary_of(fault: &Fault, accused: Option<&str>) -> String {
    let whom = accused.unwrap_or("a solver");
    match fault {
        Fault::WrongUnsat { voice } if voice.is_accused() => {
            format!("{whom} says unsat but sat when a model is written in as definitions")
        }
        Fault::WrongUnsat { .. } => format!("{whom} says unsat but a model satisfies every assertion"),
        Fault::WrongSat { known, .. } => format!("{whom} {}", wrong_sat(*known)),
        Fault::ContradictsItself { how } => format!("{whom} {}", contradiction(*how)),
        Fault::Unconfirmed { suspect, of } => unconfirmed(suspect, *of),
        Fault::Contradiction { by, .. } => {
            format!(
                "{} says sat to a script and unsat to one that follows from it",
                accused.unwrap_or(by.as_str())
            )
        }
        Fault::SeedDenied { by, .. } => {
            format!("{by} says unsat to a seed that a model of its mutant satisfies")
        }
        Fault::WrongModel { voice } => {
            let more =
                if voice.is_accused() { ", and it says unsat when the model is written in" } else { "" };
            format!("the model of {whom} makes an assertion false{more}")
        }
        Fault::WrongCore { .. } => format!("the core of {whom} is satisfiable"),
        Fault::WrongAssumptions { .. } => {
            format!("with the assumptions that {whom} prints, what is asserted is satisfiable")
        }
        Fault::ForeignAssumption { printed } => {
            format!("{whom} prints {printed} for an unsat, which is none of the assumptions")
        }
        Fault::WrongOutput { of, .. } => output(whom, *of),
        Fault::Malformed { command } => format!("what {whom} prints for {command} cannot be read"),
        Fault::WrongRewriting { by, .. } => rewriting(whom, by),
        Fault::LargeCore { names, minimal } => {
            format!("the core of {whom} has {names} names where {minimal} suffice")
        }
        Fault::Crash { site } => format!("{whom} crashes: {}", crash_site(site)),
        Fault::SelfCheck { message } => format!("{whom} refutes itself: {message}"),
        Fault::Disagreement { answers } => disagreement(answers),
        Fault::Nondeterminism { first, second, asked } => {
            format!("{whom} says {first} and, {}, {second}", asked_again(asked))
        }
        Fault::Slow { than, milliseconds } => {
            format!("{whom} runs out of time where {than} answers in {milliseconds} ms")
        }
        Fault::TimedOut { asked: None } => {
            format!("{whom} runs out of time where the answer is known by construction")
        }
        Fault::TimedOut { asked: Some(about) } => {
            format!("{whom} answers the script, but runs out of time when asked {}", asked(about))
        }
        Fault::Unknown => format!("{whom} says unknown where the answer is known"),
        Fault::Refused { message } => format!("{whom} refuses a well-sorted script: {message}"),
    }
}

/// What a solver printed that contradicts what else it printed.
fn output(whom: &str, of: Output) -> String {
    match of {
        Output::Value => format!("the value that {whom} prints for a term is not that of its model"),
        Output::SecondValue => format!("{whom} prints two values for one term"),
        Output::SecondModel => format!("{whom} prints two models for one check, with different values"),
        Output::Assignment => {
            format!("the truth value that {whom} prints for a named term is not that of its model")
        }
    }
}

/// What a solver made of a term or a formula.
fn rewriting(whom: &str, by: &Rewriter) -> String {
    match by {
        Rewriter::Simplify => {
            format!("the term that {whom} simplifies another to differs from it at a point")
        }
        Rewriter::Tactic(tactic) => {
            format!("the goals that {whom} makes with the tactic {tactic} differ from the formula at a point")
        }
    }
}

/// How a sat is known to be wrong, in words that follow the name of the solver.
fn wrong_sat(known: KnownUnsat) -> &'static str {
    match known {
        KnownUnsat::FalseAsItStands => "says sat where an assertion is false as it stands",
        KnownUnsat::ByConstruction => "says sat to what is unsat by construction",
        KnownUnsat::ByExhaustion => "says sat to what no assignment satisfies",
        KnownUnsat::WithValues => {
            "says sat to the formula with values for all symbols, where an assertion is false"
        }
        KnownUnsat::ByProof => "says sat to what a checked proof shows to be unsatisfiable",
    }
}

/// What is suspected, and on whose word alone.
fn unconfirmed(suspect: &SolverId, of: Suspicion) -> String {
    match of {
        Suspicion::RefutedByProof => {
            format!("by a proof that only its prover has checked, the sat of {suspect} is wrong")
        }
        of => format!("by our evaluation alone, {} of {suspect} is wrong", suspicion(of)),
    }
}

/// Who says what, where solvers contradict each other.
fn disagreement(answers: &[Answered]) -> String {
    let all: Vec<_> = answers.iter().map(|a| format!("{} says {}", a.by, a.answer)).collect();
    all.join(", ")
}

/// How a solver was asked when it gave another answer.
fn asked_again(how: &Asked) -> String {
    match how {
        Asked::WithSeed { number } => format!("with the random number {number}"),
        _ => "asked again".to_owned(),
    }
}

/// How a solver contradicts itself, in words that follow its name.
pub(super) fn contradiction(how: SelfContradiction) -> &'static str {
    match how {
        SelfContradiction::Part => "says sat to the formula and unsat to a part of it",
        SelfContradiction::Halves => {
            "says sat to the formula, and unsat to it with a condition and with its negation"
        }
        SelfContradiction::More => "says unsat to the formula and sat to it with one more condition",
        SelfContradiction::Session => {
            "gives different answers to a check of a session and to the same assertions alone"
        }
        SelfContradiction::Checks => {
            "says sat to a check of a session and unsat to another with no more assertions"
        }
        SelfContradiction::Outputs => "gives different answers with and without commands that ask for output",
        SelfContradiction::Proofs => "gives different answers with and without proofs",
        SelfContradiction::Equivalent => "gives different answers to the formula and to an equivalent of it",
    }
}

/// What our evaluation alone says to be wrong, in words that stand before "of" and a solver.
pub(super) fn suspicion(of: Suspicion) -> &'static str {
    match of {
        Suspicion::WrongUnsat => "the unsat",
        Suspicion::WrongSat | Suspicion::RefutedByProof => "the sat",
        Suspicion::WrongModel => "the model",
        Suspicion::WrongCore => "the core",
        Suspicion::WrongOutput => "an output",
        Suspicion::WrongAssumptions => "the list of assumptions",
        Suspicion::WrongRewriting => "a simplified term",
    }
}

/// The site of a crash, without the folder in which the solver was built.
pub fn crash_site(site: &CrashSite) -> String {
    match site.normalised() {
        CrashSite::Line { file, line } => format!("{file}:{line}"),
        CrashSite::File { file } => file,
        CrashSite::Message { text } => text,
        CrashSite::Signal { number } => signal_name(number),
        CrashSite::Exit { status } => format!("exit status {status}"),
        CrashSite::Unknown => "its place is not known".to_owned(),
    }
}

/// How a process ended, in words that follow "ends with".
pub(super) fn end(ending: Ending) -> String {
    match ending {
        Ending::Killed(_) | Ending::Exited(_) => crash_site(&CrashSite::of_ending(ending)),
        Ending::Alive | Ending::Stopped(_) => ending.to_string(),
    }
}

/// The site of a crash, in words that follow "crashes".
pub(super) fn crashes(site: &CrashSite) -> String {
    let site_text = crash_site(site);
    match site {
        CrashSite::Line { .. } | CrashSite::File { .. } => format!(" at {site_text}"),
        CrashSite::Signal { .. } | CrashSite::Exit { .. } => format!(" with {site_text}"),
        // One word is taken for the name of a place.
        CrashSite::Message { text } if !text.contains(' ') => format!(" at {site_text}"),
        CrashSite::Message { .. } => format!(": {site_text}"),
        CrashSite::Unknown => String::new(),
    }
}
