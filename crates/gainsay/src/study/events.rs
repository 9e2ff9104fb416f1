//! What happens in a hunt, as lines of JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::campaign::{Event, Failure, Progress};
use crate::finding::words;
use crate::solver::SolverId;

/// The counts of a hunt so far.
pub fn progress_json(event: &str, solvers: &[SolverId], progress: &Progress) -> Value {
    let counts = progress.counts();
    let solvers: BTreeMap<_, _> = solvers
        .iter()
        .zip(&counts.outcomes)
        .map(|(name, outcomes)| {
            (name, outcomes.iter().map(|(l, n)| (l.word(), *n)).collect::<BTreeMap<_, _>>())
        })
        .collect();
    let findings: Vec<_> = counts
        .findings
        .iter()
        .map(|((kind, against), count)| {
            let against = against.as_ref().map_or("undecided", SolverId::as_str);
            json!({"kind": kind, "against": against, "count": count})
        })
        .collect();
    let mut abstained: BTreeMap<String, u64> = BTreeMap::new();
    for (why, count) in &counts.abstained {
        *abstained.entry(words::abstention(why)).or_default() += count;
    }
    json!({
        "event": event, "seconds": progress.elapsed().as_secs_f64(), "turns": counts.turns,
        "strategies": counts.by_strategy, "yields": counts.yields, "solvers": solvers, "findings": findings,
        "rationed": counts.rationed, "failed": counts.failed, "warm_only": counts.warm, "ignored": counts.ignored,
        "abstained": abstained, "solver_cpu_seconds": counts.solver_cpu.as_secs_f64(),
    })
}

/// An event; none if it is nothing to tell.
pub fn event_json(event: &Event) -> Option<Value> {
    match event {
        Event::Found { number, finding, warm } => Some(json!({
            "event": if *warm { "warm-only" } else { "found" }, "id": number, "kind": finding.kind,
            "against": finding.against, "summary": words::summary(finding),
            "strategy": finding.lineage.strategy, "fingerprint": finding.fingerprint,
        })),
        Event::Failed(Failure { strategy, series, step, why }) => {
            Some(json!({"event": "failed", "strategy": strategy, "series": series, "turn": step, "why": why}))
        }
        Event::Ended(_) => None,
    }
}
