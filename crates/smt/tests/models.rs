//! Models as the solvers print them: each was printed for the script above it, and must satisfy it.

use smt::{Fuel, Model, Verdict, read, satisfies};

const BITS: &str = "
(set-logic QF_AUFBV)
(declare-fun a () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun f ((_ BitVec 4)) (_ BitVec 8))
(declare-fun b () (_ BitVec 8))
(declare-fun p () Bool)
(assert (= (select a #x1) #x05))
(assert (= (select a #x2) #x07))
(assert (= (f #x3) (bvadd b #x01)))
(assert (not (= (f #x3) (f #x4))))
(assert (=> p (bvult b #x10)))
(assert p)
(check-sat)";

const MIXED: &str = "
(set-logic QF_UFLIRA)
(declare-sort U 0)
(declare-fun u () U)
(declare-fun v () U)
(declare-fun g (U Int) Real)
(declare-fun x () Int)
(declare-fun r () Real)
(assert (distinct u v))
(assert (= (g u (- 3)) (/ 1 3)))
(assert (= (g v x) (- r 2.5)))
(assert (< x (- 7)))
(assert (= (* 3 r) (- 1.0)))
(check-sat)";

fn verdict(script: &str, model: &str) -> Verdict {
    let script = read(script.as_bytes()).expect("the script is ours");
    let ask = script.queries().pop().expect("there is a check");
    let model = Model::read(&script, Some(ask.command), model.as_bytes()).expect("the model is well-formed");
    assert_eq!(model.problems, Vec::<String>::new());
    satisfies(&ask, &model, &Fuel::default())
}

#[test]
fn every_solver_is_understood() {
    let rows = [
        ("z3 5.4.0", BITS, "(
  (define-fun a () (Array (_ BitVec 4) (_ BitVec 8))
    (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07) #x1 #x05))
  (define-fun p () Bool
    true)
  (define-fun b () (_ BitVec 8)
    #x0f)
  (define-fun f ((x!0 (_ BitVec 4))) (_ BitVec 8)
    (ite (= x!0 #x4) #xef
    (ite (= x!0 #x3) #x10
      #x00)))
)"),
        ("z3 5.4.0", MIXED, "(
  ;; universe for U:
  ;;   U!val!1 U!val!0
  ;; -----------
  ;; definitions for universe elements:
  (declare-fun U!val!1 () U)
  (declare-fun U!val!0 () U)
  ;; cardinality constraint:
  (forall ((x U)) (or (= x U!val!1) (= x U!val!0)))
  ;; -----------
  (define-fun v () U
    U!val!1)
  (define-fun u () U
    U!val!0)
  (define-fun x () Int
    (- 8))
  (define-fun r () Real
    (- (/ 1.0 3.0)))
  (define-fun g ((x!0 U) (x!1 Int)) Real
    (ite (and (= x!0 U!val!1) (= x!1 (- 8))) (- (/ 17.0 6.0))
      (/ 1.0 3.0)))
)"),
        ("z3 4.8.7, with the word model and an array by name", BITS, "(model
  (define-fun b () (_ BitVec 8)
    #x0f)
  (define-fun a () (Array (_ BitVec 4) (_ BitVec 8))
    (_ as-array k!0))
  (define-fun p () Bool
    true)
  (define-fun f ((x!0 (_ BitVec 4))) (_ BitVec 8)
    (let ((a!1 (ite (= x!0 #x3) #x10 #x00))) (ite (= x!0 #x4) #xf1 a!1)))
  (define-fun k!0 ((x!0 (_ BitVec 4))) (_ BitVec 8)
    (ite (= x!0 #x1) #x05 #x07))
)"),
        ("cvc5 1.4.2", BITS, "(
(define-fun a () (Array (_ BitVec 4) (_ BitVec 8)) (store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #b00000000) #b0001 #b00000101) #b0010 #b00000111))
(define-fun f ((_arg_1 (_ BitVec 4))) (_ BitVec 8) (ite (= #b0011 _arg_1) #b00010000 #b00010001))
(define-fun b () (_ BitVec 8) #b00001111)
(define-fun p () Bool true)
)"),
        ("cvc5 1.4.2", MIXED, "(
; cardinality of U is 2
; rep: (as @U_0 U)
; rep: (as @U_1 U)
(define-fun u () U (as @U_0 U))
(define-fun v () U (as @U_1 U))
(define-fun g ((_arg_1 U) (_arg_2 Int)) Real (ite (= (as @U_1 U) _arg_1) (ite (= _arg_2 (- 8)) (/ (- 17) 6) (/ 1 3)) (/ 1 3)))
(define-fun x () Int (- 8))
(define-fun r () Real (/ (- 1) 3))
)"),
        ("cvc4's elements", MIXED, "(model
; cardinality of U is 2
(declare-sort U 0)
; rep: @uc_U_0
; rep: @uc_U_1
(define-fun u () U @uc_U_0)
(define-fun v () U @uc_U_1)
(define-fun g (($x1 U) ($x2 Int)) Real (ite (= @uc_U_1 $x1) (/ (- 17) 6) (/ 1 3)))
(define-fun x () Int (- 8))
(define-fun r () Real (/ (- 1) 3))
)"),
        ("bitwuzla 0.9.1", BITS, "(
  (define-fun a () (Array (_ BitVec 4) (_ BitVec 8)) (store (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #b00000000) #b0001 #b00000101) #b0010 #b00000111))
  (define-fun f ((@bzla.var_66 (_ BitVec 4))) (_ BitVec 8) (ite (= @bzla.var_66 #b0100) #b00000000 (ite (= @bzla.var_66 #b0011) #b00000001 #b00000000)))
  (define-fun b () (_ BitVec 8) #b00000000)
  (define-fun p () Bool true)
)"),
        ("boolector 3.2.4", BITS, "(
  (define-fun a (
   (a_x0 (_ BitVec 4))) (_ BitVec 8)
    (ite (= a_x0 #b0010) #b00000111
    (ite (= a_x0 #b0001) #b00000101
      #b00000000)))
  (define-fun f (
   (f_x0 (_ BitVec 4))) (_ BitVec 8)
    (ite (= f_x0 #b0100) #b00000000
    (ite (= f_x0 #b0011) #b00000001
      #b00000000)))
  (define-fun b () (_ BitVec 8) #b00000000)
  (define-fun p () Bool true)
)"),
        ("yices 2.6.5", BITS, "(= p true)
(= b #b00000000)
(= a @fun_11)
(= f @fun_14)
(function @fun_11
 (type (Array (_ BitVec 4) (_ BitVec 8)))
 (= (@fun_11 #b0001) #b00000101)
 (default #b00000111))
(function @fun_14
 (type (Array (_ BitVec 4) (_ BitVec 8)))
 (= (@fun_14 #b0011) #b00000001)
 (= (@fun_14 #b0100) #b00000000)
 (default #b00000101))"),
        ("yices 2.6.5", MIXED, "(= x (- 8))
(= r (/ (- 1) 3))
(= u @const_3)
(= v @const_4)
(= g @fun_10)
(function @fun_10
 (type (FunType2 U Int Real))
 (= (@fun_10 @const_3 (- 3)) (/ 1 3))
 (= (@fun_10 @const_4 (- 8)) (/ (- 17) 6))
 (default 0))"),
    ];
    for (who, script, model) in rows {
        assert_eq!(verdict(script, model), Verdict::True, "{who}:\n{model}");
        // Another value makes it wrong, so that the row can fail.
        let wrong =
            model.replace("(- 8)", "(- 6)").replace("#x05", "#x04").replace("#b00000101", "#b00000100");
        assert_eq!(verdict(script, &wrong), Verdict::False, "{who}:\n{wrong}");
    }
}

#[test]
fn values_of_every_kind_are_understood() {
    let rows = [
        ("Real", "(/ 1.0 3.0)", "(= c (/ 1 3))"),
        ("Real", "(- (/ 1 3))", "(= (* 3.0 c) (- 1.0))"),
        ("Real", "1/3", "(= c (/ 1 3))"),
        ("Int", "(- 5)", "(= c (- 5))"),
        ("(_ BitVec 8)", "(_ bv5 8)", "(= c #x05)"),
        (
            "(_ FloatingPoint 8 24)",
            "(fp #b0 #b10000000 #b00000000000000000000000)",
            "(= c ((_ to_fp 8 24) RNE 2.0))",
        ),
        ("(_ FloatingPoint 8 24)", "(_ +oo 8 24)", "(fp.isInfinite c)"),
        ("(_ FloatingPoint 8 24)", "(_ -zero 8 24)", "(and (fp.isZero c) (fp.isNegative c))"),
        ("(_ FloatingPoint 8 24)", "(_ NaN 8 24)", "(not (fp.eq c c))"),
        ("RoundingMode", "roundNearestTiesToAway", "(= c RNA)"),
        ("String", "\"a\\u{62}\"\"\"", "(= (str.len c) 3)"),
        ("(Seq Int)", "(seq.++ (seq.unit 1) (seq.unit 2))", "(= (seq.nth c 1) 2)"),
        ("(Seq Int)", "(as seq.empty (Seq Int))", "(= (seq.len c) 0)"),
        ("(Set Int)", "(set.union (set.singleton 1) (set.singleton 2))", "(set.member 2 c)"),
        (
            "(Array Int Int)",
            "(lambda ((x!1 Int)) (ite (= x!1 3) 4 5))",
            "(= (+ (select c 3) (select c 0)) 9)",
        ),
        ("(Array Int Int)", "(store ((as const (-> Int Int)) 4) 3 5)", "(= (+ (select c 3) (select c 0)) 9)"),
        ("(P Int)", "(more 3 (more 2 none))", "(= (first (rest c)) 2)"),
        ("F7", "#f3m7", "(= (ff.add c c) #f6m7)"),
        ("(Array Int Bool)", "(store ((as const (Array Int Bool)) false) 7 true)", "(select c 7)"),
        ("L", "(cons 1 (as nil L))", "(= (hd c) 1)"),
        ("(_ FiniteField 7)", "#f3m7", "(= (ff.add c c) #f6m7)"),
        ("(_ FiniteField 7)", "(as ff-1 (_ FiniteField 7))", "(= c #f6m7)"),
    ];
    for (sort, value, assertion) in rows {
        let prelude =
            "(define-sort F7 () (_ FiniteField 7))(declare-datatype L ((nil) (cons (hd Int) (tl L))))
            (declare-datatype P (par (T) ((none) (more (first T) (rest (P T))))))";
        let script = format!("{prelude}(declare-const c {sort})(assert {assertion})(check-sat)");
        let model = format!("((define-fun c () {sort} {value}))");
        assert_eq!(verdict(&script, &model), Verdict::True, "{value}");
        let denied = format!("{prelude}(declare-const c {sort})(assert (not {assertion}))(check-sat)");
        assert_eq!(verdict(&denied, &model), Verdict::False, "{value}");
    }
}

#[test]
fn what_cannot_be_known_is_open() {
    let rows = [
        (
            "an algebraic number",
            "(declare-const c Real)(assert (= (* c c) 2.0))(check-sat)",
            "((define-fun c () Real (root-obj (+ (^ x 2) (- 2)) 2)))",
        ),
        ("a constant that is not there", "(declare-const c Int)(assert (= c 0))(check-sat)", "()"),
        (
            "all integers",
            "(declare-const c Int)(assert (forall ((x Int)) (=> (> x c) (> x 0))))(check-sat)",
            "((define-fun c () Int 3))",
        ),
        (
            "a selector on another constructor",
            "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)(assert (= (hd l) 0))(check-sat)",
            "((define-fun l () L nil))",
        ),
        (
            "beyond a sequence",
            "(declare-const s (Seq Int))(assert (= (seq.nth s 3) 0))(check-sat)",
            "((define-fun s () (Seq Int) (seq.unit 1)))",
        ),
        (
            "out of range",
            "(declare-const f Float32)(assert (= ((_ fp.to_ubv 8) RNE f) #x00))(check-sat)",
            "((define-fun f () Float32 (_ +oo 8 24)))",
        ),
        (
            "functions",
            "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(assert (= a b))(check-sat)",
            "((define-fun a () (Array Int Int) (lambda ((x Int)) x)) (define-fun b () (Array Int Int) (lambda ((y Int)) (div (* 2 y) 2))))",
        ),
        (
            "codatatypes",
            "(declare-codatatype S ((c (h Int) (t S))))(declare-const s S)(assert (= s s))(check-sat)",
            "((define-fun s () S (c 0 s)))",
        ),
    ];
    for (what, script, model) in rows {
        let script = read(script.as_bytes()).expect(script);
        let ask = script.queries().pop().expect("there is a check");
        let model = Model::read(&script, Some(ask.command), model.as_bytes()).expect(model);
        let verdict = satisfies(&ask, &model, &Fuel::default());
        assert!(matches!(verdict, Verdict::Open(_)), "{what}: {verdict:?}");
    }
}

#[test]
fn strings_and_decimals_are_read_in_the_manner_of_their_solver() {
    use smt::ModelDialect;
    use smt::value::literal::Escapes::{BareZ3, MixedZ3, OldZ3, Standard};
    let text = |escapes| ModelDialect { escapes, rounded: false };
    let string = |value: &str| format!("(declare-const x String)(assert (= x {value}))(check-sat)");
    let real = |value: &str| format!("(declare-const x Real)(assert (= x {value}))(check-sat)");
    let rows = [
        ("a hexadecimal escape", string(r#""A""#), r#""\x41""#, text(OldZ3), "true"),
        ("four characters", string(r#""\x41""#), r#""\x41""#, text(Standard), "true"),
        ("four characters to others", string(r#""\x41""#), r#""\x41""#, text(OldZ3), "false"),
        ("no unicode escape", string(r#""u{41}""#), r#""\u{41}""#, text(OldZ3), "true"),
        ("a backslash, doubled", string(r#""\u{5c}u{41}""#), r#""\\u{41}""#, text(MixedZ3), "true"),
        ("one character or six", string(r#""A""#), r#""\u{41}""#, text(BareZ3), "open"),
        ("not said in ASCII", string(r#""\u{e9}""#), "\"\u{fffd}\"", text(OldZ3), "open"),
        (
            "a whole number",
            real("3.0"),
            "3.0",
            ModelDialect { rounded: true, ..ModelDialect::STANDARD },
            "true",
        ),
        (
            "a rounded one",
            real("1.5"),
            "1.414214",
            ModelDialect { rounded: true, ..ModelDialect::STANDARD },
            "open",
        ),
        (
            "a negative one",
            real("1.5"),
            "-1.414214",
            ModelDialect { rounded: true, ..ModelDialect::STANDARD },
            "open",
        ),
        ("an exact one", real("1.5"), "1.414214", ModelDialect::STANDARD, "false"),
        (
            "a fraction",
            real("1.5"),
            "(/ 3 2)",
            ModelDialect { rounded: true, ..ModelDialect::STANDARD },
            "true",
        ),
    ];
    for (why, script, value, manner, expected) in rows {
        let script = read(script.as_bytes()).expect("the script is ours");
        let ask = script.queries().pop().expect("there is a check");
        let sort = if value.starts_with('"') { "String" } else { "Real" };
        let model = format!("((define-fun x () {sort} {value}))");
        let model =
            Model::read_in(&script, Some(ask.command), model.as_bytes(), manner).expect("well-formed");
        let verdict = match satisfies(&ask, &model, &Fuel::default()) {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Open(_) => "open",
        };
        assert_eq!(verdict, expected, "{why}: {:?}", model.problems);
        assert_eq!(model.problems.is_empty(), expected != "open", "{why}: {:?}", model.problems);
    }
}

#[test]
fn a_script_may_mean_something_else_to_an_old_solver() {
    use smt::value::literal::Escapes::{MixedZ3, OldZ3, Standard};
    for (literal, old, mixed) in [
        (r#""plain ""quoted""""#, true, true),
        (r#""\x41""#, false, false),
        (r#""\u{41}""#, false, true),
        (r#""\u{100}""#, false, false),
        ("\"\u{e9}\"", false, false),
    ] {
        let script = format!("(declare-const x String)(assert (= x {literal}))(check-sat)");
        let script = read(script.as_bytes()).expect("the script is ours");
        assert!(script.reads_alike(Standard), "{literal}");
        assert_eq!(script.reads_alike(OldZ3), old, "{literal}");
        assert_eq!(script.reads_alike(MixedZ3), mixed, "{literal}");
    }
}

/// Not all values can be tried. One that decides is enough, whatever others leave open.
#[test]
fn one_value_refutes_a_quantifier_over_a_large_domain() {
    let rows = [
        // With a zero, the greatest of two zeros is left to the model.
        ("Float32", "(_ -zero 8 24)", "(forall ((x Float32)) (not (fp.isPositive (fp.max c x))))", "false"),
        ("Float32", "(_ +oo 8 24)", "(forall ((x Float32)) (fp.eq x x))", "false"),
        ("Float32", "(_ +oo 8 24)", "(exists ((x Float32)) (fp.lt x c))", "true"),
        ("Float32", "(_ +oo 8 24)", "(forall ((x Float32)) (not (fp.gt x c)))", "open"),
        ("String", "\"\"", "(forall ((s String)) (= s c))", "false"),
        ("String", "\"\"", "(exists ((s String)) (str.< c s))", "true"),
        ("String", "\"\"", "(forall ((s String)) (str.<= c s))", "open"),
    ];
    for (sort, value, assertion, expected) in rows {
        let script = format!("(declare-const c {sort})(assert {assertion})(check-sat)");
        let model = format!("((define-fun c () {sort} {value}))");
        let told = match verdict(&script, &model) {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Open(_) => "open",
        };
        assert_eq!(told, expected, "{assertion}");
    }
}
