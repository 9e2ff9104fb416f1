//! `gainsay report`: a campaign written down, for people and machines; or served while it goes on.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::arguments::BadUsage;
use super::{choose, exit};
use crate::config::Config;
use crate::report::campaign::Campaign;
use crate::report::{REPORTS, Report};
use crate::solver::process::environment::without_database_variables;
use crate::store::{Place, StoreError};
use crate::study::gather;
use crate::study::serve::{Page, REFRESH, answer_all};

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
    /// Serve the page at this address until Ctrl-C; it is made anew for each request
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["output", "open"])]
    serve: Option<String>,
    /// Also report what was seen only in warm sessions
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
    if let Some(address) = &args.serve {
        // An error in the campaign is said at once, not to the first reader.
        args.store.look()?;
        let page =
            || -> anyhow::Result<String> { Ok(crate::report::html::page(&gathered(args)?, Some(REFRESH))) };
        return serve(address, &page);
    }
    let campaign = gathered(args)?;
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

/// Everything that is known of a campaign.
fn gathered(args: &Args) -> anyhow::Result<Campaign> {
    let config = Config::read()?;
    Ok(gather(&args.store, args.warm, choose::finder(&config), choose::ignored(&config))?)
}

/// Serves a page until the process ends.
fn serve(address: &str, page: Page<'_>) -> anyhow::Result<u8> {
    let listener = TcpListener::bind(address).map_err(|e| {
        BadUsage(format!("cannot serve at {address}: {e}; give an address such as 127.0.0.1:8080"))
    })?;
    println!("http://{}/ until Ctrl-C", listener.local_addr()?);
    answer_all(&listener, page)?;
    Ok(exit::FINE)
}
