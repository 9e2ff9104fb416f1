//! The texts of the terms of a seed: each is printed once and copied from then on.

use smt::{Head, Pool, TermId};

/// By term of a seed: its text, if it was needed before.
#[derive(Debug, Default)]
pub(in crate::strategy) struct TermTexts(Vec<Option<Box<str>>>);

impl TermTexts {
    /// The texts of the terms that a pool has now. Terms that come later are printed from these.
    pub fn of(pool: &Pool) -> TermTexts {
        TermTexts(vec![None; pool.term_count() as usize])
    }

    /// Appends the text of a term, which may be new.
    pub fn write(&mut self, pool: &Pool, term: TermId, out: &mut Vec<u8>) {
        if let Some(known) = self.0.get_mut(term.index()) {
            let text = known.get_or_insert_with(|| smt::write_term(pool, term).into());
            out.extend_from_slice(text.as_bytes());
            return;
        }
        let node = pool.node(term);
        match node.head {
            _ if pool.args(term).is_empty() => out.extend_from_slice(pool.bytes(node.name)),
            // Only what a rule has built is new, so this recursion is no deeper than rules are.
            Head::Op(..) | Head::Fun(_) => {
                out.push(b'(');
                out.extend_from_slice(pool.bytes(node.name));
                for &arg in pool.args(term) {
                    out.push(b' ');
                    self.write(pool, arg, out);
                }
                out.push(b')');
            }
            _ => out.extend_from_slice(smt::write_term(pool, term).as_bytes()),
        }
    }
}
