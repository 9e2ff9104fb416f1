//! `JUnit` XML, which every build server reads: one suite for each grammar, one case for each thing that could have failed.

use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

use super::super::junit::{case, failure, text};
use super::{News, Part, Verdict};
use crate::judge::Kind;

/// What could have failed in each grammar.
const CASES: &[(Kind, &str)] = &[
    (Kind::Soundness, "soundness"),
    (Kind::WrongModel, "models"),
    (Kind::Crash, "crashes"),
    (Kind::SelfCheck, "self-checks"),
    (Kind::Disagreement, "undecided answers"),
];

/// The report.
pub fn junit(v: &Verdict) -> String {
    let mut report = Report::new(format!("gainsay ci {}", v.build));
    report.add_test_suites(v.parts.iter().map(|part| suite(v, part)));
    if v.speeds.iter().any(|speed| speed.grammar == "all") {
        let mut all = TestSuite::new("all");
        all.add_test_case(speed(v, "all"));
        report.add_test_suite(all);
    }
    text(&report)
}

fn suite(v: &Verdict, part: &Part) -> TestSuite {
    let mut suite = TestSuite::new(&part.grammar);
    for &(kind, name) in CASES {
        let is = |n: &&News| n.grammar == part.grammar && n.kind == kind && v.is_failure(n);
        let told = |n: &News| {
            let at = n.folder.as_deref().map_or(String::new(), |f| format!("{f}\n"));
            (n.summary.clone(), format!("{}\n{at}{}", n.place(), n.text))
        };
        suite.add_test_case(case_of(
            &part.grammar,
            name,
            &v.news.iter().filter(is).map(told).collect::<Vec<_>>(),
        ));
    }
    suite.add_test_case(speed(v, &part.grammar));
    suite
}

/// The case of the speed on a grammar, or on all.
fn speed(v: &Verdict, grammar: &str) -> TestCase {
    let slow = v.speeds.iter().filter(|speed| speed.slower && speed.grammar == grammar);
    case_of(grammar, "speed", &slow.map(|speed| (v.slowdown(speed), String::new())).collect::<Vec<_>>())
}

/// A case that fails for each of these messages. A case has one message: the first; its text has all of them.
fn case_of(grammar: &str, name: &str, failures: &[(String, String)]) -> TestCase {
    let status = match failures {
        [] => TestCaseStatus::success(),
        [(message, text)] => failure(message, text),
        [(first, _), others @ ..] => {
            let texts: Vec<String> =
                failures.iter().map(|(message, text)| format!("{message}\n{text}\n")).collect();
            failure(&format!("{first} (and {} more)", others.len()), &texts.join("\n"))
        }
    };
    case(grammar, name, status)
}
