//! Stand-ins: the operators that may stand where another does, with the same arguments and the same result.

use super::pattern::may_be;
use super::unambiguous::tells;
use super::{Arity, Control, Op, OpId, Theory, resolve, table};
use crate::Pool;
use crate::sort::{Pat, Sort, SortId, Width};
use crate::term::{FunId, Index};

/// An operator that may stand at an occurrence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandIn {
    /// The operator.
    pub op: OpId,
    /// The sort of the whole: the wanted one, or Real where an Int was wanted and the search was for that.
    pub result: SortId,
    slots: Vec<Slot>,
}

/// The numbers or functions that an index may be.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Slot {
    /// This number.
    Is(u32),
    /// Any number below this one.
    Below(u32),
    /// So much more than another index.
    Above(u8, u32),
    /// One of these functions.
    OneOf(Vec<FunId>),
}

/// Draws of indices before it is given up that they fit.
const TRIES: usize = 16;
/// Indices that nothing bounds are below this.
const SMALL: u32 = 6;

/// Whether an operator may stand for others at all.
///
/// Operators that are literals by another name, need declarations beside them or have indices that are more than
/// numbers may not. `ite` may not either, because no other operator is like it.
pub fn admitted(op: OpId) -> bool {
    let row = table().op(op);
    let alone = matches!(table().theory(op), Theory::SpecialRelations | Theory::Separation);
    !alone && row.mutable && row.control != Some(Control::Ite) && row.indices.is_some()
}

/// A place in a term at which an operator stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// The sorts of the arguments.
    pub args: &'a [SortId],
    /// The sort of the whole.
    pub result: SortId,
    /// Whether an Int may be given where a Real is wanted, without a conversion, and the whole may be a Real where it
    /// was an Int.
    pub int_real: bool,
}

/// The operators that may stand at a place, as far as `allowed` says, in the order of the table. The operator that
/// stands there is one of them. Every name means the operator when it is read again.
pub fn stand_ins(
    pool: &mut Pool,
    Place { args, result, int_real }: Place,
    allowed: &dyn Fn(OpId) -> bool,
    out: &mut Vec<StandIn>,
) {
    if result == SortId::UNKNOWN || args.contains(&SortId::UNKNOWN) {
        return;
    }
    let coerces = int_real && args.contains(&SortId::INT);
    // A set and a function are one sort to z3, and two to others.
    let mixed = args.windows(2).any(|pair| pair[0] != pair[1] && pool.interchangeable(pair[0], pair[1]));
    for op in table().ids() {
        let row = table().op(op);
        if !takes(row, args.len()) || !allowed(op) || !admitted(op) {
            continue;
        }
        if mixed && args.iter().enumerate().all(|(i, _)| matches!(row.arg(i, args.len()), Pat::Any(_))) {
            continue;
        }
        let wanted: &[SortId] =
            if coerces && result == SortId::INT { &[SortId::INT, SortId::REAL] } else { &[result] };
        for &wanted in wanted {
            // What the patterns rule out is not looked at; computed sorts need not follow them.
            let fits = |&(i, &sort): &(usize, &SortId)| may_be(pool, row.arg(i, args.len()), sort);
            let likely = may_be(pool, row.result, wanted)
                && (coerces || row.rule.is_some() || args.iter().enumerate().take(2).all(|a| fits(&a)));
            if !likely {
                continue;
            }
            let Some(slots) = slots(pool, row, args, wanted) else { continue };
            let stand_in = StandIn { op, result: wanted, slots };
            let mut turn = 0;
            let found = stand_in.draw(pool, args, &mut |n| {
                turn += 1;
                // First the smallest, then others: any that fits will do.
                if turn <= stand_in.slots.len() { 0 } else { turn * 7 % n }
            });
            if found.is_some_and(|_| coerces || !is_coerced(pool, &stand_in, args)) {
                out.push(stand_in);
                break;
            }
        }
    }
}

/// Whether an operator takes so many arguments by the standard, and solvers take them.
fn takes(row: &Op, n: usize) -> bool {
    let many = |least: usize| n >= least && row.most.is_none_or(|most| n <= most as usize);
    match row.arity {
        Arity::Fixed => n == row.args.len(),
        Arity::Variadic => many(row.least.max(1) as usize),
        _ => many(row.args.len().max(row.least as usize)),
    }
}

/// Whether it fits only because Ints may be given for Reals.
fn is_coerced(pool: &mut Pool, stand_in: &StandIn, args: &[SortId]) -> bool {
    if !args.contains(&SortId::INT) {
        return false;
    }
    let row = table().op(stand_in.op);
    let indices: Vec<Index> = stand_in.slots.iter().map(|_| Index::Number(1)).collect();
    resolve(pool, table().named(row.name), &indices, None, args).is_ok_and(|found| found.coerced != 0)
}

impl StandIn {
    /// Whether it has indices that leave a choice.
    pub fn has_choice(&self) -> bool {
        self.slots.iter().any(|slot| match slot {
            Slot::Below(n) => *n > 1,
            Slot::OneOf(funs) => funs.len() > 1,
            Slot::Is(_) | Slot::Above(..) => false,
        })
    }

    /// Indices with which it fits; `pick(n)` chooses, by a number below `n`. None if the tries it makes find nothing.
    pub fn draw(
        &self,
        pool: &mut Pool,
        args: &[SortId],
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Vec<Index>> {
        let names = table().named(table().op(self.op).name);
        (0..TRIES).find_map(|_| {
            let mut indices = vec![Index::Number(0); self.slots.len()];
            for (index, slot) in indices.iter_mut().zip(&self.slots) {
                match slot {
                    Slot::Is(n) => *index = Index::Number(*n),
                    Slot::Below(n) => *index = Index::Number(pick(*n as usize) as u32),
                    Slot::OneOf(funs) => *index = Index::Function(*funs.get(pick(funs.len()))?),
                    Slot::Above(..) => {}
                }
            }
            for (i, slot) in self.slots.iter().enumerate() {
                if let Slot::Above(other, by) = slot
                    && let Index::Number(n) = indices[*other as usize]
                {
                    indices[i] = Index::Number(n.checked_add(*by)?);
                }
            }
            let found = resolve(pool, names, &indices, None, args).ok()?;
            (found.op == self.op && found.sort == self.result).then_some(indices)
        })
    }
}

/// The possible indices of a row for these sorts; none if the row cannot have the sorts.
fn slots(pool: &Pool, row: &Op, args: &[SortId], result: SortId) -> Option<Vec<Slot>> {
    let count = row.indices? as usize;
    if count == 0 {
        return Some(Vec::new());
    }
    let mut solver = Solver { slots: vec![None; count], width: [None; 4] };
    // Twice, for what one sort says may help to read another.
    for _ in 0..2 {
        for (i, &arg) in args.iter().enumerate() {
            solver.pattern(pool, row.arg(i, args.len()), arg)?;
        }
        solver.pattern(pool, row.result, result)?;
    }
    let bits = args.iter().filter_map(|&sort| match pool.sort(sort) {
        Sort::BitVec(n) => Some(n),
        _ => None,
    });
    let bound = bits.max().unwrap_or(SMALL);
    let above = solver.slots.iter().flatten().find_map(|slot| match slot {
        Slot::Above(_, by) => Some(*by),
        _ => None,
    });
    let free = match constructors(pool, row, args) {
        Some(funs) if funs.is_empty() => return None,
        Some(funs) => Slot::OneOf(funs),
        None => Slot::Below(bound.checked_sub(above.unwrap_or(0))?.max(1)),
    };
    Some(solver.slots.into_iter().map(|slot| slot.unwrap_or_else(|| free.clone())).collect())
}

/// The constructors that the index of a tester may name.
fn constructors(pool: &Pool, row: &Op, args: &[SortId]) -> Option<Vec<FunId>> {
    let (&[of], "is") = (args, row.name) else { return None };
    let Sort::Declared(decl, _) = pool.sort(of) else { return None };
    let datatype = pool.sort_decl(decl).datatype.as_ref()?;
    Some(datatype.constructors.iter().map(|c| c.function).filter(|&fun| tells(pool, fun)).collect())
}

/// The indices and widths known so far.
struct Solver {
    slots: Vec<Option<Slot>>,
    width: [Option<u32>; 4],
}

impl Solver {
    fn pattern(&mut self, pool: &Pool, pat: Pat, sort: SortId) -> Option<()> {
        match (pat, pool.sort(sort)) {
            (Pat::BitVec(w), Sort::BitVec(m)) => self.width(w, m),
            (Pat::Float(e, s), Sort::Float(eb, sb)) => {
                self.width(e, eb)?;
                self.width(s, sb)
            }
            _ => Some(()),
        }
    }

    /// Notes that a width is `m`; none if it cannot be. A width that is not known yet is accepted.
    fn width(&mut self, w: Width, m: u32) -> Option<()> {
        match w {
            Width::Is(n) => (n == m).then_some(()),
            Width::Var(v) => (*self.width[v as usize].get_or_insert(m) == m).then_some(()),
            Width::Index(i) => {
                let slot = self.slots.get_mut(i as usize)?.get_or_insert(Slot::Is(m));
                (*slot == Slot::Is(m)).then_some(())
            }
            Width::Sum(x, y) => match (self.known(*x), self.known(*y)) {
                (Some(left), _) => self.width(*y, m.checked_sub(left)?),
                (_, Some(right)) => self.width(*x, m.checked_sub(right)?),
                _ => Some(()),
            },
            Width::Product(x, y) => match (self.known(*x), self.known(*y)) {
                (Some(n), _) if n > 0 && m.is_multiple_of(n) => self.width(*y, m / n),
                (_, Some(n)) if n > 0 && m.is_multiple_of(n) => self.width(*x, m / n),
                (None, None) => Some(()),
                _ => None,
            },
            Width::Span(Width::Index(high), Width::Index(low)) => {
                self.slots[*high as usize] = Some(Slot::Above(*low, m.checked_sub(1)?));
                Some(())
            }
            Width::Span(..) => Some(()),
        }
    }

    fn known(&self, w: Width) -> Option<u32> {
        match w {
            Width::Is(n) => Some(n),
            Width::Var(v) => self.width[v as usize],
            Width::Index(i) => match self.slots.get(i as usize)? {
                Some(Slot::Is(n)) => Some(*n),
                _ => None,
            },
            Width::Sum(x, y) => self.known(*x)?.checked_add(self.known(*y)?),
            Width::Product(x, y) => self.known(*x)?.checked_mul(self.known(*y)?),
            Width::Span(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::script::What;
    use crate::term::Head;
    use crate::theory::ReleaseNumber;

    const PRELUDE: &str = "(declare-datatype L ((nil) (cons (head Int) (tail L))))
        (declare-const l L)(declare-const p Bool)(declare-const q Bool)
        (declare-const i Int)(declare-const j Int)(declare-const x Real)(declare-const y Real)
        (declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))(declare-const w (_ BitVec 8))
        (declare-const s String)(declare-const t String)(declare-const r RegLan)
        (declare-const f (_ FloatingPoint 5 11))(declare-const m RoundingMode)
        (declare-const a (Array Int Real))(declare-const v Bool)";

    /// The names of what may stand at the top of a term, of the rows that are standard and old.
    fn names(term: &str, int_real: bool) -> Vec<&'static str> {
        let script = read(format!("{PRELUDE}(simplify {term})").as_bytes()).expect(term);
        let Some(What::Query(_, top, _)) = script.commands.last().map(|c| c.what) else { unreachable!() };
        let mut pool = script.pool;
        assert!(matches!(pool.node(top).head, Head::Op(..)), "{term}");
        let args: Vec<_> = pool.args(top).iter().map(|&a| pool.sort_of(a)).collect();
        let allowed = |op: OpId| {
            let row = table().op(op);
            let old = |solver, release| row.is_read_by::<&str>(solver, ReleaseNumber::parse(release), &[]);
            row.standard && old("z3", "4.8.9") == Some(true) && old("cvc5", "1.0.0") != Some(false)
        };
        let mut out = Vec::new();
        let result = pool.sort_of(top);
        stand_ins(&mut pool, Place { args: &args, result, int_real }, &allowed, &mut out);
        for stand_in in &out {
            for n in [0, 1, 5, 1000] {
                let mut pick = |below: usize| n % below;
                let indices = stand_in.draw(&mut pool, &args, &mut pick).unwrap_or_default();
                let terms = pool.args(top).to_vec();
                let built = pool.apply(stand_in.op, &indices, &terms, None);
                assert!(built.is_ok_and(|t| pool.sort_of(t) == stand_in.result), "{term}: {stand_in:?}");
            }
        }
        out.iter().map(|s| table().op(s.op).name).collect()
    }

    #[test]
    fn what_may_stand_where() {
        let rows: &[(&str, &[&str])] = &[
            ("(and p q)", &["=>", "and", "or", "xor", "=", "distinct"]),
            ("(and p q v)", &["=>", "and", "or", "xor", "=", "distinct"]),
            ("(not p)", &["not"]),
            ("true", &["true", "false"]),
            ("(ite p q v)", &["=>", "and", "or", "xor", "=", "distinct"]),
            ("(ite p i j)", &[]),
            ("(+ i j)", &["-", "+", "*", "div", "mod"]),
            ("(+ i j i)", &["-", "+", "*", "div"]),
            ("(- i)", &["-", "abs"]),
            ("(- x)", &["-"]),
            ("(/ x y)", &["-", "+", "*", "/"]),
            ("(< i j)", &["=", "distinct", "<=", "<", ">=", ">"]),
            ("(= x y)", &["=", "distinct", "<=", "<", ">=", ">"]),
            ("(= a a)", &["=", "distinct"]),
            ("(select a i)", &["select"]),
            ("(bvsub b c)", TWO_VECTORS),
            ("(bvxor b c b)", &["bvand", "bvor", "bvadd", "bvmul", "bvxor"]),
            (
                "(bvult b c)",
                &["=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"],
            ),
            ("(concat b c)", &["concat"]),
            ("((_ extract 4 1) w)", &["extract"]),
            ("(bvnot b)", ONE_VECTOR),
            ("((_ zero_extend 4) b)", &["repeat", "zero_extend", "sign_extend"]),
            ("((_ zero_extend 3) b)", &["zero_extend", "sign_extend"]),
            ("(str.++ s t)", &["str.++"]),
            ("(str.replace s t s)", &["str.++", "str.replace", "str.replace_all"]),
            (
                "(str.< s t)",
                &["=", "distinct", "str.<", "str.<=", "str.prefixof", "str.suffixof", "str.contains"],
            ),
            ("(re.++ r r)", &["re.++", "re.union", "re.inter", "re.diff"]),
            ("(re.* r)", &["re.*", "re.+", "re.opt", "re.comp", "re.^", "re.loop"]),
            ("(fp.add m f f)", &["fp.add", "fp.sub", "fp.mul", "fp.div"]),
            ("RNE", &["RNE", "RNA", "RTP", "RTN", "RTZ"]),
            ("(fp.sqrt m f)", &["fp.sqrt", "fp.roundToIntegral", "to_fp"]),
            ("((_ is nil) l)", &["is"]),
        ];
        for (term, expected) in rows {
            assert_eq!(names(term, false), *expected, "{term}");
        }
    }

    const TWO_VECTORS: &[&str] = &[
        "bvand", "bvor", "bvadd", "bvmul", "bvxor", "bvxnor", "bvudiv", "bvurem", "bvsdiv", "bvsrem",
        "bvsmod", "bvsub", "bvshl", "bvlshr", "bvashr", "bvnand", "bvnor",
    ];
    const ONE_VECTOR: &[&str] =
        &["extract", "bvnot", "bvneg", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right"];

    #[test]
    fn ints_may_be_given_for_reals_if_asked() {
        assert_eq!(names("(+ i j)", true), ["-", "+", "*", "div", "mod", "/"]);
        assert_eq!(names("(- i)", true), ["-", "abs", "to_real", "to_int"]);
        assert_eq!(names("(+ x y)", true), ["-", "+", "*", "/"]);
    }
}
