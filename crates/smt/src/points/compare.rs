//! Two terms at many points: the first point at which their values differ as they must not.

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

impl Points<'_> {
    /// The number of the first point at which both terms have values that differ and that are `wrong`; none if there is none
    /// among those that the work allows.
    ///
    /// Both terms are compiled to one program, in which equal subterms are one, also where only the order of the arguments of a
    /// commutative operator differs, or where a part without symbols is computed. If both terms are the same there, no point is
    /// tried. What depends on one symbol is computed once for each of its values.
    pub fn first_difference(
        &self,
        pair: [TermId; 2],
        work: Work,
        mut wrong: impl FnMut(&Value, &Value) -> bool,
    ) -> Option<u64> {
        let mut sheet = Sheet::of(self, pair, work)?;
        let [one, two] = sheet.roots;
        if one == two {
            return None;
        }
        let mut chosen = Vec::new();
        let (mut seen, end) = (false, self.count().unwrap_or(work.points).min(work.points));
        for number in 0..end {
            if (!seen && number > work.empty) || sheet.left == 0 {
                return None;
            }
            self.choose(number, &mut chosen);
            sheet.go_to(&chosen);
            let (Some(one), Some(two)) = (sheet.value(one), sheet.value(two)) else { continue };
            seen = true;
            if one == two {
                continue;
            }
            let (one, two) = (one.clone(), two.clone());
            if wrong(&one, &two) && sheet.machine.same(&one, &two) == Ok(false) {
                return Some(number);
            }
        }
        None
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
struct Sheet<'p> {
    points: &'p Points<'p>,
    code: Vec<Instruction>,
    roots: [Register; 2],
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
    fn of(points: &'p Points<'p>, pair: [TermId; 2], work: Work) -> Option<Sheet<'p>> {
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
    fn go_to(&mut self, chosen: &[usize]) {
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
    fn value(&self, register: Register) -> Option<&Value> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::read;
    use crate::script::Script;

    const DECLARED: &str = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
        (declare-const p Bool)(declare-const q Bool)(declare-const n Int)(declare-const m Int)(declare-const r Real)
        (declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const s String)(declare-const l L)
        (declare-const a (Array Int Int))(declare-const f (_ FloatingPoint 5 11))
        (declare-fun g (Int) Int)(declare-fun h (Int Bool) Int)
        (define-fun twice ((k Int)) Int (+ k k))
        (define-fun-rec sum ((k Int)) Int (ite (< k 1) 0 (+ k (sum (- k 1)))))";

    fn pair(one: &str, two: &str) -> (Script, [TermId; 2]) {
        let text = format!("{DECLARED}(simplify {one})(simplify {two})");
        let script = read(text.as_bytes()).expect(one);
        let last = script.commands.len();
        let terms = [last - 2, last - 1].map(|command| script.term_of(command, 0).expect("a term"));
        (script, terms)
    }

    /// What evaluation of each term alone finds.
    fn one_by_one(points: &Points<'_>, pair: [TermId; 2], count: u64) -> Option<u64> {
        (0..points.count().unwrap_or(count).min(count)).find(|&number| {
            let model = points.at(number);
            let [one, two] = pair.map(|term| eval(term, &model, &mut Fuel::new(20_000)));
            matches!((one, two), (Ok(one), Ok(two)) if model.same(&one, &two) == Ok(false))
        })
    }

    /// Pairs of terms, and whether they are equal wherever both have values.
    const ROWS: &[(&str, &str, bool)] = &[
        ("(bvadd x y)", "(bvadd y x)", true),
        ("(bvadd x #x01 #x02)", "(bvadd #x03 x)", true),
        ("(bvsub x y)", "(bvsub y x)", false),
        ("(ite (= x #x80) #x00 (bvmul x y))", "(bvmul y x)", false),
        ("(let ((k (bvmul x y))) (bvor k k))", "(bvmul x y)", true),
        ("(div n n)", "(ite (= n 5) 2 1)", false),
        ("(div n 0)", "1", true),
        ("(and p (= (div n 0) 1))", "(and p (= n n))", true),
        ("(and p (not q))", "(not (or (not p) q))", true),
        ("(=> p q (< n m))", "(or (not p) (not q) (< n m))", true),
        ("(=> p q)", "(=> q p)", false),
        ("(* 2.0 r)", "(+ r r)", true),
        ("(to_real n)", "(to_real (+ n (ite (= m 3) 1 0)))", false),
        ("(str.++ s \"\")", "s", true),
        ("(str.len (str.++ s s))", "(* 2 (str.len s))", true),
        ("(str.at s 0)", "(str.substr s 0 2)", false),
        ("(select (store a n m) n)", "m", true),
        ("(select (store a n m) m)", "(select a m)", false),
        ("(fp.neg (fp.neg f))", "f", true),
        ("(fp.eq f f)", "true", false),
        ("(fp.min f (fp.neg f))", "(fp.min (fp.neg f) f)", true),
        ("(head l)", "0", false),
        ("((_ is cons) l)", "(not (= l nil))", true),
        ("(g (+ n 1))", "(g (+ 1 n))", true),
        ("(g n)", "(g m)", false),
        ("(h n p)", "(h n true)", false),
        ("(h (g n) p)", "(h (g n) (not (not p)))", true),
        ("(twice n)", "(* 2 n)", true),
        ("(twice n)", "(* 2 m)", false),
        ("(sum 10)", "55", true),
        ("(sum n)", "(ite (< n 8) (sum n) 3)", false),
        ("(exists ((k Bool)) (= k p))", "true", true),
        ("(forall ((k Bool)) (or k p))", "q", false),
        ("(forall ((k (_ BitVec 2))) (bvult ((_ zero_extend 6) k) x))", "(bvult #x03 x)", true),
        ("7", "8", false),
    ];

    #[test]
    fn the_first_difference_is_that_of_the_evaluator() {
        for &(one, two, same) in ROWS {
            let (script, terms) = pair(one, two);
            let model = Model::empty(&script);
            let points = Points::of(&model, &terms).expect(one);
            let work = Work { points: 150, ..Work::default() };
            let found = points.first_difference(terms, work, |_, _| true);
            assert_eq!(found, one_by_one(&points, terms, 150), "{one} {two}");
            assert_eq!(found.is_none(), same, "{one} {two}");
        }
    }

    #[test]
    fn equal_terms_are_one_instruction() {
        for (one, two, same) in [
            ("(bvadd x y)", "(bvadd y x)", true),
            ("(bvadd x (bvadd #x01 #x02))", "(bvadd #x03 x)", true),
            ("(let ((k (bvmul x y))) (bvor k k))", "(bvor (bvmul y x) (bvmul x y))", true),
            ("(and p q)", "(and q p)", true),
            ("(=> p q)", "(=> q p)", false),
            ("(bvsub x y)", "(bvsub y x)", false),
            ("(bvult x y)", "(bvule x y)", false),
            ("((_ extract 3 0) x)", "((_ extract 4 1) x)", false),
            ("(twice n)", "(+ n n)", true),
            ("(bvxnor x y x)", "(bvxnor y x x)", false),
        ] {
            let (script, terms) = pair(one, two);
            let model = Model::empty(&script);
            let points = Points::of(&model, &terms).expect(one);
            let sheet = Sheet::of(&points, terms, Work::default()).expect(one);
            assert_eq!(sheet.roots[0] == sheet.roots[1], same, "{one} {two}");
        }
    }

    #[test]
    fn what_is_not_wrong_is_passed_over_and_work_ends() {
        let (script, terms) = pair("p", "(and p q)");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("Bool");
        let all = Work::default();
        let lost = |one: &Value, _: &Value| *one == Value::Bool(true);
        assert!(points.first_difference(terms, all, lost).is_some());
        assert!(points.first_difference(terms, all, |one, two| !lost(one, two)).is_none());

        let (script, terms) = pair("(bvmul x y)", "(ite (= x y #xfe) #x00 (bvmul x y))");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("bits");
        assert!(points.first_difference(terms, all, |_, _| true).is_some());
        for less in [Work { points: 3, ..all }, Work { steps: 10, ..all }, Work { operator: 0, ..all }] {
            assert_eq!(points.first_difference(terms, less, |_, _| true), None, "{less:?}");
        }
        let (script, terms) = pair("(div n 0)", "(mod m 0)");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("integers");
        assert_eq!(points.first_difference(terms, all, |_, _| true), None, "it is open everywhere");
    }
}
