//! What a term means under a model: a value, or the reason why it is open. Never a guess.

mod call;
mod gap;

pub use call::Call;
pub use gap::{Fuel, Gap};
