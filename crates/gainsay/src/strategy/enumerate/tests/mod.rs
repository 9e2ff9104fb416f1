//! Tests of enumeration: the order against the published reference, the built-in grammars against the language.

use std::sync::Arc;

use dashu_int::UBig;
use sha2::{Digest, Sha256};

use super::*;
use crate::case::Choices;
use crate::strategy::Options;

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
            assert_eq!(script.queries().len(), 1);
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

/// Options as they are given.
type Given<'a> = &'a [(&'a str, &'a str)];

fn series(options: Given<'_>, no: u64) -> Vec<String> {
    let given = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    let strategy = (ENTRY.build)(&Options::of(ENTRY.flags, &given)).expect("good options");
    if strategy.series_count().is_some_and(|count| no >= count) {
        return Vec::new();
    }
    let mut texts = strategy.series(no, &[], Choices::drawn(1, ENTRY.name, no));
    let mut cases = strategy.series(no, &[], Choices::drawn(1, ENTRY.name, no));
    let mut found = Vec::new();
    while let Some(text) = texts.next_text() {
        if found.len() < 20 {
            let case = cases.next().expect("as many cases as texts");
            assert_eq!(case.text().split_whitespace().collect::<Vec<_>>().join(" "), text.trim_end());
        }
        found.push(text);
    }
    found
}

#[test]
fn series_are_stretches_of_numbers() {
    let formulas = formulas("Core");
    let at = |i: u64| formulas.at(&UBig::from(i)).expect("infinite") + "\n";
    let ints = at_of("Ints", 2000);
    // Options, the series, how many formulas it has, the first of them.
    let rows: [(Given<'_>, u64, usize, String); 8] = [
        (&[("grammar", "Core")], 0, 1000, at(0)),
        (&[("grammar", "Core")], 7, 1000, at(7000)),
        (&[("grammar", "Core"), ("from", "10"), ("count", "1100")], 1, 100, at(1010)),
        (&[("grammar", "core,Ints"), ("count", "3000")], 5, 1000, ints),
        (&[("grammar", "Core"), ("count", "1000")], 1, 0, String::new()),
        (&[("grammar", "Core"), ("from", "7"), ("rounds", "2"), ("count", "3")], 1, 3, at(70_000_000_000)),
        (&[("grammar", "Core"), ("at-least-bytes", "123"), ("count", "1")], 0, 1, at(1_000_000)),
        (&[("count", "5")], 0, 5, at(0)),
    ];
    for (options, no, count, first) in rows {
        let found = series(options, no);
        assert_eq!(found.len(), count, "{options:?} {no}");
        assert_eq!(found.first().cloned().unwrap_or_default(), first, "{options:?} {no}");
    }
}

fn at_of(name: &str, index: u64) -> String {
    formulas(name).at(&UBig::from(index)).expect("infinite") + "\n"
}

#[test]
fn samples_are_of_the_sizes() {
    let formulas = formulas("Ints");
    let sizes: Vec<usize> = series(&[("grammar", "Ints"), ("sample", "6..8"), ("count", "300")], 0)
        .iter()
        .map(|text| text.matches("( ").count())
        .collect();
    assert_eq!(sizes.len(), 300);
    assert!((6..=8).all(|size| sizes.iter().filter(|&&s| s == size).count() == 100), "{sizes:?}");
    let all = |no| series(&[("grammar", "Ints"), ("sample", "30")], no);
    assert_eq!(all(0), all(0));
    assert_ne!(all(0)[0], all(1)[0]);
    assert!(formulas.count(30).is_some_and(|count| count > UBig::from(u64::MAX)));
}

#[test]
fn canonical_formulas_stand_for_all() {
    let all = series(&[("grammar", "Core")], 0);
    let canonical = series(&[("grammar", "Core"), ("canonical", "true")], 0);
    assert!(all.iter().filter(|text| is_canonical(text)).eq(&canonical));
    for text in &all {
        let (head, rest) = text.split_once(" ( assert ").expect("an assertion");
        let swapped = rest.replace(" a", " ?").replace(" b", " a").replace(" ?", " b");
        let swapped = match (rest.starts_with("a "), rest.starts_with("b ")) {
            (true, _) => format!("b{}", &rest[1..]),
            (_, true) => format!("a{}", &rest[1..]),
            _ => swapped.replace(" bnd ", " and "),
        };
        let twin = format!("{head} ( assert {swapped}");
        // One of the two, or a formula without variables.
        assert_eq!(is_canonical(text), !is_canonical(&twin) || twin == *text, "{text}{twin}");
    }
}

#[test]
fn bad_options_are_refused() {
    let rows: [(Given<'_>, &str); 7] = [
        (&[("grammar", "Nets")], "built in are Core"),
        (&[("grammar", "derive:nets")], "there is no theory nets"),
        (&[("from", "-1")], "a whole number"),
        (&[("count", "many")], "a whole number"),
        (&[("sample", "9..6")], "a size or two"),
        (&[("sample", "1")], "no formulas of these sizes"),
        (&[("rounds", "2")], "nothing further on"),
    ];
    for (options, expected) in rows {
        let given = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        let said = (ENTRY.build)(&Options::of(ENTRY.flags, &given)).err().expect("refused").to_string();
        assert!(said.contains(expected), "{said}");
    }
}
