//! A seed together with the answers of the solvers of a campaign to its checks.

use std::sync::Arc;

use super::Seed;
use crate::case::Answer;

/// A seed, and what the solvers of the campaign answered to it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The seed.
    pub seed: Arc<Seed>,
    /// The answers to its checks, once for each group of solvers that do not contradict each other. There is one list if all
    /// solvers agree, and none if no solver was asked.
    pub opinions: Vec<Vec<Answer>>,
}

impl Asked {
    /// A seed that no solver was asked.
    pub fn unasked(seed: Arc<Seed>) -> Asked {
        Asked { seed, opinions: Vec::new() }
    }

    /// A seed to which all solvers give these answers.
    pub fn agreed(seed: Arc<Seed>, answers: Vec<Answer>) -> Asked {
        Asked { seed, opinions: vec![answers] }
    }

    /// A seed with the answers of each solver. A solver that contradicts all solvers before it has an opinion of its own; every
    /// other solver adds what it knows to the opinions that it does not contradict.
    pub fn by_solvers(seed: Arc<Seed>, answers: &[Vec<Answer>]) -> Asked {
        let mut opinions: Vec<Vec<Answer>> = Vec::new();
        for given in answers {
            let mut is_new = true;
            for opinion in &mut opinions {
                if opinion.iter().zip(given).any(|(one, other)| one.contradicts(*other)) {
                    continue;
                }
                is_new = false;
                opinion.resize(opinion.len().max(given.len()), Answer::Unknown);
                for (known, answer) in opinion.iter_mut().zip(given).filter(|(k, _)| **k == Answer::Unknown) {
                    *known = *answer;
                }
            }
            if is_new {
                opinions.push(given.clone());
            }
        }
        Asked { seed, opinions }
    }

    /// Whether one solver says `sat` and another `unsat` to a check of the seed.
    pub fn is_disputed(&self) -> bool {
        self.opinions.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Keep;

    #[test]
    fn solvers_that_contradict_each_other_have_opinions_of_their_own() {
        use Answer::{Sat, Unknown, Unsat};
        let seed = Arc::new(Seed::read("small", b"(assert true)", Keep::Bare).expect("usable"));
        type Row<'a> = (&'a [&'a [Answer]], &'a [&'a [Answer]]);
        let rows: &[Row] = &[
            (&[], &[]),
            (&[&[Unknown], &[]], &[&[Unknown]]),
            (&[&[Sat], &[Sat]], &[&[Sat]]),
            (&[&[Unknown, Unsat], &[Sat, Unknown]], &[&[Sat, Unsat]]),
            (&[&[Sat], &[Unsat]], &[&[Sat], &[Unsat]]),
            (&[&[Sat, Sat], &[Sat, Unsat], &[Unknown, Unsat]], &[&[Sat, Sat], &[Sat, Unsat]]),
            // Who contradicts nobody adds to both opinions.
            (&[&[Sat, Unknown], &[Unsat, Unknown], &[Unknown, Sat]], &[&[Sat, Sat], &[Unsat, Sat]]),
            (&[&[], &[Unsat], &[Sat]], &[&[Unsat], &[Sat]]),
        ];
        for (answers, expected) in rows {
            let answers: Vec<_> = answers.iter().map(|given| given.to_vec()).collect();
            let asked = Asked::by_solvers(Arc::clone(&seed), &answers);
            assert_eq!(asked.opinions, *expected, "{answers:?}");
            assert_eq!(asked.is_disputed(), expected.len() > 1, "{answers:?}");
        }
    }
}
