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
    row(
        "Q3",
        &[("s", Q), ("t", Q), ("u", Q), ("res", Q)],
        "(= (seq.replace s t u) res)",
        &[
            "(= i (seq.indexof s t 0))",
            "(=> (<= 0 i) (and (= s (seq.++ s1 s2 s3)) (= (seq.len s1) i) (= s2 t) (= res (seq.++ s1 u s3))))",
            "(=> (< i 0) (= res s))",
        ],
    )
    .with(&[("s1", Q), ("s2", Q), ("s3", Q), ("i", I)], "(seq.at (seq.++ s1 s2 s3) i)")
    .of("seq"),
    row(
        "Q4",
        &[("s", Q), ("off", I), ("len", I), ("res", Q)],
        "(= (seq.extract s off len) res)",
        &[
            concat!(
                "(=> (and (>= off 0) (< off (seq.len s)) (> len 0)) (and (= s (seq.++ s1 s2 s3)) ",
                "(= (seq.len s1) off) (= (seq.len s2) (ite (<= len (- (seq.len s) off)) len (- (seq.len s) off))) ",
                "(= res s2)))"
            ),
            "(=> (not (and (>= off 0) (< off (seq.len s)) (> len 0))) (= res (as seq.empty (Seq Int))))",
        ],
    )
    .with(&[("s1", Q), ("s2", Q), ("s3", Q)], "(seq.++ s1 s2 s3)")
    .of("seq"),
    row(
        "Q5",
        &[("s", Q), ("t", Q), ("off", I), ("res", I)],
        "(= (seq.indexof s t off) res)",
        &[
            concat!(
                "(=> (and (= t (as seq.empty (Seq Int))) (and (>= off 0) (<= off (seq.len s)))) ",
                "(= res off))"
            ),
            concat!(
                "(=> (and (distinct t (as seq.empty (Seq Int))) (and (>= off 0) (<= off (seq.len s))) ",
                "(seq.contains (seq.extract s off (- (seq.len s) off)) t)) (and (= s (seq.++ s1 s2 t s4)) ",
                "(= off (seq.len s1)) (not (seq.contains (seq.++ s2 (seq.extract t 0 (- (seq.len t) 1))) t)) ",
                "(= res (seq.len (seq.++ s1 s2)))))"
            ),
            concat!(
                "(=> (or (not (and (>= off 0) (<= off (seq.len s)))) (and (distinct t (as seq.empty (Seq Int))) ",
                "(not (seq.contains (seq.extract s off (- (seq.len s) off)) t)))) (= res (- 1)))"
            ),
        ],
    )
    .with(&[("s1", Q), ("s2", Q), ("s4", Q)], "(seq.++ s1 s2 t s4)")
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
    // One bit more holds every sum, difference and negative number.
    row(
        "V8",
        &[("s", V)],
        "(= (bvnego s) true)",
        &["(distinct ((_ sign_extend 1) (bvneg s)) (bvneg ((_ sign_extend 1) s)))"],
    )
    .of("bitvectors"),
    row(
        "V9",
        &[("s", V), ("t", V)],
        "(= (bvuaddo s t) true)",
        &["(= ((_ extract 4 4) (bvadd ((_ zero_extend 1) s) ((_ zero_extend 1) t))) #b1)"],
    )
    .of("bitvectors"),
    row(
        "V10",
        &[("s", V), ("t", V)],
        "(= (bvsaddo s t) true)",
        &["(distinct ((_ sign_extend 1) (bvadd s t)) (bvadd ((_ sign_extend 1) s) ((_ sign_extend 1) t)))"],
    )
    .of("bitvectors"),
    row(
        "V11",
        &[("s", V), ("t", V)],
        "(= (bvusubo s t) true)",
        &["(= ((_ extract 4 4) (bvsub ((_ zero_extend 1) s) ((_ zero_extend 1) t))) #b1)"],
    )
    .of("bitvectors"),
    row(
        "V12",
        &[("s", V), ("t", V)],
        "(= (bvssubo s t) true)",
        &["(distinct ((_ sign_extend 1) (bvsub s t)) (bvsub ((_ sign_extend 1) s) ((_ sign_extend 1) t)))"],
    )
    .of("bitvectors"),
    row("V13", &[("s", V), ("t", V)], "(= (bvsdivo s t) true)", &["(= s #x8)", "(= t #xf)"])
        .of("bitvectors"),
    row(
        "V14",
        &[("s", V), ("t", V)],
        "(= (bvsdivo s t) true)",
        &["(distinct ((_ sign_extend 1) (bvsdiv s t)) (bvsdiv ((_ sign_extend 1) s) ((_ sign_extend 1) t)))"],
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
