//! Strategy `enumerate`: the formulas of a grammar, smallest first.

pub mod builtin;
mod canonical;
mod constant_kind;
mod count;
mod derive;
mod draft;
pub mod grammar;
pub mod source;
mod stretch;
#[cfg(test)]
mod tests;
mod unrank;
mod vary;

pub use canonical::is_canonical;
pub use grammar::{BadGrammar, Grammar};
pub(super) use stretch::ENTRY;
pub use stretch::large;
pub use unrank::Formulas;
pub use vary::Variation;
