//! A folder in which a test runs the program.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for a test, gone with it.
pub struct Place(pub PathBuf);

impl Place {
    /// An empty folder.
    pub fn new(name: &str) -> Place {
        let place = std::env::temp_dir().join(format!("gainsay-hunt-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("writable");
        Place(place)
    }

    /// What the program does there.
    pub fn gainsay(&self, args: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_gainsay");
        Command::new(program).args(args).current_dir(&self.0).output().expect("we start")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What was printed, as text.
pub fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}
