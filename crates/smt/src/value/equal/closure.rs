//! Functions by their variables, their body and the values of the variables around them.

use crate::symbol::Symbol;
use crate::term::{Binder, BinderList, Head, TermId};
use crate::value::{Function, Functions, Value};

/// A function by its variables, its body, and the values of the variables around it.
pub(super) struct Closure {
    pub binders: Vec<Binder>,
    pub body: TermId,
    pub around: Vec<(Symbol, Value)>,
}

/// Variables, body and surroundings of a function, those of the functions that it gives included.
pub(super) fn closure(world: &dyn Functions, function: &Value) -> Option<Closure> {
    let Value::Function(function) = function else { return None };
    let (list, body, around): (BinderList, TermId, Vec<(Symbol, Value)>) = match &***function {
        Function::Named(f) => {
            let (list, body) = world.body(*f)?;
            (list, body, Vec::new())
        }
        Function::Lambda(list, body, around) => (*list, *body, around.clone()),
        Function::Partial(of, given) => {
            let Closure { mut binders, body, mut around } = closure(world, of)?;
            if given.len() > binders.len() {
                return None;
            }
            let first: Vec<Binder> = binders.drain(..given.len()).collect();
            around.extend(first.iter().map(|b| b.name).zip(given.iter().cloned()));
            return Some(Closure { binders, body, around });
        }
    };
    let pool = world.pool();
    let mut closure = Closure { binders: pool.binders(list).to_vec(), body, around };
    while let Head::Lambda(list) = pool.node(closure.body).head {
        closure.binders.extend_from_slice(pool.binders(list));
        closure.body = *pool.args(closure.body).first()?;
    }
    Some(closure)
}
