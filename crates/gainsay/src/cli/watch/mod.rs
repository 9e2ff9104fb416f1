//! What one sees of a campaign while it runs.

mod hunt;
mod study;

pub use hunt::HuntWatcher;
pub use study::StudyWatcher;
