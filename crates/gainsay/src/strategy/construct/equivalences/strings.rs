//! Equivalences of strings and regular languages.

use super::{Equivalence, row};

const S: &str = "String";
const I: &str = "Int";

/// Whether the character at `j` is a digit, as the paper writes it.
macro_rules! digits {
    () => {
        concat!(
            r#"(forall ((j Int)) (! (=> (and (>= j 0) (< j (str.len s))) (or (= (str.at s j) "0") "#,
            r#"(= (str.at s j) "1") (= (str.at s j) "2") (= (str.at s j) "3") (= (str.at s j) "4") "#,
            r#"(= (str.at s j) "5") (= (str.at s j) "6") (= (str.at s j) "7") (= (str.at s j) "8") "#,
            r#"(= (str.at s j) "9"))) :pattern ((str.at s j))))"#
        )
    };
}

/// All rows.
pub static ROWS: &[Equivalence] = &[
    row(
        "E1",
        &[("s", S), ("off", I), ("res", S)],
        "(= (str.at s off) res)",
        &["(= res (str.substr s off 1))"],
    ),
    row(
        "E2",
        &[("n", I), ("res", S)],
        "(= (str.from_int n) res)",
        &[
            r#"(=> (< n 0) (= res ""))"#,
            r#"(=> (= n 0) (= res "0"))"#,
            r#"(=> (= n 1) (= res "1"))"#,
            r#"(=> (= n 2) (= res "2"))"#,
            r#"(=> (= n 3) (= res "3"))"#,
            r#"(=> (= n 4) (= res "4"))"#,
            r#"(=> (= n 5) (= res "5"))"#,
            r#"(=> (= n 6) (= res "6"))"#,
            r#"(=> (= n 7) (= res "7"))"#,
            r#"(=> (= n 8) (= res "8"))"#,
            r#"(=> (= n 9) (= res "9"))"#,
            "(=> (>= n 10) (= res (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10)))))",
        ],
    ),
    row(
        "E3",
        &[("s", S), ("t", S), ("u", S), ("res", S)],
        "(= (str.replace s t u) res)",
        &[
            "(= i (str.indexof s t 0))",
            "(=> (<= 0 i) (and (= s (str.++ s1 s2 s3)) (= (str.len s1) i) (= s2 t) (= res (str.++ s1 u s3))))",
            "(=> (< i 0) (= res s))",
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s3", S), ("i", I)], "(str.at (str.++ s1 s2 s3) i)"),
    row(
        "E4",
        &[("s", S), ("off", I), ("len", I), ("res", S)],
        "(= (str.substr s off len) res)",
        &[
            concat!(
                "(=> (and (>= off 0) (< off (str.len s)) (> len 0)) (and (= s (str.++ s1 s2 s3)) ",
                "(= (str.len s1) off) (= (str.len s2) (ite (<= len (- (str.len s) off)) len (- (str.len s) off))) ",
                "(= res s2)))"
            ),
            r#"(=> (not (and (>= off 0) (< off (str.len s)) (> len 0))) (= res ""))"#,
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s3", S)], "(str.++ s1 s2 s3)"),
    row(
        "E4-printed",
        &[("s", S), ("off", I), ("len", I), ("res", S)],
        "(= (str.substr s off len) res)",
        &[
            concat!(
                "(=> (and (>= off 0) (< off (str.len s)) (> len 0)) (and (= s (str.++ s1 s2 s3)) ",
                "(= (str.len s1) off) (= (str.len s2) len) (= res s2)))"
            ),
            r#"(=> (not (and (>= off 0) (< off (str.len s)) (> len 0))) (= res ""))"#,
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s3", S)], "(str.++ s1 s2 s3)")
    .one_way(),
    row(
        "E5",
        &[("s", S), ("t", S), ("off", I), ("res", I)],
        "(= (str.indexof s t off) res)",
        &[
            r#"(=> (and (= t "") (and (>= off 0) (<= off (str.len s)))) (= res off))"#,
            concat!(
                r#"(=> (and (distinct t "") (and (>= off 0) (<= off (str.len s))) "#,
                "(str.contains (str.substr s off (- (str.len s) off)) t)) (and (= s (str.++ s1 s2 t s4)) ",
                "(= off (str.len s1)) (not (str.contains (str.++ s2 (str.substr t 0 (- (str.len t) 1))) t)) ",
                "(= res (str.len (str.++ s1 s2)))))"
            ),
            concat!(
                r#"(=> (or (not (and (>= off 0) (<= off (str.len s)))) (and (distinct t "") "#,
                "(not (str.contains (str.substr s off (- (str.len s) off)) t)))) (= res (- 1)))"
            ),
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s4", S)], "(str.++ s1 s2 t s4)"),
    row(
        "E5-quantified",
        &[("s", S), ("t", S), ("off", I), ("res", I)],
        "(= (str.indexof s t off) res)",
        &[
            r#"(=> (and (= t "") (and (>= off 0) (<= off (str.len s)))) (= res off))"#,
            concat!(
                r#"(=> (and (distinct t "") (and (>= off 0) (<= off (str.len s))) "#,
                "(str.contains (str.substr s off (- (str.len s) off)) t)) (and (= s (str.++ s1 s2 t s4)) ",
                "(= off (str.len s1)) (forall ((i1 Int)) (! (=> (and (>= i1 0) (< i1 (str.len t))) ",
                "(not (str.contains (str.++ s2 (str.substr t 0 i1)) t))) :pattern ((str.substr t 0 i1)))) ",
                "(= res (str.len (str.++ s1 s2)))))"
            ),
            concat!(
                r#"(=> (or (not (and (>= off 0) (<= off (str.len s)))) (and (distinct t "") "#,
                "(not (str.contains (str.substr s off (- (str.len s) off)) t)))) (= res (- 1)))"
            ),
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s4", S)], "(str.++ s1 s2 t s4)"),
    row(
        "E5-printed",
        &[("s", S), ("t", S), ("off", I), ("res", I)],
        "(= (str.indexof s t off) res)",
        &[
            r#"(=> (and (= t "") (and (>= off 0) (<= off (str.len s)))) (= res off))"#,
            concat!(
                r#"(=> (and (distinct t "") (and (>= off 0) (<= off (str.len s)))) (and (= s (str.++ s1 s2 t s4)) "#,
                "(= off (str.len s1)) (forall ((i1 Int)) (! (=> (and (>= i1 0) (< i1 (str.len t))) ",
                "(not (str.contains (str.++ s2 (str.substr t 0 i1)) t))) :pattern ((str.substr t 0 i1)))) ",
                "(= res (str.len (str.++ s1 s2)))))"
            ),
            "(=> (not (and (>= off 0) (<= off (str.len s)))) (= res (- 1)))",
        ],
    )
    .with(&[("s1", S), ("s2", S), ("s4", S)], "(str.++ s1 s2 t s4)")
    .one_way(),
    row(
        "E6",
        &[("s", S), ("res", I)],
        "(= (str.to_int s) res)",
        &[
            concat!(
                r#"(=> (str.in_re s (re.+ (re.range "0" "9"))) (and (= s (str.++ z0 s2)) "#,
                r#"(str.in_re z0 (re.* (str.to_re "0"))) (distinct s2 "") "#,
                r#"(or (= s2 "0") (not (str.prefixof "0" s2))) (= (str.from_int res) s2)))"#
            ),
            r#"(=> (not (str.in_re s (re.+ (re.range "0" "9")))) (= res (- 1)))"#,
        ],
    )
    .with(&[("z0", S), ("s2", S)], "(str.++ z0 s2)"),
    row(
        "E6-suffix",
        &[("s", S), ("res", I)],
        "(= (str.to_int s) res)",
        &[
            concat!(
                r#"(=> (str.in_re s (re.+ (re.range "0" "9"))) (and (>= res 0) (str.suffixof (str.from_int res) s) "#,
                r#"(str.in_re (str.substr s 0 (- (str.len s) (str.len (str.from_int res)))) (re.* (str.to_re "0")))))"#
            ),
            r#"(=> (not (str.in_re s (re.+ (re.range "0" "9")))) (= res (- 1)))"#,
        ],
    ),
    row(
        "E6-printed",
        &[("s", S), ("res", I)],
        "(= (str.to_int s) res)",
        &[
            concat!(r#"(=> (and (distinct s "") "#, digits!(), ") (= (str.from_int res) s))"),
            concat!(r#"(=> (not (and (distinct s "") "#, digits!(), ")) (= res (- 1)))"),
        ],
    )
    .one_way(),
    row("E7", &[("s", S), ("t", S)], "(= (str.contains s t) true)", &["(= s (str.++ s1 t s3))"])
        .with(&[("s1", S), ("s3", S)], "(str.++ s1 t s3)"),
    row(
        "E8",
        &[("s", S), ("t", S)],
        "(= (str.contains s t) false)",
        &[concat!(
            "(forall ((s1 String) (s2 String) (s3 String)) (! (=> (= s (str.++ s1 s2 s3)) (distinct s2 t)) ",
            ":pattern ((str.++ s1 s2 s3))))"
        )],
    ),
    row("E9", &[("s", S), ("t", S)], "(= (str.prefixof s t) true)", &["(= t (str.++ s t2))"])
        .with(&[("t2", S)], "(str.++ s t2)"),
    row(
        "E10",
        &[("s", S), ("t", S)],
        "(= (str.prefixof s t) false)",
        &[concat!(
            "(forall ((t1 String) (t2 String)) (! (=> (= t (str.++ t1 t2)) (distinct t1 s)) ",
            ":pattern ((str.++ t1 t2))))"
        )],
    ),
    row("E11", &[("s", S), ("t", S)], "(= (str.suffixof s t) true)", &["(= t (str.++ t1 s))"])
        .with(&[("t1", S)], "(str.++ t1 s)"),
    row(
        "E12",
        &[("s", S), ("t", S)],
        "(= (str.suffixof s t) false)",
        &[concat!(
            "(forall ((t1 String) (t2 String)) (! (=> (= t (str.++ t1 t2)) (distinct t2 s)) ",
            ":pattern ((str.++ t1 t2))))"
        )],
    ),
    // Ours, for the operations that the paper does not have.
    row("X1", &[("s", S), ("t", S)], "(= (str.< s t) true)", &["(str.<= s t)", "(distinct s t)"]),
    row("X2", &[("s", S), ("t", S)], "(= (str.<= s t) true)", &["(or (= s t) (str.< s t))"]),
    row("X3", &[("s", S), ("t", S)], "(= (str.<= s t) false)", &["(str.< t s)"]),
    row("X4", &[("s", S)], "(= (str.is_digit s) true)", &[r#"(str.in_re s (re.range "0" "9"))"#]),
    row(
        "X5",
        &[("s", S)],
        "(= (str.is_digit s) true)",
        &["(<= 48 (str.to_code s))", "(<= (str.to_code s) 57)"],
    ),
    row(
        "X6",
        &[("s", S), ("res", I)],
        "(= (str.to_code s) res)",
        &[
            "(=> (= (str.len s) 1) (= s (str.from_code res)))",
            "(=> (not (= (str.len s) 1)) (= res (- 1)))",
        ],
    ),
    row(
        "X7",
        &[("n", I), ("res", S)],
        "(= (str.from_code n) res)",
        &[
            "(=> (and (<= 0 n) (<= n 196607)) (and (= (str.len res) 1) (= (str.to_code res) n)))",
            r#"(=> (not (and (<= 0 n) (<= n 196607))) (= res ""))"#,
        ],
    ),
    row(
        "X8",
        &[("s", S), ("t", S), ("u", S), ("res", S)],
        "(= (str.replace_all s t u) res)",
        &[
            "(= i (str.indexof s t 0))",
            r#"(=> (or (= t "") (< i 0)) (= res s))"#,
            concat!(
                r#"(=> (and (distinct t "") (<= 0 i)) (= res (str.++ (str.substr s 0 i) u "#,
                "(str.replace_all (str.substr s (+ i (str.len t)) (str.len s)) t u))))"
            ),
        ],
    )
    .with(&[("i", I)], "(str.at s i)"),
    row(
        "X9",
        &[("s", S), ("u", S), ("res", S)],
        r#"(= (str.replace_re s (str.to_re "ab") u) res)"#,
        &[r#"(= res (str.replace s "ab" u))"#],
    ),
    row(
        "X10",
        &[("s", S), ("u", S), ("res", S)],
        r#"(= (str.replace_re_all s (re.+ (str.to_re "a")) u) res)"#,
        &[r#"(= res (str.replace_all s "a" u))"#],
    ),
    row("X11", &[("s", S)], r#"(= (str.in_re s (str.to_re "ab")) true)"#, &[r#"(= s "ab")"#]),
    row(
        "X12",
        &[("s", S)],
        r#"(= (str.in_re s (re.union (str.to_re "a") (re.* (str.to_re "b")))) true)"#,
        &[r#"(or (= s "a") (str.in_re s (re.* (str.to_re "b"))))"#],
    ),
    row(
        "X13",
        &[("s", S)],
        r#"(= (str.in_re s (re.inter (re.* (str.to_re "a")) ((_ re.^ 2) re.allchar))) true)"#,
        &[r#"(str.in_re s (re.* (str.to_re "a")))"#, "(= (str.len s) 2)"],
    ),
    row(
        "X14",
        &[("s", S)],
        r#"(= (str.in_re s (re.diff (re.* (str.to_re "a")) (str.to_re "a"))) true)"#,
        &[r#"(str.in_re s (re.* (str.to_re "a")))"#, r#"(distinct s "a")"#],
    ),
    row(
        "X15",
        &[("s", S)],
        r#"(= (str.in_re s (re.comp (re.+ (str.to_re "a")))) false)"#,
        &[r#"(str.in_re s (re.+ (str.to_re "a")))"#],
    ),
    row(
        "X16",
        &[("s", S)],
        r#"(= (str.in_re s (re.+ (str.to_re "ab"))) true)"#,
        &[r#"(= s (str.++ "ab" s2))"#, r#"(str.in_re s2 (re.* (str.to_re "ab")))"#],
    )
    .with(&[("s2", S)], r#"(str.++ "ab" s2)"#),
    row(
        "X17",
        &[("s", S)],
        r#"(= (str.in_re s (re.opt (str.to_re "a"))) true)"#,
        &[r#"(or (= s "") (= s "a"))"#],
    ),
    row(
        "X18",
        &[("s", S)],
        r#"(= (str.in_re s ((_ re.loop 1 2) (str.to_re "a"))) true)"#,
        &[r#"(or (= s "a") (= s "aa"))"#],
    ),
    row(
        "X19",
        &[("s", S)],
        r#"(= (str.in_re s (re.range "a" "c")) true)"#,
        &["(= (str.len s) 1)", r#"(str.<= "a" s)"#, r#"(str.<= s "c")"#],
    ),
    row("X20", &[("s", S)], "(= (str.in_re s re.allchar) true)", &["(= (str.len s) 1)"]),
    row(
        "X21",
        &[("s", S)],
        r#"(= (str.in_re s (re.++ (str.to_re "a") re.all)) true)"#,
        &[r#"(str.prefixof "a" s)"#],
    ),
    row(
        "X22",
        &[("s", S)],
        r#"(= (str.in_re s (re.* (str.to_re "a"))) true)"#,
        &[r#"(= (str.replace_all s "a" "") "")"#],
    ),
    row("X23", &[("s", S), ("t", S)], "(= (str.in_re s re.none) false)", &["(= (str.prefixof t t) true)"]),
    // The only `B` with `false` in it.
    row("X24", &[("s", S), ("t", S)], "(= (str.< t s) true)", &["(= (str.<= s t) false)"]),
];
