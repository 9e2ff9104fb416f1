//! Values and sorts as text, row by row.

use super::*;
use crate::sort::{Constructor, Datatype, SortDecl};
use crate::term::{Fun, FunId, FunKind};
use crate::value::MAX_DEPTH;
use std::collections::{BTreeMap, BTreeSet};

fn int(n: i32) -> Value {
    Value::Int(n.into())
}

#[test]
fn plain_values() {
    let mut pool = Pool::new();
    let bits = |width, n: u32| Value::BitVec(BitVec::new(width, n.into()));
    let real = |n: i32, d: u32| Value::Real(RBig::from_parts(n.into(), d.into()));
    let text = |codes: &[u32]| Value::Text(codes.into());
    let (eight, three) = (pool.bitvec(8), pool.bitvec(3));
    for (what, sort, value, expected) in [
        ("true", SortId::BOOL, Value::Bool(true), "true"),
        ("zero", SortId::INT, int(0), "0"),
        ("a negative number", SortId::INT, int(-1), "(- 1)"),
        ("a whole real", SortId::REAL, real(2, 1), "2.0"),
        ("zero, real", SortId::REAL, real(0, 1), "0.0"),
        ("a half", SortId::REAL, real(1, 2), "0.5"),
        ("leading zeros", SortId::REAL, real(1, 80), "0.0125"),
        ("a negative decimal", SortId::REAL, real(-5, 4), "(- 1.25)"),
        ("a third", SortId::REAL, real(1, 3), "(/ 1.0 3.0)"),
        ("minus two thirds", SortId::REAL, real(-2, 3), "(- (/ 2.0 3.0))"),
        ("hexadecimal", eight, bits(8, 10), "#x0a"),
        ("binary", three, bits(3, 1), "#b001"),
        ("text", SortId::STRING, text(&[0x61, 0x22, 0x62]), "\"a\"\"b\""),
        ("escapes", SortId::STRING, text(&[0x5C, 0x75, 0x7F, 0x2FFFF]), "\"\\u{5c}u\\u{7f}\\u{2ffff}\""),
        ("a character", SortId::CHAR, Value::Char(65), "(_ Char 65)"),
        ("a field", SortId::UNKNOWN, Value::Field(3_u8.into(), 7_u8.into()), "#f3m7"),
    ] {
        assert_eq!(write(&pool, sort, &value).as_deref(), Ok(expected), "{what}");
    }
}

#[test]
fn nested_values() {
    let mut pool = Pool::new();
    let mut sort = |sort| pool.sort_id(sort).expect("shallow");
    let ints = sort(Sort::Seq(SortId::INT));
    let set = sort(Sort::Set(ints));
    let bag = sort(Sort::Bag(SortId::BOOL));
    let array = sort(Sort::Array(SortId::INT, ints));
    let empty = Value::seq(vec![]).expect("shallow");
    let list = |items: &[i32]| Value::seq(items.iter().map(|&n| int(n)).collect()).expect("shallow");
    let counts = [(Value::Bool(true), 2_u8.into()), (Value::Bool(false), 1_u8.into())];
    for (what, sort, value, expected) in [
        ("no elements", ints, Ok(empty.clone()), "(as seq.empty (Seq Int))"),
        ("one", ints, Ok(list(&[-1])), "(seq.unit (- 1))"),
        ("two", ints, Ok(list(&[1, 2])), "(seq.++ (seq.unit 1) (seq.unit 2))"),
        ("no set", set, Value::set(BTreeSet::new()), "(as set.empty (Set (Seq Int)))"),
        (
            "a set",
            set,
            Value::set(BTreeSet::from([empty.clone(), list(&[1])])),
            "(set.union (set.singleton (as seq.empty (Seq Int))) (set.singleton (seq.unit 1)))",
        ),
        ("no bag", bag, Value::bag(BTreeMap::new()), "(as bag.empty (Bag Bool))"),
        ("a bag", bag, Value::bag(counts.into()), "(bag.union_disjoint (bag false 1) (bag true 2))"),
        (
            "an array",
            array,
            Value::array(Array {
                default: empty,
                entries: [(int(1), list(&[2])), (int(-1), list(&[3]))].into(),
            }),
            "(store (store ((as const (Array Int (Seq Int))) (as seq.empty (Seq Int))) (- 1) (seq.unit 3)) 1 \
                 (seq.unit 2))",
        ),
    ] {
        assert_eq!(write(&pool, sort, &value.expect("fine")).as_deref(), Ok(expected), "{what}");
    }
    assert_eq!(write(&pool, SortId::INT, &list(&[1])), Err(CONFUSED));
}

/// `(Either X Y)` with `neither`, `left` and a `both` that nests.
fn either(pool: &mut Pool) -> (crate::SortDeclId, [FunId; 3]) {
    let names: Vec<_> = ["X", "Y"].iter().map(|x| pool.intern(x)).collect();
    let params: Vec<_> = names.iter().map(|&n| pool.sort_id(Sort::Param(n)).expect("shallow")).collect();
    let name = pool.intern("Either of");
    let id = pool.add_sort_decl(SortDecl { name, spelling: name, arity: 2, datatype: None });
    let list = pool.sort_list_id(&params);
    let result = pool.sort_id(Sort::Declared(id, list)).expect("shallow");
    let swapped = pool.sort_list_id(&[params[1], params[0]]);
    let swapped = pool.sort_id(Sort::Declared(id, swapped)).expect("shallow");
    let mut functions = Vec::new();
    for (i, (name, args)) in
        [("neither", vec![]), ("left", vec![params[0]]), ("both", vec![params[0], swapped])]
            .into_iter()
            .enumerate()
    {
        let name = pool.intern(name);
        let kind = FunKind::Constructor(i as u32);
        let type_params = names.clone();
        functions.push(pool.add_fun(Fun { name, spelling: name, type_params, args, result, kind }));
    }
    let constructors = functions
        .iter()
        .map(|&function| Constructor { function, tester: function, selectors: vec![] })
        .collect();
    let datatype = Datatype { params: names, constructors, co: false, order: None };
    pool.sort_decl_mut(id).expect("declared here").datatype = Some(datatype);
    (id, functions.try_into().expect("three"))
}

#[test]
fn constructors_are_qualified_where_their_arguments_do_not_tell() {
    let mut pool = Pool::new();
    let (id, [neither, left, both]) = either(&mut pool);
    let list = pool.sort_list_id(&[SortId::INT, SortId::BOOL]);
    let sort = pool.sort_id(Sort::Declared(id, list)).expect("shallow");
    let data = |f, fields: &[Value]| Value::data(f, fields.to_vec()).expect("shallow");
    for (value, expected) in [
        (data(neither, &[]), "(as neither (|Either of| Int Bool))"),
        (data(left, &[int(1)]), "((as left (|Either of| Int Bool)) 1)"),
        (data(both, &[int(1), data(neither, &[])]), "(both 1 (as neither (|Either of| Bool Int)))"),
        (
            data(both, &[int(1), data(both, &[Value::Bool(true), data(left, &[int(2)])])]),
            "(both 1 (both true ((as left (|Either of| Int Bool)) 2)))",
        ),
    ] {
        assert_eq!(write(&pool, sort, &value).as_deref(), Ok(expected));
    }
}

#[test]
fn the_deepest_values_are_written() {
    let mut pool = Pool::new();
    let (id, [neither, _, both]) = either(&mut pool);
    let list = pool.sort_list_id(&[SortId::INT, SortId::INT]);
    let sort = pool.sort_id(Sort::Declared(id, list)).expect("shallow");
    let mut value = Value::data(neither, vec![]).expect("shallow");
    while let Ok(deeper) = Value::data(both, vec![int(1), value.clone()]) {
        value = deeper;
    }
    let text = write(&pool, sort, &value).expect("no functions");
    assert_eq!(text.matches("(both 1 ").count() as u32, MAX_DEPTH - 1);
}

#[test]
fn sorts() {
    let mut pool = Pool::new();
    let name = pool.intern("my sort");
    let id = pool.add_sort_decl(SortDecl { name, spelling: name, arity: 0, datatype: None });
    let (none, seven) = (pool.sort_list_id(&[]), pool.intern("7"));
    let mut sort = |sort| pool.sort_id(sort).expect("shallow");
    let seq = sort(Sort::Seq(SortId::BOOL));
    let rows = [
        (SortId::CHAR, "Unicode"),
        (SortId::ROUNDING, "RoundingMode"),
        (sort(Sort::BitVec(8)), "(_ BitVec 8)"),
        (sort(Sort::Float(8, 24)), "(_ FloatingPoint 8 24)"),
        (sort(Sort::FiniteField(seven)), "(_ FiniteField 7)"),
        (sort(Sort::Array(SortId::INT, seq)), "(Array Int (Seq Bool))"),
        (sort(Sort::Tuple(none)), "UnitTuple"),
        (sort(Sort::Declared(id, none)), "|my sort|"),
    ];
    for (sort, expected) in rows {
        assert_eq!(write_sort(&pool, sort), expected);
    }
    let list = pool.sort_list_id(&[SortId::INT, seq, SortId::REAL]);
    let function = pool.sort_id(Sort::Function(list)).expect("shallow");
    assert_eq!(write_sort(&pool, function), "(-> Int (Seq Bool) Real)");
    let element = pool.intern("@U_0");
    let sort = rows[7].0;
    assert_eq!(write(&pool, sort, &Value::Element(sort, element)).as_deref(), Ok("(as @U_0 |my sort|)"));
}
