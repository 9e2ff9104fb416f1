//! The language of SMT-LIB: sorts, one table of operators, terms, scripts, reading, writing,
//! values and evaluation.
//!
//! The crate is pure: no files, no clock, no chance, no solver.

pub mod value;
