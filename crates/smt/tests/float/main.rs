//! Floats against tables, a naive definition, another library and this machine's own arithmetic.

mod apfloat;
mod draw;
mod hardware;
mod huge;
mod naive;
mod tables;
mod text;
