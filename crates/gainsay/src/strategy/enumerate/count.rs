//! Counting: how many texts of each size a grammar's rules derive, by dynamic programming.
//!
//! The size of a text is the sum of the costs of the alternatives that derive it. The texts of a sequence are counted from
//! the left: those of all but its last member, times those of the last.

use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::grammar::{BadGrammar, Grammar, Item, START};

/// The largest size for which the texts of symbols with few texts are stored, for speed.
const WRITTEN_SIZE: usize = 8;
const WRITTEN_COUNT: u64 = 4096;
/// The mark of a count that does not fit into 64 bits.
pub(super) const TOO_LARGE: u64 = u64::MAX;

/// A part of an alternative. Rules that derive one text only have become that text.
#[derive(Debug)]
pub(super) enum Piece {
    Text(Box<str>),
    Symbol(usize),
}

/// One alternative of a symbol.
#[derive(Debug)]
pub(super) struct Choice {
    pub cost: usize,
    pub pieces: Vec<Piece>,
    /// The sequence of its symbols; none if there are none.
    pub product: Option<usize>,
}

/// A sequence of symbols: the sequence before its last member, if there is one, and the last member.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
pub(super) struct Product {
    pub before: Option<usize>,
    pub last: usize,
}

/// A grammar made ready for counting: rules that derive one text only are that text.
#[derive(Debug)]
pub(super) struct Plan {
    pub symbols: Vec<Vec<Choice>>,
    pub products: Vec<Product>,
    pub start: usize,
    /// The symbols, each after those that it leads to without cost.
    order: Vec<usize>,
    /// The largest size there is; none if there is no largest.
    pub largest: Option<usize>,
}

impl Plan {
    pub fn of(grammar: &Grammar) -> Result<Plan, BadGrammar> {
        grammar.check()?;
        let by_name = grammar.by_name();
        let order = grammar.without_cost(&by_name)?;
        let start = by_name[START];
        let fixed = fixed(grammar, &by_name);
        let mut products = Vec::new();
        let mut known = FxHashMap::default();
        let mut symbols = Vec::with_capacity(grammar.rules.len());
        for rule in &grammar.rules {
            let choices = rule.alternatives.iter().map(|alternative| {
                let mut choice = Choice {
                    cost: usize::from(alternative.pays(&rule.name)),
                    pieces: Vec::new(),
                    product: None,
                };
                for item in &alternative.items {
                    match item {
                        Item::Text(text) => choice.write(text),
                        Item::Rule(name, _) => match &fixed[by_name[name.as_str()]] {
                            Some((text, cost)) => {
                                choice.write(text);
                                choice.cost += cost;
                            }
                            None => {
                                let last = by_name[name.as_str()];
                                choice.pieces.push(Piece::Symbol(last));
                                let product = Product { before: choice.product, last };
                                choice.product = Some(*known.entry(product).or_insert_with(|| {
                                    products.push(product);
                                    products.len() - 1
                                }));
                            }
                        },
                    }
                }
                choice
            });
            symbols.push(choices.collect());
        }
        let largest = largest(&symbols, start);
        Ok(Plan { symbols, products, start, order, largest })
    }
}

impl Choice {
    /// Adds a text, after a blank if a text stands before it.
    fn write(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(before)) => *before = format!("{before} {text}").into(),
            _ => self.pieces.push(Piece::Text(text.into())),
        }
    }
}

/// The text and size of each rule that derives one text only, as can be seen without counting.
pub(super) fn fixed(grammar: &Grammar, by_name: &FxHashMap<&str, usize>) -> Vec<Option<(String, usize)>> {
    let mut known: Vec<Option<(String, usize)>> = vec![None; grammar.rules.len()];
    loop {
        let mut more = false;
        for (i, rule) in grammar.rules.iter().enumerate() {
            let [only] = rule.alternatives.as_slice() else { continue };
            if known[i].is_some() {
                continue;
            }
            let parts: Option<Vec<(&str, usize)>> = only
                .items
                .iter()
                .map(|item| match item {
                    Item::Text(text) => Some((text.as_str(), 0)),
                    Item::Rule(name, _) => {
                        known[by_name[name.as_str()]].as_ref().map(|(t, c)| (t.as_str(), *c))
                    }
                })
                .collect();
            if let Some(parts) = parts {
                let cost =
                    usize::from(only.pays(&rule.name)) + parts.iter().map(|part| part.1).sum::<usize>();
                let texts: Vec<&str> = parts.iter().map(|part| part.0).collect();
                known[i] = Some((texts.join(" "), cost));
                more = true;
            }
        }
        if !more {
            return known;
        }
    }
}

/// The largest size that the start derives; none if a symbol comes back to itself.
fn largest(symbols: &[Vec<Choice>], start: usize) -> Option<usize> {
    // Sizes are final once no more change; in a finite language that is so after as many rounds as there are symbols.
    let mut size: Vec<Option<usize>> = vec![None; symbols.len()];
    let reached = reached(symbols, start);
    for _ in 0..=symbols.len() {
        let mut more = false;
        for &i in &reached {
            let one = |choice: &Choice| {
                choice.pieces.iter().try_fold(choice.cost, |sum, piece| match piece {
                    Piece::Text(_) => Some(sum),
                    Piece::Symbol(s) => size[*s].map(|n| sum + n),
                })
            };
            let all: Option<Vec<usize>> = symbols[i].iter().map(one).collect();
            let now = all.and_then(|sizes| sizes.into_iter().max());
            if now != size[i] {
                size[i] = now;
                more = true;
            }
        }
        if !more {
            break;
        }
    }
    size[start]
}

fn reached(symbols: &[Vec<Choice>], start: usize) -> Vec<usize> {
    let mut seen = vec![false; symbols.len()];
    let mut open = vec![start];
    let mut found = Vec::new();
    while let Some(symbol) = open.pop() {
        if !std::mem::replace(&mut seen[symbol], true) {
            found.push(symbol);
            for piece in symbols[symbol].iter().flat_map(|choice| &choice.pieces) {
                if let Piece::Symbol(below) = piece {
                    open.push(*below);
                }
            }
        }
    }
    found
}

/// Counts by size, of symbols and of products of several.
#[derive(Debug, Default)]
pub(super) struct Table<N> {
    pub symbols: Vec<Vec<N>>,
    pub products: Vec<Vec<N>>,
}

impl<N> Table<N> {
    /// How many texts of this size a product has.
    pub fn product(&self, plan: &Plan, product: usize, size: usize) -> &N {
        match plan.products[product] {
            Product { before: None, last } => &self.symbols[last][size],
            Product { before: Some(_), .. } => &self.products[product][size],
        }
    }
}

/// All texts of one symbol and one size.
#[derive(Debug)]
pub(super) struct Written {
    text: String,
    ends: Vec<u32>,
}

impl Written {
    pub fn get(&self, index: u64) -> &str {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }
}

/// The counts of all sizes so far.
#[derive(Debug)]
pub(super) struct Counts {
    pub big: Table<UBig>,
    /// The counts that fit into 64 bits.
    pub small: Table<u64>,
    pub written: Vec<Vec<Option<Written>>>,
    /// How many formulas there are of each size and all smaller ones.
    pub ends: Vec<UBig>,
}

/// Writes the text of a number among those of a symbol and a size.
pub type WriteText = fn(&Plan, &Counts, (usize, usize), u64, &mut String);

impl Counts {
    pub fn new(plan: &Plan) -> Counts {
        fn table<N>(plan: &Plan) -> Table<N> {
            let empty = |n: usize| (0..n).map(|_| Vec::new()).collect();
            Table { symbols: empty(plan.symbols.len()), products: empty(plan.products.len()) }
        }
        let written = plan.symbols.iter().map(|_| Vec::new()).collect();
        Counts { big: table(plan), small: table(plan), written, ends: Vec::new() }
    }

    /// How many sizes are counted.
    pub fn sizes(&self) -> usize {
        self.ends.len()
    }

    /// Counts one more size. Texts of small sizes are written with `write` and kept.
    pub fn grow(&mut self, plan: &Plan, write: WriteText) {
        let size = self.sizes();
        for &symbol in &plan.order {
            let mut sum = UBig::ZERO;
            for choice in &plan.symbols[symbol] {
                let Some(rest) = size.checked_sub(choice.cost) else { continue };
                match choice.product {
                    None if rest == 0 => sum += UBig::ONE,
                    None => {}
                    Some(product) => {
                        self.fill(plan, product, rest);
                        sum += self.big.product(plan, product, rest);
                    }
                }
            }
            let small = u64::try_from(&sum).unwrap_or(TOO_LARGE);
            self.small.symbols[symbol].push(small);
            self.big.symbols[symbol].push(sum);
            let written = (size <= WRITTEN_SIZE && (1..=WRITTEN_COUNT).contains(&small))
                .then(|| self.write_all(plan, (symbol, size), small, write));
            self.written[symbol].push(written);
        }
        let before = self.ends.last().cloned().unwrap_or_default();
        self.ends.push(before + &self.big.symbols[plan.start][size]);
    }

    /// Counts a product up to a size; its members are counted so far.
    fn fill(&mut self, plan: &Plan, product: usize, size: usize) {
        let mut chain = Vec::new();
        let mut next = Some(product);
        while let Some(product) = next {
            next = plan.products[product].before;
            if next.is_some() {
                chain.push(product);
            }
        }
        for &product in chain.iter().rev() {
            for size in self.big.products[product].len()..=size {
                let sum = self.convolve(plan, plan.products[product], size);
                self.small.products[product].push(u64::try_from(&sum).unwrap_or(TOO_LARGE));
                self.big.products[product].push(sum);
            }
        }
    }

    fn convolve(&self, plan: &Plan, product: Product, size: usize) -> UBig {
        let before = product.before.expect("only products of several are filled");
        let times = |i: usize| {
            let (left, right) =
                (self.big.product(plan, before, i), &self.big.symbols[product.last][size - i]);
            if left.is_zero() || right.is_zero() { UBig::ZERO } else { left * right }
        };
        if plan.products[before] == (Product { before: None, last: product.last }) {
            // A square: each pair of sizes counts twice.
            let mut sum: UBig = (0..size.div_ceil(2)).map(times).fold(UBig::ZERO, |sum, n| sum + n) << 1;
            if size.is_multiple_of(2) {
                sum += times(size / 2);
            }
            return sum;
        }
        (0..=size).map(times).fold(UBig::ZERO, |sum, n| sum + n)
    }

    /// Writes all texts of a symbol and a size.
    fn write_all(&self, plan: &Plan, place: (usize, usize), count: u64, write: WriteText) -> Written {
        let mut written = Written { text: String::new(), ends: Vec::with_capacity(count as usize) };
        let mut one = String::new();
        for index in 0..count {
            one.clear();
            write(plan, self, place, index, &mut one);
            written.text.push_str(&one);
            written.ends.push(written.text.len() as u32);
        }
        written
    }
}
