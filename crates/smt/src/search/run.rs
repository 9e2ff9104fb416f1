//! The search itself: symbols get values one after the other, and the registers that depend on them are computed.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Decision;
use super::found;
use super::plan::Plan;
use crate::eval::Machine;
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::program::{Instruction, Kept, Program, Register, What};
use crate::query::Query;
use crate::symbol::Symbol;
use crate::theory::Control;
use crate::value::{BitVec, UBig, Value};

/// A register whose value is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// A register that has no value under this assignment.
const OPEN: u32 = u32::MAX - 1;
const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// So many results of one instruction are remembered.
const MOST_REMEMBERED: usize = 1 << 16;
/// So many values that are neither Bool nor short bit-vectors are kept.
const MOST_VALUES: usize = 1 << 19;
/// The work of one evaluation of a whole term.
const WORK: u64 = 1_000_000;
/// So much of it costs as much as one assignment.
const WORK_OF_AN_ASSIGNMENT: u64 = 64;
/// Progress is reported after so many assignments.
const REPORT: u64 = 1 << 16;

/// Values by number.
#[derive(Default)]
struct Values {
    known: BTreeMap<Value, u32>,
    list: Vec<Value>,
    /// Whether there were too many to keep them.
    full: bool,
}

impl Values {
    fn number(&mut self, kept: Kept, value: &Value) -> Result<u32, Gap> {
        match (kept, value) {
            (Kept::Bool, Value::Bool(b)) => Ok(u32::from(*b)),
            (Kept::Bits(_), Value::BitVec(bits)) => u32::try_from(bits.unsigned()).map_err(|_| Gap::TooLarge),
            _ => {
                if let Some(&number) = self.known.get(value) {
                    return Ok(number);
                }
                if self.list.len() >= MOST_VALUES {
                    self.full = true;
                    return Err(Gap::TooLarge);
                }
                let number = self.list.len() as u32;
                self.known.insert(value.clone(), number);
                self.list.push(value.clone());
                Ok(number)
            }
        }
    }

    fn value(&self, kept: Kept, number: u32) -> Value {
        match kept {
            Kept::Bool => Value::Bool(number == TRUE),
            Kept::Bits(width) => Value::BitVec(BitVec::new(width, UBig::from(number))),
            Kept::Other => self.list[number as usize].clone(),
        }
    }
}

/// The results of an instruction by the numbers of its arguments, of which there are at most two.
type Remembered = FxHashMap<u64, u32>;

/// A search under way.
struct Search<'m> {
    plan: &'m Plan,
    program: Program,
    /// For each symbol, the registers to compute when it has a value.
    steps: Vec<Vec<Register>>,
    /// Whether a register is an assertion.
    asserted: Vec<bool>,
    registers: Vec<u32>,
    /// Registers with the values they had before, to be put back.
    trail: Vec<(Register, u32)>,
    remembered: Vec<Remembered>,
    values: Values,
    /// Evaluates operators, which do not look at the model.
    machine: Machine<'m>,
    /// The symbols' values, for terms that are evaluated as a whole.
    model: Model,
    spent: u64,
    open: Option<Gap>,
}

/// How many assignments may be tried, and what is called with the number of those tried so far.
pub(super) struct Budget<'s> {
    pub assignments: u64,
    pub seen: &'s mut dyn FnMut(u64),
}

/// Tries the assignments of a plan until one satisfies the query or the budget ends.
pub(super) fn run(base: &Model, query: &Query, plan: &Plan, program: Program, budget: Budget) -> Decision {
    let mut steps = vec![Vec::new(); plan.tried.len()];
    let mut first = Vec::new();
    for (register, instruction) in program.code.iter().enumerate() {
        if instruction.needs.is_empty() {
            first.push(register as Register);
        }
        for &number in &instruction.needs {
            if number + 1 >= instruction.earliest {
                steps[number].push(register as Register);
            }
        }
    }
    let mut asserted = vec![false; program.code.len()];
    for &root in &program.roots {
        asserted[root as usize] = true;
    }
    let mut search = Search {
        registers: vec![UNKNOWN; program.code.len()],
        remembered: vec![Remembered::default(); program.code.len()],
        plan,
        program,
        steps,
        asserted,
        trail: Vec::new(),
        values: Values::default(),
        machine: Machine::new(base, Fuel::new(u64::MAX)),
        model: base.clone(),
        spent: 0,
        open: None,
    };
    let refuted = !search.compute_all(&first);
    let sat = if refuted { Ok(None) } else { search.tried(base, query, budget) };
    match sat {
        Err(OverBudget) => Decision::OverBudget { assignments: search.spent - 1 },
        Ok(Some(model)) => Decision::Sat(model),
        Ok(None) => match (search.open, plan.cut_short) {
            // Without any value tried, that values are missing does not matter.
            (None, Some(unbounded)) if !refuted => Decision::Infinite(unbounded),
            (Some(gap), _) => Decision::Open(gap),
            _ => Decision::Unsat { assignments: search.spent },
        },
    }
}

/// The budget ended.
struct OverBudget;

impl Search<'_> {
    /// Tries all assignments; a model if one satisfies everything.
    fn tried(
        &mut self,
        base: &Model,
        query: &Query,
        Budget { assignments: budget, seen }: Budget,
    ) -> Result<Option<Box<Model>>, OverBudget> {
        let plan = self.plan;
        let count = plan.tried.len();
        // The next value of each symbol that has one, and where its trail begins.
        let mut next: Vec<u64> = vec![0];
        let mut marks: Vec<usize> = vec![self.trail.len()];
        let mut told = 0;
        if count == 0 {
            return Ok(self.satisfied(base, query));
        }
        while let Some(&i) = next.last() {
            let level = next.len() - 1;
            self.undo(marks[level]);
            if i == plan.tried[level].domain.size() {
                next.pop();
                marks.pop();
                continue;
            }
            next[level] += 1;
            self.spent += 1;
            if self.spent > budget || self.values.full {
                return Err(OverBudget);
            }
            if self.spent >= told + REPORT {
                told = self.spent;
                seen(told);
            }
            if !self.assign(level, i) {
                continue;
            }
            if level + 1 < count {
                next.push(0);
                marks.push(self.trail.len());
            } else if let Some(model) = self.satisfied(base, query) {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    /// Gives a symbol a value; false if an assertion is false then.
    fn assign(&mut self, level: usize, i: u64) -> bool {
        let tried = &self.plan.tried[level];
        let register = level as Register;
        let kept = self.program.code[level].kept;
        let number = match kept {
            Kept::Bits(_) => i as u32,
            _ => match self.values.number(kept, &tried.domain.at(i)) {
                Ok(number) => number,
                Err(gap) => {
                    self.open = self.open.take().or(Some(gap));
                    return false;
                }
            },
        };
        self.set(register, number);
        let steps = std::mem::take(&mut self.steps[level]);
        let goes_on = self.compute_all(&steps);
        self.steps[level] = steps;
        goes_on
    }

    /// Computes these registers in order; false as soon as an assertion is false.
    fn compute_all(&mut self, registers: &[Register]) -> bool {
        for &register in registers {
            let number = match self.program.code[register as usize].what {
                // It was set before.
                What::Symbol(_) => self.registers[register as usize],
                _ => self.compute(register),
            };
            if number != self.registers[register as usize] {
                self.set(register, number);
            }
            if number == FALSE && self.asserted[register as usize] {
                return false;
            }
        }
        true
    }

    fn set(&mut self, register: Register, number: u32) {
        let old = std::mem::replace(&mut self.registers[register as usize], number);
        self.trail.push((register, old));
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (register, old) = self.trail.pop().expect("longer than the mark");
            self.registers[register as usize] = old;
        }
    }

    fn compute(&mut self, register: Register) -> u32 {
        let instruction = &self.program.code[register as usize];
        if let What::Control(control) = instruction.what {
            return connective(control, &instruction.args, &self.registers);
        }
        let mut key = 0_u64;
        let mut open = false;
        for &arg in &instruction.args {
            let number = self.registers[arg as usize];
            if number == UNKNOWN {
                return UNKNOWN;
            }
            open |= number == OPEN;
            key = key << 32 | u64::from(number);
        }
        if open {
            return OPEN;
        }
        let remembers = instruction.args.len() <= 2 && !matches!(instruction.what, What::Whole(..));
        if remembers && let Some(&number) = self.remembered[register as usize].get(&key) {
            return number;
        }
        let number = self.evaluate(register);
        let remembered = &mut self.remembered[register as usize];
        if remembers && remembered.len() < MOST_REMEMBERED {
            remembered.insert(key, number);
        }
        number
    }

    /// The value of an instruction whose arguments all have values.
    fn evaluate(&mut self, register: Register) -> u32 {
        let Instruction { what, args, sort, kept, .. } = &self.program.code[register as usize];
        let code = &self.program.code;
        let value =
            |arg: &Register| self.values.value(code[*arg as usize].kept, self.registers[*arg as usize]);
        let values: Vec<Value> = args.iter().map(value).collect();
        let outcome = match what {
            What::Operator(op, indices) => {
                // Each operator has work of its own, so that the order of the search does not matter.
                *self.machine.fuel_left() = WORK;
                self.machine.operation(op, indices, *sort, &values)
            }
            What::Function(fun) => {
                *self.machine.fuel_left() = WORK;
                self.machine.called(*fun, *sort, values)
            }
            What::Table => {
                *self.machine.fuel_left() = WORK;
                self.machine.looked_up(values)
            }
            What::Coerce => match values.into_iter().next() {
                Some(Value::Int(n)) => Ok(Value::Real(n.into())),
                _ => Err(Gap::NoMeaning("an Int as a Real")),
            },
            What::Whole(term, names) => {
                let around: Vec<(Symbol, Value)> = names.iter().copied().zip(values).collect();
                for number in self.program.code[register as usize].needs.clone() {
                    let kept = self.program.code[number].kept;
                    // Every symbol that the term needs has a value by now.
                    let value = self.values.value(kept, self.registers[number]);
                    self.model.set_value(self.plan.tried[number].fun, value);
                }
                for &(fun, defined) in &self.program.defined {
                    let number = self.registers[defined as usize];
                    if number < OPEN {
                        let value = self.values.value(self.program.code[defined as usize].kept, number);
                        self.model.set_value(fun, value);
                    } else {
                        self.model.unset_value(fun);
                    }
                }
                let mut machine = Machine::new(&self.model, Fuel::new(WORK));
                let outcome = machine.eval_around(*term, &around);
                self.spent += (WORK - *machine.into_fuel().left()) / WORK_OF_AN_ASSIGNMENT;
                outcome
            }
            What::Symbol(_) | What::Control(_) => Err(Gap::NoMeaning("an instruction that is not evaluated")),
        };
        // Why it has none is asked of the evaluator, once all symbols have values.
        outcome.and_then(|value| self.values.number(*kept, &value)).unwrap_or(OPEN)
    }

    /// All symbols have values and no assertion is false: the model, if every assertion is true.
    fn satisfied(&mut self, base: &Model, query: &Query) -> Option<Box<Model>> {
        let tried = self.plan.tried.iter().enumerate().map(|(number, tried)| {
            let kept = self.program.code[number].kept;
            (tried.fun, self.values.value(kept, self.registers[number]))
        });
        let defined = self.program.defined.iter().filter_map(|&(fun, register)| {
            let (number, kept) =
                (self.registers[register as usize], self.program.code[register as usize].kept);
            (number < OPEN).then(|| (fun, self.values.value(kept, number)))
        });
        let values: Vec<_> = tried.chain(defined).collect();
        match found::model(base, query, &values) {
            Ok(model) => Some(Box::new(model)),
            Err(gap) => {
                self.open = self.open.take().or(Some(gap));
                None
            }
        }
    }
}

/// The value of a connective, as far as its arguments are known.
fn connective(control: Control, args: &[Register], registers: &[u32]) -> u32 {
    let number = |arg: &Register| registers[*arg as usize];
    if control == Control::Ite {
        let [condition, then, other] = args else { return OPEN };
        return match number(condition) {
            TRUE => number(then),
            FALSE => number(other),
            unknown => unknown,
        };
    }
    let last = args.len().wrapping_sub(1);
    let mut whole = None;
    for (k, arg) in args.iter().enumerate() {
        // The value of an argument that decides the whole.
        let deciding = match control {
            Control::Or => TRUE,
            Control::Implies if k == last => TRUE,
            _ => FALSE,
        };
        match number(arg) {
            n if n == deciding => return u32::from(control != Control::And),
            UNKNOWN => whole = Some(UNKNOWN),
            OPEN if whole.is_none() => whole = Some(OPEN),
            _ => {}
        }
    }
    whole.unwrap_or(u32::from(control == Control::And))
}
