//! Studies: what is built of hunts and of looking at findings again.

mod again;
pub mod ci;
pub mod doctor;
pub mod evolve;
mod history;

pub use again::{Now, Panel, again, case_of};
pub use history::History;
