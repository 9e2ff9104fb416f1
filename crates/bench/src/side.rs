//! Side by side with ddSMT: the same scripts by the same command, and with solvers in the command's place, each in a process of
//! its own whose CPU time is counted with that of all it starts.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::reduce::{Args, Item, Line, head, keep, print, total};
use gainsay::cli::exit;
use gainsay::solver::launch::on_path;
use gainsay::solver::process::program::{Done, Host};
use gainsay::solver::{Ending, Limits, Solver};

/// The word of a command that stands for the accused and its options.
const ACCUSED: &str = "{accused}";

/// What was made of one script.
struct Row {
    by_command: Line,
    by_solvers: Option<Line>,
    theirs: Option<Line>,
}

/// Reduces each script in every way there is, and compares.
pub fn run(args: &Args, items: Vec<Item>) -> anyhow::Result<u8> {
    let peer = args.ddsmt.clone().or_else(|| on_path("ddsmt")).map(|p| p.display().to_string());
    let place =
        |word: &str| std::env::temp_dir().join(format!("gainsay-bench-{}-{word}.smt2", std::process::id()));
    let [input, output] = ["in", "out"].map(place);
    let bench = Bench { args, input, output };
    let mut rows = Vec::new();
    head("calls");
    for (number, (name, text, accused)) in items.into_iter().enumerate() {
        std::fs::write(&bench.input, &text)?;
        let line = |kind: &str, made: Made| {
            let Made { text: left, calls, cpu, state } = made;
            let kind = format!("{kind}{state}");
            let line = Line {
                name: name.clone(),
                kind,
                before: text.len(),
                after: left.trim_end().len(),
                calls,
                cpu,
            };
            print(Some(&line));
            line
        };
        let command = filled(&args.command, accused.as_ref());
        let made = bench.by_command(&command)?;
        keep(args, number, &made.text)?;
        let by_command = line("ours, by the command", made);
        let by_solvers = match &accused {
            Some(accused) => Some(line("ours, with solvers", bench.by_solvers(accused)?)),
            None => None,
        };
        let theirs = match &peer {
            Some(peer) => Some(line("ddSMT", bench.theirs(peer, &command)?)),
            None => None,
        };
        rows.push(Row { by_command, by_solvers, theirs });
    }
    compare(rows);
    Ok(exit::FINE)
}

/// The command with the accused in it.
fn filled(command: &[String], accused: Option<&Solver>) -> Vec<String> {
    let words = |word: &String| match accused {
        Some(accused) if word == ACCUSED => accused.command(),
        _ => vec![word.clone()],
    };
    command.iter().flat_map(words).collect()
}

/// What came of one run.
struct Made {
    text: String,
    calls: u64,
    cpu: Duration,
    /// What is wrong with it, if anything.
    state: &'static str,
}

struct Bench<'a> {
    args: &'a Args,
    input: PathBuf,
    output: PathBuf,
}

/// Files of our own that go with us.
impl Drop for Bench<'_> {
    fn drop(&mut self) {
        for file in [&self.input, &self.output] {
            let _ = std::fs::remove_file(file);
        }
    }
}

impl Bench<'_> {
    fn by_command(&self, command: &[String]) -> anyhow::Result<Made> {
        let mut argv = self.ours()?;
        argv.push("--".to_owned());
        argv.extend_from_slice(command);
        self.made(&argv, |said| number_before(said, " runs of the command"))
    }

    fn by_solvers(&self, accused: &Solver) -> anyhow::Result<Made> {
        let mut argv = self.ours()?;
        let accused = accused.name.as_str();
        let others = self.args.others.iter().map(String::as_str).filter(|other| *other != accused);
        for name in [accused].into_iter().chain(others) {
            argv.extend(["--solver".to_owned(), name.to_owned()]);
        }
        argv.extend(["--timeout".to_owned(), self.args.timeout.to_string()]);
        self.made(&argv, |said| number_before(said, " questions"))
    }

    fn theirs(&self, peer: &str, command: &[String]) -> anyhow::Result<Made> {
        let jobs = format!("-j{}", self.args.jobs.max(1));
        let [input, output] = [&self.input, &self.output].map(|p| p.display().to_string());
        let mut argv = vec![peer.to_owned(), "-v".to_owned(), jobs, input, output];
        argv.extend_from_slice(command);
        self.made(&argv, tests_told)
    }

    /// Ourselves, up to what decides.
    fn ours(&self) -> anyhow::Result<Vec<String>> {
        let beside = std::env::current_exe()?.with_file_name("gainsay");
        let program = Some(beside).filter(|place| place.is_file()).or_else(|| on_path("gainsay"));
        let program = program.context("the program gainsay is neither beside this one nor on the path")?;
        let program = program.display().to_string();
        let [input, output] = [&self.input, &self.output].map(|p| p.display().to_string());
        let jobs = self.args.jobs.max(1).to_string();
        let time = format!("{}s", self.args.for_.as_secs());
        let words = [program.as_str(), "reduce", &input, "-o", &output, "--jobs", &jobs, "--for", &time];
        Ok(words.map(str::to_owned).to_vec())
    }

    fn made(&self, argv: &[String], calls: impl Fn(&str) -> u64) -> anyhow::Result<Made> {
        let _ = std::fs::remove_file(&self.output);
        // Those who watch their own time end a little later.
        let time = self.args.for_ + Duration::from_secs(30);
        let limits = Limits {
            wall: time,
            cpu: time * 8,
            address_space: false,
            memory: 8 << 30,
            processes: 256,
            ..Limits::default()
        };
        let Done { ending, out, err, cpu, .. } = Host::default().run(argv, &limits)?;
        let said = [out, err].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        let text = std::fs::read_to_string(&self.output).unwrap_or_default();
        let readable = smt::read(text.as_bytes()).is_ok_and(|s| s.opaque.is_empty());
        let state = match ending {
            Ending::Exited(0) if readable => "",
            Ending::Exited(0) => ", ill-formed",
            Ending::Stopped(_) => ", out of time",
            _ => ", failed",
        };
        Ok(Made { text, calls: calls(&said), cpu, state })
    }
}

/// The number before a word: `…; 33 questions`.
fn number_before(said: &str, word: &str) -> u64 {
    let before = said.lines().filter_map(|line| line.split_once(word)).next_back().map(|(before, _)| before);
    before.and_then(|text| text.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

/// The tests of all rounds of ddSMT: `… 33 tests (1), …`.
fn tests_told(said: &str) -> u64 {
    let counts = said.lines().filter_map(|line| line.split(" tests (").next().filter(|l| *l != line));
    counts.filter_map(|l| l.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

/// How we fare, in all and for each script.
fn compare(rows: Vec<Row>) {
    for row in &rows {
        let Some(theirs) = &row.theirs else { continue };
        let bytes = |ours: &Line| ours.after as f64 / theirs.after.max(1) as f64;
        let cpu = |ours: &Line| theirs.cpu.as_secs_f64() / ours.cpu.as_secs_f64().max(1e-3);
        let ours = &row.by_command;
        print!(
            "{}: {:.2} of the bytes, {:.1} times fewer calls, {:.1} times less CPU",
            ours.name,
            bytes(ours),
            theirs.calls as f64 / ours.calls.max(1) as f64,
            cpu(ours),
        );
        if let Some(ours) = &row.by_solvers {
            print!("; with solvers {:.2} of the bytes, {:.1} times less CPU", bytes(ours), cpu(ours));
        }
        println!();
    }
    let (mut commands, mut solvers, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        commands.push(row.by_command);
        solvers.extend(row.by_solvers);
        theirs.extend(row.theirs);
    }
    for (who, lines) in
        [("ours, by the command", commands), ("ours, with solvers", solvers), ("ddSMT", theirs)]
    {
        if !lines.is_empty() {
            print!("{who}: ");
            total(&lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told() {
        let said =
            "x: diff +0 expressions, 33 tests (1), 5.1s\nnothing\ny: diff -1 expressions, 8 tests (0), 1s";
        assert_eq!(tests_told(said), 41);
        let said =
            "z3 says unsat\n311 → 96 bytes; 24 runs of the command, 1.3 s of CPU for them, 17 remembered";
        assert_eq!(number_before(said, " runs of the command"), 24);
        assert_eq!(number_before(said, " questions"), 0);
    }
}
