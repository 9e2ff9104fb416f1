//! Searches that found no model, kept for later trials: a confirmation and a reduction ask about one formula again and again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::attempt::SearchEnd;
use super::declared::{declarations, header};
use super::derived::Searched;

/// So many searches are kept. A confirmation needs one for each check.
const KEPT: usize = 64;

/// What came of searches without a model, by the formula. A model belongs to the terms of one script, and is found soon.
#[derive(Debug, Default)]
pub struct Searches(Mutex<BTreeMap<String, Fruitless>>);

/// A search that found no model.
#[derive(Clone, Debug)]
enum Fruitless {
    Unsat(u64),
    Undecided(SearchEnd),
}

/// The formula of a check as text, by which it is the same without the line with the logic.
pub fn formula(script: &smt::Script, query: &smt::Query) -> String {
    let mut text = header(script) + &declarations(script, query.command, |_, _| true);
    for &term in &query.assertions {
        text.push_str(&smt::write_term(&script.pool, term));
        text.push('\n');
    }
    text
}

impl Searches {
    /// What a search for a model of a formula finds: what is known of it, or what `search` finds now.
    pub fn get(&self, formula: String, search: impl FnOnce() -> Searched) -> Searched {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match lock().get(&formula) {
            Some(Fruitless::Unsat(assignments)) => return Searched::Unsat { assignments: *assignments },
            Some(Fruitless::Undecided(end)) => return Searched::Undecided(end.clone()),
            None => {}
        }
        let found = search();
        let kept = match &found {
            Searched::Sat(_) => return found,
            Searched::Unsat { assignments } => Fruitless::Unsat(*assignments),
            Searched::Undecided(end) => Fruitless::Undecided(end.clone()),
        };
        let mut all = lock();
        if all.len() >= KEPT {
            all.clear();
        }
        all.insert(formula, kept);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_a_model_is_made_once() {
        let searches = Searches::default();
        let text = |logic: &str, bound: u32| {
            let script = format!("{logic}(declare-const x Int)(assert (> x {bound}))(check-sat)");
            let script = smt::read(script.as_bytes()).expect("well-sorted");
            formula(&script, &script.queries()[0])
        };
        let end = || Searched::Undecided(SearchEnd::Open);
        // The formula, and whether it is searched.
        let rows = [
            (text("", 1), true),
            (text("", 1), false),
            (text("(set-logic QF_LIA)", 1), false),
            (text("(set-logic HO_ALL)", 1), true),
            (text("", 2), true),
        ];
        for (formula, is_searched) in rows {
            let mut asked = false;
            let found = searches.get(formula.clone(), || {
                asked = true;
                end()
            });
            assert_eq!(asked, is_searched, "{formula}");
            assert!(matches!(found, Searched::Undecided(SearchEnd::Open)));
        }
        let unsat = || Searched::Unsat { assignments: 7 };
        for _ in 0..2 {
            let found = searches.get(text("", 3), unsat);
            assert!(matches!(found, Searched::Unsat { assignments: 7 }));
        }
    }
}
