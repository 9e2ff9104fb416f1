//! What the check of a build came to, for people and for the machines that gate commits.

mod github;
mod junit;
mod sarif;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::judge::Kind;
use crate::solver::id::SolverId;

pub use github::annotations;
pub use junit::junit;
pub use sarif::sarif;

/// Formulas and seconds of the reference below which a figure says nothing.
const FEW: usize = 10;
const SHORT: f64 = 0.1;
/// Faults that are shown one by one; all are in the files.
const SHOWN: usize = 20;
/// The version of the JSON.
const VERSION: u32 = 1;

/// What is asked one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A formula of a grammar.
    Formula,
    /// A turn of a hunt.
    Turn,
}

/// Something that is wrong with the build and not with the release it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// The kind of the fault.
    pub kind: Kind,
    /// The formula's grammar, or the name of the hunt.
    pub grammar: String,
    /// Which of the two.
    pub unit: Unit,
    /// The formula's number, or which turn it was.
    pub number: String,
    /// In a sentence.
    pub summary: String,
    /// The operators of the formula.
    pub operators: String,
    /// The finding's folder in the store, if it was kept.
    pub folder: Option<String>,
    /// The script.
    pub text: String,
}

impl News {
    /// What was asked, in words.
    fn place(&self) -> String {
        match self.unit {
            Unit::Formula => format!("formula {} of {}", self.number, self.grammar),
            Unit::Turn => self.number.clone(),
        }
    }
}

/// How much is wrong that is not new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The release has it too.
    pub old: usize,
    /// Seen, and then not again.
    pub once: usize,
}

/// How far a grammar was screened, or a hunt went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The grammar, or the name of the hunt.
    pub grammar: String,
    /// Which of the two.
    pub unit: Unit,
    /// How many were asked.
    pub screened: u64,
    /// How many were to be asked.
    pub wanted: u64,
}

/// What build and release took together on what both solve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Formulas that both solve.
    pub formulas: usize,
    /// CPU seconds of the build.
    pub build: f64,
    /// CPU seconds of the release.
    pub against: f64,
}

impl Totals {
    /// How many times as long the build takes.
    pub fn ratio(&self) -> f64 {
        if self.against > 0.0 { self.build / self.against } else { 1.0 }
    }

    /// Whether there is enough to say anything.
    pub fn says_something(&self) -> bool {
        self.formulas >= FEW && self.against >= SHORT
    }
}

/// What was measured of one grammar, or of all together.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// The grammar; `all` for all together.
    pub grammar: String,
    /// Each round; more than one only where the first was beyond the bound.
    pub rounds: Vec<Totals>,
    /// Whether it is beyond the bound in every round.
    pub slower: bool,
}

impl Speed {
    /// The least ratio of all rounds: what can be relied on.
    pub fn ratio(&self) -> f64 {
        self.rounds.iter().map(Totals::ratio).reduce(f64::min).unwrap_or(1.0)
    }
}

/// What the check of a build came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The build.
    pub build: SolverId,
    /// The release it was compared with.
    pub against: SolverId,
    /// Releases of other makes that were asked.
    pub others: Vec<SolverId>,
    /// How far each grammar was screened.
    pub parts: Vec<Part>,
    /// The faults that are new.
    pub news: Vec<News>,
    /// The faults that are not new.
    pub known: Known,
    /// The times that were measured.
    pub speeds: Vec<Speed>,
    /// How many times as long the build may take.
    pub bound: f64,
    /// Whether it fails for answers of which nobody can tell who is wrong.
    pub undecided_fails: bool,
}

impl Verdict {
    /// Whether a fault fails the check.
    pub fn is_failure(&self, news: &News) -> bool {
        news.kind != Kind::Disagreement || self.undecided_fails
    }

    /// Whether the build fails.
    pub fn fails(&self) -> bool {
        self.news.iter().any(|n| self.is_failure(n)) || self.speeds.iter().any(|s| s.slower)
    }

    /// Whether everything was screened.
    pub fn is_whole(&self) -> bool {
        self.parts.iter().all(|p| p.screened == p.wanted)
    }

    /// What a slowdown is called.
    fn slowdown(&self, speed: &Speed) -> String {
        let rounds: Vec<String> = speed.rounds.iter().map(|t| format!("{:.2}", t.ratio())).collect();
        let last = speed.rounds.last().cloned().unwrap_or_default();
        format!(
            "{} takes {:.2} times the CPU time of {} on {} formulas that both solve ({}); the bound is {:.2}, measured: {}",
            self.build,
            speed.ratio(),
            self.against,
            last.formulas,
            speed.grammar,
            self.bound,
            rounds.join(", ")
        )
    }

    /// The verdict for a terminal.
    pub fn terminal(&self) -> String {
        let mut out = String::new();
        let beside: Vec<&str> =
            std::iter::once(&self.against).chain(&self.others).map(SolverId::as_str).collect();
        let _ = writeln!(out, "{} beside {}", self.build, beside.join(" and "));
        for p in &self.parts {
            let far = if p.screened == p.wanted { "" } else { " (time ended)" };
            let what = match p.unit {
                Unit::Formula => "formulas screened",
                Unit::Turn => "turns made",
            };
            let _ = writeln!(out, "  {:<20} {:>8} of {} {what}{far}", p.grammar, p.screened, p.wanted);
        }
        self.write_speeds(&mut out);
        let mut shown = 0;
        for n in self.news.iter().take(SHOWN) {
            let kept = n.folder.as_deref().map_or(String::new(), |f| format!("  {f}"));
            let _ = writeln!(out, "NEW {}: {} ({}){kept}", n.kind.word(), n.summary, n.place());
            shown += 1;
        }
        if self.news.len() > shown {
            let _ = writeln!(out, "and {} more", self.news.len() - shown);
        }
        for s in self.speeds.iter().filter(|s| s.slower) {
            let _ = writeln!(out, "SLOWER: {}", self.slowdown(s));
        }
        if self.known.old + self.known.once > 0 {
            let _ = writeln!(
                out,
                "{} faults that {} has too; {} seen once and not again",
                self.known.old, self.against, self.known.once
            );
        }
        let how = if self.is_whole() { "" } else { ", as far as time allowed" };
        let _ = writeln!(out, "{}{how}", if self.fails() { "FAILED" } else { "passed" });
        out
    }

    /// Writes the table of CPU times, if any were measured.
    fn write_speeds(&self, out: &mut String) {
        if !self.speeds.is_empty() {
            let _ = writeln!(out, "CPU seconds on what both solve, in processes of their own, in turns");
            let _ = writeln!(
                out,
                "  {:<20} {:>8} {:>9} {:>9} {:>7}",
                "", "formulas", "build", "reference", "ratio"
            );
        }
        for s in &self.speeds {
            for (i, t) in s.rounds.iter().enumerate() {
                let name = if i == 0 { s.grammar.clone() } else { format!("  again ({})", i + 1) };
                let word = match (t.says_something(), t.ratio() > self.bound) {
                    (false, _) => "too little to tell",
                    (true, true) => "slower",
                    (true, false) => "",
                };
                let line = format!(
                    "  {name:<20} {:>8} {:>9.3} {:>9.3} {:>7.3}  {word}",
                    t.formulas,
                    t.build,
                    t.against,
                    t.ratio()
                );
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
    }

    /// The verdict for machines.
    pub fn json(&self) -> Value {
        let news = |n: &News| {
            json!({"kind": n.kind.word(), "grammar": n.grammar, "number": n.number, "summary": n.summary,
                "operators": n.operators, "folder": n.folder, "text": n.text, "fails": self.is_failure(n)})
        };
        let totals = |t: &Totals| json!({"formulas": t.formulas, "build_cpu_s": t.build, "against_cpu_s": t.against, "ratio": t.ratio()});
        let speed = |s: &Speed| json!({"grammar": s.grammar, "slower": s.slower, "rounds": s.rounds.iter().map(totals).collect::<Vec<_>>()});
        let part = |p: &Part| json!({"grammar": p.grammar, "screened": p.screened, "wanted": p.wanted});
        json!({
            "version": VERSION, "build": self.build, "against": self.against, "others": self.others,
            "failed": self.fails(), "whole": self.is_whole(), "bound": self.bound,
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
            "new": self.news.iter().map(news).collect::<Vec<_>>(),
            "known": self.known.old, "seen_once": self.known.once,
            "speeds": self.speeds.iter().map(speed).collect::<Vec<_>>(),
        })
    }
}
