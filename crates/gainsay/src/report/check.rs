//! What solvers did with one script, side by side.

use crate::solver::id::SolverId;
use crate::solver::run::Run;

/// The longest remark about a solver, in characters.
const REMARK: usize = 80;

/// What one solver did.
pub struct CheckRow<'a> {
    /// The solver.
    pub solver: &'a SolverId,
    /// Its run.
    pub run: Run,
    /// What our evaluation says of its models, if it printed any.
    pub models: Option<String>,
    /// What it said to its core alone, if it printed one.
    pub core: Option<String>,
}

impl CheckRow<'_> {
    /// The row as JSON.
    pub fn json(&self) -> serde_json::Value {
        let CheckRow { solver, run, models, core } = self;
        serde_json::json!({
            "solver": solver,
            "answers": self.answers(),
            "ending": run.ending.to_string(),
            "outcome": run.outcome(),
            "model": models,
            "core_again": core,
            "core": run.reply.checks.last().and_then(|c| c.core.clone()),
            "errors": run.reply.errors,
            "signs": run.signs,
            "ms": self.millis(),
            "mb": run.peak.map(|p| p >> 20),
        })
    }

    fn answers(&self) -> Vec<&'static str> {
        self.run.reply.answers().iter().map(|a| a.word()).collect()
    }

    fn millis(&self) -> f64 {
        (self.run.wall.as_secs_f64() * 1e6).round() / 1e3
    }

    /// What the solver printed besides answers, cut to a few words.
    fn remark(&self) -> String {
        let run = &self.run;
        let mut remarks: Vec<String> =
            run.signs.iter().map(|s| s.text.clone()).filter(|text| !text.is_empty()).collect();
        remarks.extend(run.reply.errors.iter().take(1).cloned());
        if remarks.is_empty() && run.reply.answers().is_empty() {
            let said = format!("{}{}", run.reply.noise, run.reply.stderr);
            remarks.push(if said.trim().is_empty() { "it printed nothing".to_owned() } else { said });
        }
        remarks.join("; ").replace('\n', " ").chars().take(REMARK).collect()
    }

    fn cells(&self) -> [String; 8] {
        let none = || "-".to_owned();
        let CheckRow { solver, run, models, core } = self;
        let answers = self.answers().join(" ");
        [
            solver.to_string(),
            if answers.is_empty() { none() } else { answers },
            format!("{:.1}", self.millis()),
            run.peak.map_or_else(none, |p| (p >> 20).to_string()),
            run.ending.to_string(),
            models.clone().unwrap_or_else(none),
            core.clone().unwrap_or_else(none),
            self.remark(),
        ]
    }
}

/// The rows as lines of a table, below a line of headings.
pub fn table(rows: &[CheckRow<'_>]) -> Vec<String> {
    let mut all =
        vec![["solver", "answers", "ms", "MB", "ending", "model", "core", "remarks"].map(str::to_owned)];
    all.extend(rows.iter().map(CheckRow::cells));
    let width = |i: usize| all.iter().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..all[0].len()).map(width).collect();
    let line = |cells: &[String; 8]| {
        let cells: Vec<String> = cells.iter().zip(&widths).map(|(c, w)| format!("{c:w$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect()
}
