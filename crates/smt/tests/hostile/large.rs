//! Flat texts of many megabytes, and many of everything.

use std::fmt::Write;
use std::time::Instant;

use smt::{Fuel, Model, read, satisfies};

use super::{evaluates, many, on_a_small_stack, refused, survives};

const MANY: usize = 20_000;

fn flat(bytes: usize) -> String {
    let mut text = "(declare-const p Bool)(declare-const x Int)(declare-const y (_ BitVec 8))\n".to_owned();
    let mut i = 0;
    while text.len() < bytes {
        writeln!(text, "(assert (or p (> (+ x {i}) (* 2 x)) (bvult (bvadd y #x{:02x}) y)))", i % 256)
            .expect("grows");
        i += 1;
    }
    text
}

#[test]
fn a_large_file() {
    on_a_small_stack("8 MB", || {
        assert_eq!(survives(&flat(8 << 20)), 0);
    });
}

/// `cargo test --release -p smt --test hostile -- --ignored --nocapture` for the figures.
#[test]
#[ignore = "takes gigabytes"]
fn a_hundred_megabytes() {
    for (what, text) in [
        ("flat", flat(100 << 20)),
        ("deep", format!("(assert {}true{})", "(not ".repeat(17 << 20), ")".repeat(17 << 20))),
        ("one line of atoms", format!("(assert (and {}))", "true ".repeat(20 << 20))),
    ] {
        let begun = Instant::now();
        let script = read(text.as_bytes()).expect(what);
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
        println!(
            "{what}: {} bytes, {} commands, {:?}, {peak}",
            text.len(),
            script.commands.len(),
            begun.elapsed()
        );
        assert!(script.is_lossless());
        println!("{what}: printed and read again, {:?}", begun.elapsed());
    }
}

#[test]
fn many_of_everything() {
    let names =
        |form: &'static str| many(MANY, move |t, i| write!(t, "{}", form.replace('#', &i.to_string())));
    let rows = [
        ("functions", names("(declare-fun f# (Int) Int)(assert (= (f# 0) #))")),
        ("functions of one name and sort", names("(declare-const f Int)(assert (= f #))")),
        (
            "functions of one name, popped",
            names("(push 1)(declare-const f (_ BitVec 1#))(assert (= f f))(pop 1)"),
        ),
        ("definitions", names("(define-fun f# ((x Int)) Int (+ x #))(assert (= (f# 0) #))")),
        ("recursive definitions", names("(define-fun-rec f# ((x Int)) Int (+ x #))(assert (= (f# 0) #))")),
        ("named terms", names("(assert (! (> # 0) :named n#))(assert n#)")),
        ("one name for all", names("(assert (! (> # 0) :named n))(assert n)")),
        (
            "levels",
            ["(push 1)(declare-const x Int)(assert (> x 0))".repeat(MANY), "(pop 1)".repeat(MANY)].concat(),
        ),
        ("many levels at once", "(push 4294967295)".repeat(MANY)),
        ("levels up and down", "(push 4000000)(pop 4000000)".repeat(MANY)),
        ("sorts", names("(declare-sort S# 0)(declare-const c# S#)(assert (= c# c#))")),
        ("bit-vectors", names("(declare-const c# (_ BitVec 1#))(assert (= c# c#))")),
        ("arrays", names("(declare-const c# (Array (_ BitVec 1#) Int))(assert (= c# c#))")),
        ("constructors", format!("(declare-datatype D ({}))(assert (= c7 c8))", names("(c# (s# Int))"))),
        (
            "constants of an enumeration",
            format!(
                "(declare-datatype D ({}))(declare-const a (Array D Int)){}",
                names("(c#)"),
                many(100, |t, i| write!(t, "(assert (= a (store a c{i} 1)))"))
            ),
        ),
        ("datatypes", names("(declare-datatype D# ((c# (s# Int))))(assert (= (s# (c# 1)) #))")),
        ("options", names("(set-option :o# #)")),
        ("notes", names("; NOTE: #\n")),
        ("unknown commands", names("(unknown #)")),
        ("arguments", format!("(declare-const p Bool)(assert (and{}))", " p".repeat(1_000_000))),
        ("bound names", format!("(assert (let ({}) x7))", names("(x# true)"))),
        ("bound variables", format!("(assert (forall ({}) (= x7 x8)))", names("(x# (_ BitVec 12))"))),
        (
            "patterns",
            format!(
                "(declare-const p Bool)(assert (! p{}))",
                " :pattern (p p) :qid a :no-pattern p".repeat(MANY)
            ),
        ),
        (
            "patterns of many terms",
            format!("(declare-const p Bool)(assert (! p :pattern ({})))", "p ".repeat(MANY)),
        ),
        ("checks", "(check-sat)(get-model)".repeat(MANY)),
        ("values asked for", format!("(declare-const p Bool)(get-value ({}))", "p ".repeat(MANY))),
        (
            "different things",
            format!("{}(assert (distinct {}))", names("(declare-const d# Int)"), names("d# ")),
        ),
        ("a sum", format!("(declare-const x Int)(assert (= 0 (+ {})))", "x 1 ".repeat(MANY))),
        ("a word", format!("(assert (= 0 (str.len (str.++ {}))))", "\"ab\" ".repeat(MANY))),
        ("sort parameters", format!("(declare-sort S {MANY})(declare-const c Int)(assert (= c 0))")),
    ];
    for (what, text) in rows {
        on_a_small_stack(what, move || {
            survives(&text);
        });
    }
}

#[test]
fn many_are_refused() {
    let names =
        |form: &'static str| many(MANY, move |t, i| write!(t, "{}", form.replace('#', &i.to_string())));
    let rows = [
        (
            "functions of one name",
            names("(declare-fun f ((_ BitVec 1#)) Int)"),
            "at most 100 functions of one name",
        ),
        (
            "parameters of a datatype",
            format!("(declare-datatype D (par ({}) ((c))))", names("T# ")),
            "64 sort parameters",
        ),
        ("parameters of a sort", format!("(define-sort D ({}) Int)", names("T# ")), "64 sort parameters"),
        ("parts of a sort", format!("(declare-const x (Tuple {}))", "Int ".repeat(MANY)), "1024 parts"),
        (
            "a sort that doubles",
            format!(
                "(define-sort D0 () Int){}",
                many(100, |t, i| write!(t, "(define-sort D{} () (Array D{i} D{i}))", i + 1))
            ),
            "1024 parts",
        ),
        (
            "a sort that doubles, with a parameter",
            format!(
                "(define-sort D0 (T) T){}",
                many(100, |t, i| write!(t, "(define-sort D{} (T) (Array (D{i} T) (D{i} T)))", i + 1))
            ),
            "1024 parts",
        ),
        ("levels", "(push 4294967295)(pop 4294967295)(pop 1)".to_owned(), "expected a push before this pop"),
    ];
    for (what, text, message) in rows {
        on_a_small_stack(what, move || {
            let line = refused(text.as_bytes());
            assert!(line.contains(message), "{what}: {line}");
        });
    }
}

#[test]
fn models_of_many() {
    let script = many(MANY, |t, i| write!(t, "(declare-const c{i} Int)(assert (= c{i} {i}))"));
    let entries = many(MANY, |t, i| writeln!(t, "(define-fun c{i} () Int {i})"));
    let sorts = format!("(declare-sort U 0)(declare-const u U){}(check-sat)", "(assert (= u u))".repeat(10));
    let elements = many(MANY, |t, i| writeln!(t, "(declare-fun U!val!{i} () U)"));
    let cvc5 = many(MANY, |t, i| writeln!(t, "; rep: (as @U_{i} U)"));
    for (what, script, model) in [
        ("a list", script.clone(), format!("({entries})")),
        ("one after the other", script, entries),
        ("elements", sorts.clone(), format!("({elements}(define-fun u () U U!val!7))")),
        (
            "elements in comments",
            sorts,
            format!("(\n; cardinality of U is {MANY}\n{cvc5}(define-fun u () U (as @U_7 U)))"),
        ),
    ] {
        on_a_small_stack(what, move || {
            let script = read(script.as_bytes()).expect("the script is well-formed");
            let model = Model::read(&script, None, model.as_bytes()).expect("the model is well-formed");
            assert_eq!(model.problems, [""; 0], "{what}");
            assert!(evaluates(&script, &model).iter().all(|value| *value == Ok("Bool(true)".to_owned())));
        });
    }
}

#[test]
fn asks_of_many() {
    on_a_small_stack("asks", || {
        let recursive = many(20_000, |t, i| write!(t, "(f{i} ((x Int)) Int) "));
        let bodies = many(20_000, |t, i| write!(t, "(f{} x) ", (i + 1).min(19_999)));
        let text = format!("(define-funs-rec ({recursive}) ({bodies})){}", "(assert true)".repeat(MANY));
        let script = read(format!("{text}(check-sat)").as_bytes()).expect("the script is well-formed");
        let asks = script.queries();
        assert_eq!(asks.len(), 1);
        let verdict = satisfies(&asks[0], &Model::empty(&script), &Fuel::default());
        assert!(matches!(verdict, smt::Verdict::Open(smt::Gap::Recursive(_))), "{verdict:?}");
    });
}
