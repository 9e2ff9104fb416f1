//! Strategy `fusion`: two seeds that become one formula, whose answer follows from theirs.
//!
//! Semantic fusion as of Winterer, Zhang and Su (PLDI 2020): a constant x of one seed and a constant y of another are tied to a
//! new constant z by a function z = f(x, y). Then x is also r(y, z) and y is s(x, z), and some of their occurrences are replaced
//! by these terms. Where the original needs functions that can be inverted everywhere, we evaluate: where models of the seeds are
//! known, a function is used if it can be inverted at their values, and the case has its model as a witness. Where none is known,
//! the equations are asserted, and the case has the answer of the same formula without replacements.

mod check;
mod fused;
mod origin;
mod table;
#[cfg(test)]
mod tests;
mod witness;

use self::fused::Fused;
use self::origin::{Half, Origin};
pub(super) use self::table::Row;
use super::apart::Material;
use super::from_seeds::FromSeeds;
use super::known::{found_model, is_said_unsat};
use super::mutating::READABLE_BY;
use super::support::OperatorSupport;
use super::user_table::{TABLE, UserTable};
use super::{BadOption, Entry, Flag, Nothing, Options, Series, Strategy, Value, Wants};
use crate::case::Choices;
use crate::seed::Asked;

pub(super) const ENTRY: Entry = Entry {
    name: "fusion",
    about: "two seeds made one formula by functions between their constants",
    flags: &[
        Flag {
            name: "fusions",
            value: Value::Number,
            default: "60",
            about: "formulas that are made of two seeds",
        },
        Flag {
            name: "functions",
            value: Value::Text,
            default: "all",
            about: "fusion functions, such as int-sum,pair (`--functions help` lists them)",
        },
        TABLE,
        READABLE_BY,
    ],
    build: |options| Ok(Box::new(Fusion::of(options)?)),
};

struct Fusion {
    fusions: u32,
    rows: Vec<Row>,
}

impl Fusion {
    fn of(options: &Options) -> Result<Fusion, BadOption> {
        let fusions = u32::try_from(options.number("fusions")?).unwrap_or(u32::MAX);
        let mut rows = table::built_in();
        let more = UserTable::of(options)?.function;
        for row in &more {
            let wrong = |why| options.bad(TABLE.name, &format!("{}: {why}", row.name));
            check::row(row, check::FEW).map_err(wrong)?;
        }
        rows.retain(|row| !more.iter().any(|own| own.name == row.name));
        rows.extend(more);
        let support = OperatorSupport::of(options.text(READABLE_BY.name));
        let list = options.text("functions");
        if list != "all" {
            let chosen: Vec<&str> = list.split(',').map(str::trim).collect();
            if let Some(unknown) = chosen.iter().find(|name| !rows.iter().any(|row| row.name == **name)) {
                let known: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
                let why = format!("{unknown} is no function; these are, or all: {}", known.join(", "));
                return Err(options.bad("functions", &why));
            }
            rows.retain(|row| chosen.contains(&row.name.as_str()));
        }
        rows.retain(|row| row.is_supported(&support));
        Ok(Fusion { fusions, rows })
    }
}

impl Strategy for Fusion {
    fn wants(&self) -> Wants {
        Wants::Drawn(2)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn longest(&self) -> u32 {
        self.fusions
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], mut choices: Choices) -> Box<dyn Series + 'a> {
        let [one, two] = seeds else { return Box::new(Nothing) };
        let names = vec![one.seed.name.clone(), two.seed.name.clone()];
        let origin = origin(one, two, &self.rows, &mut choices);
        let fused = origin.map(|origin| Fused::new(origin, names, choices));
        Box::new(FromSeeds::new(ENTRY.name, seeds, fused, self.fusions))
    }
}

/// Two seeds side by side, with functions between them; none if they cannot be fused.
fn origin(one: &Asked, two: &Asked, rows: &[Row], choices: &mut Choices) -> Option<Origin> {
    let mut number = |asked: &Asked| choices.below(asked.seed.script().queries().len() as u64) as usize;
    let (first, second) = (number(one), number(two));
    let own = Material::of(one.seed.script(), first)?;
    let other = own.beside(two.seed.script(), second)?;
    let halves = [half(one, first, &own)?, half(two, second, &other)?];
    Origin::of(&halves, rows, choices)
}

/// What is known of a check of a seed. Whether it is unsatisfiable is only the word of solvers, or of the seed itself; a model is
/// one that satisfies it.
fn half<'m>(asked: &Asked, check: usize, material: &'m Material) -> Option<Half<'m>> {
    let unsat = is_said_unsat(asked, check);
    let model = if unsat { None } else { found_model(&smt::read(material.everything().as_bytes()).ok()?) };
    Some(Half { material, model, unsat })
}
