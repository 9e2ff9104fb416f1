//! Regular languages against tables, against a naive matcher, and against size.

mod large;
mod naive;
mod rows;

use super::{Fuel, Regex};

fn codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn string(codes: &[u32]) -> String {
    codes.iter().map(|&code| char::from_u32(code).expect("no surrogates in these tests")).collect()
}

fn lit(text: &str) -> Regex {
    Regex::word(&codes(text))
}

fn range(low: &str, high: &str) -> Regex {
    Regex::range(&codes(low), &codes(high))
}

fn fuel() -> Fuel {
    Fuel::new(1_000_000)
}

fn has(regex: &Regex, word: &str) -> bool {
    regex.contains(&codes(word), &mut fuel()).expect("enough fuel")
}
