//! The modules of gainsay; ARCHITECTURE.md says what each is for.

pub mod campaign;
pub mod case;
pub mod cli;
pub mod config;
pub mod finding;
pub mod judge;
pub mod misspelt;
pub mod reduce;
pub mod report;
pub mod seed;
pub mod solver;
pub mod store;
pub mod strategy;
pub mod study;

/// Which program this is: its version, and a digest of what it is made of. The same makes the same cases.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("GAINSAY_SOURCES"));

/// Mutants are many small pieces that live shortly: with the system's allocator making one takes a tenth longer.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
