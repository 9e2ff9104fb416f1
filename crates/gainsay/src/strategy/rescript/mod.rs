//! Strategy `rescript`: one formula, many sessions.
//!
//! A series takes the assertions of one check of a seed and fixes a few parts of them: all, none, and some between. Each case is
//! a session whose checks are about these parts. What a part must be answered is known from its one-shot form, which is asked
//! once in a series.

mod draft;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smt::Script;

use super::apart::{Material, NoCommonLogic};
use super::{BadOption, Entry, Flag, Nothing, Options, Series, Strategy, Value, Wants};
use crate::case::{Case, CheckRef, Choices, Claim, Lineage, SeedName, SessionForm};
use crate::seed::{Asked, Seed};
use draft::{Draft, Plan};

/// The most parts of a formula that the sessions of a series are about.
const MOST_PARTS: usize = 5;
/// How often a session is drawn again that was made before.
const TRIES: u32 = 16;

pub(super) const ENTRY: Entry = Entry {
    name: "rescript",
    about: "seeds as sessions: levels, assumptions, the same check again",
    flags: &[
        Flag {
            name: "sessions",
            value: Value::Number,
            default: "60",
            about: "sessions that are made of a seed",
        },
        Flag {
            name: "forms",
            value: Value::Text,
            default: "all",
            about: "forms of sessions, such as levels,guards (`--forms help` lists them)",
        },
    ],
    build: |options| Ok(Box::new(Rescript::of(options)?)),
};

/// All forms with what each does.
const FORMS: &[(SessionForm, &str)] = &[
    (SessionForm::Levels, "assertions are spread over levels"),
    (SessionForm::Order, "what is popped is asserted again in another order"),
    (SessionForm::Guards, "assertions have guards that are assumed"),
    (SessionForm::Foreign, "assertions of another seed are pushed, checked and popped"),
    (SessionForm::Local, "names are declared in the level that needs them"),
    (SessionForm::Global, "names are declared in a level and outlive it"),
    (SessionForm::Again, "a check is asked twice"),
    (SessionForm::Values, "values are asked for between checks"),
    (SessionForm::Unused, "something is defined and not used"),
    (SessionForm::Reset, "all assertions are dropped and asserted again"),
    (SessionForm::Named, "assertions have names"),
    (SessionForm::Options, "an option is set between checks"),
    (SessionForm::Models, "a model is asked for after a check"),
    (SessionForm::Assignment, "truth values of named assertions are asked for after a check"),
    (SessionForm::Assumptions, "the assumptions that suffice are asked for after a check"),
    (SessionForm::Information, "statistics, and reasons of unknown, are asked for after a check"),
    (SessionForm::Proofs, "proofs are on, and asked for after a check"),
];

struct Rescript {
    sessions: u32,
    forms: Vec<SessionForm>,
}

impl Rescript {
    fn of(options: &Options) -> Result<Rescript, BadOption> {
        let sessions = u32::try_from(options.number("sessions")?).unwrap_or(u32::MAX);
        let named = |word: &str| {
            let lines = FORMS.iter().map(|(form, about)| format!("\n  {:11} {about}", form.word()));
            let known = || format!("a list of these is wanted, or all:{}", lines.clone().collect::<String>());
            SessionForm::named(word).ok_or_else(|| options.bad("forms", &known()))
        };
        let forms = match options.text("forms") {
            "all" => SessionForm::ALL.to_vec(),
            list => list.split(',').map(str::trim).map(named).collect::<Result<_, _>>()?,
        };
        Ok(Rescript { sessions, forms })
    }
}

impl Strategy for Rescript {
    fn wants(&self) -> Wants {
        Wants::Drawn(2)
    }

    fn longest(&self) -> u32 {
        self.sessions
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let Some(asked) = seeds.first() else { return Box::new(Nothing) };
        let other = seeds.get(1).map(|asked| asked.seed.as_ref());
        match Sessions::new(self, &asked.seed, other, choices) {
            Some(sessions) => Box::new(sessions),
            None => Box::new(Nothing),
        }
    }
}

/// The sessions of one series.
struct Sessions<'a> {
    forms: &'a [SessionForm],
    names: [Option<&'a SeedName>; 2],
    own: Material,
    foreign: Option<(Material, Option<String>)>,
    /// The units of each part.
    parts: Vec<Vec<usize>>,
    /// The one-shot form of each part.
    one_shots: Vec<Arc<Script>>,
    choices: Choices,
    /// The texts of the sessions that were made.
    made: FxHashSet<u64>,
    left: u32,
    skipped: u32,
}

impl<'a> Sessions<'a> {
    fn new(of: &'a Rescript, seed: &'a Seed, other: Option<&'a Seed>, mut choices: Choices) -> Option<Self> {
        let check =
            |seed: &Seed, choices: &mut Choices| choices.below(seed.script().queries().len() as u64) as usize;
        let number = check(seed, &mut choices);
        let own = Material::of(seed.script(), number)?;
        let foreign = other.and_then(|other| {
            let number = check(other, &mut choices);
            let foreign = own.beside(other.script(), number)?;
            let logic = common_logic(&own, &foreign).ok()?;
            Some((foreign, logic))
        });
        let parts = parts(own.units.len(), &mut choices);
        let one_shot = |part: &Vec<usize>| {
            let text = own.alone(part);
            smt::read(text.as_bytes()).ok().map(Arc::new)
        };
        let one_shots = parts.iter().map(one_shot).collect::<Option<Vec<_>>>()?;
        let names = [Some(&seed.name), other.map(|other| &other.name)];
        let (made, left) = (FxHashSet::default(), of.sessions);
        Some(Sessions {
            forms: &of.forms,
            names,
            own,
            foreign,
            parts,
            one_shots,
            choices,
            made,
            left,
            skipped: 0,
        })
    }

    /// Some forms: mostly a few together.
    fn draw_forms(&mut self) -> Vec<SessionForm> {
        let count = 1 + self.choices.below(4);
        let mut forms: Vec<SessionForm> = Vec::new();
        for _ in 0..count {
            forms.extend(self.choices.pick(self.forms).filter(|form| !forms.contains(form)).copied());
        }
        forms
    }

    /// One session; none if its text is no script.
    fn draw(&mut self) -> Option<Case> {
        let forms = self.draw_forms();
        let count = 2 + self.choices.below(4) as usize;
        let mut visits: Vec<usize> = Vec::with_capacity(count);
        while visits.len() < count {
            visits.push(self.choices.below(self.parts.len() as u64) as usize);
        }
        let foreign = self.foreign.as_ref().map(|(material, logic)| (material, logic.as_deref()));
        let plan = Plan { own: &self.own, foreign, parts: &self.parts, forms };
        let draft = Draft::new(plan, &visits, &mut self.choices);
        self.choices.forget_made();
        let script = smt::read(draft.text().as_bytes()).ok()?;
        let same = |&(check, part): &(usize, usize)| {
            Claim::Same(CheckRef::own(check), CheckRef { script: part + 1, check: 0 })
        };
        let claims = draft.visited.iter().map(same).collect();
        let seeds = self.names.iter().take(1 + usize::from(draft.is_mixed())).flatten();
        let lineage = Lineage {
            strategy: ENTRY.name.into(),
            seeds: seeds.map(|name| SeedName::clone(name)).collect(),
            forms: draft.forms(),
            ..Lineage::default()
        };
        Some(Case { script, others: self.one_shots.clone(), claims, lineage })
    }
}

impl Series for Sessions<'_> {
    fn next(&mut self) -> Option<Case> {
        for _ in 0..TRIES {
            if self.left == 0 {
                return None;
            }
            if let Some(case) = self.draw()
                && self.made.insert(hash(&case.text()))
            {
                self.left -= 1;
                return Some(case);
            }
            self.skipped += 1;
        }
        self.left = 0;
        None
    }

    fn skipped(&self) -> u32 {
        self.skipped
    }
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The parts that the sessions of a series are about: all units, none, and some drawn ones.
fn parts(units: usize, choices: &mut Choices) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = vec![(0..units).collect(), Vec::new()];
    for _ in 2..MOST_PARTS {
        let part: Vec<usize> = (0..units).filter(|_| choices.happens(1, 2)).collect();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// The logic that a session with the assertions of both declares; none if the seed declares none.
fn common_logic(own: &Material, foreign: &Material) -> Result<Option<String>, NoCommonLogic> {
    let all: Vec<usize> = (0..own.units.len()).collect();
    let mut text = own.alone(&all);
    for declaration in &foreign.declarations {
        text.push_str(&declaration.text);
    }
    for assertion in &foreign.assertions {
        text.push_str(&format!("(assert {})", assertion.text));
    }
    super::apart::common_logic([own.logic.as_deref(), foreign.logic.as_deref()], &text)
}

#[cfg(test)]
mod tests;
