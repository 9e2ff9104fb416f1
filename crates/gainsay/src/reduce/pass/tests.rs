//! Each pass by a table: a script, what is offered, and what is not.

use smt::Script;

use crate::reduce::{Ground, PASSES};

fn script(text: &str) -> Script {
    smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What a pass offers for a script, change by change, on one line each.
fn offers(name: &str, text: &str) -> Vec<String> {
    let entry = PASSES.iter().find(|e| e.name == name).expect("a pass");
    let mut found = Vec::new();
    for group in 0.. {
        let mut script = script(text);
        let Some(changes) = entry.pass.changes(&mut script, group) else { break };
        let ground = Ground::new(script);
        found.extend(changes.iter().filter_map(|c| ground.changed([c], true)));
    }
    found.iter().map(|t| t.trim_end().replace('\n', "")).collect()
}

/// A row: the pass, the script, what it offers (all of these), what it must not. `{xy}` declares two integers.
type Row = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

static ROWS: &[Row] = &[
    (
        "sessions",
        "{xy}(push 1)(assert (= x 1))(check-sat)(pop 1)(push 1)(assert (= y 1))(assert (= x 1))(check-sat)(pop 1)",
        &[
            // Two levels become one.
            "(declare-const x Int)(declare-const y Int)(push 1)(assert (= x 1))(check-sat)(assert (= y 1))(assert (= x 1))(check-sat)(pop 1)",
            // What is asserted again goes with the level.
            "(declare-const x Int)(declare-const y Int)(assert (= x 1))(check-sat)(push 1)(assert (= y 1))(check-sat)(pop 1)",
        ],
        &["(declare-const x Int)(declare-const y Int)(assert (= x 1))(check-sat)(assert (= y 1))(check-sat)"],
    ),
    (
        "sessions",
        "{xy}(declare-const g Bool)(declare-const h Bool)(assert (=> g (= x 1)))(assert (=> h (= y 1)))(check-sat-assuming (g h))(check-sat-assuming (g))",
        &[
            "(declare-const x Int)(declare-const y Int)(declare-const h Bool)(assert (= x 1))(assert (=> h (= y 1)))(check-sat-assuming (h))(check-sat)",
            "(declare-const x Int)(declare-const y Int)(declare-const g Bool)(declare-const h Bool)(assert (=> g (= x 1)))(assert (=> h (= y 1)))(check-sat-assuming (g h))(assert g)(check-sat)",
        ],
        &[],
    ),
    (
        "commands",
        "(set-logic ALL){xy}(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 1)",
        &[
            // Dead declarations go along.
            "(set-logic ALL)(declare-const x Int)(assert (= x 1))(push 1)(check-sat)(pop 1)",
            "(set-logic ALL)(declare-const x Int)(assert (= x 1))",
            "(set-logic ALL)(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)",
        ],
        // A `pop` without its `push`.
        &[
            "(set-logic ALL)(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)(pop 1)",
        ],
    ),
    (
        "commands",
        "{xy}(push 2)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 3)(check-sat)",
        &[
            // Levels with what is inside, all at once.
            "(check-sat)",
            // One level less of each.
            "(declare-const x Int)(declare-const y Int)(push 1)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 2)(check-sat)",
            "(declare-const x Int)(declare-const y Int)(push 2)(assert (= x 1))(assert (= y 2))(check-sat)(pop 2)(check-sat)",
            "(declare-const x Int)(declare-const y Int)(push 2)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 2)(check-sat)",
        ],
        // More closed than opened.
        &[
            "(declare-const x Int)(declare-const y Int)(push 1)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 3)(check-sat)",
        ],
    ),
    (
        "commands",
        "(push 2)(check-sat)(pop 1)(check-sat)",
        &[
            "(push 1)(check-sat)(check-sat)",
            "(push 2)(check-sat)(check-sat)",
            "(push 1)(check-sat)(pop 1)(check-sat)",
        ],
        // The other level of the push is closed nowhere.
        &["(check-sat)", "(check-sat)(pop 1)(check-sat)"],
    ),
    (
        "commands",
        "(declare-const p Bool)(declare-const q Bool)(check-sat-assuming (p q))",
        &["(check-sat)", "(declare-const q Bool)(check-sat-assuming (q))"],
        &[],
    ),
    (
        "only",
        "{xy}(assert (= x 1))(assert (= y 2))(assert (< x y))(check-sat)",
        &[
            "(declare-const x Int)(assert (= x 1))(check-sat)",
            "(declare-const y Int)(assert (= y 2))(check-sat)",
        ],
        &[],
    ),
    (
        "only",
        "{xy}(assert (= x 1))(assert (= y 2))(check-sat)",
        &[],
        &["(declare-const x Int)(assert (= x 1))(check-sat)"],
    ),
    (
        "tidy",
        "{xy}(assert (let ((a (+ x y)) (b (* x 2)) (c 1)) (let ((d (+ b 1)) (e y)) (< (+ d c) a a d))))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (let ((a (+ x y))) (let ((d (+ (* x 2) 1))) (< (+ d 1) a a d))))",
        ],
        &[],
    ),
    (
        "tidy",
        "(assert (forall ((a Int) (b Int)) (exists ((c Int)) (= a 1))))",
        &["(assert (forall ((a Int)) (= a 1)))", "(assert (forall ((a Int)) (exists ((c Int)) (= a 1))))"],
        &[],
    ),
    (
        "arguments",
        "{xy}(assert (= x y 3 4))",
        &[
            "(declare-const x Int)(assert (= x 3 4))",
            "(declare-const x Int)(declare-const y Int)(assert (= x y 3))",
        ],
        &["(declare-const x Int)(assert (= x))"],
    ),
    ("arguments", "{xy}(assert (= x y))", &[], &["(declare-const x Int)(assert (= x))"]),
    (
        "arguments",
        "{xy}(assert (= (+ x y) (- x y)))",
        &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y) (- x)))"],
        &["(declare-const x Int)(declare-const y Int)(assert (= (+ x) (- x y)))"],
    ),
    (
        "sorts",
        "(declare-datatypes ((T 0)) (((a) (b (x Int) (y T)))))(declare-const t T)(assert (= t (b 1 a)))",
        &[],
        &["(declare-datatypes ((T 0)) (((b (x Int) (y T)))))(declare-const t T)(assert (= t (b 1 a)))"],
    ),
    (
        "sorts",
        "(declare-datatypes ((T 0)) (((a) (b (x Int) (y T)))))(declare-const t T)(assert (= t a))",
        &["(declare-datatypes ((T 0)) (((a) )))(declare-const t T)(assert (= t a))"],
        &[],
    ),
    (
        "sorts",
        "(declare-const a (Array Int Real))(declare-const b (_ BitVec 8))(assert (= a a))(assert (= b b))",
        &["(declare-const a Bool)(declare-const b (_ BitVec 8))(assert (= a a))(assert (= b b))"],
        &[],
    ),
    (
        "sorts",
        "(declare-sort U 0)(declare-sort V 0)(declare-fun f (U) V)(assert (exists ((a U)) (= (f a) (f a))))",
        &[
            "(declare-fun f (Bool) Bool)(assert (exists ((a Bool)) (= (f a) (f a))))",
            "(declare-sort U 0)(declare-fun f (U) Bool)(assert (exists ((a U)) (= (f a) (f a))))",
        ],
        &[],
    ),
    (
        "sorts",
        "(declare-const x Real)(assert (= (* x 2.5) 0.0))",
        &["(declare-const x Int)(assert (= (* x 2) 0))"],
        &[],
    ),
    // A whole number may be given where a real one is wanted.
    (
        "sorts",
        "(declare-const x Real)(assert (= (/ x 2.0) 0.0))",
        &["(declare-const x Real)(assert (= (/ x 2) 0))"],
        &[],
    ),
    (
        "constants",
        "{xy}(assert (or (= x (+ y 1)) (< x y)))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (or false (< x y)))",
            "(declare-const x Int)(declare-const y Int)(assert (or (= x 0) (< x y)))",
        ],
        &["(assert true)"],
    ),
    (
        "opposites",
        "{xy}(assert (and (= x y) (< x 5)))",
        &["(declare-const x Int)(assert (and false (< x 5)))"],
        &[],
    ),
    (
        "variables",
        "{xy}(assert (= (+ x y) 7))",
        &["(declare-const x Int)(assert (= x 7))", "(declare-const x Int)(assert (= (+ x x) 7))"],
        &[],
    ),
    (
        "variables",
        "(declare-const x Int)(assert (exists ((x Int)) (= x 7)))",
        &[],
        // It would be the other x, which the bound one is better than.
        &["(declare-const x Int)(assert (exists ((x Int)) (= x x)))"],
    ),
    (
        "variables",
        "(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or true b) (= 0 1)))))",
        &["(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or a b) (= 0 1)))))"],
        // The whole number is out of sight.
        &["(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or true b) (= a 1)))))"],
    ),
    ("fresh", "{xy}(assert (= (* (+ x 1) (+ y 2)) 7))", &["(declare-fun v0 () Int)(assert (= v0 7))"], &[]),
    (
        "subterms",
        "{xy}(assert (not (or (= x 1) (= y 2))))",
        &["(declare-const x Int)(declare-const y Int)(assert (or (= x 1) (= y 2)))"],
        &["(assert x)"],
    ),
    (
        "subterms",
        "(declare-const p Bool)(assert (not (not p)))",
        &["(declare-const p Bool)(assert p)", "(declare-const p Bool)(assert (not p))"],
        &[],
    ),
    (
        "subterms",
        "{xy}(assert (= 0 (+ x (* 1 (+ x (* 2 (+ x (* 3 (+ x (* 4 (+ x (* 5 y))))))))))))",
        // Half the way down at once.
        &["(declare-const x Int)(declare-const y Int)(assert (= 0 (+ x (* 4 (+ x (* 5 y))))))"],
        &[],
    ),
    (
        "subterms",
        "(assert (forall ((z Int)) (or (= z 1) true)))",
        &["(assert true)"],
        // z would be free.
        &["(assert (= z 1))", "(assert (or (= z 1) true))"],
    ),
    (
        "relations",
        "{xy}(assert (and (>= x y) (= x 1)))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (and (> x y) (= x 1)))",
            "(declare-const x Int)(declare-const y Int)(assert (and (= x y) (= x 1)))",
        ],
        &["(declare-const x Int)(declare-const y Int)(assert (and (>= x y) (< x 1)))"],
    ),
    (
        "values",
        "{xy}(assert (= (* y (div x x)) 0))",
        &[
            "(declare-const y Int)(assert (= (* y (div 0 0)) 0))",
            "(declare-const y Int)(assert (= (* y (div 0 0)) 1))",
            "(declare-const x Int)(assert (= (* 1 (div x x)) 0))",
        ],
        &["(declare-const x Int)(declare-const y Int)(assert (= (* y (div x x)) 1))"],
    ),
    (
        "binders",
        "(assert (forall ((z Int) (w Int)) (= z 1)))",
        &[
            "(assert (forall ((z Int)) (= z 1)))",
            "(assert (forall ((z Int) (w Bool)) (= z 1)))",
            "(assert (forall ((w Int)) (= 0 1)))",
            "(declare-fun z () Int)(assert (forall ((w Int)) (= z 1)))",
        ],
        &[],
    ),
    (
        "inline",
        "{xy}(define-fun f ((a Int)) Int (+ a x))(assert (= (f (f y)) 1))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (= (+ (+ y x) x) 1))",
            "(declare-const y Int)(declare-fun f (Int) Int)(assert (= (f (f y)) 1))",
        ],
        &[],
    ),
    (
        "inline",
        "{xy}(assert (let ((a x) (b (+ x y))) (= a b)))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (= x (+ x y)))",
            "(declare-const x Int)(declare-const y Int)(assert (let ((b (+ x y))) (= x b)))",
        ],
        &[],
    ),
    (
        "widths",
        "(declare-const x (_ BitVec 32))(assert (= ((_ extract 15 0) x) (_ bv257 16)))",
        &["(declare-const x (_ BitVec 2))(assert (= ((_ extract 0 0) x) (_ bv1 1)))"],
        // These do not fit together.
        &["(declare-const x (_ BitVec 8))(assert (= ((_ extract 15 0) x) (_ bv257 16)))"],
    ),
    (
        "widths",
        "(declare-const x Float32)(assert (= x (fp #b0 #x01 #b00000000000000000000001)))",
        &["(declare-const x (_ FloatingPoint 3 5))(assert (= x (fp #b0 #b001 #x1)))"],
        &[],
    ),
    (
        "widths",
        "(assert (= ((_ to_fp_unsigned 3 5) RNE #b1) (_ +oo 3 5)))",
        &["(assert (= ((_ to_fp_unsigned 2 3) RNE #b1) (_ +oo 2 3)))"],
        // These do not fit together.
        &["(assert (= ((_ to_fp_unsigned 2 3) RNE #b1) (_ +oo 3 5)))"],
    ),
    (
        "widths",
        "(declare-const x (_ FloatingPoint 8 24))(assert (str.in_re \"\" ((_ re.loop 8 24) re.all)))(assert (fp.isNaN x))",
        &[
            "(declare-const x (_ FloatingPoint 3 5))(assert (str.in_re \"\" ((_ re.loop 8 24) re.all)))(assert (fp.isNaN x))",
        ],
        // Not all that has two indices is a format.
        &[
            "(declare-const x (_ FloatingPoint 3 5))(assert (str.in_re \"\" ((_ re.loop 3 5) re.all)))(assert (fp.isNaN x))",
        ],
    ),
    (
        "literals",
        "(assert (= (_ bv5 4) ((_ zero_extend 1) (_ bv2 3))))",
        &[
            "(assert (= #x5 ((_ zero_extend 1) (_ bv2 3))))",
            "(assert (= (_ bv5 4) ((_ zero_extend 1) #b010)))",
        ],
        &["(assert (= (_ bv5 4) ((_ zero_extend 1) (_ bv2 3))))"],
    ),
    (
        "literals",
        "(assert (= #b000000000000000000000000000000001 #b000000000000000000000000000000000))",
        &["(assert (= (_ bv1 33) #b000000000000000000000000000000000))"],
        &[],
    ),
    (
        "literals",
        "(assert (= 1234 5))",
        &["(assert (= 2 5))", "(assert (= 123 5))", "(assert (= 1233 5))"],
        &[],
    ),
    ("literals", "(assert (= \"abcd\" \"\"))", &["(assert (= \"ab\" \"\"))"], &[]),
    (
        "flat",
        "{xy}(assert (= (+ (+ x y) 1) (- (- x 1) y)))",
        &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y 1) (- (- x 1) y)))"],
        &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y 1) (- x (- 1 y))))"],
    ),
    (
        "flat",
        "{xy}(assert (and (= x 1) (and (= y 2) (= x y)) (and (= y x) (= y 3))))",
        &[
            "(declare-const x Int)(declare-const y Int)(assert (and (= x 1) (= y 2) (= x y) (= y x) (= y 3)))",
            "(declare-const x Int)(declare-const y Int)(assert (and (= x 1) (and (= y 2) (= x y)) (= y x) (= y 3)))",
        ],
        &[],
    ),
    (
        "flat",
        "{xy}(assert (= (- x (- y 1)) (div x (div y 2))))",
        &[],
        // Brackets of these may not stand anywhere.
        &[
            "(declare-const x Int)(declare-const y Int)(assert (= (- x y 1) (div x (div y 2))))",
            "(declare-const x Int)(declare-const y Int)(assert (= (- x (- y 1)) (div x y 2)))",
        ],
    ),
    (
        "names",
        "(declare-fun foo () Int)(assert (forall ((|long one| Int)) (= foo |long one|)))",
        &["(declare-const a Int)(assert (forall ((b Int)) (= a b)))"],
        &[],
    ),
    (
        "names",
        "(declare-const a Int)(declare-const b Int)(assert (< b a))",
        &["(declare-const a Int)(declare-const b Int)(assert (< a b))"],
        &[],
    ),
    ("declarations", "{xy}(assert (= x 1))", &["(declare-const x Int)(assert (= x 1))"], &[]),
];

#[test]
fn passes_offer() {
    for (pass, text, wanted, unwanted) in ROWS {
        let text = text.replace("{xy}", "(declare-const x Int)(declare-const y Int)");
        let found = offers(pass, &text);
        for offer in *wanted {
            assert!(found.iter().any(|o| o == offer), "{pass} of {text} lacks\n{offer}\n{found:#?}");
        }
        for offer in *unwanted {
            assert!(!found.iter().any(|o| o == offer), "{pass} of {text} offers {offer}");
        }
    }
    for entry in PASSES {
        assert!(ROWS.iter().any(|row| row.0 == entry.name), "{} has no row", entry.name);
    }
}
