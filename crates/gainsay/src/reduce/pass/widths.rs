//! Pass `widths`: narrower bit-vectors and floats, the same everywhere in a script.
//!
//! What it writes is read again like every candidate, so that widths that do not fit together are no offer.

use std::collections::BTreeSet;
use std::str::FromStr;

use smt::Script;
use smt::sexpr::{Piece, pieces};
use smt::theory::table;
use smt::value::UBig;

use crate::reduce::{Change, Pass};

/// Formats of floats that are tried.
const FORMATS: &[(u32, u32)] = &[(2, 3), (3, 5), (5, 11)];
/// Widths that are tried.
const WIDTHS: &[u32] = &[1, 2, 4, 8, 16];

/// Every width divided by the same number; then one width made another; then one format of floats.
pub struct Widths;

impl Pass for Widths {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let text = script.text();
        let all: Vec<Piece<'_>> = pieces(&text);
        let (widths, formats) = used(&all);
        let mut offers = Vec::new();
        if let Some(&widest) = widths.last() {
            for by in (2..=widest).rev().filter(|by| widths.iter().all(|w| w.is_multiple_of(*by))) {
                offers.push(Narrowing::Divided(by));
            }
            for &width in widths.iter().rev() {
                let halves = [width / 2, width - 1];
                let narrower: BTreeSet<u32> =
                    WIDTHS.iter().copied().chain(halves).filter(|w| *w < width && *w > 0).collect();
                offers.extend(narrower.into_iter().map(|to| Narrowing::Width(width, to)));
            }
        }
        for &format in formats.iter().rev() {
            let smaller = FORMATS.iter().filter(|to| to.0 + to.1 < format.0 + format.1);
            offers.extend(smaller.map(|to| Narrowing::Format(format, *to)));
        }
        let done = offers.iter().map(|offer| Change { text: Some(offer.done(&all)), ..Change::default() });
        let readable = |c: &Change| c.text.as_ref().is_some_and(|t| smt::read(t.as_bytes()).is_ok());
        Some(done.filter(readable).collect())
    }
}

enum Narrowing {
    Divided(u32),
    Width(u32, u32),
    Format((u32, u32), (u32, u32)),
}

/// The numbers after `(_ name`, with where they stand.
fn indexed<'t>(all: &[Piece<'t>], at: usize) -> Option<(&'t str, Vec<(usize, u32)>)> {
    let words: Vec<(usize, &Piece<'t>)> = all[at..]
        .iter()
        .enumerate()
        .map(|(i, t)| (at + i, t))
        .take_while(|(_, t)| t.text != ")")
        .filter(|(_, t)| t.word)
        .collect();
    let [(_, underscore), (_, name), rest @ ..] = &words[..] else { return None };
    if all[at].text != "(" || underscore.text != "_" {
        return None;
    }
    let numbers = rest.iter().map(|(i, t)| Some((*i, t.text.parse().ok()?)));
    Some((name.text, numbers.collect::<Option<_>>()?))
}

/// The bits of a literal, if it is one, and whether it is hexadecimal.
fn bits(text: &str) -> Option<(u32, UBig)> {
    if let Some(digits) = text.strip_prefix("#b") {
        return Some((digits.len() as u32, UBig::from_str_radix(digits, 2).ok()?));
    }
    let digits = text.strip_prefix("#x")?;
    Some((4 * digits.len() as u32, UBig::from_str_radix(digits, 16).ok()?))
}

/// The widths of bit-vectors and the formats of floats in a text.
fn used(all: &[Piece<'_>]) -> (BTreeSet<u32>, BTreeSet<(u32, u32)>) {
    let (mut widths, mut formats) = (BTreeSet::new(), BTreeSet::new());
    for (i, token) in all.iter().enumerate() {
        if let Some((name, numbers)) = indexed(all, i) {
            match (name, &numbers[..]) {
                ("BitVec", &[(_, width)]) => {
                    widths.insert(width);
                }
                (name, &[(_, eb), (_, sb)]) if is_format(name) => {
                    formats.insert((eb, sb));
                }
                (name, &[(_, width)]) if is_bv(name) => {
                    widths.insert(width);
                }
                _ => {}
            }
        } else if let Some(format) = named_format(token.text) {
            formats.insert(format);
        } else if let Some((width, _)) = bits(token.text).filter(|_| token.word) {
            widths.insert(width);
        }
    }
    (widths, formats)
}

fn is_bv(name: &str) -> bool {
    name.strip_prefix("bv").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether the two numbers after a name are the format of floats: of the sort, a conversion, or a value.
fn is_format(name: &str) -> bool {
    name == "FloatingPoint" || table().named(name).iter().any(|&op| table().op(op).names_format())
}

fn named_format(word: &str) -> Option<(u32, u32)> {
    Some(match word {
        "Float16" => (5, 11),
        "Float32" => (8, 24),
        "Float64" => (11, 53),
        "Float128" => (15, 113),
        _ => return None,
    })
}

impl Narrowing {
    fn width(&self, width: u32) -> u32 {
        match *self {
            Narrowing::Divided(by) if width.is_multiple_of(by) => width / by,
            Narrowing::Width(from, to) if width == from => to,
            // The parts of a float, written as bits.
            Narrowing::Format((eb, sb), to) => match width {
                w if w == eb => to.0,
                w if w == sb - 1 => to.1 - 1,
                w if w == eb + sb => to.0 + to.1,
                w => w,
            },
            _ => width,
        }
    }

    fn done(&self, all: &[Piece<'_>]) -> String {
        let mut new: Vec<String> = all.iter().map(|t| t.text.to_owned()).collect();
        for (i, token) in all.iter().enumerate() {
            if let Some((name, numbers)) = indexed(all, i) {
                self.index(name, &numbers, &mut new, i);
            } else if let Some((width, value)) = bits(token.text).filter(|_| token.word) {
                let to = self.width(width);
                if to != width {
                    let low = value % (UBig::ONE << to as usize);
                    let digits = low.in_radix(2).to_string();
                    new[i] = format!("#b{digits:0>to$}", to = to as usize);
                    if to.is_multiple_of(4) {
                        let digits = low.in_radix(16).to_string();
                        new[i] = format!("#x{digits:0>to$}", to = to as usize / 4);
                    }
                }
            } else if let (Some(format), Narrowing::Format(from, to)) = (named_format(token.text), self)
                && format == *from
            {
                new[i] = format!("(_ FloatingPoint {} {})", to.0, to.1);
            }
        }
        new.concat()
    }

    fn index(&self, name: &str, numbers: &[(usize, u32)], new: &mut [String], at: usize) {
        let mut put = |(i, old): (usize, u32), to: u32| {
            if to != old {
                new[i] = to.to_string();
            }
        };
        match (self, numbers) {
            (Narrowing::Format(from, to), &[a, b]) if (a.1, b.1) == *from && is_format(name) => {
                put(a, to.0);
                put(b, to.1);
            }
            (Narrowing::Format(..), _) if name != "BitVec" => {}
            (_, &[high, low]) if name == "extract" => match *self {
                Narrowing::Divided(by) if (high.1 + 1).is_multiple_of(by) && low.1.is_multiple_of(by) => {
                    put(high, (high.1 + 1) / by - 1);
                    put(low, low.1 / by);
                }
                Narrowing::Width(from, to) if high.1 + 1 == from && low.1 < to => put(high, to - 1),
                _ => {}
            },
            (_, &[width]) if is_bv(name) => {
                let to = self.width(width.1);
                put(width, to);
                let value = UBig::from_str(&name[2..]).unwrap_or_default();
                let low = value % (UBig::ONE << to as usize);
                if let Some(text) = new.iter_mut().skip(at).find(|t| *t == name) {
                    *text = format!("bv{low}");
                }
            }
            (_, &[width]) => put(width, self.width(width.1)),
            _ => {}
        }
    }
}
