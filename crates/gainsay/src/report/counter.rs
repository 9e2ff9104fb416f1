//! Counters in words.

use crate::finding::words::abstention;
use crate::judge::AuditVerdict;
use crate::store::Counter;

/// What a counter counts.
pub fn words(counter: &Counter) -> String {
    let audited = |what: &str, verdict: &AuditVerdict| match verdict {
        AuditVerdict::Holds => format!("audited {what} that hold"),
        AuditVerdict::Open => format!("audited {what} left open"),
        AuditVerdict::Refuted => format!("audited {what} that are refuted"),
    };
    match counter {
        Counter::Run(outcome) => outcome.word().to_owned(),
        Counter::Test { category, result, unsound } => {
            let wrong = if *unsound { ", proved wrong" } else { "" };
            format!("tests of category {category}: {result}{wrong}")
        }
        Counter::Abstained(why) => format!("abstained: {}", abstention(why)),
        Counter::AuditedSteps(verdict) => audited("steps", verdict),
        Counter::AuditedPlaces(verdict) => audited("places", verdict),
        Counter::SeriesEnded(end) => format!("series ended by {end}"),
        Counter::Duplicates => "duplicates left out".to_owned(),
        Counter::Ignored => "ignored".to_owned(),
        Counter::WarmOnly => "only warm".to_owned(),
        Counter::Rationed => "rationed".to_owned(),
        Counter::FailedTurns => "turns that failed".to_owned(),
    }
}
