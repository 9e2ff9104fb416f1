//! Signs: what a solver's output tells besides answers, by the patterns of its profile; and what a run comes to.

use super::limits::Bound;
use super::stack::{plain, report};
use crate::solver::profile::{Profile, SignKind, SignRule, Within};
use crate::solver::{Ending, Outcome, Reply, Run, Sign};

/// The signs in a reply, by the first rule that fits each text.
pub fn signs(profile: &Profile, reply: &Reply, ending: Ending) -> Vec<Sign> {
    let mut found = Vec::new();
    for text in [&reply.noise, &reply.stderr] {
        if !text.is_empty() {
            found.extend(first(profile, Within::Noise, text));
        }
    }
    for text in reply.errors.iter().chain(&reply.refused) {
        found.extend(first(profile, Within::Error, text));
    }
    if let (Ending::Exited(code), true) = (ending, found.is_empty())
        && profile.run.crash_status.contains(&code)
    {
        // It says nothing but its status, which is in the ending.
        let text = String::new();
        found.push(Sign { kind: SignKind::Assertion, text, file: None, line: None, stack: Vec::new() });
    }
    found
}

/// Whether errors are but what the solver found wrong with its own answers; also if there are none.
pub fn only_self_checks(profile: &Profile, errors: &[String]) -> bool {
    let own =
        |text: &String| first(profile, Within::Error, text).is_some_and(|s| s.kind == SignKind::SelfCheck);
    errors.iter().all(own)
}

fn first(profile: &Profile, within: Within, text: &str) -> Option<Sign> {
    profile.all_signs().filter(|r| r.within == within).find_map(|r| read(r, text))
}

fn read(rule: &SignRule, text: &str) -> Option<Sign> {
    let found = rule.pattern.captures(text)?;
    let group = |name: &str| found.name(name).map(|m| m.as_str().trim().to_owned()).filter(|t| !t.is_empty());
    let whole = || found.get(0).map_or("", |m| m.as_str()).trim().to_owned();
    let said = group("text").unwrap_or_else(whole);
    let mut sign = Sign {
        kind: rule.kind,
        text: if is_crash(rule.kind) { plain(&said) } else { said },
        file: group("file"),
        line: group("line").and_then(|n| n.parse().ok()),
        stack: Vec::new(),
    };
    // A sanitizer's words have addresses in them; its stack says where it was.
    if let Some(report) = (rule.kind == SignKind::Sanitizer).then(|| report(text)).flatten() {
        if sign.file.is_none() {
            (sign.text, sign.file, sign.line) = (report.text, report.file, report.line);
        }
        sign.stack = report.frames;
    }
    Some(sign)
}

fn is_crash(kind: SignKind) -> bool {
    matches!(kind, SignKind::Sanitizer | SignKind::Assertion)
}

impl Run {
    /// Whether its output holds such a sign.
    pub fn has(&self, kind: SignKind) -> bool {
        self.signs.iter().any(|s| s.kind == kind)
    }

    /// What the run comes to.
    pub fn outcome(&self) -> Outcome {
        let late = |reason: &str| {
            let reason = reason.to_ascii_lowercase();
            ["timeout", "resourceout", "canceled", "interrupted"].iter().any(|r| reason.contains(r))
        };
        let own_time = self.reply.checks.last().and_then(|c| c.reason.as_deref()).is_some_and(late);
        match self.ending {
            Ending::Stopped(Bound::Time | Bound::Cpu) => return Outcome::TimedOut,
            Ending::Stopped(Bound::Memory) => return Outcome::OutOfMemory,
            Ending::Stopped(Bound::Output | Bound::Processes) => return Outcome::Unruly,
            _ if self.has(SignKind::Time) || own_time => return Outcome::TimedOut,
            Ending::Killed(libc::SIGALRM | libc::SIGXCPU) => return Outcome::TimedOut,
            _ if self.has(SignKind::Memory) => return Outcome::OutOfMemory,
            // We send it too, but then the ending says so: this one is the kernel's, for want of memory.
            Ending::Killed(libc::SIGKILL) => return Outcome::OutOfMemory,
            _ => {}
        }
        if self.has(SignKind::SelfCheck) {
            return Outcome::SelfCheck;
        }
        if self.has(SignKind::Assertion) || self.has(SignKind::Sanitizer) {
            return Outcome::Crashed;
        }
        if self.has(SignKind::Rejected) {
            return Outcome::Rejected;
        }
        match self.ending {
            Ending::Killed(libc::SIGINT | libc::SIGTERM | libc::SIGHUP | libc::SIGQUIT | libc::SIGPIPE) => {
                Outcome::Disturbed
            }
            Ending::Killed(_) => Outcome::Crashed,
            _ if !self.reply.errors.is_empty() => Outcome::Rejected,
            _ if self.reply.answers().is_empty() && !self.reply.unasked => Outcome::Rejected,
            _ => Outcome::Answered,
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Alive => f.write_str("alive"),
            Ending::Exited(code) => write!(f, "exited {code}"),
            Ending::Killed(signal) => f.write_str(&signal_name(*signal)),
            Ending::Stopped(bound) => write!(f, "stopped: {}", bound.word()),
        }
    }
}

/// The name of a signal.
pub fn signal_name(signal: i32) -> String {
    let known = [
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGQUIT, "SIGQUIT"),
        (libc::SIGILL, "SIGILL"),
        (libc::SIGTRAP, "SIGTRAP"),
        (libc::SIGABRT, "SIGABRT"),
        (libc::SIGBUS, "SIGBUS"),
        (libc::SIGFPE, "SIGFPE"),
        (libc::SIGKILL, "SIGKILL"),
        (libc::SIGUSR1, "SIGUSR1"),
        (libc::SIGSEGV, "SIGSEGV"),
        (libc::SIGUSR2, "SIGUSR2"),
        (libc::SIGPIPE, "SIGPIPE"),
        (libc::SIGALRM, "SIGALRM"),
        (libc::SIGTERM, "SIGTERM"),
        (libc::SIGXCPU, "SIGXCPU"),
        (libc::SIGXFSZ, "SIGXFSZ"),
        (libc::SIGSYS, "SIGSYS"),
    ];
    let name = known.iter().find(|(n, _)| *n == signal).map(|(_, name)| (*name).to_owned());
    name.unwrap_or_else(|| format!("signal {signal}"))
}
