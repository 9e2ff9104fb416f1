//! `gainsay parse --solver`: how many of the scripts that solvers read we understand.

use std::io::Write;
use std::path::PathBuf;

use super::exit;
use crate::solver::Solver;
use crate::study::readable::Readable;

/// Prints a line for each path: its files, how many of them some solver reads, and how many of those we understand in all
/// their parts. The others are listed with the reason.
pub(super) fn run(paths: &[PathBuf], solvers: &[Solver]) -> anyhow::Result<u8> {
    let out = &mut std::io::stdout().lock();
    let mut all = true;
    writeln!(out, "  files  read by a solver  of these understood  share  path")?;
    for path in paths {
        let Readable { files, readable, typed, missing } = Readable::of(path, solvers)?;
        let share = 100.0 * typed as f64 / readable.max(1) as f64;
        writeln!(out, "{files:>7} {readable:>17} {typed:>20} {share:>5.1} %  {}", path.display())?;
        for (file, why) in &missing {
            writeln!(out, "    {}: {why}", file.display())?;
        }
        all &= typed == readable;
    }
    Ok(if all { exit::FINE } else { exit::NOT_SO })
}
