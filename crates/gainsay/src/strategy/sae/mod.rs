//! Strategy `sae`: makes mutants whose answer follows from that of their seed.
//!
//! Skeletal approximation enumeration as of Yao, Huang, Tang, Shi, Wu and Zhang (ESEC/FSE 2021): a satisfiable seed is made
//! weaker and must stay satisfiable, an unsatisfiable one stronger and must stay unsatisfiable. Where they make clauses
//! first, we approximate at any place of known polarity, so the seed keeps its structure.
//!
//! The places of one mutant do not overlap, and their polarity is that in the seed. Taken in the order of the text, each
//! step is sound: what a `let` binds comes before the occurrences that give it its polarity. So any of the edits may be
//! dropped, and what is left is an approximation still.

mod binders;
mod chained;
mod clauses;
mod constants;
mod copied;
mod data;
mod example;
mod goals;
mod inject;
mod own;
mod polarity;
mod rules;
mod schema;
#[cfg(test)]
mod tests;
mod two_way;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;

pub(super) use self::own::Row;
pub(super) use self::two_way::two_way_rules;
pub use example::{ListedRule, RuleExample, listed_rules, rule_examples};
use smt::{Arithmetic, Logic, Script, TermId};

use self::chained::Chained;
use self::copied::Copied;
use self::goals::Goals;
use self::inject::Source;
use self::polarity::{Sign, Spots};
use self::rules::Direction;
use self::schema::Read;
use self::views::Applicable;
use super::makers::Makers;
use super::mutating::READABLE_BY;
use super::seeds::unchanged;
use super::support::OperatorSupport;
use super::user_table::{TABLE, UserTable};
use super::{BadOption, Entry, Flag, Options, Series, Strategy, Value, Wants};
use crate::case::{Case, CheckRef, Choices, Claim, Lineage};
use crate::seed::{Asked, Seed};

pub(super) const ENTRY: Entry = Entry {
    name: "sae",
    about: "seeds made weaker or stronger, so that their answer must stay",
    flags: &[
        Flag {
            name: "mutants",
            value: Value::Number,
            default: "300",
            about: "approximations of a seed, each made from the seed itself",
        },
        Flag {
            name: "positions",
            value: Value::Number,
            default: "5",
            about: "the most places that one approximation changes",
        },
        Flag {
            name: "only",
            value: Value::Text,
            default: "",
            about: "only predicate symbol transformation or live predicate injection: pst, lpi",
        },
        Flag {
            name: "incremental",
            value: Value::Switch,
            default: "",
            about: "make each approximation from the one before",
        },
        Flag {
            name: "cnf",
            value: Value::Switch,
            default: "",
            about: "make clauses of a seed first, as the paper does: they are asked, too, then approximated",
        },
        TABLE,
        READABLE_BY,
    ],
    build: |options| Ok(Box::new(Sae::of(options)?)),
};

/// How many draws without a new mutant end a series.
const TRIES: u32 = 64;
/// The most nodes of a formula that is replaced as a whole. In larger ones, parts are replaced.
const LARGEST: u32 = 400;
/// A chain begins again at the seed when its text has this many bytes more than four times the seed.
const ROOM: usize = 1 << 14;

/// Which of the two techniques is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Only {
    Both,
    Transformation,
    Injection,
}

struct Sae {
    mutants: u32,
    positions: u64,
    only: Only,
    incremental: bool,
    cnf: bool,
    support: OperatorSupport,
    /// Rules of the user.
    own: Vec<&'static Read>,
    /// Whether every place is treated as positive. This is wrong, and is the control of an audit.
    blind: bool,
}

/// The strategy without regard to polarity. It is the control of an audit, which must refute some of its mutants.
pub fn without_polarity(options: &Options) -> Result<Box<dyn Strategy>, BadOption> {
    Ok(Box::new(Sae { blind: true, ..Sae::of(options)? }))
}

impl Sae {
    fn of(options: &Options) -> Result<Sae, BadOption> {
        let only = match options.text("only") {
            "" => Only::Both,
            "pst" => Only::Transformation,
            "lpi" => Only::Injection,
            _ => return Err(options.bad("only", "pst or lpi is wanted")),
        };
        Ok(Sae {
            mutants: u32::try_from(options.number("mutants")?).unwrap_or(u32::MAX),
            positions: options.number("positions")?.max(1),
            only,
            incremental: options.is_on("incremental"),
            cnf: options.is_on("cnf"),
            support: OperatorSupport::of(options.text("readable-by")),
            own: own_rules(options)?,
            blind: false,
        })
    }
}

/// The rules in the file that the user names.
fn own_rules(options: &Options) -> Result<Vec<&'static Read>, BadOption> {
    let rows = UserTable::of(options)?.approximation;
    let wrong = |row: &Row, why: String| options.bad(TABLE.name, &format!("{}: {why}", row.name));
    rows.iter().map(|row| row.read().map_err(|why| wrong(row, why))).collect()
}

impl Strategy for Sae {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn takes(&self, seed: &Arc<Seed>) -> Option<Arc<Seed>> {
        if !self.cnf {
            return Some(Arc::clone(seed));
        }
        let text = clauses::in_clauses(seed.script())?;
        Seed::in_form(seed, "in clauses", &text).ok().map(Arc::new)
    }

    fn longest(&self) -> u32 {
        self.mutants.saturating_add(u32::from(self.cnf))
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let Some(asked) = seeds.first() else { return Box::new(super::Nothing) };
        let form = asked.seed.origin.as_ref().map(|origin| other_form(&asked.seed, origin));
        let mut mutants = self.mutants(asked, choices);
        // Solvers that differ on the seed must be asked the seed itself, so that the difference is judged. A form of the seed
        // is asked in any case.
        let disputed = asked.is_disputed() && form.is_none() && self.mutants > 0;
        if let (true, Some(mutants)) = (disputed, &mut mutants) {
            mutants.left -= 1;
        }
        let first = form.or_else(|| disputed.then(|| unchanged(ENTRY.name, &asked.seed)));
        Box::new(Approximations { first, mutants })
    }
}

/// A seed in another form as a case of its own: it has a model if and only if the seed has one.
fn other_form(seed: &Seed, origin: &Seed) -> Case {
    let both = |check| {
        let (seed, own) = (CheckRef { script: 1, check }, CheckRef::own(check));
        [Claim::SatImplies(seed, own), Claim::SatImplies(own, seed)]
    };
    let asks = origin.script().queries();
    let clear = asks.iter().enumerate().filter(|(_, ask)| !ask.opaque);
    Case {
        script: seed.fork(),
        others: vec![Arc::new(origin.script().clone())],
        claims: clear.flat_map(|(check, _)| both(check)).collect(),
        lineage: Lineage {
            strategy: ENTRY.name.into(),
            seeds: vec![origin.name.clone()],
            ..Lineage::default()
        },
    }
}

/// The cases of a seed: the form that it was given, or itself if solvers differ on it, then its mutants.
struct Approximations<'a> {
    first: Option<Case>,
    /// The mutants, if the seed has any.
    mutants: Option<Mutants<'a>>,
}

impl Series for Approximations<'_> {
    fn next(&mut self) -> Option<Case> {
        self.first.take().or_else(|| self.mutants.as_mut()?.next())
    }

    fn skipped(&self) -> u32 {
        self.mutants.as_ref().map_or(0, |mutants| mutants.skipped)
    }
}

impl Sae {
    /// The mutants of a seed; none if no place of it may be changed.
    fn mutants<'a>(&'a self, asked: &'a Asked, choices: Choices) -> Option<Mutants<'a>> {
        let script = asked.seed.script();
        let goals = asked.opinions.iter().map(|answers| Goals::of(script, answers));
        let goals = goals.filter(|goals| goals.ways.iter().any(Option::is_some));
        let sides: VecDeque<Side<'a>> = goals.map(|goals| self.side(&asked.seed, goals)).collect();
        if sides.is_empty() {
            return None;
        }
        let support = self.support.in_script(script);
        let applicable = Applicable::new(script, &support, &self.own);
        let source = Source::of(script, Makers::new(support));
        let draw = Drawing { only: self.only, applicable, source, choices };
        let seed = Arc::new(script.clone());
        Some(Mutants { strategy: self, seed, draw, sides, left: self.mutants, skipped: 0 })
    }

    /// What mutants of a seed are made with for some goals.
    fn side<'a>(&self, seed: &'a Seed, goals: Goals) -> Side<'a> {
        let paper = if self.incremental || leaves_its_logic(seed.script()) {
            Paper::Chain(Box::new(Chained::new(seed, &goals, self.blind)))
        } else {
            Paper::Copy(Box::new(Copied::new(seed, &goals, self.blind)))
        };
        Side { size: seed.size, goals, paper }
    }
}

/// Whether a script uses more than its declared logic has, or declares a logic that we do not know. Then the logic of each
/// mutant must be determined.
fn leaves_its_logic(script: &Script) -> bool {
    let known = script.logic().map(Logic::named);
    known.is_some_and(|logic| logic.is_none_or(|logic| !logic.holds(Logic::of(script))))
}

/// The logic that mutants of a seed must be in: the declared one. If that is `ALL`, mutants have no more arithmetic and
/// quantifiers than the seed.
pub(super) fn fence(script: &Script) -> Logic {
    let used = Logic::of(script);
    let declared = script.logic().filter(|name| !name.contains("ALL")).and_then(Logic::named);
    match declared {
        Some(logic) => logic.join(used),
        None => {
            let arithmetic = used.arithmetic.max(Arithmetic::Linear);
            Logic { quantifiers: used.quantifiers, higher_order: used.higher_order, arithmetic, ..Logic::ALL }
        }
    }
}

/// The sources of new formulas.
struct Drawing {
    only: Only,
    applicable: Applicable,
    source: Source,
    choices: Choices,
}

/// The way in which mutants are made.
enum Paper<'a> {
    /// Each mutant is made from the seed.
    Copy(Box<Copied<'a>>),
    /// Each mutant is made from the one before, or from the seed with another logic.
    Chain(Box<Chained<'a>>),
}

/// What mutants are made with that rest on one opinion about the answers to the seed.
struct Side<'a> {
    size: usize,
    goals: Goals,
    paper: Paper<'a>,
}

/// The mutants of a seed. If solvers differ on the seed, each opinion has its own mutants, and the opinions take turns.
struct Mutants<'a> {
    strategy: &'a Sae,
    seed: Arc<Script>,
    draw: Drawing,
    /// The opinions that still have mutants, the next one first.
    sides: VecDeque<Side<'a>>,
    left: u32,
    skipped: u32,
}

/// The direction of a change at a place: the direction of its assertion, reversed if the polarity is negative.
fn wanted(goal: Direction, sign: Sign) -> Direction {
    match (goal, sign) {
        (Direction::Under, Sign::Plus) | (Direction::Over, Sign::Minus) => Direction::Under,
        _ => Direction::Over,
    }
}

/// Draws places that do not overlap, in the order of the text.
fn choose(spots: &Spots, free: &[u32], most: u64, choices: &mut Choices) -> Vec<usize> {
    let count = 1 + choices.below(most);
    let mut chosen: Vec<usize> = Vec::with_capacity(count as usize);
    for _ in 0..count {
        if let Some(&number) = choices.pick(free)
            && !chosen.iter().any(|&other| spots.overlap(other, number as usize))
        {
            chosen.push(number as usize);
        }
    }
    chosen.sort_unstable();
    chosen
}

impl Side<'_> {
    /// Draws a mutant, which need not be new; none if the draw gave none. Returns also whether any place may be changed.
    fn make(&mut self, strategy: &Sae, draw: &mut Drawing) -> (Option<Case>, bool) {
        let most = strategy.positions;
        match &mut self.paper {
            Paper::Copy(copied) => (copied.make(&self.goals, most, draw), copied.is_usable()),
            Paper::Chain(chained) => {
                let fresh = !strategy.incremental || chained.length() > 4 * self.size + ROOM;
                if fresh {
                    chained.begin(strategy.incremental, &self.goals);
                }
                let done = chained.step(&self.goals, most, draw);
                if done && strategy.incremental {
                    chained.survey(&self.goals);
                }
                (done.then(|| chained.case()), chained.is_usable())
            }
        }
    }

    fn is_new(&mut self) -> bool {
        match &mut self.paper {
            Paper::Copy(copied) => copied.is_new(),
            Paper::Chain(chained) => chained.is_new(),
        }
    }

    /// The next mutant that is new, with what holds between it and the seed. `skipped` counts those that are not new.
    fn next(&mut self, strategy: &Sae, draw: &mut Drawing, skipped: &mut u32) -> Option<Case> {
        for _ in 0..TRIES {
            let (made, usable) = self.make(strategy, draw);
            if !usable {
                break;
            }
            let Some(case) = made else { continue };
            if self.is_new() {
                draw.choices.forget_made();
                return Some(Case { claims: self.goals.claims.clone(), ..case });
            }
            *skipped += 1;
        }
        None
    }
}

impl Mutants<'_> {
    fn next(&mut self) -> Option<Case> {
        while self.left > 0 {
            let mut side = self.sides.pop_front()?;
            if let Some(case) = side.next(self.strategy, &mut self.draw, &mut self.skipped) {
                self.sides.push_back(side);
                self.left -= 1;
                return Some(Case { others: vec![Arc::clone(&self.seed)], ..case });
            }
        }
        None
    }
}

/// A new formula for a place, and the rule of the edit.
type Made = Option<(TermId, crate::case::Rule)>;
/// A new formula for a place, and the name of the rule that gave it.
type Found = Option<(TermId, &'static str)>;
