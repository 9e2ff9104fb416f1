//! A solver's process as we see it: its pipes, what is to be written and what has been read.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::buffer::spare_capacity;
use rustix::io::Errno;

use super::limits::Bound;
use super::protocol::ProcessEnd;

/// How much is read from a pipe at once.
const CHUNK: usize = 1 << 14;

/// Our ends of the three standard pipes of a process.
pub struct Pipes {
    pub stdin: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
}

/// A solver's process: its pipes and what came through them.
pub struct SolverProcess {
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: Option<OwnedFd>,
    pub(super) stderr: Option<OwnedFd>,
    /// The kernel's account of its memory; open as long as the process is ours, so that a look costs one read.
    memory: Option<File>,
    /// What is still to be written.
    queue: Vec<u8>,
    written: usize,
    close_after: bool,
    /// Standard output that has not been taken yet.
    pub out: Vec<u8>,
    /// Standard error that has not been taken yet.
    pub err: Vec<u8>,
    /// Bytes of output since the question began.
    total: u64,
    output_limit: u64,
    /// The bound for which we asked its end.
    pub bound: Option<Bound>,
    /// How it ended.
    pub end: Option<ProcessEnd>,
}

impl SolverProcess {
    /// A process that was started on these pipes.
    pub fn new(pid: i32, pipes: Pipes, output_limit: u64) -> SolverProcess {
        SolverProcess {
            stdin: Some(pipes.stdin),
            stdout: Some(pipes.stdout),
            stderr: Some(pipes.stderr),
            memory: File::open(format!("/proc/{pid}/statm")).ok(),
            queue: Vec::new(),
            written: 0,
            close_after: false,
            out: Vec::new(),
            err: Vec::new(),
            total: 0,
            output_limit,
            bound: None,
            end: None,
        }
    }

    /// Queues text for the standard input.
    pub fn write(&mut self, text: &str) {
        self.queue.extend_from_slice(text.as_bytes());
    }

    /// Closes the standard input once all is written.
    pub fn close(&mut self) {
        self.close_after = true;
    }

    /// Whether there is something to write and somebody to read it.
    pub fn has_input(&self) -> bool {
        self.stdin.is_some() && self.written < self.queue.len()
    }

    /// Writes what the pipe takes now.
    pub fn feed(&mut self) {
        while let Some(fd) = &self.stdin {
            if self.written == self.queue.len() {
                self.queue.clear();
                self.written = 0;
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

    /// Reads what there is on standard output.
    pub fn read_stdout(&mut self) {
        self.total += drain(&mut self.stdout, &mut self.out, self.output_limit);
    }

    /// Reads what there is on standard error.
    pub fn read_stderr(&mut self) {
        self.total += drain(&mut self.stderr, &mut self.err, self.output_limit);
    }

    /// Whether the question has brought more output than it may.
    pub fn passes_output_limit(&self) -> bool {
        self.total > self.output_limit
    }

    /// Lets the next question have its own count of output.
    pub fn restart_count(&mut self) {
        self.total = 0;
    }

    /// Whether standard output and standard error are at their end.
    pub fn is_silent(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Whether the process and its pipes are at their end.
    pub fn ended(&self) -> bool {
        self.end.is_some() && self.is_silent()
    }

    /// The resident memory of the process itself, in bytes.
    pub fn resident(&self) -> Option<u64> {
        let mut text = [0; 128];
        let read = self.memory.as_ref()?.read_at(&mut text, 0).ok()?;
        let pages = std::str::from_utf8(&text[..read]).ok()?.split(' ').nth(1)?.parse::<u64>().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }
}

/// Reads what there is, keeping no more than `limit` bytes; closes the pipe at its end. Tells how many bytes came.
fn drain(pipe: &mut Option<OwnedFd>, into: &mut Vec<u8>, limit: u64) -> u64 {
    let mut total = 0;
    while let Some(fd) = pipe {
        into.reserve(CHUNK);
        let room = into.spare_capacity_mut().len();
        match rustix::io::read(fd, spare_capacity(into)) {
            Ok(0) => *pipe = None,
            Ok(n) => {
                total += n as u64;
                into.truncate(limit as usize);
                if total > limit || n < room {
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
