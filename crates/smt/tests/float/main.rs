//! Floats against tables, a naive definition, another library and this machine's own arithmetic.

mod apfloat;
#[path = "../change/chance.rs"]
mod chance;
mod draw;
mod hardware;
mod huge;
mod naive;
mod tables;
mod text;
