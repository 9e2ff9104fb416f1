//! Strategy `construct`: formulas that are satisfiable or not by construction, of strings and of every theory that allows it.
//!
//! Bugariu and Müller (ICSE 2020) made such tests for twelve operations of strings. Ours come from the table of operators, so
//! that every operation of a theory has its own; three of the printed equivalences hold one way only and are corrected; a
//! term of the pool is chosen for each place where the paper leaves open which; and a core is claimed only where every
//! one of its members has been shown to be needed.

mod constants;
mod equalities;
mod equivalences;
mod instances;
mod only;
mod operations;
mod satisfiable;
#[cfg(test)]
mod tests;
mod tree;
mod unsatisfiable;

use std::fmt::Write;

use super::{BadOption, Entry, Flag, Options, Series, Strategy, Value, Wants, parts};
use crate::case::{Answer, Case, Category, CheckRef, Choices, Claim, Lineage};
use crate::seed::Asked;
use equivalences::Equivalence;
use only::matches;
pub use only::matches_pattern;
use operations::Operations;
use satisfiable::Satisfiable;

/// An equivalence: its name, its variables with their sorts, and its two sides.
type EquivalentTerms = (String, Vec<(String, String)>, String, String);

/// The equalities and meanings that hold for all values of their variables.
pub(super) fn equivalent_terms() -> Vec<EquivalentTerms> {
    let owned = |variables: &[equalities::Variable]| {
        variables.iter().map(|(name, sort)| ((*name).to_owned(), (*sort).to_owned())).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for row in equalities::EQUALITIES.iter().filter(|row| row.side.is_empty()) {
        let mut variables = owned(row.others);
        if row.is_general() {
            variables.push(("s".to_owned(), row.sort.to_owned()));
        }
        all.push((
            format!("{}-{}", row.theory, row.id),
            variables,
            row.term.to_owned(),
            row.value.to_owned(),
        ));
    }
    let plain = |row: &&Equivalence| {
        row.own.is_empty() && row.converse && !row.b.iter().any(|part| part.contains("(forall "))
    };
    for row in equivalences::all().filter(plain) {
        let right = match row.b {
            [one] => (*one).to_owned(),
            several => format!("(and {})", several.join(" ")),
        };
        let name = format!("{}-meaning-{}", row.theory, row.id);
        all.push((name, owned(row.shared), row.a.to_owned(), right));
    }
    all
}

const fn flag(name: &'static str, value: Value, default: &'static str, about: &'static str) -> Flag {
    Flag { name, value, default, about }
}

pub(super) const ENTRY: Entry = Entry {
    name: "construct",
    about: "formulas of strings, or of another theory, that are satisfiable or not by construction",
    flags: &[
        flag("theory", Value::Text, "strings", "theories whose operations are tested: strings, bitvec,float"),
        flag("depth", Value::Number, "1", "how deep the terms are that stand for constants"),
        flag("partial", Value::Switch, "", "also make variables of only some occurrences of a constant"),
        flag("rounds", Value::Number, "1", "up to so many transformations of an unsatisfiable formula"),
        flag(
            "only",
            Value::Text,
            "",
            "only tests whose name contains this, or is this with * for anything; several between |",
        ),
    ],
    build: |options| Ok(Box::new(Strings::of(options)?)),
};

/// A test: a script and what is known of it.
#[derive(Clone, Debug)]
pub struct Test {
    /// The name of the test. It never changes.
    pub name: String,
    /// The category of the test.
    pub category: Category,
    /// Its declarations and assertions.
    body: String,
    answer: Answer,
    model: Option<String>,
    core: Option<Vec<String>>,
}

impl Test {
    /// The script.
    fn script(&self) -> String {
        let answer = self.answer.word();
        format!("(set-info :status {answer})\n(set-logic ALL)\n{}(check-sat)\n", self.body)
    }

    /// The script, with everything that is known about it as comments.
    fn text(&self) -> String {
        let mut text = format!("; {}\n", self.name);
        if let Some(model) = &self.model {
            let _ = writeln!(text, "; model: {model}");
        }
        if let Some(core) = &self.core {
            let _ = writeln!(text, "; core: ({})", core.join(" "));
        }
        text + &self.script()
    }

    fn claims(&self) -> Vec<Claim> {
        let own = CheckRef::own(0);
        let mut claims = vec![Claim::Is(own, self.answer)];
        claims.extend(self.model.iter().map(|model| Claim::Witness(own, model.clone())));
        claims.extend(self.core.iter().map(|core| Claim::Core(own, core.clone())));
        claims
    }
}

/// A family of tests, which is a series.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// Satisfiable tests of the theory with this number.
    Satisfiable(usize, satisfiable::Family),
    Unsatisfiable(&'static Equivalence, Category),
}

struct Strings {
    theories: Vec<Satisfiable>,
    families: Vec<Family>,
    rounds: usize,
    only: String,
    longest: u32,
}

impl Strings {
    fn of(options: &Options) -> Result<Strings, BadOption> {
        let small = |flag: &str, most: u64| match options.number(flag)? {
            n if (1..=most).contains(&n) => Ok(usize::try_from(n).expect("small")),
            _ => Err(options.bad(flag, &format!("at least 1 and at most {most} is wanted"))),
        };
        let (depth, rounds) = (small("depth", 8)?, small("rounds", 4)?);
        if let Some(why) = only::refused(options.text("only")) {
            return Err(options.bad("only", &why));
        }
        let mut theories = Vec::new();
        let mut families = Vec::new();
        for name in options.text("theory").split(',').map(str::trim) {
            let wrong = |why: String| options.bad("theory", &why);
            let part = parts::named(name).map_err(wrong)?;
            let operations = Operations::of(part).map_err(wrong)?;
            let theory = Satisfiable::new(part.name, operations, depth, options.is_on("partial"));
            let number = theories.len();
            families.extend(theory.families().into_iter().map(|f| Family::Satisfiable(number, f)));
            theories.push(theory);
            for category in [Category::Equivalent, Category::LargerCore, Category::Redundancy] {
                let rows = unsatisfiable::rows(part.name).into_iter();
                families.extend(rows.map(|row| Family::Unsatisfiable(row, category)));
            }
        }
        let most = theories.iter().map(Satisfiable::most).max().unwrap_or(0);
        // Transformations of one row are a few dozen, and each may follow each.
        let most = most.max(TRANSFORMATIONS.saturating_pow(u32::try_from(rounds).expect("small")));
        let longest = u32::try_from(most).unwrap_or(u32::MAX);
        let strings = Strings { theories, families, rounds, only: options.text("only").to_owned(), longest };
        let all = || strings.families.iter().flat_map(|&family| strings.tests(family));
        if !all().any(|test| matches(&strings.only, &test.name)) {
            let names: Vec<String> = all().map(|test| test.name).collect();
            return Err(options.bad("only", &only::unknown(&strings.only, options.text("theory"), &names)));
        }
        Ok(strings)
    }

    fn tests(&self, family: Family) -> Box<dyn Iterator<Item = Test> + '_> {
        match family {
            Family::Satisfiable(theory, family) => self.theories[theory].tests(family),
            Family::Unsatisfiable(row, category) => unsatisfiable::tests(row, category, self.rounds),
        }
    }
}

/// The most transformations that a row has, with and without patterns.
const TRANSFORMATIONS: usize = 400;

impl Strategy for Strings {
    fn wants(&self) -> Wants {
        Wants::Nothing
    }

    fn longest(&self) -> u32 {
        self.longest
    }

    fn series_count(&self) -> Option<u64> {
        Some(self.families.len() as u64)
    }

    fn ends_early(&self) -> bool {
        // Whoever asks for a matrix wants every test in it.
        false
    }

    fn series<'a>(&'a self, no: u64, _: &'a [Asked], _: Choices) -> Box<dyn Series + 'a> {
        let family = usize::try_from(no).ok().and_then(|no| self.families.get(no));
        let Some(&family) = family else { return Box::new(super::Nothing) };
        let tests = self.tests(family).filter(|test| matches(&self.only, &test.name));
        Box::new(Tests { tests: Box::new(tests), name: String::new() })
    }
}

struct Tests<'a> {
    tests: Box<dyn Iterator<Item = Test> + 'a>,
    name: String,
}

impl Tests<'_> {
    fn test(&mut self) -> Option<Test> {
        let test = self.tests.next()?;
        self.name.clone_from(&test.name);
        Some(test)
    }
}

impl Series for Tests<'_> {
    fn next(&mut self) -> Option<Case> {
        let test = self.test()?;
        let script = smt::read(test.script().as_bytes()).expect("tests are well-sorted");
        let category = Some(test.category);
        let claims = test.claims();
        let lineage =
            Lineage { strategy: ENTRY.name.into(), about: test.name, category, ..Lineage::default() };
        Some(Case { script, others: Vec::new(), claims, lineage })
    }

    fn next_text(&mut self) -> Option<String> {
        self.test().map(|test| test.text())
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn skip(&mut self, n: u32) {
        for _ in 0..n {
            if self.tests.next().is_none() {
                return;
            }
        }
    }
}
