//! Programs that are no solvers, run on a file under a supervisor: nothing of theirs is left behind.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::slot::{Slot, pump};
use super::wire::Launch;
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

/// A place where one program runs at a time.
#[derive(Default)]
pub struct Host {
    slot: Option<Slot>,
}

impl Host {
    /// Runs a program with these arguments where we are, without a shell, and waits for it.
    pub fn run(&mut self, argv: &[String], limits: &Limits) -> Result<Done, SolverError> {
        let (name, rest) = argv.split_first().ok_or_else(|| SolverError::NotStarted {
            program: String::new(),
            why: "no program is named".to_owned(),
        })?;
        let found = if name.contains('/') { None } else { crate::solver::named::on_path(name) };
        let launch = Launch {
            program: found.unwrap_or_else(|| PathBuf::from(name)),
            argv: rest.to_vec(),
            env: Vec::new(),
            folder: std::env::current_dir().ok(),
        };
        let mut slot = match self.slot.take() {
            Some(slot) => slot,
            None => Slot::new()?,
        };
        let start = Instant::now();
        let deadline = start + limits.wall;
        slot.start(&launch, limits)?.close();
        if let Some(live) = slot.live() {
            live.feed();
        }
        while slot.live().is_some_and(|live| !live.ended()) {
            if Instant::now() >= deadline {
                slot.stop(Bound::Time)?;
            }
            let wait = deadline.max(Instant::now() + Duration::from_millis(20));
            pump(&mut [&mut slot], Some(wait))?;
        }
        let wall = start.elapsed();
        let live = slot.end(None)?;
        self.slot = Some(slot);
        let Some(live) = live else {
            return Err(SolverError::Supervisor("the program is gone".to_owned()));
        };
        let over = live.over.ok_or_else(|| SolverError::Supervisor("no end was told".to_owned()))?;
        let ending = match (live.bound.or(over.bound), over.code, over.signal) {
            (Some(bound), ..) => Ending::Stopped(bound),
            (None, Some(code), _) => Ending::Exited(code),
            (None, None, signal) => Ending::Killed(signal.unwrap_or(libc::SIGKILL)),
        };
        Ok(Done { ending, out: live.out, err: live.err, cpu: Duration::from_micros(over.cpu), wall })
    }
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
}
