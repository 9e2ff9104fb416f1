//! The suite: how large it is, that every model is one, that names are told apart and texts stay.

use std::collections::{BTreeMap, HashMap, HashSet};

use sha2::{Digest, Sha256};
use smt::{Fuel, Model, Verdict, satisfies};

use super::super::super::parts::PARTS;
use super::super::only::{matches, matches_pattern};
use super::super::{ENTRY, unsatisfiable};
use super::{all, strings};
use crate::case::{Answer, Category, Choices, Claim};
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
        let asks = script.queries();
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

/// Options make other tests, never others of the same name.
#[test]
fn a_name_means_one_formula() {
    let mut known: HashMap<String, String> = HashMap::new();
    for given in [&[][..], &[("depth", "2")], &[("depth", "3"), ("partial", "true")]] {
        for test in all(&strings(given)) {
            let before = known.entry(test.name.clone()).or_insert_with(|| test.body.clone());
            assert_eq!(*before, test.body, "{} with {given:?}", test.name);
        }
    }
    for row in unsatisfiable::rows("strings").into_iter().step_by(5) {
        for category in [Category::LargerCore, Category::Redundancy] {
            for test in unsatisfiable::tests(row, category, 2) {
                let before = known.entry(test.name.clone()).or_insert_with(|| test.body.clone());
                assert_eq!(*before, test.body, "{} with rounds", test.name);
            }
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

/// Conversions, choices and operators that rows of several sorts share, by what must be asserted.
#[test]
fn other_theories_have_their_operations() {
    let rows: [(&str, &[&str], &str); 8] = [
        (
            "bitvectors",
            &[
                "(bvcomp x1 x2)",
                "(ubv_to_int x1)",
                "(sbv_to_int x1)",
                "((_ int_to_bv 8) x1)",
                "((_ repeat 2) x1)",
            ],
            "iff",
        ),
        (
            "floats",
            &[
                "(fp x1 x2 x3)",
                "((_ fp.to_ubv 8) x1 x2)",
                "((_ fp.to_sbv 8) x1 x2)",
                "(fp.to_real x1)",
                "((_ to_fp_unsigned 8 24) x1 x2)",
                "((_ to_fp 8 24) x1)",
                "((_ to_fp 8 24) x1 (- 1.0))",
            ],
            "iff",
        ),
        ("reals_ints", &["Real)\n(assert (= (+ x1 x2) res))", "Real)\n(assert (= (abs x1) res))"], "iff"),
        (
            "reals_ints",
            &["(declare-const x2 Real)\n(declare-const res Bool)\n(assert (= (<= x1 x2) res))"],
            "iff",
        ),
        ("core", &["(ite x1 x2 x3)"], "iff"),
        ("arrays", &["(Array Int Int))\n(assert (= (ite x1 x2 x3) res))"], "iff"),
        ("sets", &["(set.union x1 x2)", "(ite x1 x2 x3)"], "iff"),
        ("bags", &["(bag x1 x2)", "(bag.union_max x1 x2)", "(bag.count x1 x2)", "(ite x1 x2 x3)"], "set."),
    ];
    for (theory, wanted, unwanted) in rows {
        let strings = strings(&[("theory", theory)]);
        let own = |test: &super::Test| test.category == Category::Operation;
        let text: String = all(&strings).take_while(own).map(|test| test.body).collect();
        for name in wanted {
            assert!(text.contains(name), "{theory}: {name} is missing in\n{text}");
        }
        assert!(!text.contains(unwanted), "{theory}: {unwanted}");
    }
}

/// A cross product that is cut still has every constant in every place.
#[test]
fn what_is_cut_has_every_constant() {
    let strings = strings(&[("theory", "floats"), ("only", "floats/constant/fp.fma/*=_")]);
    let names: String = all(&strings)
        .filter(|test| matches(&strings.only, &test.name))
        .map(|test| test.name.replace(['/', '='], ","))
        .collect();
    for label in ["smallest", "minus-largest", "infinity", "nan"] {
        for place in [format!(",_,{label},_,_,"), format!(",_,_,{label},_,"), format!(",_,_,_,{label},")] {
            assert!(names.contains(&place), "{place}");
        }
    }
}

/// What has been added to the suite since it had its first names.
const ADDED: &[&str] = &["*/ite*", "*/re.loop_1_2*", "*/re.loop_2_1*", "*/X24*"];

/// The digest of all tests whose name is wanted, families made in any order.
fn digest(order: &[usize], wanted: impl Fn(&str) -> bool) -> String {
    let strings = strings(&[]);
    let mut texts: Vec<(usize, String)> = Vec::new();
    for &no in order {
        let mut series = strings.series(no as u64, &[], Choices::drawn(no as u64 + 7, "strings", 1));
        let mut text = String::new();
        while let Some(next) = series.next_text() {
            if wanted(series.name().expect("a name")) {
                text.push_str(&next);
            }
        }
        texts.push((no, text));
    }
    texts.sort();
    let mut hash = Sha256::new();
    for (_, text) in &texts {
        hash.update(text.as_bytes());
    }
    format!("{:x}", hash.finalize())
}

/// The suite is a promise: the same bytes for ever, unless the table or the rows change, and then on purpose.
#[test]
fn the_suite_is_the_same_however_it_is_made() {
    let count = strings(&[]).families.len();
    let forwards: Vec<usize> = (0..count).collect();
    let backwards: Vec<usize> = (0..count).rev().collect();
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(|| digest(&backwards, |_| true));
        (digest(&forwards, |_| true), other.join().expect("made"))
    });
    assert_eq!(one, two);
    assert_eq!(
        one,
        include_str!("suite.sha256").trim(),
        "if the change is on purpose, write the new digest down"
    );
}

/// What is added leaves the tests that were there as they were: their matrices stay true.
#[test]
fn the_first_suite_is_still_there() {
    let order: Vec<usize> = (0..strings(&[]).families.len()).collect();
    let first = |name: &str| !ADDED.iter().any(|pattern| matches_pattern(pattern, name));
    assert_eq!(digest(&order, first), include_str!("first.sha256").trim());
}

#[test]
fn options_are_checked() {
    let bad = |name: &str, value: &str| {
        let given = [(name.to_owned(), value.to_owned())].into();
        super::Strings::of(&Options::of(ENTRY.flags, &given)).err().map(|e| e.to_string())
    };
    assert!(bad("theory", "magic").is_some_and(|e| e.contains("there is no theory magic")));
    let rows = [
        ("theory", "bitvecs", "did you mean bitvectors?"),
        ("theory", "Strings", "did you mean strings?"),
        ("theory", "strngs", "did you mean strings?"),
        ("theory", "nothing", "bitvectors or bitvec or bv, "),
        ("theory", "datatypes", "that a script declares"),
        ("depth", "99", "at most 8"),
        ("depth", "0", "at least 1"),
        ("rounds", "0", "at least 1"),
        ("rounds", "x", "a whole number"),
        ("only", "str.at||str.len", "every test"),
        ("only", "strings/larger-core/E3/res/NC1+p", "NC1 is there, which has no quantifier"),
    ];
    for (name, value, expected) in rows {
        let told = bad(name, value).unwrap_or_default();
        assert!(told.contains(expected), "{name} {value}: {told}");
    }
    assert!(bad("theory", "bitvec,float,bags").is_none());
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
    assert_eq!(e1.lineage.category, Some(Category::Equivalent));
    assert!(e1.claims.contains(&Claim::Is(crate::case::CheckRef::own(0), Answer::Unsat)));
    let core = vec!["A".to_owned(), "B".to_owned()];
    assert!(e1.claims.contains(&Claim::Core(crate::case::CheckRef::own(0), core)), "{:?}", e1.claims);
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
