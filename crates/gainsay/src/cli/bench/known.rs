//! Scripts of our own on which releases are known to fail.

/// A script, its right answer, and who fails on it.
pub struct Known {
    /// What it is about.
    pub name: &'static str,
    /// The right answer.
    pub right: &'static str,
    /// Who answers wrongly, crashes, or fails its own check.
    pub wrong: &'static [&'static str],
    /// The script.
    pub script: &'static str,
}

const fn known(
    name: &'static str,
    right: &'static str,
    wrong: &'static [&'static str],
    script: &'static str,
) -> Known {
    Known { name, right, wrong, script }
}

/// All of them.
pub const KNOWN: &[Known] = &[
    known(
        "str.replace of the empty string",
        "sat",
        &["z3@4.5.1..4.8.0"],
        r#"(declare-const t String)(declare-const u String)(assert (= (str.replace "" t u) "a"))
(check-sat)"#,
    ),
    known(
        "division by zero, twice",
        "sat",
        &["z3@4.5.1..4.8.6"],
        "(declare-const a Real)(assert (= (/ (* 2 a) a) (/ a a) 1))(check-sat)",
    ),
    known(
        "zero divided by zero",
        "sat",
        &["z3@4.5.1..4.8.7 model_validate=true"],
        "(declare-const a Real)(assert (= (/ 0 a) 1))(check-sat)",
    ),
    known(
        "mod by zero",
        "sat",
        &["z3@4.5.1..4.8.7 model_validate=true"],
        "(declare-const a Int)(declare-const b Int)(assert (= (mod a b) (- 1)))(check-sat)",
    ),
    known(
        "div and mod by zero",
        "sat",
        &["z3@4.8.0..4.8.7 model_validate=true"],
        "(declare-const a Int)(declare-const b Int)(assert (< (div a b) (mod b a) 0))(check-sat)",
    ),
    known(
        "a number below minus one from a string",
        "unsat",
        &["z3@4.5.1"],
        "(declare-const s String)(assert (= (str.to.int s) (- 2)))(check-sat)",
    ),
    known(
        "a number with a leading zero",
        "unsat",
        &["z3@4.8.5..4.8.6 model_validate=true"],
        r#"(declare-const n Int)(declare-const a String)(assert (= (int.to.str n) (str.++ "0" a)))
(assert (distinct a ""))(check-sat)"#,
    ),
    known(
        "a number with two zeros",
        "unsat",
        &["z3@4.5.1..4.8.7 smt.string_solver=z3str3"],
        r#"(declare-const n Int)(assert (= (int.to.str n) "00"))(check-sat)"#,
    ),
    known(
        "bvxnor of three",
        "sat",
        &["z3@4.8.6..4.8.7"],
        "(declare-const a (_ BitVec 4))(assert (= (bvxnor a a a) a))(check-sat)",
    ),
    known(
        "bvxnor of three, denied",
        "unsat",
        &["z3@4.8.6..4.8.7"],
        "(declare-const a (_ BitVec 4))(assert (distinct (bvxnor a a a) a))(check-sat)",
    ),
    known("a prefix is less", "sat", &["z3@4.8.6..4.8.7"], r#"(assert (str.< "0" "01"))(check-sat)"#),
    known(
        "re.diff of three",
        "unsat",
        &["z3@4.8.9"],
        r#"(assert (str.in_re "b" (re.diff re.all (str.to_re "a") (str.to_re "b"))))(check-sat)"#,
    ),
    known(
        "fp.fma",
        "sat",
        &["z3@4.8.8..4.8.15"],
        "(declare-const x (_ FloatingPoint 2 3))(declare-const y (_ FloatingPoint 2 3))\
         (declare-const m RoundingMode)(assert (fp.lt (fp.fma m x y y) x))(check-sat)",
    ),
    known(
        "fp.rem above its divisor",
        "unsat",
        &["z3@4.8.6..4.8.9", "z3@4.8.6..4.8.9 model_validate=true"],
        "(declare-const x (_ FloatingPoint 3 5))(declare-const y (_ FloatingPoint 3 5))\
         (assert (fp.gt (fp.abs (fp.rem x y)) (fp.abs y)))(check-sat)",
    ),
    known(
        "bvsle of a sum in the new core",
        "sat",
        &["z3@4.12.6..5.4.0 sat.smt=true tactic.default_tactic=smt model_validate=true"],
        "(declare-const c (_ BitVec 2))(assert (bvsle (bvadd c c) #b10))(check-sat)",
    ),
    known(
        "a subnormal whole number",
        "unsat",
        &["cvc5@1.2.0..1.4.2 --fp-exp"],
        "(set-logic ALL)(declare-const c RoundingMode)(declare-const b (_ FloatingPoint 2 3))\
         (assert (fp.isSubnormal (fp.roundToIntegral c b)))(check-sat)",
    ),
    known(
        "a small float of a narrow number",
        "sat",
        &["cvc5@1.2.0..1.3.3 --fp-exp"],
        "(set-logic ALL)(declare-const c RoundingMode)(declare-const d (_ BitVec 4))\
         (assert (fp.isZero ((_ to_fp_unsigned 3 5) c d)))(check-sat)",
    ),
];
