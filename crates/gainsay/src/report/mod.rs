//! Reports: from what a store keeps to what people and machines read.

pub mod ci;
pub mod evolve;
pub mod matrix;
pub mod plot;
