//! What a solver answers to `get-value` fills the gaps of its model, and nothing else.

use smt::{Fuel, Heard, Model, ModelDialect, Query, Script, Verdict, open_terms, read_values, satisfies};

struct Asked {
    script: Script,
    query: Query,
    model: Model,
}

impl Asked {
    fn new(script: &str, model: &str) -> Self {
        let script = smt::read(script.as_bytes()).expect(script);
        let query = script.queries().pop().expect("a check");
        let model = Model::read(&script, Some(query.command), model.as_bytes()).expect(model);
        Asked { script, query, model }
    }

    fn open(&self) -> Vec<String> {
        open_terms(&self.query, &self.model, &Fuel::default()).into_iter().map(|open| open.text).collect()
    }

    /// Answers the open term of this text.
    fn hear(&mut self, term: &str, value: &str) -> Result<(), Heard> {
        let all = open_terms(&self.query, &self.model, &Fuel::default());
        let texts: Vec<_> = all.iter().map(|open| &open.text).collect();
        let open = all.iter().find(|open| open.text == term).unwrap_or_else(|| panic!("{term}: {texts:?}"));
        self.model.hear(&self.script, self.query.command, open, value, ModelDialect::STANDARD)
    }

    fn verdict(&self) -> String {
        match satisfies(&self.query, &self.model, &Fuel::default()) {
            Verdict::True => "true".to_owned(),
            Verdict::False => "false".to_owned(),
            Verdict::Open(gap) => gap.to_string(),
        }
    }
}

const CHAIN: &str = "(declare-const n Int)(assert (and (= n 0) (= (div n n) (div (div n n) n))
    (distinct (div (div n n) n) (div (div (div n n) n) n))))(check-sat)";
const ZERO: &str = "((define-fun n () Int 0))";

#[test]
fn equal_arguments_have_equal_values() {
    let mut asked = Asked::new(CHAIN, ZERO);
    assert_eq!(asked.verdict(), "division by zero is left to the model, which does not say");
    assert_eq!(asked.open(), ["(div n n)"]);
    assert_eq!(asked.hear("(div n n)", "0"), Ok(()));
    assert_eq!(asked.verdict(), "false");
    // The same point in other words can still be asked for.
    assert_eq!(asked.open(), ["(div (div n n) n)", "(div (div (div n n) n) n)"]);
    assert_eq!(asked.hear("(div (div n n) n)", "0"), Ok(()));
    assert_eq!(asked.hear("(div (div (div n n) n) n)", "0"), Ok(()));
    assert_eq!(asked.verdict(), "false");
    assert!(asked.open().is_empty());
}

#[test]
fn two_values_at_one_point_contradict_each_other() {
    let mut asked = Asked::new(CHAIN, ZERO);
    assert_eq!(asked.hear("(div n n)", "0"), Ok(()));
    let Err(Heard::Contradiction { first, second }) = asked.hear("(div (div n n) n)", "1") else {
        panic!("0 and 1");
    };
    assert_eq!((first.term.as_str(), first.text.as_str()), ("(div n n)", "0"));
    assert_eq!((second.term.as_str(), second.text.as_str()), ("(div (div n n) n)", "1"));
    assert_eq!(first.point, second.point);
    assert_eq!(asked.model.heard().len(), 1);
}

#[test]
fn other_arguments_are_another_point() {
    let script = "(declare-const n Int)(assert (distinct (div n n) (div (div n n) n)))(check-sat)";
    let mut asked = Asked::new(script, ZERO);
    assert_eq!(asked.hear("(div n n)", "7"), Ok(()));
    assert_eq!(asked.verdict(), "division by zero is left to the model, which does not say");
    assert_eq!(asked.open(), ["(div (div n n) n)"]);
    assert_eq!(asked.hear("(div (div n n) n)", "8"), Ok(()));
    assert_eq!(asked.verdict(), "true");
}

/// A script, its model, each open term with an answer, and the verdict after that.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn gaps_of_all_kinds_are_filled() {
    const LIST: &str = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)";
    const OPTION: &str = "(declare-datatype Option (par (X) ((none) (some (val X)))))";
    let rows: &[Row] = &[
        ("a constant", "(declare-const x Int)(assert (< x 3))", "()", &[("x", "4")], "false"),
        (
            "a function at two points",
            "(declare-fun f (Int) Int)(assert (= (f 1) (f 2)))",
            "()",
            &[("(f 1)", "4"), ("(f 2)", "5")],
            "false",
        ),
        (
            "a selector",
            &format!("{LIST}(assert (= (hd l) 5))"),
            "((define-fun l () L nil))",
            &[("(hd l)", "5")],
            "true",
        ),
        (
            "selectors of two instances of a sort",
            &format!(
                "{OPTION}(declare-const o (Option Int))(declare-const p (Option Bool))
                (assert (and (= (val o) 5) (val p)))"
            ),
            "((define-fun o () (Option Int) (as none (Option Int)))
              (define-fun p () (Option Bool) (as none (Option Bool))))",
            &[("(val o)", "5"), ("(val p)", "false")],
            "false",
        ),
        (
            "division of reals",
            "(declare-const x Real)(assert (= (/ x 0.0) 2.0))",
            "((define-fun x () Real 1.0))",
            &[("(/ x 0.0)", "(/ 1.0 2.0)")],
            "false",
        ),
        (
            "a chain",
            "(declare-const n Int)(assert (= (div n 0 5) 2))",
            "((define-fun n () Int 9))",
            &[("(div n 0)", "10")],
            "true",
        ),
        (
            "out of range",
            "(declare-const f (_ FloatingPoint 3 5))(assert (= ((_ fp.to_ubv 4) RNE f) #x1))",
            "((define-fun f () (_ FloatingPoint 3 5) (_ NaN 3 5)))",
            &[("((_ fp.to_ubv 4) RNE f)", "#x0")],
            "false",
        ),
        (
            "out of a sequence",
            "(declare-const s (Seq Int))(assert (= (seq.nth s 4) 1))",
            "((define-fun s () (Seq Int) (seq.unit 3)))",
            &[("(seq.nth s 4)", "1")],
            "true",
        ),
        (
            "out of a string",
            "(declare-const s String)(assert (= (char.to_int (seq.nth s 4)) 1))",
            "((define-fun s () String \"ab\"))",
            &[("(seq.nth s 4)", "(_ Char 1)")],
            "true",
        ),
        (
            "under let",
            "(declare-const n Int)(assert (let ((m (+ n 1))) (let ((k (div m 0))) (= k 3))))",
            ZERO,
            &[("(div (+ n 1) 0)", "4")],
            "false",
        ),
        (
            "in a definition",
            "(declare-const n Int)(define-fun half ((x Int) (y Int)) Int (div x y))(assert (= (half 4 n) 3))",
            ZERO,
            &[("(div 4 n)", "4")],
            "false",
        ),
        (
            "under a quantifier",
            "(declare-fun f (Bool) Bool)(assert (forall ((b Bool)) (f b)))",
            "()",
            &[("(f false)", "true"), ("(f true)", "false")],
            "false",
        ),
        (
            "in a case of a match",
            &format!("{LIST}(assert (match l ((nil true) ((cons x y) (= (div x 0) 1)))))"),
            "((define-fun l () L (cons 3 nil)))",
            &[("(div 3 0)", "2")],
            "false",
        ),
        (
            "with annotations",
            "(declare-const n Int)(assert (! (= (div (! n :named m) 0) 1) :named a))",
            ZERO,
            &[("(div n 0)", "2")],
            "false",
        ),
        (
            "only the branch that counts",
            "(declare-const n Int)(assert (ite (= n 0) (= (mod n 0) 1) (= (div n 0) 1)))",
            ZERO,
            &[("(mod n 0)", "1")],
            "true",
        ),
        (
            "a function inside an operator",
            "(declare-fun f (Int) Int)(assert (= (seq.map f (seq.unit 3)) (seq.unit 4)))",
            "()",
            &[("(f 3)", "5")],
            "false",
        ),
        (
            "a member of a set",
            "(declare-const s (Set Int))(assert (= (set.choose s) 2))",
            "((define-fun s () (Set Int) (set.union (set.singleton 1) (set.singleton 2))))",
            &[("(set.choose s)", "1")],
            "false",
        ),
        (
            "elements",
            "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (= a b))",
            "((declare-fun U!val!0 () U)(declare-fun U!val!1 () U)(define-fun a () U U!val!0))",
            &[("b", "U!val!1")],
            "false",
        ),
        (
            "new elements",
            "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(assert (= a (f a)))",
            "((define-fun a () U (as @U_0 U)))",
            &[("(f a)", "(as @U_1 U)")],
            "false",
        ),
    ];
    for (what, script, model, answers, verdict) in rows {
        let mut asked = Asked::new(&format!("{script}(check-sat)"), model);
        for (term, value) in *answers {
            assert_eq!(asked.hear(term, value), Ok(()), "{what}");
        }
        assert_eq!(&asked.verdict(), verdict, "{what}");
        assert!(asked.open().is_empty(), "{what}: {:?}", asked.open());
    }
}

#[test]
fn what_an_operator_does_not_allow_is_not_believed() {
    let zeros = "(declare-const x (_ FloatingPoint 3 5))
        (assert (fp.isZero (fp.min x (fp.neg x))))(check-sat)";
    let zero = "((define-fun x () (_ FloatingPoint 3 5) (_ +zero 3 5)))";
    let set = "(declare-const s (Set Int))(assert (= (set.choose s) 2))(check-sat)";
    let two = "((define-fun s () (Set Int) (set.union (set.singleton 1) (set.singleton 2))))";
    for (script, model, term, value) in
        [(zeros, zero, "(fp.min x (fp.neg x))", "(fp #b0 #b011 #b0000)"), (set, two, "(set.choose s)", "3")]
    {
        let mut asked = Asked::new(script, model);
        let before = asked.verdict();
        assert!(matches!(asked.hear(term, value), Err(Heard::NotAllowed(_))), "{term} {value}");
        assert_eq!(asked.verdict(), before, "{term} {value}");
    }
    let mut asked = Asked::new(zeros, zero);
    assert_eq!(asked.hear("(fp.min x (fp.neg x))", "(_ -zero 3 5)"), Ok(()));
    assert_eq!(asked.verdict(), "true");
}

#[test]
fn what_is_no_value_is_refused() {
    let mut asked = Asked::new(CHAIN, ZERO);
    assert!(matches!(asked.hear("(div n n)", "true"), Err(Heard::Unreadable(_))), "another sort");
    assert!(matches!(asked.hear("(div n n)", "(div0 0)"), Err(Heard::Unreadable(_))), "an unknown function");
    assert!(matches!(asked.hear("(div n n)", "0 0"), Err(Heard::Unreadable(_))), "two values");
    assert!(matches!(asked.hear("(div n n)", "(mod 0 0)"), Err(Heard::Open(_))), "an open term");
    assert!(asked.model.heard().is_empty());
}

#[test]
fn what_the_model_says_is_not_asked_for() {
    let said = "((define-fun n () Int 0) (define-fun div0 ((a Int) (b Int)) Int 0))";
    let asked = Asked::new(CHAIN, said);
    assert_eq!(asked.verdict(), "false");
    assert!(asked.open().is_empty());
    let decided = Asked::new("(declare-const n Int)(assert (or (= n 0) (= (div n n) 1)))(check-sat)", ZERO);
    assert_eq!(decided.verdict(), "true");
    assert!(decided.open().is_empty());
}

#[test]
fn a_constant_that_was_heard_can_be_written_in() {
    let mut asked = Asked::new("(declare-const x Int)(assert (< x 3))(check-sat)", "()");
    assert_eq!(asked.hear("x", "(- 4)"), Ok(()));
    let fun = asked.script.pool.functions().next().expect("declared");
    assert_eq!(asked.model.definition(fun).as_deref(), Some("(define-fun x () Int (- 4))"));
}

#[test]
fn there_is_a_bound() {
    let many: Vec<String> = (1..100).map(|n| format!("(assert (= (div {n} n) 1))")).collect();
    let asked = Asked::new(&format!("(declare-const n Int){}(check-sat)", many.concat()), ZERO);
    assert_eq!(asked.open().len(), 32);
    assert_eq!(asked.open()[0], "(div 1 n)");
}

#[test]
fn replies_are_taken_apart() {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let rows = [
        ("((x 1))", Some(vec![pair("x", "1")])),
        (
            "(((div n n) (- 1))\n ((f \"a b)\") (lambda ((x Int)) x)) ; a comment\n)",
            Some(vec![pair("(div n n)", "(- 1)"), pair("(f \"a b)\")", "(lambda ((x Int)) x)")]),
        ),
        ("()", Some(Vec::new())),
        ("(error \"no model\")", None),
        ("((x))", None),
        ("((x 1 2))", None),
        ("((x 1)", None),
        ("sat", None),
    ];
    for (reply, expected) in rows {
        assert_eq!(read_values(reply).ok(), expected, "{reply}");
    }
}

/// Values that are printed beside a model, read and compared by meaning.
#[test]
fn values_beside_a_model_are_compared_by_meaning() {
    let text = "(declare-const x Real)(declare-const a (Array Int Int))(assert (> x 0.5))(check-sat)";
    let script = smt::read(text.as_bytes()).expect("well-sorted");
    let query = &script.queries()[0];
    let printed =
        "((define-fun x () Real 1.0) (define-fun a () (Array Int Int) ((as const (Array Int Int)) 0)))";
    let mut model = Model::read(&script, Some(query.command), printed.as_bytes()).expect("a model");
    // The constant, two values of its sort, and whether they are equal; none if one of them is no value.
    let rows = [
        ("x", "1.0", "(/ 2 2)", Some(true)),
        ("x", "1.0", "(/ 1 2)", Some(false)),
        ("x", "x", "1.0", Some(true)),
        ("a", "((as const (Array Int Int)) 0)", "(store ((as const (Array Int Int)) 0) 3 0)", Some(true)),
        ("a", "((as const (Array Int Int)) 0)", "(store ((as const (Array Int Int)) 0) 3 1)", Some(false)),
        ("x", "1.0", "true", None),
        ("x", "1.0", "unheard", None),
    ];
    for (name, one, other, expected) in rows {
        let fun = script.pool.functions().find(|f| script.pool.text(script.pool.fun(*f).name) == name);
        let sort = script.pool.fun(fun.expect(name)).result;
        let mut read =
            |text| model.read_value(&script, query.command, (text, sort), ModelDialect::STANDARD).ok();
        let both = read(one).zip(read(other));
        let same = both.map(|((_, one), (_, other))| model.same(&one, &other).expect("comparable"));
        assert_eq!(same, expected, "{one} {other}");
    }
}

/// Elements of uninterpreted sorts are the same whether a solver prints their sort or not.
#[test]
fn elements_have_one_name() {
    let text = "(declare-sort U 0)(declare-const u U)(declare-const v U)(assert (distinct u v))(check-sat)";
    let script = smt::read(text.as_bytes()).expect("well-sorted");
    let query = &script.queries()[0];
    let sort = script.pool.fun(script.pool.functions().last().expect("v")).result;
    // What u and v are in a model, a value printed beside it, and whether that is u.
    let rows = [
        ("yices", ["(as @const_3 U)", "(as @const_4 U)"], "@const_3", Some(true)),
        ("yices", ["(as @const_3 U)", "(as @const_4 U)"], "@const_4", Some(false)),
        ("cvc5", ["(as @U_0 U)", "(as @U_1 U)"], "(as @U_0 U)", Some(true)),
        ("cvc5", ["(as @U_0 U)", "(as @U_1 U)"], "(as @U_1 U)", Some(false)),
        ("cvc4", ["@uc_U_0", "@uc_U_1"], "@uc_U_0", Some(true)),
        ("cvc4", ["@uc_U_0", "@uc_U_1"], "@uc_U_1", Some(false)),
        ("nobody", ["(as @U_0 U)", "(as @U_1 U)"], "3", None),
    ];
    for (who, [u, v], value, expected) in rows {
        let printed = format!("((define-fun u () U {u}) (define-fun v () U {v}))");
        let mut model = Model::read(&script, Some(query.command), printed.as_bytes()).expect("a model");
        let mut read = |text: &str| {
            let read = model.read_value(&script, query.command, (text, sort), ModelDialect::STANDARD);
            read.ok().map(|(_, value)| value)
        };
        let both = read("u").zip(read(value));
        let same = both.map(|(u, value)| model.same(&u, &value).expect("comparable"));
        assert_eq!(same, expected, "{who} {value}");
        assert!(!matches!(satisfies(query, &model, &Fuel::default()), Verdict::False), "{who}");
        let element = smt::eval(script.term_of(3, 0).expect("an assertion"), &model, &mut Fuel::default());
        assert_eq!(element, Ok(smt::value::Value::Bool(true)), "{who}");
    }
}

/// What is asserted at a command that is no check is what would be in scope at a check there.
#[test]
fn what_is_asserted_at_any_command() {
    let text = "(assert true)(push 1)(assert false)(apply simplify)(pop 1)(apply simplify)(reset-assertions)(apply nnf)";
    let script = smt::read(text.as_bytes()).expect("well-sorted");
    let asserted = |command| -> Vec<String> {
        script.scope_at(command).assertions.iter().map(|&t| smt::write_term(&script.pool, t)).collect()
    };
    for (command, expected) in [(0, &[][..]), (3, &["true", "false"]), (5, &["true"]), (7, &[])] {
        assert_eq!(asserted(command), expected, "{command}");
    }
}
