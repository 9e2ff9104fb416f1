//! The passes, one file each.

mod arguments;
mod binders;
mod commands;
mod constants;
mod flat;
mod inline;
mod literals;
mod names;
mod relations;
mod sessions;
mod sorts;
mod subterms;
mod tidy;
mod values;
mod widths;

pub use arguments::Arguments;
pub use binders::Binders;
pub use commands::{Commands, Declarations, Only};
pub use constants::Constants;
pub use flat::Flat;
pub use inline::Inline;
pub use literals::Literals;
pub use names::Names;
pub use relations::Relations;
pub use sessions::Sessions;
pub use sorts::Sorts;
pub use subterms::Subterms;
pub use tidy::Tidy;
pub use values::Values;
pub use widths::Widths;

#[cfg(test)]
mod tests;
