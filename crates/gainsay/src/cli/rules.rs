//! `gainsay rules`: the rules of approximation, their proofs, and audits of what is made with them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Subcommand;

use super::arguments::BadUsage;
use super::columns::fitted;
use super::progress::Bar;
use super::{choose, exit};
use crate::finding::words;
use crate::judge::AuditVerdict;
use crate::seed::{Corpus, Keep, builtin};
use crate::strategy::equivalence_examples;
use crate::study::rules::{RuleAudit, check_equivalences, check_rules, listed_json, listed_text, rules_of};

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
    /// Print lines of JSON
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
    /// Prove the equivalences of `rewrite`, or those of a file
    Equivalences(Equivalences),
}

/// Which equivalences to prove, and by whom.
#[derive(clap::Args)]
pub struct Equivalences {
    /// A table of equivalences, as for `hunt --table`; without any, those that come with the program
    file: Option<PathBuf>,
    #[command(flatten)]
    whom: choose::Whom,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
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
    /// How many of the mutants to check also as a whole
    #[arg(long, default_value_t = 3000)]
    whole: u64,
    /// Seconds for each step
    #[arg(long, default_value_t = 1.0)]
    timeout: f64,
    /// Seconds for each check of a whole mutant
    #[arg(long, default_value_t = 2.0)]
    whole_timeout: f64,
    /// The number that mutants are drawn from
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    draw: u64,
    /// Treat every place as positive, as a test of the audit: it must refute such mutants
    #[arg(long)]
    control: bool,
    /// Turn the seeds into clauses first
    #[arg(long)]
    cnf: bool,
    /// Print the result as a line of JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.what {
        None => list(&args.list),
        Some(What::Check(args)) => check(args),
        Some(What::Audit(args)) => audit(args),
        Some(What::Equivalences(args)) => equivalences(args),
    }
}

fn list(args: &List) -> anyhow::Result<u8> {
    let rules = rules_of(args.theory.as_deref()).map_err(BadUsage)?;
    for rule in &rules {
        if args.json {
            println!("{}", listed_json(rule));
        } else {
            println!("{}", fitted(&listed_text(rule)));
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
    let rules = rules_of(args.list.theory.as_deref()).map_err(BadUsage)?;
    let bar = Bar::new(rules.len());
    let checked = check_rules(&rules, args.whom.solvers()?, time(args.timeout)?, args.draw, |rule| {
        let about = rule.about();
        if args.list.json {
            println!("{}", rule.json());
        } else if rule.verdict != Some(AuditVerdict::Holds) {
            let sorts = rule.verdict.map_or(String::new(), |verdict| rule.sorts(verdict));
            println!("{}: {about} {sorts}", rule.id);
        }
        bar.say(&format!("{}: {about}", rule.id));
    })?;
    bar.finish();
    let count = |verdict| checked.iter().filter(|rule| rule.verdict == verdict).count();
    let [holds, open, refuted] =
        [AuditVerdict::Holds, AuditVerdict::Open, AuditVerdict::Refuted].map(|verdict| count(Some(verdict)));
    let unread = count(None);
    eprintln!("{} rules: {holds} hold, {open} open, {refuted} refuted, {unread} not read", rules.len());
    Ok(if refuted > 0 { exit::NOT_SO } else { exit::FINE })
}

fn equivalences(args: &Equivalences) -> anyhow::Result<u8> {
    let read = |file: &PathBuf| {
        std::fs::read_to_string(file).map_err(|e| BadUsage(format!("{}: {e}", file.display())))
    };
    let text = args.file.as_ref().map(read).transpose()?;
    let examples = equivalence_examples(text.as_deref()).map_err(BadUsage)?;
    let bar = Bar::new(examples.len());
    let verdicts =
        check_equivalences(&examples, args.whom.solvers()?, time(args.timeout)?, |example, verdict| {
            match verdict {
                Some(AuditVerdict::Holds) => {}
                Some(AuditVerdict::Open) => println!("{}: open", example.name),
                Some(AuditVerdict::Refuted) => println!("{}: REFUTED\n{}", example.name, example.refutation),
                None => println!("{}: no solver here reads it", example.name),
            }
            bar.say(&example.name);
        })?;
    bar.finish();
    let count = |wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count();
    let [holds, open, refuted] =
        [AuditVerdict::Holds, AuditVerdict::Open, AuditVerdict::Refuted].map(|verdict| count(Some(verdict)));
    let (all, unread) = (examples.len(), count(None));
    eprintln!("{all} equivalences: {holds} hold, {open} open, {refuted} refuted, {unread} not read");
    Ok(if refuted > 0 { exit::NOT_SO } else { exit::FINE })
}

fn audit(args: &Audit) -> anyhow::Result<u8> {
    let solvers = args.whom.solvers()?;
    let audit = RuleAudit {
        mutants: args.mutants,
        wholes: args.whole,
        time: time(args.timeout)?,
        whole_time: time(args.whole_timeout)?,
        draw: args.draw,
        control: args.control,
        cnf: args.cnf,
    };
    let strategy = audit.strategy(&solvers).map_err(|e| BadUsage(e.to_string()))?;
    let mut corpus = Corpus::of_texts(&builtin::scripts().collect::<Vec<_>>(), Keep::Bare);
    if !args.seeds.is_empty() {
        let more = Corpus::load(&args.seeds, Keep::Bare).map_err(|e| BadUsage(e.to_string()))?;
        corpus.seeds.extend(more.seeds);
    }
    let started = Instant::now();
    let bar = Bar::new(args.mutants as usize);
    let sum = audit.run(&corpus, solvers, &*strategy, |sum| bar.at(sum.mutants as usize, || sum.line()))?;
    bar.finish();
    for (asked, script) in &sum.report.refuted {
        eprintln!("REFUTED: {}\n{script}", words::asked(asked));
    }
    let took = started.elapsed();
    println!("{}", if args.json { sum.json(took).to_string() } else { sum.text(took) });
    Ok(if sum.report.refuted.is_empty() { exit::FINE } else { exit::NOT_SO })
}
