//! A folder in which a test runs the program.

#[path = "../witness/mod.rs"]
mod witness;

use std::path::PathBuf;
use std::process::{Command, Output};

/// Machines that run tests are busy: with these flags each question of a hunt has the time of the campaign, and solvers that are
/// wrong everywhere are asked about all mutants.
pub const IN_FULL: [&str; 3] = ["--limits", "fixed", "--keep-failing"];

/// Where solvers are installed for a test. What the machine has plays no part in it.
const HOME: &str = ".home";

/// A folder of its own for a test, gone with it.
pub struct Place(pub PathBuf);

impl Place {
    /// An empty folder.
    pub fn new(name: &str) -> Place {
        let place = std::env::temp_dir().join(format!("gainsay-hunt-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("writable");
        witness::install(&place.join(HOME));
        Place(place)
    }

    /// What the program does there.
    pub fn gainsay(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("we start")
    }

    /// The program with these arguments, to be run there. A hunt is one in full, unless the arguments say how questions are
    /// limited.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut args = args.to_vec();
        let is_said = args.contains(&"--limits") || args.contains(&"--resume");
        if args.first() == Some(&"hunt") && !is_said {
            args.splice(1..1, IN_FULL);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
        command.args(args).current_dir(&self.0).env("GAINSAY_HOME", self.0.join(HOME));
        command
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
