//! What happens in a hunt, as lines of JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::campaign::{Event, Failure, Progress};
use crate::finding::{Outlook, words};
use crate::solver::SolverId;

/// The counts of a hunt so far.
pub fn progress_json(event: &str, solvers: &[SolverId], progress: &Progress) -> Value {
    let counts = progress.counts();
    let names = solvers;
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
    let since = counts.last_fault.map(|then| progress.elapsed().saturating_sub(then));
    let outlook = Outlook::of(counts.triggers.values().copied(), progress.elapsed());
    let refusal = |((solver, said), count): (&(usize, String), &u64)| json!({"solver": names[*solver], "said": said, "count": count});
    let refusals: Vec<_> = counts.refusals.iter().map(refusal).collect();
    json!({
        "event": event, "seconds": progress.elapsed().as_secs_f64(), "turns": counts.turns,
        "strategies": counts.by_strategy, "yields": counts.yields, "solvers": solvers, "findings": findings,
        "rationed": counts.rationed, "failed": counts.failed, "warm_only": counts.warm, "ignored": counts.ignored,
        "question_seconds": counts.question_time.all.as_secs_f64(),
        "late_seconds": counts.question_time.late.as_secs_f64(), "asked_higher": counts.asked_higher,
        "faults": counts.faults, "seconds_since_last_fault": since.map(|time| time.as_secs_f64()),
        "refusals": refusals, "triggers": outlook.triggers, "triggered_once": outlook.once,
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
