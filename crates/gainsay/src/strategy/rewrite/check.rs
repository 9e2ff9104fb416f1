//! Checks of equivalences: that both sides have the same value at many points, and scripts that ask solvers.

use std::fmt::Write;

use smt::{Script, SortId, TermId, Verdict, sort_text, write_term};

use super::sorts::{Bound, SortPattern};
use super::table::{Equivalence, Row, built_in};
use crate::case::Choices;
use crate::strategy::points::{failure, literal};
use crate::strategy::user_table::UserTable;

/// The points at which a row of a user is checked.
pub(super) const FEW: usize = 200;

/// The numbers of small letters, and the sorts of A and B.
type Letters = (&'static [(u8, u32)], [&'static str; 2]);

/// What letters stand for in checks: each row is checked with all of these.
const LETTERS: [Letters; 2] = [
    (&[(b'n', 5), (b'm', 3), (b'e', 3), (b's', 4)], ["Int", "Bool"]),
    (&[(b'n', 1), (b'm', 2), (b'e', 2), (b's', 3)], ["(_ BitVec 2)", "Int"]),
];

/// Languages that stand for variables where solvers are asked, which read no constants of that sort.
const LANGUAGES: [&str; 3] =
    ["(re.* (str.to_re \"ab\"))", "(re.range \"a\" \"f\")", "(re.opt (str.to_re \"b\"))"];

/// An equivalence with constants for its variables.
struct Instance {
    /// The constants and their sorts.
    constants: Vec<(String, String)>,
    /// The two sides.
    sides: [String; 2],
    /// Their sort.
    sort: SortId,
}

impl Instance {
    /// An equivalence with some letters. With `asked`, languages stand for variables of that sort.
    fn of(row: &Equivalence, letters: usize, asked: bool) -> Result<Instance, String> {
        let (numbers, sorts) = LETTERS[letters];
        let mut script = smt::read(b"(check-sat)").expect("a script");
        let bound = letters_of(&mut script, numbers, sorts)?;
        let mut constants = Vec::new();
        for variable in &row.variables {
            let sort = variable.sort.built(&mut script.pool, &bound);
            let sort = sort.ok_or_else(|| {
                format!("the sort of {} has a letter that is not n, m, e, s, A or B", variable.name)
            })?;
            constants.push((variable.name.clone(), sort_text(&script.pool, sort)));
        }
        let declared = declarations(&constants);
        let mut script = smt::read(format!("{declared}(check-sat)").as_bytes()).map_err(|e| e.to_string())?;
        let end = script.commands.len() - 1;
        let mut bound = letters_of(&mut script, numbers, sorts)?;
        for (number, variable) in row.variables.iter().enumerate() {
            let text = match &*constants[number].1 {
                "RegLan" if asked => LANGUAGES[number % LANGUAGES.len()],
                _ => &variable.name,
            };
            let term =
                smt::read::term_at(&mut script, end, &[], text.as_bytes()).map_err(|e| e.to_string())?;
            bound
                .settle(&mut script.pool, (number, variable), &mut |_, _| Some(term))
                .ok_or_else(|| format!("{} has no sort", variable.name))?;
        }
        let mut sides: Vec<TermId> = Vec::new();
        for side in &row.sides {
            let built = side.built(&mut script.pool, &row.variables, &mut bound, &mut |_, _| None);
            sides.push(built.ok_or("a side is not well-sorted")?);
        }
        let pool = &script.pool;
        if pool.sort_of(sides[0]) != pool.sort_of(sides[1]) {
            return Err("its sides have different sorts".to_owned());
        }
        constants.retain(|(_, sort)| !asked || sort != "RegLan");
        let texts = [0, 1].map(|side| write_term(pool, sides[side]));
        Ok(Instance { constants, sides: texts, sort: pool.sort_of(sides[0]) })
    }

    /// The two sides as terms that solvers can compare: languages are told apart by a string `w`.
    fn compared(&self) -> (Vec<(String, String)>, String) {
        let [left, right] = &self.sides;
        let mut constants = self.constants.clone();
        if self.sort == SortId::REGLAN {
            constants.push(("w".to_owned(), "String".to_owned()));
            return (constants, format!("(= (str.in_re w {left}) (str.in_re w {right}))"));
        }
        (constants, format!("(= {left} {right})"))
    }
}

fn declarations(constants: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, sort) in constants {
        let _ = writeln!(text, "(declare-const {name} {sort})");
    }
    text
}

/// What letters stand for, in the pool of a script.
fn letters_of(script: &mut Script, numbers: &[(u8, u32)], sorts: [&str; 2]) -> Result<Bound, String> {
    let mut all = Vec::new();
    for (letter, sort) in [b'A', b'B'].into_iter().zip(sorts) {
        let sort = SortPattern::read(sort)?.built(&mut script.pool, &Bound::default());
        all.push((letter, sort.ok_or("a letter stands for no sort")?));
    }
    Ok(Bound::at(numbers, &all))
}

/// Checks a row at so many points. The error says what is wrong, and where.
pub(super) fn row(row: &Equivalence, points: usize) -> Result<(), String> {
    for letters in 0..LETTERS.len() {
        let (constants, formula) = Instance::of(row, letters, false)?.compared();
        let mut choices = Choices::drawn(letters as u64, "points", 0);
        let parameters: Vec<(&str, &str)> = constants.iter().map(|(n, s)| (n.as_str(), s.as_str())).collect();
        let count = if constants.is_empty() { 1 } else { points };
        let drawn: Vec<Vec<String>> = (0..count)
            .map(|_| {
                let value = |(_, sort): &(String, String)| {
                    let number = choices.below(16) as usize;
                    literal(sort, number, &mut choices)
                };
                constants.iter().map(value).collect()
            })
            .collect();
        let drawn: Vec<Vec<&str>> =
            drawn.iter().map(|point| point.iter().map(String::as_str).collect()).collect();
        if let Some(failure) = failure("", &parameters, &formula, &drawn)? {
            let at: Vec<String> =
                constants.iter().zip(&drawn[failure.point]).map(|((n, _), v)| format!("{n} = {v}")).collect();
            let at = at.join(", ");
            return Err(match failure.verdict {
                Verdict::Open(gap) => format!("a side has no value at {at}: {gap}"),
                _ => format!("its sides differ at {at}"),
            });
        }
    }
    Ok(())
}

/// An equivalence with constants for its variables, as a question to solvers.
#[derive(Clone, Debug)]
pub struct EquivalenceExample {
    /// The name of the row.
    pub name: String,
    /// A script that is satisfiable only if the two sides differ somewhere.
    pub refutation: String,
}

/// An example of each equivalence that comes with the program, or of each in the text of a table. The error says what is wrong with the
/// table.
pub fn equivalence_examples(table: Option<&str>) -> Result<Vec<EquivalenceExample>, String> {
    let own = table.map(UserTable::read).transpose()?.map(|table| table.equivalence);
    let rows = own.as_deref().unwrap_or(built_in());
    rows.iter().map(|row| example(row, own.is_some()).map_err(|why| format!("{}: {why}", row.name))).collect()
}

/// An example of an equivalence. Those of users are checked first.
fn example(written: &Row, is_own: bool) -> Result<EquivalenceExample, String> {
    let equivalence = Equivalence::read(written)?;
    if is_own {
        row(&equivalence, FEW)?;
    }
    let (constants, formula) = Instance::of(&equivalence, 0, true)?.compared();
    let declared = declarations(&constants);
    let refutation = format!("(set-logic ALL)\n{declared}(assert (not {formula}))\n(check-sat)\n");
    Ok(EquivalenceExample { name: equivalence.name, refutation })
}
