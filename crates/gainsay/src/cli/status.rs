//! `gainsay status`: how far a campaign is, and who works on it.

use std::time::SystemTime;

use serde_json::json;

use super::{STORE, exit};
use crate::report::many;
use crate::store::{Address, Place, Postgres, Reader, Sqlite, Status, StoreError};

/// Which campaign, and for whom.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign: a folder, or `postgres://user@host/database#name`
    #[arg(long, default_value = STORE)]
    store: Place,
    /// For machines
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (status, turns) = match &args.store {
        Place::Server(address) => asked(address)?,
        Place::Folder(folder) => (alone(&Sqlite::look(folder)?)?, None),
    };
    if args.json {
        println!("{}", as_json(&status, turns));
    } else {
        print!("{}", words(&status, turns));
    }
    Ok(exit::FINE)
}

/// How far a campaign on a server is, and how many turns it is to have.
fn asked(address: &Address) -> Result<(Status, Option<u64>), StoreError> {
    let store = Postgres::look(address)?;
    Ok((store.status()?, store.turns()?))
}

/// The same in words.
pub fn of_server(address: &Address) -> Result<String, StoreError> {
    let (status, turns) = asked(address)?;
    Ok(words(&status, turns))
}

/// How far a campaign of one machine is.
fn alone(store: &dyn Reader) -> Result<Status, StoreError> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs() / 60);
    let last: u64 = store.course()?.iter().filter(|(minute, ..)| minute + 1 == now).map(|row| row.1).sum();
    Ok(Status {
        turns: store.series()?.iter().map(|s| u64::from(s.turns)).sum(),
        lately: last,
        findings: store.findings()?.iter().filter(|row| !row.warm).count() as u64,
        ..Status::default()
    })
}

/// Seconds until all turns are made, if there is an end and somebody works: 0 only when they are.
fn left(status: &Status, turns: Option<u64>) -> Option<u64> {
    let missing = turns?.saturating_sub(status.turns);
    (status.lately > 0 || missing == 0).then(|| (missing * 60).div_ceil(status.lately.max(1)))
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
        "over": status.over, "leases": status.open, "overdue": status.overdue, "waiting": status.waiting,
        "seconds_left": left(status, turns), "workers": workers,
    })
}

fn words(status: &Status, turns: Option<u64>) -> String {
    let of = turns.map_or(String::new(), |n| format!(" of {n}"));
    let mut text = format!(
        "{}{of} turns, {:.1} a second, {}\n",
        status.turns,
        status.lately as f64 / 60.0,
        many(status.findings, "finding")
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
        let state = match (w.gone, w.note.is_empty()) {
            (true, false) => w.note.clone(),
            (true, true) => "gone".to_owned(),
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
            over: false,
        };
        let told = words(&status, Some(1800));
        for line in [
            "600 of 1800 turns, 10.0 a second, 2 findings",
            "16 leases open, 1 of them overdue; waiting: 9 ranges",
            "about 2 min left",
            "    3  node7, process 42, 16 jobs, 600 turns, heard of 2 s ago",
            "    4  node7, process 42, 16 jobs, 600 turns, takes no work: z3@5.4.0 cannot be had",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}: {told}");
        }
        assert_eq!(left(&status, None), None);
        assert!(words(&status, Some(600)).contains("all turns are made"));
        // One is missing, of ten a second.
        assert_eq!(left(&status, Some(601)), Some(1));
        assert!(words(&status, Some(601)).contains("about 1 min left"));
        let over = Status { over: true, ..status };
        assert!(words(&over, Some(601)).contains("it is over"));
        assert!(words(&over, None).contains("it is over"));
    }
}
