//! The matrix of tests that are right by construction: for each solver and category, what its answers came to.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use super::table::Table;
use crate::case::Category;
use crate::solver::id::SolverId;
use crate::store::{Counter, Reader, StoreError, TestResult};

/// How many, and how many of them were proved wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// How many answers there are.
    pub count: u64,
    /// Those that are failures of soundness.
    pub unsound: u64,
}

/// Cells by result.
type Row = BTreeMap<TestResult, Cell>;
/// Rows by category.
type Rows = BTreeMap<Category, Row>;

/// The matrix: by solver, category and result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix(BTreeMap<SolverId, Rows>);

impl Matrix {
    /// The matrix of a campaign; empty if no strategy of it has categories.
    pub fn of(store: &dyn Reader) -> Result<Matrix, StoreError> {
        let mut matrix = Matrix::default();
        for (_, solver, what, count) in store.tally()? {
            if let Some(solver) = solver {
                matrix.count(&solver, &what, count);
            }
        }
        Ok(matrix)
    }

    /// Adds a count, if it is one of tests.
    fn count(&mut self, solver: &SolverId, what: &Counter, count: u64) {
        let &Counter::Test { category, result, unsound } = what else { return };
        let row = self.0.entry(solver.clone()).or_default().entry(category).or_default();
        let cell = row.entry(result).or_default();
        cell.count += count;
        cell.unsound += if unsound { count } else { 0 };
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One table for each solver; `3 (2!)` are three answers of which two were proved wrong.
    pub fn terminal(&self) -> String {
        let mut out = String::new();
        for (solver, rows) in &self.0 {
            let used = |column: &&TestResult| rows.values().any(|row| row.contains_key(column));
            let columns: Vec<TestResult> = TestResult::ALL.iter().filter(used).copied().collect();
            let _ = write!(out, "{solver}\n  {:<12} {:>7}", "category", "tests");
            for column in &columns {
                let _ = write!(out, "  {:>width$}", column, width = width(*column));
            }
            out.push('\n');
            for (category, row) in rows {
                let tests: u64 = row.values().map(|cell| cell.count).sum();
                let _ = write!(out, "  {category:<12} {tests:>7}");
                for column in &columns {
                    let cell = row.get(column).copied().unwrap_or_default();
                    let text = match cell {
                        Cell { count: 0, .. } => "-".to_owned(),
                        Cell { count, unsound: 0 } => count.to_string(),
                        Cell { count, unsound } => format!("{count} ({unsound}!)"),
                    };
                    let _ = write!(out, "  {text:>width$}", width = width(*column));
                }
                out.push('\n');
            }
        }
        if self.0.values().flat_map(Rows::values).flat_map(Row::values).any(|cell| cell.unsound > 0) {
            out.push_str("3 (2!): three such answers, of which two are proved wrong\n");
        }
        out
    }

    /// The same for machines.
    pub fn json(&self) -> serde_json::Value {
        let row = |(category, row): (&Category, &Row)| {
            let cells: BTreeMap<_, _> = row
                .iter()
                .map(|(answer, cell)| (answer.word(), json!({"count": cell.count, "unsound": cell.unsound})))
                .collect();
            json!({"category": category, "answers": cells})
        };
        let solver = |(name, rows): (&SolverId, &Rows)| json!({"solver": name, "categories": rows.iter().map(row).collect::<Vec<_>>()});
        json!(self.0.iter().map(solver).collect::<Vec<_>>())
    }

    /// The same as comma-separated values, one line a cell.
    pub fn csv(&self) -> String {
        let mut table = Table::new(&["solver", "category", "answer", "count", "unsound"]);
        for (solver, rows) in &self.0 {
            for (category, row) in rows {
                for (answer, cell) in row {
                    let (count, unsound) = (cell.count.to_string(), cell.unsound.to_string());
                    table.row([solver.as_str(), category.word(), answer.word(), &count, &unsound]);
                }
            }
        }
        table.text()
    }
}

fn width(column: TestResult) -> usize {
    column.word().len().max(9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Answer;
    use crate::store::TurnOutcome;

    #[test]
    fn cells_are_counted_by_solver_category_and_answer() {
        let mut matrix = Matrix::default();
        let test = |category, result, unsound| Counter::Test { category, result, unsound };
        let (larger, constant) = (Category::LargerCore, Category::Constant);
        let rows = [
            ("z3", test(larger, TestResult::Unsat, false), 5),
            ("z3", test(larger, TestResult::Sat, true), 2),
            ("z3", test(larger, TestResult::Sat, false), 1),
            ("z3", test(constant, TestResult::TimeOut, false), 7),
            ("z3", Counter::Run(TurnOutcome::Said(Answer::Sat)), 99),
            ("'a\"b'", test(constant, TestResult::Sat, false), 4),
        ];
        for (solver, what, count) in rows {
            matrix.count(&solver.parse().expect("a name"), &what, count);
        }
        let csv = "solver,category,answer,count,unsound\nz3,constant,time-out,7,0\n\
                   z3,larger-core,sat,3,2\nz3,larger-core,unsat,5,0\n\"'a\"\"b'\",constant,sat,4,0\n";
        assert_eq!(matrix.csv(), csv);
        let terminal = matrix.terminal();
        let line = terminal.lines().find(|line| line.contains("larger-core")).expect("a row");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["larger-core", "8", "3", "(2!)", "5", "-"], "{terminal}");
        assert_eq!(matrix.json()[0]["categories"][1]["answers"]["sat"]["unsound"], 2);
        assert!(Matrix::default().is_empty() && !matrix.is_empty());
    }
}
