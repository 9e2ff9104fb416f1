//! Strategy `rewrite`: seeds in equivalent forms, which must have the same answer.
//!
//! The idea is that of Aries (OOPSLA 2025). A term becomes another one that always has the same value, forwards and backwards by the
//! rows of one table, and by the steps about terms that decide disputes ([`smt::rewrite`]). Each case is made from the one before by
//! some steps.

mod check;
mod pattern;
mod rewritten;
mod sorts;
mod table;
#[cfg(test)]
mod tests;

use self::pattern::Pattern;
use self::rewritten::Rewritten;
use self::sorts::{SortPattern, Variable};
pub(super) use self::table::Row;
use self::table::{Book, Equivalence};
use super::from_seeds::FromSeeds;
use super::mutating::READABLE_BY;
use super::support::OperatorSupport;
use super::user_table::{TABLE, UserTable};
use super::{BadOption, Entry, Flag, Nothing, Options, Series, Strategy, Value, Wants};
use crate::case::Choices;
use crate::misspelt::suggestion;
use crate::seed::Asked;

pub use self::check::{EquivalenceExample, equivalence_examples};

pub(super) const ENTRY: Entry = Entry {
    name: "rewrite",
    about: "seeds in equivalent forms, step by step",
    flags: &[
        Flag {
            name: "forms-of-seed",
            value: Value::Number,
            default: "100",
            about: "equivalent forms of a seed",
        },
        Flag {
            name: "equivalences",
            value: Value::Text,
            default: "all",
            about: "only these rows of the table, such as bvsub,implies (`--equivalences help` lists them)",
        },
        TABLE,
        READABLE_BY,
    ],
    build: |options| Ok(Box::new(Rewrite::of(options)?)),
};

/// Whether a text is a term over these letters; the error says why it is none.
pub(super) fn is_term(text: &str, letters: &[char]) -> Result<(), String> {
    let mut names = letters.to_vec();
    names.sort_unstable();
    names.dedup();
    let variable = |name: char| Variable { name: name.to_string(), sort: SortPattern::Letter(b'A') };
    let variables: Vec<Variable> = names.into_iter().map(variable).collect();
    Pattern::read(text, &variables).map(|_| ())
}

struct Rewrite {
    forms: u32,
    book: Book,
    support: OperatorSupport,
}

impl Rewrite {
    fn of(options: &Options) -> Result<Rewrite, BadOption> {
        let forms = u32::try_from(options.number("forms-of-seed")?).unwrap_or(u32::MAX);
        let own = UserTable::of(options)?.equivalence;
        let mut rows: Vec<Row> = table::built_in().to_vec();
        rows.retain(|row| !own.iter().any(|other| other.name == row.name));
        let built_in = rows.len();
        rows.extend(own);
        let mut read = Vec::with_capacity(rows.len());
        for (number, row) in rows.iter().enumerate() {
            let wrong = |why: String| options.bad(TABLE.name, &format!("{}: {why}", row.name));
            let equivalence = Equivalence::read(row).map_err(wrong)?;
            // Those that come with the program are checked by tests.
            if number >= built_in {
                check::row(&equivalence, check::FEW).map_err(wrong)?;
            }
            read.push(equivalence);
        }
        let list = options.text("equivalences");
        if list != "all" {
            let chosen: Vec<&str> = list.split(',').map(str::trim).collect();
            if let Some(unknown) = chosen.iter().find(|name| !read.iter().any(|row| row.name == **name)) {
                let known: Vec<&str> = read.iter().map(|row| row.name.as_str()).collect();
                let why = match *unknown {
                    "help" => format!("these are, or all: {}", known.join(", ")),
                    _ => format!(
                        "{unknown} is no equivalence{}; `--equivalences help` lists all",
                        suggestion(unknown, &known)
                    ),
                };
                return Err(options.bad("equivalences", &why));
            }
            read.retain(|row| chosen.contains(&row.name.as_str()));
        }
        let support = OperatorSupport::of(options.text(READABLE_BY.name));
        Ok(Rewrite { forms, book: Book::of(read), support })
    }
}

impl Strategy for Rewrite {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn longest(&self) -> u32 {
        self.forms
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let Some(asked) = seeds.first() else { return Box::new(Nothing) };
        let rewritten = Rewritten::new(self, &asked.seed, choices);
        Box::new(FromSeeds::new(ENTRY.name, &seeds[..1], Some(rewritten), self.forms))
    }
}
