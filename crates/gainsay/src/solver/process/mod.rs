//! Running solvers: processes under a supervisor, limits, sessions, and what they reply.

pub mod environment;
pub mod limits;
pub mod machine;
pub mod program;
pub mod proof;
pub mod reap;
pub mod reply;
pub mod runner;
pub mod signs;
pub mod supervise;

mod cut;
mod exchange;
mod open;
mod pipes;
mod pool;
pub(in crate::solver) mod protocol;
mod session;
mod stack;
pub(in crate::solver) mod supervisor;
mod tag;
