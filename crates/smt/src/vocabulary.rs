//! The words that every pool has from the start: those of the language, and the names of the operators.
//!
//! Pools know nothing of operators. This file joins pools and the table.

use std::sync::LazyLock;

use crate::pool::Pool;
use crate::symbol::{Symbol, spelled, word};
use crate::theory::{OpId, table};

/// How many names of its own a script may have before a copy of [`START`] must hash all words again.
const ROOM: usize = 400;

/// The pool of which every new pool is a copy.
static START: LazyLock<Pool> = LazyLock::new(|| {
    let mut pool = Pool::with_words(word::ALL.iter().copied().chain(table().names()));
    pool.reserve_words(ROOM);
    pool
});

impl Pool {
    /// A pool that holds the words of the language and nothing of any script.
    pub fn new() -> Self {
        START.clone()
    }

    /// A new pool with room for what a source of so many bytes is likely to hold.
    pub(crate) fn for_source(bytes: usize) -> Self {
        let mut pool = START.clone();
        pool.reserve_for_source(bytes);
        pool
    }
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

/// The rows of the operators that a symbol names.
#[inline]
pub(crate) fn rows_of(symbol: Symbol) -> &'static [OpId] {
    static ROWS: LazyLock<Vec<&'static [OpId]>> =
        LazyLock::new(|| (0..START.symbol_count()).map(|i| table().named(START.text(Symbol(i)))).collect());
    ROWS.get(symbol.0 as usize).copied().unwrap_or(&[])
}

/// How an operator without indices is spelled, if that is in every pool from the start.
#[inline]
pub(crate) fn spelled_alone(op: OpId) -> Option<Symbol> {
    static SPELLED: LazyLock<Vec<Option<Symbol>>> = LazyLock::new(|| {
        let spelled = |op| START.find(&spelled(table().op(op).name));
        table().ids().map(spelled).collect()
    });
    SPELLED[op.index()]
}
