//! The system calls of process keeping that have no safe wrapper: limits set between fork and exec, `wait4`, Landlock.
#![expect(unsafe_code, reason = "pre_exec, wait4 with resource usage and Landlock have no safe form here")]

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};

use super::limits::Limits;

/// Puts the kernel's limits on what `command` starts, and ends it with its parent.
pub fn bind(command: &mut Command, limits: &Limits) {
    let limits = *limits;
    // SAFETY: the closure runs between fork and exec; it makes system calls only and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            let hold = |what, soft: u64, hard: u64| {
                setrlimit(what, Rlimit { current: Some(soft), maximum: Some(hard) }).map_err(io::Error::from)
            };
            hold(Resource::Core, 0, 0)?;
            if let Some(space) = limits.space() {
                hold(Resource::As, space, space)?;
            }
            if let Some(stack) = limits.stack {
                hold(Resource::Stack, stack, stack)?;
            }
            Ok(())
        });
    }
}

/// Whether the kernel can keep a process from sending signals to others: Landlock since Linux 6.12.
pub fn can_confine_signals() -> bool {
    const ASK_VERSION: u32 = 1;
    const VERSION_WITH_SCOPES: i64 = 6;
    // SAFETY: with this flag the kernel reads nothing and tells its version of Landlock.
    unsafe {
        let nothing = std::ptr::null::<u8>();
        libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_VERSION) >= VERSION_WITH_SCOPES
    }
}

/// Keeps this process and all its descendants from sending signals to any other process, where the kernel can do that.
/// Elsewhere nothing changes. Tells whether it is done.
pub fn confine_signals() -> bool {
    /// `struct landlock_ruleset_attr` of version 6.
    #[repr(C)]
    struct Ruleset {
        handled_access_fs: u64,
        handled_access_net: u64,
        scoped: u64,
    }
    const SCOPE_SIGNAL: u64 = 1 << 1;
    if !can_confine_signals() {
        return false;
    }
    let ruleset = Ruleset { handled_access_fs: 0, handled_access_net: 0, scoped: SCOPE_SIGNAL };
    // SAFETY: the kernel reads the ruleset, which lives until it has, and nothing else; all else are numbers.
    unsafe {
        let size = size_of::<Ruleset>();
        let made = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const ruleset, size, 0_u32);
        let Ok(fd) = i32::try_from(made) else { return false };
        if fd < 0 {
            return false;
        }
        let restrict = || libc::syscall(libc::SYS_landlock_restrict_self, fd, 0_u32) == 0;
        // Only who gives up to gain privileges may restrict itself, unless it has them all.
        let done = restrict()
            || (libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1_u64, 0_u64, 0_u64, 0_u64) == 0 && restrict());
        libc::close(fd);
        done
    }
}

/// A process that ended: how, and what it used.
pub struct Reaped {
    /// Its number.
    pub pid: i32,
    /// The exit status, if it exited.
    pub code: Option<i32>,
    /// The signal, if one ended it.
    pub signal: Option<i32>,
    /// CPU time in microseconds, that of its own reaped children included.
    pub cpu: u64,
    /// Peak resident memory in bytes.
    pub peak: u64,
}

/// Takes one ended child, if there is one.
pub fn reap() -> Option<Reaped> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live memory of the right types, and a zeroed rusage is a valid one.
    let (pid, usage) = unsafe {
        let pid = libc::wait4(-1, &raw mut status, libc::WNOHANG, usage.as_mut_ptr());
        (pid, usage.assume_init())
    };
    if pid <= 0 {
        return None;
    }
    let micros = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
    Some(Reaped {
        pid,
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        cpu: micros(usage.ru_utime) + micros(usage.ru_stime),
        peak: usage.ru_maxrss as u64 * 1024,
    })
}

/// Makes this process deaf to polite requests to end; for the fake solver.
pub fn ignore_term() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGXCPU] {
        // SAFETY: ignoring a signal runs no code of ours.
        unsafe {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
}

/// Undoes what Rust's start-up does to signals, so that a driven library dies as its own program would.
pub fn plain_signals() {
    plain_signal(libc::SIGSEGV);
    plain_signal(libc::SIGBUS);
}

/// Gives a signal its default action.
pub fn plain_signal(signal: i32) {
    // SAFETY: the default action runs no code of ours.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
    }
}
