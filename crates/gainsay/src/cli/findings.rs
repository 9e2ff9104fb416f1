//! `gainsay findings`, `show` and `replay`: the findings of a campaign, one finding, and one finding looked at again.

use anyhow::bail;

use super::columns::wrapped;
use super::{choose, exit};
use crate::config::Config;
use crate::finding::{FaultCount, words};
use crate::judge::{Budget, oracle};
use crate::report::findings::{fault_json, finding_json, plain_title};
use crate::report::many;
use crate::report::triage::fault_count;
use crate::solver::{Limits, SolverId};
use crate::store::Place;
use crate::study::machine::deciding;
use crate::study::{
    FaultList, Labels, ReplayVerdict, Replayed, ReplayedRun, faults_of, issue_of, numbered, scope_of, stored,
    title,
};

/// Which findings to list.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Also list what was seen only in warm sessions
    #[arg(long)]
    warm: bool,
    /// Print each finding as a line of JSON
    #[arg(long)]
    json: bool,
    /// One line for each fault, the worst first: what has the same kind, solver and reduced formula up to renaming, and fails in
    /// the same releases with the same options (`gainsay reduce N`, `gainsay triage`)
    #[arg(long)]
    group: bool,
}

/// Lists findings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    if args.group {
        return list_faults(args);
    }
    let store = args.store.look()?;
    let triggers = store.triggers()?;
    let rows: Vec<_> = store.findings()?.into_iter().filter(|r| args.warm || !r.warm).collect();
    if !args.json && rows.is_empty() {
        println!("nothing found yet");
    }
    for one in stored(&*store, rows)? {
        let f = &one.finding;
        if args.json {
            let count = triggers.get(&f.fingerprint).copied().unwrap_or(1);
            let file = args.store.shown(&one.folder, "case.smt2");
            println!("{}", finding_json(&one, &file, count));
        } else {
            let warm = if one.warm { " (only warm)" } else { "" };
            let heading = format!("{:>5} {:>6} bytes  ", one.id, one.shown().case.len());
            println!("{}", wrapped(&heading, &format!("{}{warm}", plain_title(&one))));
        }
    }
    Ok(exit::FINE)
}

/// Lists faults.
fn list_faults(args: &Args) -> anyhow::Result<u8> {
    let config = Config::read()?;
    let store = args.store.look()?;
    let triggers = store.triggers()?;
    let finder = choose::finder(&config);
    let FaultList { faults, left_out } = faults_of(&*store, args.warm, finder, choose::ignored(&config))?;
    let mut labels = Labels::new(finder);
    for fault in &faults {
        let (title, count) = (title(fault.leader(), &mut labels), fault.triggers(&triggers));
        if args.json {
            println!("{}", fault_json(fault, &title, count));
        } else {
            let findings = many(fault.findings().count() as u64, "finding");
            let (id, bytes) = (fault.leader().id(), fault.shown().case.len());
            let heading = format!("{id:>5} {findings:>12} {:>12} {bytes:>6} bytes  ", many(count, "trigger"));
            println!("{}", wrapped(&heading, &title));
        }
    }
    if !args.json {
        println!("{}", fault_count(FaultCount::of(&faults)));
    }
    if left_out > 0 {
        eprintln!("{} left out, as gainsay.toml says", many(left_out, "fault"));
    }
    Ok(exit::FINE)
}

/// Which finding.
#[derive(clap::Args)]
pub struct One {
    /// Its number, from `gainsay findings`
    id: u64,
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
}

/// What to show, and how.
#[derive(clap::Args)]
pub struct Show {
    #[command(flatten)]
    one: One,
    /// Print it in this form: `issue` is the text of a report to the solver's maintainers
    #[arg(long = "as", value_name = "FORM")]
    form: Option<Form>,
}

/// Forms of a finding.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Form {
    /// A report to the solver's maintainers
    Issue,
}

/// Shows a finding.
pub fn show(args: &Show) -> anyhow::Result<u8> {
    let Show { one: args, form } = args;
    let config = Config::read()?;
    let finder = choose::finder(&config);
    let one = numbered(&args.store, args.id)?;
    if matches!(form, Some(Form::Issue)) {
        print!("{}", issue_of(&one, finder));
        return Ok(exit::FINE);
    }
    println!("{}", words::readme(one.verdict(), one.id));
    let script = |name: &str, text: &str| {
        let place = args.store.shown(&one.folder, name);
        println!("## The script ({place})\n\n```\n{}\n```", text.trim_end());
    };
    match &one.reduced {
        Some(reduced) => {
            println!("Reduced from {} to {} bytes.\n", one.finding.case.len(), reduced.case.len());
            script("reduced.smt2", &reduced.case);
        }
        None => script("case.smt2", &one.finding.case),
    }
    let versions = scope_of(&one, finder).versions();
    if !versions.is_empty() {
        println!("\n## Releases\n\n{versions}");
    }
    match one.options.as_deref() {
        Some([]) => println!("\nIt needs no options."),
        Some(needed) => println!("\nIt needs {}.", needed.join(" ")),
        None => {}
    }
    Ok(exit::FINE)
}

/// Looks at a finding again.
#[derive(clap::Args)]
pub struct Replay {
    #[command(flatten)]
    one: One,
    /// Ask these instead of the solvers of the campaign
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// How far deciding who is wrong may go, as for `hunt` [default: as in the campaign]
    #[arg(long, value_name = "BUDGET")]
    decide: Option<Budget>,
    /// Seconds for each question
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
}

/// Looks at a finding again: its evidence, then the solvers.
pub fn replay(args: &Replay) -> anyhow::Result<u8> {
    let one = numbered(&args.one.store, args.one.id)?;
    let f = &one.finding;
    println!("{}: {}", one.id, words::summary(f));
    let solvers = if args.solvers.is_empty() {
        choose::finder(&Config::read()?).of(f)?
    } else {
        choose::solvers(&args.solvers, None, &[])?
    };
    let Some(oracle) = oracle::named(&f.oracle) else { bail!("the oracle {} is not known", f.oracle) };
    let limits = Limits::of_time(std::time::Duration::try_from_secs_f64(args.timeout)?);
    let budget = deciding(&*args.one.store.look()?, args.decide)?;
    let Replayed { models, runs, verdict } = crate::study::replay(&one, oracle, &solvers, limits, budget)?;
    for verdict in models {
        let holds = match verdict {
            smt::Verdict::True => "every assertion in scope is true",
            smt::Verdict::False => "an assertion in scope is false",
            smt::Verdict::Open(_) => "it is open whether the assertions hold",
        };
        println!("  under the stored model {holds}");
    }
    for ReplayedRun { solver, answers, ending } in runs {
        let answers: Vec<_> = answers.iter().map(|answer| answer.word()).collect();
        let outcome = if answers.is_empty() { ending.to_string() } else { answers.join(" ") };
        println!("  {solver} now: {outcome}");
    }
    match verdict {
        ReplayVerdict::Still { fault, against } => {
            println!("still so: {}", words::summary_of(&fault, against.as_ref().map(SolverId::as_str)));
            return Ok(exit::FINDINGS);
        }
        ReplayVerdict::Abstained(why) => println!("no longer to be said: {}", words::abstention(&why)),
        ReplayVerdict::Gone => println!("no longer so"),
    }
    Ok(exit::FINE)
}
