//! The terms of names that were read before.

use super::scope::Meaning;
use crate::symbol::Symbol;
use crate::term::TermId;

/// For each spelling of a variable or constant, its last meaning, and the term that it was then. Most names of a
/// script occur many times, and their terms need no search in the pool.
#[derive(Default)]
pub(super) struct Atoms {
    known: Vec<(Meaning, TermId)>,
}

impl Atoms {
    /// The term of a variable or constant, if it had this meaning the last time.
    #[inline]
    pub fn get(&self, spelling: Symbol, meaning: Meaning) -> Option<TermId> {
        let &(known, term) = self.known.get(spelling.0 as usize)?;
        (known == meaning && known != Meaning::None).then_some(term)
    }

    /// Remembers the term of a variable or constant.
    pub fn keep(&mut self, spelling: Symbol, meaning: Meaning, term: TermId) {
        let place = spelling.0 as usize;
        if place >= self.known.len() {
            self.known.resize((place + 1).next_power_of_two(), (Meaning::None, term));
        }
        self.known[place] = (meaning, term);
    }
}
