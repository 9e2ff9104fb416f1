//! Sets of characters as ranges, and the classes that some sets cannot tell apart.

use rustc_hash::FxHashMap;

use super::fuel::{Fuel, OutOfFuel};
use crate::value::text::LAST;

/// Ascending, disjoint and not touching, both ends included.
pub(super) type Ranges = Box<[(u32, u32)]>;

pub(super) fn holds(ranges: &[(u32, u32)], code: u32) -> bool {
    let after = ranges.partition_point(|&(low, _)| low <= code);
    after > 0 && code <= ranges[after - 1].1
}

/// The union of any ranges, in whatever order.
pub(super) fn unite(mut ranges: Vec<(u32, u32)>) -> Ranges {
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let touch = next.0 <= last.1 + 1;
        if touch {
            last.1 = last.1.max(next.1);
        }
        touch
    });
    ranges.into()
}

/// The intersection of two sets.
pub(super) fn meet(a: &[(u32, u32)], b: &[(u32, u32)]) -> Ranges {
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < a.len() && j < b.len() {
        let (low, high) = (a[i].0.max(b[j].0), a[i].1.min(b[j].1));
        if low <= high {
            out.push((low, high));
        }
        if a[i].1 < b[j].1 { i += 1 } else { j += 1 }
    }
    out.into()
}

/// The alphabet cut into classes that each given set takes whole or not at all.
pub(super) struct Classes {
    /// Where each interval begins; the first begins at 0.
    starts: Vec<u32>,
    /// The class of each interval.
    class: Vec<u32>,
    /// The least character of each class.
    least: Vec<u32>,
}

impl Classes {
    pub(super) fn new(sets: &[&[(u32, u32)]], fuel: &mut Fuel) -> Result<Self, OutOfFuel> {
        fuel.burn(1 + sets.iter().map(|set| set.len()).sum::<usize>())?;
        let mut starts = vec![0];
        for &(low, high) in sets.iter().copied().flatten() {
            starts.push(low);
            starts.push(high + 1);
        }
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start <= LAST);

        // Refine: each set splits every class it cuts.
        let mut class = vec![0; starts.len()];
        let mut fresh = 1;
        for set in sets {
            let mut inside = FxHashMap::default();
            for &(low, high) in *set {
                let from = starts.partition_point(|&start| start < low);
                let upto = starts.partition_point(|&start| start <= high);
                fuel.burn(upto - from)?;
                for class in &mut class[from..upto] {
                    *class = *inside.entry(*class).or_insert_with(|| {
                        fresh += 1;
                        fresh - 1
                    });
                }
            }
        }

        // Number the classes by their least character.
        let mut least = Vec::new();
        let mut number = FxHashMap::default();
        for (&start, class) in starts.iter().zip(&mut class) {
            *class = *number.entry(*class).or_insert_with(|| {
                least.push(start);
                least.len() as u32 - 1
            });
        }
        Ok(Self { starts, class, least })
    }

    /// The least character of the class of `code`.
    pub(super) fn representative(&self, code: u32) -> u32 {
        let interval = self.starts.partition_point(|&start| start <= code) - 1;
        self.least[self.class[interval] as usize]
    }

    /// The least character of each class.
    pub(super) fn representatives(&self) -> &[u32] {
        &self.least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_in_normal_form() {
        assert_eq!(*unite(vec![(5, 6), (0, 1), (2, 3), (6, 9)]), [(0, 3), (5, 9)]);
        assert_eq!(*unite(vec![(0, 9), (2, 3)]), [(0, 9)]);
        assert_eq!(*unite(vec![]), []);
    }

    #[test]
    fn meets_are_in_normal_form() {
        assert_eq!(*meet(&[(0, 3), (5, 9)], &[(2, 6), (8, 8)]), [(2, 3), (5, 6), (8, 8)]);
        assert_eq!(*meet(&[(0, 3)], &[(4, 6)]), []);
    }

    #[test]
    fn classes_are_what_no_set_tells_apart() {
        let sets: [&[_]; 3] = [&[(10, 19), (30, 39)], &[(15, 19)], &[(0, LAST)]];
        let classes = Classes::new(&sets, &mut Fuel::new(1000)).expect("enough fuel");
        assert_eq!(classes.representatives(), [0, 10, 15]);
        for (code, least) in
            [(0, 0), (9, 0), (10, 10), (14, 10), (15, 15), (19, 15), (20, 0), (30, 10), (40, 0)]
        {
            assert_eq!(classes.representative(code), least, "{code}");
        }
        assert_eq!(classes.representative(LAST), 0);
        for set in sets {
            for code in 0..50 {
                assert_eq!(holds(set, code), holds(set, classes.representative(code)));
            }
        }
    }
}
