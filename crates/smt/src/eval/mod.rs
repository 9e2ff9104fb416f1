//! What a term means under a model: a value, or the reason why it is open. Never a guess.

mod call;
mod characters;
mod gap;
mod literal;
mod machine;
#[cfg(test)]
#[path = "tests/mutation/mod.rs"]
mod mutation;
mod open;
mod quantifier;
mod verdict;
mod world;

pub(crate) use call::CONFUSED;
pub use call::Call;
pub(crate) use call::World;
#[cfg(test)]
pub(crate) use call::call_for_test;
pub use gap::{Fuel, Gap};
pub(crate) use machine::Machine;
pub use machine::Outcome;
pub use open::{OpenTerm, open_terms};
pub use verdict::{Verdict, eval, satisfies, verdicts};
