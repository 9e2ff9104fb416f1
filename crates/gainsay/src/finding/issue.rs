//! A finding as the text of a report to its solver's maintainers: all they need, and nothing of ours they do not.

use std::fmt::Write;

use super::Finding;
use crate::case::Answer;
use crate::oracle::{Evidence, Kind, operators};

/// What is known of a finding besides itself.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The name its authors give the solver.
    pub title: String,
    /// What its maintainers accept.
    pub accepts: String,
    /// Releases, in order, with whether they fail in the same way, as far as that was asked.
    pub releases: Vec<(String, bool)>,
    /// The names that the accused knows things by in the place of others, if it does not know those; none if there is nothing to
    /// be replaced.
    pub respelled: Option<fn(&str) -> Option<String>>,
}

impl Scope {
    /// A script as the accused was asked it: in the names that it knows, and without an answer that it might compare its own to.
    fn as_sent(&self, script: &str) -> String {
        let mut script = script.to_owned();
        for answer in [Answer::Sat, Answer::Unsat, Answer::Unknown] {
            let status = format!("(set-info :status {})", answer.word());
            script = script.replace(&format!("{status}\n"), "").replace(&status, "");
        }
        self.respelled.and_then(|respelled| respelled(&script)).unwrap_or(script)
    }
}

/// The text to paste: a title, then the body in Markdown.
pub fn issue(finding: &Finding, number: u64, scope: &Scope) -> String {
    let whom = finding.against.as_deref().unwrap_or("nobody");
    let mut text = format!("# {}\n\n", title(finding));
    let _ = writeln!(text, "```smt2\n{}\n```\n", scope.as_sent(&as_asked(finding)).trim_end());
    let _ = writeln!(text, "**What happens.** {}.\n", what_happens(finding));
    text.push_str("**What is true, and why.**\n\n");
    let mut told: Vec<String> = Vec::new();
    for evidence in &finding.evidence {
        let mut one = String::new();
        why(&mut one, evidence, whom, scope);
        if !told.contains(&one) {
            text.push_str(&one);
            told.push(one);
        }
    }
    let confirmed = &finding.confirmed;
    if confirmed.fresh > 0 {
        let options = if confirmed.default_options { ", with default options" } else { "" };
        let _ = writeln!(text, "- Seen in {} fresh processes{options}.", confirmed.fresh);
    }
    text.push('\n');
    let (affected, fine) = releases(scope);
    if !affected.is_empty() || !fine.is_empty() {
        let _ = writeln!(
            text,
            "**Versions.** Affected: {}. Not affected: {}.\n",
            or_none(&affected),
            or_none(&fine)
        );
    }
    let _ = writeln!(
        text,
        "**Reproduce.** Write the formula to `bug.smt2`, then:\n\n```\n{}\n```\n",
        commands(finding).join("\n")
    );
    let others: Vec<_> = finding.said.iter().filter(|s| s.solver != whom).collect();
    if !others.is_empty() {
        text.push_str("To compare, the others say:\n\n");
        for said in others {
            let _ = writeln!(text, "- {}: {}", said.solver, outcome(said));
        }
        text.push('\n');
    }
    let names: Vec<_> = finding.said.iter().map(|s| format!("--solver '{}'", s.solver)).collect();
    let _ = writeln!(
        text,
        "With gainsay: `gainsay check bug.smt2 {}`, or `gainsay replay {number}` in the campaign.",
        names.join(" ")
    );
    if !scope.accepts.is_empty() {
        let _ = writeln!(text, "\n<!-- {} accepts: {} -->", scope.title, scope.accepts);
    }
    text
}

/// The script, with the question that shows what is wrong if that is not the answer itself.
fn as_asked(finding: &Finding) -> String {
    let (option, question) = match finding.kind {
        Kind::WrongModel => ("(set-option :produce-models true)", "(get-model)"),
        Kind::WrongCore | Kind::Imprecision => ("(set-option :produce-unsat-cores true)", "(get-unsat-core)"),
        _ => return finding.case.clone(),
    };
    let place = || {
        let script = smt::read(finding.case.as_bytes()).ok()?;
        let ask = script.asks().get(finding.check.unwrap_or(0))?.command;
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

/// Kind, solver and the operators it is about.
pub fn title(finding: &Finding) -> String {
    let whom = finding.against.as_deref().unwrap_or("solvers disagree");
    let about = match smt::read(finding.case.as_bytes()) {
        Ok(script) => {
            let roots: Vec<_> = script.asks().iter().flat_map(|a| a.assertions.clone()).collect();
            operators(&script.pool, &roots)
                .into_iter()
                .filter(|n| !matches!(*n, "=" | "not" | "and" | "or"))
                .take(3)
                .collect::<Vec<_>>()
                .join(", ")
        }
        Err(_) => String::new(),
    };
    let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
    let what = match finding.kind {
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
    let place = if finding.kind == Kind::Crash {
        finding.summary.split_once("crashes: ").map(|(_, p)| placed(p)).unwrap_or_default()
    } else {
        String::new()
    };
    format!("{what}{place}{about} [{whom}]")
}

/// Where or how it crashed.
fn placed(place: &str) -> String {
    let word = if place.starts_with("SIG") { "with" } else { "at" };
    format!(" {word} {place}")
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

fn what_happens(finding: &Finding) -> String {
    let whom = finding.against.as_deref();
    match finding.said.iter().find(|s| Some(s.solver.as_str()) == whom) {
        Some(said) => format!("{} ({})", finding.summary.trim_end_matches('.'), outcome(said)),
        None => finding.summary.trim_end_matches('.').to_owned(),
    }
}

fn outcome(said: &super::Said) -> String {
    if said.answers.is_empty() {
        // `exited 1`, `stopped: time`, or a signal.
        let by = if said.ending.starts_with("SIG") { "by " } else { "it " };
        format!("{}, {by}{}", said.outcome, said.ending)
    } else {
        said.answers.join(" ")
    }
}

fn why(text: &mut String, evidence: &Evidence, whom: &str, scope: &Scope) {
    let block = |text: &mut String, inside: &str| {
        let _ = writeln!(text, "\n  ```smt2\n  {}\n  ```", inside.trim().replace('\n', "\n  "));
    };
    match evidence {
        Evidence::Satisfied { by, model, .. } => {
            let _ = writeln!(
                text,
                "- The formula is satisfiable: this model, given by {by}, makes every assertion true."
            );
            block(text, model);
        }
        Evidence::SatisfiedCore { core, script, by, model } => {
            let names = core.join(" ");
            let _ =
                writeln!(text, "- The core is `({names})`. With all assertions that have no name, it reads:");
            block(text, script);
            let _ = writeln!(
                text,
                "\n  It is satisfiable: this model, given by {by}, makes every assertion of it true."
            );
            block(text, model);
        }
        Evidence::Falsified { model, assertion, .. } => {
            let _ = writeln!(text, "- Under the model that was printed, `{assertion}` is false:");
            block(text, model);
        }
        Evidence::Pinned { by, script, answer } => {
            let answer = answer.map_or("nothing", Answer::word);
            let _ = writeln!(text, "- With that model written in as definitions, {by} answers {answer}:");
            block(text, &if by == whom { scope.as_sent(script) } else { script.clone() });
        }
        other => {
            let _ = writeln!(text, "- {}", super::text::sentence(other));
        }
    }
}

fn releases(scope: &Scope) -> (Vec<&str>, Vec<&str>) {
    let of = |wrong: bool| scope.releases.iter().filter(|r| r.1 == wrong).map(|r| r.0.as_str()).collect();
    (of(true), of(false))
}

fn or_none(releases: &[&str]) -> String {
    if releases.is_empty() { "none asked".to_owned() } else { releases.join(", ") }
}

/// The command line that shows it, without us; where nobody is accused, that of each.
fn commands(finding: &Finding) -> Vec<String> {
    match &finding.against {
        Some(whom) => vec![command(whom)],
        None => finding.said.iter().map(|said| command(&said.solver)).collect(),
    }
}

fn command(whom: &str) -> String {
    let (name, options) = whom.split_once(' ').unwrap_or((whom, ""));
    let program = name.split('@').next().unwrap_or(name);
    format!("{program} {options} bug.smt2").replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Confirmed, Said, Turn, VERSION};

    fn finding() -> Finding {
        let said = |solver: &str, answer: &str| Said {
            solver: solver.to_owned(),
            outcome: "answered".to_owned(),
            answers: vec![answer.to_owned()],
            ending: "exited".to_owned(),
            wall_ms: 1,
            cpu_ms: None,
            peak: None,
            output: (Vec::new(), Vec::new()),
        };
        let model = "((define-fun x () Int 2))".to_owned();
        Finding {
            version: VERSION,
            identity: String::new(),
            kind: Kind::Soundness,
            against: Some("z3@4.8.7 a=b".to_owned()),
            check: Some(0),
            oracle: "differential".to_owned(),
            summary: "z3@4.8.7 a=b says unsat but a model satisfies every assertion".to_owned(),
            evidence: vec![Evidence::Satisfied { by: "cvc5".to_owned(), check: 0, model }],
            fingerprint: String::new(),
            lineage: crate::case::Lineage::default(),
            claims: Vec::new(),
            others: Vec::new(),
            said: vec![said("z3@4.8.7 a=b", "unsat"), said("cvc5@1.4.2", "sat")],
            confirmed: Confirmed { fresh: 2, default_options: false, without_logic: None },
            turn: Turn::default(),
            case: "(declare-const x Int)\n(assert (= (mod x 3) 2))\n(check-sat)\n".to_owned(),
        }
    }

    #[test]
    fn a_wrong_core_is_asked_for_and_shown() {
        let case =
            "(declare-const p Bool)\n(assert (! p :named A))\n(assert (! (not p) :named B))\n(check-sat)\n";
        let core = Evidence::SatisfiedCore {
            core: vec!["A".to_owned()],
            script: "(declare-const p Bool)\n(assert (! p :named A))\n(check-sat)\n".to_owned(),
            by: "cvc5".to_owned(),
            model: "((define-fun p () Bool true))".to_owned(),
        };
        let kind = Kind::WrongCore;
        let found = Finding { kind, case: case.to_owned(), evidence: vec![core], ..finding() };
        let text = issue(&found, 3, &Scope::default());
        let asked = "```smt2\n(set-option :produce-unsat-cores true)\n(declare-const p Bool)";
        assert!(text.contains(asked) && text.contains("(check-sat)\n(get-unsat-core)\n```"), "{text}");
        assert!(text.contains("The core is `(A)`") && !text.contains("formula is satisfiable"), "{text}");
        let found = Finding { kind: Kind::WrongModel, ..found };
        assert!(issue(&found, 3, &Scope::default()).contains("(check-sat)\n(get-model)\n```"));
    }

    #[test]
    fn scripts_are_shown_as_the_accused_was_sent_them() {
        let case = "(set-info :status sat)\n(declare-const s String)\n(assert (= s (str.from_int 1)))\n(check-sat)\n";
        let pinned = |by: &str| Evidence::Pinned {
            by: by.to_owned(),
            script: format!("; {by}\n(assert (= \"1\" (str.from_int 1)))"),
            answer: Some(Answer::Sat),
        };
        let evidence = vec![pinned("z3@4.8.7 a=b"), pinned("z3@4.8.7 a=b"), pinned("cvc5@1.4.2")];
        let found = Finding { case: case.to_owned(), evidence, ..finding() };
        let respelled = |script: &str| Some(script.replace("str.from_int", "int.to.str"));
        let old = issue(&found, 3, &Scope { respelled: Some(respelled), ..Scope::default() });
        assert!(old.contains("(assert (= s (int.to.str 1)))") && !old.contains(":status"), "{old}");
        assert_eq!(old.matches("; z3@4.8.7 a=b\n  (assert (= \"1\" (int.to.str 1)))").count(), 1, "{old}");
        assert!(old.contains("; cvc5@1.4.2\n  (assert (= \"1\" (str.from_int 1)))"), "{old}");
        assert!(issue(&found, 3, &Scope::default()).contains("(assert (= s (str.from_int 1)))"));
    }

    #[test]
    fn an_issue_has_all_that_is_asked_for() {
        let releases = vec![("4.8.7".to_owned(), true), ("4.8.8".to_owned(), false)];
        let scope =
            Scope { title: "Z3".to_owned(), accepts: "anything".to_owned(), releases, respelled: None };
        let text = issue(&finding(), 3, &scope);
        for part in [
            "# Soundness: unsat for a satisfiable formula (mod) [z3@4.8.7 a=b]",
            "(assert (= (mod x 3) 2))",
            "this model, given by cvc5",
            "(define-fun x () Int 2)",
            "Affected: 4.8.7. Not affected: 4.8.8.",
            "z3 a=b bug.smt2",
            "cvc5@1.4.2: sat",
            "gainsay replay 3",
            "Seen in 2 fresh processes",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }
}
