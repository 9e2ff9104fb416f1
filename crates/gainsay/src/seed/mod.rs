//! Seeds: the scripts that strategies start from.

pub mod builtin;
