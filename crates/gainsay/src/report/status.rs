//! How far a campaign is and who works on it, in words and as JSON.

use serde_json::json;

use super::triage::fault_count;
use super::words::many;
use crate::finding::FaultCount;
use crate::store::{NoWork, Status};

/// The status of a campaign.
#[derive(Clone, Debug)]
pub struct StatusReport {
    /// Turns, findings, leases and workers.
    pub status: Status,
    /// How many turns the campaign is to have, if there is an end.
    pub turns: Option<u64>,
    /// Its faults.
    pub faults: FaultCount,
}

/// Seconds until all turns are made, if there is an end and somebody works: 0 only when they are.
fn left(status: &Status, turns: Option<u64>) -> Option<u64> {
    let missing = turns?.saturating_sub(status.turns);
    (status.lately > 0 || missing == 0).then(|| (missing * 60).div_ceil(status.lately.max(1)))
}

/// The status for machines.
pub fn json(report: &StatusReport) -> serde_json::Value {
    let StatusReport { status, turns, faults } = report;
    let turns = *turns;
    let workers: Vec<_> = status
        .workers
        .iter()
        .map(|w| {
            json!({
                "id": w.id, "machine": w.machine, "process": w.process, "jobs": w.jobs, "turns": w.turns,
                "seconds": w.age / 1000, "heard_seconds_ago": w.silence / 1000, "gone": w.gone,
                "note": w.no_work.as_ref().map(no_work).unwrap_or_default(), "no_work": w.no_work,
            })
        })
        .collect();
    json!({
        "turns": status.turns, "of": turns, "turns_a_minute": status.lately, "findings": status.findings, "faults": faults.all(),
        "proved": faults.proved, "undecided": faults.undecided, "unconfirmed": faults.unconfirmed,
        "over": status.over, "leases": status.open, "overdue": status.overdue, "waiting": status.waiting,
        "seconds_left": left(status, turns), "workers": workers,
    })
}

/// The status in words.
pub fn words(report: &StatusReport) -> String {
    let StatusReport { status, turns, faults } = report;
    let turns = *turns;
    let of = turns.map_or(String::new(), |n| format!(" of {n}"));
    let mut text = format!(
        "{}{of} turns, {:.1} a second, {}, {}\n",
        status.turns,
        status.lately as f64 / 60.0,
        many(status.findings, "finding"),
        fault_count(*faults)
    );
    if !status.workers.is_empty() {
        let open = many(status.open, "lease");
        let (overdue, waiting) = (status.overdue, many(status.waiting, "range"));
        text.push_str(&format!("{open} open, {overdue} of them overdue; waiting: {waiting}\n"));
    }
    match left(status, turns) {
        Some(0) => text.push_str("all turns are made\n"),
        _ if status.over => text.push_str("it is over: its strategies have come to their end\n"),
        Some(seconds) => text.push_str(&format!("about {} min left\n", seconds.div_ceil(60))),
        None => {}
    }
    for w in &status.workers {
        let state = match (w.gone, &w.no_work) {
            (true, Some(why)) => no_work(why),
            (true, None) => "gone".to_owned(),
            (false, _) => format!("heard of {} s ago", w.silence / 1000),
        };
        text.push_str(&format!(
            "{:>5}  {}, process {}, {}, {}, {state}\n",
            w.id,
            w.machine,
            w.process,
            many(w.jobs, "job"),
            many(w.turns, "turn")
        ));
    }
    text
}

/// Why a worker takes no work.
fn no_work(why: &NoWork) -> String {
    let why = match why {
        NoWork::OtherProgram { campaign, worker } => {
            format!("the campaign was begun by gainsay {campaign}, and the worker is gainsay {worker}")
        }
        NoWork::NoSeeds { count } => format!("the store has no texts of its {}", many(*count, "seed")),
        NoWork::UnreadSeeds { unread, of } => format!("it cannot read {unread} of {}", many(*of, "seed")),
        NoWork::Solver { error } | NoWork::Definition { error } | NoWork::Failed { error } => error.clone(),
    };
    format!("takes no work: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::WorkerRow;

    #[test]
    fn a_campaign_in_words() {
        let worker = WorkerRow {
            id: 3,
            machine: "node7".to_owned(),
            process: 42,
            jobs: 16,
            age: 60_000,
            silence: 2_500,
            lease: 60_000,
            turns: 600,
            gone: false,
            no_work: None,
        };
        let refused = WorkerRow {
            id: 4,
            gone: true,
            no_work: Some(NoWork::Solver { error: "z3@5.4.0 is not installed".to_owned() }),
            ..worker.clone()
        };
        let status = Status {
            workers: vec![worker, refused],
            turns: 600,
            lately: 600,
            findings: 2,
            open: 16,
            overdue: 1,
            waiting: 9,
            over: false,
        };
        let of = |status: &Status, turns| {
            let faults = FaultCount { proved: 1, ..FaultCount::default() };
            words(&StatusReport { status: status.clone(), turns, faults })
        };
        let told = of(&status, Some(1800));
        for line in [
            "600 of 1800 turns, 10.0 a second, 2 findings, 1 fault (1 proved)",
            "16 leases open, 1 of them overdue; waiting: 9 ranges",
            "about 2 min left",
            "    3  node7, process 42, 16 jobs, 600 turns, heard of 2 s ago",
            "    4  node7, process 42, 16 jobs, 600 turns, takes no work: z3@5.4.0 is not installed",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
        let faults = FaultCount::default();
        let data = json(&StatusReport { status: status.clone(), turns: None, faults });
        assert_eq!(data["workers"][0]["note"], "");
        assert_eq!(data["workers"][0]["no_work"], serde_json::Value::Null);
        assert_eq!(data["workers"][1]["note"], "takes no work: z3@5.4.0 is not installed");
        assert_eq!(data["workers"][1]["no_work"]["solver"]["error"], "z3@5.4.0 is not installed");
        assert_eq!(left(&status, None), None);
        assert!(of(&status, Some(600)).contains("all turns are made"));
        // One is missing, of ten a second.
        assert_eq!(left(&status, Some(601)), Some(1));
        assert!(of(&status, Some(601)).contains("about 1 min left"));
        let over = Status { over: true, ..status };
        assert!(of(&over, Some(601)).contains("it is over"));
        assert!(of(&over, None).contains("it is over"));
    }
}
