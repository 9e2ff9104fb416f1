//! Reduction: a script and the question "still wanted?" become a smaller script. Passes offer changes, and the engine asks which
//! of them are wanted.

mod alike;
mod bounded;
mod candidate;
mod change;
mod check;
mod command;
mod construct;
mod dead;
mod engine;
mod fewest;
mod goal;
mod job;
mod look;
mod options;
mod order;
mod outcome;
mod pass;
mod shrink;
mod signature;
mod silence;
mod spot;

use smt::Script;

pub use change::{Change, Ground};
pub use command::{CommandTest, Stream, Watched, sweep};
pub use dead::{dead, leave_out};
pub use engine::{Count, Reduced, Step, Test, Until, asked, reduce};
pub use goal::{Cost, Goal};
pub use job::{Job, Origin};
pub use order::Size;
pub use outcome::{Nothing, ReduceOutcome};
pub use shrink::Shrunk;
pub use signature::{BugSignature, WantedBug};

/// A pass: it offers changes of a script. It does not know whether the script is still wanted afterwards.
///
/// A changed script is well-sorted. It should be smaller by [`Size`]; the engine leaves out what is not. The same script gets
/// the same offers in the same order.
pub trait Pass: Send + Sync {
    /// The changes of one group, whose terms it makes in the script's own pool; none if there is no such group. The groups
    /// of a pass that goes down level by level are the levels.
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>>;
}

/// A pass in the list of the reducer.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name in statistics.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Whether its changes may be done together.
    pub together: bool,
    /// Whether its groups are the levels of terms; such neighbours go down together.
    pub level_by_level: bool,
    /// Whether it is run again whenever a level has become smaller, because what it does is nearly always wanted.
    pub often: bool,
    /// Whether it changes names.
    pub renames: bool,
    /// The pass.
    pub pass: &'static dyn Pass,
}

const fn entry(name: &'static str, about: &'static str, pass: &'static dyn Pass) -> Entry {
    Entry { name, about, together: true, level_by_level: false, often: false, renames: false, pass }
}

const fn levels(name: &'static str, about: &'static str, pass: &'static dyn Pass) -> Entry {
    Entry { level_by_level: true, ..entry(name, about, pass) }
}

const fn often(entry: Entry) -> Entry {
    Entry { often: true, ..entry }
}

const fn renaming(entry: Entry) -> Entry {
    Entry { renames: true, ..entry }
}

const fn alone(entry: Entry) -> Entry {
    Entry { together: false, ..entry }
}

/// All passes, in the order in which they are run.
pub static PASSES: &[Entry] = &[
    entry("commands", "leaves commands out", &pass::Commands),
    alone(entry("sessions", "merges levels, unwraps guards, asserts assumptions", &pass::Sessions)),
    alone(entry("only", "leaves out all assertions but one", &pass::Only)),
    entry("declarations", "leaves out what is declared and not used", &pass::Declarations),
    often(entry("tidy", "drops unused variables and writes small lets out", &pass::Tidy)),
    levels("arguments", "leaves arguments out", &pass::Arguments),
    levels("constants", "puts a constant in the place of a term", &pass::Constants::Neutral),
    levels("opposites", "puts another constant in the place of a term", &pass::Constants::Opposite),
    alone(levels("subterms", "puts a term inside in the place of a term", &pass::Subterms)),
    entry("relations", "puts a shorter relation in the place of another", &pass::Relations),
    alone(entry("binders", "drops bound variables, or gives them a value", &pass::Binders)),
    alone(entry("inline", "writes lets and definitions out", &pass::Inline)),
    levels(
        "variables",
        "puts a bound variable or a declared constant in the place of a term",
        &pass::Constants::Variable,
    ),
    levels("fresh", "puts a new constant in the place of a term", &pass::Constants::Fresh),
    alone(entry("widths", "narrows bit-vectors and floats everywhere", &pass::Widths)),
    alone(entry("sorts", "simplifies sorts of declarations, and datatypes", &pass::Sorts)),
    alone(entry("literals", "shortens literals", &pass::Literals)),
    alone(entry("values", "puts a value in the place of a declared constant everywhere", &pass::Values)),
    entry("flat", "flattens nested operators", &pass::Flat),
    renaming(alone(entry("names", "shortens names", &pass::Names))),
];

#[cfg(test)]
mod tests;
