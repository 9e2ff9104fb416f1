//! The findings of a campaign as `JUnit` XML: a suite for each solver, a failing case for each finding.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::campaign::{Campaign, Entry};
use super::escape::without_control;
use crate::finding::words::summary;
use crate::solver::id::SolverId;

/// The report. A campaign that found nothing has one case, which passes.
pub fn write(campaign: &Campaign) -> String {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for entry in &campaign.entries {
        let solver = entry.verdict().against.as_ref().map_or("undecided", SolverId::as_str);
        suites.entry(solver).or_insert_with(|| TestSuite::new(solver)).add_test_case(failing_case(entry));
    }
    if suites.is_empty() {
        let mut suite = TestSuite::new("all solvers");
        suite.add_test_case(case("campaign", "nothing was found", TestCaseStatus::success()));
        suites.insert("", suite);
    }
    let mut report = Report::new(format!("gainsay {}", campaign.name));
    report.add_test_suites(suites.into_values());
    text(&report)
}

fn failing_case(entry: &Entry) -> TestCase {
    let shown = entry.shown();
    let name = format!("{}. {}", entry.id, entry.title);
    let failed = failure(&summary(shown), &format!("{}\n{}", entry.folder, shown.case));
    case(shown.kind.word(), &name, failed)
}

/// A case of a class.
pub(super) fn case(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

/// The status of a case that failed.
pub(super) fn failure(message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    if !text.is_empty() {
        status.set_description(text);
    }
    status
}

/// The text of a report.
pub(super) fn text(report: &Report) -> String {
    without_control(&report.to_string().expect("texts without control characters can be written"))
}
