//! Regular languages: values of sort `RegLan`, and questions about them.
//!
//! A [`Regex`] is a shared syntax tree and costs nothing to build. A question copies it into a
//! pool of normal forms and works there with derivatives (Brzozowski 1964), classes of characters
//! and symbolic counters. Every step uses [`Fuel`] and nothing recurses, so no regex can stop the program,
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
