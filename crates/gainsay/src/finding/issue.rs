//! A finding as the text of a report to its solver's maintainers: all they need, and nothing of ours they do not.

use std::fmt::Write;

use super::title::{crashed, is_contradiction, title, wrong_answer};
use super::why::why;
use super::{Finding, Said, Scope};
use crate::case::Answer;
use crate::judge::{Evidence, Kind};

/// The text to paste: a title, then the body in Markdown.
pub fn issue(finding: &Finding, scope: &Scope) -> String {
    let whom = finding.against.as_ref();
    let mut text = format!("# {}\n\n", title(finding, whom.map_or("nobody", |whom| scope.label(whom))));
    let _ = writeln!(text, "```smt2\n{}\n```\n", scope.as_sent(&as_asked(finding)).trim_end());
    let _ = writeln!(text, "**What happens.** {}.\n", what_happens(finding, scope));
    text.push_str("**What is true, and why.**\n\n");
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
        format!("--solver '{}'", known.unwrap_or(said.solver.as_str()))
    };
    let names: Vec<_> = finding.said.iter().map(name).collect();
    let _ = writeln!(text, "With gainsay: `gainsay check bug.smt2 {}`.", names.join(" "));
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
    match (finding.kind, wrong_answer(finding)) {
        (Kind::Soundness, Some(answer)) if is_contradiction(finding) => {
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
        (Kind::Soundness, Some(Answer::Sat)) => {
            format!("{label} answers sat to {check}, which is unsatisfiable")
        }
        (Kind::WrongModel, _) => {
            let more =
                if itself(Answer::Unsat) { ", and unsat once that model is written into it" } else { "" };
            format!("{label} answers sat to {check} with a model that makes an assertion false{more}")
        }
        (Kind::Crash, _) => format!("{label} crashes{}", crashed(finding)),
        (Kind::WrongCore, _) => format!("{label} answers unsat to {check} with a core that is satisfiable"),
        _ => {
            let summary = finding.summary.trim_end_matches('.');
            let said = finding.said.iter().find(|said| Some(&said.solver) == whom);
            let said = said.map_or_else(String::new, |said| format!(" ({})", outcome(said)));
            let summary = whom.map_or(summary.to_owned(), |whom| summary.replace(whom.as_str(), label));
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
        let by = if said.ending.starts_with("SIG") { "by " } else { "it " };
        format!("{}, {by}{}", said.outcome, said.ending)
    } else {
        said.answers.join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{CheckRef, Claim, Edit, Place};
    use crate::finding::{Asked, Known, Turn, VERSION};
    use crate::judge::{Confirmation, Giver};
    use crate::solver::SolverId;

    fn id(name: &str) -> SolverId {
        name.parse().expect("a name")
    }

    fn finding() -> Finding {
        let said = |solver: &str, answer: &str| Said {
            solver: id(solver),
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
            against: Some(id("z3@4.8.7 a=b")),
            check: Some(0),
            oracle: "differential".to_owned(),
            summary: "z3@4.8.7 a=b says unsat but a model satisfies every assertion".to_owned(),
            evidence: vec![Evidence::Satisfied { by: Giver::Solver(id("cvc5")), check: 0, model }],
            fingerprint: String::new(),
            lineage: crate::case::Lineage::default(),
            claims: Vec::new(),
            others: Vec::new(),
            said: vec![said("z3@4.8.7 a=b", "unsat"), said("cvc5@1.4.2", "sat")],
            confirmed: Confirmation { fresh: 2, default_options: false, without_logic: None },
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
            by: id("cvc5"),
            model: "((define-fun p () Bool true))".to_owned(),
        };
        let kind = Kind::WrongCore;
        let found = Finding { kind, case: case.to_owned(), evidence: vec![core], ..finding() };
        let text = issue(&found, &Scope::default());
        let asked = "```smt2\n(set-option :produce-unsat-cores true)\n(declare-const p Bool)";
        assert!(text.contains(asked) && text.contains("(check-sat)\n(get-unsat-core)\n```"), "{text}");
        assert!(text.contains("The core is `(A)`") && !text.contains("formula is satisfiable"), "{text}");
        let found = Finding { kind: Kind::WrongModel, ..found };
        assert!(issue(&found, &Scope::default()).contains("(check-sat)\n(get-model)\n```"));
    }

    #[test]
    fn scripts_are_shown_as_the_accused_was_sent_them() {
        let case = "(set-info :status sat)\n(declare-const s String)\n(assert (= s (str.from_int 1)))\n(check-sat)\n";
        let pinned = |by: &str| Evidence::Pinned {
            by: id(by),
            script: format!("; {by}\n(assert (= \"1\" (str.from_int 1)))"),
            answer: Some(Answer::Sat),
        };
        let evidence = vec![pinned("z3@4.8.7 a=b"), pinned("z3@4.8.7 a=b"), pinned("cvc5@1.4.2")];
        let found = Finding { case: case.to_owned(), evidence, ..finding() };
        let respelled = |script: &str| Some(script.replace("str.from_int", "int.to.str"));
        let old = issue(&found, &Scope { respelled: Some(respelled), ..Scope::default() });
        assert!(old.contains("(assert (= s (int.to.str 1)))") && !old.contains(":status"), "{old}");
        assert_eq!(old.matches("; z3@4.8.7 a=b\n  (assert (= \"1\" (int.to.str 1)))").count(), 1, "{old}");
        assert!(old.contains("; cvc5@1.4.2\n  (assert (= \"1\" (str.from_int 1)))"), "{old}");
        assert!(issue(&found, &Scope::default()).contains("(assert (= s (str.from_int 1)))"));
    }

    /// What is known of the accused, by another name than its own.
    fn scope() -> Scope {
        let known = Known {
            label: "z3@4.8.7 a=b".to_owned(),
            solver: "z3@4.8.7 a=b".to_owned(),
            program: "z3".to_owned(),
            options: vec!["a=b".to_owned()],
            version: "Z3 version 4.8.7 - 64 bit".to_owned(),
            ..Known::default()
        };
        let asked = |release: &str, fails| Asked { release: release.to_owned(), fails };
        Scope {
            title: "Z3".to_owned(),
            accepts: "anything".to_owned(),
            solvers: [(id("mine"), known)].into(),
            platform: "linux x86_64".to_owned(),
            releases: vec![
                asked("4.8.7", Ok(true)),
                asked("4.8.8", Ok(false)),
                asked("5.4.0", Err("it says unknown".to_owned())),
            ],
            respelled: None,
        }
    }

    fn mine() -> Finding {
        let mut found = finding();
        found.against = Some(id("mine"));
        found.said[0].solver = id("mine");
        "mine says unsat but a model satisfies every assertion".clone_into(&mut found.summary);
        found
    }

    fn has(text: &str, parts: &[&str]) {
        for part in parts {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn an_issue_has_all_that_is_asked_for() {
        let text = issue(&mine(), &scope());
        has(
            &text,
            &[
                "# Soundness: unsat for a satisfiable formula (mod) [z3@4.8.7 a=b]",
                "(assert (= (mod x 3) 2))",
                "**What happens.** z3@4.8.7 a=b answers unsat to the formula, but a model satisfies every assertion.",
                "this model, given by cvc5",
                "(define-fun x () Int 2)",
                "  - `(= (mod x 3) 2)` is true; `(mod x 3)` is `2`",
                "Affected: 4.8.7. Not affected: 4.8.8. Not confirmed on 5.4.0 (could not tell: it says unknown).",
                "```\nz3 a=b bug.smt2\n```",
                "Seen with Z3 version 4.8.7 - 64 bit on linux x86_64.",
                "cvc5@1.4.2: sat",
                "`gainsay check bug.smt2 --solver 'z3@4.8.7 a=b' --solver 'cvc5@1.4.2'`.",
                "Seen in 2 fresh processes",
            ],
        );
        assert!(!text.contains("mine") && !text.contains("replay"), "{text}");
    }

    #[test]
    fn what_the_accused_says_itself_is_explained() {
        let pinned = |answer| Evidence::Pinned {
            by: id("mine"),
            script: "(define-fun x () Int 2)".to_owned(),
            answer: Some(answer),
        };
        let mut found = mine();
        found.evidence.push(pinned(Answer::Sat));
        let text = issue(&found, &scope());
        has(
            &text,
            &[
                "z3@4.8.7 a=b answers unsat to the formula, but sat once a model is written into it.",
                "z3@4.8.7 a=b itself answers sat: it agrees that this is a model, so its answer above contradicts itself.",
            ],
        );
        found.kind = Kind::WrongModel;
        let falsified = Evidence::Falsified {
            check: 0,
            model: "((define-fun x () Int 4))".to_owned(),
            assertion: "(= (mod x 3) 2)".to_owned(),
        };
        found.evidence = vec![falsified, pinned(Answer::Unsat)];
        has(
            &issue(&found, &scope()),
            &[
                "# Invalid model (mod) [z3@4.8.7 a=b]",
                "answers sat to the formula with a model that makes an assertion false, and unsat once that model is written into it.",
                "  - `(= (mod x 3) 2)` is false; `(mod x 3)` is `1`",
                "by its own word this is no model",
            ],
        );
        found.kind = Kind::WrongCore;
        "the core of mine is satisfiable".clone_into(&mut found.summary);
        found.evidence = vec![Evidence::Answered { by: id("mine"), check: 0, answer: Answer::Unsat }];
        has(&issue(&found, &scope()), &["- z3@4.8.7 a=b answers unsat to check 1."]);
        has(
            &issue(&found, &scope()),
            &["**What happens.** z3@4.8.7 a=b answers unsat to the formula with a core that is satisfiable."],
        );
    }

    #[test]
    fn a_crash_is_told_by_its_place_or_its_end() {
        let mut found = mine();
        found.kind = Kind::Crash;
        // (where it crashed, what it printed, what is said of it)
        let rows = [
            (
                "SIGSEGV",
                "SIGSEGV",
                ["crashes with SIGSEGV.", "ends with SIGSEGV and prints nothing about it."],
            ),
            (
                "src/a.cpp:5",
                "exited 114\nx > 0",
                ["crashes at src/a.cpp:5.", "prints:\n\n  ```\n  exited 114\n  x > 0\n"],
            ),
            (
                "out of luck",
                "SIGABRT\nout of luck",
                ["crashes: out of luck.", "prints:\n\n  ```\n  SIGABRT\n"],
            ),
        ];
        for (place, printed, expected) in rows {
            found.summary = format!("mine crashes: {place}");
            found.evidence = vec![Evidence::Printed { by: id("mine"), text: printed.to_owned() }];
            has(&issue(&found, &scope()), &expected);
        }
    }

    #[test]
    fn a_ground_falsehood_is_no_model() {
        let assertion = "(= (mod 5 3) 1)".to_owned();
        let mut found = mine();
        found.case = format!("(assert {assertion})\n(check-sat)\n");
        found.said[0].answers = vec!["sat".to_owned()];
        found.evidence = vec![Evidence::Falsified { check: 0, model: "()".to_owned(), assertion }];
        let text = issue(&found, &scope());
        has(
            &text,
            &[
                "# Soundness: sat for an unsatisfiable formula (mod)",
                "answers sat to the formula, which is unsatisfiable.",
                "`(= (mod 5 3) 1)` is false as it stands",
                "`(mod 5 3)` is `2`",
            ],
        );
        assert!(!text.contains("```smt2\n  ()"), "{text}");
    }

    #[test]
    fn what_a_claim_rests_on_is_written_out() {
        let rule = "under CORE-p-U4";
        let edit = Edit {
            place: Place { command: 3, term: 0, path: Vec::new() },
            old: "(or p q)".to_owned(),
            new: "p".to_owned(),
            rule: rule.into(),
        };
        let asked = |about: &str, script: &str| Evidence::Asked {
            by: id("cvc5@1.4.2"),
            about: about.to_owned(),
            script: script.to_owned(),
            answer: Some(Answer::Unsat),
        };
        let claim = Claim::SatImplies(CheckRef::own(0), CheckRef { script: 1, check: 0 });
        let mut found = mine();
        "metamorphic".clone_into(&mut found.oracle);
        found.said[0].answers = vec!["sat".to_owned()];
        found.others = vec!["(declare-const p Bool)\n(assert (or p q))\n(check-sat)\n".to_owned()];
        found.lineage.edits = found.lineage.edits.then(edit.clone());
        found.evidence = vec![
            Evidence::Turned { steps: vec![format!("step 1 of 1: {edit}")] },
            Evidence::Claimed { claim },
            asked("the first without the second", "(assert p)\n(assert (not (or p q)))\n(check-sat)"),
            asked(&format!("the step: {rule}"), "(assert p)(check-sat)"),
        ];
        let text = issue(&found, &scope());
        has(
            &text,
            &[
                "# Soundness: sat, and unsat to what follows from it",
                "whatever satisfies the formula satisfies this script",
                "z3@4.8.7 a=b answers unsat to this script and sat to the formula: one of the two is wrong.",
                "  (assert (or p q))\n  (check-sat)",
                "`(or p q)` becomes `p` in command 4; the second implies the first (rule CORE-p-U4).",
                "whether the stronger of two scripts can hold without the weaker, cvc5@1.4.2 answers unsat: it cannot.",
                "  (assert p)\n  (assert (not (or p q)))",
                "whether a step can fail (rule CORE-p-U4), cvc5@1.4.2 answers unsat: it cannot.",
            ],
        );
        assert!(!text.contains("script 1") && !text.contains("the first without"), "{text}");
    }

    #[test]
    fn titles_name_what_it_is_about() {
        let float = "(declare-const a Float32)(assert (fp.lt (fp.rem a (fp #b0 #x80 (_ bv1 23))) (fp.add RNE a a)))(check-sat)";
        let rows = [
            (float, "(fp.add, fp.rem, fp.lt)"),
            ("(declare-const p Bool)(assert (xor p (= p p)))(check-sat)", "(xor)"),
            ("(declare-const p Bool)(assert (not p))(check-sat)", "[mine]"),
            (
                "(declare-const x Int)(assert (= (+ (div x 2) (mod x 2) (* x x) (abs x)) (- x)))(check-sat)",
                "(*, +, -, …)",
            ),
        ];
        for (case, expected) in rows {
            let title = title(&Finding { case: case.to_owned(), ..mine() }, "mine");
            assert!(title.contains(expected), "{title}");
            assert!(!title.contains("RNE") && !title.contains("bvX"), "{title}");
        }
    }
}
