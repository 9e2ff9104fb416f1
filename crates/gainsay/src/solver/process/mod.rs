//! Running solvers: processes under a supervisor, limits, sessions, and what they reply.

pub mod environment;
pub mod limits;
pub mod machine;
pub mod program;
pub mod reap;
pub mod reply;
pub mod runner;
pub mod signs;
pub mod supervise;

pub(in crate::solver) mod slot;
mod stack;
mod talk;
pub(in crate::solver) mod wire;
