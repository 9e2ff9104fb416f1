//! Workflow commands of GitHub: annotations that stand beside a commit.

use std::fmt::Write;

use super::Verdict;

/// Annotations that are written at most; the host shows ten.
const MOST: usize = 10;

/// A message as a workflow command takes it.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as a workflow command takes it.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// One line for each new fault and each slowdown, and a notice if time ended first.
pub fn annotations(v: &Verdict) -> String {
    let mut out = String::new();
    for n in v.news.iter().take(MOST) {
        let level = if v.is_failure(n) { "error" } else { "warning" };
        let title = property(&format!("{} of {}", n.kind.word(), v.build));
        let text = message(&format!("{}\n{}: {}", n.summary, n.place(), n.text));
        let _ = writeln!(out, "::{level} title={title}::{text}");
    }
    if v.news.len() > MOST {
        let _ = writeln!(out, "::error title=more::and {} more new faults", v.news.len() - MOST);
    }
    for s in v.speeds.iter().filter(|s| s.slower) {
        let _ = writeln!(out, "::error title=performance::{}", message(&v.slowdown(s)));
    }
    if !v.is_whole() {
        let (done, wanted) = v.parts.iter().fold((0, 0), |(d, w), p| (d + p.screened, w + p.wanted));
        let _ =
            writeln!(out, "::notice title=time ended::{done} of {wanted} formulas and turns were screened");
    }
    out
}
