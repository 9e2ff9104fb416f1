//! The machine we are on.

/// Its name.
pub fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
