//! `gainsay solvers`: install, list, examine and lock solvers.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use anyhow::Context;
use clap::Subcommand;
use indicatif::HumanBytes;

use super::columns::hanging;
use super::exit;
use super::progress::Bar;
use crate::solver::acquire::home::Home;
use crate::solver::acquire::install::{Installer, Outcome, Wanted, installable, lock_all};
use crate::solver::acquire::lock::{Lock, Locked};
use crate::solver::named::on_path;
use crate::solver::profile::Profile;
use crate::study::doctor::{self, Examined};

/// What to do with solvers.
#[derive(Subcommand)]
pub enum What {
    /// Install releases: z3, z3@4.8.7, z3@4.8.5..5.4.0, z3@all
    Install {
        /// The releases
        #[arg(required = true)]
        names: Vec<String>,
        /// Take files that the lock file of digests does not know
        #[arg(long)]
        unlocked: bool,
    },
    /// Which releases are installed, installable, on the path
    List,
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

/// How many releases are fetched at the same time.
const AT_ONCE: usize = 3;

fn install(names: &[String], unlocked: bool) -> anyhow::Result<u8> {
    let installer = Installer { home: Home::of_environment(), unlocked };
    let mut wanted: Vec<Wanted> = Vec::new();
    for name in names {
        for w in installer.wanted(name)? {
            if !wanted.iter().any(|x| x.name() == w.name()) {
                wanted.push(w);
            }
        }
    }
    let bar = Bar::new(wanted.len());
    let next = AtomicUsize::new(0);
    let busy = Mutex::new(Vec::new());
    let failures = AtomicUsize::new(0);
    let work = || {
        while let Some(w) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            busy.lock().expect("nobody panics with it").push(w);
            let done = installer.install(w);
            busy.lock().expect("nobody panics with it").retain(|b| !std::ptr::eq(*b, w));
            bar.say(&match &done {
                Ok(Outcome::There) => format!("{}: there already", w.name()),
                Ok(Outcome::New) => format!("{}: installed", w.name()),
                Err(e) => format!("{}: {e}", w.name()),
            });
            if done.is_err() {
                failures.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE.min(wanted.len())).map(|_| scope.spawn(work)).collect();
        bar.watch(
            || workers.iter().all(ScopedJoinHandle::is_finished),
            || {
                let busy = busy.lock().expect("nobody panics with it").clone();
                let told = |w: &&Wanted| format!("{} {}", w.name(), HumanBytes(installer.come(w)));
                busy.iter().map(told).collect::<Vec<_>>().join(", ")
            },
        );
    });
    bar.finish();
    let failed = failures.into_inner();
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

fn lock(names: &[String], output: &std::path::Path) -> anyhow::Result<u8> {
    let old = std::fs::read_to_string(output).unwrap_or_else(|_| "format = 1\n".to_owned());
    let old = Lock::parse(&old).with_context(|| output.display().to_string())?;
    let chosen = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    let mut release: Vec<Locked> = old.release.into_iter().filter(|l| !chosen(&l.solver)).collect();
    let scratch = std::env::temp_dir().join(format!("gainsay-lock-{}", std::process::id()));
    for p in Profile::all().iter().filter(|p| chosen(&p.name)) {
        release.extend(lock_all(p, &scratch, &|said| eprintln!("{said}"))?);
    }
    let _ = std::fs::remove_dir_all(&scratch);
    release.sort_by(|a, b| (&a.solver, &a.release).cmp(&(&b.solver, &b.release)));
    let text = toml::to_string(&Lock { format: 1, release })?;
    let mut file = std::fs::File::create(output).with_context(|| output.display().to_string())?;
    file.write_all(
        b"# Written by `gainsay solvers lock`: every release that can be installed, and its digests.\n",
    )?;
    file.write_all(text.as_bytes())?;
    Ok(exit::FINE)
}
