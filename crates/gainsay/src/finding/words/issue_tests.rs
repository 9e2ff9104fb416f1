//! What the text of an issue says, finding by finding.

use super::{issue, title};
use crate::case::{Answer, Approximation, CheckRef, Claim, Direction, Edit, Place, Rule};
use crate::finding::{Asked, Finding, Known, Said, Scope, Turn, Untold, VERSION};
use crate::judge::{self, Confirmation, CrashSite, Evidence, Fault, Kind, KnownUnsat, SecondVoice};
use crate::solver::acquire::home::Home;
use crate::solver::{Ending, Outcome, Profile, Release, Solver, SolverId};

fn id(name: &str) -> SolverId {
    name.parse().expect("a name")
}

/// A second voice, as a store has it.
fn voice(of: &str) -> SecondVoice {
    let json = match of {
        "accused" => serde_json::json!({ "type": "accused" }),
        _ => serde_json::json!({ "type": "other", "by": "cvc5" }),
    };
    serde_json::from_value(json).expect("a voice")
}

fn finding() -> Finding {
    let said = |solver: &str, answer: Answer| Said {
        solver: id(solver),
        outcome: Outcome::Answered,
        answers: vec![answer],
        ending: Ending::Exited(0),
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
        fault: Fault::WrongUnsat { voice: voice("other") },
        evidence: vec![Evidence::Satisfied { by: Some(id("cvc5")), check: 0, model }],
        fingerprint: String::new(),
        lineage: crate::case::Lineage::default(),
        claims: Vec::new(),
        others: Vec::new(),
        said: vec![said("z3@4.8.7 a=b", Answer::Unsat), said("cvc5@1.4.2", Answer::Sat)],
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
    let (kind, fault) = (Kind::WrongCore, Fault::WrongCore { voice: voice("accused") });
    let found = Finding { kind, fault, case: case.to_owned(), evidence: vec![core], ..finding() };
    let text = issue(&found, &Scope::default());
    let asked = "```smt2\n(set-option :produce-unsat-cores true)\n(declare-const p Bool)";
    assert!(text.contains(asked) && text.contains("(check-sat)\n(get-unsat-core)\n```"), "{text}");
    assert!(text.contains("The core is `(A)`") && !text.contains("formula is satisfiable"), "{text}");
    let found =
        Finding { kind: Kind::WrongModel, fault: Fault::WrongModel { voice: voice("other") }, ..found };
    assert!(issue(&found, &Scope::default()).contains("(check-sat)\n(get-model)\n```"));
}

#[test]
fn scripts_are_shown_as_the_accused_was_sent_them() {
    let case =
        "(set-info :status sat)\n(declare-const s String)\n(assert (= s (str.from_int 1)))\n(check-sat)\n";
    let pinned = |by: &str| Evidence::Pinned {
        by: id(by),
        script: format!("; {by}\n(assert (= \"1\" (str.from_int 1)))"),
        answer: Some(Answer::Sat),
    };
    let evidence = vec![pinned("z3@4.8.7 a=b"), pinned("z3@4.8.7 a=b"), pinned("cvc5@1.4.2")];
    let found = Finding { case: case.to_owned(), evidence, ..finding() };
    let z3 = Profile::named("z3").expect("z3");
    let release = Release::parse("4.8.7").expect("a release");
    let accused = Solver::installed(&z3, &release, &Home::of_environment());
    let old = issue(&found, &Scope { accused: Some(accused), ..Scope::default() });
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
        accepts: Some("anything".to_owned()),
        solvers: [(id("mine"), known)].into(),
        platform: "linux x86_64".to_owned(),
        releases: vec![
            asked("4.8.7", Ok(true)),
            asked("4.8.8", Ok(false)),
            asked("5.4.0", Err(Untold::Unknown)),
        ],
        accused: None,
    }
}

fn mine() -> Finding {
    let mut found = finding();
    found.against = Some(id("mine"));
    found.said[0].solver = id("mine");
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
    (found.kind, found.fault) = (Kind::WrongModel, Fault::WrongModel { voice: voice("accused") });
    let falsified = Evidence::Falsified {
        check: 0,
        model: "((define-fun x () Int 4))".to_owned(),
        heard: Vec::new(),
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
    (found.kind, found.fault) = (Kind::WrongCore, Fault::WrongCore { voice: voice("accused") });
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
    // (the site of the crash, how the process ended, what it printed, what is said of it)
    let rows = [
        (
            CrashSite::Signal { number: 11 },
            (Ending::Killed(11), ""),
            ["crashes with SIGSEGV.", "ends with SIGSEGV and prints nothing about it."],
        ),
        (
            CrashSite::Line { file: "/build-7/mine/src/a.cpp".to_owned(), line: 5 },
            (Ending::Exited(114), "x > 0"),
            ["crashes at src/a.cpp:5.", "ends with exit status 114 and prints:\n\n  ```\n  x > 0\n"],
        ),
        (
            CrashSite::Message { text: "out of luck".to_owned() },
            (Ending::Killed(6), "out of luck"),
            ["crashes: out of luck.", "ends with SIGABRT and prints:\n\n  ```\n  out of luck\n"],
        ),
    ];
    for (site, (ending, text), expected) in rows {
        found.fault = Fault::Crash { site };
        found.evidence = vec![Evidence::Ended { by: id("mine"), ending, text: text.to_owned() }];
        has(&issue(&found, &scope()), &expected);
    }
}

#[test]
fn a_ground_falsehood_is_no_model() {
    let assertion = "(= (mod 5 3) 1)".to_owned();
    let mut found = mine();
    found.case = format!("(assert {assertion})\n(check-sat)\n");
    found.said[0].answers = vec![Answer::Sat];
    found.fault = Fault::WrongSat { known: KnownUnsat::FalseAsItStands, voice: voice("other") };
    found.evidence =
        vec![Evidence::Falsified { check: 0, model: "()".to_owned(), heard: Vec::new(), assertion }];
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
    let rule = Approximation { name: "CORE-p-U4".into(), direction: Direction::Under };
    let edit = Edit {
        place: Place { command: 3, term: 0, path: Vec::new() },
        old: "(or p q)".to_owned(),
        new: "p".to_owned(),
        rule: Rule::Approximation(rule.clone()),
    };
    let asked = |about: judge::Asked, script: &str| Evidence::Asked {
        by: id("cvc5@1.4.2"),
        about,
        script: script.to_owned(),
        answer: Some(Answer::Unsat),
    };
    let claim = Claim::SatImplies(CheckRef::own(0), CheckRef { script: 1, check: 0 });
    let mut found = mine();
    found.fault = Fault::Contradiction { by: id("mine"), voice: Some(SecondVoice::example()) };
    found.said[0].answers = vec![Answer::Sat];
    found.others = vec!["(declare-const p Bool)\n(assert (or p q))\n(check-sat)\n".to_owned()];
    found.lineage.edits = found.lineage.edits.then(edit);
    found.evidence = vec![
        Evidence::Turned { edits: vec![0] },
        Evidence::Claimed { claim },
        asked(judge::Asked::Whole, "(assert p)\n(assert (not (or p q)))\n(check-sat)"),
        asked(judge::Asked::Step { rule }, "(assert p)(check-sat)"),
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
