//! A finding as the text of a report to its solver's maintainers: all they need, and nothing of ours they do not.

use std::fmt::Write;

use super::doubt::one_is_wrong;
use super::summary::{crashes, summary_of};
use super::title::title;
use super::why::why;
use crate::case::Answer;
use crate::finding::{Finding, Said, Scope, Standing, disputants, standing};
use crate::judge::{Evidence, Fault, Kind};
use crate::solver::Ending;

/// The text to paste: a title, then the body in Markdown.
pub fn issue(finding: &Finding, scope: &Scope) -> String {
    let whom = finding.against.as_ref();
    let mut text = format!("# {}\n\n", title(finding, whom.map_or("nobody", |whom| scope.label(whom))));
    let _ = writeln!(text, "```smt2\n{}\n```\n", scope.as_sent(&as_asked(finding)).trim_end());
    let _ = writeln!(text, "**What happens.** {}.\n", what_happens(finding, scope));
    let heading = match standing(finding) {
        Standing::Proved => "What is true, and why.",
        Standing::Undecided | Standing::Unconfirmed => "What was tried.",
    };
    let _ = writeln!(text, "**{heading}**\n");
    text.push_str(&why(finding, scope));
    let confirmed = &finding.confirmed;
    if confirmed.fresh > 0 {
        let options = if confirmed.default_options { ", with default options" } else { "" };
        let _ = writeln!(text, "- Seen in {} fresh processes{options}.", confirmed.fresh);
    }
    text.push('\n');
    let versions = scope.versions();
    if !versions.is_empty() {
        let _ = writeln!(text, "**Versions.** {versions}\n");
    }
    let _ = writeln!(
        text,
        "**Reproduce.** Write the formula to `bug.smt2`, then:\n\n```\n{}\n```\n",
        commands(finding, scope).join("\n")
    );
    let version = whom.and_then(|whom| scope.solvers.get(whom)).map_or("", |known| known.version.as_str());
    let with = if version.is_empty() { String::new() } else { format!(" with {version}") };
    let on = if scope.platform.is_empty() { String::new() } else { format!(" on {}", scope.platform) };
    if !with.is_empty() || !on.is_empty() {
        let _ = writeln!(text, "Seen{with}{on}.\n");
    }
    let others: Vec<_> = finding.said.iter().filter(|s| Some(&s.solver) != whom).collect();
    if !others.is_empty() {
        text.push_str("To compare, the others say:\n\n");
        for said in others {
            let _ = writeln!(text, "- {}: {}", scope.label(&said.solver), outcome(said));
        }
        text.push('\n');
    }
    let name = |said: &Said| {
        let known = scope.solvers.get(&said.solver).map(|known| known.solver.as_str());
        let text = known.unwrap_or(said.solver.as_str());
        // A name with a tactic has quotes of its own.
        match text.contains('\'') {
            true => format!("--solver \"{text}\""),
            false => format!("--solver '{text}'"),
        }
    };
    let names: Vec<_> = finding.said.iter().map(name).collect();
    let _ = writeln!(text, "With gainsay: `gainsay check bug.smt2 {}`.", names.join(" "));
    if let Some(which) = &scope.accepts {
        let _ = writeln!(text, "\n<!-- {} accepts: {which} -->", scope.title);
    }
    text
}

/// The script, with the question that shows what is wrong if that is not the answer itself.
fn as_asked(finding: &Finding) -> String {
    let (option, question) = match finding.kind {
        Kind::WrongModel => ("(set-option :produce-models true)", "(get-model)"),
        Kind::WrongCore if !matches!(finding.fault, Fault::WrongCore { .. }) => return finding.case.clone(),
        Kind::WrongCore | Kind::Imprecision => ("(set-option :produce-unsat-cores true)", "(get-unsat-core)"),
        _ => return finding.case.clone(),
    };
    let place = || {
        let script = smt::read(finding.case.as_bytes()).ok()?;
        let ask = script.queries().get(finding.check.unwrap_or(0))?.command;
        Some(script.commands[ask].span?.end as usize)
    };
    match place() {
        Some(end) if !finding.case.contains(question) => {
            let (before, after) = finding.case.split_at(end);
            format!("{option}\n{before}\n{question}{after}")
        }
        _ => finding.case.clone(),
    }
}

/// What the accused does, in a sentence.
fn what_happens(finding: &Finding, scope: &Scope) -> String {
    let whom = finding.against.as_ref();
    if standing(finding) == Standing::Undecided {
        let names: Vec<&str> = disputants(finding).into_iter().map(|id| scope.label(id)).collect();
        return format!("{}: {}", capital(&one_is_wrong(&names)), summary_of(&finding.fault, None));
    }
    let label = whom.map_or("", |whom| scope.label(whom));
    let itself = |wanted: Answer| {
        let says = |e: &Evidence| matches!(e, Evidence::Pinned { by, answer, .. } if Some(by) == whom && *answer == Some(wanted));
        finding.evidence.iter().any(says)
    };
    let several = smt::read(finding.case.as_bytes()).is_ok_and(|script| script.queries().len() > 1);
    let check = match finding.check {
        Some(check) if several => format!("check {}", check + 1),
        _ => "the formula".to_owned(),
    };
    match (finding.kind, finding.wrong_answer()) {
        (Kind::Soundness, Some(answer)) if finding.is_contradiction() => {
            let other = if answer == Answer::Sat { "unsat" } else { "sat" };
            let word = answer.word();
            format!(
                "{label} answers {word} to {check} and {other} to a script that goes with it, which cannot both be"
            )
        }
        (Kind::Soundness, Some(Answer::Unsat)) if itself(Answer::Sat) => {
            format!("{label} answers unsat to {check}, but sat once a model is written into it")
        }
        (Kind::Soundness, Some(Answer::Unsat)) => {
            format!("{label} answers unsat to {check}, but a model satisfies every assertion")
        }
        (Kind::Soundness, Some(Answer::Sat)) if finding.is_wrong_with_values() => {
            format!(
                "{label} answers sat to {check} with values for all its symbols that make an assertion false"
            )
        }
        (Kind::Soundness, Some(Answer::Sat)) => {
            format!("{label} answers sat to {check}, which is unsatisfiable")
        }
        (Kind::WrongModel, _) => {
            let more =
                if itself(Answer::Unsat) { ", and unsat once that model is written into it" } else { "" };
            format!("{label} answers sat to {check} with a model that makes an assertion false{more}")
        }
        (Kind::WrongCore, _) if matches!(finding.fault, Fault::WrongCore { .. }) => {
            format!("{label} answers unsat to {check} with a core that is satisfiable")
        }
        _ => {
            if let Fault::Crash { site } = &finding.fault {
                return format!("{label} crashes{}", crashes(site));
            }
            let said = finding.said.iter().find(|said| Some(&said.solver) == whom);
            let said = said.map_or_else(String::new, |said| format!(" ({})", outcome(said)));
            let accused = whom.map(|_| label);
            let summary = summary_of(&finding.fault, accused);
            let first = if summary.starts_with(label) { summary } else { capital(&summary) };
            format!("{first}{said}")
        }
    }
}

/// A sentence with a capital at its beginning.
fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn outcome(said: &Said) -> String {
    if said.answers.is_empty() {
        // `exited 1`, `stopped: time`, or a signal.
        let by = if matches!(said.ending, Ending::Killed(_)) { "by " } else { "it " };
        format!("{}, {by}{}", said.outcome, said.ending)
    } else {
        said.answer_words()
    }
}

/// The command line that shows it, without us; where nobody is accused, that of each.
fn commands(finding: &Finding, scope: &Scope) -> Vec<String> {
    let script = smt::read(finding.case.as_bytes()).ok();
    let pushes = |script: &smt::Script| script.commands.iter().any(|c| matches!(c.what, smt::What::Push(_)));
    let incremental = script.is_some_and(|script| script.queries().len() > 1 || pushes(&script));
    match &finding.against {
        Some(whom) => vec![scope.command(whom, incremental)],
        None => finding.said.iter().map(|said| scope.command(&said.solver, incremental)).collect(),
    }
}
