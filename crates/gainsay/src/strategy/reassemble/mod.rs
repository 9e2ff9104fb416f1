//! Strategy `reassemble`: new formulas from parts of seeds whose truth is known.
//!
//! The idea is that of STORM (Mansur, Christakis, Wüstholz and Zhang; FSE 2020). Every formula in a seed has a value at a model of the
//! seed. New formulas are made of these parts such that they are true there: the model is a witness. Where the original lets a solver
//! say what the parts are, we evaluate them. Where no model is known, a formula is put around assertions that implies them or follows
//! from them.

mod assembled;
mod origin;
mod parts;
#[cfg(test)]
mod tests;

use self::assembled::Assembled;
use self::origin::Origin;
use super::from_seeds::FromSeeds;
use super::shape::{SKELETONS, Skeleton, skeletons};
use super::{BadOption, Entry, Flag, Options, Series, Strategy, Value, Wants};
use crate::case::Choices;
use crate::seed::Asked;

pub(super) const ENTRY: Entry = Entry {
    name: "reassemble",
    about: "new formulas from the parts of seeds whose truth is known",
    flags: &[
        Flag {
            name: "formulas",
            value: Value::Number,
            default: "60",
            about: "scripts that are made of the parts of two seeds",
        },
        Flag {
            name: "connectives",
            value: Value::Number,
            default: "3",
            about: "the most connectives one in another in a new formula",
        },
        SKELETONS,
    ],
    build: |options| Ok(Box::new(Reassemble::of(options)?)),
};

/// Deeper formulas would only be large.
const DEEPEST: u64 = 8;

struct Reassemble {
    formulas: u32,
    depth: u64,
    skeletons: Vec<Skeleton>,
}

impl Reassemble {
    fn of(options: &Options) -> Result<Reassemble, BadOption> {
        let depth = options.number("connectives")?;
        if !(1..=DEEPEST).contains(&depth) {
            return Err(options.bad("connectives", "a number from 1 to 8 is wanted"));
        }
        let formulas = u32::try_from(options.number("formulas")?).unwrap_or(u32::MAX);
        Ok(Reassemble { formulas, depth, skeletons: skeletons(options)? })
    }
}

impl Strategy for Reassemble {
    fn wants(&self) -> Wants {
        Wants::Drawn(2)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn longest(&self) -> u32 {
        self.formulas
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], mut choices: Choices) -> Box<dyn Series + 'a> {
        let names = seeds.iter().map(|asked| asked.seed.name.clone()).collect();
        let assembled = Origin::of(seeds, &mut choices)
            .map(|origin| Assembled::new(origin, names, &self.skeletons, self.depth, choices));
        Box::new(FromSeeds::new(ENTRY.name, seeds, assembled, self.formulas))
    }
}
