//! The values of two terms and of all that is below them, point after point.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Points;
use crate::eval::Machine;
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::program::{Instruction, Register, What, compile};
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{FunId, Index, TermId};
use crate::theory::Control;
use crate::value::Value;

/// How much work a comparison may do.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// So many points.
    pub points: u64,
    /// It ends if none of so many first points has values.
    pub empty: u64,
    /// The steps of one operator.
    pub operator: u64,
    /// The steps of all.
    pub steps: u64,
}

impl Default for Work {
    /// A thousand points, corners first: some tenths of a millisecond for small terms.
    fn default() -> Self {
        Work { points: 1000, empty: 64, operator: 20_000, steps: 2_000_000 }
    }
}

/// Where the value of an instruction is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    /// It is the same at every point.
    Always,
    /// One for each value of the symbol of this number.
    BySymbol(usize),
    /// One for the point at hand.
    AtPoint,
}

/// The values of two terms and what is below them.
pub(super) struct Sheet<'p> {
    points: &'p Points<'p>,
    code: Vec<Instruction>,
    /// The two terms.
    pub roots: [Register; 2],
    kept: Vec<Kept>,
    /// The values of instructions: one, or one for each value of a symbol. None are open.
    values: Vec<Vec<Option<Value>>>,
    /// For each symbol the instructions that depend on nothing else, in order, and which of its values were tried.
    alone: Vec<(Vec<Register>, Vec<bool>)>,
    /// The instructions that depend on several symbols, in order.
    together: Vec<Register>,
    /// The places of the values that the symbols have, and of those that they had before.
    chosen: Vec<usize>,
    before: Vec<usize>,
    machine: Machine<'p>,
    /// A model with the values of symbols, for terms that are evaluated as a whole.
    model: Option<Model>,
    /// Room for arguments.
    arguments: Vec<Value>,
    operator: u64,
    /// The steps that are left.
    left: u64,
}

impl<'p> Sheet<'p> {
    /// A sheet for two terms; none if they are too large.
    pub fn of(points: &'p Points<'p>, pair: [TermId; 2], work: Work) -> Option<Sheet<'p>> {
        let symbols = points.symbols.iter().map(|symbol| symbol.fun);
        let program = compile(points.base.pool(), symbols, &[], &pair).ok()?;
        let count = points.symbols.len();
        let size = program.code.len();
        let mut sheet = Sheet {
            points,
            code: program.code,
            roots: [program.roots[0], program.roots[1]],
            kept: Vec::with_capacity(size),
            values: Vec::with_capacity(size),
            alone: points.symbols.iter().map(|s| (Vec::new(), vec![false; s.values.len()])).collect(),
            together: Vec::new(),
            chosen: vec![usize::MAX; count],
            before: vec![usize::MAX; count],
            machine: Machine::new(points.base, Fuel::new(u64::MAX)),
            model: None,
            arguments: Vec::new(),
            operator: work.operator,
            left: work.steps,
        };
        sheet.arrange();
        Some(sheet)
    }

    /// Whether all work is done that may be done.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Whether two values of one sort are known to differ.
    pub fn differ(&mut self, one: &Value, two: &Value) -> bool {
        *self.machine.fuel_left() = self.operator;
        self.machine.same(one, two) == Ok(false)
    }

    /// Makes equal instructions one, computes those that need no symbol, and sorts the others by what they need.
    fn arrange(&mut self) {
        let mut same: Vec<Register> = Vec::with_capacity(self.code.len());
        let mut known: FxHashMap<(Shape, Vec<Register>, SortId), Register> = FxHashMap::default();
        let mut constants: BTreeMap<(SortId, Value), Register> = BTreeMap::new();
        for register in 0..self.code.len() as Register {
            let instruction = &mut self.code[register as usize];
            for arg in &mut instruction.args {
                *arg = same[*arg as usize];
            }
            let (shape, sort) = (Shape::of(&instruction.what), instruction.sort);
            let mut args = instruction.args.clone();
            if is_commutative(&instruction.what, args.len()) {
                args.sort_unstable();
            }
            self.kept.push(match instruction.needs[..] {
                [] => Kept::Always,
                [symbol] => Kept::BySymbol(symbol),
                _ => Kept::AtPoint,
            });
            self.values.push(Vec::new());
            let mut first = *known.entry((shape, args, sort)).or_insert(register);
            if first == register && self.kept[register as usize] == Kept::Always {
                let value = self.compute(register);
                if let Some(value) = &value {
                    first = *constants.entry((sort, value.clone())).or_insert(register);
                }
                self.values[register as usize] = vec![value];
            }
            same.push(first);
        }
        self.roots = self.roots.map(|root| same[root as usize]);
        self.sort_out();
    }

    /// Sorts the instructions that the roots need by what they depend on.
    fn sort_out(&mut self) {
        let mut wanted = vec![false; self.code.len()];
        for root in self.roots {
            wanted[root as usize] = true;
        }
        for register in (0..self.code.len()).rev().filter(|&r| self.kept[r] != Kept::Always) {
            if wanted[register] {
                for &arg in &self.code[register].args {
                    wanted[arg as usize] = true;
                }
            }
        }
        for register in (0..self.code.len()).filter(|&r| wanted[r]) {
            match self.kept[register] {
                Kept::Always => {}
                Kept::BySymbol(symbol) => {
                    self.values[register] = vec![None; self.points.symbols[symbol].values.len()];
                    self.alone[symbol].0.push(register as Register);
                }
                Kept::AtPoint => {
                    self.values[register] = vec![None];
                    self.together.push(register as Register);
                }
            }
        }
    }

    /// Gives the symbols other values and computes what changes.
    pub fn go_to(&mut self, chosen: &[usize]) {
        std::mem::swap(&mut self.before, &mut self.chosen);
        self.chosen.copy_from_slice(chosen);
        for (symbol, &place) in chosen.iter().enumerate() {
            if !std::mem::replace(&mut self.alone[symbol].1[place], true) {
                let registers = std::mem::take(&mut self.alone[symbol].0);
                for &register in &registers {
                    self.values[register as usize][place] = self.compute(register);
                }
                self.alone[symbol].0 = registers;
            }
        }
        let registers = std::mem::take(&mut self.together);
        for &register in &registers {
            let needs = &self.code[register as usize].needs;
            if needs.iter().any(|&symbol| self.before[symbol] != chosen[symbol]) {
                self.values[register as usize][0] = self.compute(register);
            }
        }
        self.together = registers;
    }

    /// The value of an instruction at the point at hand; none if it is open.
    pub fn value(&self, register: Register) -> Option<&Value> {
        let values = &self.values[register as usize];
        match self.kept[register as usize] {
            Kept::BySymbol(symbol) => values[self.chosen[symbol]].as_ref(),
            _ => values[0].as_ref(),
        }
    }

    fn compute(&mut self, register: Register) -> Option<Value> {
        let instruction = &self.code[register as usize];
        match instruction.what {
            What::Symbol(number) => {
                return Some(self.points.symbols[number].values[self.chosen[number]].clone());
            }
            What::Control(control) => return self.connective(control, &instruction.args),
            _ => {}
        }
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        for &arg in &instruction.args {
            match self.value(arg) {
                Some(value) => arguments.push(value.clone()),
                None => {
                    self.arguments = arguments;
                    return None;
                }
            }
        }
        let budget = self.operator.min(self.left);
        *self.machine.fuel_left() = budget;
        let outcome = match &instruction.what {
            What::Operator(op, indices) => self.machine.operation(op, indices, instruction.sort, &arguments),
            What::Function(fun) => self.machine.called(*fun, instruction.sort, arguments.clone()),
            What::Table => self.machine.looked_up(arguments.clone()),
            What::Coerce => match arguments.first() {
                Some(Value::Int(n)) => Ok(Value::Real(n.clone().into())),
                _ => Err(Gap::NoMeaning("an Int as a Real")),
            },
            What::Whole(term, names) => {
                let around: Vec<(Symbol, Value)> = names.iter().copied().zip(arguments.drain(..)).collect();
                let (outcome, left) = self.whole(register, *term, &around, budget);
                *self.machine.fuel_left() = left;
                outcome
            }
            What::Symbol(_) | What::Control(_) => Err(Gap::NoMeaning("an instruction that is not computed")),
        };
        // Even what costs the machine nothing counts, so that it ends.
        let spent = 1 + budget - (*self.machine.fuel_left()).min(budget);
        self.left = self.left.saturating_sub(spent);
        self.arguments = arguments;
        outcome.ok()
    }

    /// The value of a term that is evaluated as a whole, and what is left of the budget.
    fn whole(
        &mut self,
        register: Register,
        term: TermId,
        around: &[(Symbol, Value)],
        budget: u64,
    ) -> (Result<Value, Gap>, u64) {
        let needs = &self.code[register as usize].needs;
        let base = self.points.base;
        let model = match needs.is_empty() {
            true => base,
            false => {
                let model = self.model.get_or_insert_with(|| base.clone());
                for &symbol in needs {
                    let drawn = &self.points.symbols[symbol];
                    model.set_value(drawn.fun, drawn.values[self.chosen[symbol]].clone());
                }
                model
            }
        };
        let mut machine = Machine::new(model, Fuel::new(budget));
        let outcome = machine.eval_around(term, around);
        (outcome, *machine.fuel_left())
    }

    /// The value of a connective: one argument can decide it although others are open.
    fn connective(&self, control: Control, args: &[Register]) -> Option<Value> {
        let truth = |arg: &Register| match self.value(*arg) {
            Some(Value::Bool(truth)) => Some(*truth),
            _ => None,
        };
        if control == Control::Ite {
            let [condition, then, other] = args else { return None };
            let arm = if truth(condition)? { then } else { other };
            return self.value(*arm).cloned();
        }
        let last = args.len().wrapping_sub(1);
        let mut open = false;
        for (k, arg) in args.iter().enumerate() {
            let deciding = match control {
                Control::Or => true,
                Control::Implies => k == last,
                _ => false,
            };
            match truth(arg) {
                Some(found) if found == deciding => return Some(Value::Bool(control != Control::And)),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(Value::Bool(control == Control::And))
    }
}

/// What an instruction does, apart from its arguments.
#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Symbol(usize),
    Control(&'static str),
    /// An operator by its place in the table, which is one static list.
    Operator(usize, Vec<Index>),
    Function(FunId),
    Table,
    Coerce,
    Whole(TermId, Vec<Symbol>),
}

impl Shape {
    fn of(what: &What) -> Shape {
        match what {
            What::Symbol(number) => Shape::Symbol(*number),
            What::Control(control) => Shape::Control(match control {
                Control::And => "and",
                Control::Or => "or",
                Control::Implies => "=>",
                Control::Ite => "ite",
            }),
            What::Operator(op, indices) => Shape::Operator(std::ptr::from_ref(*op).addr(), indices.clone()),
            What::Function(fun) => Shape::Function(*fun),
            What::Table => Shape::Table,
            What::Coerce => Shape::Coerce,
            What::Whole(term, names) => Shape::Whole(*term, names.clone()),
        }
    }
}

/// Whether the order of so many arguments does not matter.
fn is_commutative(what: &What, count: usize) -> bool {
    match what {
        What::Control(control) => matches!(control, Control::And | Control::Or),
        What::Operator(op, _) => op.commutative && (count <= 2 || op.associative),
        _ => false,
    }
}
