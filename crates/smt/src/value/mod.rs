//! What terms denote.

pub mod float;
