//! A solver that is no solver of the machine, for tests that need a witness.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Installs a solver in a home: our honest fake, which says that it is a release of z3. It is a witness of another make than
/// the fake solvers of a test.
pub fn install(home: &Path) {
    let folder = home.join("solvers/z3-5.4.0");
    std::fs::create_dir_all(&folder).expect("writable");
    let own = env!("CARGO_BIN_EXE_gainsay");
    let lines = format!(
        "#!/bin/sh\ncase \"$*\" in\n*--version*) echo 'Z3 version 5.4.0 - 64 bit'; exit 0;;\nesac\nexec {own} drive fake honest\n"
    );
    let program = folder.join("z3");
    std::fs::write(&program, lines).expect("writable");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("ours");
}
