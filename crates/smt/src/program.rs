//! Terms as a flat program: one instruction for each subterm, each after those that it needs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{FunId, FunKind, Head, Index, TermId};
use crate::theory::{Control, Op, table};
use crate::walk::free_variables_within;

/// Programs of more instructions are not made: definitions can double their size with each use.
const MOST_INSTRUCTIONS: usize = 100_000;

/// Terms nested deeper, definitions included, are evaluated as a whole.
const DEEPEST: u32 = 400;

/// The number of an instruction, and of the register with its value.
pub(crate) type Register = u32;

/// How a register's value is kept as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    Bool,
    /// A bit-vector of few bits is its own number.
    Bits(u32),
    /// Any other value is looked up.
    Other,
}

impl Kept {
    pub fn of(pool: &Pool, sort: SortId) -> Kept {
        match pool.sort(sort) {
            Sort::Bool => Kept::Bool,
            Sort::BitVec(width) if width <= 30 => Kept::Bits(width),
            _ => Kept::Other,
        }
    }
}

/// The operation of an instruction.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// The value of the symbol of this number.
    Symbol(usize),
    /// A connective, which can be known before all its arguments are.
    Control(Control),
    /// An operator.
    Operator(&'static Op, Vec<Index>),
    /// A constructor, selector or tester.
    Function(FunId),
    /// A declared function: the first argument is the table of its values.
    Table,
    /// An Int as a Real.
    Coerce,
    /// A term that is evaluated as a whole, with the values of its free variables, which are the arguments.
    Whole(TermId, Vec<Symbol>),
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub what: What,
    pub args: Vec<Register>,
    pub sort: SortId,
    pub kept: Kept,
    /// The symbols that it depends on, by number, sorted.
    pub needs: Vec<usize>,
    /// How many symbols must have a value before it can have one.
    pub earliest: usize,
}

/// Compiled terms.
#[derive(Debug)]
pub(crate) struct Program {
    pub code: Vec<Instruction>,
    /// The terms themselves.
    pub roots: Vec<Register>,
    /// The registers of defined symbols.
    pub defined: Vec<(FunId, Register)>,
}

/// Compiles terms over symbols that get values, in this order, and symbols that are defined by terms.
///
/// The first instructions are the symbols that get values: the number of such a symbol is its register.
pub(crate) fn compile(
    pool: &Pool,
    symbols: impl Iterator<Item = FunId>,
    defined: &[(FunId, TermId)],
    roots: &[TermId],
) -> Result<Program, Gap> {
    let mut compiler = Compiler {
        pool,
        program: Program { code: Vec::new(), roots: Vec::new(), defined: Vec::new() },
        symbols: FxHashMap::default(),
        closed: FxHashMap::default(),
        variables: FxHashMap::default(),
        around: 0,
        written_out: Vec::new(),
    };
    for (number, symbol) in symbols.enumerate() {
        let fun = pool.fun(symbol);
        let register = compiler.add(What::Symbol(number), Vec::new(), fun.result)?;
        let instruction = &mut compiler.program.code[register as usize];
        // A function is kept as the table of its values.
        instruction.kept = if fun.args.is_empty() { instruction.kept } else { Kept::Other };
        compiler.symbols.insert(symbol, register);
    }
    for &(fun, term) in defined {
        let register = compiler.term(term, DEEPEST)?;
        compiler.symbols.insert(fun, register);
        compiler.program.defined.push((fun, register));
    }
    for &root in roots {
        let register = compiler.term(root, DEEPEST)?;
        compiler.program.roots.push(register);
    }
    Ok(compiler.program)
}

struct Compiler<'p> {
    pool: &'p Pool,
    program: Program,
    /// The registers of symbols.
    symbols: FxHashMap<FunId, Register>,
    /// The registers of terms outside of any binder.
    closed: FxHashMap<TermId, Register>,
    /// The registers of bound variables, innermost last.
    variables: FxHashMap<Symbol, Vec<Register>>,
    /// How many variables are bound.
    around: usize,
    /// The functions whose bodies are being compiled in place of calls.
    written_out: Vec<FunId>,
}

impl Compiler<'_> {
    fn add(&mut self, what: What, args: Vec<Register>, sort: SortId) -> Result<Register, Gap> {
        let code = &self.program.code;
        if code.len() >= MOST_INSTRUCTIONS {
            return Err(Gap::TooLarge);
        }
        let mut needs: Vec<usize> = match what {
            What::Symbol(number) => vec![number],
            _ => args.iter().flat_map(|&arg| code[arg as usize].needs.iter().copied()).collect(),
        };
        if let What::Whole(term, _) = what {
            let symbols = declared(self.pool, term);
            let registers = symbols.iter().filter_map(|fun| self.symbols.get(fun));
            needs.extend(registers.flat_map(|&r| code[r as usize].needs.iter().copied()));
        }
        needs.sort_unstable();
        needs.dedup();
        let last = needs.last().map_or(0, |number| number + 1);
        let when = |arg: &Register| code[*arg as usize].earliest;
        let earliest = match what {
            What::Symbol(_) | What::Whole(..) => last,
            What::Control(Control::Ite) => match args[..] {
                [condition, then, other] => when(&condition).max(when(&then).min(when(&other))),
                _ => last,
            },
            What::Control(_) => args.iter().map(when).min().unwrap_or(0),
            _ => args.iter().map(when).max().unwrap_or(0),
        };
        let kept = Kept::of(self.pool, sort);
        self.program.code.push(Instruction { what, args, sort, kept, needs, earliest });
        Ok(self.program.code.len() as Register - 1)
    }

    fn term(&mut self, term: TermId, depth: u32) -> Result<Register, Gap> {
        if self.around == 0
            && let Some(&register) = self.closed.get(&term)
        {
            return Ok(register);
        }
        let register = match depth.checked_sub(1) {
            Some(depth) => self.fresh(term, depth)?,
            None => self.whole(term)?,
        };
        if self.around == 0 {
            self.closed.insert(term, register);
        }
        Ok(register)
    }

    fn fresh(&mut self, term: TermId, depth: u32) -> Result<Register, Gap> {
        let pool = self.pool;
        let (node, args) = (*pool.node(term), pool.args(term));
        match node.head {
            Head::Annotated(_) => self.term(args[0], depth),
            Head::Variable(name) => match self.variables.get(&name).and_then(|registers| registers.last()) {
                Some(&register) => Ok(register),
                None => self.whole(term),
            },
            Head::Op(op, indices) => {
                let op = table().op(op);
                let what = match op.control {
                    Some(control) => What::Control(control),
                    None => What::Operator(op, pool.indices(indices).to_vec()),
                };
                // A function named as index may be one that is tried.
                if pool.indices(indices).iter().any(|index| matches!(index, Index::Function(_)))
                    && op.name != "is"
                {
                    return self.whole(term);
                }
                let args = self.terms(args, depth)?;
                self.add(what, args, node.sort)
            }
            Head::Coerce => {
                let args = self.terms(args, depth)?;
                self.add(What::Coerce, args, node.sort)
            }
            Head::Let(list) => {
                let binders = pool.binders(list);
                let values = self.terms(&args[..binders.len()], depth)?;
                let names: Vec<Symbol> = binders.iter().map(|b| b.name).collect();
                self.within(&names, &values, args[binders.len()], depth)
            }
            Head::Fun(fun) => self.function(term, fun, depth),
            _ => self.whole(term),
        }
    }

    fn terms(&mut self, terms: &[TermId], depth: u32) -> Result<Vec<Register>, Gap> {
        terms.iter().map(|&term| self.term(term, depth)).collect()
    }

    /// A body with these variables bound.
    fn within(
        &mut self,
        names: &[Symbol],
        values: &[Register],
        body: TermId,
        depth: u32,
    ) -> Result<Register, Gap> {
        for (&name, &value) in names.iter().zip(values) {
            self.variables.entry(name).or_default().push(value);
        }
        self.around += names.len();
        let register = self.term(body, depth);
        self.around -= names.len();
        for name in names {
            self.variables.get_mut(name).expect("bound above").pop();
        }
        register
    }

    fn function(&mut self, term: TermId, fun: FunId, depth: u32) -> Result<Register, Gap> {
        let pool = self.pool;
        let (sort, args) = (pool.sort_of(term), pool.args(term));
        let decl = pool.fun(fun);
        if args.len() != decl.args.len() {
            return self.whole(term);
        }
        match decl.kind {
            FunKind::Declared => match self.symbols.get(&fun) {
                Some(&register) if args.is_empty() => Ok(register),
                Some(&table) => {
                    let mut all = vec![table];
                    all.extend(self.terms(args, depth)?);
                    self.add(What::Table, all, sort)
                }
                None => self.whole(term),
            },
            FunKind::Defined(..) | FunKind::Named(_) => {
                let Some((binders, body)) = pool.body(fun) else { return self.whole(term) };
                // A function that calls itself would be written out without end.
                if self.written_out.contains(&fun) {
                    return self.whole(term);
                }
                let names: Vec<Symbol> = pool.binders(binders).iter().map(|b| b.name).collect();
                let values = self.terms(args, depth)?;
                self.written_out.push(fun);
                let register = self.within(&names, &values, body, depth);
                self.written_out.pop();
                register
            }
            FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_) => {
                let args = self.terms(args, depth)?;
                self.add(What::Function(fun), args, sort)
            }
            _ => self.whole(term),
        }
    }

    /// A term that the evaluator evaluates.
    fn whole(&mut self, term: TermId) -> Result<Register, Gap> {
        let mut steps = 1_000_000;
        let free = free_variables_within(self.pool, term, &[], &mut steps).ok_or(Gap::TooMuchWork)?;
        let mut args = Vec::new();
        for name in &free {
            let register = self.variables.get(name).and_then(|registers| registers.last());
            args.push(*register.ok_or(Gap::NoMeaning("a variable without a value"))?);
        }
        self.add(What::Whole(term, free), args, self.pool.sort_of(term))
    }
}

/// The declared functions below a term, those of definitions that it uses included.
pub(crate) fn declared(pool: &Pool, term: TermId) -> Vec<FunId> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found = Vec::new();
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        let funs: Vec<FunId> = match pool.node(term).head {
            Head::Fun(fun) => vec![fun],
            Head::Op(_, indices) => {
                let named = pool.indices(indices).iter();
                named.filter_map(|i| if let Index::Function(fun) = i { Some(*fun) } else { None }).collect()
            }
            _ => Vec::new(),
        };
        for fun in funs {
            if pool.fun(fun).kind == FunKind::Declared {
                if !found.contains(&fun) {
                    found.push(fun);
                }
            } else {
                left.extend(pool.body(fun).map(|(_, body)| body));
            }
        }
        left.extend(pool.args(term).iter().rev());
    }
    found
}
