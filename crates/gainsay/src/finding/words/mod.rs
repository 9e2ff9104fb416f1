//! Words: a finding as people read it. Together with the reports, this is the only place where sentences are made. They are made
//! from data, and nothing reads them back.

mod doubt;
mod evidence;
mod issue;
mod lineage;
mod questions;
mod readme;
mod releases;
mod summary;
mod title;
mod values;
mod why;

#[cfg(test)]
mod issue_tests;

pub use doubt::{abstention, doubt, one_is_wrong};
pub use evidence::sentence;
pub use issue::issue;
pub use lineage::{claim, edit, rule};
pub use questions::asked;
pub use readme::readme;
pub use releases::{untold, untold_of_release};
pub use summary::{complaint, crash_site, summary, summary_of};
pub use title::title;
