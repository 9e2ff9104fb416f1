//! The suite: how large it is, that every model is one, that names are told apart and texts stay.

use std::collections::{BTreeMap, HashSet};

use sha2::{Digest, Sha256};
use smt::{Fuel, Model, Verdict, satisfies};

use super::super::super::parts::PARTS;
use super::super::{Category, ENTRY, matches, unsatisfiable};
use super::{all, strings};
use crate::case::{Answer, Choices, Claim};
use crate::strategy::{Options, Strategy};

fn counts(given: &[(&str, &str)]) -> BTreeMap<Category, usize> {
    let mut counts = BTreeMap::new();
    all(&strings(given)).for_each(|test| *counts.entry(test.category).or_default() += 1);
    counts
}

#[test]
fn the_default_suite_is_large() {
    let counts = counts(&[]);
    println!("{counts:?}");
    assert!(counts.values().sum::<usize>() >= 6000, "{counts:?}");
    assert_eq!(counts.len(), 6, "{counts:?}");
}

/// Looks at the model of every so many satisfiable tests; tells at how many.
fn look_at_models(strings: &super::Strings, every: usize) -> usize {
    let mut looked = 0;
    for test in all(strings).filter(|test| test.answer == Answer::Sat).step_by(every) {
        let text = test.script();
        let script = smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}\n{text}", test.name));
        assert!(script.opaque.is_empty(), "{}: {text}", test.name);
        let asks = script.asks();
        let model = test.model.as_deref().expect("a model");
        let read = Model::read(&script, Some(asks[0].command), model.as_bytes()).expect("readable");
        let verdict = satisfies(&asks[0], &read, &Fuel::default());
        assert_eq!(verdict, Verdict::True, "{}\n{text}{model}", test.name);
        looked += 1;
    }
    looked
}

/// Every satisfiable test of the default suite has a model that our evaluator accepts.
#[test]
fn every_model_is_one() {
    let looked = look_at_models(&strings(&[]), 1);
    assert!(looked >= 6000, "{looked}");
}

#[test]
fn models_of_other_theories_and_deeper_terms_are_models() {
    for part in PARTS {
        let strings = strings(&[("theory", part.name), ("partial", "true"), ("depth", "2")]);
        let looked = look_at_models(&strings, 13);
        assert!(looked > 5, "{}: {looked}", part.name);
    }
}

#[test]
fn names_are_told_apart_and_are_paths() {
    for theory in ["strings", "bitvec", "reals_ints", "float"] {
        let mut names = HashSet::new();
        let mut bodies = HashSet::new();
        for test in all(&strings(&[("theory", theory), ("partial", "true")])) {
            let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
            assert!(test.name.split('/').all(plain), "{}", test.name);
            assert!(!test.name.contains(['(', ')', ' ', '\0']), "{}", test.name);
            if test.category == Category::Constant {
                assert!(bodies.insert(test.body.clone()), "{} again\n{}", test.name, test.body);
            }
            assert!(names.insert(test.name), "a name is there twice");
        }
    }
}

/// The published fault is a test, by its name.
#[test]
fn the_published_fault_is_a_test() {
    let strings = strings(&[("only", "strings/constant/str.replace/empty,_,_=a")]);
    let found: Vec<_> = all(&strings).filter(|test| matches(&strings.only, &test.name)).collect();
    let [test] = &found[..] else { panic!("{} tests", found.len()) };
    assert!(test.body.contains("(assert (= (str.replace \"\" x2 x3) \"a\"))"), "{}", test.body);
    assert_eq!(test.answer, Answer::Sat);
}

#[test]
fn names_that_no_test_has_are_refused() {
    let given = |only: &str| {
        let given = BTreeMap::from([("only".to_owned(), only.to_owned())]);
        super::Strings::of(&Options::of(ENTRY.flags, &given)).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(given("*/E3/*"), Ok(()));
    let refused = given("str.nothing").expect_err("there is none");
    assert!(refused.starts_with("--only str.nothing: no test of strings has such a name"), "{refused}");
}

/// Every operation that somebody reads has a test of its own.
#[test]
fn every_operation_of_strings_is_there() {
    let strings = strings(&[]);
    let own = |test: &super::Test| test.category == Category::Operation;
    let text: String = all(&strings).take_while(own).map(|test| test.body).collect();
    for name in [
        "str.<",
        "str.<=",
        "str.replace_all",
        "str.replace_re",
        "str.replace_re_all",
        "str.is_digit",
        "str.to_code",
        "str.from_code",
        "str.in_re",
        "re.none",
        "re.all",
        "re.allchar",
        "re.++",
        "re.union",
        "re.inter",
        "re.*",
        "re.+",
        "re.opt",
        "re.comp",
        "re.diff",
        "re.range",
        "(_ re.^ ",
        "(_ re.loop ",
        "str.to_re",
        "=",
    ] {
        assert!(text.contains(name), "{name} is missing");
    }
}

/// The suite is a promise: the same bytes for ever, unless the table or the rows change, and then on purpose.
#[test]
fn the_suite_is_the_same_however_it_is_made() {
    let digest = |order: &[usize]| {
        let strings = strings(&[]);
        let mut texts: Vec<(usize, String)> = Vec::new();
        for &no in order {
            let mut series = strings.series(no as u64, &[], Choices::drawn(no as u64 + 7, "strings", 1));
            let mut text = String::new();
            while let Some(next) = series.next_text() {
                text.push_str(&next);
            }
            texts.push((no, text));
        }
        texts.sort();
        let mut hash = Sha256::new();
        for (_, text) in &texts {
            hash.update(text.as_bytes());
        }
        format!("{:x}", hash.finalize())
    };
    let count = strings(&[]).families.len();
    let forwards: Vec<usize> = (0..count).collect();
    let backwards: Vec<usize> = (0..count).rev().collect();
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(|| digest(&backwards));
        (digest(&forwards), other.join().expect("made"))
    });
    assert_eq!(one, two);
    assert_eq!(
        one,
        include_str!("suite.sha256").trim(),
        "if the change is on purpose, write the new digest down"
    );
}

#[test]
fn patterns_choose_tests() {
    let rows = [
        ("", "strings/term/str.at/001", true),
        ("larger", "strings/larger-core/E3/res/NC1", true),
        ("E3/", "strings/larger-core/E13/res/NC1", false),
        ("*/E3/*", "strings/larger-core/E3/res/NC1", true),
        ("*/NC1", "strings/larger-core/E3/res/NC10", false),
        ("strings/*/E3/*+p", "strings/larger-core/E3/res/NC1+p", true),
        ("constant/*", "strings/constant/a", false),
        ("redundancy|*/a", "strings/constant/a", true),
    ];
    for (pattern, name, expected) in rows {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn options_are_checked() {
    let bad = |name: &str, value: &str| {
        let given = [(name.to_owned(), value.to_owned())].into();
        super::Strings::of(&Options::of(ENTRY.flags, &given)).err().map(|e| e.to_string())
    };
    assert!(bad("theory", "magic").is_some_and(|e| e.contains("there is no theory magic")));
    assert!(bad("depth", "99").is_some_and(|e| e.contains("at most")));
    assert!(bad("rounds", "x").is_some());
    assert!(bad("theory", "bitvec,float").is_none());
}

/// What is claimed of a case is what its text says.
#[test]
fn claims_travel_with_the_case() {
    let strings = strings(&[("only", "strings/equivalent/E1")]);
    let cases: Vec<_> = (0..strings.families.len() as u64)
        .flat_map(|no| {
            let mut series = strings.series(no, &[], Choices::drawn(0, "strings", no));
            std::iter::from_fn(move || series.next()).collect::<Vec<_>>()
        })
        .collect();
    let e1 = cases.iter().find(|case| case.lineage.about == "strings/equivalent/E1").expect("made");
    assert_eq!(e1.lineage.category, "equivalent");
    assert!(e1.claims.contains(&Claim::Is(crate::case::Ask::own(0), Answer::Unsat)));
    let core = vec!["A".to_owned(), "B".to_owned()];
    assert!(e1.claims.contains(&Claim::Core(crate::case::Ask::own(0), core)), "{:?}", e1.claims);
}

/// Compositions have more of everything.
#[test]
fn rounds_compose() {
    let row = unsatisfiable::rows("strings").into_iter().find(|row| row.id == "E9").expect("there");
    let made = |rounds: usize| unsatisfiable::tests(row, Category::LargerCore, rounds).collect::<Vec<_>>();
    let (one, two) = (made(1), made(2));
    assert!(two.len() > 10 * one.len(), "{} {}", one.len(), two.len());
    for test in two.iter().step_by(7) {
        assert!(smt::read(test.script().as_bytes()).is_ok(), "{}\n{}", test.name, test.body);
    }
}
