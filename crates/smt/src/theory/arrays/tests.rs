//! Arrays: tables, functions in their place, and finite index sorts.

use super::*;
use crate::term::FunId;
use crate::theory::resolve::Occurrence;
use crate::theory::tests::testing::{
    Bare, apply, array, bits, holds, int, left_to_model, rational as q, sort_of, value, value_over,
};
use crate::{Fuel, Symbol};

fn at(entries: &[(i64, i64)]) -> Value {
    array(int(0), entries.iter().map(|&(i, e)| (int(i), int(e))))
}

/// The function that gives a bit-vector's bit 0.
fn low_bit() -> Value {
    Value::function(Function::Named(FunId(0))).expect("shallow")
}

fn bare() -> Bare<'static> {
    Bare { pool: Pool::new(), fuel: Fuel::default(), model: &[] }
}

#[test]
fn tables() {
    let a = at(&[(1, 5), (2, 6)]);
    for (index, expected) in [(1, 5), (2, 6), (3, 0)] {
        assert_eq!(value("select", &[], &[a.clone(), int(index)]), Ok(int(expected)));
    }
    let rows = [
        (1, 7, at(&[(1, 7), (2, 6)])),
        (3, 7, at(&[(1, 5), (2, 6), (3, 7)])),
        (1, 0, at(&[(2, 6)])),
        (3, 0, at(&[(1, 5), (2, 6)])),
    ];
    for (index, element, expected) in rows {
        assert_eq!(value("store", &[], &[a.clone(), int(index), int(element)]), Ok(expected));
    }
    assert_eq!(value("store", &[], &[at(&[(1, 5)]), int(1), int(0)]), Ok(at(&[])), "the default again");
}

#[test]
fn constant_arrays_take_their_sort_from_as() {
    let mut world = bare();
    let sort = world.pool.sort_id(Sort::Array(SortId::INT, SortId::BOOL)).expect("not deep");
    let v = [Value::Bool(true)];
    assert_eq!(
        apply(&mut world, "const", &v, Occurrence { indices: &[], want: Some(sort), args: &[SortId::BOOL] }),
        Ok(array(v[0].clone(), []))
    );
    let rows = table().named("const");
    let mut resolve = |arg, want| crate::theory::resolve::resolve(&mut world.pool, rows, &[], want, &[arg]);
    assert!(resolve(SortId::BOOL, None).is_err(), "no sort is said");
    assert!(resolve(SortId::INT, Some(sort)).is_err(), "another element");
    assert!(resolve(SortId::INT, Some(SortId::INT)).is_err(), "not an array");
}

#[test]
fn finite_index_sorts_have_one_form() {
    // All functions from two bits to three elements, each written with every default and in every way.
    for code in 0..81i64 {
        let element = |i: i64| code / [1, 3, 9, 27][i as usize] % 3;
        let mut forms = (0..3).map(|default| {
            let mut form = array(int(default), []);
            for i in 0..4 {
                form = value_over(2, "store", &[form, bits(2, i), int(element(i))]).expect("plain");
            }
            for i in 0..4 {
                assert_eq!(value_over(2, "select", &[form.clone(), bits(2, i)]), Ok(int(element(i))));
            }
            form
        });
        let first = forms.next().expect("three");
        assert!(forms.all(|form| form == first), "{code}");
    }
}

#[test]
fn the_most_frequent_then_smallest_element_is_the_default() {
    let b = |n| bits(1, n);
    let a = value_over(1, "store", &[array(int(7), []), b(0), int(3)]);
    assert_eq!(a, Ok(array(int(3), [(b(1), int(7))])));
    let a = value_over(2, "store", &[array(int(7), [(bits(2, 0), int(3))]), bits(2, 1), int(3)]);
    assert_eq!(a, Ok(array(int(3), [(bits(2, 2), int(7)), (bits(2, 3), int(7))])));
    let truth = Value::Bool;
    let over_bool = array(int(7), [(truth(false), int(3))]);
    assert_eq!(
        value("store", &[], &[over_bool, truth(true), int(3)]),
        Ok(array(int(3), [])),
        "7 stands nowhere"
    );
    let wide = value_over(64, "store", &[array(int(7), []), bits(64, 0), int(3)]);
    assert_eq!(wide, Ok(array(int(7), [(bits(64, 0), int(3))])));
}

#[test]
fn equality() {
    let mut world = Bare { pool: Pool::new(), fuel: Fuel::default(), model: &[] };
    let element = |n| Value::Element(SortId(99), Symbol(n));
    let of = |default, entries: Vec<(Value, i64)>| {
        array(int(default), entries.into_iter().map(|(i, e)| (i, int(e))))
    };
    let two = |a, b| vec![(bits(1, 0), a), (bits(1, 1), b)];
    let rows: Vec<(&str, Value, Value, Option<bool>)> = vec![
        ("constants", of(1, vec![]), of(2, vec![]), Some(false)),
        ("defaults that count", of(1, vec![(int(5), 3)]), of(2, vec![(int(5), 3)]), Some(false)),
        ("one entry more", of(1, vec![(int(5), 3)]), of(1, vec![]), Some(false)),
        ("defaults that stand nowhere", of(1, two(3, 4)), of(2, two(3, 4)), Some(true)),
        ("an element that differs", of(1, two(3, 4)), of(2, two(3, 5)), Some(false)),
        ("wide", of(1, vec![(bits(64, 0), 3)]), of(2, vec![(bits(64, 0), 3)]), Some(false)),
        ("a sort of unknown size", of(1, vec![(element(1), 3)]), of(2, vec![(element(1), 3)]), None),
        ("and yet", of(1, vec![(element(1), 3)]), of(2, vec![(element(1), 4)]), Some(false)),
        ("and yet the same", of(1, vec![(element(1), 3)]), of(1, vec![(element(1), 3)]), Some(true)),
        ("same default", of(1, vec![(element(1), 3)]), of(1, vec![]), Some(false)),
    ];
    for (what, a, b, expected) in rows {
        for (a, b) in [(&a, &b), (&b, &a)] {
            assert_eq!(crate::value::equal::equal(&mut world, a, b).ok(), expected, "{what}");
        }
    }
}

#[test]
fn functions_in_the_place_of_arrays() {
    let mut world = bare();
    let (index, wide) = (world.pool.bitvec(2), world.pool.bitvec(20));
    let sort = world.pool.sort_id(Sort::Array(index, SortId::BOOL)).expect("not deep");
    let element = Value::Bool(false);
    let got = apply(
        &mut world,
        "select",
        &[low_bit(), bits(2, 3)],
        Occurrence { indices: &[], want: None, args: &[sort, index] },
    );
    assert_eq!(got, Ok(Value::Bool(true)));
    let args = [low_bit(), bits(2, 3), element.clone()];
    let got = apply(
        &mut world,
        "store",
        &args,
        Occurrence { indices: &[], want: None, args: &[sort, index, SortId::BOOL] },
    );
    assert_eq!(got, Ok(array(element.clone(), [(bits(2, 1), Value::Bool(true))])));
    let sort = world.pool.sort_id(Sort::Array(wide, SortId::BOOL)).expect("not deep");
    let args = [low_bit(), bits(20, 3), element];
    let got = apply(
        &mut world,
        "store",
        &args,
        Occurrence { indices: &[], want: None, args: &[sort, wide, SortId::BOOL] },
    );
    assert!(matches!(got, Err(Gap::NoMeaning(_))), "too many indices");
}

#[test]
fn arrays_as_indices() {
    let of = |i: i64| at(&[(i, 1)]);
    let a = array(int(0), [(of(1), int(5))]);
    assert_eq!(value("select", &[], &[a.clone(), of(1)]), Ok(int(5)));
    assert_eq!(value("select", &[], &[a, of(2)]), Ok(int(0)));
    // Which of two functions is the same is open, and with it what stands at one of them.
    let mut world = Bare::with_functions();
    let index = world.pool.sort_id(Sort::Array(SortId::INT, SortId::INT)).expect("not deep");
    let sort = world.pool.sort_id(Sort::Array(index, SortId::INT)).expect("not deep");
    let a = array(int(0), [(of(1), int(5))]);
    let got = apply(
        &mut world,
        "select",
        &[a, low_bit()],
        Occurrence { indices: &[], want: None, args: &[sort, index] },
    );
    assert!(got.is_err(), "{got:?}");
}

#[test]
fn map() {
    let mut world = bare();
    let set =
        |members: &[i64]| array(Value::Bool(false), members.iter().map(|&i| (int(i), Value::Bool(true))));
    let (a, b) = (set(&[1, 2]), set(&[2, 3]));
    let sort = sort_of(&mut world.pool, &a, SortId::INT);
    let mut of = |name: &str, args: &[Value]| {
        let index = [Index::Text(world.pool.intern(name))];
        apply(
            &mut world,
            "map",
            args,
            Occurrence { indices: &index, want: None, args: &vec![sort; args.len()] },
        )
    };
    assert_eq!(of("or", &[a.clone(), b.clone()]), Ok(set(&[1, 2, 3])));
    assert_eq!(of("and", &[a.clone(), b.clone()]), Ok(set(&[2])));
    assert_eq!(of("xor", &[a.clone(), b.clone()]), Ok(set(&[1, 3])));
    let not = array(Value::Bool(true), [1, 2].map(|i| (int(i), Value::Bool(false))));
    assert_eq!(of("not", std::slice::from_ref(&a)), Ok(not));
    assert!(of("or", &[a.clone(), b.clone(), a]).is_err(), "more than the row has");
}

#[test]
fn ranges() {
    let (a, b) = (at(&[(1, 5), (3, 6)]), at(&[(1, 5), (3, 7)]));
    for (low, high, expected) in
        [(0, 2, true), (1, 3, false), (3, 3, false), (4, 9, true), (-9, 2, true), (3, 1, true), (0, 9, false)]
    {
        assert_eq!(
            holds("eqrange", &[], &[a.clone(), b.clone(), int(low), int(high)]),
            Ok(expected),
            "{low} {high}"
        );
    }
    let other = |default: i64| array(int(default), [(int(1), int(5)), (int(2), int(5))]);
    for (low, high, expected) in [(1, 2, true), (1, 1, true), (0, 2, false), (1, 3, false), (2, 1, true)] {
        let args = [other(0), other(1), int(low), int(high)];
        assert_eq!(holds("eqrange", &[], &args), Ok(expected), "{low} {high}");
    }
    let over_bits = |default: i64| array(int(default), [(bits(2, 1), int(5)), (bits(2, 2), int(5))]);
    for (low, high, expected) in [(1, 2, true), (2, 1, true), (2, 3, false), (0, 0, false)] {
        let args = [over_bits(0), over_bits(1), bits(2, low), bits(2, high)];
        assert_eq!(holds("eqrange", &[], &args), Ok(expected), "{low} {high}");
    }
    let over_reals = |default: i64| array(int(default), [(q(1, 1), int(5)), (q(2, 1), int(5))]);
    for (low, high, expected) in [(1, 2, false), (1, 1, true), (2, 1, true), (3, 3, false)] {
        let args = [over_reals(0), over_reals(1), q(low, 1), q(high, 1)];
        assert_eq!(holds("eqrange", &[], &args), Ok(expected), "{low} {high}");
    }
}

#[test]
fn what_is_open() {
    assert!(left_to_model(&value("default", &[], &[at(&[])])));
    assert!(left_to_model(&value("array-ext", &[], &[at(&[]), at(&[(1, 1)])])));
}
