//! The table of equivalences: pairs of terms that have the same value, whatever their variables are.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use smt::theory::{OpId, table};

use super::pattern::Pattern;
use super::sorts::{SortPattern, Variable};
use crate::strategy::construct;
use crate::strategy::sae;
use crate::strategy::support::OperatorSupport;
use crate::strategy::user_table::UserTable;

/// The rows that come with the program.
const BUILT_IN: &str = include_str!("rewrite.toml");

/// An equivalence as it stands in a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::strategy) struct Row {
    /// The name of the row, which edits give as their rule.
    pub name: String,
    /// The sorts of the variables, as patterns: a small letter stands for a width, a capital one for a sort.
    #[serde(default)]
    pub sorts: BTreeMap<String, String>,
    /// A term.
    pub left: String,
    /// Another term, which always has the same value.
    pub right: String,
}

/// An equivalence that was read.
#[derive(Debug)]
pub(super) struct Equivalence {
    /// Its name.
    pub name: String,
    /// The variables of both sides.
    pub variables: Vec<Variable>,
    /// Its two terms.
    pub sides: [Pattern; 2],
}

impl Equivalence {
    /// Reads a row. The error says what is wrong with it.
    pub fn read(row: &Row) -> Result<Equivalence, String> {
        let sorts = row.sorts.iter();
        let variables: Vec<Variable> = sorts
            .map(|(name, sort)| SortPattern::read(sort).map(|sort| Variable { name: name.clone(), sort }))
            .collect::<Result<_, _>>()?;
        let side = |text: &str| Pattern::read(text, &variables);
        let sides = [side(&row.left)?, side(&row.right)?];
        Ok(Equivalence { name: row.name.clone(), variables, sides })
    }

    /// Whether all its operators may be used.
    pub fn is_supported(&self, support: &OperatorSupport) -> bool {
        let mut names = Vec::new();
        self.sides.iter().for_each(|side| side.operators(&mut names));
        names.iter().all(|name| table().named(name).iter().any(|&op| support.has(op)))
    }
}

/// All rows that come with the program: those of the file beside this one, those of tests by construction that hold everywhere, and
/// the rules of approximation that go both ways.
pub(super) fn built_in() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let mut rows = UserTable::read(BUILT_IN).expect("the built-in table is good").equivalence;
        rows.extend(construct::equivalent_terms().into_iter().map(Row::of));
        rows.extend(sae::two_way_rules().into_iter().map(Row::of));
        rows
    });
    &ROWS
}

impl Row {
    fn of((name, sorts, left, right): (String, Vec<(String, String)>, String, String)) -> Row {
        Row { name, sorts: sorts.into_iter().collect(), left, right }
    }
}

/// Equivalences, found by the operator on top of one of their sides.
pub(super) struct Book {
    rows: Vec<Equivalence>,
    /// By operator: the numbers of rows and of their sides.
    by_op: FxHashMap<OpId, Vec<(u32, u8)>>,
    /// Sides that are a variable alone: they fit every term of a sort.
    alone: Vec<(u32, u8)>,
}

impl Book {
    pub fn of(rows: Vec<Equivalence>) -> Book {
        let (mut by_op, mut alone) = (FxHashMap::<OpId, Vec<(u32, u8)>>::default(), Vec::new());
        for (number, row) in rows.iter().enumerate() {
            for (side, pattern) in row.sides.iter().enumerate() {
                let entry = (number as u32, side as u8);
                match pattern.operator() {
                    Some(name) => {
                        for &op in table().named(name) {
                            by_op.entry(op).or_default().push(entry);
                        }
                    }
                    None if matches!(pattern, Pattern::Variable(_)) => alone.push(entry),
                    None => {}
                }
            }
        }
        Book { rows, by_op, alone }
    }

    /// The sides with this operator on top.
    pub fn on(&self, op: OpId) -> &[(u32, u8)] {
        self.by_op.get(&op).map_or(&[], Vec::as_slice)
    }

    /// The sides that are a variable alone.
    pub fn alone(&self) -> &[(u32, u8)] {
        &self.alone
    }

    /// The row with a number.
    pub fn row(&self, number: u32) -> &Equivalence {
        &self.rows[number as usize]
    }

    /// All rows.
    pub fn rows(&self) -> &[Equivalence] {
        &self.rows
    }
}
