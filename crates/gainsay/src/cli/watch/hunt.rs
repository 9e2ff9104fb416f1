//! What one sees of a hunt: a live line on a terminal, plain lines elsewhere, JSON for machines.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::campaign::{Event, Failure, HuntPlan, Plan, PlannedWork, Progress};
use crate::finding::words;
use crate::report::matrix::Matrix;
use crate::report::{counted, enumerated, many};
use crate::solver::SolverId;
use crate::store::{Enumerated, Place, Row};
use crate::strategy::Wants;
use crate::study::events::{event_json, progress_json};
use crate::study::summary;

/// How often a plain line tells how far we are.
const LINES: Duration = Duration::from_secs(10);

/// Shows a hunt.
pub struct HuntWatcher {
    json: bool,
    bar: Option<ProgressBar>,
    last: Instant,
    solvers: Vec<SolverId>,
    store: String,
    budget: Option<Duration>,
    turns: Option<u64>,
    greeting: String,
    begin: serde_json::Value,
}

impl HuntWatcher {
    /// A watcher of a hunt.
    pub fn new(json: bool, plan: &Plan, store: &Place, budget: Option<Duration>) -> HuntWatcher {
        let terminal = std::io::stderr().is_terminal();
        let solvers: Vec<_> = plan.solvers.iter().map(|s| s.name.clone()).collect();
        let empty = HuntPlan::default();
        let HuntPlan { strategies: kinds, corpus, .. } = match &plan.work {
            PlannedWork::Hunt(hunt) => hunt,
            PlannedWork::Study(_) => &empty,
        };
        let strategies: Vec<_> = kinds.iter().map(|(n, _)| *n).collect();
        let seeded = kinds.iter().any(|(_, kind)| kind.wants() != Wants::Nothing);
        let from = format!(" from {}", many(corpus.seeds.len() as u64, "seed"));
        let mut greeting = format!(
            "hunting {} with {}{}, {}, --seed {}\n",
            solvers.iter().map(SolverId::as_str).collect::<Vec<_>>().join(", "),
            strategies.join(", "),
            if seeded { &from } else { "" },
            many(plan.jobs as u64, "worker"),
            plan.seed
        );
        if !corpus.unusable.is_empty() {
            greeting.push_str(&format!(
                "{} cannot be used:{}\n",
                many(corpus.unusable.len() as u64, "file"),
                corpus.reasons()
            ));
        }
        if seeded && !corpus.dropped.is_empty() {
            greeting.push_str(&format!("left out of seeds: {}\n", counted(&corpus.dropped, 12)));
        }
        let begin = json!({
            "event": "begin", "solvers": solvers, "strategies": strategies, "seeds": corpus.seeds.len(),
            "unusable": corpus.unusable.len(), "dropped": corpus.dropped, "jobs": plan.jobs, "seed": plan.seed,
            "store": store.to_string(),
        });
        let bar = (terminal && !json).then(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("well-formed"));
            bar
        });
        HuntWatcher {
            json,
            bar,
            last: Instant::now(),
            solvers,
            store: store.to_string(),
            budget,
            turns: plan.turns,
            greeting,
            begin,
        }
    }

    /// Says what will be done.
    pub fn begin(&self) {
        if self.json {
            println!("{}", self.begin);
        } else {
            eprint!("{}", self.greeting);
        }
    }

    /// Shows an event, or how far we are.
    pub fn see(&mut self, progress: &Progress, event: Option<&Event>) {
        if let Some(line) = event.and_then(|event| self.told(event)) {
            match &self.bar {
                Some(bar) => bar.suspend(|| eprintln!("{line}")),
                None if self.json => println!("{line}"),
                None => eprintln!("{line}"),
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_message(self.line(progress));
            bar.tick();
        } else if self.last.elapsed() >= LINES {
            self.last = Instant::now();
            if self.json {
                println!("{}", progress_json("progress", &self.solvers, progress));
            } else {
                eprintln!("{}", self.line(progress));
            }
        }
    }

    /// An event in a line.
    fn told(&self, event: &Event) -> Option<String> {
        if self.json {
            return event_json(event).map(|line| line.to_string());
        }
        Some(match event {
            Event::Found { number, finding, warm } => {
                let shown = number.map_or_else(|| "new".to_owned(), |number| number.to_string());
                let kind = if *warm { "only warm" } else { finding.kind.word() };
                format!("{shown:>5}  {kind}: {}", words::summary(finding))
            }
            Event::Failed(Failure { strategy, series, step, why }) => {
                format!("gainsay: {strategy}, series {series}, turn {step} failed, and is left out: {why}")
            }
            Event::Ended(_) => return None,
        })
    }

    /// Takes the live line away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let left = self.budget.map(|budget| budget.saturating_sub(progress.elapsed()));
        summary::so_far(progress, left, self.turns)
    }

    /// The summary.
    pub fn end(
        &self,
        progress: &Progress,
        rows: &[Row],
        (matrix, grammars): (&Matrix, &[Enumerated]),
        stop: &AtomicBool,
    ) {
        if self.json {
            if !matrix.is_empty() {
                println!("{}", json!({"event": "matrix", "matrix": matrix.json()}));
            }
            println!("{}", progress_json("end", &self.solvers, progress));
            return;
        }
        print!("{}", matrix.terminal());
        grammars.iter().flat_map(enumerated::lines).for_each(|line| println!("{line}"));
        let stopped = stop.load(Ordering::Relaxed) && self.budget.is_none();
        for line in summary::lines(&self.solvers, progress, rows, stopped) {
            println!("{line}");
        }
        let found = summary::findings(rows);
        if found.is_empty() {
            println!("nothing found");
            return;
        }
        println!("findings of the campaign, in {}:", self.store);
        for line in found {
            println!("{line}");
        }
        println!("`gainsay findings` lists them, `gainsay show N` shows one");
    }
}
