//! What one sees of a hunt: a live line on a terminal, plain lines elsewhere, JSON for machines.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::campaign::{Counts, Event, Failure, HuntPlan, Plan, PlannedWork, Progress};
use crate::finding::{Outlook, words};
use crate::judge::Kind;
use crate::report::matrix::Matrix;
use crate::report::{counted, course, enumerated, many};
use crate::solver::{Outcome, SolverId};
use crate::store::{Enumerated, Place, Row, TurnOutcome};
use crate::strategy::Wants;
use crate::study::events::{event_json, progress_json};

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
        let counts = progress.counts();
        let elapsed = progress.elapsed();
        let rate = counts.turns as f64 / elapsed.as_secs_f64().max(0.001);
        let found: u64 = counts.findings.values().sum();
        let sum = |is_meant: fn(TurnOutcome) -> bool| -> u64 {
            let all = counts.outcomes.iter().flatten();
            all.filter(|(outcome, _)| is_meant(**outcome)).map(|(_, n)| n).sum()
        };
        let left = match (self.budget, self.turns) {
            (Some(budget), _) => format!(", {} left", course::clock(budget.saturating_sub(elapsed))),
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

    /// How the run went, in sentences.
    fn course(&self, counts: &Counts, elapsed: Duration) -> Vec<String> {
        let refused = counts.refusals.values().sum();
        let commonest = counts.refusals.iter().max_by_key(|(_, n)| **n);
        let commonest = commonest.map(|((solver, said), n)| (&self.solvers[*solver], said.as_str(), *n));
        vec![
            course::time_outs(counts.question_time.late, counts.question_time.all, counts.asked_higher),
            course::refusals(refused, counts.asked, commonest),
            course::last_fault(counts.last_fault.map(|then| elapsed.saturating_sub(then))),
            course::outlook(&Outlook::of(counts.triggers.values().copied(), elapsed)),
        ]
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
        let counts = progress.counts();
        let seconds = progress.elapsed().as_secs_f64().max(0.001);
        let stopped = stop.load(Ordering::Relaxed);
        let why = if stopped && self.budget.is_none() { " (stopped)" } else { "" };
        println!(
            "{} in {seconds:.1} s, {:.1} a second{why}",
            many(counts.turns, "turn"),
            counts.turns as f64 / seconds
        );
        for (name, n) in &counts.by_strategy {
            let found = counts.yields.get(*name).copied().unwrap_or(0);
            let faults = counts.faults.get(*name).copied().unwrap_or(0);
            let first =
                if faults > 0 { format!(", first to find {faults} of the faults") } else { String::new() };
            println!("  {name}: {}, {}{first}", many(*n, "turn"), many(found, "finding"));
        }
        for (name, outcomes) in self.solvers.iter().zip(&counts.outcomes) {
            let parts: Vec<_> = outcomes.iter().map(|(l, n)| format!("{n} {}", l.word())).collect();
            println!("  {name}: {}", parts.join(", "));
        }
        for sentence in self.course(&counts, progress.elapsed()) {
            println!("  {sentence}");
        }
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
            println!("  {}", notes.join(", "));
        }
        self.findings(rows);
    }

    /// How many findings there are of each kind against each solver.
    fn findings(&self, rows: &[Row]) {
        let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
        for row in rows.iter().filter(|r| !r.warm) {
            let nobody = if row.finding.kind == Kind::Unconfirmed { "nobody accused" } else { "undecided" };
            let whom = row.finding.against.as_ref().map_or(nobody, SolverId::as_str).to_owned();
            *kinds.entry((whom, row.finding.kind.word().to_owned())).or_default() += 1;
        }
        if kinds.is_empty() {
            println!("nothing found");
            return;
        }
        println!("findings of the campaign, in {}:", self.store);
        for ((whom, kind), n) in kinds {
            println!("{n:>6}  {whom}: {kind}");
        }
        println!("`gainsay findings` lists them, `gainsay show N` shows one");
    }
}
