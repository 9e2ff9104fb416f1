//! Small texts whose meaning is huge: evaluation ends, with a value or a gap.

use std::fmt::Write;

use smt::{Gap, Model, read};

use super::{evaluates, many, on_a_small_stack, refused};

fn outcome(text: &str) -> String {
    let script =
        read(text.as_bytes()).unwrap_or_else(|error| panic!("{}", super::shown(&error, text.as_bytes())));
    assert!(script.is_lossless(), "{text}");
    evaluates(&script, &Model::empty(&script));
    let outcome = evaluates(&script, &Model::empty(&script).completed()).pop().expect("an assertion");
    match outcome {
        Ok(value) => value,
        Err(gap @ (Gap::TooLarge | Gap::TooMuchWork | Gap::Quantifier)) => format!("{gap:?}"),
        Err(gap) => gap.to_string(),
    }
}

/// Definitions of which each is made of the one before.
fn tower(levels: usize, first: &str, next: &str) -> String {
    (1..=levels).fold(first.to_owned(), |mut text, i| {
        let next = next.replace("NEW", &format!("t{i}")).replace("OLD", &format!("t{}", i - 1));
        text.write_str(&next).expect("a string takes all");
        text
    })
}

fn lets(levels: usize, first: &str, next: &str, body: &str) -> String {
    let open = tower(levels, &format!("(let ((t0 {first})) "), &format!("(let ((NEW {next})) "));
    format!("{open}{}{}", body.replace("LAST", &format!("t{levels}")), ")".repeat(levels + 1))
}

#[test]
fn ends() {
    let define = |levels, first: &str, next: &str, last: &str| {
        format!("{}(assert {last})", tower(levels, first, next))
    };
    let rows = [
        ("calls that double", define(100, "(define-fun t0 ((x Int)) Int x)", "(define-fun NEW ((x Int)) Int (+ (OLD x) (OLD x)))", "(= (t100 1) 0)"), "TooMuchWork"),
        ("numbers that square", define(100, "(define-const t0 Int 3)", "(define-const NEW Int (* OLD OLD))", "(= t100 0)"), "TooMuchWork"),
        ("words that double", format!("(assert {})", lets(100, "\"ab\"", "(str.++ OLD OLD)", "(= LAST \"\")")), "TooLarge"),
        ("vectors that double", "(assert (let ((a #b1)) (let ((b ((_ repeat 100000) a))) (= b ((_ repeat 1) b)))))".to_owned(), "Bool(true)"),
        ("data that doubles", format!("(declare-datatype T ((leaf) (node (l T) (r T))))(assert {})", lets(100, "leaf", "(node OLD OLD)", "(= LAST leaf)")), "TooLarge"),
        ("sequences that double", format!("(assert {})", lets(100, "(seq.unit 1)", "(seq.++ OLD OLD)", "(= LAST (seq.unit 2))")), "TooLarge"),
        ("a long list", format!("(declare-datatype L ((nil) (cons (h Int) (t L))))(assert {})", lets(5000, "nil", "(cons 1 OLD)", "(= LAST nil)")), "TooLarge"),
        ("a list as long as may be", format!("(declare-datatype L ((nil) (cons (h Int) (t L))))(assert {})", lets(990, "nil", "(cons 1 OLD)", "(= LAST (cons 1 nil))")), "Bool(false)"),
        ("endless recursion", "(define-fun-rec f ((x Int)) Int (f (+ x 1)))(assert (= (f 0) 0))".to_owned(), "TooMuchWork"),
        ("endless recursion inside", "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(assert (= (f 0) 0))".to_owned(), "TooMuchWork"),
        ("endless mutual recursion", "(define-funs-rec ((f ((x Int)) Bool) (g ((x Int)) Bool)) ((g x) (not (f x))))(assert (f 0))".to_owned(), "TooMuchWork"),
        ("Ackermann", "(define-fun-rec a ((m Int) (n Int)) Int (ite (= m 0) (+ n 1) (ite (= n 0) (a (- m 1) 1) (a (- m 1) (a m (- n 1))))))(assert (= (a 4 4) 0))".to_owned(), "TooMuchWork"),
        ("a loop without end", "(assert (str.in_re \"a\" ((_ re.^ 1000000000) (str.to_re \"a\"))))".to_owned(), "Bool(false)"),
        ("loops in loops", format!("(assert (str.in_re \"{}\" {}))", "a".repeat(1000), lets(6, "(str.to_re \"a\")", "((_ re.loop 0 1000000000) (re.union OLD (re.++ OLD (str.to_re \"b\"))))", "(re.inter LAST (re.comp LAST))")), "Bool(false)"),
        ("a loop beyond counting", "(assert (str.in_re \"a\" ((_ re.loop 0 18446744073709551616) (str.to_re \"a\"))))".to_owned(), "TooLarge"),
        ("a billion bits", "(assert (= ((_ zero_extend 1000000000) #b1) ((_ zero_extend 1000000000) #b0)))".to_owned(), "TooLarge"),
        ("a constant of billions of bits", "(declare-const b (_ BitVec 4294967295))(assert (= (bvnot b) (bvneg b)))".to_owned(), "TooLarge"),
        ("a quantifier over billions of bits", "(assert (forall ((b (_ BitVec 4294967295))) (= b b)))".to_owned(), "TooMuchWork"),
        ("repeated bits", "(assert (= ((_ repeat 4294967295) #b1) ((_ repeat 4294967295) #b0)))".to_owned(), "TooLarge"),
        ("a wide float", "(declare-const f (_ FloatingPoint 100000 100000))(assert (fp.eq f (fp.sqrt RNE f)))".to_owned(), "the model does not say what f is"),
        ("a float of a wide range", "(declare-const f (_ FloatingPoint 60 24))(assert (= (fp.to_real (fp #b0 ((_ repeat 60) #b1) #b00000000000000000000000)) (fp.to_real ((_ to_fp 60 24) RNE 1e9))))".replace("1e9", "1.5"), "Bool(false)"),
        ("a power", "(assert (= (^ 10 10000000000) 0))".to_owned(), "TooLarge"),
        ("a power of a power", "(assert (= (^ 10 (^ 10 (^ 10 10))) 0))".to_owned(), "TooLarge"),
        ("int.pow2", "(assert (= (int.pow2 10000000000) 0))".to_owned(), "TooLarge"),
        ("an int of many bits", "(assert (= ((_ int2bv 4294967295) 1) ((_ int2bv 4294967295) 2)))".to_owned(), "TooLarge"),
        ("twenty variables", "(assert (exists ((a Bool) (b Bool) (c Bool) (d Bool) (e Bool) (f Bool) (g Bool) (h Bool) (i Bool) (j Bool) (k Bool) (l Bool) (m Bool) (n Bool) (o Bool) (p Bool) (q Bool) (r Bool) (s Bool) (t Bool)) (and a b c d e f g h i j k l m n o p q r s t)))".to_owned(), "Quantifier"),
        ("quantifiers in quantifiers", format!("(assert {}(= a b){})", "(forall ((a (_ BitVec 10))) (exists ((b (_ BitVec 10))) ".repeat(20), "))".repeat(20)), "TooMuchWork"),
        ("data without a first value", "(declare-datatype D ((c (s D))))(declare-const d D)(assert (= d (c d)))".to_owned(), "the model does not say what d is"),
        ("a tower of datatypes", format!("{}(declare-const d t0)(assert (= d d))", datatypes(5000, "(c# (s# t@))")), "the model does not say what d is"),
        ("datatypes that double", format!("{}(declare-const d t0)(assert (= d d))", datatypes(60, "(c# (s# t@) (u# t@))")), "the model does not say what d is"),
        ("datatypes with ways to fail", format!("{}(declare-const d t0)(assert (= d d))", datatypes(60, "(c# (s# t@)) (b# (u# t@))").replace("((last))", "((last (l t0)))")), "the model does not say what d is"),
        ("all values of datatypes that double", format!("{}(assert (forall ((d t0)) (= d d)))", datatypes(60, "(c# (s# t@) (u# t@))")), "Quantifier"),
        ("a lambda in a lambda", format!("(assert (= 0 {}))", nested_lambdas(3000)), "TooMuchWork"),
        ("large numbers many times", format!("(assert (let ((n {})) (and {} (= n 0))))", "9".repeat(1_000_000), "(= n n) ".repeat(50_000)), "TooMuchWork"),
        ("a long name many times", format!("(declare-const p Bool)(assert (let ((n {}(unknown {}){})) (or {})))", "(not ", "x".repeat(1_000_000), ")", "n ".repeat(200_000)), &format!("(unknown {}… is not understood", "x".repeat(51))),
        ("replacing in replacing", "(assert (= \"\" (str.replace_all (str.replace_all (str.replace_all (str.from_int (^ 10 9000)) \"0\" \"00000000000000000000\") \"0\" \"11111111111111111111\") \"1\" \"22222222222222222222\")))".to_owned(), "TooLarge"),
        ("a large shift", "(assert (= (bvshl #x01 #xff) (bvlshr #x01 #xff)))".to_owned(), "Bool(true)"),
        ("a set of all subsets", format!("(assert {})", lets(40, "(set.singleton 0)", "(set.union OLD (set.singleton 1))", "(= LAST LAST)")), "Bool(true)"),
    ];
    let mut wrong = Vec::new();
    for (what, text, expected) in rows {
        let outcome = on_a_small_stack(what, move || outcome(&text));
        if !outcome.contains(expected) {
            wrong.push(format!("{what}: {outcome}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Datatypes `t0`, `t1` .. of which each is made of the next, `t@`.
fn datatypes(count: usize, constructors: &str) -> String {
    let heads = many(count + 1, |t, i| write!(t, "(t{i} 0)"));
    let bodies = many(count, |t, i| {
        let own = constructors.replace('#', &i.to_string());
        write!(t, "({})", own.replace('@', &(i + 1).to_string()))
    });
    format!("(declare-datatypes ({heads}) ({bodies}((last))))")
}

fn nested_lambdas(levels: usize) -> String {
    format!("{}0{}", "((lambda ((x Int)) (+ x ".repeat(levels), ")) 1)".repeat(levels))
}

#[test]
fn a_model_that_defines_itself() {
    on_a_small_stack("div0", || {
        let script = read(b"(declare-const x Int)(assert (= (div x 0) 1))(check-sat)").expect("well-formed");
        let model = "((define-fun x () Int 1) (define-fun div0 ((a Int)) Int (div a 0)))";
        let model = Model::read(&script, None, model.as_bytes()).expect("well-formed");
        assert_eq!(evaluates(&script, &model), [Err(Gap::TooMuchWork)]);
        let script = read(b"(declare-fun f (Int) Int)(assert (= (f 0) 1))(check-sat)").expect("well-formed");
        let model = Model::read(&script, None, b"((define-fun f ((a Int)) Int (f a)))").expect("well-formed");
        assert_eq!(evaluates(&script, &model), [Err(Gap::TooMuchWork)]);
    });
}

#[test]
fn huge_indices() {
    let digits = "9".repeat(10_000);
    for (text, message) in [
        (format!("(assert (= (_ bv1 {digits}) #x00))"), "bv1"),
        (format!("(declare-const x (_ BitVec {digits}))"), "expected a width"),
        ("(declare-const x (_ BitVec 99999999999))".to_owned(), "expected a width"),
        ("(declare-const x (_ BitVec 0))".to_owned(), "expected at least one bit"),
        ("(assert (= ((_ extract 4294967295 0) #x00) #x00))".to_owned(), "extract"),
        ("(assert (= ((_ repeat 4294967295) #b11) #x00))".to_owned(), "repeat"),
        ("(assert (= ((_ zero_extend 4294967295) #b11) #x00))".to_owned(), "zero_extend"),
        (format!("(assert (= ((_ sign_extend {digits}) #b11) #x00))"), "sign_extend"),
        ("(assert (= (concat ((_ zero_extend 4294967294) #b1) #b11) #x00))".to_owned(), "concat"),
        ("(declare-const f (_ FloatingPoint 1 1))".to_owned(), "at least two bits"),
        ("(declare-const f (_ FloatingPoint 4294967296 1))".to_owned(), "a number of bits"),
        ("(push 99999999999)".to_owned(), "a number of levels"),
        ("(pop 1)".to_owned(), "expected a push before this pop"),
        ("(declare-datatype D ())".to_owned(), "expected at least one constructor"),
        (
            "(declare-datatype D ((c)))(declare-const d D)(assert (match d ()))".to_owned(),
            "at least one case",
        ),
        ("(declare-sort S 99999999999)".to_owned(), "the number of arguments"),
    ] {
        let line = refused(text.as_bytes());
        assert!(line.contains(message) && line.len() < 1000, "{line}");
    }
}
