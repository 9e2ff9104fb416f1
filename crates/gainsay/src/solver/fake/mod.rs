//! The fake solver: does what its plan says, to test what we do about it.

mod brute;
mod forget;
mod honest;
mod outputs;
pub mod plan;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::process::{Signal, getpid, kill_process};
use smt::sexpr::{head, parts};

use crate::solver::SolverError;
use crate::solver::driver::commands::{Commands, Next, echoed};
use crate::solver::profile::{SIMPLIFIER, TACTIC};
use honest::Honest;
use plan::{Act, Condition, Plan};

/// The last argument of all our children.
static MARK: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// The model of a solver that is not honest.
const MODEL: &str = "((define-fun x () Int 7))\n";

/// Obeys the plan, reading SMT-LIB from the file that is named last, else from standard input.
pub fn drive(plan: &str, options: &[String]) -> Result<i32, SolverError> {
    let plan: Plan = match plan.parse() {
        Ok(plan) => plan,
        Err(bad) => {
            eprintln!("{bad}");
            return Ok(2);
        }
    };
    std::thread::sleep(Duration::from_millis(plan.beginning()));
    let (honest, chance) = (Honest::with(plan.faults()), Chance::of(options));
    let mut fake = Fake {
        plan,
        turn: 0,
        honest,
        chance,
        options: options.to_vec(),
        simplifiers: Vec::new(),
        dumps_models: false,
        unsaid: String::new(),
    };
    match options.last().filter(|o| Path::new(o).extension().is_some_and(|e| e == "smt2")) {
        Some(place) => {
            let file = std::fs::File::open(place).map_err(SolverError::at(place))?;
            fake.serve(file).map_err(SolverError::at(place))
        }
        None => fake.serve(io::stdin().lock()).map_err(SolverError::at("standard input")),
    }
}

/// What decides where a plan leaves it to chance.
#[derive(Clone, Copy)]
struct Chance {
    /// The random number that the command line gives.
    number: u64,
    /// Differs from one start to the next.
    start: u64,
}

impl Chance {
    fn of(options: &[String]) -> Chance {
        let mut given = options.iter().filter_map(|option| {
            let (name, value) = option.split_once('=')?;
            value.parse().ok().filter(|_: &u64| name.ends_with("seed"))
        });
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // The clock may tick coarsely; what is above the noise of its last digits is as good as a coin.
        let start = (since.as_micros() as u64 / 7).wrapping_add(u64::from(std::process::id()));
        Chance { number: given.next_back().unwrap_or(0), start }
    }
}

struct Fake {
    plan: Plan,
    turn: usize,
    honest: Honest,
    chance: Chance,
    /// The options of the command line.
    options: Vec<String>,
    /// The simplifiers that the script has set, as options name them.
    simplifiers: Vec<String>,
    /// Whether a model is printed after each `sat`, as z3 does when it is told to.
    dumps_models: bool,
    /// What is said when there is nothing more to read: to wake a reader for each line would cost more than the line.
    unsaid: String,
}

impl Fake {
    fn serve(&mut self, input: impl io::Read) -> io::Result<i32> {
        let mut commands = Commands::new(input);
        while let Some(next) = commands.next_after(|| self.speak())? {
            let honest = self.plan.is_honest();
            let command = match next {
                Next::Command(command) => command,
                Next::Rest(_) if honest => {
                    self.unsaid += "(error \"line 1 column 1: invalid command, '(' expected\")\n";
                    continue;
                }
                Next::Rest(_) => continue,
            };
            if head(&command) == "set-option" && command.contains(":dump-models") {
                self.dumps_models = command.contains("true");
                continue;
            }
            if head(&command) == "set-simplifier" {
                let named = parts(&command).get(1).map(|name| format!("{SIMPLIFIER}{name}"));
                self.simplifiers.extend(named);
                continue;
            }
            match head(&command) {
                "exit" => break,
                "check-sat" | "check-sat-assuming" | "check-sat-using" => {
                    if let Some(code) = self.check(&command)? {
                        return Ok(code);
                    }
                }
                _ if honest => {
                    if head(&command) == "reset" {
                        self.simplifiers.clear();
                    }
                    self.unsaid += &self.honest.take(&command);
                }
                "echo" => {
                    self.unsaid += echoed(&command).trim_matches('"');
                    self.unsaid.push('\n');
                }
                "get-model" => self.unsaid += MODEL,
                "get-unsat-core" => self.unsaid += "(a b)\n",
                _ => {}
            }
        }
        self.unsaid += &self.honest.settle();
        self.speak()?;
        Ok(0)
    }

    fn speak(&mut self) -> io::Result<()> {
        say(&std::mem::take(&mut self.unsaid))
    }

    /// Does what the plan says for this check; a number ends the program with it.
    fn check(&mut self, command: &str) -> io::Result<Option<i32>> {
        let list = self.plan.list(self.turn);
        self.turn += 1;
        let chance = self.chance;
        if !list.honest {
            let mut last = "";
            for act in list.due(|_| false) {
                if let Act::Do(name, value) = act {
                    last = name;
                    if let Some(code) = act_out(name, value, &mut self.unsaid)? {
                        return Ok(Some(code));
                    }
                }
            }
            if self.dumps_models && last == "sat" {
                self.unsaid += MODEL;
            }
            return Ok(None);
        }
        let scoped = self.honest.is_scoped();
        let (options, simplifiers) = (&self.options, &self.simplifiers);
        let tactic = match head(command) {
            "check-sat-using" => parts(command).get(1).map(|tactic| format!("{TACTIC}{tactic}")),
            _ => None,
        };
        let (errors, checked) = self.honest.check(command);
        self.unsaid += &errors;
        let Some(checked) = checked else { return Ok(None) };
        let due = list.due(|condition| match condition {
            Condition::When(word) => checked.contains(word),
            Condition::Random => chance.number % 2 == 1,
            Condition::Flaky => chance.start % 2 == 1,
            Condition::Scoped => scoped,
            Condition::With(option) => {
                options.contains(option) || simplifiers.contains(option) || tactic.as_ref() == Some(option)
            }
        });
        for act in due {
            match act {
                Act::Fault(fault) => checked.fault(*fault),
                Act::Do(name, value) => {
                    if let Some(code) = act_out(name, value, &mut self.unsaid)? {
                        return Ok(Some(code));
                    }
                }
            }
        }
        let answer = checked.answer();
        self.unsaid += &answer;
        if self.dumps_models && answer.starts_with("sat") {
            self.unsaid += &self.honest.take("(get-model)");
        }
        Ok(None)
    }
}

fn say(text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Does one act; a number ends the program with it.
fn act_out(name: &str, value: &str, unsaid: &mut String) -> io::Result<Option<i32>> {
    if let "sat" | "unsat" | "unknown" = name {
        *unsaid += name;
        unsaid.push('\n');
        return Ok(None);
    }
    say(&std::mem::take(unsaid))?;
    let number: u64 = value.parse().unwrap_or(0);
    match name {
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
        "burn" => burn(Duration::from_millis(number), used),
        "slow" => {
            let start = std::time::Instant::now();
            burn(Duration::from_millis(number), || start.elapsed());
        }
        "sleep" => std::thread::sleep(Duration::from_millis(number)),
        "deaf" => crate::solver::process::reap::ignore_term(),
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
        "segv" => die(Signal::SEGV)?,
        "signal" => die(Signal::from_named_raw(value.parse().unwrap_or(0)).unwrap_or(Signal::KILL))?,
        "assertion" => {
            say("ASSERTION VIOLATION\nFile: ../src/fake/fake.cpp\nLine: 42\nUNEXPECTED CODE WAS REACHED.\n")?;
            return Ok(Some(114));
        }
        // It was done at the start.
        "begin" | "" => {}
        _ => unreachable!("a plan holds only acts that there are"),
    }
    Ok(None)
}

fn die(signal: Signal) -> io::Result<()> {
    // Whoever started us may ignore it, as `nohup` does.
    crate::solver::process::reap::plain_signal(signal.as_raw());
    kill_process(getpid(), signal)?;
    std::thread::sleep(Duration::from_secs(10));
    Ok(())
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

/// CPU time of this thread.
fn used() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Computes until a clock has gone on by that much.
fn burn(time: Duration, clock: impl Fn() -> Duration) {
    let end = clock() + time;
    let mut x = 1_u64;
    while clock() < end {
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
            crate::solver::process::reap::ignore_term();
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
