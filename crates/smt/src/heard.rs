//! The answers of a solver to `get-value`, which evaluation uses beside its model.

use crate::eval::{Machine, OpenTerm, eval};
use crate::gap::{Fuel, Gap};
use crate::model::{HeardValue, Model, ModelDialect};
use crate::read::{self, ReadError};
use crate::script::Script;
use crate::sexpr;
use crate::sort::SortId;
use crate::term::{BinderList, TermId};
use crate::theory::Operator;
use crate::value::Value;

/// Why an answer was not added to a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// The solver gave another value for the same operator and equal arguments before: its model is wrong.
    Contradiction {
        /// What it answered before.
        first: Box<HeardValue>,
        /// What it answers now.
        second: Box<HeardValue>,
    },
    /// The operator does not allow this value for these arguments.
    NotAllowed(Box<HeardValue>),
    /// The answer is no value that is understood.
    Unreadable(ReadError),
    /// The answer has no certain value.
    Open(Gap),
}

impl Model {
    /// Reads a value of a sort as a solver prints it beside this model after the script's command `command`: the term that it
    /// prints, and what that term is.
    pub fn read_value(
        &mut self,
        script: &Script,
        command: usize,
        (text, sort): (&str, SortId),
        dialect: ModelDialect,
    ) -> Result<(TermId, Value), Heard> {
        let term = read::value(self, script, command, (text, sort), dialect).map_err(Heard::Unreadable)?;
        let value = eval(term, self, &mut Fuel::default()).map_err(Heard::Open)?;
        Ok((term, value))
    }

    /// Whether two values are equal by meaning.
    pub fn same(&self, one: &Value, other: &Value) -> Result<bool, Gap> {
        Machine::new(self, Fuel::default()).same(one, other)
    }

    /// Adds a solver's answer about an open term, as read after the script's command `command`.
    ///
    /// Evaluation uses it for every application of the same operator to equal values, and only where the standard
    /// leaves the value open or the model says nothing. An answer that is returned as an error is not used.
    pub fn hear(
        &mut self,
        script: &Script,
        command: usize,
        open: &OpenTerm,
        text: &str,
        dialect: ModelDialect,
    ) -> Result<(), Heard> {
        let (term, value) = self.read_value(script, command, (text, open.sort), dialect)?;
        let heard = HeardValue {
            term: open.text.clone(),
            text: text.to_owned(),
            point: open.point.clone(),
            value: value.clone(),
        };
        let before = Machine::new(self, Fuel::default()).heard_at(&open.point).map_err(Heard::Open)?;
        if let Some(first) = before.map(|number| self.heard()[number].clone()) {
            let same = Machine::new(self, Fuel::default()).same(&first.value, &value).map_err(Heard::Open)?;
            if !same {
                return Err(Heard::Contradiction { first: Box::new(first), second: Box::new(heard) });
            }
            self.add_heard(heard);
            return Ok(());
        }
        self.add_heard(heard);
        let found = Machine::new(self, Fuel::default()).at_point(&open.point, open.sort);
        let believed = match found {
            Ok(found) => Machine::new(self, Fuel::default()).same(&found, &value),
            Err(Gap::LeftToModel(_)) => Ok(false),
            Err(gap) => Err(gap),
        };
        if believed != Ok(true) {
            let heard = self.forget_last_heard().expect("it was added");
            return Err(believed.map_or_else(Heard::Open, |_| Heard::NotAllowed(Box::new(heard))));
        }
        if let Operator::Function(fun) = open.point.operator
            && self.pool().fun(fun).args.is_empty()
        {
            self.interpret(fun, BinderList(0), term);
        }
        Ok(())
    }
}

/// The pairs of a reply to `get-value`, in order: each term and its value, as text.
///
/// ```
/// let pairs = smt::read_values("((x 1) ((div x 0) (- 2)))").expect("two pairs");
/// assert_eq!(pairs[1], ("(div x 0)".to_owned(), "(- 2)".to_owned()));
/// assert!(smt::read_values("(error \"no model\")").is_err());
/// ```
pub fn read_values(reply: &str) -> Result<Vec<(String, String)>, ReadError> {
    let list = sexpr::next_list(reply, 0).ok_or_else(|| ReadError::new(0, "expected a list of pairs"))?;
    let start = u32::try_from(list.start).unwrap_or(u32::MAX);
    let pair = |part: &str| match sexpr::parts(part)[..] {
        [term, value] if part.starts_with('(') => Ok((term.to_owned(), value.to_owned())),
        _ => Err(ReadError::new(start, "expected pairs of a term and its value")),
    };
    sexpr::parts(&reply[list]).into_iter().map(pair).collect()
}
