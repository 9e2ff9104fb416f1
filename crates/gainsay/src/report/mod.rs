//! Reports: from what a store keeps to what people and machines read.

pub mod campaign;
pub mod ci;
mod csv;
mod escape;
pub mod evolve;
pub mod html;
mod issue;
mod json;
mod junit;
pub mod matrix;
pub mod plot;
mod sarif;

use campaign::Campaign;

/// A way to write a campaign down.
pub struct Report {
    /// Its name for `--as`.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The file it is by default, in a folder.
    pub file: &'static str,
    /// Writes it.
    pub write: fn(&Campaign) -> String,
}

/// All of them.
pub const REPORTS: &[Report] = &[
    Report { name: "html", about: "one page to look at", file: "index.html", write: |c| html::page(c, None) },
    Report { name: "json", about: "everything, for machines", file: "report.json", write: json::write },
    Report { name: "csv", about: "a line for each finding", file: "findings.csv", write: csv::write },
    Report { name: "junit", about: "for build servers", file: "junit.xml", write: junit::write },
    Report { name: "sarif", about: "for code hosts", file: "report.sarif", write: sarif::write },
    Report {
        name: "issue",
        about: "texts to paste, one for each fault",
        file: "issues.md",
        write: issue::write,
    },
];
