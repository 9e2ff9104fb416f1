//! Connectives: `and`, `or`, `=>` and `ite`, whose arguments are evaluated one after the other.

use super::machine::Machine;
use super::task::Task;
use crate::gap::Gap;
use crate::term::TermId;
use crate::theory::Control;
use crate::value::Value;

impl Machine<'_> {
    /// Whether a connective holds, or which branch of `ite` is taken.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the test of mutations looks at the term")]
    fn controlled(&self, _: TermId, holds: bool) -> bool {
        holds
    }

    /// Whether a connective holds, or which branch of `ite` is taken, changed if the test of mutations asks for it.
    #[cfg(test)]
    fn controlled(&self, term: TermId, holds: bool) -> bool {
        let crate::term::Head::Op(op, _) = self.pool().node(term).head else { return holds };
        crate::theory::tests::mutation::controlled(crate::theory::table().op(op), holds)
    }

    /// Connectives look at one argument after the other, and see through open ones where they can.
    pub(super) fn control(&mut self, term: TermId, control: Control, k: usize, open: Option<Gap>) {
        let args = self.pool().args(term);
        let last = k + 1 == args.len();
        let outcome = self.pop();
        if control == Control::Ite {
            return match outcome {
                Ok(Value::Bool(condition)) => {
                    let condition = self.controlled(term, condition);
                    self.tasks.push(Task::Term(args[if condition { 1 } else { 2 }]));
                }
                Ok(_) => self.give(Err(Gap::NoMeaning("a condition that is not Bool"))),
                Err(gap) => self.give(Err(gap)),
            };
        }
        // The value of one argument that decides the whole, and the whole then.
        let (deciding, decided) = match control {
            Control::And => (false, false),
            Control::Or => (true, true),
            _ if last => (true, true),
            _ => (false, true),
        };
        let open = match outcome {
            Ok(Value::Bool(b)) if b == deciding => {
                let decided = self.controlled(term, decided);
                return self.give(Ok(Value::Bool(decided)));
            }
            Ok(Value::Bool(_)) => open,
            Ok(_) => Some(Gap::NoMeaning("a connective of something else than Bool")),
            Err(gap) => Some(open.unwrap_or(gap)),
        };
        if last {
            self.give(match open {
                Some(gap) => Err(gap),
                None => Ok(Value::Bool(self.controlled(term, !decided))),
            });
        } else {
            self.tasks.push(Task::Control(term, control, k as u32 + 1, open));
            self.tasks.push(Task::Term(args[k + 1]));
        }
    }
}
