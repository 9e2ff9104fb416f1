//! Counters in words.

use crate::finding::words::abstention;
use crate::judge::{Abstention, AuditVerdict};
use crate::store::{Counter, DifferenceEnd};

/// What a counter counts.
pub fn words(counter: &Counter) -> String {
    let audited = |what: &str, verdict: &AuditVerdict| match verdict {
        AuditVerdict::Holds => format!("audited {what} that hold"),
        AuditVerdict::Open => format!("audited {what} left open"),
        AuditVerdict::Refuted => format!("audited {what} that are refuted"),
    };
    match counter {
        Counter::Run(outcome) => outcome.word().to_owned(),
        Counter::RunWithOptions(outcome) => format!("with options: {}", outcome.word()),
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
        Counter::Difference(end) => format!("sat against unsat: {}", difference(end)),
        Counter::DecidingQuestions => "questions asked in deciding".to_owned(),
        Counter::QuestionMicros => "microseconds of time of all questions".to_owned(),
        Counter::LateMicros => "microseconds of time of questions that ran out of it".to_owned(),
        Counter::AskedHigher => "asked again with more time".to_owned(),
        Counter::SeedFails => "not asked, because it fails on the seed".to_owned(),
        Counter::SeedRefused => "not asked, because it refuses the seed".to_owned(),
        Counter::DecidingMicros => "microseconds of CPU time spent in deciding".to_owned(),
    }
}

/// What came of a difference between sat and unsat.
pub fn difference(end: &DifferenceEnd) -> String {
    match end {
        DifferenceEnd::Decided => "a solver is accused".to_owned(),
        DifferenceEnd::Explained { to, why } => {
            let why = Abstention::Foreign { to: to.clone(), why: why.clone() };
            format!("explained, {}", abstention(&why))
        }
        DifferenceEnd::Unconfirmed => "unconfirmed, nobody is accused".to_owned(),
        DifferenceEnd::Undecided => "undecided".to_owned(),
        DifferenceEnd::Vanished => "not seen again in fresh processes".to_owned(),
        DifferenceEnd::NotJudged => "not judged, or ignored".to_owned(),
    }
}
