//! Tests of enumeration: the order against the published reference, the built-in grammars against the language.

use std::sync::Arc;

use dashu_int::UBig;
use sha2::{Digest, Sha256};

use super::*;

/// Made by the published reference: grammar, index, size, formula or its digest.
const REFERENCE: &str = include_str!("reference.tsv");

fn formulas(name: &str) -> Formulas {
    Formulas::of(&Grammar::read(builtin::text(name).expect("built in")).expect("good")).expect("good")
}

fn digest(text: &str) -> String {
    format!("sha256:{:x}", Sha256::digest(text))
}

#[test]
fn the_order_is_the_published_one() {
    let mut current: Option<Formulas> = None;
    for row in REFERENCE.lines() {
        let [name, index, size, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}")
        };
        if current.as_ref().is_none_or(|formulas| formulas.name() != name) {
            current = Some(formulas(name));
        }
        let formulas = current.as_ref().expect("set above");
        if let Some(count) = index.strip_prefix("first ") {
            let count: u64 = count.parse().expect("a number");
            let all: String =
                (0..count).map(|i| formulas.at(&UBig::from(i)).expect("infinite") + "\n").collect();
            assert_eq!(digest(&all), expected, "{name}, the first {count}");
            continue;
        }
        let index: UBig = index.parse().expect("a number");
        let formula = formulas.at(&index).expect("infinite");
        let told = if expected.starts_with("sha256:") { digest(&formula) } else { formula };
        assert_eq!(told, expected, "{name} {index}");
        assert_eq!(formulas.size(&index), size.parse().ok(), "{name} {index}");
    }
}

#[test]
fn built_in_grammars_are_well_sorted() {
    for name in builtin::names() {
        let formulas = formulas(name);
        assert_eq!(formulas.name(), name);
        let mut read = 0;
        // All of the smallest, and some of every size up to one that is large.
        let starts = (5..30).filter_map(|size| formulas.first_of(size));
        let some = starts.flat_map(|first| (0..60u64).map(move |i| &first + UBig::from(i * i * i * 7919)));
        for index in (0..1500u64).map(UBig::from).chain(some) {
            let text = formulas.at(&index).expect("infinite");
            let script = smt::read(text.as_bytes())
                .unwrap_or_else(|e| panic!("{name} {index}: {}\n{text}", e.locate("", text.as_bytes())));
            assert!(script.opaque.is_empty(), "{name} {index}: {text}");
            assert_eq!(script.asks().len(), 1);
            read += 1;
        }
        assert!(read >= 3000, "{name}: {read}");
    }
}

#[test]
fn far_formulas_are_found_at_once() {
    let formulas = formulas("Core");
    let far = UBig::from(10u32).pow(1500);
    let text = formulas.at(&far).expect("infinite");
    assert!(text.len() > 4096);
    assert!(smt::read(text.as_bytes()).is_ok());
    assert_ne!(formulas.at(&(far + UBig::ONE)), Some(text));
}

#[test]
fn small_languages_are_counted() {
    let head = "grammar G; ParOpen : '(' ; ";
    // Rules, the counts of sizes 0 to 4, the largest size.
    let rows: [(&str, [u64; 5], Option<usize>); 6] = [
        ("start : 'a' | 'b' ;", [2, 0, 0, 0, 0], Some(0)),
        ("t : 'a' | 'b' ; start : ParOpen t t ;", [0, 4, 0, 0, 0], Some(1)),
        ("t : 'a' | ParOpen 'b' ; start : t t t ;", [1, 3, 3, 1, 0], Some(3)),
        ("start : 'a' | start 'b' ;", [1, 1, 1, 1, 1], None),
        ("t : 'a' | ParOpen t t ; start : t ;", [1, 1, 2, 5, 14], None),
        ("t : 'a' | ParOpen t ; dead : 'x' dead | 'y' ; start : ParOpen 'c' ;", [0, 1, 0, 0, 0], Some(1)),
    ];
    for (rules, expected, largest) in rows {
        let formulas = Formulas::of(&Grammar::read(&format!("{head}{rules}")).expect(rules)).expect(rules);
        let counts = (0..5).map(|size| formulas.count(size).expect("small"));
        assert!(counts.eq(expected.map(UBig::from)), "{rules}");
        assert_eq!(formulas.largest(), largest, "{rules}");
        let total: u64 = expected.iter().sum();
        if largest.is_some() {
            assert!(formulas.at(&UBig::from(total - 1)).is_some(), "{rules}");
            assert_eq!(formulas.at(&UBig::from(total)), None, "{rules}");
        }
    }
    let split = "t : 'a' | ParOpen 'b' ; start : t t t ;";
    let formulas = Formulas::of(&Grammar::read(&format!("{head}{split}")).expect("good")).expect("good");
    let all: Vec<String> = (0..8u32).map_while(|i| formulas.at(&UBig::from(i))).collect();
    assert_eq!(
        all,
        ["a a a", "a a ( b", "a ( b a", "( b a a", "a ( b ( b", "( b a ( b", "( b ( b a", "( b ( b ( b"]
    );
}

#[test]
fn threads_share_the_counts() {
    let formulas = Arc::new(formulas("Ints"));
    let far = UBig::from(10u32).pow(40);
    let one = |_| {
        let (formulas, far) = (Arc::clone(&formulas), far.clone());
        std::thread::spawn(move || formulas.at(&far))
    };
    let threads: Vec<_> = (0..4).map(one).collect();
    let told: Vec<_> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
    assert!(told.iter().all(|text| *text == told[0]));
}
