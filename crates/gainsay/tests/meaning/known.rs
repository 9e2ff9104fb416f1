//! What solvers are known to have wrong, so that only what is new is heard. Each entry says why it is the solver.

use smt::{Index, Pool, TermId};

use crate::draw::For;

/// Terms that are not asked because a solver falls over them and the rest of its batch with it.
pub fn avoided(pool: &Pool, name: &'static str, indices: &[Index], args: &[TermId], whom: For) -> bool {
    let _ = (pool, name, indices, args, whom);
    false
}

/// A disagreement that is the solver's mistake.
pub struct Mistake {
    /// Whose.
    pub solver: &'static str,
    /// The operators that are all in the term.
    pub operators: &'static [&'static str],
    /// What it does, and why it is not us.
    pub why: &'static str,
}

/// Mistakes of z3 5.4.0 and cvc5 1.4.2.
pub const MISTAKES: &[Mistake] = &[];
