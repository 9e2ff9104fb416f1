//! What solvers are known to have wrong, so that only what is new is heard. Each entry says why it is the solver.

use smt::{Index, Pool, Sort, TermId, sort_text};

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
            let text = |symbol| pool.text(symbol);
            matches!(indices, [Index::Text(t)] if text(*t).starts_with('(') && !text(*t).contains(&ranked))
        }
        // z3 does not find selectors of parametric datatypes as indices.
        "update-field" => {
            matches!(indices, [Index::Function(f)] if whom.z3 && !pool.fun(*f).type_params.is_empty())
        }
        _ => false,
    }
}

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
pub const MISTAKES: &[Mistake] = &[];
