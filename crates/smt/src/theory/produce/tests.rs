//! Every operator can be produced, and what is produced reads back as the same operator.

use super::*;
use crate::term::{Fun, FunKind, Head, TermId};
use crate::theory::is_unmistakable;
use crate::{What, read, sort_text, write_term};

const PRELUDE: &str = "(declare-datatype Pair ((pair (left Int) (right Bool))))\n";

const SORTS: &[&str] = &[
    "Bool",
    "Int",
    "Real",
    "String",
    "RegLan",
    "RoundingMode",
    "Unicode",
    "Pair",
    "(_ BitVec 1)",
    "(_ BitVec 2)",
    "(_ BitVec 8)",
    "(_ FloatingPoint 3 5)",
    "(_ FloatingPoint 8 24)",
    "(_ FiniteField 7)",
    "(Array Int Int)",
    "(Array Int Bool)",
    "(Array Int Bool Int)",
    "(Seq Int)",
    "(Set Int)",
    "(FiniteSet Int)",
    "(Nullable Int)",
    "(_ BitVec 18)",
    "(Set (Tuple Int))",
    "(Set (Tuple Int Int))",
    "(Set (Set (Tuple Int Int)))",
    "(Bag Int)",
    "(Bag (Bag Int))",
    "(Bag (Tuple Int))",
    "(Bag (Tuple Int Int))",
    "(Bag (Bag (Tuple Int Int)))",
    "(Tuple Int Bool)",
    "(Tuple Int Int)",
    "UnitTuple",
];

/// Numbers that look random and are always the same.
fn chance(mut state: u64) -> impl FnMut(usize) -> usize {
    move |n| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    }
}

fn world() -> (Pool, Vec<SortId>, Vec<Symbol>) {
    let declared: Vec<_> =
        SORTS.iter().enumerate().map(|(i, sort)| format!("(declare-const s{i} {sort})\n")).collect();
    let text = PRELUDE.to_owned() + &declared.concat();
    let mut script = read(text.as_bytes()).expect("well-sorted");
    let declared = script.commands.iter().filter_map(|c| match c.what {
        What::DeclareFun(fun) => Some(script.pool.fun(fun).result),
        _ => None,
    });
    let sorts = declared.collect();
    let texts = ["#x61", "and", "not"].map(|t| script.pool.intern(t)).to_vec();
    (script.pool, sorts, texts)
}

/// A constant of this sort, and its declaration.
fn constant(pool: &mut Pool, i: usize, sort: SortId) -> (TermId, String) {
    let name = pool.intern(&format!("c{i}"));
    let kind = FunKind::Declared;
    let fun = Fun { name, spelling: name, type_params: Vec::new(), args: Vec::new(), result: sort, kind };
    let fun = pool.add_fun(fun);
    let term = pool.call(fun, &[], None).expect("a constant");
    (term, format!("(declare-const c{i} {})\n", sort_text(pool, sort)))
}

#[test]
fn every_operator_is_produced_and_reads_back() {
    let (base, sorts, texts) = world();
    let base = base.freeze();
    let menu = Menu { sorts: &sorts, widths: &[1, 2, 3, 8], numbers: &[0, 1, 2, 5], texts: &texts };
    let mut pick = chance(1);
    for op in table().ids() {
        let row = table().op(op);
        if row.only_in_models {
            assert!(
                sorts.iter().all(|&sort| !producers(&Pool::over(&base), sort).any(|o| o == op)),
                "{}",
                row.name
            );
            continue;
        }
        // A singleton is of the kind of sets that the script has, and this one has both.
        if row.name == "set.singleton" {
            continue;
        }
        // It takes a function of as many arguments as follow.
        if row.name == "nullable.lift" {
            continue;
        }
        // Their indices are a sort and predicates.
        if row.name == "fmf.card" || row.name.ends_with("-order") || row.name == "transitive-closure" {
            continue;
        }
        let mut found = 0;
        // Some want a sort and an index that fit each other: most draws make nothing of them.
        for _ in 0..400 {
            for &sort in &sorts {
                let mut pool = Pool::over(&base);
                if !producers(&pool, sort).any(|o| o == op) {
                    continue;
                }
                let Some(shape) = shape(&mut pool, op, sort, &menu, &mut pick) else { continue };
                found += 1;
                let (args, declarations): (Vec<_>, Vec<_>) =
                    shape.args.iter().enumerate().map(|(i, &s)| constant(&mut pool, i, s)).unzip();
                let term = pool.apply(op, &shape.indices, &args, Some(sort)).expect(row.name);
                assert_eq!(pool.sort_of(term), sort, "{}", row.name);
                assert!(may_take(&pool, op, &shape.args), "{}", row.name);
                let by_name = pool.apply_named(row.name, &shape.indices, &args, None);
                assert_eq!(pool.apply_shape(op, &shape.indices, &args, sort), by_name, "{}", row.name);
                let text = write_term(&pool, term);
                let script = format!("{PRELUDE}{}(simplify {text})", declarations.concat());
                let script = read(script.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
                let Some(What::Query(_, again, _)) = script.commands.last().map(|c| c.what) else {
                    unreachable!("asked last")
                };
                let Head::Op(read_as, _) = script.pool.node(again).head else {
                    panic!("{text}: no operator")
                };
                assert_eq!(read_as, op, "{text}: {}", table().op(read_as).name);
            }
            if found > 5 {
                break;
            }
        }
        // z3's arrays of several indices are read, not produced.
        let several = matches!(row.name, "select" | "store") && row.arity == Arity::Variadic;
        assert!(found > 0 || several, "{}: no shape", row.name);
    }
}

#[test]
fn what_a_sort_leaves_no_choice_of() {
    let mut pool = Pool::new();
    let (four, eight) = (pool.bitvec(4), pool.bitvec(8));
    let float = pool.sort_id(Sort::Float(3, 5)).expect("shallow");
    let menu = Menu { sorts: &[SortId::INT], widths: &[4], numbers: &[0], texts: &[] };
    let n = Index::Number;
    let rows: &[(&str, SortId, &[Index], &[SortId])] = &[
        ("bvneg", eight, &[], &[eight]),
        ("int_to_bv", eight, &[n(8)], &[SortId::INT]),
        ("extract", four, &[n(3), n(0)], &[four]),
        ("fp.to_real", SortId::REAL, &[], &[]),
        ("NaN", float, &[n(3), n(5)], &[]),
        ("seq.len", SortId::INT, &[], &[]),
        ("fp.abs", float, &[], &[float]),
    ];
    for &(name, sort, indices, args) in rows {
        let &[op] = table().named(name) else { unreachable!("one row") };
        assert!(producers(&pool, sort).any(|o| o == op), "{name}");
        let shape = shape(&mut pool, op, sort, &menu, &mut |_| 0).expect(name);
        assert_eq!(shape.indices, indices, "{name}");
        if !args.is_empty() {
            assert_eq!(shape.args, args, "{name}");
        }
        assert!(!producers(&pool, SortId::REGLAN).any(|o| o == op), "{name}");
    }
}

#[test]
fn what_no_argument_can_be_is_not_taken() {
    let mut pool = Pool::new();
    let (four, float) = (pool.bitvec(4), pool.sort_id(Sort::Float(3, 5)).expect("shallow"));
    let rows: &[(&str, &[SortId], bool)] = &[
        ("bvult", &[SortId::INT, SortId::BOOL], false),
        ("bvult", &[four], true),
        ("and", &[SortId::INT], false),
        ("fp.lt", &[SortId::REAL, four], false),
        ("fp.lt", &[float], true),
        ("fp.add", &[float], false),
        ("fp.add", &[float, SortId::ROUNDING], true),
        ("=", &[four], true),
        ("str.len", &[], false),
    ];
    for &(name, sorts, expected) in rows {
        let taken = table().named(name).iter().any(|&op| may_take(&pool, op, sorts));
        assert_eq!(taken, expected, "{name} of {sorts:?}");
    }
}

#[test]
fn rows_of_one_name_are_told_apart() {
    let rows = [
        ("and", true),
        ("bvadd", true),
        ("str.++", true),
        ("extract", false),
        ("=", true),
        ("select", false),
    ];
    for (name, expected) in rows {
        let all = table().named(name).iter().all(|&op| is_unmistakable(op));
        assert_eq!(all, expected, "{name}");
    }
    let plus: Vec<_> = table().named("+").iter().map(|&op| is_unmistakable(op)).collect();
    assert!(plus.len() > 1 && plus.iter().all(|&told| told), "Ints and Reals: {plus:?}");
}
