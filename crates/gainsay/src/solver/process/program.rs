//! Programs that are no solvers, run on a file under a supervisor: nothing of theirs is left behind.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::supervisor::{Supervisor, await_output};
use crate::solver::launch::{Launch, on_path};
use crate::solver::{Bound, Ending, Limits, SolverError};

/// What a program did.
#[derive(Clone, Debug)]
pub struct Done {
    /// How it ended.
    pub ending: Ending,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
    /// CPU time of it and all its children.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
}

/// Runs one program at a time under a supervisor of its own.
#[derive(Default)]
pub struct Host {
    supervisor: Option<Supervisor>,
}

impl Host {
    /// Runs a program with these arguments where we are, without a shell, and waits for it.
    pub fn run(&mut self, argv: &[String], limits: &Limits) -> Result<Done, SolverError> {
        let (name, rest) = argv.split_first().ok_or_else(|| SolverError::NotStarted {
            program: String::new(),
            why: "no program is named".to_owned(),
        })?;
        let found = if name.contains('/') { None } else { on_path(name) };
        let launch = Launch {
            program: found.unwrap_or_else(|| PathBuf::from(name)),
            argv: rest.to_vec(),
            env: Vec::new(),
            folder: std::env::current_dir().ok(),
        };
        let mut supervisor = match self.supervisor.take() {
            Some(supervisor) => supervisor,
            None => Supervisor::unconfined()?,
        };
        let done = run_under(&mut supervisor, &launch, limits)?;
        self.supervisor = Some(supervisor);
        Ok(done)
    }
}

/// Runs a solver without input as hunts run it: confined, in an empty folder, and with nothing left of it afterwards.
pub fn run_confined(launch: &Launch, limits: &Limits) -> Result<Done, SolverError> {
    run_under(&mut Supervisor::new()?, launch, limits)
}

/// Runs a program without input under a supervisor, and waits for it.
fn run_under(supervisor: &mut Supervisor, launch: &Launch, limits: &Limits) -> Result<Done, SolverError> {
    let start = Instant::now();
    let deadline = start + limits.wall;
    let process = supervisor.start(launch, limits)?;
    process.close();
    process.feed();
    while supervisor.solver().is_some_and(|process| !process.ended()) {
        if Instant::now() >= deadline {
            supervisor.stop(Bound::Time)?;
        }
        let wait = deadline.max(Instant::now() + Duration::from_millis(20));
        await_output(&mut [&mut *supervisor], Some(wait))?;
    }
    let wall = start.elapsed();
    let process = supervisor.end(None)?;
    let Some(process) = process else {
        return Err(SolverError::Supervisor("the program is gone".to_owned()));
    };
    let end = process.end.ok_or_else(|| SolverError::Supervisor("no end was told".to_owned()))?;
    let ending = match (process.bound.or(end.bound), end.code, end.signal) {
        (Some(bound), ..) => Ending::Stopped(bound),
        (None, Some(code), _) => Ending::Exited(code),
        (None, None, signal) => Ending::Killed(signal.unwrap_or(libc::SIGKILL)),
    };
    let cpu = Duration::from_micros(end.cpu);
    Ok(Done { ending, out: process.out, err: process.err, cpu, wall })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_and_are_stopped() {
        let mut host = Host::default();
        let limits = Limits::of_time(Duration::from_secs(20));
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let done = host.run(&words("echo a b"), &limits).expect("it starts");
        assert_eq!((done.ending, &done.out[..]), (Ending::Exited(0), &b"a b\n"[..]));
        let done = host.run(&words("false"), &limits).expect("it starts");
        assert_eq!(done.ending, Ending::Exited(1));
        let short = Limits { wall: Duration::from_millis(300), ..limits };
        let done = host.run(&words("sleep 30"), &short).expect("it starts");
        assert_eq!(done.ending, Ending::Stopped(Bound::Time));
        assert!(host.run(&words("no-such-program-at-all"), &limits).is_err());
    }

    #[test]
    fn a_confined_program_is_elsewhere_and_leaves_nothing() {
        let script = "pwd; ls -A; sleep 77 & echo $!";
        let launch = Launch {
            program: PathBuf::from("/bin/sh"),
            argv: vec!["-c".to_owned(), script.to_owned()],
            env: Vec::new(),
            folder: None,
        };
        let done = run_confined(&launch, &Limits::of_time(Duration::from_secs(20))).expect("it starts");
        let out = String::from_utf8_lossy(&done.out).into_owned();
        let [folder, left] = out.lines().collect::<Vec<_>>()[..] else {
            panic!("not an empty folder: {out}")
        };
        assert_ne!(PathBuf::from(folder), std::env::current_dir().expect("a folder"));
        assert!(!PathBuf::from("/proc").join(left).exists(), "process {left} is left");
    }
}
