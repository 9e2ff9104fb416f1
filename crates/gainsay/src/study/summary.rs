//! How far a hunt is and what it came to, in lines.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::campaign::{Counts, Progress};
use crate::finding::Outlook;
use crate::judge::Kind;
use crate::report::{course, many};
use crate::solver::{Outcome, SolverId};
use crate::store::{Row, TurnOutcome};

/// How far a hunt is, in a line. What is left is given: a time or a number of turns.
pub fn so_far(progress: &Progress, left: Option<Duration>, turns: Option<u64>) -> String {
    let counts = progress.counts();
    let elapsed = progress.elapsed();
    let rate = counts.turns as f64 / elapsed.as_secs_f64().max(0.001);
    let found: u64 = counts.findings.values().sum();
    let sum = |is_meant: fn(TurnOutcome) -> bool| -> u64 {
        let all = counts.outcomes.iter().flatten();
        all.filter(|(outcome, _)| is_meant(**outcome)).map(|(_, n)| n).sum()
    };
    let left = match (left, turns) {
        (Some(left), _) => format!(", {} left", course::clock(left)),
        (None, Some(turns)) => format!(" of {turns}"),
        _ => String::new(),
    };
    let late = counts.question_time.late.as_secs_f64();
    let share = 100.0 * late / counts.question_time.all.as_secs_f64().max(0.001);
    format!(
        "{} turns{left}, {rate:.0}/s, {} solved, {} unknown, {} ({share:.0} % of the time), {} refused, {}, {}",
        counts.turns,
        sum(TurnOutcome::is_solved),
        sum(TurnOutcome::is_unknown),
        many(sum(|outcome| outcome == TurnOutcome::Other(Outcome::TimedOut)), "time-out"),
        sum(|outcome| outcome == TurnOutcome::Other(Outcome::Rejected)),
        many(found, "finding"),
        course::last_fault(counts.last_fault.map(|then| elapsed.saturating_sub(then)))
    )
}

/// What a hunt came to: its turns by strategy, the outcomes of each solver, how it went, and its findings.
pub fn lines(solvers: &[SolverId], progress: &Progress, rows: &[Row], stopped: bool) -> Vec<String> {
    let counts = progress.counts();
    let seconds = progress.elapsed().as_secs_f64().max(0.001);
    let mut lines = vec![format!(
        "{} in {seconds:.1} s, {:.1} a second{}",
        many(counts.turns, "turn"),
        counts.turns as f64 / seconds,
        if stopped { " (stopped)" } else { "" }
    )];
    for (name, n) in &counts.by_strategy {
        let found = counts.yields.get(*name).copied().unwrap_or(0);
        let faults = counts.faults.get(*name).copied().unwrap_or(0);
        let first =
            if faults > 0 { format!(", first to find {faults} of the faults") } else { String::new() };
        lines.push(format!("  {name}: {}, {}{first}", many(*n, "turn"), many(found, "finding")));
    }
    for (name, outcomes) in solvers.iter().zip(&counts.outcomes) {
        let parts: Vec<_> = outcomes.iter().map(|(l, n)| format!("{n} {}", l.word())).collect();
        lines.push(format!("  {name}: {}", parts.join(", ")));
    }
    lines.extend(how_it_went(solvers, &counts, progress.elapsed()).map(|sentence| format!("  {sentence}")));
    let warm = rows.iter().filter(|r| r.warm).count();
    let notes: Vec<_> = [
        (counts.rationed, "repeated triggers counted only"),
        (counts.ignored, "ignored"),
        (counts.failed, "turns failed in gainsay itself"),
        (warm as u64, "that only warm runs showed"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, words)| format!("{n} {words}"))
    .collect();
    if !notes.is_empty() {
        lines.push(format!("  {}", notes.join(", ")));
    }
    lines
}

/// How the run went, in sentences.
fn how_it_went(solvers: &[SolverId], counts: &Counts, elapsed: Duration) -> impl Iterator<Item = String> {
    let refused = counts.refusals.values().sum();
    let commonest = counts.refusals.iter().max_by_key(|(_, n)| **n);
    let commonest = commonest.map(|((solver, said), n)| (&solvers[*solver], said.as_str(), *n));
    [
        course::time_outs(counts.question_time.late, counts.question_time.all, counts.asked_higher),
        course::refusals(refused, counts.asked, commonest),
        course::last_fault(counts.last_fault.map(|then| elapsed.saturating_sub(then))),
        course::outlook(&Outlook::of(counts.triggers.values().copied(), elapsed)),
    ]
    .into_iter()
}

/// How many findings there are of each kind against each solver; none if nothing was found.
pub fn findings(rows: &[Row]) -> Vec<String> {
    let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
    for row in rows.iter().filter(|r| !r.warm) {
        let nobody = if row.finding.kind == Kind::Unconfirmed { "nobody accused" } else { "undecided" };
        let whom = row.finding.against.as_ref().map_or(nobody, SolverId::as_str).to_owned();
        *kinds.entry((whom, row.finding.kind.word().to_owned())).or_default() += 1;
    }
    kinds.into_iter().map(|((whom, kind), n)| format!("{n:>6}  {whom}: {kind}")).collect()
}
