//! Tests of variations: what they change, what stays well-sorted, what is refused.

use super::super::{Formulas, builtin, source};
use super::*;

fn varied(name: &str, variation: &Variation) -> Result<Grammar, String> {
    variation.apply(&Grammar::read(builtin::text(name).expect("built in")).expect("good"), true)
}

fn first(name: &str, variation: &Variation) -> String {
    let formulas = Formulas::of(&varied(name, variation).expect("good")).expect("good");
    formulas.at(&dashu_int::UBig::ZERO).expect("not empty")
}

#[test]
fn variations_change_what_they_say() {
    let none = Variation::default();
    let a = "( declare-const a Int )";
    let ab = "( declare-const a Int ) ( declare-const b Int )";
    let rows: [(&str, Variation, String); 7] = [
        ("Ints", none.clone(), format!("{ab} ( assert ( = 0 0 ) ) ( check-sat )")),
        ("Ints", Variation { variables: Some(1), ..none.clone() }, format!("{a} ( assert ( = 0 0 ) ) ( check-sat )")),
        (
            "Ints",
            Variation { variables: Some(3), asserts: Some(2), ..none.clone() },
            format!("{ab} ( declare-const c Int ) ( assert ( = 0 0 ) ) ( assert ( = 0 0 ) ) ( check-sat )"),
        ),
        (
            "RealInts",
            Variation { variables: Some(2), ..none.clone() },
            "( declare-const a Int ) ( declare-const c Int ) ( declare-const b Real ) ( declare-const d Real ) \
             ( assert ( = 0 0 ) ) ( check-sat )"
                .to_owned(),
        ),
        (
            "Ints",
            Variation { constants: source::list("(- 5),7"), operators: source::list("<,not"), ..none.clone() },
            format!("{ab} ( assert ( < (- 5) (- 5) ) ) ( check-sat )"),
        ),
        (
            "Ints",
            Variation { push_pop: true, ..none.clone() },
            format!("{ab} ( push 1 ) ( assert ( = 0 0 ) ) ( check-sat ) ( pop 1 ) ( check-sat )"),
        ),
        (
            "Core",
            Variation { push_pop: true, asserts: Some(2), variables: Some(0), ..none.clone() },
            "( assert true ) ( check-sat ) ( push 1 ) ( assert true ) ( check-sat ) ( pop 1 ) ( check-sat )"
                .to_owned(),
        ),
    ];
    for (name, variation, expected) in rows {
        assert_eq!(first(name, &variation), expected, "{name} {variation:?}");
    }
}

#[test]
fn every_variation_is_well_sorted() {
    let all = Variation {
        variables: Some(3),
        asserts: Some(2),
        quantifiers: true,
        push_pop: true,
        ..Variation::default()
    };
    for name in builtin::names() {
        let formulas = Formulas::of(&varied(name, &all).expect("good")).expect("good");
        let mut quantified = 0;
        for i in 0..400u64 {
            let text = formulas.at(&dashu_int::UBig::from(i * i * i * 1009)).expect("infinite");
            let script = smt::read(text.as_bytes()).unwrap_or_else(|_| panic!("{name}: {text}"));
            assert!(script.opaque.is_empty(), "{name}: {text}");
            quantified += usize::from(text.contains("( exists ((") || text.contains("( forall (("));
        }
        assert!(quantified > 0, "{name}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let none = Variation::default();
    let rows = [
        ("Ints", Variation { operators: source::list("bvadd"), ..none.clone() }, "no operator bvadd"),
        ("Ints", Variation { operators: source::list("+"), ..none.clone() }, "nothing is left"),
        ("Ints", Variation { constants: source::list("#x00"), ..none.clone() }, "of the kind of #x00"),
        ("Ints", Variation { constants: source::list("zero"), ..none.clone() }, "zero is no constant"),
        ("Ints", Variation { asserts: Some(0), ..none.clone() }, "at least one assertion"),
    ];
    for (name, variation, expected) in rows {
        let said = varied(name, &variation).expect_err("refused");
        assert!(said.contains(expected), "{said}");
    }
    assert!(
        varied("Ints", &Variation { constants: source::list("(fp #b0 #b00 #b0)"), ..none.clone() }).is_err()
    );
    let floats = Variation { constants: source::list("(_ NaN 11 53)"), ..none };
    assert!(varied("FP", &floats).is_ok());
    assert_eq!(source::list("\"a,b\", (f , x),3,,"), ["\"a,b\"", "(f , x)", "3"]);
}
