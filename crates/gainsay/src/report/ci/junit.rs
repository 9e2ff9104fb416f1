//! `JUnit` XML, which every build server reads: one suite for each grammar, one case for each thing that could have failed.

use std::fmt::Write;

use super::super::escape::escape;
use super::{News, Verdict};
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
    let mut suites = String::new();
    let (mut tests, mut failures) = (0, 0);
    for part in &v.parts {
        let mut cases = String::new();
        let (mut own, mut bad) = (0, 0);
        let mut case = |name: &str, messages: Vec<(String, String)>| {
            own += 1;
            let head = format!("  <testcase classname=\"{}\" name=\"{name}\"", escape(&part.grammar));
            if messages.is_empty() {
                let _ = writeln!(cases, "{head}/>");
                return;
            }
            bad += 1;
            let _ = writeln!(cases, "{head}>");
            for (message, text) in messages {
                let _ = writeln!(
                    cases,
                    "   <failure message=\"{}\">{}</failure>",
                    escape(&message),
                    escape(&text)
                );
            }
            let _ = writeln!(cases, "  </testcase>");
        };
        for &(kind, name) in CASES {
            let is = |n: &&News| n.grammar == part.grammar && n.kind == kind && v.is_failure(n);
            let told = |n: &News| {
                let at = n.folder.as_deref().map_or(String::new(), |f| format!("{f}\n"));
                (n.summary.clone(), format!("{}\n{at}{}", n.place(), n.text))
            };
            case(name, v.news.iter().filter(is).map(told).collect());
        }
        let slow = v.speeds.iter().filter(|s| s.slower && s.grammar == part.grammar);
        case("speed", slow.map(|s| (v.slowdown(s), String::new())).collect());
        tests += own;
        failures += bad;
        let _ = writeln!(
            suites,
            " <testsuite name=\"{}\" tests=\"{own}\" failures=\"{bad}\">\n{cases} </testsuite>",
            escape(&part.grammar)
        );
    }
    if let Some(all) = v.speeds.iter().find(|s| s.grammar == "all") {
        tests += 1;
        failures += usize::from(all.slower);
        let inner = if all.slower {
            format!("<failure message=\"{}\"/>", escape(&v.slowdown(all)))
        } else {
            String::new()
        };
        let _ = writeln!(
            suites,
            " <testsuite name=\"all\" tests=\"1\" failures=\"{}\">\n  <testcase classname=\"all\" name=\"speed\">{inner}</testcase>\n </testsuite>",
            usize::from(all.slower)
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gainsay ci {}\" tests=\"{tests}\" failures=\"{failures}\">\n{suites}</testsuites>\n",
        escape(v.build.as_str())
    )
}
