//! Crash sites: where in a solver a crash happened, as far as it is known.

use serde::{Deserialize, Serialize};

use crate::solver::{Ending, Run, SignKind};

/// Components of a path that are compared where none of them is `src`.
const COMPONENTS: usize = 3;

/// Where in a solver a crash happened. The first that is known is taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum CrashSite {
    /// A line of a source file, as the solver or the sanitizer printed it.
    Line {
        /// The path, as printed.
        file: String,
        /// The number of the line.
        line: u32,
    },
    /// A source file.
    File {
        /// The path, as printed.
        file: String,
    },
    /// The text of an assertion or of another message, which names no file.
    Message {
        /// The text.
        text: String,
    },
    /// Only the signal that ended the process is known.
    Signal {
        /// The number of the signal.
        number: i32,
    },
    /// Only the exit status of the process is known.
    Exit {
        /// The status.
        status: i32,
    },
    /// Nothing is known: the process had not ended, or we ended it.
    Unknown,
}

impl CrashSite {
    /// The site of the crash in a run.
    pub fn of(run: &Run) -> CrashSite {
        let is_crash = |kind| matches!(kind, SignKind::Assertion | SignKind::Sanitizer);
        match run.signs.iter().find(|sign| is_crash(sign.kind)) {
            Some(sign) => match (sign.file.clone(), sign.line) {
                (Some(file), Some(line)) => CrashSite::Line { file, line },
                (Some(file), None) => CrashSite::File { file },
                _ if sign.text.is_empty() => CrashSite::of_ending(run.ending),
                _ => CrashSite::Message { text: sign.text.clone() },
            },
            None => CrashSite::of_ending(run.ending),
        }
    }

    /// The site of a crash of which only the end of the process is known.
    pub fn of_ending(ending: Ending) -> CrashSite {
        match ending {
            Ending::Killed(number) => CrashSite::Signal { number },
            Ending::Exited(status) => CrashSite::Exit { status },
            Ending::Alive | Ending::Stopped(_) => CrashSite::Unknown,
        }
    }

    /// Whether it says where in the solver the crash happened, and not only how the process ended.
    pub fn is_place(&self) -> bool {
        matches!(self, CrashSite::Line { .. } | CrashSite::File { .. } | CrashSite::Message { .. })
    }

    /// The site for comparison: paths are without what depends on where the solver was built.
    ///
    /// A path counts from its last component `src`, because solvers keep their sources in a folder of that name and everything
    /// above it is the builder's choice. A path without one counts by its last three components: fewer would confuse files
    /// of one name, more would reach into the builder's folders.
    #[must_use]
    pub fn normalised(&self) -> CrashSite {
        match self {
            CrashSite::Line { file, line } => CrashSite::Line { file: in_tree(file), line: *line },
            CrashSite::File { file } => CrashSite::File { file: in_tree(file) },
            other => other.clone(),
        }
    }

    /// Whether two sites are one place in the solver.
    pub fn is_same(&self, other: &CrashSite) -> bool {
        self.normalised() == other.normalised()
    }
}

/// A path without what is above the source tree.
fn in_tree(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let above_file = &parts[..parts.len().saturating_sub(1)];
    let from = above_file.iter().rposition(|part| *part == "src");
    parts[from.unwrap_or(parts.len().saturating_sub(COMPONENTS))..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_in_other_folders_crash_in_one_place() {
        let rows = [
            ("/home/a/z3/src/ast/rewriter/seq.cpp", "../src/ast/rewriter/seq.cpp", true),
            ("/a/src/z3/src/ast/seq.cpp", "/b/z3/src/ast/seq.cpp", true),
            ("src/ast/seq.cpp", "src/smt/seq.cpp", false),
            ("/one/build/theory/arith/simplex.cpp", "/two/theory/arith/simplex.cpp", true),
            ("theory/arith/simplex.cpp", "theory/bv/simplex.cpp", false),
            ("seq.cpp", "./seq.cpp", true),
            ("/a/src", "/b/src", false),
        ];
        for (one, two, expected) in rows {
            let [a, b] = [one, two].map(|file| CrashSite::Line { file: file.to_owned(), line: 3 });
            assert_eq!(a.is_same(&b), expected, "{one} {two}");
        }
        let line = |line| CrashSite::Line { file: "src/a.cpp".to_owned(), line };
        assert!(!line(3).is_same(&line(4)) && line(3).is_place());
        assert!(!CrashSite::Signal { number: 11 }.is_place());
    }
}
