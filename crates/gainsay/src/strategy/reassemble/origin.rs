//! What the cases of a series are made from: some assertions of seeds, what is known of them, and the parts of all seeds.

use smt::{Logic, Model, Script, TermId, What};

use super::parts::{View, parts};
use crate::case::Choices;
use crate::seed::Asked;
use crate::strategy::apart::{Material, common_logic};
use crate::strategy::facts::TermFacts;
use crate::strategy::known::{found_models, is_said_sat, is_said_unsat, is_satisfied, is_shown_unsat};
use crate::strategy::shape::Connective;

/// The most models of a seed.
const MODELS: usize = 5;
/// The most assertions of seeds whose models are known that a script has.
const ASSERTED: usize = 6;

/// What is known of the script that cases are made from, and thereby of them.
pub(super) enum Known {
    /// What the parts are at models that satisfy it.
    Models(Vec<View>),
    /// It is said to be unsatisfiable. What is stronger must be so, too.
    Unsat,
    /// It may be satisfiable. What is weaker must be so, too, if it is.
    Open,
}

/// The script that cases are made from.
pub(super) struct Origin {
    /// The script.
    pub script: Script,
    /// The commands that assert something.
    pub asserted: Vec<usize>,
    /// What is known of it.
    pub known: Known,
    /// The formulas that new ones are made of.
    pub parts: Vec<TermId>,
    /// The logic that the script declares; none if it declares none that we know.
    pub logic: Option<Logic>,
    /// What the terms of the script use.
    pub facts: TermFacts,
}

/// A seed, by one of its checks.
struct Half {
    material: Material,
    models: Vec<String>,
    sat: bool,
    unsat: bool,
}

impl Half {
    fn new(asked: &Asked, check: usize, material: Material, choices: &mut Choices) -> Half {
        let (sat, unsat) = (is_said_sat(asked, check), is_said_unsat(asked, check));
        let models = if unsat { Vec::new() } else { found_models(&material.everything(), MODELS, choices) };
        Half { material, models, sat, unsat }
    }
}

impl Origin {
    /// What seeds give; none if they cannot be taken apart.
    pub fn of(seeds: &[Asked], choices: &mut Choices) -> Option<Origin> {
        let [one, others @ ..] = seeds else { return None };
        let mut number = |asked: &Asked| choices.below(asked.seed.script().queries().len() as u64) as usize;
        let checks: Vec<usize> = seeds.iter().map(&mut number).collect();
        let own = Material::of(one.seed.script(), checks[0])?;
        let other = others.first().and_then(|two| Some((two, own.beside(two.seed.script(), checks[1])?)));
        // A seed may use the name of a connective for something else.
        let hides = |material: &Material| Connective::names().any(|word| material.names(word));
        let own = Half::new(one, checks[0], own, choices);
        let mut halves = vec![own];
        halves.extend(other.map(|(two, material)| Half::new(two, checks[1], material, choices)));
        if halves.iter().any(|half| hides(&half.material)) {
            return None;
        }
        Plan::of(halves, choices).origin(choices)
    }
}

/// Which assertions of which seeds a script has.
struct Plan {
    halves: Vec<Half>,
    /// By seed: the assertions.
    asserted: Vec<Vec<usize>>,
    goal: Goal,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Formulas that are true at a model.
    True,
    /// Formulas that imply what is asserted.
    Stronger,
    /// Formulas that follow from what is asserted.
    Weaker,
}

impl Plan {
    fn of(halves: Vec<Half>, choices: &mut Choices) -> Plan {
        let denied = halves.iter().position(|half| half.unsat);
        let with_model = halves.iter().any(|half| !half.models.is_empty());
        let goal = match denied {
            Some(_) if !with_model || choices.happens(1, 2) => Goal::Stronger,
            _ if with_model => Goal::True,
            _ if halves[0].sat || choices.happens(1, 2) => Goal::Weaker,
            _ => Goal::Stronger,
        };
        let mut asserted: Vec<Vec<usize>> = halves.iter().map(|_| Vec::new()).collect();
        match (goal, denied) {
            (Goal::Stronger, Some(half)) => asserted[half] = core(&halves[half].material),
            (Goal::True, _) => {
                let all = halves.iter().enumerate().filter(|(_, half)| !half.models.is_empty());
                let mut all: Vec<(usize, usize)> = all
                    .flat_map(|(h, half)| (0..half.material.assertions.len()).map(move |a| (h, a)))
                    .collect();
                for _ in 0..ASSERTED.min(all.len()) {
                    let (half, assertion) = all.swap_remove(choices.below(all.len() as u64) as usize);
                    asserted[half].push(assertion);
                }
                for some in &mut asserted {
                    some.sort_unstable();
                }
            }
            _ => asserted[0] = (0..halves[0].material.assertions.len()).collect(),
        }
        Plan { halves, asserted, goal }
    }

    fn origin(self, choices: &mut Choices) -> Option<Origin> {
        let (mut script, asserted, roots) = self.script()?;
        let mut facts = TermFacts::default();
        let parts = parts(&mut script, &roots, &mut facts);
        if parts.is_empty() {
            return None;
        }
        let logic = match script.logic() {
            Some(name) => Logic::named(name),
            None => Some(Logic::ALL),
        };
        let known = match self.goal {
            Goal::True => Known::Models(self.views(&script, &parts, choices)?),
            Goal::Stronger => Known::Unsat,
            Goal::Weaker => Known::Open,
        };
        Some(Origin { script, asserted, known, parts, logic, facts })
    }

    /// The script, the commands that assert something, and everything that the seeds assert.
    fn script(&self) -> Option<(Script, Vec<usize>, Vec<TermId>)> {
        let (mut declared, mut formulas, mut kept) =
            (self.halves[0].material.options.clone(), Vec::new(), Vec::new());
        for (half, asserted) in self.halves.iter().zip(&self.asserted) {
            let Material { declarations, assertions, .. } = &half.material;
            declared.extend(declarations.iter().map(|declaration| declaration.text.clone()));
            for (number, assertion) in assertions.iter().enumerate() {
                formulas.push(assertion.text.as_str());
                kept.push(asserted.contains(&number));
            }
        }
        let text = |logic: Option<&str>| {
            let mut lines: Vec<String> = logic.iter().map(|logic| format!("(set-logic {logic})")).collect();
            lines.extend(declared.iter().cloned());
            lines.extend(formulas.iter().map(|formula| format!("(assert {formula})")));
            lines.push("(check-sat)\n".to_owned());
            lines.join("\n")
        };
        let own = self.halves[0].material.logic.as_deref();
        let logics = [own, self.halves.last()?.material.logic.as_deref()];
        let logic = common_logic(logics, &text(own)).ok()?;
        let whole = smt::read(text(logic.as_deref()).as_bytes()).ok()?;
        let is_root = |command: &smt::Command| matches!(command.what, What::Assert(_));
        let roots = whole.commands.iter().filter_map(|command| match command.what {
            What::Assert(root) => Some(root),
            _ => None,
        });
        let roots: Vec<TermId> = roots.collect();
        let mut script = whole;
        let mut stays = kept.into_iter();
        script.commands.retain(|command| !is_root(command) || stays.next().unwrap_or(true));
        // The places in the source are those of what is left.
        let commands = script.commands.iter().enumerate().filter(|(_, command)| is_root(command));
        let asserted = commands.map(|(i, _)| i).collect();
        Some((script, asserted, roots))
    }

    /// What the parts are at models of the seeds side by side; none if no model is one of all that is asserted.
    fn views(&self, script: &Script, parts: &[TermId], choices: &mut Choices) -> Option<Vec<View>> {
        let query = script.queries().pop()?;
        let most = self.halves.iter().map(|half| half.models.len()).max()?;
        let first = choices.below(most as u64) as usize;
        let mut views = Vec::new();
        for number in first..first + most {
            let models = self.halves.iter().filter(|half| !half.models.is_empty());
            let models: Vec<&str> =
                models.map(|half| half.models[number % half.models.len()].as_str()).collect();
            let text = format!("({})", models.join("\n "));
            let Ok(model) = Model::read(script, Some(query.command), text.as_bytes()) else { continue };
            let satisfied = model.problems.is_empty() && is_satisfied(&query, &model);
            if satisfied {
                views.extend(View::of(script, parts, text, &model));
            }
        }
        (!views.is_empty()).then_some(views)
    }
}

/// Assertions of a seed that is said to be unsatisfiable, which are so together: all, or fewer if a short search shows that they
/// suffice.
fn core(material: &Material) -> Vec<usize> {
    let shown = |units: &[usize]| {
        smt::read(material.alone(units).as_bytes()).is_ok_and(|script| is_shown_unsat(&script))
    };
    let mut kept: Vec<usize> = (0..material.units.len()).collect();
    if kept.len() > 1 && shown(&kept) {
        for unit in (0..material.units.len()).rev() {
            let less: Vec<usize> = kept.iter().copied().filter(|&other| other != unit).collect();
            if !less.is_empty() && shown(&less) {
                kept = less;
            }
        }
    }
    let mut all: Vec<usize> = kept.into_iter().flat_map(|unit| material.units[unit].clone()).collect();
    all.sort_unstable();
    all
}
