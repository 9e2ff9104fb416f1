//! A place for one solver at a time under its own supervisor, and the poll loop that moves bytes for many.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::environment::hushed;
use super::limits::{Bound, Limits};
use super::wire::{Launch, Order, Over, Word, nonblocking, pair, pipe, receive, send};
use crate::solver::SolverError;

/// Our own program, to be started again as supervisor or driver.
///
/// A test's program is not ours; the one that cargo built beside it is.
pub fn own_program() -> PathBuf {
    let me = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("/proc/self/exe"));
    if let Some(dir) = me.parent().filter(|d| d.ends_with("deps")) {
        let built = dir.with_file_name("gainsay");
        if built.is_file() {
            return built;
        }
    }
    PathBuf::from("/proc/self/exe")
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
fn failed(e: io::Error) -> SolverError {
    SolverError::Supervisor(e.to_string())
}

/// One supervisor, and the solver it keeps if there is one.
pub struct Slot {
    supervisor: Child,
    orders: OwnedFd,
    live: Option<Live>,
}

/// A solver's process as we see it: its pipes and what came through them.
pub struct Live {
    pid: i32,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    /// What is still to be written.
    queue: Vec<u8>,
    written: usize,
    close_after: bool,
    /// Standard output that has not been taken yet.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
    total: u64,
    output_limit: u64,
    /// The bound for which we asked its end.
    pub bound: Option<Bound>,
    /// How it ended.
    pub over: Option<Over>,
}

impl Live {
    /// Queues text for the solver's standard input.
    pub fn write(&mut self, text: &str) {
        self.queue.drain(..self.written);
        self.written = 0;
        self.queue.extend_from_slice(text.as_bytes());
    }

    /// Closes its standard input once all is written.
    pub fn close(&mut self) {
        self.close_after = true;
    }

    /// Whether the process and its pipes are at their end.
    pub fn ended(&self) -> bool {
        self.over.is_some() && self.stdout.is_none() && self.stderr.is_none()
    }

    /// Lets the next question have its own count of output.
    pub fn restart_count(&mut self) {
        self.total = 0;
    }
}

impl Slot {
    /// Starts a supervisor.
    pub fn new() -> Result<Slot, SolverError> {
        let (ours, theirs) = pair().map_err(failed)?;
        let mut command = Command::new(own_program());
        command.arg("supervise").stdin(Stdio::from(theirs)).stdout(Stdio::null());
        let supervisor = hushed(&mut command).spawn().map_err(failed)?;
        Ok(Slot { supervisor, orders: ours, live: None })
    }

    /// Starts a solver; one that was there is ended first.
    pub fn start(&mut self, launch: &Launch, limits: &Limits) -> Result<&mut Live, SolverError> {
        self.end(None)?;
        let (in_read, in_write) = pipe().map_err(failed)?;
        let (out_read, out_write) = pipe().map_err(failed)?;
        let (err_read, err_write) = pipe().map_err(failed)?;
        for end in [&in_write, &out_read, &err_read] {
            nonblocking(end).map_err(failed)?;
        }
        let order = Order::Start(launch.clone(), *limits);
        let pipes = [in_read.as_fd(), out_write.as_fd(), err_write.as_fd()];
        send(self.orders.as_fd(), &order, &pipes).map_err(failed)?;
        drop((in_read, out_write, err_write));
        let pid = match self.word()? {
            Word::Started(pid) => pid,
            Word::NotStarted(why) => {
                return Err(SolverError::NotStarted { program: launch.program.display().to_string(), why });
            }
            Word::Over(_) => return Err(SolverError::Supervisor("an end without a start".to_owned())),
        };
        Ok(self.live.insert(Live {
            pid,
            stdin: Some(in_write),
            stdout: Some(out_read),
            stderr: Some(err_read),
            queue: Vec::new(),
            written: 0,
            close_after: false,
            out: Vec::new(),
            err: Vec::new(),
            total: 0,
            output_limit: limits.output,
            bound: None,
            over: None,
        }))
    }

    fn word(&self) -> Result<Word, SolverError> {
        match receive(self.orders.as_fd()).map_err(failed)? {
            Some((word, _)) => Ok(word),
            None => Err(SolverError::Supervisor("it is gone".to_owned())),
        }
    }

    /// The solver it keeps.
    pub fn live(&mut self) -> Option<&mut Live> {
        self.live.as_mut()
    }

    /// The resident memory of the solver itself, in bytes.
    pub fn resident(&self) -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.live.as_ref()?.pid)).ok()?;
        let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }

    /// Gives the next question its own CPU time.
    pub fn allow(&mut self, cpu: Duration) -> Result<(), SolverError> {
        send(self.orders.as_fd(), &Order::Allow(cpu.as_millis() as u64), &[]).map_err(failed)
    }

    /// Asks for the end of the solver, for this bound; the end itself comes through [`pump`].
    pub fn stop(&mut self, bound: Bound) -> Result<(), SolverError> {
        let Some(live) = &mut self.live else { return Ok(()) };
        if live.bound.is_none() && live.over.is_none() {
            live.bound = Some(bound);
            send(self.orders.as_fd(), &Order::Kill, &[]).map_err(failed)?;
        }
        Ok(())
    }

    /// Ends the solver, if there is one, and waits for it.
    pub fn end(&mut self, bound: Option<Bound>) -> Result<Option<Live>, SolverError> {
        let Some(mut live) = self.live.take() else { return Ok(None) };
        if live.over.is_none() {
            if live.bound.is_none() {
                live.bound = bound;
                send(self.orders.as_fd(), &Order::Kill, &[]).map_err(failed)?;
            }
            if let Word::Over(over) = self.word()? {
                live.over = Some(over);
            }
        }
        Ok(Some(live))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // The supervisor ends all below it when our end closes.
        if rustix::net::shutdown(&self.orders, rustix::net::Shutdown::Both).is_err() {
            let _ = self.supervisor.kill();
        }
        let _ = self.supervisor.wait();
    }
}

/// Which end of which slot a poll entry stands for.
#[derive(Clone, Copy)]
enum End {
    Stdin,
    Stdout,
    Stderr,
    Orders,
}

/// Waits until something happens on one of the slots or the deadline passes, and moves the bytes there are.
pub fn pump(slots: &mut [&mut Slot], deadline: Option<Instant>) -> Result<(), SolverError> {
    let mut fds: Vec<PollFd<'_>> = Vec::new();
    let mut whose: Vec<(usize, End)> = Vec::new();
    for (i, slot) in slots.iter().enumerate() {
        let Some(live) = &slot.live else { continue };
        let to_write = live.stdin.as_ref().filter(|_| live.written < live.queue.len());
        let ends = [
            (to_write, End::Stdin, PollFlags::OUT),
            (live.stdout.as_ref(), End::Stdout, PollFlags::IN),
            (live.stderr.as_ref(), End::Stderr, PollFlags::IN),
            (live.over.is_none().then_some(&slot.orders), End::Orders, PollFlags::IN),
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
    let ready: Vec<(usize, End)> =
        fds.iter().zip(whose).filter(|(fd, _)| !fd.revents().is_empty()).map(|(_, w)| w).collect();
    for (i, end) in ready {
        slots[i].serve(end)?;
    }
    Ok(())
}

impl Slot {
    fn serve(&mut self, end: End) -> Result<(), SolverError> {
        if matches!(end, End::Orders) {
            if let (Word::Over(over), Some(live)) = (self.word()?, &mut self.live) {
                live.over = Some(over);
                live.stdin = None;
            }
            return Ok(());
        }
        let Some(live) = &mut self.live else { return Ok(()) };
        match end {
            End::Stdin => live.feed(),
            End::Stdout => {
                live.total += drain(&mut live.stdout, &mut live.out, live.output_limit);
            }
            End::Stderr => {
                live.total += drain(&mut live.stderr, &mut live.err, live.output_limit);
            }
            End::Orders => {}
        }
        if live.total > live.output_limit {
            self.stop(Bound::Output)?;
        }
        Ok(())
    }
}

impl Live {
    /// Writes what the pipe takes now.
    pub fn feed(&mut self) {
        while let Some(fd) = &self.stdin {
            if self.written == self.queue.len() {
                if self.close_after {
                    self.stdin = None;
                }
                return;
            }
            match rustix::io::write(fd, &self.queue[self.written..]) {
                Ok(n) => self.written += n,
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // It reads no more: what it does next is for the other pipes to tell.
                Err(_) => self.stdin = None,
            }
        }
    }
}

/// Reads what there is, keeping no more than `limit` bytes; closes the pipe at its end.
fn drain(pipe: &mut Option<OwnedFd>, into: &mut Vec<u8>, limit: u64) -> u64 {
    let mut buffer = [0; 1 << 14];
    let mut total = 0;
    while let Some(fd) = pipe {
        match rustix::io::read(fd, &mut buffer) {
            Ok(0) => *pipe = None,
            Ok(n) => {
                total += n as u64;
                let room = (limit as usize).saturating_sub(into.len()).min(n);
                into.extend_from_slice(&buffer[..room]);
                if total > limit || n < buffer.len() {
                    break;
                }
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => break,
            Err(_) => *pipe = None,
        }
    }
    total
}
