//! Choices: all random decisions of a series. They are drawn from one number, recorded, and can be repeated from the record.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// The source of the random decisions of a series. Each decision is recorded, so that it can be repeated, or repeated with
/// smaller numbers.
#[derive(Clone, Debug)]
pub struct Choices {
    source: Source,
    made: Vec<u64>,
}

#[derive(Clone, Debug)]
enum Source {
    Drawn(Box<ChaCha8Rng>),
    /// A record. When it ends, every further choice is 0, the smallest one.
    Recorded(std::vec::IntoIter<u64>),
}

impl Choices {
    /// The choices of series `series` of the campaign with number `draw`, for a purpose (the strategy's name).
    pub fn drawn(draw: u64, purpose: &str, series: u64) -> Choices {
        let mut hash = Sha256::new();
        hash.update(b"gainsay 1\0");
        hash.update(draw.to_le_bytes());
        hash.update(series.to_le_bytes());
        hash.update(purpose.as_bytes());
        let rng = ChaCha8Rng::from_seed(hash.finalize().into());
        Choices { source: Source::Drawn(Box::new(rng)), made: Vec::new() }
    }

    /// Choices that repeat a record.
    pub fn recorded(made: Vec<u64>) -> Choices {
        Choices { source: Source::Recorded(made.into_iter()), made: Vec::new() }
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let number = match &mut self.source {
            _ if bound <= 1 => 0,
            // A product's upper half: as even as 64 bits allow, and the same on every machine.
            Source::Drawn(rng) => ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64,
            Source::Recorded(made) => made.next().unwrap_or(0).min(bound - 1),
        };
        if bound > 1 {
            self.made.push(number);
        }
        number
    }

    /// One of these items; none if there is no item.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len() as u64) as usize)
    }

    /// True in `part` of `whole` cases.
    pub fn happens(&mut self, part: u64, whole: u64) -> bool {
        self.below(whole) >= whole.saturating_sub(part)
    }

    /// The record of the choices since the last [`Choices::forget_made`].
    pub fn made(&self) -> &[u64] {
        &self.made
    }

    /// Forgets the choices made so far: the next record begins here.
    pub fn forget_made(&mut self) {
        self.made.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(choices: &mut Choices) -> Vec<u64> {
        (1..12).map(|n| choices.below(n * n)).collect()
    }

    #[test]
    fn a_number_and_a_series_decide_everything() {
        // The stream itself is part of the promise: campaigns must be reproducible by later releases.
        assert_eq!(some(&mut Choices::drawn(7, "seeds", 3)), STREAM);
        assert_ne!(some(&mut Choices::drawn(7, "seeds", 4)), STREAM);
        assert_ne!(some(&mut Choices::drawn(8, "seeds", 3)), STREAM);
        assert_ne!(some(&mut Choices::drawn(7, "other", 3)), STREAM);
    }

    const STREAM: [u64; 11] = [0, 3, 2, 5, 0, 18, 8, 15, 16, 7, 55];

    #[test]
    fn what_was_made_can_be_made_again() {
        let mut first = Choices::drawn(1, "x", 1);
        let numbers = some(&mut first);
        assert_eq!(some(&mut Choices::recorded(first.made().to_vec())), numbers);
        // A record that is too short or too large gives the smallest or largest choice, never an end.
        assert_eq!(some(&mut Choices::recorded(vec![9])), [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn all_of_a_few_are_picked() {
        let mut choices = Choices::drawn(1, "x", 1);
        let mut seen = [0; 3];
        (0..3000).for_each(|_| seen[*choices.pick(&[0, 1, 2]).expect("not empty")] += 1);
        assert!(seen.iter().all(|&n| n > 900), "{seen:?}");
        assert_eq!(choices.pick::<u8>(&[]), None);
        assert_eq!((0..4000).filter(|_| choices.happens(1, 4)).count() / 100, 10);
    }
}
