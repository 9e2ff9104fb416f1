//! The supervisor: our own program again, as child subreaper, keeping one solver at a time and leaving none behind.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getpid, kill_process, pidfd_open, prlimit,
    set_child_subreaper, setsid,
};

use super::limits::{Bound, Limits};
use super::protocol::{Notice, ProcessEnd, Request, receive, send};
use super::reap::{Reaped, bind, confine_signals, reap};
use crate::solver::launch::Launch;

/// How often memory, CPU time and the number of processes are looked at.
const TICK: Duration = Duration::from_millis(20);

/// A process somewhere below us.
struct Descendant {
    pid: Pid,
    resident: u64,
}

/// The solver being kept.
struct Kept {
    pid: Pid,
    handle: OwnedFd,
    limits: Limits,
    /// CPU time of the tree, in milliseconds, at which it is ended.
    cpu_end: u64,
    bound: Option<Bound>,
}

/// Serves requests on standard input until the other end is gone; then ends everything below and returns.
///
/// A confined supervisor keeps its solver from sending signals to other processes: a solver must not be able to make
/// another one look as if it had crashed.
pub fn serve(confined: bool) -> io::Result<()> {
    if confined {
        confine_signals();
    }
    set_child_subreaper(Some(getpid()))?;
    // Signals of the terminal are for the hunt to answer, not for its solvers to die of.
    let _ = setsid();
    let scratch = Scratch::new()?;
    let orders = rustix::stdio::stdin();
    let mut kept: Option<Kept> = None;
    loop {
        let event = await_event(orders, kept.as_ref())?;
        if event.orders {
            match receive::<Request>(orders)? {
                None => {
                    end_all();
                    return Ok(());
                }
                Some((Request::Start(launch, limits), pipes)) => {
                    let notice = match start(&launch, &limits, pipes, &scratch) {
                        Ok(new) => {
                            let pid = new.pid.as_raw_nonzero().get();
                            kept = Some(new);
                            Notice::Started(pid)
                        }
                        Err(e) => Notice::NotStarted(e.to_string()),
                    };
                    send(orders, &notice, &[])?;
                }
                Some((Request::Allow(ms), _)) => {
                    if let Some(k) = &mut kept {
                        allow(k, ms);
                    }
                }
                Some((Request::Kill, _)) => {
                    if let Some(k) = kept.take() {
                        finish(orders, &k)?;
                    }
                }
            }
        } else if event.ended {
            if let Some(k) = kept.take() {
                finish(orders, &k)?;
            }
        } else if let Some(k) = &mut kept {
            k.bound = passed(k);
            if k.bound.is_some() {
                let k = kept.take().expect("it is there");
                finish(orders, &k)?;
            }
        }
    }
}

struct Event {
    orders: bool,
    ended: bool,
}

fn await_event(orders: BorrowedFd<'_>, kept: Option<&Kept>) -> io::Result<Event> {
    let mut fds = vec![PollFd::from_borrowed_fd(orders, PollFlags::IN)];
    if let Some(k) = kept {
        fds.push(PollFd::from_borrowed_fd(k.handle.as_fd(), PollFlags::IN));
    }
    let tick = kept.map(|_| Timespec { tv_sec: 0, tv_nsec: TICK.as_nanos() as i64 });
    match poll(&mut fds, tick.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(e) => return Err(e.into()),
    }
    let ready = |i: usize| fds.get(i).is_some_and(|f| !f.revents().is_empty());
    Ok(Event { orders: ready(0), ended: ready(1) })
}

fn start(launch: &Launch, limits: &Limits, pipes: Vec<OwnedFd>, scratch: &Scratch) -> io::Result<Kept> {
    let [input, output, error]: [OwnedFd; 3] =
        pipes.try_into().map_err(|_| io::Error::other("a start needs three pipes"))?;
    let mut command = Command::new(&launch.program);
    command.args(&launch.argv).current_dir(launch.folder.as_ref().unwrap_or(&scratch.0));
    command.env("LC_ALL", "C.UTF-8").envs(launch.env.iter().map(|(k, v)| (k, v)));
    command.stdin(Stdio::from(input)).stdout(Stdio::from(output)).stderr(Stdio::from(error));
    bind(&mut command, limits);
    let child = command.spawn()?;
    let pid = Pid::from_child(&child);
    // We wait for it with `wait4`, never through `child`.
    drop(child);
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    let mut kept = Kept { pid, handle, limits: *limits, cpu_end: 0, bound: None };
    allow(&mut kept, limits.cpu.as_millis() as u64);
    Ok(kept)
}

/// Moves the CPU limit on: what is used now, and `ms` more. The kernel counts whole seconds, the watching finer.
fn allow(kept: &mut Kept, ms: u64) {
    let used = cpu_of(kept.pid);
    kept.cpu_end = used.saturating_add(ms);
    let seconds = kept.cpu_end / 1000 + 2;
    let limit = Rlimit { current: Some(seconds), maximum: None };
    let _ = prlimit(Some(kept.pid), Resource::Cpu, limit);
}

/// The bound that the solver has passed, if any.
fn passed(kept: &Kept) -> Option<Bound> {
    let all = descendants();
    if all.len() as u64 > kept.limits.processes as u64 {
        return Some(Bound::Processes);
    }
    if all.iter().map(|d| d.resident).sum::<u64>() > kept.limits.memory {
        return Some(Bound::Memory);
    }
    (all.iter().map(|d| cpu_of(d.pid)).sum::<u64>() > kept.cpu_end).then_some(Bound::Cpu)
}

/// Ends the solver and all that descends from it, and tells how it ended.
fn finish(orders: BorrowedFd<'_>, kept: &Kept) -> io::Result<()> {
    let ended = end_all();
    let mut end = ProcessEnd { code: None, signal: None, bound: kept.bound, cpu: 0, peak: 0 };
    if let Some(r) = ended.get(&kept.pid.as_raw_nonzero().get()) {
        end = ProcessEnd { code: r.code, signal: r.signal, bound: kept.bound, cpu: r.cpu, peak: r.peak };
    }
    for (pid, r) in &ended {
        if *pid != kept.pid.as_raw_nonzero().get() {
            end.cpu += r.cpu;
        }
    }
    let used_up = end.cpu / 1000 >= kept.cpu_end;
    if end.signal == Some(Signal::XCPU.as_raw()) && end.bound.is_none() && used_up {
        end.bound = Some(Bound::Cpu);
    }
    match send(orders, &Notice::Ended(end), &[]) {
        // Whoever asked is gone: the next order will say so.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Ends all descendants: they are stopped first, so that none can fork while we look for the others.
fn end_all() -> BTreeMap<i32, Reaped> {
    let mut ended = BTreeMap::new();
    loop {
        while let Some(r) = reap() {
            ended.insert(r.pid, r);
        }
        if descendants().is_empty() {
            return ended;
        }
        let mut seen = 0;
        loop {
            let all = descendants();
            for d in &all {
                let _ = kill_process(d.pid, Signal::STOP);
            }
            if all.len() <= seen {
                break;
            }
            seen = all.len();
        }
        for d in descendants() {
            let _ = kill_process(d.pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// All processes below us, dead ones not yet reaped included.
fn descendants() -> Vec<Descendant> {
    let mut found = Vec::new();
    let mut open = vec![getpid()];
    while let Some(parent) = open.pop() {
        for pid in children(parent) {
            found.push(Descendant { pid, resident: resident(pid) });
            open.push(pid);
        }
    }
    found
}

fn children(parent: Pid) -> Vec<Pid> {
    static LISTED: LazyLock<bool> =
        LazyLock::new(|| fs::exists("/proc/thread-self/children").unwrap_or(false));
    let parent = parent.as_raw_nonzero();
    if !*LISTED {
        return children_by_looking(parent.get());
    }
    // A process may fork from any of its threads.
    let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { return Vec::new() };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(list.split_ascii_whitespace().filter_map(|n| Pid::from_raw(n.parse().ok()?)));
    }
    found
}

/// The same on a kernel that keeps no lists of children: every process says who its parent is.
fn children_by_looking(parent: i32) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|n| stat_field(*n, 1) == Some(parent as u64)).filter_map(Pid::from_raw).collect()
}

/// A number in the statistics of a process, counted after its name.
fn stat_field(pid: i32, n: usize) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, so count from the last one.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_ascii_whitespace().nth(n)?.parse().ok()
}

fn resident(pid: Pid) -> u64 {
    let statm = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).unwrap_or_default();
    let pages: u64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// CPU time of a process in milliseconds, as the kernel's statistics count it.
fn cpu_of(pid: Pid) -> u64 {
    let field = |n| stat_field(pid.as_raw_nonzero().get(), n).unwrap_or(0);
    (field(11) + field(12)) * 1000 / rustix::param::clock_ticks_per_second()
}

/// The directory solvers run in, so that what one writes is gone with us.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Scratch> {
        let place = std::env::temp_dir().join(format!("gainsay-{}", std::process::id()));
        fs::create_dir_all(&place)?;
        Ok(Scratch(place))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_either_way() {
        let mut child = Command::new("sleep").arg("20").spawn().expect("a child");
        let pid = Pid::from_child(&child);
        let me = getpid();
        assert!(children(me).contains(&pid));
        assert!(children_by_looking(me.as_raw_nonzero().get()).contains(&pid));
        assert!(!children_by_looking(pid.as_raw_nonzero().get()).contains(&me));
        child.kill().expect("ours to kill");
        child.wait().expect("it ended");
    }
}
