//! The sorts and datatypes that terms of each theory are drawn over.

use smt::theory::Theory;
use smt::{Script, SortId, Symbol, What, read};

/// Datatypes that every question begins with.
pub const PRELUDE: &str = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(declare-datatype Color ((red) (green) (blue)))
(declare-datatype Pair ((pair (left (_ BitVec 3)) (right Bool))))
(declare-datatype Option (par (X) ((none) (some (val X)))))";

const MIXED: &[&str] = &["Bool", "Int", "Real", "(_ BitVec 3)", "String"];

/// The sorts of a theory.
fn named(theory: Theory) -> &'static [&'static str] {
    match theory {
        Theory::Core => &[
            "Bool",
            "Bool",
            "Bool",
            "Int",
            "Real",
            "(_ BitVec 2)",
            "(_ BitVec 8)",
            "String",
            "RoundingMode",
            "(_ FloatingPoint 3 5)",
            "(Array Int Int)",
            "(Array Bool (_ BitVec 1))",
            "(Seq Int)",
            "L",
            "Color",
            "(Option Int)",
            "(Set Int)",
            "(Tuple Int Bool)",
        ],
        Theory::Ints => &["Int", "Bool"],
        Theory::Reals | Theory::Transcendentals => &["Real", "Bool"],
        Theory::RealsInts => &["Real", "Int", "Bool"],
        Theory::BitVectors => &[
            "(_ BitVec 1)",
            "(_ BitVec 2)",
            "(_ BitVec 3)",
            "(_ BitVec 4)",
            "(_ BitVec 8)",
            "(_ BitVec 16)",
            "(_ BitVec 32)",
            "(_ BitVec 64)",
            "(_ BitVec 65)",
            "Bool",
            "Int",
        ],
        Theory::Arrays => &[
            "Bool",
            "Int",
            "(_ BitVec 1)",
            "(_ BitVec 2)",
            "Real",
            "(Array Int Int)",
            "(Array Int Bool)",
            "(Array Bool Int)",
            "(Array (_ BitVec 1) (_ BitVec 2))",
            "(Array (_ BitVec 2) Bool)",
            "(Array Int (Array Int Int))",
            "(Array Int Bool Int)",
            "(Array (_ BitVec 2) Int Bool)",
            "Color",
            "(Array Color Int)",
            "(Array Real Real)",
        ],
        Theory::Floats => &[
            "(_ FloatingPoint 2 3)",
            "(_ FloatingPoint 3 4)",
            "(_ FloatingPoint 3 5)",
            "(_ FloatingPoint 4 3)",
            "(_ FloatingPoint 5 11)",
            "(_ FloatingPoint 8 24)",
            "(_ FloatingPoint 11 53)",
            "RoundingMode",
            "Real",
            "Int",
            "Bool",
            "(_ BitVec 1)",
            "(_ BitVec 3)",
            "(_ BitVec 8)",
            "(_ BitVec 16)",
            "(_ BitVec 32)",
        ],
        Theory::Strings => &[
            "String",
            "String",
            "String",
            "RegLan",
            "RegLan",
            "Int",
            "Int",
            "Bool",
            "Bool",
            "(_ BitVec 4)",
            "Unicode",
        ],
        Theory::Sequences => &[
            "(Seq Int)",
            "(Seq Bool)",
            "(Seq (_ BitVec 2))",
            "(Seq (Seq Int))",
            "(Seq String)",
            "Int",
            "Bool",
            "(_ BitVec 2)",
            "String",
        ],
        Theory::Sets => &[
            "(Set Int)",
            "(Set Bool)",
            "(Set (_ BitVec 2))",
            "(Set (Set Int))",
            "(Bag Int)",
            "(Bag Bool)",
            "(Bag String)",
            "(Bag (Bag Int))",
            "Int",
            "Bool",
            "(Array Int Bool)",
            "(Array (_ BitVec 2) Bool)",
            "(Tuple Int)",
            "(Tuple Int Int)",
            "(Tuple Int Bool)",
            "(Set (Tuple Int))",
            "(Set (Tuple Int Int))",
            "(Set (Tuple Int Bool))",
            "(Set (Tuple Bool Int))",
            "(Set (Tuple Int Int Bool))",
            "(Bag (Tuple Int))",
            "(Bag (Tuple Int Int))",
            "(Bag (Tuple Int Bool))",
            "(Bag (Tuple Bool Int))",
            "(Bag (Tuple Int Int Bool))",
            "(Set (Set (Tuple Int Int)))",
            "(Set (Set (Tuple Int Bool)))",
            "(Bag (Bag (Tuple Int Int)))",
            "(Bag (Bag (Tuple Int Bool)))",
            "UnitTuple",
            "(Set UnitTuple)",
            "(Set (Tuple Int Int Int))",
            "(Bag (Tuple Int Int Int))",
            "(Set (Tuple Int Int Int Int))",
            "(Bag (Tuple Int Int Int Int))",
        ],
        Theory::FiniteSets => &[
            "(FiniteSet Int)",
            "(FiniteSet Bool)",
            "(FiniteSet (_ BitVec 2))",
            "(FiniteSet (FiniteSet Int))",
            "Int",
            "Bool",
            "(_ BitVec 2)",
        ],
        Theory::Datatypes => &[
            "(Nullable Int)",
            "(Nullable (Nullable Bool))",
            "L",
            "Color",
            "Pair",
            "(Option Int)",
            "(Option (Option Bool))",
            "(Option L)",
            "Int",
            "Bool",
            "(_ BitVec 3)",
            "(Tuple Int)",
            "(Tuple Int Bool)",
            "(Tuple Bool Int)",
            "(Tuple Int Int Bool)",
            "(Tuple L Color)",
            "UnitTuple",
        ],
        Theory::FiniteFields => {
            &["(_ FiniteField 2)", "(_ FiniteField 3)", "(_ FiniteField 7)", "(_ FiniteField 101)"]
        }
        Theory::HigherOrder => &["Int", "Bool", "(_ BitVec 3)", "String", "(-> Int Int)", "(-> Bool Int)"],
        Theory::SpecialRelations | Theory::Separation => MIXED,
    }
}

/// A script with the datatypes, the sorts to draw over, and indices that are neither numbers nor functions.
pub fn world(theory: Theory) -> (Script, Vec<SortId>, Vec<Symbol>) {
    let mut script = read(PRELUDE.as_bytes()).expect("well-sorted");
    let sorts = named(theory).iter().enumerate();
    let declared: Vec<_> = sorts.map(|(i, sort)| format!("(declare-const sort{i} {sort})\n")).collect();
    let text = PRELUDE.to_owned() + &declared.concat();
    let told = read(text.as_bytes()).expect("well-sorted");
    let sorts = told.commands.iter().filter_map(|c| match c.what {
        What::DeclareFun(fun) => Some(told.pool.fun(fun).result),
        _ => None,
    });
    let sorts = sorts.collect();
    script.pool = told.pool;
    let texts = match theory {
        Theory::Strings => &["#x0", "#x61", "#x2FFFF", "#x00041"][..],
        Theory::Arrays => &[
            "and",
            "or",
            "not",
            "(= (Int Int) Bool)",
            "(div (Int Int) Int)",
            "(mod (Int Int) Int)",
            "(ite (Bool Int Int) Int)",
            "(bvnot ((_ BitVec 2)) (_ BitVec 2))",
            "(bvadd ((_ BitVec 2) (_ BitVec 2)) (_ BitVec 2))",
        ][..],
        _ => &[],
    };
    let texts = texts.iter().map(|t| script.pool.intern(t)).collect();
    (script, sorts, texts)
}
