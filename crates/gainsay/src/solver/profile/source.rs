//! Where a solver can be had: wheels, Debian packages and crates, as its profile names them.

use serde::Deserialize;

use crate::solver::release::Release;

/// Where in a wheel a solver is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The package's name.
    pub package: String,
    /// The program inside the wheel (a pattern with `*`).
    pub program: Option<String>,
    /// Other files to unpack (patterns with `*`).
    #[serde(default)]
    pub keep: Vec<String>,
    /// The driver that serves a wheel without a program.
    pub drive: Option<String>,
    /// The Python release whose wheel is taken, where only the library in it matters.
    pub python: Option<String>,
    /// The Python releases whose wheels are locked, where the running Python must load it.
    #[serde(default)]
    pub pythons: Vec<String>,
    /// The oldest release that can be used.
    pub oldest: Release,
}

/// A release that comes as Debian packages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Debian {
    /// The release.
    pub release: Release,
    /// The packages: the program's and its libraries'.
    pub packages: Vec<String>,
    /// The program inside them.
    pub program: String,
}

/// A program from the Rust crate registry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crate {
    /// The crate's name.
    pub package: String,
    /// The program it installs.
    pub program: String,
    /// The releases offered.
    pub releases: Vec<Release>,
}
