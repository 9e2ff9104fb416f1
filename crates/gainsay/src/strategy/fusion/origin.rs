//! The script that the cases of a series are made from: two seeds side by side, with fusion functions, before any occurrence of
//! a constant is replaced.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smt::theory::table;
use smt::walk::occurrences;
use smt::{FunKind, Head, Script, TermId, What};

use super::table::{Instance, Row};
use super::witness::{Equations, Witness};
use crate::case::Choices;
use crate::strategy::apart::{Material, common_logic};

/// The most fusion functions of a script.
const MOST: u64 = 3;
/// How often two constants and a function for them are drawn.
const TRIES: u32 = 12;

/// What is known of a seed.
pub(super) struct Half<'m> {
    /// Its declarations and assertions.
    pub material: &'m Material,
    /// A model, as definitions, that our evaluator agrees with.
    pub model: Option<String>,
    /// Whether it is said to be unsatisfiable.
    pub unsat: bool,
}

/// How two seeds are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Both hold, at a model that is known.
    Both,
    /// One of them holds, at a model that is known.
    Either,
    /// Both hold, and the equations of the functions are asserted.
    BothLinked,
    /// One of them holds, and the equations of the functions are asserted.
    EitherLinked,
}

impl Form {
    /// The forms that two seeds allow. If a model is known, it shows what the answer is. Otherwise the equations are asserted, and
    /// the answer is that of the script before any occurrence is replaced.
    fn of(halves: &[Half; 2], choices: &mut Choices) -> Form {
        let models = halves.iter().filter(|half| half.model.is_some()).count();
        let unsat = halves.iter().filter(|half| half.unsat).count();
        match (models, unsat) {
            (2, _) => Form::Both,
            (_, 2) => Form::EitherLinked,
            (1, _) if choices.happens(1, 2) => Form::Either,
            _ => Form::BothLinked,
        }
    }

    fn is_witnessed(self) -> bool {
        matches!(self, Form::Both | Form::Either)
    }

    fn is_either(self) -> bool {
        matches!(self, Form::Either | Form::EitherLinked)
    }
}

/// A term that may take the place of a constant.
pub(super) struct Side {
    /// The name of the function's row.
    pub rule: String,
    /// The constant, as a term.
    pub constant: TermId,
    /// The term that takes its place.
    pub term: TermId,
    /// The text of the constant.
    pub old: String,
    /// The text of the term.
    pub new: String,
    /// The names in the term, which must not be bound where it is put.
    pub names: Vec<String>,
}

/// The script that cases are made from.
pub(super) struct Origin {
    /// The script.
    pub script: Script,
    /// The commands whose formulas come from the seeds.
    pub asserted: Vec<usize>,
    /// What may be replaced, and by what.
    pub sides: Vec<Side>,
    /// What is known of the script.
    pub known: Known,
}

/// What is known of a script that cases are made from.
pub(super) enum Known {
    /// A model satisfies it, whatever is replaced.
    Witness(String),
    /// The equations are asserted, so that it has the same models whatever is replaced. It has one only if this script has one,
    /// which is a part of it.
    Part(Arc<Script>),
}

impl Origin {
    /// Puts two seeds together; none if they have nothing to fuse.
    pub fn of(halves: &[Half; 2], rows: &[Row], choices: &mut Choices) -> Option<Origin> {
        let form = Form::of(halves, choices);
        let constants = constants(halves)?;
        let mut instances = instances(&constants, rows, choices);
        // A seed may use the name of an operator for something else.
        instances.retain(|instance| {
            let used =
                Equations::of(instance).into_iter().flat_map(|e| owned_words(&e.text)).collect::<Vec<_>>();
            let hides = |word: &String| halves.iter().any(|half| half.material.names(word));
            !used.iter().any(|word| !table().named(word).is_empty() && hides(word))
        });
        if instances.is_empty() {
            return None;
        }
        let plan = Plan { halves, instances, form };
        if form.is_witnessed()
            && let Some(origin) = plan.witnessed()
        {
            return Some(origin);
        }
        let form = if form == Form::Both { Form::BothLinked } else { form };
        let form = if form == Form::Either { Form::EitherLinked } else { form };
        Plan { form, ..plan }.linked()
    }
}

fn owned_words(text: &str) -> Vec<String> {
    smt::sexpr::words(text).map(|word| smt::unquoted(word).to_owned()).collect()
}

/// A constant of a seed: its name and its sort, as they are spelled.
type Constant = (String, String);

/// The constants that the assertions of each seed use.
fn constants(halves: &[Half; 2]) -> Option<[Vec<Constant>; 2]> {
    let mut found = [Vec::new(), Vec::new()];
    for (half, found) in halves.iter().zip(&mut found) {
        let script = smt::read(half.material.everything().as_bytes()).ok()?;
        let pool = &script.pool;
        let mut seen = FxHashSet::default();
        for command in &script.commands {
            let What::Assert(root) = command.what else { continue };
            let mut left = vec![root];
            while let Some(term) = left.pop() {
                if !seen.insert(term) {
                    continue;
                }
                left.extend(pool.args(term).iter().rev());
                if let Head::Fun(fun) = pool.node(term).head
                    && pool.fun(fun).kind == FunKind::Declared
                    && pool.fun(fun).args.is_empty()
                {
                    let sort = smt::sort_text(pool, pool.sort_of(term));
                    // Solvers do not agree on functions in datatypes, nor on terms in the place of functions.
                    if !smt::sexpr::words(&sort).any(|word| word == "->") {
                        found.push((pool.text(pool.fun(fun).spelling).to_owned(), sort));
                    }
                }
            }
        }
        found.sort();
        found.dedup();
    }
    Some(found)
}

/// Some functions at constants of the two seeds.
fn instances(constants: &[Vec<Constant>; 2], rows: &[Row], choices: &mut Choices) -> Vec<Instance> {
    let count = 1 + choices.below(MOST);
    let mut all: Vec<Instance> = Vec::new();
    for _ in 0..TRIES {
        if all.len() as u64 == count {
            break;
        }
        let Some(x) = choices.pick(&constants[0]) else { break };
        // Constants of one sort have more functions.
        let alike: Vec<&Constant> = constants[1].iter().filter(|y| y.1 == x.1).collect();
        let any: Vec<&Constant> = constants[1].iter().collect();
        let among = if alike.is_empty() || choices.happens(1, 4) { any } else { alike };
        let Some(y) = choices.pick(&among) else { break };
        let fitting: Vec<_> =
            rows.iter().filter_map(|row| row.matched(&x.1, &y.1).map(|letters| (row, letters))).collect();
        let Some((row, letters)) = choices.pick(&fitting) else { continue };
        let names = [x.0.as_str(), y.0.as_str()];
        if let Ok(instance) = row.instance(all.len(), names, letters.clone(), choices) {
            all.push(instance);
        }
    }
    all
}

/// What an origin is made of.
struct Plan<'a> {
    halves: &'a [Half<'a>; 2],
    instances: Vec<Instance>,
    form: Form,
}

/// The text of a script in parts.
struct Text {
    /// Everything before the assertions of the seeds, without the logic.
    declared: Vec<String>,
    /// What the seeds assert.
    asserted: Vec<String>,
    /// What is asserted of constants beside z.
    holds: Vec<String>,
}

impl Plan<'_> {
    fn text(&self) -> Text {
        let [one, two] = self.halves.each_ref().map(|half| half.material);
        let mut declared = one.options.clone();
        declared.extend(one.declarations.iter().chain(&two.declarations).map(|d| d.text.clone()));
        declared.extend(self.instances.iter().flat_map(|instance| instance.declared.iter().cloned()));
        let assertions = |m: &Material| m.assertions.iter().map(|a| a.text.clone()).collect::<Vec<_>>();
        let [first, second] = [one, two].map(assertions);
        let asserted = if self.form.is_either() {
            let all =
                |of: Vec<String>| if of.len() == 1 { of.concat() } else { format!("(and {})", of.join(" ")) };
            vec![format!("(or {} {})", all(first), all(second))]
        } else {
            [first, second].concat()
        };
        let also = self.instances.iter().flat_map(|instance| &instance.also);
        let holds = also.map(|also| also.holds.clone()).collect();
        Text { declared, asserted, holds }
    }

    /// The script with these assertions besides those of the seeds, in a logic for everything that may be used.
    fn script(&self, text: &Text, more: &[String]) -> Option<String> {
        let equations = self.instances.iter().flat_map(Equations::of).map(|equation| equation.text);
        let values = self.instances.iter().flat_map(Equations::of_values).map(|equation| equation.text);
        let everything: Vec<String> = equations.chain(values).chain(more.iter().cloned()).collect();
        let logics = self.halves.each_ref().map(|half| half.material.logic.as_deref());
        let logic = common_logic(logics, &written(logics[0], text, &everything)).ok()?;
        Some(written(logic.as_deref(), text, more))
    }

    /// The script whose equations are asserted.
    fn linked(&self) -> Option<Origin> {
        let text = self.text();
        let equations: Vec<String> =
            self.instances.iter().flat_map(Equations::of).map(|equation| equation.text).collect();
        let script = smt::read(self.script(&text, &equations)?.as_bytes()).ok()?;
        let part = smt::read(self.part()?.as_bytes()).ok()?;
        self.origin(script, &text, Known::Part(Arc::new(part)), |_, _| true)
    }

    /// What the script is made of, without functions: the seed that is said to be unsatisfiable, or both.
    fn part(&self) -> Option<String> {
        if !self.form.is_either()
            && let Some(half) = self.halves.iter().find(|half| half.unsat)
        {
            return Some(half.material.everything());
        }
        let plain = Plan { halves: self.halves, instances: Vec::new(), form: self.form };
        plain.script(&plain.text(), &[])
    }

    /// The script with a model that satisfies it, whatever is replaced of what is right at that model.
    fn witnessed(&self) -> Option<Origin> {
        let text = self.text();
        let script = smt::read(self.script(&text, &[])?.as_bytes()).ok()?;
        let models: Vec<&str> = self.halves.iter().filter_map(|half| half.model.as_deref()).collect();
        let witness = Witness::of(&script, &models, &self.instances)?;
        let is_right = |instance: usize, side: usize| witness.right.contains(&(instance, side));
        self.origin(script, &text, Known::Witness(witness.model.clone()), is_right)
    }

    fn origin(
        &self,
        mut script: Script,
        text: &Text,
        known: Known,
        is_right: impl Fn(usize, usize) -> bool,
    ) -> Option<Origin> {
        let assertion = |&i: &usize| matches!(script.commands[i].what, What::Assert(_));
        let all: Vec<usize> = (0..script.commands.len()).filter(assertion).collect();
        let asserted = all[..text.asserted.len()].to_vec();
        let end = script.commands.len();
        let mut sides = Vec::new();
        for (number, instance) in self.instances.iter().enumerate() {
            for (side, new) in instance.sides.iter().enumerate() {
                let Some(new) = new.as_ref().filter(|_| is_right(number, side)) else { continue };
                let mut term = |text: &str| smt::read::term_at(&mut script, end, &[], text.as_bytes()).ok();
                let (constant, term) = (term(&instance.names[side])?, term(new)?);
                if script.pool.sort_of(constant) != script.pool.sort_of(term) {
                    continue;
                }
                let names = owned_words(new);
                let old = instance.names[side].clone();
                let new = smt::write_term(&script.pool, term);
                sides.push(Side { rule: instance.name.clone(), constant, term, old, new, names });
            }
        }
        let is_used = |side: &Side| asserted.iter().any(|&i| uses(&script, i, side.constant));
        sides.retain(is_used);
        (!sides.is_empty()).then_some(Origin { script, asserted, sides, known })
    }
}

/// Whether a command asserts something with a term in it.
fn uses(script: &Script, command: usize, wanted: TermId) -> bool {
    let mut found = false;
    script.each_term(command, |root| occurrences(&script.pool, root, |term, _| found |= term == wanted));
    found
}

fn written(logic: Option<&str>, text: &Text, more: &[String]) -> String {
    let mut lines: Vec<String> = logic.iter().map(|logic| format!("(set-logic {logic})")).collect();
    lines.extend(text.declared.iter().cloned());
    let all = text.asserted.iter().chain(&text.holds).chain(more);
    lines.extend(all.map(|formula| format!("(assert {formula})")));
    lines.push("(check-sat)\n".to_owned());
    lines.join("\n")
}
