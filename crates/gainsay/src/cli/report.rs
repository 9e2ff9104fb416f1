//! `gainsay report`: a campaign written down, for people and machines; or served while it goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::accused::Labels;
use super::arguments::BadUsage;
use super::groups::{groups, issue_of};
use super::{exit, serve, status};
use crate::campaign::CampaignSpec;
use crate::finding::{self, Asked};
use crate::judge::language::theories;
use crate::report::campaign::{Campaign, Entry, Moment};
use crate::report::evolve::{Evolution, Studied};
use crate::report::matrix::Matrix;
use crate::report::{REPORTS, Report};
use crate::solver::SolverId;
use crate::solver::process::environment::without_database_variables;
use crate::store::{Place, Reader, StoreError};

/// What to write, and where.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay report                          the page, as gainsay-report/index.html
  gainsay report --open                   the same, and a browser
  gainsay report --as csv -o found.csv
  gainsay report --as issue -o issues     a text for each fault, and a list of them
  gainsay report --serve 127.0.0.1:8080   a live page of a campaign that goes on")]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// What to write: html, json, csv, junit, sarif or issue
    #[arg(long = "as", default_value = "html", value_parser = named)]
    kind: &'static Report,
    /// Where: a folder for html and issue (or a file, by its ending), a file for the others; `-` is standard output
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// Serve the page at this address, anew each time it is asked for, until Ctrl-C
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["output", "open"])]
    serve: Option<String>,
    /// Also what only warm runs showed
    #[arg(long)]
    warm: bool,
}

fn named(name: &str) -> Result<&'static Report, String> {
    REPORTS.iter().find(|report| report.name == name).ok_or_else(|| {
        let names: Vec<&str> = REPORTS.iter().map(|report| report.name).collect();
        format!("there are {}", names.join(", "))
    })
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = args.store.look()?;
    if let Some(address) = &args.serve {
        let page = || -> anyhow::Result<String> {
            let store = args.store.look()?;
            Ok(crate::report::html::page(&gather(&*store, &args.store, args.warm)?, Some(serve::REFRESH)))
        };
        return serve::serve(address, &page);
    }
    let campaign = gather(&*store, &args.store, args.warm)?;
    let is_page = args.kind.name == "html";
    if args.open && !is_page {
        return Err(BadUsage("--open is for the page; leave out --as".to_owned()).into());
    }
    let place = match &args.output {
        Some(place) if place.as_os_str() == "-" => None,
        Some(place) => Some(place.clone()),
        None if is_page => Some(PathBuf::from("gainsay-report")),
        None => None,
    };
    let Some(place) = place else {
        print!("{}", (args.kind.write)(&campaign));
        return Ok(exit::FINE);
    };
    // A file's name ends as its kind does; any other is a folder's, for what can be one.
    let ending = Path::new(args.kind.file).extension();
    let files = match args.kind.folder.filter(|_| place.extension() != ending) {
        Some(folder) => folder(&campaign).into_iter().map(|(name, text)| (place.join(name), text)).collect(),
        None => vec![(place, (args.kind.write)(&campaign))],
    };
    for (place, text) in &files {
        if let Some(folder) = place.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(StoreError::at(folder))?;
        }
        std::fs::write(place, text).map_err(StoreError::at(place))?;
        println!("{}", place.display());
    }
    if args.open
        && let Some((place, _)) = files.first()
    {
        open(place)?;
    }
    Ok(exit::FINE)
}

/// Starts the program that this system opens pages with.
fn open(place: &Path) -> anyhow::Result<()> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let status = without_database_variables(&mut std::process::Command::new(program)).arg(place).status();
    let opened =
        status.with_context(|| format!("cannot start {program}; open {} yourself", place.display()))?;
    if !opened.success() {
        return Err(BadUsage(format!("{program} failed; open {} yourself", place.display())).into());
    }
    Ok(())
}

/// All that is known of a campaign.
pub fn gather(store: &dyn Reader, place: &Place, warm: bool) -> anyhow::Result<Campaign> {
    let spec = super::here::definition(store)?;
    let triggers = store.triggers()?;
    let rows = store.findings()?.into_iter().filter(|row| warm || !row.warm).collect();
    let mut entries = Vec::new();
    let mut labels = Labels::default();
    for group in groups(store, rows)? {
        let options = group.affected.as_ref().map(|affected| affected.options.clone());
        for (row, reduced) in group.rows {
            let issue = issue_of(store, &row)?;
            let shown = reduced.as_ref().unwrap_or(&row.finding);
            entries.push(Entry {
                id: row.id,
                title: finding::words::title(shown, &labels.of(shown, options.as_deref())),
                group: group.key.clone(),
                triggers: triggers.get(&row.finding.fingerprint).copied().unwrap_or(1),
                theories: theories(&shown.case),
                releases: store.releases(&row.folder)?.iter().filter_map(Asked::known).collect(),
                folder: row.folder,
                finding: row.finding,
                reduced,
                issue,
            });
        }
    }
    let mut turns: BTreeMap<String, u64> = BTreeMap::new();
    for series in store.series()? {
        *turns.entry(series.strategy).or_default() += u64::from(series.turns);
    }
    let moment = |(minute, turns, findings)| Moment { minute, turns, findings };
    Ok(Campaign {
        name: place.to_string(),
        draw: spec.seed,
        settings: settings(&spec),
        entries,
        turns,
        tally: store.tally()?,
        course: store.course()?.into_iter().map(moment).collect(),
        workers: match place {
            Place::Folder(_) => String::new(),
            Place::Server(address) => status::of_server(address)?,
        },
        matrix: Matrix::of(store)?,
        evolution: evolution(store, &spec)?,
    })
}

/// What a study of releases came to, if the store has one.
fn evolution(store: &dyn Reader, spec: &CampaignSpec) -> anyhow::Result<Option<Evolution>> {
    if spec.study().is_none() {
        return Ok(None);
    }
    let (limit, way) = (spec.limits.cpu_micros as f64 / 1e6, spec.ask_mode.word());
    let all = store.all_runs()?;
    let names: BTreeSet<&SolverId> = all.runs.keys().map(|(_, release)| release).collect();
    let releases: Vec<Studied> = names.into_iter().map(Studied::of).collect();
    let mut grammars: Vec<String> = Vec::new();
    for formula in all.formulas.values() {
        if !grammars.contains(&formula.grammar) {
            grammars.push(formula.grammar.clone());
        }
    }
    let whole = Evolution::of(&all, releases, grammars, limit, way);
    Ok(Some(whole).filter(|e| !e.lines.is_empty()))
}

/// A definition in words, without its details.
fn settings(spec: &CampaignSpec) -> Vec<(String, String)> {
    spec.facts().into_iter().filter(|fact| !fact.is_detail).map(|fact| (fact.name, fact.value)).collect()
}
