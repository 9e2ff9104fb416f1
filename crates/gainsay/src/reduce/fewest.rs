//! Leaving out parts of what a case is made of, as long as what the others make is wanted.

use rustc_hash::FxHashSet;

use super::Until;
use crate::case::Case;
use crate::solver::SolverError;

/// What some parts make: edits, or commands of a seed.
pub struct Fewer<T> {
    /// What is known of the case.
    pub of: T,
    /// The text of its script.
    pub text: String,
}

/// What the fewest parts make that will do.
pub struct Fewest<T> {
    /// What is known of the case.
    pub of: T,
    /// How many parts it takes.
    pub kept: usize,
    /// How many candidates were tried.
    pub tried: u64,
    /// Whether the time ended before all was tried.
    pub cut_short: bool,
}

/// How parts are left out.
///
/// `make` makes the case and its text of some parts. `ask` is asked of several cases at a time, in order, and the first that is
/// wanted is taken, so that their number changes nothing.
pub struct LeavingOut<'a, M, A> {
    /// How many cases are asked about at a time.
    pub at_a_time: usize,
    /// The time at which it ends.
    pub until: Until<'a>,
    /// Makes a case of some parts.
    pub make: M,
    /// Says of each case what is known of it if it is wanted.
    pub ask: A,
}

/// Candidates that are asked about at the same time.
#[derive(Default)]
struct Batch {
    /// The first part that each candidate lacks, and its text.
    places: Vec<(usize, String)>,
    cases: Vec<Case>,
    /// The first part that no candidate lacks.
    next: usize,
}

/// Some parts without a few.
fn without<E: Copy>(parts: &[E], from: usize, count: usize) -> Vec<E> {
    let mut fewer = parts.to_vec();
    fewer.drain(from..(from + count).min(parts.len()));
    fewer
}

impl<M, A> LeavingOut<'_, M, A> {
    /// Leaves out as many parts as possible.
    pub fn fewest<E: Copy, T>(mut self, parts: &[E], whole: Fewer<T>) -> Result<Fewest<T>, SolverError>
    where
        M: Fn(&[E]) -> Option<(Case, String)>,
        A: FnMut(Vec<Case>) -> Vec<Result<Option<T>, SolverError>>,
    {
        let mut kept = parts.to_vec();
        let Fewer { of, mut text } = whole;
        let mut best = Fewest { of, kept: 0, tried: 0, cut_short: false };
        let mut rejected: FxHashSet<String> = FxHashSet::default();
        let mut chunk = kept.len();
        'all: while chunk > 0 {
            let mut at = 0;
            while at < kept.len() {
                let is_new = |new: &String| !rejected.contains(new);
                let Batch { places, cases, next } = self.batch(&kept, (at, chunk), &text, is_new);
                at = next;
                if cases.is_empty() {
                    if at < kept.len() {
                        kept = without(&kept, at, chunk);
                    }
                    continue;
                }
                if self.until.is_over() {
                    best.cut_short = true;
                    break 'all;
                }
                best.tried += cases.len() as u64;
                let answers = (self.ask)(cases);
                if self.until.is_stopped() {
                    // The solvers may have been stopped, too.
                    best.cut_short = true;
                    break 'all;
                }
                for (answer, (place, new)) in answers.into_iter().zip(places) {
                    if let Some(of) = answer? {
                        (best.of, text, kept, at) = (of, new, without(&kept, place, chunk), place);
                        break;
                    }
                    rejected.insert(new);
                }
            }
            chunk = (chunk / 2).min(kept.len());
        }
        best.kept = kept.len();
        Ok(best)
    }

    /// The next candidates, each of which lacks a chunk of the parts. A chunk that changes nothing ends them: what is before it is
    /// asked about first.
    fn batch<E: Copy>(
        &self,
        kept: &[E],
        (at, chunk): (usize, usize),
        text: &str,
        is_new: impl Fn(&String) -> bool,
    ) -> Batch
    where
        M: Fn(&[E]) -> Option<(Case, String)>,
    {
        let mut batch = Batch { next: at, ..Batch::default() };
        while batch.next < kept.len() && batch.cases.len() < self.at_a_time.max(1) {
            let made = (self.make)(&without(kept, batch.next, chunk));
            if made.as_ref().is_some_and(|(_, new)| new == text) {
                break;
            }
            if let Some((case, new)) = made.filter(|(_, new)| is_new(new)) {
                batch.places.push((batch.next, new));
                batch.cases.push(case);
            }
            batch.next += chunk;
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::case::{Edit, Lineage, Place, Rule};

    fn edit(new: &str) -> Edit {
        let place = Place { command: 0, term: 0, path: Vec::new() };
        Edit { place, old: String::new(), new: new.to_owned(), rule: Rule::Term }
    }

    /// Drops edits as long as the text of the others contains all these words, so many candidates at a time; the text, how many
    /// edits it takes, how many candidates were tried, whether it was cut short.
    fn left(all: &[Edit], words: &[&str], jobs: usize, until: Until<'_>) -> (String, usize, u64, bool) {
        let all: Vec<&Edit> = all.iter().collect();
        let text = |some: &[&Edit]| some.iter().map(|e| e.new.as_str()).collect::<String>();
        let make = |some: &[&Edit]| {
            let script =
                smt::read(format!("(set-info :of \"{}\")", text(some)).as_bytes()).expect("readable");
            let (others, claims, lineage) = (Vec::new(), Vec::new(), Lineage::default());
            Some((Case { script, others, claims, lineage }, text(some)))
        };
        let ask = |cases: Vec<Case>| {
            assert!(!cases.is_empty() && cases.len() <= jobs);
            let wanted = |case: &Case| {
                let text = case.text();
                Ok(words.iter().all(|word| text.contains(word)).then_some(text))
            };
            cases.iter().map(wanted).collect()
        };
        let first = Fewer { of: String::new(), text: text(&all) };
        let search = LeavingOut { at_a_time: jobs, until, make, ask };
        let Ok(found) = search.fewest(&all, first) else { panic!("nothing fails") };
        (found.of, found.kept, found.tried, found.cut_short)
    }

    #[test]
    fn as_few_edits_as_will_do() {
        let all: Vec<Edit> = ["A", "B", "", "C", "D", "E", "F", ""].map(edit).to_vec();
        // (what must stay, what is left, how many edits that takes)
        let rows: &[(&[&str], &str, usize)] = &[
            (&[], "", 0),
            (&["C"], "C", 1),
            (&["A", "F"], "AF", 2),
            (&["BCD"], "BCD", 3),
            (&["ABCDEF"], "", 6),
            (&["never"], "", 6),
        ];
        for (words, text, kept) in rows {
            let (one, count, tried, cut_short) = left(&all, words, 1, Until::default());
            assert!(!cut_short && tried > 0 && tried < 30, "{words:?}: {tried}");
            assert!(one.contains(&format!("\"{text}\"")) || text.is_empty(), "{words:?}: {one}");
            assert_eq!(count, *kept, "{words:?}: {one}");
            for jobs in [2, 3, 8] {
                let (several, count, ..) = left(&all, words, jobs, Until::default());
                assert_eq!((several, count), (one.clone(), *kept), "{words:?} with {jobs}");
            }
        }
        let until = Until::within(Some(Duration::ZERO), None);
        assert_eq!(left(&all, &["C"], 2, until), (String::new(), 8, 0, true));
    }
}
