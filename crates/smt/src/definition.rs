//! A model as definitions that a script can hold.

use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::sort::Sort;
use crate::term::{Binder, BinderList, FunId, FunKind, Head, TermId};
use crate::theory::table;
use crate::value::{Array, Value, write as write_value};
use crate::write::{sort_text, write_term};

/// Interpretations of more nodes than this are not written out.
const MOST_WRITTEN: usize = 100_000;

impl Model {
    /// Gives a declared function a value: of its sort, or the table of all its values. It is kept as a definition where it can
    /// be written as one.
    pub fn give(&mut self, fun: FunId, value: &Value) {
        match definition(self, fun, value) {
            Some((binders, body)) => self.interpret(fun, binders, body),
            // Nothing that can be written, such as a language.
            None => self.set_value(fun, value.clone()),
        }
    }

    /// The interpretation of a function as a `define-fun` that can replace its declaration.
    ///
    /// There is none if the model does not interpret the function, or if a script cannot express the interpretation:
    /// elements of uninterpreted sorts, functions that only the model has.
    pub fn definition(&self, fun: FunId) -> Option<String> {
        let (binders, body) = self.interpretation(fun)?;
        let pool = self.pool();
        let mut left = vec![body];
        let mut steps = 0;
        while let Some(term) = left.pop() {
            steps += 1;
            let plain = match pool.node(term).head {
                Head::Op(op, _) => table().op(op).name != "as-array",
                Head::Fun(f) => matches!(
                    pool.fun(f).kind,
                    FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_)
                ),
                Head::Opaque => false,
                _ => true,
            };
            // An element of an uninterpreted sort has no name in a script.
            let element = pool.args(term).is_empty()
                && matches!(pool.sort(pool.sort_of(term)), Sort::Declared(decl, _) if pool.sort_decl(decl).datatype.is_none())
                && !matches!(pool.node(term).head, Head::Variable(_));
            if !plain || element || steps > MOST_WRITTEN {
                return None;
            }
            left.extend_from_slice(pool.args(term));
        }
        let decl = pool.fun(fun);
        // Solvers print constructors without the sort that they want to read with them; as a value they have it.
        let value = || {
            let value = eval(body, self, &mut Fuel::default()).ok()?;
            write_value(pool, decl.result, &value).ok()
        };
        let is_data =
            matches!(pool.sort(decl.result), Sort::Declared(..)) && pool.binders(binders).is_empty();
        let body = is_data.then(value).flatten().unwrap_or_else(|| write_term(pool, body));
        let bound = |b: &Binder| format!("({} {})", pool.text(b.spelling), sort_text(pool, b.sort));
        let bound: Vec<_> = pool.binders(binders).iter().map(bound).collect();
        Some(format!(
            "(define-fun {} ({}) {} {})",
            pool.text(decl.spelling),
            bound.join(" "),
            sort_text(pool, decl.result),
            body
        ))
    }

    /// The interpretations of all declared functions as definitions, without those that a script cannot express.
    pub fn definitions(&self) -> Vec<String> {
        let declared =
            |fun: &FunId| self.is_of_script(*fun) && self.pool().fun(*fun).kind == FunKind::Declared;
        self.pool().functions().filter(declared).filter_map(|fun| self.definition(fun)).collect()
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
