//! Regular languages: values of sort `RegLan`, and what can be asked of them.
//!
//! A [`Regex`] is a shared syntax tree and costs nothing to build. A question copies it into a
//! pool of normal forms and works there with derivatives (Brzozowski 1964), classes of characters
//! and symbolic counters. Every step burns [`Fuel`], nothing recurses, so no regex can hang us,
//! eat the memory or overflow the stack.

mod ask;
mod derive;
mod fuel;
mod intern;
mod pool;
mod ranges;
mod replace;
mod syntax;

pub use fuel::{Fuel, OutOfFuel};
pub use replace::{indexof_re, replace_re, replace_re_all};
pub use syntax::Regex;

#[cfg(test)]
mod tests;
