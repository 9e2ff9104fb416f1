//! The strategy: a series is a range of numbers of formulas, or random numbers within sizes.
//!
//! Winterer and Su (OOPSLA 2024) run the smallest formulas in order. Sampling within a size, passing over what differs only in
//! names, and all numbers beyond 64 bits are ours.

use std::sync::OnceLock;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::super::mutating::READABLE_BY;
use super::super::{BadOption, Entry, Flag, Options, Series, Strategy, Value, Wants};
use super::canonical::is_canonical;
use super::source;
use super::unrank::Formulas;
use super::vary::Variation;
use crate::case::{Case, Choices, Lineage};
use crate::seed::Asked;

/// How many numbers a series has.
const STRETCH: u64 = 1000;
/// How many numbers a round has by default.
const ROUND: u64 = 5000;
const JUMP: usize = 10;
/// The largest power of ten that is tried to find a large formula.
const FARTHEST: usize = 4000;

const fn flag(name: &'static str, value: Value, default: &'static str, about: &'static str) -> Flag {
    Flag { name, value, default, about }
}

pub(in crate::strategy) const ENTRY: Entry = Entry {
    name: "enumerate",
    about: "the formulas of grammars, smallest first",
    flags: &[
        flag(
            "grammar",
            Value::Text,
            "",
            "grammars that take turns: files, built-in names, or derive:THEORY,…",
        ),
        flag("from", Value::Text, "0", "the number of the first formula"),
        flag("count", Value::Number, "", "how many numbers of each grammar"),
        flag("sample", Value::Text, "", "draw evenly within each of these sizes: 7, or 6..9"),
        flag("canonical", Value::Switch, "", "pass over what differs only in the names of variables"),
        flag("at-least-bytes", Value::Number, "", "begin at the first power of ten whose formula is so long"),
        flag("rounds", Value::Number, "1", "so many times, each from ten digits further on"),
        flag("variables", Value::Number, "", "so many variables of each sort"),
        flag("asserts", Value::Number, "", "so many assertions"),
        flag("constants", Value::Text, "", "a list of constants in place of those of their kind"),
        flag("operators", Value::Text, "", "a list of the only operators"),
        flag("quantifiers", Value::Switch, "", "quantify over the variables' names"),
        flag("push-pop", Value::Switch, "", "put assertions after the first between push and pop"),
        READABLE_BY,
    ],
    build: |options| Ok(Box::new(Enumerate::of(options)?)),
};

/// The variation that options ask for.
fn variation(options: &Options) -> Result<Variation, BadOption> {
    let number = |flag: &str| -> Result<Option<usize>, BadOption> {
        Ok(some(options, flag)?.map(|n| usize::try_from(n.min(1000)).expect("small")))
    };
    Ok(Variation {
        variables: number("variables")?,
        asserts: number("asserts")?,
        constants: source::list(options.text("constants")),
        operators: source::list(options.text("operators")),
        quantifiers: options.is_on("quantifiers"),
        push_pop: options.is_on("push-pop"),
    })
}

/// The number of a flag that need not be given.
fn some(options: &Options, flag: &str) -> Result<Option<u64>, BadOption> {
    if options.text(flag).is_empty() { Ok(None) } else { options.number(flag).map(Some) }
}

struct Enumerate {
    formulas: Vec<Formulas>,
    /// The first number of each grammar, once it is known.
    starts: Vec<OnceLock<Option<UBig>>>,
    from: UBig,
    count: Option<u64>,
    sample: Option<(usize, usize)>,
    canonical: bool,
    at_least_bytes: Option<u64>,
    rounds: u64,
}

impl Enumerate {
    fn of(options: &Options) -> Result<Enumerate, BadOption> {
        let bad = |flag: &str, why: &str| options.bad(flag, why);
        let variation = variation(options)?;
        let grammars = source::grammars(options.text("grammar"), options.text("readable-by"), &variation)
            .map_err(|why| bad("grammar", &why))?;
        let formulas = source::formulas(&grammars).map_err(|why| bad("grammar", &why))?;
        let from: UBig = options.text("from").parse().map_err(|_| bad("from", "a whole number is wanted"))?;
        let rounds = options.number("rounds")?.max(1);
        let at_least_bytes = some(options, "at-least-bytes")?;
        if rounds > 1 && from.is_zero() && at_least_bytes.is_none() {
            return Err(bad("rounds", "from 0 there is nothing further on; give --from or --at-least-bytes"));
        }
        let sample = match options.text("sample") {
            "" => None,
            text => {
                let (low, high) = text.split_once("..").unwrap_or((text, text));
                let sizes = low.parse().ok().zip(high.parse().ok()).filter(|(low, high)| low <= high);
                Some(sizes.ok_or_else(|| bad("sample", "a size or two such as 6..9 are wanted"))?)
            }
        };
        if let Some((low, high)) = sample {
            let any = |f: &Formulas| (low..=high).any(|n| f.count(n).is_some_and(|count| !count.is_zero()));
            if !formulas.iter().all(any) {
                return Err(bad("sample", "a grammar has no formulas of these sizes"));
            }
        }
        Ok(Enumerate {
            starts: formulas.iter().map(|_| OnceLock::new()).collect(),
            formulas,
            from,
            count: some(options, "count")?,
            sample,
            canonical: options.is_on("canonical"),
            at_least_bytes,
            rounds,
        })
    }

    /// How many numbers a round of a grammar has; none if it does not end.
    fn round(&self) -> Option<u64> {
        self.count.or((self.rounds > 1).then_some(ROUND))
    }

    /// The first number of a grammar; none if no formula is long enough.
    fn start(&self, which: usize) -> Option<&UBig> {
        let find = || match self.at_least_bytes {
            None => Some(self.from.clone()),
            Some(bytes) => large(&self.formulas[which], bytes, &self.from),
        };
        self.starts[which].get_or_init(find).as_ref()
    }
}

/// The first power of ten, not below `from`, whose formula has so many bytes.
pub fn large(formulas: &Formulas, bytes: u64, from: &UBig) -> Option<UBig> {
    let mut index = UBig::ONE;
    let mut text = String::new();
    for _ in 0..FARTHEST {
        text.clear();
        if index >= *from {
            if !formulas.write(&index, &mut text) {
                return None;
            }
            if text.len() as u64 >= bytes {
                return Some(index);
            }
        }
        index *= UBig::from(10u32);
    }
    None
}

impl Strategy for Enumerate {
    fn wants(&self) -> Wants {
        Wants::Nothing
    }

    fn longest(&self) -> u32 {
        self.round().map_or(STRETCH, |round| round.min(STRETCH)) as u32
    }

    /// All numbers are asked, even if a solver refuses some of them.
    fn ends_early(&self) -> bool {
        false
    }

    fn part(&self, no: u64) -> Option<(&str, u64)> {
        let grammars = self.formulas.len() as u64;
        Some((self.formulas[(no % grammars) as usize].name(), no / grammars))
    }

    fn series_count(&self) -> Option<u64> {
        let stretches = self.round()?.div_ceil(STRETCH);
        Some(stretches.saturating_mul(self.rounds).saturating_mul(self.formulas.len() as u64))
    }

    fn series<'a>(&'a self, no: u64, _: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let grammars = self.formulas.len() as u64;
        let (which, stretch) = ((no % grammars) as usize, no / grammars);
        let formulas = &self.formulas[which];
        let per_round = self.round().map_or(u64::MAX, |round| round.div_ceil(STRETCH).max(1));
        let (round, within) = (stretch / per_round, stretch % per_round);
        let left = self.round().map_or(STRETCH, |round| STRETCH.min(round.saturating_sub(within * STRETCH)));
        let (numbers, left) = match (self.sample, self.start(which)) {
            (Some((low, high)), _) => (Numbers::Drawn { low, high, at: low, choices }, left),
            (None, Some(start)) => {
                let jump = UBig::from(10u32).pow(JUMP * usize::try_from(round).unwrap_or(0));
                (Numbers::InOrder(start * jump + UBig::from(within) * UBig::from(STRETCH)), left)
            }
            (None, None) => (Numbers::InOrder(UBig::ZERO), 0),
        };
        Box::new(Stretch { formulas, numbers, left, canonical: self.canonical, skipped: 0 })
    }
}

enum Numbers {
    InOrder(UBig),
    Drawn { low: usize, high: usize, at: usize, choices: Choices },
}

struct Stretch<'a> {
    formulas: &'a Formulas,
    numbers: Numbers,
    left: u64,
    canonical: bool,
    skipped: u32,
}

impl Stretch<'_> {
    fn number(&mut self) -> Option<UBig> {
        match &mut self.numbers {
            Numbers::InOrder(next) => {
                let this = next.clone();
                *next += UBig::ONE;
                Some(this)
            }
            Numbers::Drawn { low, high, at, choices } => loop {
                let size = *at;
                *at = if *at == *high { *low } else { *at + 1 };
                let count = self.formulas.count(size)?;
                if !count.is_zero() {
                    let drawn = below(&count, choices);
                    choices.forget_made();
                    return Some(self.formulas.first_of(size)? + drawn);
                }
            },
        }
    }

    fn formula(&mut self) -> Option<(UBig, String)> {
        while self.left > 0 {
            self.left -= 1;
            let number = self.number()?;
            let Some(text) = self.formulas.at(&number) else {
                self.left = 0;
                return None;
            };
            if !self.canonical || is_canonical(&text) {
                return Some((number, text));
            }
            self.skipped += 1;
        }
        None
    }
}

/// A random number below `bound`. It is drawn with 64 bits more than `bound` has, so it is nearly uniform.
fn below(bound: &UBig, choices: &mut Choices) -> UBig {
    let words = bound.bit_len().div_ceil(64) + 1;
    let drawn = (0..words).fold(UBig::ZERO, |sum, _| (sum << 64) + UBig::from(choices.below(u64::MAX)));
    (drawn * bound) >> (words * 64)
}

impl Series for Stretch<'_> {
    fn next(&mut self) -> Option<Case> {
        loop {
            let (number, text) = self.formula()?;
            // A grammar of the user's may derive what is no script.
            let Ok(script) = smt::read(text.as_bytes()) else {
                self.skipped += 1;
                continue;
            };
            let about = format!("formula {number} of {}", self.formulas.name());
            let lineage = Lineage { strategy: ENTRY.name.into(), about, ..Lineage::default() };
            return Some(Case { script, others: Vec::new(), claims: Vec::new(), lineage });
        }
    }

    fn next_text(&mut self) -> Option<String> {
        self.formula().map(|(_, text)| text + "\n")
    }

    fn skipped(&self) -> u32 {
        self.skipped
    }
}
