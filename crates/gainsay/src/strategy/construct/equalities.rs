//! Equalities that put a term in the place of a variable (NC) or of a constant (C), as rows.
//!
//! NC1 to NC8 and C1 to C40 are those of the paper, the others ours. Where C31 repeats C30 in print it is left out.

use super::tree::Tree;

/// A variable and its sort, as they are written.
pub type Variable = (&'static str, &'static str);

/// One row: a term that is equal to `value` wherever the side condition holds.
#[derive(Debug)]
pub struct Equality {
    /// Its name.
    pub id: &'static str,
    /// The theory it is of.
    pub theory: &'static str,
    /// The term.
    pub term: &'static str,
    /// What it equals: a constant, or the variable `s`, which stands for the one that is replaced.
    pub value: &'static str,
    /// The sort of both.
    pub sort: &'static str,
    /// What must hold for that; empty for nothing.
    pub side: &'static str,
    /// The other variables.
    pub others: &'static [Variable],
    /// Whether for every value of the result some variables meet the side condition, so that it may stand under a universal
    /// quantifier. Of `NC8` only for numbers from 0, which must then be all that the quantifier speaks of.
    pub onto: bool,
}

const S: &str = "String";
const I: &str = "Int";
const B: &str = "Bool";
const V: &str = "(_ BitVec 4)";
const F: &str = "(_ FloatingPoint 8 24)";
const A: &str = "(Array Int Int)";
const Q: &str = "(Seq Int)";

const fn nc(id: &'static str, theory: &'static str, sort: &'static str, term: &'static str) -> Equality {
    Equality { id, theory, term, value: "s", sort, side: "", others: &[], onto: true }
}

const fn c(id: &'static str, sort: &'static str, term: &'static str, value: &'static str) -> Equality {
    Equality { id, theory: "strings", term, value, sort, side: "", others: &[], onto: false }
}

impl Equality {
    const fn when(mut self, side: &'static str) -> Equality {
        self.side = side;
        self
    }
    const fn over(mut self, others: &'static [Variable]) -> Equality {
        self.others = others;
        self
    }
    const fn partial(mut self) -> Equality {
        self.onto = false;
        self
    }
    const fn of(mut self, theory: &'static str) -> Equality {
        self.theory = theory;
        self
    }

    /// Whether it stands for any variable of its sort.
    pub fn is_general(&self) -> bool {
        self.value == "s"
    }

    /// The term, the side condition if there is one, and the other variables by new names; `subject` stands for `s`.
    pub fn instance(&self, subject: &str, mark: &str) -> (Tree, Option<Tree>, Vec<(String, &'static str)>) {
        let others: Vec<_> =
            self.others.iter().map(|(name, sort)| (format!("{name}_{mark}"), *sort)).collect();
        let renamed = |text: &str| {
            Tree::of(text).with(&|tree| {
                let Tree::Word(word) = tree else { return None };
                if &**word == "s" && self.is_general() {
                    return Some(Tree::word(subject));
                }
                let which = self.others.iter().position(|(name, _)| *name == &**word)?;
                Some(Tree::word(&others[which].0))
            })
        };
        let side = (!self.side.is_empty()).then(|| renamed(self.side));
        (renamed(self.term), side, others)
    }
}

/// All rows.
pub static EQUALITIES: &[Equality] = &[
    nc("NC1", "strings", S, "(str.at s 0)").when("(= (str.len s) 1)").partial(),
    nc("NC2", "strings", S, r#"(str.++ s "")"#),
    nc("NC3", "strings", S, r#"(str.++ "" s)"#),
    nc("NC4", "strings", S, "(str.replace s s s)"),
    nc("NC5", "strings", S, "(str.replace s t u)")
        .when("(= (str.contains s t) false)")
        .over(&[("t", S), ("u", S)]),
    nc("NC6", "strings", S, "(str.replace s t u)")
        .when("(= (str.indexof s t 0) (- 1))")
        .over(&[("t", S), ("u", S)]),
    nc("NC7", "strings", S, "(str.substr s 0 (str.len s))"),
    nc("NC8", "strings", I, r#"(str.indexof t "" s)"#)
        .when("(and (>= s 0) (<= s (str.len t)))")
        .over(&[("t", S)]),
    c("C1", S, "(str.at s off)", r#""""#)
        .when("(or (< off 0) (>= off (str.len s)))")
        .over(&[("s", S), ("off", I)]),
    c("C2", S, r#"(str.++ "" "")"#, r#""""#),
    c("C3", S, "(str.from_int n)", r#""""#).when("(< n 0)").over(&[("n", I)]),
    c("C4", S, r#"(str.replace "" "" "")"#, r#""""#),
    c("C5", S, "(str.substr s off len)", r#""""#)
        .when("(or (< off 0) (>= off (str.len s)) (<= len 0))")
        .over(&[("s", S), ("off", I), ("len", I)]),
    c("C6", S, "(str.from_int n)", r#""0""#).when("(= n 0)").over(&[("n", I)]),
    c("C7", S, "(str.from_int n)", r#""1""#).when("(= n 1)").over(&[("n", I)]),
    c("C8", S, "(str.from_int n)", r#""2""#).when("(= n 2)").over(&[("n", I)]),
    c("C9", S, "(str.from_int n)", r#""3""#).when("(= n 3)").over(&[("n", I)]),
    c("C10", S, "(str.from_int n)", r#""4""#).when("(= n 4)").over(&[("n", I)]),
    c("C11", S, "(str.from_int n)", r#""5""#).when("(= n 5)").over(&[("n", I)]),
    c("C12", S, "(str.from_int n)", r#""6""#).when("(= n 6)").over(&[("n", I)]),
    c("C13", S, "(str.from_int n)", r#""7""#).when("(= n 7)").over(&[("n", I)]),
    c("C14", S, "(str.from_int n)", r#""8""#).when("(= n 8)").over(&[("n", I)]),
    c("C15", S, "(str.from_int n)", r#""9""#).when("(= n 9)").over(&[("n", I)]),
    c("C16", I, "(str.indexof s t off)", "(- 1)").when("(or (< off 0) (> off (str.len s)))").over(&[
        ("s", S),
        ("t", S),
        ("off", I),
    ]),
    c("C17", I, "(str.indexof s t off)", "(- 1)").when("(= (str.contains s t) false)").over(&[
        ("s", S),
        ("t", S),
        ("off", I),
    ]),
    c("C18", I, "(str.to_int s)", "(- 1)").when(r#"(= s "")"#).over(&[("s", S)]),
    c("C19", I, "(str.to_int s)", "(- 1)")
        .when(concat!(
            r#"(and (>= i 0) (< i (str.len s)) (distinct (str.at s i) "0") (distinct (str.at s i) "1") "#,
            r#"(distinct (str.at s i) "2") (distinct (str.at s i) "3") (distinct (str.at s i) "4") "#,
            r#"(distinct (str.at s i) "5") (distinct (str.at s i) "6") (distinct (str.at s i) "7") "#,
            r#"(distinct (str.at s i) "8") (distinct (str.at s i) "9"))"#
        ))
        .over(&[("s", S), ("i", I)]),
    c("C20", I, "(str.len s)", "0").when(r#"(= s "")"#).over(&[("s", S)]),
    c("C21", I, "(str.to_int s)", "0").when(r#"(= s "0")"#).over(&[("s", S)]),
    c("C22", I, "(str.to_int s)", "1").when(r#"(= s "1")"#).over(&[("s", S)]),
    c("C23", I, "(str.to_int s)", "2").when(r#"(= s "2")"#).over(&[("s", S)]),
    c("C24", I, "(str.to_int s)", "3").when(r#"(= s "3")"#).over(&[("s", S)]),
    c("C25", I, "(str.to_int s)", "4").when(r#"(= s "4")"#).over(&[("s", S)]),
    c("C26", I, "(str.to_int s)", "5").when(r#"(= s "5")"#).over(&[("s", S)]),
    c("C27", I, "(str.to_int s)", "6").when(r#"(= s "6")"#).over(&[("s", S)]),
    c("C28", I, "(str.to_int s)", "7").when(r#"(= s "7")"#).over(&[("s", S)]),
    c("C29", I, "(str.to_int s)", "8").when(r#"(= s "8")"#).over(&[("s", S)]),
    c("C30", I, "(str.to_int s)", "9").when(r#"(= s "9")"#).over(&[("s", S)]),
    c("C32", B, "(str.contains s s)", "true").over(&[("s", S)]),
    c("C33", B, "(= s s)", "true").over(&[("s", S)]),
    c("C34", B, r#"(str.prefixof "" s)"#, "true").over(&[("s", S)]),
    c("C35", B, "(str.prefixof s s)", "true").over(&[("s", S)]),
    c("C36", B, "(str.suffixof s s)", "true").over(&[("s", S)]),
    c("C37", B, "(str.contains s t)", "false")
        .when("(= (str.indexof s t 0) (- 1))")
        .over(&[("s", S), ("t", S)]),
    c("C38", B, "(= s t)", "false").when("(distinct (str.len s) (str.len t))").over(&[("s", S), ("t", S)]),
    c("C39", B, "(str.prefixof s t)", "false")
        .when("(= (str.contains t s) false)")
        .over(&[("s", S), ("t", S)]),
    c("C40", B, "(str.suffixof s t)", "false")
        .when("(= (str.contains t s) false)")
        .over(&[("s", S), ("t", S)]),
    // Ours.
    nc("NC9", "strings", S, "(str.replace_all s t u)")
        .when("(= (str.contains s t) false)")
        .over(&[("t", S), ("u", S)]),
    nc("NC10", "strings", S, "(str.from_code (str.to_code s))").when("(= (str.len s) 1)").partial(),
    c("C41", S, "(str.from_code n)", r#""0""#).when("(= n 48)").over(&[("n", I)]),
    c("C42", S, "(str.from_code n)", r#""9""#).when("(= n 57)").over(&[("n", I)]),
    c("C43", S, "(str.from_code n)", r#""a""#).when("(= n 97)").over(&[("n", I)]),
    c("C44", S, "(str.from_code n)", r#""""#).when("(or (< n 0) (< 196607 n))").over(&[("n", I)]),
    c("C45", S, r#"(str.replace_all s s "")"#, r#""""#).when(r#"(distinct s "")"#).over(&[("s", S)]),
    c("C46", I, "(str.to_code s)", "(- 1)").when("(distinct (str.len s) 1)").over(&[("s", S)]),
    nc("I1", "ints", I, "(+ s 0)"),
    nc("I2", "ints", I, "(- (- s))"),
    nc("I3", "ints", I, "(+ (* t (div s t)) (mod s t))").when("(distinct t 0)").over(&[("t", I)]),
    nc("I4", "ints", I, "(abs s)").when("(>= s 0)").partial(),
    c("I5", I, "(- s s)", "0").of("ints").over(&[("s", I)]),
    c("I6", I, "(mod s s)", "0").of("ints").when("(distinct s 0)").over(&[("s", I)]),
    nc("V1", "bitvectors", V, "(bvnot (bvnot s))"),
    nc("V2", "bitvectors", V, "(bvneg (bvneg s))"),
    nc("V3", "bitvectors", V, "(bvadd (bvmul t (bvudiv s t)) (bvurem s t))")
        .when("(distinct t #x0)")
        .over(&[("t", V)]),
    nc("V4", "bitvectors", V, "(bvxor (bvxor s t) t)").over(&[("t", V)]),
    nc("V5", "bitvectors", V, "(bvlshr s t)").when("(= t #x0)").over(&[("t", V)]),
    c("V6", V, "(bvsub s s)", "#x0").of("bitvectors").over(&[("s", V)]),
    c("V7", V, "(bvudiv s #x0)", "#xf").of("bitvectors").over(&[("s", V)]),
    c("V8", V, "(bvshl s t)", "#x0").of("bitvectors").when("(bvuge t #x4)").over(&[("s", V), ("t", V)]),
    nc("F1", "floats", F, "(fp.neg (fp.neg s))"),
    nc("F2", "floats", F, "(fp.abs s)").when("(not (fp.isNegative s))").partial(),
    nc("F3", "floats", F, "(fp.mul t s (fp #b0 #b01111111 #b00000000000000000000000))")
        .over(&[("t", "RoundingMode")]),
    nc("A1", "arrays", A, "(store s t (select s t))").over(&[("t", I)]),
    nc("A2", "arrays", A, "(store s t u)").when("(= (select s t) u)").over(&[("t", I), ("u", I)]),
    nc("A3", "arrays", I, "(select (store t u s) u)").over(&[("t", A), ("u", I)]),
    nc("Q1", "seq", Q, "(seq.++ s (as seq.empty (Seq Int)))"),
    nc("Q2", "seq", Q, "(seq.replace s s s)"),
    nc("Q3", "seq", Q, "(seq.extract s 0 (seq.len s))"),
    nc("Q4", "seq", Q, "(seq.replace s t u)")
        .when("(= (seq.contains s t) false)")
        .over(&[("t", Q), ("u", Q)]),
];
