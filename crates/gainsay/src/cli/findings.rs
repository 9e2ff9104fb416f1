//! `gainsay findings`, `show` and `replay`: what a campaign found, one of them, and one of them looked at again.

use std::sync::RwLock;

use anyhow::bail;
use serde_json::json;

use super::arguments::BadUsage;
use super::columns::fitted;
use super::{choose, exit};
use crate::case::Case;
use crate::finding;
use crate::judge::TrialRunner;
use crate::judge::probe::Judgement;
use crate::judge::{Complaint, Evidence, oracle};
use crate::judge::{Trial, reply_of};
use crate::solver::acquire::choose::witnesses;
use crate::solver::{AskMode, Limits, Solver};
use crate::store::{Place, Row};
use crate::study::case_of;

/// Which findings to list.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Also what only warm runs showed
    #[arg(long)]
    warm: bool,
    /// One line of JSON for each
    #[arg(long)]
    json: bool,
    /// One line for each fault, the worst first: what has the same kind, solver and reduced formula up to renaming, and fails in
    /// the same releases with the same options (`gainsay reduce N`, `gainsay triage`)
    #[arg(long)]
    group: bool,
}

/// Lists findings.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = args.store.look()?;
    let triggers = store.triggers()?;
    let rows: Vec<_> = store.findings()?.into_iter().filter(|r| args.warm || !r.warm).collect();
    if args.group {
        return super::groups::list(&*store, rows, &triggers, args.json);
    }
    for row in &rows {
        let f = &row.finding;
        let count = triggers.get(&f.fingerprint).copied().unwrap_or(1);
        if args.json {
            let evidence: Vec<_> = f.evidence.iter().filter_map(evidence_name).collect();
            let line = json!({
                "id": row.id, "kind": f.kind, "against": f.against, "evidence": evidence,
                "strategy": f.lineage.strategy, "fingerprint": f.fingerprint,
                "file": args.store.shown(&row.folder, "case.smt2"),
                "summary": finding::words::summary(f), "triggers": count, "bytes": f.case.len(), "warm": row.warm,
            });
            println!("{line}");
        } else {
            let warm = if row.warm { " (only warm)" } else { "" };
            let (kind, bytes) = (f.kind.word(), f.case.len());
            let line =
                format!("{:>5}  {kind:<14} {bytes:>6} bytes  {}{warm}", row.id, finding::words::summary(f));
            println!("{}", fitted(&line));
        }
    }
    if !args.json && rows.is_empty() {
        println!("nothing found yet");
    }
    Ok(exit::FINE)
}

fn evidence_name(evidence: &Evidence) -> Option<String> {
    let value = serde_json::to_value(evidence).ok()?;
    Some(value.get("type")?.as_str()?.to_owned())
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
    /// As what: `issue` is the text of a report to the solver's maintainers
    #[arg(long = "as", value_name = "FORM")]
    form: Option<Form>,
}

/// Forms of a finding.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Form {
    /// A report to the solver's maintainers
    Issue,
}

fn find(args: &One) -> anyhow::Result<Row> {
    numbered(&args.store, args.id)
}

/// The finding with this number in a campaign.
pub fn numbered(store: &Place, id: u64) -> anyhow::Result<Row> {
    let rows = store.look()?.findings()?;
    let ids: Vec<_> = rows.iter().map(|r| r.id.to_string()).collect();
    let found = rows.into_iter().find(|r| r.id == id);
    match found {
        Some(row) => Ok(row),
        None if ids.is_empty() => bail!(BadUsage("nothing was found in this campaign".to_owned())),
        None => bail!(BadUsage(format!(
            "there is no finding {id}; there are {} to {}",
            ids[0],
            ids[ids.len() - 1]
        ))),
    }
}

/// Shows a finding.
pub fn show(args: &Show) -> anyhow::Result<u8> {
    let Show { one: args, form } = args;
    let row = find(args)?;
    if matches!(form, Some(Form::Issue)) {
        let store = args.store.look()?;
        print!("{}", super::groups::issue_of(&*store, &row)?);
        return Ok(exit::FINE);
    }
    println!("{}", finding::words::readme(&row.finding, row.id));
    let store = args.store.look()?;
    let script = |name: &str, text: &str| {
        let place = args.store.shown(&row.folder, name);
        println!("## The script ({place})\n\n```\n{}\n```", text.trim_end());
    };
    let reduced = store.reduced(&row.folder)?;
    match &reduced {
        Some(reduced) => {
            println!("Reduced from {} to {} bytes.\n", row.finding.case.len(), reduced.case.len());
            script("reduced.smt2", &reduced.case);
        }
        None => script("case.smt2", &row.finding.case),
    }
    let versions =
        super::groups::scope_of(&*store, &row, reduced.as_ref().unwrap_or(&row.finding))?.versions();
    if !versions.is_empty() {
        println!("\n## Releases\n\n{versions}");
    }
    match store.options(&row.folder)?.as_deref() {
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
    /// Seconds for each question
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
}

/// Looks at a finding again: its evidence, then the solvers.
pub fn replay(args: &Replay) -> anyhow::Result<u8> {
    let row = find(&args.one)?;
    let f = &row.finding;
    println!("{}: {}", row.id, finding::words::summary(f));
    let solvers = if args.solvers.is_empty() {
        choose::again(&f.said.iter().map(|s| s.solver.clone()).collect::<Vec<_>>())?
    } else {
        choose::solvers(&args.solvers, None, &[])?
    };
    let case = case_of(f)?;
    for evidence in &f.evidence {
        if let Some(line) = look_at(&case, evidence, &solvers) {
            println!("  {line}");
        }
    }
    let Some(entry) = oracle::named(&f.oracle) else { bail!("the oracle {} is not known", f.oracle) };
    let quiet = RwLock::new(());
    let limits = Limits::of_time(std::time::Duration::try_from_secs_f64(args.timeout)?);
    let witnesses = witnesses(&solvers);
    let mut court = TrialRunner::new(&solvers, &witnesses, &[], limits, AskMode::Fresh, &quiet);
    let known = court.answers_to_others(&case)?;
    let tried = court.try_case(&case, &f.case, known.clone())?;
    let mut trial = Trial::new(&case, &f.case, &solvers, tried.runs);
    trial.known = known;
    trial.witnesses = &witnesses;
    for (i, run) in trial.made() {
        let said: Vec<_> =
            (0..run.reply.checks.len()).filter_map(|k| reply_of(run, k)).map(|c| c.answer.word()).collect();
        let outcome = if said.is_empty() { run.ending.to_string() } else { said.join(" ") };
        println!("  {} now: {outcome}", solvers[i].name);
    }
    // Of the accused, if it is among those who are asked.
    let whom = f.against.as_ref().and_then(|name| solvers.iter().position(|s| s.name == *name));
    let same = |c: &Complaint| c.kind() == f.kind && (whom.is_none() || c.against == whom);
    match court.judge(&trial, entry)? {
        Judgement::Complain(found) if found.iter().any(same) => {
            if let Some(one) = found.iter().find(|c| same(c)) {
                println!("still so: {}", finding::words::complaint(&trial, one));
            }
            Ok(exit::FINDINGS)
        }
        Judgement::Abstain(why) => {
            println!("no longer to be said: {}", finding::words::abstention(&why));
            Ok(exit::FINE)
        }
        _ => {
            println!("no longer so");
            Ok(exit::FINE)
        }
    }
}

/// What our evaluator says of a piece of evidence now.
fn look_at(case: &Case, evidence: &Evidence, solvers: &[Solver]) -> Option<String> {
    let core;
    let mut script = &case.script;
    let (by, check, model, wanted) = match evidence {
        Evidence::Satisfied { by, check, model } => (by.as_ref(), *check, model, true),
        Evidence::SatisfiedCore { script: text, by, model, .. } => {
            core = smt::read(text.as_bytes()).ok()?;
            script = &core;
            (Some(by), 0, model, true)
        }
        Evidence::Falsified { check, model, .. } => (None, *check, model, false),
        _ => return None,
    };
    let asks = script.queries();
    let ask = asks.get(check)?;
    let giver = solvers.iter().find(|s| Some(&s.name) == by);
    let manner = giver.map_or(smt::ModelDialect::STANDARD, Solver::manner);
    let model = smt::Model::read_in(script, Some(ask.command), model.as_bytes(), manner).ok()?;
    let model = if wanted { model.completed() } else { model };
    let verdict = smt::satisfies(ask, &model, &smt::Fuel::default());
    let holds = match verdict {
        smt::Verdict::True => "every assertion in scope is true",
        smt::Verdict::False => "an assertion in scope is false",
        smt::Verdict::Open(_) => "it is open whether the assertions hold",
    };
    Some(format!("under the stored model {holds}"))
}
