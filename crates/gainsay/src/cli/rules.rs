//! `gainsay rules`: the rules of approximation, their proofs, and audits of what is made with them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;

use super::arguments::BadUsage;
use super::columns::fitted;
use super::progress::Bar;
use super::{choose, exit};
use crate::case::{Answer, Choices};
use crate::finding::words;
use crate::judge::{AuditReport, AuditVerdict, Auditors};
use crate::seed::{Asked, Corpus, builtin};
use crate::solver::Solver;
use crate::solver::acquire::choose::readers;
use crate::strategy::{self, ListedRule, Options, Strategy, listed_rules, rule_examples};

/// Rules, or what to do with them.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    list: List,
}

/// Which rules.
#[derive(clap::Args)]
pub struct List {
    /// Only those of this theory: core, ints, strings, …
    #[arg(long)]
    theory: Option<String>,
    /// As lines of JSON
    #[arg(long)]
    json: bool,
}

/// What to do with rules.
#[derive(Subcommand)]
pub enum What {
    /// Prove every rule again, at several sorts, with constants drawn
    Check(Check),
    /// Make mutants and have every step of them audited
    Audit(Audit),
}

/// What to prove, and by whom.
#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    list: List,
    #[command(flatten)]
    whom: choose::Whom,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// The number that constants are drawn from
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    draw: u64,
}

/// What to audit, and by whom.
#[derive(clap::Args)]
pub struct Audit {
    /// Seeds besides those that come with the program
    seeds: Vec<PathBuf>,
    #[command(flatten)]
    whom: choose::Whom,
    /// How many mutants
    #[arg(long, default_value_t = 20_000)]
    mutants: u64,
    /// How many of them also as a whole
    #[arg(long, default_value_t = 3000)]
    whole: u64,
    /// Seconds for each step
    #[arg(long, default_value_t = 1.0)]
    timeout: f64,
    /// Seconds for each whole
    #[arg(long, default_value_t = 2.0)]
    whole_timeout: f64,
    /// The number that mutants are drawn from
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    draw: u64,
    /// Take every place to be positive: a control, which must be refuted
    #[arg(long)]
    control: bool,
    /// Make clauses of the seeds first
    #[arg(long)]
    cnf: bool,
    /// The result as a line of JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.what {
        None => list(&args.list),
        Some(What::Check(args)) => check(args),
        Some(What::Audit(args)) => audit(args),
    }
}

fn chosen(args: &List) -> anyhow::Result<Vec<ListedRule>> {
    let all = listed_rules();
    let Some(wanted) = &args.theory else { return Ok(all) };
    let mut theories: Vec<&str> = all.iter().map(|rule| rule.theory).collect();
    theories.sort_unstable();
    theories.dedup();
    if !theories.iter().any(|theory| theory.eq_ignore_ascii_case(wanted)) {
        let known = theories.join(", ");
        return Err(BadUsage(format!("there are no rules for {wanted} (there are {known})")).into());
    }
    Ok(all.into_iter().filter(|rule| rule.theory.eq_ignore_ascii_case(wanted)).collect())
}

fn list(args: &List) -> anyhow::Result<u8> {
    let rules = chosen(args)?;
    for rule in &rules {
        let ListedRule { ids, theory, way, from, to, condition, proved } = rule;
        if args.json {
            let ids: Vec<&str> = ids.split(' ').collect();
            let line = json!({ "ids": ids, "theory": theory, "direction": way, "from": from, "to": to,
                "condition": condition, "proved": proved });
            println!("{line}");
        } else {
            let when = if *condition == "-" { String::new() } else { format!(" if a is {condition}") };
            let line = format!("{ids}  {theory}  {way}: {from} → {to}{when}  [proved by {proved}]");
            println!("{}", fitted(&line));
        }
    }
    if !args.json {
        eprintln!("{} rules", rules.len());
    }
    Ok(exit::FINE)
}

fn time(seconds: f64) -> anyhow::Result<Duration> {
    let bad = |_| BadUsage(format!("{seconds}: seconds above 0 are wanted"));
    Ok(Duration::try_from_secs_f64(seconds).map_err(bad)?)
}

fn check(args: &Check) -> anyhow::Result<u8> {
    let rules = chosen(&args.list)?;
    let solvers = args.whom.solvers()?;
    let speakers = readers(&solvers);
    let mut auditors = Auditors::new(solvers, time(args.timeout)?);
    let examples = rule_examples(args.draw, &speakers);
    let bar = Bar::new(rules.len());
    let mut counts = [0usize; 3];
    let mut unread = 0;
    for rule in &rules {
        let id = rule.ids.split(' ').next().unwrap_or(rule.ids);
        let mut told: Vec<(&str, AuditVerdict)> = Vec::new();
        for example in examples.iter().filter(|example| example.id == id) {
            told.push((example.sort, auditors.audit(&example.refutation)?));
        }
        let word = told.iter().map(|(_, word)| *word).max();
        let about = match word {
            None => "no solver here reads it",
            Some(AuditVerdict::Holds) => "holds",
            Some(AuditVerdict::Open) => "open",
            Some(AuditVerdict::Refuted) => "REFUTED",
        };
        match word {
            Some(word) => counts[word as usize] += 1,
            None => unread += 1,
        }
        let at = |word: AuditVerdict| {
            told.iter().filter(|t| t.1 == word).map(|t| t.0).collect::<Vec<_>>().join(", ")
        };
        if args.list.json {
            println!(
                "{}",
                json!({ "id": id, "word": about, "open": at(AuditVerdict::Open), "refuted": at(AuditVerdict::Refuted) })
            );
        } else if word != Some(AuditVerdict::Holds) {
            let place = word.map_or(String::new(), at);
            println!("{id}: {about} {place}");
        }
        bar.say(&format!("{id}: {about}"));
    }
    bar.finish();
    let [holds, open, refuted] = counts;
    eprintln!("{} rules: {holds} hold, {open} open, {refuted} refuted, {unread} not read", rules.len());
    Ok(if refuted > 0 { exit::NOT_SO } else { exit::FINE })
}

/// What an audit has come to.
#[derive(Default)]
struct Sum {
    mutants: u64,
    wholes: u64,
    told: AuditReport,
    open: BTreeMap<String, u64>,
}

impl Sum {
    fn add(&mut self, mut told: AuditReport) {
        for rule in std::mem::take(&mut told.open) {
            *self.open.entry(words::asked(&rule)).or_default() += 1;
        }
        for rule in std::mem::take(&mut told.unwritten) {
            let line = format!("{}, which cannot be written down", words::rule(&rule));
            *self.open.entry(line).or_default() += 1;
        }
        for (asked, script) in &told.refuted {
            eprintln!("REFUTED: {}\n{script}", words::asked(asked));
        }
        self.told.add(told);
    }

    fn line(&self) -> String {
        let one = |name: &str, tally: crate::judge::Tally| {
            let (open, refuted) = (tally.of(AuditVerdict::Open), tally.of(AuditVerdict::Refuted));
            format!("{} {name}: {open} open, {refuted} refuted", tally.all())
        };
        let AuditReport { steps, places, whole, .. } = &self.told;
        let all = [one("steps", *steps), one("places", *places), one("wholes", *whole)];
        format!("{} mutants; {}", self.mutants, all.join("; "))
    }
}

fn audit(args: &Audit) -> anyhow::Result<u8> {
    let solvers = args.whom.solvers()?;
    let strategy = made(args, &solvers)?;
    let mut corpus = Corpus::of_texts(&builtin::scripts().collect::<Vec<_>>());
    if !args.seeds.is_empty() {
        let more = Corpus::load(&args.seeds).map_err(|e| BadUsage(e.to_string()))?;
        corpus.seeds.extend(more.seeds);
    }
    let mut order: Vec<usize> = (0..corpus.seeds.len()).collect();
    let mut choices = Choices::drawn(args.draw, "order of seeds", 0);
    for i in (1..order.len()).rev() {
        order.swap(i, choices.below(i as u64 + 1) as usize);
    }
    let mut auditors = Auditors::new(solvers.clone(), time(args.timeout)?);
    let mut whole = Auditors::new(solvers, time(args.whole_timeout)?);
    let mut sum = Sum::default();
    let started = Instant::now();
    let bar = Bar::new(args.mutants as usize);
    let each = args.mutants.div_ceil(2 * order.len().max(1) as u64).max(1);
    for round in 0.. {
        let before = sum.mutants;
        for &no in &order {
            if sum.mutants >= args.mutants {
                break;
            }
            let Some(seed) = strategy.takes(&corpus.seeds[no]) else { continue };
            let checks = seed.script().queries().len();
            // Whether an approximation is one does not depend on the seed's answer: both ways are tried.
            for answer in [Answer::Sat, Answer::Unsat] {
                let asked = [Asked { seed: seed.clone(), answers: vec![answer; checks] }];
                let choices = Choices::drawn(args.draw ^ round, answer.word(), no as u64);
                let mut series = strategy.series(round, &asked, choices);
                for _ in 0..each {
                    let Some(case) = series.next().filter(|_| sum.mutants < args.mutants) else { break };
                    sum.mutants += 1;
                    sum.add(auditors.case(&case)?);
                    if sum.mutants * args.whole / args.mutants > sum.wholes {
                        sum.wholes += 1;
                        sum.add(whole.whole(&case)?);
                    }
                }
                bar.at(sum.mutants as usize, || sum.line());
            }
        }
        if sum.mutants >= args.mutants || sum.mutants == before {
            break;
        }
    }
    bar.finish();
    report(args, &sum, [&auditors, &whole], started.elapsed());
    Ok(if sum.told.refuted.is_empty() { exit::FINE } else { exit::NOT_SO })
}

fn made(args: &Audit, solvers: &[Solver]) -> anyhow::Result<Box<dyn Strategy>> {
    let entry = strategy::named("sae").expect("registered");
    let mut given = BTreeMap::from([("readable-by".to_owned(), readers(solvers))]);
    if args.cnf {
        given.insert("cnf".to_owned(), "true".to_owned());
    }
    let options = Options::of(entry.flags, &given);
    let made = if args.control { strategy::without_polarity(&options) } else { (entry.build)(&options) };
    Ok(made.map_err(|e| BadUsage(e.to_string()))?)
}

fn report(args: &Audit, sum: &Sum, auditors: [&Auditors; 2], took: Duration) {
    let (asked, repeated) =
        (auditors[0].asked + auditors[1].asked, auditors[0].repeated + auditors[1].repeated);
    let mut open: Vec<_> = sum.open.iter().collect();
    open.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    if args.json {
        let tally = |t: crate::judge::Tally| {
            [AuditVerdict::Holds, AuditVerdict::Open, AuditVerdict::Refuted].map(|word| t.of(word))
        };
        let refuted = &sum.told.refuted;
        let refuted: Vec<_> = refuted.iter().map(|(asked, script)| (words::asked(asked), script)).collect();
        let line = json!({ "mutants": sum.mutants, "steps": tally(sum.told.steps), "places": tally(sum.told.places),
            "wholes": tally(sum.told.whole), "asked": asked, "repeated": repeated, "open": sum.open,
            "refuted": refuted, "seconds": took.as_secs() });
        println!("{line}");
        return;
    }
    println!("{}", sum.line());
    println!("{asked} questions, {repeated} had been asked before; {} s", took.as_secs());
    let open: Vec<String> = open.iter().take(20).map(|(rule, count)| format!("{rule} {count}")).collect();
    println!("open most often: {}", if open.is_empty() { "nothing".to_owned() } else { open.join(", ") });
}
