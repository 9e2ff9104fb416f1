//! Reports: from what a store keeps to what people and machines read.

pub mod campaign;
pub mod check;
pub mod ci;
pub mod counter;
pub mod course;
mod csv;
pub mod decision;
pub mod enumerated;
mod escape;
pub mod evolve;
pub mod findings;
pub mod html;
mod issue;
pub mod jobs;
mod json;
mod junit;
pub mod matrix;
pub mod plot;
mod sarif;
pub mod scripts;
pub mod status;
mod table;
pub mod triage;
mod words;

use campaign::Campaign;

pub use words::{counted, many, rebuilt, server_event};

/// A way to write a campaign down.
pub struct Report {
    /// Its name for `--as`.
    pub name: &'static str,
    /// What the report is, in a line.
    pub about: &'static str,
    /// The file it is by default, in a folder.
    pub file: &'static str,
    /// Writes the report.
    pub write: fn(&Campaign) -> String,
    /// Its files by name, if it can be a folder.
    pub folder: Option<Folder>,
}

/// Writes a campaign as files: names and texts.
pub type Folder = fn(&Campaign) -> Vec<(String, String)>;

const fn plain(
    name: &'static str,
    about: &'static str,
    file: &'static str,
    write: fn(&Campaign) -> String,
) -> Report {
    Report { name, about, file, write, folder: None }
}

/// All forms of reports.
pub const REPORTS: &[Report] = &[
    Report {
        name: "html",
        about: "one page to look at",
        file: "index.html",
        write: |c| html::page(c, None),
        folder: Some(|c| vec![("index.html".to_owned(), html::page(c, None))]),
    },
    plain("json", "everything, for machines", "report.json", json::write),
    plain("csv", "a line for each finding", "findings.csv", csv::write),
    plain("junit", "for build servers", "junit.xml", junit::write),
    plain("sarif", "for code hosts", "report.sarif", sarif::write),
    Report {
        name: "issue",
        about: "texts to paste, one for each fault",
        file: "issues.md",
        write: issue::write,
        folder: Some(issue::folder),
    },
];
