//! Functions as values: a `lambda` becomes a closure, and a function may be applied to some of its arguments only.

use super::machine::{Machine, Outcome, copied, shortened};
use super::task::Task;
use crate::gap::Gap;
use crate::symbol::Symbol;
use crate::term::{BinderList, TermId};
use crate::value::{Function, Functions as _, Value};
use crate::walk::free_variables_within;

impl Machine<'_> {
    /// A `lambda` with the values of the variables around it.
    pub(super) fn close(&mut self, binders: BinderList, body: TermId) -> Outcome {
        let mut around: Vec<(Symbol, Value)> = Vec::new();
        let (pool, less) = (self.pool(), self.pool().binders(binders));
        let free = free_variables_within(pool, body, less, self.fuel.left()).ok_or(Gap::TooMuchWork)?;
        for name in free {
            match self.variables.get(&name).and_then(|values| values.last()) {
                Some(value) => around.push((name, copied(&mut self.fuel, value)?)),
                None => return Err(Gap::NotInModel(shortened(self.pool().text(name)))),
            }
        }
        Value::function(Function::Lambda(binders, body, around))
    }

    /// Applies a function to as many arguments as it takes, and its value to the rest.
    pub(super) fn apply_function(&mut self, function: &Function, args: &[Value]) -> Outcome {
        match function {
            Function::Named(fun) => {
                let wanted = self.pool().fun(*fun).args.len();
                if args.len() < wanted {
                    let function = Value::function(Function::Named(*fun))?;
                    return Value::function(Function::Partial(function, args.to_vec()));
                }
                let result = self.called(*fun, self.pool().fun(*fun).result, args[..wanted].to_vec())?;
                if args.len() > wanted { self.apply(&result, &args[wanted..]) } else { Ok(result) }
            }
            Function::Lambda(list, body, around) => {
                let binders = self.pool().binders(*list);
                if args.len() < binders.len() {
                    let function = Value::function(Function::Lambda(*list, *body, around.clone()))?;
                    return Value::function(Function::Partial(function, args.to_vec()));
                }
                for (name, value) in around {
                    self.bind(*name, Ok(value.clone()));
                }
                for (binder, value) in binders.iter().zip(args) {
                    self.bind(binder.name, Ok(value.clone()));
                }
                let count = (around.len() + binders.len()) as u32;
                let outcome = self.run(Task::Term(*body));
                self.unbind(count);
                let result = outcome?;
                if args.len() > binders.len() {
                    self.apply(&result, &args[binders.len()..])
                } else {
                    Ok(result)
                }
            }
            Function::Partial(function, first) => {
                let all: Vec<_> = first.iter().chain(args).cloned().collect();
                self.apply(function, &all)
            }
        }
    }
}
