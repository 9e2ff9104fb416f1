//! A model from the values that a search found.

use crate::eval::{Verdict, satisfies};
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::query::Query;
use crate::term::FunId;
use crate::value::Value;

/// The model in which the symbols have these values, if the evaluator says that it satisfies everything; where the
/// standard leaves something open, some completion of it.
pub(super) fn model(base: &Model, query: &Query, values: &[(FunId, Value)]) -> Result<Model, Gap> {
    let mut model = base.clone();
    for (fun, value) in values {
        model.give(*fun, value);
    }
    match satisfies(query, &model, &Fuel::default()) {
        Verdict::True => Ok(model),
        Verdict::False => Err(Gap::NoMeaning("a formula that the search and the evaluator see differently")),
        Verdict::Open(gap) => {
            let completed = model.completed();
            match satisfies(query, &completed, &Fuel::default()) {
                Verdict::True => Ok(completed),
                _ => Err(gap),
            }
        }
    }
}
