//! The fake solver: does what its plan says, to test what we do about it.
//!
//! A plan is acts joined by commas, done in order for each `check-sat`; `sat,unsat;segv` does the first list for the
//! first `check-sat` and the second for all later ones.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

use super::commands::{Commands, Next, echoed, head};
use crate::solver::SolverError;

/// What can be told to do, with `=VALUE` where it takes one.
const ACTS: &str = "sat unsat unknown model badmodel halfmodel half late error=TEXT print=TEXT complain=TEXT \
flood=MB allocate=MB leak=MB burn=MS sleep=MS hang deaf stubborn fork=N daemon bomb=N closestdin closestdout exit=N \
signal=N assertion mark=TEXT";

/// The last argument of all our children.
static MARK: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Obeys the plan, reading SMT-LIB from the file that is named last, else from standard input.
pub fn drive(plan: &str, options: &[String]) -> Result<i32, SolverError> {
    let lists: Vec<Vec<&str>> = plan.split(';').map(|l| l.split(',').map(str::trim).collect()).collect();
    match options.last().filter(|o| Path::new(o).extension().is_some_and(|e| e == "smt2")) {
        Some(place) => {
            let file = std::fs::File::open(place).map_err(SolverError::at(place))?;
            serve(&lists, file).map_err(SolverError::at(place))
        }
        None => serve(&lists, io::stdin().lock()).map_err(SolverError::at("standard input")),
    }
}

fn serve(lists: &[Vec<&str>], input: impl io::Read) -> io::Result<i32> {
    let mut turn = 0;
    let mut commands = Commands::new(input);
    while let Some(next) = commands.next()? {
        let Next::Command(command) = next else { continue };
        match head(&command) {
            "exit" => return Ok(0),
            "echo" => say(&format!("{}\n", echoed(&command).trim_matches('"')))?,
            "get-model" => say("((define-fun x () Int 7))\n")?,
            "get-unsat-core" => say("(a b)\n")?,
            "check-sat" => {
                let list = &lists[turn.min(lists.len() - 1)];
                turn += 1;
                for act in list {
                    if let Some(code) = act_out(act)? {
                        return Ok(code);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(0)
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Does one act; a number ends the program with it.
fn act_out(act: &str) -> io::Result<Option<i32>> {
    let (name, value) = act.split_once('=').unwrap_or((act, ""));
    let number: u64 = value.parse().unwrap_or(0);
    match name {
        "sat" | "unsat" | "unknown" => say(&format!("{name}\n"))?,
        "error" => say(&format!("(error \"{value}\")\n"))?,
        "print" => say(&format!("{value}\n"))?,
        "complain" => eprintln!("{value}"),
        "half" => say("sa")?,
        "halfmodel" => say("((define-fun x () In")?,
        "late" => {
            std::thread::spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                let _ = say("unsat\n");
            });
        }
        "flood" => flood(number)?,
        "allocate" => drop(allocate(number)),
        "leak" => std::mem::forget(allocate(number)),
        "burn" => burn(Duration::from_millis(number)),
        "sleep" => std::thread::sleep(Duration::from_millis(number)),
        "deaf" => super::super::reap::ignore_term(),
        // For tests to find our children by.
        "mark" => drop(MARK.set(value.to_owned())),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        "stubborn" => again(&["stubborn"], true)?,
        "fork" => (0..number).try_for_each(|_| again(&["wait"], false))?,
        "daemon" => again(&["daemon"], false)?,
        "bomb" => again(&["bomb", value], false)?,
        "closestdin" => close(0),
        "closestdout" => close(1),
        "exit" => return Ok(Some(value.parse().unwrap_or(0))),
        "signal" => {
            let signal = Signal::from_named_raw(value.parse().unwrap_or(0));
            super::super::reap::plain_signal(libc::SIGPIPE);
            kill_process(getpid(), signal.unwrap_or(Signal::KILL))?;
            std::thread::sleep(Duration::from_secs(10));
        }
        "assertion" => {
            say("ASSERTION VIOLATION\nFile: ../src/fake/fake.cpp\nLine: 42\nUNEXPECTED CODE WAS REACHED.\n")?;
            return Ok(Some(114));
        }
        "" => {}
        other => {
            eprintln!("the fake solver cannot `{other}`; it can {ACTS}");
            return Ok(Some(2));
        }
    }
    Ok(None)
}

fn flood(megabytes: u64) -> io::Result<()> {
    let line = "exclude exclude exclude exclude exclude exclude exclude exclude\n".repeat(16384);
    let mut out = io::stdout().lock();
    for _ in 0..megabytes {
        out.write_all(line.as_bytes())?;
    }
    out.flush()
}

fn allocate(megabytes: u64) -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    for i in 0..megabytes {
        let mut block = vec![0_u8; 1 << 20];
        for page in block.chunks_mut(4096) {
            page[0] = i as u8;
        }
        kept.push(std::hint::black_box(block));
    }
    kept
}

fn burn(time: Duration) {
    let start = std::time::Instant::now();
    let mut x = 1_u64;
    while start.elapsed() < time {
        for _ in 0..10_000 {
            x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}

/// Starts this program again to be a child of some kind.
fn again(kind: &[&str], wait: bool) -> io::Result<()> {
    let mut command = std::process::Command::new("/proc/self/exe");
    command.args(["drive", "fake-child"]).args(kind).args(MARK.get());
    let mut child = command.spawn()?;
    if wait {
        child.wait()?;
    } else {
        // Children need a moment to do their worst.
        std::thread::sleep(Duration::from_millis(30));
    }
    Ok(())
}

/// What a child of the fake solver does: `wait`, `stubborn`, `daemon` or `bomb`.
pub fn child(kind: &[String]) -> Result<i32, SolverError> {
    let failed = || SolverError::at("a child of the fake solver");
    if let Some(mark) = kind.last() {
        let _ = MARK.set(mark.clone());
    }
    match kind.first().map(String::as_str) {
        Some("stubborn") => {
            super::super::reap::ignore_term();
            loop {
                std::thread::sleep(Duration::from_secs(3600));
            }
        }
        Some("daemon") => {
            let _ = rustix::process::setsid();
            again(&["wait"], false).map_err(failed())?;
        }
        Some("bomb") => {
            let left: u64 = kind.get(1).and_then(|n| n.parse().ok()).unwrap_or(0);
            for _ in 0..2 {
                if left > 0 {
                    again(&["bomb", &(left - 1).to_string()], false).map_err(failed())?;
                }
            }
            std::thread::sleep(Duration::from_secs(3600));
        }
        _ => std::thread::sleep(Duration::from_secs(3600)),
    }
    Ok(0)
}

/// Closes one of the standard files, so that a pipe of ours ends early.
fn close(fd: i32) {
    let nowhere = std::fs::File::options().read(true).write(true).open("/dev/null");
    if let Ok(file) = nowhere {
        let _ = match fd {
            0 => rustix::stdio::dup2_stdin(file),
            _ => rustix::stdio::dup2_stdout(file),
        };
    }
}
