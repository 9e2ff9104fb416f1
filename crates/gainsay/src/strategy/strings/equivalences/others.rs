//! Equivalences of the other theories. Bit-vectors have four bits, so that every row can be tried out.

use super::{Equivalence, row};

const I: &str = "Int";
const V: &str = "(_ BitVec 4)";
const F: &str = "(_ FloatingPoint 8 24)";
const A: &str = "(Array Int Int)";
const Q: &str = "(Seq Int)";

/// All rows.
pub static ROWS: &[Equivalence] = &[
    // Sequences.
    row("Q1", &[("s", Q), ("off", I), ("res", Q)], "(= (seq.at s off) res)", &["(= res (seq.extract s off 1))"])
        .of("seq"),
    row("Q7", &[("s", Q), ("t", Q)], "(= (seq.contains s t) true)", &["(= s (seq.++ s1 t s3))"])
        .with(&[("s1", Q), ("s3", Q)], "(seq.++ s1 t s3)")
        .of("seq"),
    row("Q9", &[("s", Q), ("t", Q)], "(= (seq.prefixof s t) true)", &["(= t (seq.++ s t2))"])
        .with(&[("t2", Q)], "(seq.++ s t2)")
        .of("seq"),
    row("Q11", &[("s", Q), ("t", Q)], "(= (seq.suffixof s t) true)", &["(= t (seq.++ t1 s))"])
        .with(&[("t1", Q)], "(seq.++ t1 s)")
        .of("seq"),
    // Integers.
    row(
        "I1",
        &[("s", I), ("t", I), ("res", I)],
        "(and (distinct t 0) (= (div s t) res))",
        &["(distinct t 0)", "(= s (+ (* t res) r))", "(<= 0 r)", "(< r (abs t))"],
    )
    .with(&[("r", I)], "(+ r s)")
    .of("ints"),
    row(
        "I2",
        &[("s", I), ("t", I), ("res", I)],
        "(and (distinct t 0) (= (mod s t) res))",
        &["(distinct t 0)", "(= s (+ (* t q) res))", "(<= 0 res)", "(< res (abs t))"],
    )
    .with(&[("q", I)], "(* t q)")
    .of("ints"),
    row("I3", &[("s", I), ("res", I)], "(= (abs s) res)", &["(or (= res s) (= res (- s)))", "(<= 0 res)"])
        .of("ints"),
    row("I4", &[("s", I), ("t", I)], "(= (<= s t) false)", &["(<= (+ t 1) s)"]).of("ints"),
    // Bit-vectors.
    row(
        "V1",
        &[("s", V), ("t", V), ("res", V)],
        "(= (bvudiv s t) res)",
        &[
            "(=> (= t #x0) (= res #xf))",
            concat!(
                "(=> (distinct t #x0) (= ((_ zero_extend 4) s) (bvadd (bvmul ((_ zero_extend 4) t) ",
                "((_ zero_extend 4) res)) ((_ zero_extend 4) (bvurem s t)))))"
            ),
        ],
    )
    .of("bitvectors"),
    row(
        "V2",
        &[("s", V), ("t", V), ("res", V)],
        "(= (bvurem s t) res)",
        &["(= res (ite (= t #x0) s (bvsub s (bvmul t (bvudiv s t)))))"],
    )
    .of("bitvectors"),
    row(
        "V3",
        &[("s", V), ("t", V), ("res", V)],
        "(= (bvsdiv s t) res)",
        &[
            "(=> (and (bvsge s #x0) (bvsge t #x0)) (= res (bvudiv s t)))",
            "(=> (and (bvslt s #x0) (bvsge t #x0)) (= res (bvneg (bvudiv (bvneg s) t))))",
            "(=> (and (bvsge s #x0) (bvslt t #x0)) (= res (bvneg (bvudiv s (bvneg t)))))",
            "(=> (and (bvslt s #x0) (bvslt t #x0)) (= res (bvudiv (bvneg s) (bvneg t))))",
        ],
    )
    .of("bitvectors"),
    row(
        "V4",
        &[("s", V), ("t", V)],
        "(= (bvumulo s t) true)",
        &["(bvult #x0f (bvmul ((_ zero_extend 4) s) ((_ zero_extend 4) t)))"],
    )
    .of("bitvectors"),
    row(
        "V5",
        &[("s", V), ("t", V)],
        "(= (bvsmulo s t) true)",
        &[
            "(= (bvmul ((_ sign_extend 4) s) ((_ sign_extend 4) t)) w)",
            "(distinct ((_ sign_extend 4) ((_ extract 3 0) w)) w)",
        ],
    )
    .with(&[("w", "(_ BitVec 8)")], "(bvnot w)")
    .of("bitvectors"),
    row(
        "V6",
        &[("s", V), ("t", V)],
        "(= (bvslt s t) true)",
        &["(bvult (bvadd s #x8) (bvadd t #x8))"],
    )
    .of("bitvectors"),
    row(
        "V7",
        &[("s", V), ("t", V), ("res", V)],
        "(= (bvsmod s t) res)",
        &[
            "(=> (= t #x0) (= res s))",
            "(=> (= (bvsrem s t) #x0) (= res #x0))",
            "(=> (and (distinct t #x0) (distinct (bvsrem s t) #x0)) (= res (ite (= (bvslt s #x0) (bvslt t #x0)) (bvsrem s t) (bvadd (bvsrem s t) t))))",
        ],
    )
    .of("bitvectors"),
    // Floats.
    row("F1", &[("s", F), ("t", F)], "(= (fp.leq s t) true)", &["(or (fp.lt s t) (fp.eq s t))"]).of("floats"),
    row("F2", &[("s", F), ("t", F)], "(= (fp.gt s t) true)", &["(fp.lt t s)"]).of("floats"),
    row("F3", &[("s", F)], "(= (fp.isNaN s) true)", &["(not (fp.eq s s))"]).of("floats"),
    row(
        "F4",
        &[("s", F)],
        "(= (fp.isInfinite s) true)",
        &["(fp.eq (fp.abs s) (_ +oo 8 24))"],
    )
    .of("floats"),
    row("F5", &[("s", F)], "(= (fp.isZero s) true)", &["(fp.eq s (fp.neg s))"]).of("floats"),
    row(
        "F6",
        &[("s", F)],
        "(= (or (fp.isNormal s) (fp.isSubnormal s)) true)",
        &["(not (fp.isNaN s))", "(not (fp.isInfinite s))", "(not (fp.isZero s))"],
    )
    .of("floats"),
    row(
        "F7",
        &[("s", F), ("t", F)],
        "(= (fp.eq s t) true)",
        &["(or (= s t) (and (fp.isZero s) (fp.isZero t)))", "(not (fp.isNaN s))"],
    )
    .of("floats"),
    // Arrays.
    row(
        "A1",
        &[("s", A), ("t", A)],
        "(= (= s t) true)",
        &["(forall ((i Int)) (! (= (select s i) (select t i)) :pattern ((select s i))))"],
    )
    .of("arrays"),
    row("A2", &[("s", A), ("t", A)], "(= (= s t) false)", &["(distinct (select s i) (select t i))"])
        .with(&[("i", I)], "(select s i)")
        .of("arrays"),
    row(
        "A3",
        &[("s", A), ("j", I), ("x", I), ("res", A)],
        "(= (store s j x) res)",
        &[
            "(= (select res j) x)",
            "(forall ((i Int)) (! (=> (distinct i j) (= (select res i) (select s i))) :pattern ((select res i))))",
        ],
    )
    .of("arrays"),
];
