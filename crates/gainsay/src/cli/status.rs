//! `gainsay status`: how far a campaign on a server is, and who works on it.

use serde_json::json;

use super::exit;
use super::hunt::{BadUsage, heed};
use crate::store::{Place, Postgres, Status};

/// Which campaign, and for whom.
#[derive(clap::Args)]
pub struct Args {
    /// The address of the campaign: `postgres://user@host/database#name`
    #[arg(long)]
    store: Place,
    /// For machines
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Place::Server(address) = &args.store else {
        let words = format!("{} is a folder of one machine; `gainsay report --serve` shows it", args.store);
        return Err(BadUsage(words).into());
    };
    heed(address);
    let store = Postgres::look(address)?;
    let status = store.status()?;
    let turns = store.setting("turns")?.and_then(|text| text.parse::<u64>().ok());
    if args.json {
        println!("{}", as_json(&status, turns));
    } else {
        print!("{}", words(&status, turns));
    }
    Ok(exit::FINE)
}

/// Seconds until all turns are made, if there is an end and somebody works.
fn left(status: &Status, turns: Option<u64>) -> Option<u64> {
    let missing = turns?.saturating_sub(status.turns);
    (status.lately > 0 || missing == 0).then(|| missing * 60 / status.lately.max(1))
}

fn as_json(status: &Status, turns: Option<u64>) -> serde_json::Value {
    let workers: Vec<_> = status
        .workers
        .iter()
        .map(|w| {
            json!({
                "id": w.id, "machine": w.machine, "process": w.process, "jobs": w.jobs, "turns": w.turns,
                "seconds": w.age / 1000, "heard_seconds_ago": w.silence / 1000, "gone": w.gone, "note": w.note,
            })
        })
        .collect();
    json!({
        "turns": status.turns, "of": turns, "turns_a_minute": status.lately, "findings": status.findings,
        "leases": status.open, "overdue": status.overdue, "waiting": status.waiting,
        "seconds_left": left(status, turns), "workers": workers,
    })
}

fn words(status: &Status, turns: Option<u64>) -> String {
    let of = turns.map_or(String::new(), |n| format!(" of {n}"));
    let mut text = format!(
        "{}{of} turns, {:.1} a second, {} findings\n{} leases open, {} of them overdue; {} ranges wait\n",
        status.turns,
        status.lately as f64 / 60.0,
        status.findings,
        status.open,
        status.overdue,
        status.waiting
    );
    match left(status, turns) {
        Some(0) => text.push_str("all turns are made\n"),
        Some(seconds) => text.push_str(&format!("about {} min left\n", seconds.div_ceil(60))),
        None => {}
    }
    for w in &status.workers {
        let state = match (w.gone, w.note.is_empty()) {
            (true, false) => w.note.clone(),
            (true, true) => "gone".to_owned(),
            (false, _) => format!("heard of {} s ago", w.silence / 1000),
        };
        text.push_str(&format!(
            "{:>5}  {}, process {}, {} jobs, {} turns, {state}\n",
            w.id, w.machine, w.process, w.jobs, w.turns
        ));
    }
    text
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
            turns: 600,
            gone: false,
            note: String::new(),
        };
        let refused = WorkerRow {
            id: 4,
            gone: true,
            note: "takes no work: z3@5.4.0 cannot be had".to_owned(),
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
        };
        let told = words(&status, Some(1800));
        for line in [
            "600 of 1800 turns, 10.0 a second, 2 findings",
            "16 leases open, 1 of them overdue; 9 ranges wait",
            "about 2 min left",
            "    3  node7, process 42, 16 jobs, 600 turns, heard of 2 s ago",
            "    4  node7, process 42, 16 jobs, 600 turns, takes no work: z3@5.4.0 cannot be had",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
        assert_eq!(left(&status, None), None);
        assert!(words(&status, Some(600)).contains("all turns are made"));
    }
}
