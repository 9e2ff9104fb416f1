//! Strategy `enumerate`: the formulas of a grammar, smallest first.

pub mod builtin;
mod count;
pub mod grammar;
#[cfg(test)]
mod tests;
mod unrank;

pub use grammar::{BadGrammar, Grammar};
pub use unrank::Formulas;
