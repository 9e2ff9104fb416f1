//! Witnesses: models of two seeds put together, with values for what fusion adds.

use smt::value::{Value, write};
use smt::{Fuel, Model, Script, eval};

use super::table::Instance;
use crate::strategy::known::is_satisfied;

/// An equation between a constant and a term, as text.
pub(super) struct Equation {
    /// The constant.
    constant: String,
    /// The term.
    term: String,
    /// The equation as a formula.
    pub text: String,
}

/// The equations of a fusion function.
pub(super) struct Equations;

impl Equations {
    /// What z, x and y are.
    pub fn of(instance: &Instance) -> Vec<Equation> {
        let [x, y, z] = &instance.names;
        let sides =
            [(z, Some(&instance.z)), (x, instance.sides[0].as_ref()), (y, instance.sides[1].as_ref())];
        sides.into_iter().filter_map(|(name, term)| Some(equation(name, term?))).collect()
    }

    /// The values of the constants beside z, which a model of x and y gives.
    pub fn of_values(instance: &Instance) -> Vec<Equation> {
        instance.also.iter().map(|also| equation(&also.name, &also.value)).collect()
    }
}

fn equation(constant: &str, term: &str) -> Equation {
    Equation { constant: constant.to_owned(), term: term.to_owned(), text: format!("(= {constant} {term})") }
}

/// A model of a script made of two seeds, and the replacements that it allows.
pub(super) struct Witness {
    /// The model, as text.
    pub model: String,
    /// Which sides of which instances are right at the model: then a constant and what replaces it have the same value.
    pub right: Vec<(usize, usize)>,
}

impl Witness {
    /// The model of a script that models of its seeds give; none if it does not satisfy the script.
    pub fn of(script: &Script, models: &[&str], instances: &[Instance]) -> Option<Witness> {
        let query = script.queries().pop()?;
        let mut point = Point { script: script.clone(), definitions: Vec::new(), end: query.command };
        point.definitions.extend(models.iter().map(|model| (*model).to_owned()));
        for instance in instances {
            for name in &instance.names[..2] {
                point.settle(name)?;
            }
            let z = equation(&instance.names[2], &instance.z);
            for Equation { constant, term, .. } in Equations::of_values(instance).iter().chain([&z]) {
                point.define(constant, term)?;
            }
        }
        let model = point.model()?;
        if !is_satisfied(&query, &model) {
            return None;
        }
        let mut right = Vec::new();
        for (number, instance) in instances.iter().enumerate() {
            for (side, term) in instance.sides.iter().enumerate() {
                let Some(term) = term else { continue };
                let [here, there] = [&instance.names[side], term].map(|text| point.value(text));
                if here.is_some() && here == there {
                    right.push((number, side));
                }
            }
        }
        Some(Witness { model: point.text(), right })
    }
}

/// A model that grows by definitions.
struct Point {
    script: Script,
    definitions: Vec<String>,
    /// The number of the check.
    end: usize,
}

impl Point {
    fn text(&self) -> String {
        format!("({})", self.definitions.join("\n "))
    }

    fn model(&self) -> Option<Model> {
        Model::read(&self.script, Some(self.end), self.text().as_bytes())
            .ok()
            .filter(|m| m.problems.is_empty())
    }

    /// The value of a term, with some value for everything that the model does not say.
    fn value(&mut self, text: &str) -> Option<Value> {
        let term = smt::read::term_at(&mut self.script, self.end, &[], text.as_bytes()).ok()?;
        eval(term, &self.model()?.completed(), &mut Fuel::default()).ok()
    }

    /// Defines a constant as the value of a term.
    fn define(&mut self, constant: &str, term: &str) -> Option<()> {
        let value = self.value(term)?;
        let constant_term = smt::read::term_at(&mut self.script, self.end, &[], constant.as_bytes()).ok()?;
        let pool = &self.script.pool;
        let sort = pool.sort_of(constant_term);
        let value = write(pool, sort, &value).ok()?;
        let sort = smt::sort_text(pool, sort);
        self.definitions.push(format!("(define-fun {constant} () {sort} {value})"));
        Some(())
    }

    /// Defines a constant, if nothing is said of it.
    fn settle(&mut self, constant: &str) -> Option<()> {
        let begin = format!("(define-fun {constant} ");
        if self.definitions.iter().any(|text| text.contains(&begin)) {
            return Some(());
        }
        self.define(constant, constant)
    }
}
