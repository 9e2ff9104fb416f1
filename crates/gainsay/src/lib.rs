//! The rooms of gainsay, in the order in which a formula walks through them.

pub mod case;
pub mod cli;
pub mod seed;
pub mod solver;
pub mod strategy;
