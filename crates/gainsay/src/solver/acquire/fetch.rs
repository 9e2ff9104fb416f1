//! Fetching with the tools of this machine: pip, apt and cargo. Their configuration decides where files come from.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::solver::SolverError;
use crate::solver::process::environment::without_database_variables;
use crate::solver::profile::{Crate, Debian, Wheel};
use crate::solver::release::Release;

/// The Python whose pip is used and that loads extension modules: `$GAINSAY_PYTHON`, else `python3`.
///
/// A path is made absolute, since Python is started in another folder.
pub fn python() -> PathBuf {
    let named = std::env::var_os("GAINSAY_PYTHON").filter(|name| !name.is_empty());
    let named = PathBuf::from(named.unwrap_or_else(|| "python3".into()));
    if named.components().count() == 1 { named } else { std::path::absolute(&named).unwrap_or(named) }
}

/// What a person may do about a tool that failed or is missing.
fn hint(program: &OsStr, missing: bool) -> &'static str {
    match (program.to_str(), missing) {
        (Some("cargo"), true) => "this solver is built from source: install Rust's cargo first",
        (Some("cargo"), false) => "run the command by hand to see all it says",
        (Some("apt-get" | "dpkg-deb"), true) => {
            "this release comes as Debian packages: apt-get and dpkg-deb are needed"
        }
        (Some("apt-get" | "dpkg-deb"), false) => {
            "is the network there, and does this system have Debian's packages?"
        }
        (_, true) => {
            "$PIP_INDEX_URL names a package index, which is then used without Python; \
             $GAINSAY_PYTHON names a Python 3 with pip that is not called python3"
        }
        (_, false) => {
            "is the network there, and does the index that `python3 -m pip config list` shows have it? \
             $PIP_INDEX_URL names another"
        }
    }
}

/// Runs a tool to its end and returns what it printed.
fn tool(command: &mut Command) -> Result<String, SolverError> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let shown: Vec<String> = words.map(|w| w.to_string_lossy().into_owned()).take(4).collect();
    let output = without_database_variables(command).stdin(Stdio::null()).output();
    let program = command.get_program();
    let failed = |why: String, missing: bool| SolverError::Tool {
        command: shown.join(" "),
        why,
        hint: hint(program, missing),
    };
    let output = output.map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => failed(format!("there is no {}", program.to_string_lossy()), true),
        _ => failed(e.to_string(), false),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let told = |l: &&str| !l.trim().is_empty() && !l.starts_with("WARNING") && !l.starts_with("W:");
    let mut last: Vec<&str> = said.lines().filter(told).rev().take(3).collect();
    last.reverse();
    Err(failed(if last.is_empty() { output.status.to_string() } else { last.join("; ") }, false))
}

/// Python in isolated mode: no file of the working folder, of the user's packages or of `$PYTHONPATH` is loaded.
fn isolated_python(folder: &Path) -> Command {
    let mut command = Command::new(python());
    command.arg("-I").current_dir(folder);
    command
}

fn pip(verb: &str, folder: &Path) -> Command {
    let mut command = isolated_python(folder);
    command.args(["-m", "pip", verb, "--disable-pip-version-check", "--no-input"]);
    command
}

/// The tag of wheels for the Python that loads extension modules, such as `cp311`.
pub fn python_tag(folder: &Path) -> Result<String, SolverError> {
    let print = "import sys; print('cp%d%d' % sys.version_info[:2])";
    Ok(tool(isolated_python(folder).args(["-c", print]))?.trim().to_owned())
}

/// The files in a directory, sorted by name.
pub fn files_in(dir: &Path) -> Result<Vec<PathBuf>, SolverError> {
    let entries = fs::read_dir(dir).map_err(SolverError::at(dir))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|e| e.ok().map(|e| e.path())).filter(|p| p.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The versions of a package that pip can see; it runs in a folder of ours.
pub fn versions(package: &str, folder: &Path) -> Result<Vec<String>, SolverError> {
    let said = tool(pip("index", folder).args(["versions", package]))?;
    let list = said.lines().find_map(|l| l.strip_prefix("Available versions:")).unwrap_or_default();
    Ok(list.split(',').map(|v| v.trim().to_owned()).filter(|v| !v.is_empty()).collect())
}

/// Downloads one wheel with pip into an empty directory and returns its place.
///
/// `python` asks for the wheel of another Python than the one that runs.
pub fn wheel(
    wheel: &Wheel,
    version: &str,
    python: Option<&str>,
    into: &Path,
) -> Result<PathBuf, SolverError> {
    let mut command = pip("download", into);
    // pip fetches into a directory for passing things; here it can be watched.
    let passing = into.join("passing");
    fs::create_dir_all(&passing).map_err(SolverError::at(&passing))?;
    command.env("TMPDIR", &passing);
    command.args(["--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--dest"]).arg(into);
    if let Some(number) = python {
        let arch = std::env::consts::ARCH;
        command.args(["--implementation", "cp", "--python-version", number]);
        command.arg("--abi").arg(format!("cp{}", number.replace('.', "")));
        for tag in
            ["1", "2010", "2014", "_2_17", "_2_24", "_2_26", "_2_27", "_2_28", "_2_31", "_2_34", "_2_35"]
        {
            command.arg("--platform").arg(format!("manylinux{tag}_{arch}"));
        }
    }
    tool(command.arg(format!("{}=={version}", wheel.package)))?;
    let found = files_in(into)?.into_iter().find(|f| f.extension() == Some(OsStr::new("whl")));
    found.ok_or_else(|| SolverError::Tool {
        command: format!("pip download {}=={version}", wheel.package),
        why: "no wheel came".to_owned(),
        hint: hint(OsStr::new("python3"), false),
    })
}

/// Downloads Debian packages into an empty directory.
///
/// The package lists are fetched into that directory too, so that the system's are neither needed nor touched.
pub fn debian(profile: &Debian, into: &Path) -> Result<Vec<PathBuf>, SolverError> {
    let lists = into.join("lists");
    let cache = into.join("cache");
    for dir in [lists.join("partial"), cache.join("archives").join("partial")] {
        fs::create_dir_all(&dir).map_err(SolverError::at(&dir))?;
    }
    let apt = |verb: &str| {
        let mut command = Command::new("apt-get");
        let place = |name: &str, dir: &Path| format!("{name}={}", dir.display());
        command.args(["-qq", "-o", &place("Dir::State::lists", &lists), "-o", &place("Dir::Cache", &cache)]);
        command.args(["-o", "APT::Sandbox::User=root", verb]).current_dir(into);
        command
    };
    tool(&mut apt("update"))?;
    tool(apt("download").args(&profile.packages))?;
    for dir in [lists, cache] {
        fs::remove_dir_all(&dir).map_err(SolverError::at(&dir))?;
    }
    files_in(into)
}

/// Unpacks Debian packages without installing them.
pub fn unpack_debian(archives: &[PathBuf], into: &Path) -> Result<(), SolverError> {
    for archive in archives {
        tool(Command::new("dpkg-deb").arg("-x").arg(archive).arg(into))?;
    }
    Ok(())
}

/// Builds a program from the Rust crate registry; this takes minutes.
///
/// What `build` holds of an earlier attempt is used again.
pub fn cargo(profile: &Crate, release: &Release, build: &Path, into: &Path) -> Result<(), SolverError> {
    let mut command = Command::new("cargo");
    command.args(["install", &profile.package, "--version", release.as_str(), "--locked", "--quiet"]);
    command.arg("--root").arg(into).arg("--target-dir").arg(build);
    // The release profile of that crate takes most of an hour; a slower program will do.
    for (name, value) in [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")] {
        command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    tool(&mut command).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_fails_says_what_to_do() {
        let told = |command: &mut Command| tool(command).expect_err("it fails").to_string();
        let missing = told(Command::new("no-such-python").arg("-m"));
        assert!(
            missing.contains("there is no no-such-python; $PIP_INDEX_URL names a package index"),
            "{missing}"
        );
        let failing = told(Command::new("sh").args(["-c", "echo WARNING: x >&2; echo ERROR: y >&2; exit 1"]));
        assert!(failing.contains("failed: ERROR: y; is the network there"), "{failing}");
        let silent = told(Command::new("sh").args(["-c", "exit 7"]));
        assert!(silent.contains("exit status: 7"), "{silent}");
        assert_eq!(tool(Command::new("echo").arg("fine")).expect("it works").trim(), "fine");
    }
}
