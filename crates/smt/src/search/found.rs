//! A model from the values that a search found.

use crate::eval::{Verdict, satisfies};
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::script::Query;
use crate::term::{Binder, BinderList, FunId, TermId};
use crate::value::{Array, Value};

/// The model in which the symbols have these values, if the evaluator says that it satisfies everything; where the
/// standard leaves something open, some completion of it.
pub(super) fn model(base: &Model, query: &Query, values: &[(FunId, Value)]) -> Result<Model, Gap> {
    let mut model = base.clone();
    for (fun, value) in values {
        match definition(&mut model, *fun, value) {
            Some((binders, body)) => model.interpret(*fun, binders, body),
            // Nothing that can be written, such as a language.
            None => model.set_value(*fun, value.clone()),
        }
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

/// A value as the body of a definition.
fn definition(model: &mut Model, fun: FunId, value: &Value) -> Option<(BinderList, TermId)> {
    let pool = model.pool_mut();
    let (args, result) = (pool.fun(fun).args.clone(), pool.fun(fun).result);
    if args.is_empty() {
        return Some((BinderList(0), pool.value(result, value).ok()?));
    }
    let Value::Array(table) = value else { return None };
    let table: &Array = table;
    let binders: Vec<Binder> =
        args.iter().enumerate().map(|(i, &sort)| pool.binder(&format!("x!{i}"), sort)).collect();
    let mut body = pool.value(result, &table.default).ok()?;
    for (place, element) in &table.entries {
        let point = match place {
            Value::Tuple(parts) if args.len() > 1 => parts.to_vec(),
            _ => vec![place.clone()],
        };
        let mut conditions = Vec::new();
        for ((binder, &sort), value) in binders.iter().zip(&args).zip(&point) {
            let (variable, value) = (pool.variable(*binder), pool.value(sort, value).ok()?);
            conditions.push(pool.apply_named("=", &[], &[variable, value], None).ok()?);
        }
        let condition = match conditions[..] {
            [only] => only,
            _ => pool.apply_named("and", &[], &conditions, None).ok()?,
        };
        let element = pool.value(result, element).ok()?;
        body = pool.apply_named("ite", &[], &[condition, element, body], None).ok()?;
    }
    Some((pool.binders_id(&binders), body))
}
