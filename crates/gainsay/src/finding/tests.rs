//! Facts of a finding are data: they go through the store and back, and no sentence decides anything.

mod facts;

use serde_json::Value;

use self::facts::{accused, evidence, faults, other};
use super::{
    Affected, Finding, Said, Standing, Turn, VERSION, fingerprint_of, formula_key, group_key, rank, standing,
    words,
};
use crate::case::{Answer, Case, Edit, Edits, Lineage, Place, Rule};
use crate::judge::{Complaint, Confirmation, CrashSite, Fault, KnownUnsat};
use crate::solver::{Ending, Outcome, Solver, SolverId};

const SCRIPT: &str = "(declare-const x Int)\n(assert (= (mod x 3) 2))\n(check-sat)\n";
const WHOM: &str = "fake:honest";

fn text(words: &str) -> String {
    words.to_owned()
}

fn id(name: &str) -> SolverId {
    name.parse().expect("a name")
}

fn finding(fault: Fault) -> Finding {
    let edit = Edit {
        place: Place { command: 1, term: 0, path: vec![0] },
        old: text("div"),
        new: text("mod"),
        rule: Rule::Operator,
    };
    Finding {
        version: VERSION,
        identity: text("abc"),
        kind: fault.kind(),
        against: Some(id(WHOM)),
        fault,
        check: Some(0),
        oracle: text("model"),
        evidence: evidence(),
        fingerprint: text("0123"),
        lineage: Lineage {
            strategy: "opfuzz".into(),
            edits: Edits::default().then(edit),
            about: text("what it was made for"),
            ..Lineage::default()
        },
        claims: Vec::new(),
        others: Vec::new(),
        said: vec![Said {
            solver: id(WHOM),
            outcome: Outcome::Answered,
            answers: vec![Answer::Unsat],
            ending: Ending::Exited(0),
            wall_ms: 1,
            cpu_ms: None,
            peak: None,
            output: (Vec::new(), Vec::new()),
        }],
        confirmed: Confirmation::default(),
        turn: Turn::default(),
        case: text(SCRIPT),
    }
}

/// Fields that hold data: identities, names of solvers and oracles, words of enums, what a solver printed, scripts.
const DATA: &[&str] = &[
    "accused",
    "against",
    "answer",
    "answers",
    "assertion",
    "assumptions",
    "by",
    "command",
    "core",
    "direction",
    "end",
    "ending",
    "expected",
    "file",
    "fingerprint",
    "first",
    "identity",
    "kind",
    "known",
    "message",
    "model",
    "name",
    "new",
    "of",
    "old",
    "oracle",
    "outcome",
    "rule",
    "script",
    "second",
    "solver",
    "strategy",
    "text",
    "than",
    "to",
    "type",
    "how",
    "into",
    "point",
    "printed",
    "rewriter",
    "tactic",
    "term",
    "values",
    "of",
    "suspect",
];

/// Blanks all text that is not data.
fn blank(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(_) if DATA.contains(&name.as_str()) => {}
                    Value::Array(all)
                        if DATA.contains(&name.as_str()) && all.iter().all(Value::is_string) => {}
                    Value::String(words) => words.clear(),
                    other => blank(other),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(blank),
        Value::String(words) => words.clear(),
        _ => {}
    }
}

/// What is decided by a finding: fingerprint, group, rank and title.
fn decided(f: &Finding) -> (String, String, u32, String) {
    let script = smt::read(f.case.as_bytes()).expect("well-sorted");
    let case = Case { script, others: Vec::new(), claims: Vec::new(), lineage: f.lineage.clone() };
    let solvers = [Solver::fake("honest")];
    let against = f.against.as_ref().and_then(|whom| solvers.iter().position(|s| s.name == *whom));
    assert_eq!(against, Some(0), "the accused is the fake solver");
    let (fault, evidence) = (f.fault.clone(), f.evidence.clone());
    let complaint = Complaint { fault, against, check: f.check, evidence };
    let print = fingerprint_of(&case, &f.case, &solvers, &complaint);
    let formula = formula_key(f, Some(f));
    let affected = Affected { releases: vec![text("1.0")], options: Vec::new() };
    (print, group_key(&formula, f, Some(&affected)), rank(f), words::title(f, WHOM))
}

#[test]
fn no_sentence_decides_anything() {
    for fault in faults() {
        let found = finding(fault);
        let mut json = serde_json::to_value(&found).expect("plain");
        blank(&mut json);
        assert_eq!(json["lineage"]["about"], "", "it is blanked");
        let json = serde_json::to_vec(&json).expect("plain");
        let again = Finding::read(&json, found.case.clone()).expect("readable");
        assert_eq!(decided(&again), decided(&found), "{:?}", found.fault);
    }
}

#[test]
fn what_is_proved_comes_first_and_a_disagreement_right_after_it() {
    let disagreement = Finding { against: None, ..finding(Fault::Disagreement { answers: Vec::new() }) };
    assert_eq!(standing(&disagreement), Standing::Undecided);
    let rows = [
        (Fault::WrongUnsat { voice: accused() }, true),
        (Fault::WrongSat { known: KnownUnsat::ByConstruction, voice: other() }, true),
        (Fault::WrongModel { voice: accused() }, true),
        (Fault::WrongCore { voice: other() }, true),
        (Fault::Crash { site: CrashSite::Unknown }, true),
        (Fault::SelfCheck { message: text("x") }, true),
        (Fault::Unknown, false),
        (Fault::Slow { than: id("cvc5"), milliseconds: 3 }, false),
    ];
    for (fault, before) in rows {
        let proved = finding(fault);
        assert_eq!(standing(&proved), Standing::Proved);
        assert_eq!(rank(&proved) < rank(&disagreement), before, "{:?}", proved.fault);
    }
}

#[test]
fn faults_that_differ_have_fingerprints_that_differ() {
    let prints = |site| decided(&finding(Fault::Crash { site })).0;
    let line = |file: &str| prints(CrashSite::Line { file: text(file), line: 3 });
    assert_eq!(line("/one/src/a.cpp"), line("../src/a.cpp"));
    assert_ne!(line("/one/src/a.cpp"), line("/one/src/b.cpp"));
    assert_ne!(prints(CrashSite::Signal { number: 11 }), prints(CrashSite::Signal { number: 6 }));
    let answers = [
        Fault::WrongUnsat { voice: accused() },
        Fault::WrongSat { known: KnownUnsat::ByConstruction, voice: accused() },
    ];
    let [one, two] = answers.map(|fault| decided(&finding(fault)).0);
    assert_ne!(one, two);
    let [itself, by_other] =
        [accused(), other()].map(|voice| decided(&finding(Fault::WrongUnsat { voice })).0);
    assert_eq!(itself, by_other);
}

#[test]
fn evidence_and_faults_are_read_as_they_were_written() {
    for fault in faults() {
        let found = finding(fault);
        let json = serde_json::to_vec(&found).expect("plain");
        let again = Finding::read(&json, found.case.clone()).expect("readable");
        assert_eq!(
            (&again.fault, &again.evidence, &again.said),
            (&found.fault, &found.evidence, &found.said)
        );
        assert_eq!(again.lineage.edits.list(), found.lineage.edits.list());
        for evidence in &again.evidence {
            assert!(words::sentence(&again, evidence).len() > 10);
        }
        assert!(!words::summary(&again).is_empty());
    }
}

#[test]
fn what_is_not_known_is_an_error() {
    let whole = serde_json::to_value(finding(Fault::WrongCore { voice: accused() })).expect("plain");
    let changes: [(&str, Value, &str); 6] = [
        ("kind", Value::from("unheard"), "`unheard` is no kind of finding"),
        ("kind", Value::from("crash"), "its kind is crash, but its fault is of kind wrong-core"),
        ("version", Value::from(VERSION + 1), "it has version 5"),
        ("fault", serde_json::json!({ "type": "unheard" }), "unknown variant `unheard`"),
        ("evidence", serde_json::json!([{ "type": "undecided", "why": "a sentence" }]), "a sentence"),
        ("summary", Value::from("a sentence"), "unknown field `summary`"),
    ];
    for (field, value, expected) in changes {
        let mut json = whole.clone();
        json[field] = value;
        let error = Finding::read(&serde_json::to_vec(&json).expect("plain"), String::new());
        let error = error.expect_err(field).to_string();
        assert!(error.contains(expected), "{field}: {error}");
    }
}
