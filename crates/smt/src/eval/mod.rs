//! Evaluation of terms under a model. The result is a value or the reason why there is none, never a guess.

mod apply;
mod characters;
mod connective;
mod function;
mod literal;
mod machine;
mod open;
mod quantifier;
mod task;
mod verdict;
mod world;

pub(crate) use machine::Machine;
pub use machine::Outcome;
pub use open::{OpenTerm, open_terms};
pub use verdict::{Verdict, eval, satisfies, verdicts};
