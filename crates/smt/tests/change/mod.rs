//! Changes to texts: bytes, tokens and whole lists, drawn from a generator of our own.

mod chance;

use std::ops::Range;

use chance::SplitMix;

/// What drives changes.
#[derive(Clone)]
pub struct Chance(SplitMix);

impl Chance {
    pub fn new(number: u64) -> Self {
        Chance(SplitMix(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Tokens worth trying anywhere.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "()",
    "0",
    "1",
    "2",
    "64",
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "0.5",
    "-1",
    "1/2",
    "1/0",
    "#b1",
    "#xFF",
    "#b",
    "#f1m7",
    "\"\"",
    "\"a\"",
    "\"\\u{2FFFF}\"",
    "\"\"\"\"",
    "||",
    "|a b|",
    ":named",
    ":pattern",
    ":no-pattern",
    ":weight",
    "x",
    "y",
    "p",
    "true",
    "false",
    "not",
    "and",
    "ite",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "!",
    "_",
    "as",
    "par",
    "choice",
    "is",
    "const",
    "Int",
    "Real",
    "Bool",
    "String",
    "Array",
    "Seq",
    "Set",
    "->",
    "BitVec",
    "FloatingPoint",
    "(_ BitVec 8)",
    "(_ BitVec 1000000)",
    "(Array Int Int)",
    "(_ bv3 8)",
    "((_ extract 3 0) #xFF)",
    "(_ +oo 8 24)",
    "RNE",
    "re.all",
    "(_ re.loop 1 4000000000)",
    "(_ repeat 100000)",
    "(_ zero_extend 1000000)",
    "(^ 3 100000)",
    "(* 99999999 99999999)",
    "(str.++ x x)",
    "(push 1)",
    "(pop 1)",
    "(reset)",
    "(reset-assertions)",
    "(check-sat)",
    "(declare-const x Int)",
    "(declare-sort S 1)",
    ";",
    "\r\n",
    "\0",
    "\u{e9}",
    "assert",
    "declare-datatype",
    "define-fun-rec",
    "define-sort",
    "set-logic",
    "QF_LRA",
    "choose",
];

/// A seed with a few changes.
pub fn changed(seeds: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut text = chance.pick(seeds).clone();
    for _ in 0..=chance.below(4) {
        let other = chance.pick(seeds);
        match chance.below(12) {
            0..2 => change_bytes(&mut text, chance),
            2..5 => change_tokens(&mut text, chance),
            5..10 => change_lists(&mut text, other, chance),
            10 => nest(&mut text, chance),
            _ => {
                let lists = lists(other);
                if let Some(list) = (!lists.is_empty()).then(|| chance.pick(&lists).clone()) {
                    text.extend_from_slice(&other[list]);
                }
            }
        }
    }
    text
}

fn place(text: &[u8], chance: &mut Chance) -> usize {
    chance.below(text.len() + 1)
}

fn change_bytes(text: &mut Vec<u8>, chance: &mut Chance) {
    for _ in 0..=chance.below(3) {
        let at = place(text, chance);
        match chance.below(4) {
            0 => text.insert(at, chance.next() as u8),
            1 if at < text.len() => text[at] = chance.next() as u8,
            2 if at < text.len() => drop(text.remove(at)),
            _ => text.truncate(at.max(text.len() / 2)),
        }
    }
}

/// Where the tokens of a text are, roughly.
fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let begin = at;
        at += 1;
        if text[begin].is_ascii_whitespace() {
            continue;
        }
        if !b"()".contains(&text[begin]) {
            while at < text.len() && !text[at].is_ascii_whitespace() && !b"()".contains(&text[at]) {
                at += 1;
            }
        }
        tokens.push(begin..at);
    }
    tokens
}

fn change_tokens(text: &mut Vec<u8>, chance: &mut Chance) {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return;
    }
    let (here, there) = (chance.pick(&tokens).clone(), chance.pick(&tokens).clone());
    let new = match chance.below(3) {
        0 => text[there].to_vec(),
        1 => Vec::new(),
        _ => format!(" {} ", chance.pick(TOKENS)).into_bytes(),
    };
    let range = if chance.below(3) == 0 { here.end..here.end } else { here };
    text.splice(range, new);
}

/// Where the lists of a text are, if one does not look into strings.
fn lists(text: &[u8]) -> Vec<Range<usize>> {
    let mut lists = Vec::new();
    let mut open = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => open.push(at),
            b')' => lists.extend(open.pop().map(|begin| begin..at + 1)),
            _ => {}
        }
    }
    lists
}

fn change_lists(text: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    let (here, there) = (lists(text), lists(other));
    if here.is_empty() || there.is_empty() {
        return;
    }
    let list = chance.pick(&here).clone();
    let new = match chance.below(5) {
        0 => other[chance.pick(&there).clone()].to_vec(),
        1..4 => text[chance.pick(&here).clone()].to_vec(),
        _ => chance.pick(TOKENS).as_bytes().to_vec(),
    };
    let range = if chance.below(4) == 0 { list.end..list.end } else { list };
    text.splice(range, new);
}

/// Puts a list many times around a part of it.
fn nest(text: &mut Vec<u8>, chance: &mut Chance) {
    let lists = lists(text);
    if lists.is_empty() {
        return;
    }
    let outer = chance.pick(&lists).clone();
    let inner: Vec<_> =
        lists.iter().filter(|l| l.start > outer.start && l.end < outer.end).cloned().collect();
    if inner.is_empty() {
        return;
    }
    let inner = chance.pick(&inner).clone();
    let (open, close) = (&text[outer.start..inner.start], &text[inner.end..outer.end]);
    let levels = (1 << chance.below(12)).min((1 << 18) / (open.len() + close.len()));
    let new = [&*open.repeat(levels), &text[inner], &*close.repeat(levels)].concat();
    text.splice(outer, new);
}
