//! `gainsay solvers`: install, list, examine and lock solvers.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Context;
use clap::Subcommand;
use indicatif::HumanBytes;

use super::columns::hanging;
use super::exit;
use super::progress::Bar;
use crate::solver::acquire::home::Home;
use crate::solver::acquire::install::{Installer, Outcome, Wanted, installable};
use crate::solver::acquire::lock::Lock;
use crate::solver::launch::on_path;
use crate::solver::profile::Profile;
use crate::solver::{Release, SettingTable, SolverError};
use crate::study::doctor::{self, Examined};
use crate::study::install::{all_wanted, install_all, relocked};

/// What to do with solvers.
#[derive(Subcommand)]
pub enum What {
    /// Install releases: z3, z3@4.8.7, z3@4.8.5..5.4.0, z3@all
    Install {
        /// The releases
        #[arg(required = true)]
        names: Vec<String>,
        /// Also install files whose digests are not in the lock file
        #[arg(long)]
        unlocked: bool,
    },
    /// List releases that are installed, that can be installed, and that are on the path
    List,
    /// List the options, tactics and simplifiers that `gainsay hunt --options` draws from
    Options {
        /// Only of these solvers
        names: Vec<String>,
    },
    /// Run each installed solver and say what works
    Doctor,
    /// Look up every release there is and write the lock file of digests
    #[command(hide = true)]
    Lock {
        /// Only these solvers; the entries of others are kept
        names: Vec<String>,
        /// The lock file
        #[arg(long)]
        output: PathBuf,
    },
}

/// Runs the command.
pub fn run(what: What) -> anyhow::Result<u8> {
    match what {
        What::Install { names, unlocked } => install(&names, unlocked),
        What::List => {
            list();
            Ok(exit::FINE)
        }
        What::Options { names } => options(&names),
        What::Doctor => doctor(),
        What::Lock { names, output } => lock(&names, &output),
    }
}

/// Examines all installed solvers.
fn doctor() -> anyhow::Result<u8> {
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let solvers = doctor::installed();
    let mut code = exit::FINE;
    for solver in &solvers {
        println!("{}", solver.name);
        for Examined { part, result } in doctor::examine(solver)? {
            let (mark, shade) = if result.is_ok() { ("ok", "32") } else { ("FAIL", "31") };
            let mark = if colour { format!("\x1b[{shade}m{mark:4}\x1b[0m") } else { format!("{mark:4}") };
            code = if result.is_ok() { code } else { exit::SOLVER };
            println!("  {mark} {part:9} {}", result.unwrap_or_else(|wrong| wrong));
        }
    }
    if solvers.is_empty() {
        println!("no solver is installed; `gainsay solvers install z3 cvc5` installs two");
    }
    Ok(code)
}

fn install(names: &[String], unlocked: bool) -> anyhow::Result<u8> {
    let installer = Installer { home: Home::of_environment(), unlocked };
    let wanted = all_wanted(&installer, names)?;
    let bar = Bar::new(wanted.len());
    let say = |w: &Wanted, done: &Result<Outcome, SolverError>| {
        bar.say(&match done {
            Ok(Outcome::There) => format!("{}: there already", w.name()),
            Ok(Outcome::New) => format!("{}: installed", w.name()),
            Err(e) => format!("{}: {e}", w.name()),
        });
    };
    let failed = install_all(&installer, &wanted, &say, |is_done, busy| {
        let told = |w: &&Wanted| format!("{} {}", w.name(), HumanBytes(installer.come(w)));
        bar.watch(is_done, || busy().iter().map(told).collect::<Vec<_>>().join(", "));
    });
    bar.finish();
    println!("{} of {} ready in {}", wanted.len() - failed, wanted.len(), installer.home.root().display());
    Ok(if failed == 0 { exit::FINE } else { exit::SOLVER })
}

fn list() {
    let home = Home::of_environment();
    let tell = |heading: &str, words: Vec<String>| {
        let words = if words.is_empty() { vec!["-".to_owned()] } else { words };
        println!("{}", hanging(&format!("  {heading:<13}"), words.iter().map(String::as_str)));
    };
    for p in Profile::all().iter().filter(|p| p.name != "any") {
        let installed = home.installed(&p.name);
        let others = installable(p).into_iter().filter(|r| !installed.contains(r));
        println!("{} ({})", p.name, p.title);
        tell("installed", installed.iter().map(ToString::to_string).collect());
        tell("installable", others.map(|r| r.to_string()).collect());
        tell("on the path", on_path(&p.name).into_iter().map(|p| p.display().to_string()).collect());
        tell("configs", p.configs.keys().cloned().collect());
    }
}

fn options(names: &[String]) -> anyhow::Result<u8> {
    for name in names {
        Profile::named(name)?;
    }
    let wanted = |p: &&std::sync::Arc<Profile>| names.is_empty() || names.contains(&p.name);
    for profile in Profile::all().iter().filter(wanted) {
        let SettingTable { safe, experimental, refused } = &profile.options;
        for (class, rows) in [("safe", safe), ("experimental", experimental), ("refused", refused)] {
            for row in rows {
                let end = |r: &Option<Release>| r.as_ref().map_or("", Release::as_str).to_owned();
                let releases = match (&row.since, &row.until) {
                    (None, None) => String::new(),
                    (since, until) => format!("  {}..{}", end(since), end(until)),
                };
                let settings: Vec<String> = row.settings().iter().map(|s| s.options.join(" ")).collect();
                println!("{} {class}  {}{releases}", profile.name, settings.join("  "));
            }
        }
    }
    Ok(exit::FINE)
}

fn lock(names: &[String], output: &std::path::Path) -> anyhow::Result<u8> {
    let old = std::fs::read_to_string(output).unwrap_or_else(|_| "format = 1\n".to_owned());
    let old = Lock::parse(&old).with_context(|| output.display().to_string())?;
    let lock = relocked(old, names, &|said| eprintln!("{said}"))?;
    let head = "# Written by `gainsay solvers lock`: every release that can be installed, and its digests.\n";
    let text = format!("{head}{}", toml::to_string(&lock)?);
    std::fs::write(output, text).with_context(|| output.display().to_string())?;
    Ok(exit::FINE)
}
