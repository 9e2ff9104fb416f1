//! Programs to start.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A program to start, with its arguments and what to add to its environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub argv: Vec<String>,
    /// What is added to the environment.
    pub env: Vec<(String, String)>,
    /// Where it is started; in a folder of the supervisor's own if left out.
    pub folder: Option<PathBuf>,
}

/// Our own program, to be started again as supervisor or driver.
///
/// A test's program is not ours; the one that cargo built beside it is.
pub fn own_program() -> PathBuf {
    let me = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("/proc/self/exe"));
    if let Some(dir) = me.parent().filter(|d| d.ends_with("deps")) {
        let built = dir.with_file_name("gainsay");
        if built.is_file() {
            return built;
        }
    }
    PathBuf::from("/proc/self/exe")
}

/// The program of that name on the path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let name = if name == "yices" { "yices-smt2" } else { name };
    std::env::split_paths(&std::env::var_os("PATH")?).map(|d| d.join(name)).find(|p| p.is_file())
}
