//! What solvers are known to have wrong, so that only what is new is heard. Each entry says why it is the solver.

use smt::{Head, Index, Pool, Sort, TermId, sort_text};

use crate::draw::For;

/// Terms that are not asked because a solver falls over them and the rest of its batch with it.
pub fn avoided(pool: &Pool, name: &'static str, indices: &[Index], args: &[TermId], whom: For) -> bool {
    match name {
        // z3 wants the operator of `map` with its sorts, and reads no others than those written.
        "map" => {
            let element = |&a: &TermId| match pool.sort(pool.sort_of(a)) {
                Sort::Array(_, element) => sort_text(pool, element),
                _ => String::new(),
            };
            let ranked = format!(" ({}) ", args.iter().map(element).collect::<Vec<_>>().join(" "));
            match indices {
                [Index::Text(t)] if pool.text(*t).starts_with('(') => !pool.text(*t).contains(&ranked),
                _ => args.len() > 2,
            }
        }
        // z3 does not find selectors of parametric datatypes as indices.
        "update-field" => {
            matches!(indices, [Index::Function(f)] if whom.z3 && !pool.fun(*f).type_params.is_empty())
        }
        // cvc5 has joins over two or more pairs of columns wrong: `((_ table.join 0 0 1 1) (bag (tuple 1 2) 1) (bag
        // (tuple 1 3) 1))` is empty, for no row agrees in both.
        "table.join" | "rel.table_join" => whom.cvc5 && indices.len() > 2,
        // cvc5 aborts when the function is a table for it, as `(lambda ((x Int)) true)` is.
        "bag.all" | "bag.some" | "bag.partition" | "table.aggr" => whom.cvc5 && !computes(pool, args[0]),
        _ => false,
    }
}

/// Whether an operator is applied to a variable in the body of a function.
fn computes(pool: &Pool, function: TermId) -> bool {
    let is_variable = |&a: &TermId| matches!(pool.node(a).head, Head::Variable(_));
    let mut left = pool.args(function).to_vec();
    while let Some(term) = left.pop() {
        let args = pool.args(term);
        if args.iter().any(is_variable) {
            return true;
        }
        left.extend_from_slice(args);
    }
    false
}

/// Operators that a solver is not asked about: it does not answer, or takes the rest of its batch with it.
pub const UNANSWERED: &[(&str, &str)] = &[
    // Without a limit of time z3 does not end on `(exp 0.0)`.
    ("z3", "exp"),
    // cvc5 does not know these even at 0 and 1.
    ("cvc5", "arctan"),
    ("cvc5", "arccos"),
    // Asked twice for `(arcsin 0.0)` in one process, cvc5 does not end, nor does it keep to its limit of time.
    ("cvc5", "arcsin"),
];

/// A disagreement that is the solver's mistake.
pub struct Mistake {
    /// Whose.
    pub solver: &'static str,
    /// The operators that are all in the term.
    pub operators: &'static [&'static str],
    /// What it does, and why it is not us.
    #[expect(dead_code, reason = "for people")]
    pub why: &'static str,
}

/// Mistakes of z3 5.4.0 and cvc5 1.4.2.
pub const MISTAKES: &[Mistake] = &[
    Mistake {
        solver: "z3",
        operators: &["const", "select", "setminus"],
        why: "an array that is indexed by a set over two bits: z3 turns `(setminus a b)` into `(_ map and)` of stores over \
              constant arrays, does not see that {10, 11} is not empty, and says sat with the element of the empty set",
    },
    Mistake {
        solver: "cvc5",
        operators: &["/_total", "sqrt"],
        why: "`(and (= (* y y) 0.0) (not (= (/_total z y) 0.0)))` is sat with y = z = 0.0, its own model: `/_total` is \
              only computed for divisors that are constants from the start",
    },
    Mistake {
        solver: "z3",
        operators: &["tanh"],
        why: "`(not (= (tanh 0.0) 0.0))` and `(not (= (asin 0.0) 0.0))` are unsat, `(not (= (asin (tanh 0.0)) 0.0))` is \
              sat: it contradicts itself",
    },
    Mistake { solver: "z3", operators: &["const", "store", "subset"], why: SUBSET },
    Mistake { solver: "z3", operators: &["const", "map", "store"], why: SUBSET },
    Mistake {
        solver: "cvc5",
        operators: &["@", "piand"],
        why: "`(and (= k (- 1)) (not (= (piand k k k) 0)))` is sat, `(not (= (piand (- 1) (- 1) (- 1)) 0))` unsat: it \
              contradicts itself where the width is negative and not a constant from the start",
    },
    Mistake {
        solver: "cvc5",
        operators: &["const", "eqrange", "ite", "store"],
        why: "the array that is true but at #b11 may be equal to `(select (ite p all-true all-false) i)`: its support \
              of equal constant arrays has holes, of which it only sometimes says so",
    },
    // {-1, 1} and {-1, 2} have -1 in common, and nothing else.
    Mistake { solver: "z3", operators: &["set.singleton", "set.size", "set.union"], why: FINITE_SETS },
    Mistake { solver: "z3", operators: &["set.difference", "set.singleton", "set.union"], why: FINITE_SETS },
];

const FINITE_SETS: &str = "`(set.size (set.intersect (set.union (set.singleton (- 1)) (set.singleton 1)) (set.union \
                           (set.singleton (- 1)) (set.singleton 2))))` may be 1 and may be something else: it says sat \
                           to both, though no symbol is free";

const SUBSET: &str = "the set of all but #b11 is a subset of {#b00}, that is `(= ((_ map and) a b) a)`, while it says \
                      that both sides differ at #b01: it contradicts itself where indices are few";
