//! Reports: from what a store keeps to what people and machines read.

pub mod matrix;
