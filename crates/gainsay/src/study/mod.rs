//! Studies: what is built of hunts and of looking at findings again.

mod again;
pub mod ci;
mod command;
mod construct;
pub mod evolve;
mod fault;
mod group;
mod history;
mod job;
mod judge;
mod shrink;

pub use again::{Now, Panel, again, case_of, known, rank};
pub use command::{CommandTest, Stream, Watched, sweep};
pub use fault::Features;
pub use group::{Affected, family, formula_key, group_key, options_of, place};
pub use history::History;
pub use job::{Came, Job, Nothing, Origin};
pub use judge::Judge;
pub use shrink::{Aim, Cost, Goal, Shrunk};
