//! What people get wrong, and what they are told: the place, the line with a caret, and what was expected.

use smt::read;

const DECLARATIONS: &str = "(declare-sort U 0)(declare-sort P 2)(declare-const x Int)(declare-const r Real)(declare-const p Bool)\
(declare-const b (_ BitVec 8))(declare-const s String)(declare-fun f (Int Bool) Int)(declare-const a (Array Int Bool))\
(declare-datatypes ((L 1) (C 0)) ((par (T) ((nil) (cons (head T) (tail (L T))))) ((red) (green (by Int)))))\
(declare-const l (L Int))(declare-const c C)\n";

/// The error as it is shown, without the file's name, after checking its line and caret.
fn told(script: &str) -> String {
    let source = [DECLARATIONS, script].concat();
    let error = match read(source.as_bytes()) {
        Ok(script) => return format!("accepted, with {} opaque parts", script.opaque.len()),
        Err(error) => error,
    };
    let located = error.locate("a.smt2", source.as_bytes());
    let shown = located.to_string();
    let lines: Vec<_> = shown.lines().collect();
    let [message, line, caret] = lines[..] else { panic!("three lines: {shown}") };
    assert_eq!(line, format!("  {}", source.lines().nth(located.line - 1).unwrap_or_default()), "{shown}");
    assert_eq!(caret.chars().count(), 2 + located.column, "{shown}");
    let place = format!("a.smt2:{}:{}: ", located.line, located.column);
    let text = message.strip_prefix(&place).unwrap_or_else(|| panic!("{message}"));
    format!("{}:{}: {text}", located.line - 1, located.column)
}

const ROWS: &[(&str, &str)] = &[
    ("(assert)", "1:2: expected (assert term)"),
    ("(assert p p)", "1:2: expected (assert term)"),
    ("(assert x)", "1:9: expected a term of sort Bool, this is Int"),
    ("(assert (+ x 1))", "1:9: expected a term of sort Bool, this is Int"),
    ("(assert (and p x))", "1:9: and does not take (Bool Int); expected (Bool Bool ..) Bool"),
    ("(assert (+ p 1))", "1:9: + does not take (Bool Int); expected (Int Int ..) Int or (Real Real ..) Real"),
    ("(assert (= x p))", "1:9: = does not take (Int Bool); expected (A A ..) Bool"),
    ("(assert (= b #xFFF))", "1:9: = does not take ((_ BitVec 8) (_ BitVec 12)); expected (A A ..) Bool"),
    (
        "(assert (< x \"1\"))",
        "1:9: < does not take (Int String); expected (Int Int ..) Bool or (Real Real ..) Bool",
    ),
    ("(assert (bvadd b b))", "1:9: expected a term of sort Bool, this is (_ BitVec 8)"),
    (
        "(assert (bvult b #b1))",
        "1:9: bvult does not take ((_ BitVec 8) (_ BitVec 1)); expected ((_ BitVec m) (_ BitVec m)) Bool",
    ),
    ("(assert (f x p))", "1:9: expected a term of sort Bool, this is Int"),
    ("(assert (= 1 (f x)))", "1:9: = does not take (Int (-> Bool Int)); expected (A A ..) Bool"),
    ("(assert (= 1 (f p x)))", "1:14: f does not take (Bool Int); expected (Int Bool) Int"),
    ("(assert (= 1 (f x p 1)))", "1:14: expected fewer arguments: this function takes no more"),
    ("(assert (= x f))", "1:9: = does not take (Int (-> Int Bool Int)); expected (A A ..) Bool"),
    ("(assert (x))", "1:9: expected arguments, or x without parentheses"),
    ("(assert (and))", "1:9: expected arguments, or and without parentheses"),
    ("(assert (p x))", "1:9: expected a function or an array before arguments, not a term of sort Bool"),
    ("(assert ())", "1:9: expected a term, not an empty list"),
    ("(assert (1 2))", "1:10: expected the name of a function"),
    ("(assert :named)", "1:9: expected a term, not a keyword"),
    ("(assert (\"a\" p))", "1:10: expected the name of a function"),
    ("(assert (not p p))", "1:9: not does not take (Bool Bool); expected (Bool) Bool"),
    ("(assert (ite p x \"a\"))", "1:9: ite does not take (Bool Int String); expected (Bool A A) A"),
    ("(assert (ite x p p))", "1:9: ite does not take (Int Bool Bool); expected (Bool A A) A"),
    ("(assert (let))", "1:10: expected (let ((name term) ..) term)"),
    ("(assert (let x p))", "1:10: expected (let ((name term) ..) term)"),
    ("(assert (let (x) p))", "1:15: expected a binding (name term)"),
    ("(assert (let ((x)) p))", "1:15: expected a binding (name term)"),
    ("(assert (let ((x 1 2)) p))", "1:15: expected a binding (name term)"),
    ("(assert (let ((1 x)) p))", "1:16: expected a name"),
    ("(assert (let ((y 1)) p p))", "1:9: expected (let ((name term) ..) term)"),
    ("(assert (forall))", "1:9: expected variables ((name sort) ..), then a term"),
    ("(assert (forall p))", "1:17: expected variables ((name sort) ..)"),
    ("(assert (forall () p))", "1:17: expected at least one variable"),
    ("(assert (forall (y) p))", "1:18: expected a variable (name sort)"),
    ("(assert (forall ((y)) p))", "1:18: expected a variable (name sort)"),
    ("(assert (forall ((y Int Int)) p))", "1:18: expected a variable (name sort)"),
    ("(assert (forall ((y 1)) p))", "1:21: expected a sort"),
    ("(assert (forall ((y Int))))", "1:9: expected variables ((name sort) ..), then one term"),
    ("(assert (forall ((y Int)) y))", "1:27: expected a term of sort Bool, this is Int"),
    ("(assert (forall ((y Int)) p p))", "1:9: expected variables ((name sort) ..), then one term"),
    ("(assert (exists ((:y Int)) p))", "1:19: expected a name"),
    ("(assert (match l))", "1:9: expected (match term ((pattern term) ..))"),
    ("(assert (match l ()))", "1:9: expected at least one case"),
    ("(assert (match l (nil)))", "1:19: expected a case (pattern term)"),
    ("(assert (match l ((nil))))", "1:19: expected a case (pattern term)"),
    ("(assert (match l ((nil p) ((cons h) p))))", "1:28: expected 2 variables after this constructor, not 1"),
    ("(assert (match l ((red p) (y p))))", "1:20: expected a constructor of the sort (L Int)"),
    ("(assert (match l (((snoc h t) p))))", "1:21: expected a constructor, not snoc"),
    ("(assert (match c ((red 1) ((green n) p))))", "1:9: expected one sort in all cases, not Int, Bool"),
    ("(assert (match l ((nil p)) p))", "1:28: expected nothing after the cases"),
    ("(assert (!))", "1:10: expected (! term attribute ..)"),
    ("(assert (! p :pattern (x) y))", "1:9: expected (! term attribute ..)"),
    ("(assert (! p p))", "1:9: expected (! term attribute ..)"),
    (
        "(assert ((_ extract 8 0) b))",
        "1:9: (_ extract 8 0) does not take ((_ BitVec 8)); expected (_ extract i j) on ((_ BitVec m)) (_ BitVec i-j+1)",
    ),
    (
        "(assert (= #b1 ((_ extract 0 1) b)))",
        "1:16: (_ extract 0 1) does not take ((_ BitVec 8)); expected (_ extract i j) on ((_ BitVec m)) (_ BitVec i-j+1)",
    ),
    (
        "(assert (= b ((_ zero_extend) b)))",
        "1:14: (_ zero_extend) does not take ((_ BitVec 8)); expected (_ zero_extend i) on ((_ BitVec m)) (_ BitVec m+i)",
    ),
    (
        "(assert (= b (extract b)))",
        "1:14: extract does not take ((_ BitVec 8)); expected (_ extract i j) on ((_ BitVec m)) (_ BitVec i-j+1)",
    ),
    ("(assert ((_ is snoc) l))", "1:9: (_ is snoc) does not take ((L Int)); expected (_ is i) on (A) Bool"),
    ("(assert ((_ is red) l))", "1:9: (_ is red) does not take ((L Int)); expected (_ is i) on (A) Bool"),
    ("(assert (= l nil2 (as nil (L Int) Int)))", "1:19: expected (as identifier sort)"),
    ("(assert (= l (as (as nil (L Int)) (L Int))))", "1:18: expected an identifier, not another `as`"),
    ("(assert (= c (as nil C)))", "1:14: (as nil C) cannot stand alone as C; expected () (L T)"),
    ("(assert (= l (cons \"a\" l)))", "1:14: cons does not take (String (L Int)); expected (T (L T)) (L T)"),
    ("(assert (= 1 (head c)))", "1:14: head does not take (C); expected ((L T)) T"),
    (
        "(assert (select a p))",
        "1:9: select does not take ((Array Int Bool) Bool); expected ((Array A B) A) B or ((Array A B) ..) B",
    ),
    (
        "(assert (select x 1))",
        "1:9: select does not take (Int Int); expected ((Array A B) A) B or ((Array A B) ..) B",
    ),
    ("(assert (store a 1 p))", "1:9: expected a term of sort Bool, this is (Array Int Bool)"),
    (
        "(assert (= a (store a 1 2)))",
        "1:14: store does not take ((Array Int Bool) Int Int); expected ((Array A B) A B) (Array A B) or ((Array A B) ..) (Array A B)",
    ),
    ("(assert ((lambda ((y Int)) p) p))", "1:9: expected a term of sort Int, not Bool"),
    ("(assert ((lambda ((y Int)) p) 1 2))", "1:9: expected fewer arguments: this function takes no more"),
    ("(assert (= 1/0 r))", "1:12: expected a fraction over something else than zero"),
    ("(declare-const y)", "1:2: expected (declare-const name sort)"),
    ("(declare-const y Int Int)", "1:2: expected (declare-const name sort)"),
    ("(declare-const 1 Int)", "1:16: expected the name of a function"),
    ("(declare-const :y Int)", "1:16: expected the name of a function"),
    ("(declare-const \"y\" Int)", "1:16: expected the name of a function"),
    ("(declare-const y 1)", "1:18: expected a sort"),
    ("(declare-const y ())", "1:18: expected a sort"),
    ("(declare-const y U U)", "1:2: expected (declare-const name sort)"),
    ("(declare-const y (U Int))", "1:18: expected 0 arguments of this sort, not 1"),
    ("(declare-const y P)", "1:18: expected 2 arguments of this sort, not 0"),
    ("(declare-const y (P Int))", "1:18: expected 2 arguments of this sort, not 1"),
    ("(declare-const y L)", "1:18: expected 1 argument of this sort, not 0"),
    ("(declare-const y (L Int Int))", "1:18: expected 1 argument of this sort, not 2"),
    ("(declare-const y (_ BitVec))", "1:18: expected (_ BitVec width)"),
    ("(declare-const y (_ BitVec 0))", "1:28: expected at least one bit"),
    ("(declare-const y (_ BitVec -1))", "1:28: expected a width below 2^32"),
    ("(declare-const y (_ BitVec x))", "1:28: expected a width below 2^32"),
    (
        "(declare-const y (_ FloatingPoint 1 8))",
        "1:18: expected at least two bits of exponent and of significand",
    ),
    ("(declare-fun g Int)", "1:2: expected (declare-fun name (sort ..) sort)"),
    ("(declare-fun g Int Int)", "1:2: expected (declare-fun name (sort ..) sort)"),
    ("(declare-fun g (Int))", "1:2: expected (declare-fun name (sort ..) sort)"),
    ("(declare-fun g (x 1) Int)", "1:19: expected a sort"),
    ("(declare-sort)", "1:2: expected (declare-sort name arity)"),
    ("(declare-sort V x)", "1:17: expected the number of arguments, a numeral"),
    ("(declare-sort V -1)", "1:17: expected the number of arguments, a numeral"),
    ("(declare-sort (V) 0)", "1:15: expected the name of a sort"),
    ("(define-sort V Int)", "1:2: expected (define-sort name (parameter ..) sort)"),
    ("(define-sort V (1) Int)", "1:17: expected a sort parameter"),
    ("(define-fun g () Int)", "1:2: expected (define-fun name ((name sort) ..) sort term)"),
    ("(define-fun g Int 1)", "1:2: expected (define-fun name ((name sort) ..) sort term)"),
    ("(define-fun g () Int p)", "1:22: expected a term of sort Int, this is Bool"),
    ("(define-fun g ((y Int)) Bool y)", "1:30: expected a term of sort Bool, this is Int"),
    ("(define-fun g (y Int) Int y)", "1:16: expected a variable (name sort)"),
    ("(define-fun (g) () Int 1)", "1:13: expected the name of a function"),
    ("(define-const y Int p)", "1:21: expected a term of sort Int, this is Bool"),
    (
        "(define-fun-rec g ((y Int)) Int (h y) 1)",
        "1:2: expected (define-fun-rec name ((name sort) ..) sort term)",
    ),
    ("(define-fun-rec g ((y Int)) Int (g p))", "1:33: g does not take (Bool); expected (Int) Int"),
    ("(define-funs-rec (g) (1))", "1:19: expected a function (name ((name sort) ..) sort)"),
    ("(define-funs-rec ((g () Int)) (1 2))", "1:31: expected as many terms as functions, at least one: 1"),
    ("(define-funs-rec ((g () Int)) (p))", "1:32: expected a term of sort Int, this is Bool"),
    ("(define-funs-rec () ())", "1:21: expected as many terms as functions, at least one: 0"),
    ("(declare-datatype D)", "1:2: expected (declare-datatype name (constructor ..))"),
    ("(declare-datatype D ())", "1:21: expected at least one constructor"),
    ("(declare-datatype D x)", "1:21: expected a list of constructors"),
    ("(declare-datatype D ((d 1)))", "1:25: expected (selector sort)"),
    ("(declare-datatype D ((d (s))))", "1:25: expected (selector sort)"),
    ("(declare-datatype D ((d (s Int Int))))", "1:25: expected (selector sort)"),
    ("(declare-datatype D (()))", "1:22: expected (constructor (selector sort) ..)"),
    ("(declare-datatype D ((\"d\")))", "1:23: expected the name of a constructor"),
    ("(declare-datatypes ((D 0)) ())", "1:28: expected as many lists of constructors as datatypes"),
    ("(declare-datatypes ((D)) (((d))))", "1:21: expected (name arity)"),
    (
        "(declare-datatypes ((D 1)) (((d))))",
        "1:29: expected (par (..) (constructor ..)) with 1 sort parameters",
    ),
    ("(declare-datatypes ((D 0)) ((par (T) ((d)))))", "1:29: expected no (par ..), as the arity is 0"),
    ("(declare-datatypes (1) ((D d)))", "1:21: expected a sort parameter"),
    ("(declare-datatypes () ())", "1:1: expected at least one datatype"),
    ("(push x)", "1:7: expected a number of levels, a numeral"),
    ("(push -1)", "1:7: expected a number of levels, a numeral"),
    ("(push 1 1)", "1:2: expected (push number)"),
    ("(pop)", "1:2: expected a push before this pop: there are fewer levels"),
    ("(push 2)(pop 3)", "1:10: expected a push before this pop: there are fewer levels"),
    ("(set-logic)", "1:2: expected (set-logic name)"),
    ("(set-logic QF_LIA QF_LRA)", "1:2: expected (set-logic name)"),
    ("(set-option produce-models true)", "1:13: expected a keyword such as :status"),
    ("(set-info)", "1:2: expected (set-info :keyword value)"),
    ("(get-value x)", "1:2: expected (get-value (term ..))"),
    (
        "(get-value (p (+ p 1)))",
        "1:15: + does not take (Bool Int); expected (Int Int ..) Int or (Real Real ..) Real",
    ),
    ("(check-sat-assuming p)", "1:2: expected (check-sat-assuming (term ..))"),
    ("(check-sat-assuming (p x))", "1:24: expected a term of sort Bool, this is Int"),
    ("(check-sat-assuming ((not x)))", "1:22: not does not take (Int); expected (Bool) Bool"),
    ("(minimize)", "1:2: expected (minimize term)"),
    (
        "(minimize (+ p 1))",
        "1:11: + does not take (Bool Int); expected (Int Int ..) Int or (Real Real ..) Real",
    ),
    ("(assert-soft x)", "1:14: expected a term of sort Bool, this is Int"),
    ("(simplify)", "1:2: expected (simplify term)"),
    ("(reset 1)", "1:2: expected (reset)"),
    ("((assert p))", "1:2: expected the name of a command"),
    ("(\"assert\" p)", "1:2: expected the name of a command"),
    ("(1)", "1:2: expected the name of a command"),
];

#[test]
fn mistakes() {
    let mut wrong = Vec::new();
    for (script, expected) in ROWS {
        let told = told(script);
        if told != *expected {
            wrong.push(format!("{script}\n    {told}\n    {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_over_lines_do_not_break_the_message() {
    let told = told("(declare-const |a\nb| Int)(assert |a\nb|)(assert (+ true |a\nb|))");
    assert_eq!(told, "2:16: expected a term of sort Bool, this is Int");
    let source = b"(declare-sort |a\nb| 0)(declare-const c |a\nb|)(assert c)";
    let error = read(source).expect_err("not Bool");
    assert_eq!(error.message, "expected a term of sort Bool, this is |a b|");
}

#[test]
fn long_lines_are_shown_around_the_caret() {
    let source = format!("(assert (and {} 1))", "true ".repeat(1000));
    let error = read(source.as_bytes()).expect_err("1 is not Bool");
    let shown = error.locate("a.smt2", source.as_bytes()).to_string();
    assert!(shown.lines().all(|line| line.chars().count() <= 700), "{shown}");
}
