//! The messages between us and a supervisor: one packet each; the pipes of a solver come with the packet that starts it.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::limits::{Bound, Limits};
use crate::solver::launch::Launch;

/// What we ask of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Start a solver on the three pipes that come with this packet.
    Start(Launch, Limits),
    /// The next question may use this much CPU time, in milliseconds.
    Allow(u64),
    /// End the solver and all its descendants.
    Kill,
}

/// What a supervisor tells us.
#[derive(Debug, Serialize, Deserialize)]
pub enum Notice {
    /// The solver runs, under this process number.
    Started(i32),
    /// The solver cannot be started, for this reason.
    NotStarted(String),
    /// The solver and all its descendants have ended.
    Ended(ProcessEnd),
}

/// How a solver's process ended, and what it used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ProcessEnd {
    /// The exit status, if it exited.
    pub code: Option<i32>,
    /// The signal, if one ended it.
    pub signal: Option<i32>,
    /// The bound for which the supervisor ended it.
    pub bound: Option<Bound>,
    /// CPU time in microseconds.
    pub cpu: u64,
    /// Peak resident memory in bytes.
    pub peak: u64,
}

// Arguments and environment of one start must fit.
const PACKET: usize = 1 << 16;

/// A pair of connected ends; packets keep their bounds.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Sends one packet.
pub fn send<T: Serialize>(to: BorrowedFd<'_>, message: &T, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() && !control.push(SendAncillaryMessage::ScmRights(fds)) {
        return Err(io::Error::other("too many files for one packet"));
    }
    sendmsg(to, &[IoSlice::new(&text)], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives one packet with its files; `None` when the other end is gone.
pub fn receive<T: DeserializeOwned>(from: BorrowedFd<'_>) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut text = vec![0; PACKET];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let slices = &mut [IoSliceMut::new(&mut text)];
    let got = rustix::io::retry_on_intr(|| recvmsg(from, slices, &mut control, RecvFlags::CMSG_CLOEXEC))?;
    if got.bytes == 0 {
        return Ok(None);
    }
    let mut fds = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            fds.extend(rights);
        }
    }
    Ok(Some((serde_json::from_slice(&text[..got.bytes])?, fds)))
}

/// A pipe whose ends no other program inherits: reading end, writing end.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// Lets reads and writes on this end return at once.
pub fn nonblocking(end: &impl AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(end)?;
    rustix::fs::fcntl_setfl(end, flags | rustix::fs::OFlags::NONBLOCK)?;
    Ok(())
}
