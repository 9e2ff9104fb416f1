//! A model as definitions that a script can hold.

use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::sort::Sort;
use crate::term::{Binder, FunId, FunKind, Head};
use crate::theory::table;
use crate::value::write as write_value;
use crate::write::{sort_text, write_term};

/// Interpretations of more nodes than this are not written out.
const MOST_WRITTEN: usize = 100_000;

impl Model {
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
