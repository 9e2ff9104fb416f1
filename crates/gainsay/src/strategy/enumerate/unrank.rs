//! Unranking: from a number to the formula of that number, without making the others.
//!
//! The order is that of Winterer and Su (OOPSLA 2024): by size, within a size by alternative, within an alternative by the
//! size of all but the last symbol, and then the last symbol varies fastest.

use std::ops::SubAssign;
use std::sync::{RwLock, RwLockReadGuard};

use dashu_base::DivRem;
use dashu_int::UBig;

use super::count::{Counts, Piece, Plan, TOO_LARGE, Table};
use super::grammar::{BadGrammar, Grammar};

/// The largest size that is counted. A language that needs more has few formulas of each size.
const MOST_SIZES: usize = 8192;

/// A part of a formula that is not written yet.
enum Entry<'a> {
    /// Text of the grammar.
    Text(&'a str),
    /// The text of this number among those of a symbol and a size.
    Small(usize, usize, u64),
    /// The same for numbers above 64 bits.
    Big(usize, usize, UBig),
}

/// The numbers that texts are counted with: `u64` where all counts fit, else `UBig`.
trait Number: Default + Ord + From<u8> + for<'a> SubAssign<&'a Self> {
    /// The counts in this type.
    fn table(counts: &Counts) -> &Table<Self>;
    /// The part of this number among the texts of a symbol and a size.
    fn entry<'a>(self, counts: &Counts, symbol: usize, size: usize) -> Entry<'a>;
    /// The product of two numbers.
    fn times(&self, other: &Self) -> Self;
    /// The quotient and the remainder of a division.
    fn divided(&self, by: &Self) -> (Self, Self);
}

impl Number for u64 {
    fn table(counts: &Counts) -> &Table<u64> {
        &counts.small
    }

    fn entry<'a>(self, _: &Counts, symbol: usize, size: usize) -> Entry<'a> {
        Entry::Small(symbol, size, self)
    }

    fn times(&self, other: &u64) -> u64 {
        self * other
    }

    fn divided(&self, by: &u64) -> (u64, u64) {
        (self / by, self % by)
    }
}

impl Number for UBig {
    fn table(counts: &Counts) -> &Table<UBig> {
        &counts.big
    }

    fn entry<'a>(self, counts: &Counts, symbol: usize, size: usize) -> Entry<'a> {
        match u64::try_from(&self) {
            Ok(small) if counts.small.symbols[symbol][size] != TOO_LARGE => Entry::Small(symbol, size, small),
            _ => Entry::Big(symbol, size, self),
        }
    }

    fn times(&self, other: &UBig) -> UBig {
        self * other
    }

    fn divided(&self, by: &UBig) -> (UBig, UBig) {
        self.div_rem(by)
    }
}

/// Writes the text of a number among those of a symbol and a size, where all counts fit 64 bits.
fn write_small(plan: &Plan, counts: &Counts, (symbol, size): (usize, usize), index: u64, out: &mut String) {
    Unranking { plan, counts }.write(Entry::Small(symbol, size, index), out);
}

/// The plan and the counts that formulas are found with.
#[derive(Clone, Copy)]
struct Unranking<'a> {
    plan: &'a Plan,
    counts: &'a Counts,
}

impl<'a> Unranking<'a> {
    /// Writes a part and everything below it.
    fn write(self, entry: Entry<'a>, out: &mut String) {
        let mut stack = vec![entry];
        let start = out.len();
        while let Some(entry) = stack.pop() {
            let text = match entry {
                Entry::Text(text) => text,
                Entry::Small(symbol, size, index) => {
                    match self.counts.written[symbol].get(size).and_then(Option::as_ref) {
                        Some(written) => written.get(index),
                        None => {
                            self.open(symbol, size, index, &mut stack);
                            continue;
                        }
                    }
                }
                Entry::Big(symbol, size, index) => {
                    self.open(symbol, size, index, &mut stack);
                    continue;
                }
            };
            if out.len() > start {
                out.push(' ');
            }
            out.push_str(text);
        }
    }

    /// How the text of a number of a product is made: the size and the number of all but the last symbol, and the number of the
    /// last.
    fn split<N: Number>(self, (before, last): (usize, usize), size: usize, mut index: N) -> (usize, N, N) {
        let (table, none) = (N::table(self.counts), N::default());
        for first in 0..=size {
            let left = table.product(self.plan, before, first);
            let right = &table.symbols[last][size - first];
            if *left == none || *right == none {
                continue;
            }
            let block = left.times(right);
            if index < block {
                let (rest, own) = index.divided(right);
                return (first, rest, own);
            }
            index -= &block;
        }
        unreachable!("an index is below the count of its product and size");
    }

    /// Puts the parts of a text on the stack, the first on top.
    fn open<N: Number>(self, symbol: usize, size: usize, mut index: N, stack: &mut Vec<Entry<'a>>) {
        let Unranking { plan, counts } = self;
        let table = N::table(counts);
        for choice in &plan.symbols[symbol] {
            let Some(mut size) = size.checked_sub(choice.cost) else { continue };
            let Some(mut product) = choice.product else {
                if size > 0 {
                    continue;
                }
                if index == N::default() {
                    stack.extend(choice.pieces.iter().filter_map(text));
                    return;
                }
                index -= &N::from(1);
                continue;
            };
            let count = table.product(plan, product, size);
            if index >= *count {
                index -= count;
                continue;
            }
            for piece in choice.pieces.iter().rev() {
                let Piece::Symbol(last) = piece else {
                    stack.extend(text(piece));
                    continue;
                };
                let Some(before) = plan.products[product].before else {
                    // Only text stands before it.
                    stack.push(std::mem::take(&mut index).entry(counts, *last, size));
                    continue;
                };
                let (first, rest, own) = self.split((before, *last), size, index);
                stack.push(own.entry(counts, *last, size - first));
                (index, size, product) = (rest, first, before);
            }
            return;
        }
        unreachable!("an index is below the count of its symbol and size");
    }
}

fn text(piece: &Piece) -> Option<Entry<'_>> {
    match piece {
        Piece::Text(text) => Some(Entry::Text(text)),
        Piece::Symbol(_) => None,
    }
}

/// The formulas of a grammar, each by its number.
pub struct Formulas {
    name: String,
    plan: Plan,
    counts: RwLock<Counts>,
}

impl Formulas {
    /// The formulas of a grammar.
    pub fn of(grammar: &Grammar) -> Result<Formulas, BadGrammar> {
        let plan = Plan::of(grammar)?;
        let counts = RwLock::new(Counts::new(&plan));
        Ok(Formulas { name: grammar.name.clone(), plan, counts })
    }

    /// The grammar's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The largest size there is; none if there is no largest.
    pub fn largest(&self) -> Option<usize> {
        self.plan.largest
    }

    /// How many formulas of a size there are; none if the size is too large to be counted.
    pub fn count(&self, size: usize) -> Option<UBig> {
        if self.plan.largest.is_some_and(|largest| size > largest) {
            return Some(UBig::ZERO);
        }
        let counts = self.counted(|counts| counts.sizes() > size)?;
        Some(counts.big.symbols[self.plan.start][size].clone())
    }

    /// The number of the first formula of a size, or of a larger one if there is none.
    pub fn first_of(&self, size: usize) -> Option<UBig> {
        let Some(before) = size.checked_sub(1) else { return Some(UBig::ZERO) };
        let before = self.plan.largest.map_or(before, |largest| before.min(largest));
        let counts = self.counted(|counts| counts.sizes() > before)?;
        Some(counts.ends[before].clone())
    }

    /// The size of formula number `index`; none if there is no such formula.
    pub fn size(&self, index: &UBig) -> Option<usize> {
        let counts = self.counted(|counts| counts.ends.last().is_some_and(|end| index < end))?;
        Some(counts.ends.partition_point(|end| end <= index))
    }

    /// Formula number `index`, from 0; none if there is no such formula.
    pub fn at(&self, index: &UBig) -> Option<String> {
        let mut out = String::new();
        self.write(index, &mut out).then_some(out)
    }

    /// Adds formula number `index` to a text; false if there is no such formula.
    pub fn write(&self, index: &UBig, out: &mut String) -> bool {
        let Some(counts) = self.counted(|counts| counts.ends.last().is_some_and(|end| index < end)) else {
            return false;
        };
        let size = counts.ends.partition_point(|end| end <= index);
        let start = self.plan.start;
        let entry = match size.checked_sub(1) {
            None => index.clone().entry(&counts, start, size),
            Some(before) => (index - &counts.ends[before]).entry(&counts, start, size),
        };
        Unranking { plan: &self.plan, counts: &counts }.write(entry, out);
        true
    }

    /// The counts, extended until `enough` is true; none if it never is.
    fn counted(&self, enough: impl Fn(&Counts) -> bool) -> Option<RwLockReadGuard<'_, Counts>> {
        loop {
            let counts = self.counts.read().expect("counting does not panic");
            if enough(&counts) {
                return Some(counts);
            }
            drop(counts);
            let mut counts = self.counts.write().expect("counting does not panic");
            while !enough(&counts) {
                let most = self.plan.largest.map_or(MOST_SIZES, |largest| MOST_SIZES.min(largest + 1));
                if counts.sizes() >= most {
                    return None;
                }
                counts.grow(&self.plan, write_small);
            }
        }
    }
}
