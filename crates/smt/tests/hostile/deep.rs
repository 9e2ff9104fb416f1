//! Terms, sorts and lists nested a million times.

use std::fmt::Write;

use smt::{Model, read};

use super::{evaluates, many, on_a_small_stack, refused, survives};

/// Deep enough for any stack; more only takes time.
const DEEP: usize = 50_000;

/// `open` so often, then `core`, then `close` as often.
fn nested(open: &str, core: &str, close: &str, levels: usize) -> String {
    [&*open.repeat(levels), core, &*close.repeat(levels)].concat()
}

const DECLARATIONS: &str = "(declare-const p Bool)(declare-const x Int)(declare-const r Real)
    (declare-fun g (Int) Int)(declare-const a (Array Int Int))(declare-const s String)
    (declare-const f (-> Int Int Int Int))(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)";

/// What stands around the core at each level, the core, what closes a level, and what stands around it all.
const TERMS: &[(&str, [&str; 5])] = &[
    ("not", ["", "(not ", "p", ")", ""]),
    ("and", ["", "(and p ", "p", ")", ""]),
    ("minus", ["(= x ", "(- ", "x", ")", ")"]),
    ("minus of a real", ["(= r ", "(- ", "x", ")", ")"]),
    ("a sum", ["(= x ", "(+ 1 ", "x", ")", ")"]),
    ("ite", ["", "(ite p p ", "p", ")", ""]),
    ("ite in the condition", ["", "(ite ", "p", " p p)", ""]),
    ("let in the body", ["", "(let ((q p)) ", "q", ")", ""]),
    ("let in the binding", ["", "(let ((q ", "p", ")) q)", ""]),
    ("let of nothing", ["", "(let () ", "p", ")", ""]),
    ("forall", ["", "(forall ((y Int)) ", "(= x y)", ")", ""]),
    ("exists", ["", "(exists ((y Bool)) ", "(= p y)", ")", ""]),
    ("a choice in a choice", ["(= x ", "(choice ((y Int)) (= y ", "x", "))", ")"]),
    ("an annotation", ["", "(! ", "p", " :weight 1)", ""]),
    ("an annotation that only marks", ["", "(! ", "p", " :mark)", ""]),
    ("a pattern of patterns", ["", "(! p :pattern (", "p", "))", ""]),
    ("match in the matched", ["(= l ", "(match ", "l", " ((nil nil) ((cons h t) t)))", ")"]),
    ("match in a case", ["(= l ", "(match l ((nil nil) ((cons h t) ", "t", ")))", ")"]),
    ("a function of the script", ["(= x ", "(g ", "x", ")", ")"]),
    ("store", ["(= a ", "(store ", "a", " 1 2)", ")"]),
    ("select of store", ["(= x ", "(select (store a ", "x", " 1) x)", ")"]),
    ("a word", ["(= s ", "(str.++ ", "s", " \"a\")", ")"]),
    ("data", ["(= l ", "(cons 1 ", "nil", ")", ")"]),
    ("an applied lambda", ["(= x ", "((lambda ((y Int)) ", "y", ") x)", ")"]),
    ("a lambda's argument", ["(= x ", "((lambda ((y Int)) y) ", "x", ")", ")"]),
    ("a star", ["(str.in_re s ", "(re.* ", "re.allchar", ")", ")"]),
    (
        "complements of unions",
        ["(str.in_re s ", "(re.comp (re.union (str.to_re \"a\") ", "re.allchar", "))", ")"],
    ),
];

#[test]
fn terms() {
    for &(what, [before, open, core, close, after]) in TERMS {
        on_a_small_stack(what, move || {
            let term = nested(open, core, close, DEEP);
            let opaque = survives(&format!("{DECLARATIONS}(assert {before}{term}{after})(check-sat)"));
            assert_eq!(opaque, 0, "{what}");
        });
    }
}

#[test]
fn a_million() {
    on_a_small_stack("a million", || {
        assert_eq!(survives(&format!("(assert {})", nested("(not ", "true", ")", 1_000_000))), 0);
    });
}

#[test]
fn what_is_not_understood() {
    let list = || nested("(", "", ")", DEEP);
    let rows = [
        ("unknown functions", format!("(assert {})", nested("(unknown ", "x", ")", DEEP))),
        ("a list", format!("(assert (unknown {}))", list())),
        ("the value of an attribute", format!("(assert (! p :note {}))", list())),
        ("the value of an option", format!("(set-option :note {})", list())),
        ("a soft assertion", format!("(assert-soft p :note {})", list())),
        ("an index", format!("(assert ((_ unknown {}) p))", list())),
        ("a tactic", format!("(check-sat-using {})", list())),
        ("a sort", format!("(declare-const y (_ Unknown {}))", list())),
        ("a command", nested("(unknown ", "", ")", DEEP)),
        ("what a command carries", format!("(get-abduct {})", list())),
    ];
    for (what, text) in rows {
        on_a_small_stack(what, move || {
            survives(&format!("{DECLARATIONS}{text}"));
        });
    }
}

#[test]
fn copies_of_copies_are_refused() {
    let row = |open: &str, core: &str, close: &str| {
        format!("{DECLARATIONS}(assert (= x {}))", nested(open, core, close, 100_000))
    };
    let inside = "expected less inside other parts that are not understood";
    let sort = "expected a sort of at most 200 levels and 1024 parts";
    for (what, text, expected) in [
        ("applied to what is unknown", row("(", "(unknown x)", " x)"), inside),
        ("selected from what is unknown", row("(select ", "(unknown x)", " x)"), inside),
        ("a set in a set", row("(set.comprehension ((y Int)) true ", "x", ")"), sort),
    ] {
        on_a_small_stack(what, move || {
            let line = refused(text.as_bytes());
            assert!(line.ends_with(expected), "{line}");
        });
    }
}

#[test]
fn one_argument_after_the_other() {
    on_a_small_stack("application", || {
        let sorts = "Int ".repeat(1000);
        let term = nested("(", "f", " 1)", 1000);
        survives(&format!("(declare-const f (-> {sorts} Int))(assert (= 0 {term}))"));
        survives(&format!("(declare-fun f ({sorts}) Int)(assert (= 0 {term}))"));
        let line = refused(format!("{DECLARATIONS}(assert {})", nested("(", "f", " 1)", DEEP)).as_bytes());
        assert!(line.contains("expected a function or an array"), "{line}");
    });
}

#[test]
fn refused_cleanly() {
    let rows = [
        ("sorts", format!("(declare-const x {})", nested("(Set ", "Int", ")", 10_000)), "200 levels"),
        ("functions", format!("(declare-const x {})", nested("(-> Int ", "Int", ")", 10_000)), "200 levels"),
        ("as", format!("(assert {})", nested("(as ", "x", " Bool)", DEEP)), "not another `as`"),
        ("as in sorts", format!("(declare-const x {})", nested("(as ", "x", " Bool)", DEEP)), "200 levels"),
        ("indices", format!("(assert {})", nested("(_ ", "x", " 1)", DEEP)), "expected"),
        ("parentheses", nested("(", "", ")", DEEP), "name of a command"),
        ("parentheses in a term", format!("(assert {})", nested("(", "", ")", DEEP)), "empty list"),
        ("not closed", "(".repeat(DEEP), "never closed"),
        ("opened in terms", format!("(assert {}", "(not ".repeat(DEEP)), "never closed"),
    ];
    for (what, text, message) in rows {
        on_a_small_stack(what, move || {
            let line = refused(text.as_bytes());
            assert!(line.contains(message), "{what}: {line}");
        });
    }
}

#[test]
fn models() {
    let script =
        "(declare-const a (Array Int Int))(declare-const x Int)(assert (= (select a 1) x))(check-sat)";
    let rows = [
        ("stores", "((as const (Array Int Int)) 0)", "(store ", " 1 2)"),
        ("ite", "a0", "(ite true ", " a0)"),
        ("lets", "a0", "(let ((y 1)) ", ")"),
        ("bound lets", "a0", "(let ((b ", ")) b)"),
    ];
    for (what, core, open, close) in rows {
        on_a_small_stack(what, move || {
            let script = read(script.as_bytes()).expect("the script is well-formed");
            let body = nested(open, core, close, DEEP);
            let model = format!(
                "((define-fun a0 () (Array Int Int) ((as const (Array Int Int)) 2))
                  (define-fun a () (Array Int Int) {body})(define-fun x () Int 2))"
            );
            let model = Model::read(&script, None, model.as_bytes()).expect("the model is well-formed");
            assert_eq!(model.problems, [""; 0], "{what}");
            assert_eq!(evaluates(&script, &model), [Ok("Bool(true)".to_owned())], "{what}");
        });
    }
}

#[test]
fn replacing_at_the_bottom() {
    on_a_small_stack("replace", || {
        let named = many(30_000, |t, i| write!(t, " :named n{i})"));
        let text = format!("{DECLARATIONS}(assert {}p{named})(assert n7)", "(! ".repeat(30_000));
        let mut script = read(text.as_bytes()).expect("the script is well-formed");
        let smt::What::Assert(root) = script.commands[script.commands.len() - 2].what else {
            panic!("an assert")
        };
        let way = vec![0; 30_000];
        let p = smt::walk::at(&script.pool, root, &way).expect("the way leads to p");
        let not = read(b"(assert (not true))").expect("well-formed");
        assert_eq!(not.commands.len(), 1);
        let new = script.pool.replace(root, &way, p).expect("the same sort");
        assert_eq!(new, root);
    });
}
