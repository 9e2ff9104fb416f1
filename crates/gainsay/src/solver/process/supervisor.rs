//! Our side of a supervisor: starts one solver at a time under it, and waits for what the solvers of many supervisors do.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::environment::without_database_variables;
use super::limits::{Bound, Limits};
use super::pipes::{Pipes, SolverProcess};
use super::protocol::{Notice, Request, nonblocking, pair, pipe, receive, send};
use crate::solver::SolverError;
use crate::solver::launch::{Launch, own_program};

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
fn failed(e: io::Error) -> SolverError {
    SolverError::Supervisor(e.to_string())
}

/// A supervisor that we started, and the solver that runs under it if there is one.
pub struct Supervisor {
    child: Child,
    socket: OwnedFd,
    solver: Option<SolverProcess>,
}

impl Supervisor {
    /// Starts a supervisor for solvers: they cannot send signals to processes that are not their own.
    pub fn new() -> Result<Supervisor, SolverError> {
        Supervisor::with(&["supervise", "--confined"])
    }

    /// Starts a supervisor for a person's own program, which may do what the person may.
    pub fn unconfined() -> Result<Supervisor, SolverError> {
        Supervisor::with(&["supervise"])
    }

    fn with(args: &[&str]) -> Result<Supervisor, SolverError> {
        let (ours, theirs) = pair().map_err(failed)?;
        let mut command = Command::new(own_program());
        command.args(args).stdin(Stdio::from(theirs)).stdout(Stdio::null());
        let child = without_database_variables(&mut command).spawn().map_err(failed)?;
        Ok(Supervisor { child, socket: ours, solver: None })
    }

    /// Starts a solver; one that was there is ended first.
    pub fn start(&mut self, launch: &Launch, limits: &Limits) -> Result<&mut SolverProcess, SolverError> {
        self.end(None)?;
        let (in_read, in_write) = pipe().map_err(failed)?;
        let (out_read, out_write) = pipe().map_err(failed)?;
        let (err_read, err_write) = pipe().map_err(failed)?;
        for end in [&in_write, &out_read, &err_read] {
            nonblocking(end).map_err(failed)?;
        }
        let request = Request::Start(launch.clone(), *limits);
        let theirs = [in_read.as_fd(), out_write.as_fd(), err_write.as_fd()];
        send(self.socket.as_fd(), &request, &theirs).map_err(failed)?;
        drop((in_read, out_write, err_write));
        let pid = match self.notice()? {
            Notice::Started(pid) => pid,
            Notice::NotStarted(why) => {
                return Err(SolverError::NotStarted { program: launch.program.display().to_string(), why });
            }
            Notice::Ended(_) => return Err(SolverError::Supervisor("an end without a start".to_owned())),
        };
        let pipes = Pipes { stdin: in_write, stdout: out_read, stderr: err_read };
        Ok(self.solver.insert(SolverProcess::new(pid, pipes, limits.output)))
    }

    fn notice(&self) -> Result<Notice, SolverError> {
        match receive(self.socket.as_fd()).map_err(failed)? {
            Some((notice, _)) => Ok(notice),
            None => Err(SolverError::Supervisor("it is gone".to_owned())),
        }
    }

    /// The solver that runs under it.
    pub fn solver(&mut self) -> Option<&mut SolverProcess> {
        self.solver.as_mut()
    }

    /// The resident memory of the solver itself, in bytes.
    pub fn resident(&self) -> Option<u64> {
        self.solver.as_ref()?.resident()
    }

    /// Gives the next question its own CPU time.
    pub fn allow(&mut self, cpu: Duration) -> Result<(), SolverError> {
        send(self.socket.as_fd(), &Request::Allow(cpu.as_millis() as u64), &[]).map_err(failed)
    }

    /// Asks for the end of the solver, for this bound; the end itself comes through [`await_output`].
    pub fn stop(&mut self, bound: Bound) -> Result<(), SolverError> {
        let Some(solver) = &mut self.solver else { return Ok(()) };
        if solver.bound.is_none() && solver.end.is_none() {
            solver.bound = Some(bound);
            send(self.socket.as_fd(), &Request::Kill, &[]).map_err(failed)?;
        }
        Ok(())
    }

    /// Ends the solver, if there is one, and waits for it.
    pub fn end(&mut self, bound: Option<Bound>) -> Result<Option<SolverProcess>, SolverError> {
        let Some(mut solver) = self.solver.take() else { return Ok(None) };
        if solver.end.is_none() {
            if solver.bound.is_none() {
                solver.bound = bound;
                send(self.socket.as_fd(), &Request::Kill, &[]).map_err(failed)?;
            }
            if let Notice::Ended(end) = self.notice()? {
                solver.end = Some(end);
            }
        }
        Ok(Some(solver))
    }

    /// Does what an end that is ready calls for.
    fn serve(&mut self, end: End) -> Result<(), SolverError> {
        if matches!(end, End::Socket) {
            if let (Notice::Ended(end), Some(solver)) = (self.notice()?, &mut self.solver) {
                solver.end = Some(end);
                solver.stdin = None;
            }
            return Ok(());
        }
        let Some(solver) = &mut self.solver else { return Ok(()) };
        match end {
            End::Stdin => solver.feed(),
            End::Stdout => solver.read_stdout(),
            End::Stderr => solver.read_stderr(),
            End::Socket => {}
        }
        if solver.passes_output_limit() {
            self.stop(Bound::Output)?;
        }
        Ok(())
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The supervisor ends all below it when our end closes.
        if rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both).is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// What a poll entry stands for.
#[derive(Clone, Copy)]
enum End {
    Stdin,
    Stdout,
    Stderr,
    Socket,
}

/// Waits until a solver of one of the supervisors writes, reads or ends, or the deadline passes; moves the bytes there are.
pub fn await_output(
    supervisors: &mut [&mut Supervisor],
    deadline: Option<Instant>,
) -> Result<(), SolverError> {
    let mut fds: Vec<PollFd<'_>> = Vec::with_capacity(4 * supervisors.len());
    let mut whose: Vec<(usize, End)> = Vec::with_capacity(4 * supervisors.len());
    for (i, supervisor) in supervisors.iter().enumerate() {
        let Some(solver) = &supervisor.solver else { continue };
        let ends = [
            (solver.stdin.as_ref().filter(|_| solver.has_input()), End::Stdin, PollFlags::OUT),
            (solver.stdout.as_ref(), End::Stdout, PollFlags::IN),
            (solver.stderr.as_ref(), End::Stderr, PollFlags::IN),
            (solver.end.is_none().then_some(&supervisor.socket), End::Socket, PollFlags::IN),
        ];
        for (fd, end, flags) in ends {
            if let Some(fd) = fd {
                fds.push(PollFd::from_borrowed_fd(fd.as_fd(), flags));
                whose.push((i, end));
            }
        }
    }
    let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
    let left = left.map(|d| Timespec { tv_sec: d.as_secs() as i64, tv_nsec: i64::from(d.subsec_nanos()) });
    match poll(&mut fds, left.as_ref()) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(e) => return Err(failed(e.into())),
    }
    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty()).collect::<Vec<_>>().into_iter();
    whose.retain(|_| ready.next() == Some(true));
    for (i, end) in whose {
        supervisors[i].serve(end)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::reap::can_confine_signals;
    use std::path::PathBuf;

    use super::*;

    /// Runs a shell command under a supervisor to its end.
    fn run(mut supervisor: Supervisor, command: &str) {
        let argv = vec!["-c".to_owned(), command.to_owned()];
        let launch = Launch { program: PathBuf::from("/bin/sh"), argv, env: Vec::new(), folder: None };
        let limits = Limits::of_time(Duration::from_secs(20));
        supervisor.start(&launch, &limits).expect("a shell starts");
        while supervisor.solver().is_some_and(|process| !process.ended()) {
            await_output(&mut [&mut supervisor], None).expect("the supervisor is there");
        }
    }

    #[test]
    fn a_solver_cannot_make_another_look_as_if_it_had_crashed() {
        let mut other = Command::new("sleep").arg("60").spawn().expect("another process");
        run(Supervisor::new().expect("a supervisor"), &format!("kill -SEGV {}", other.id()));
        if can_confine_signals() {
            assert!(other.try_wait().expect("ours").is_none(), "it was killed");
        }
        other.kill().expect("ours to kill");
        other.wait().expect("it ended");
    }
}
