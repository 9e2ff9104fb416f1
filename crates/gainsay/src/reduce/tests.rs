//! Each pass by a table: a script, what is offered, and what is not. Then the engine.

use std::convert::Infallible;

use super::*;

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

#[test]
fn passes_offer() {
    let xy = "(declare-const x Int)(declare-const y Int)";
    // The pass, the script, what it offers (all of these), what it must not.
    type Row<'a> = (&'a str, String, &'a [&'a str], &'a [&'a str]);
    let rows: &[Row] = &[
        (
            "commands",
            format!("(set-logic ALL){xy}(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 1)"),
            &[
                // Dead declarations go along.
                "(set-logic ALL)(declare-const x Int)(assert (= x 1))(push 1)(check-sat)(pop 1)",
                "(set-logic ALL)(declare-const x Int)(assert (= x 1))",
                "(set-logic ALL)(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)",
            ],
            // A `pop` without its `push`.
            &["(set-logic ALL)(declare-const x Int)(declare-const y Int)(assert (= x 1))(assert (= y 2))(check-sat)(pop 1)"],
        ),
        (
            "commands",
            format!("{xy}(push 2)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 3)(check-sat)"),
            &[
                // Levels with what is inside, all at once.
                "(check-sat)",
                // One level less of each.
                "(declare-const x Int)(declare-const y Int)(push 1)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 2)(check-sat)",
                "(declare-const x Int)(declare-const y Int)(push 2)(assert (= x 1))(assert (= y 2))(check-sat)(pop 2)(check-sat)",
                "(declare-const x Int)(declare-const y Int)(push 2)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 2)(check-sat)",
            ],
            // More closed than opened.
            &["(declare-const x Int)(declare-const y Int)(push 1)(assert (= x 1))(push 1)(assert (= y 2))(check-sat)(pop 3)(check-sat)"],
        ),
        (
            "commands",
            "(push 2)(check-sat)(pop 1)(check-sat)".to_owned(),
            &["(push 1)(check-sat)(check-sat)", "(push 2)(check-sat)(check-sat)", "(push 1)(check-sat)(pop 1)(check-sat)"],
            // The other level of the push is closed nowhere.
            &["(check-sat)", "(check-sat)(pop 1)(check-sat)"],
        ),
        (
            "commands",
            "(declare-const p Bool)(declare-const q Bool)(check-sat-assuming (p q))".to_owned(),
            &["(check-sat)", "(declare-const q Bool)(check-sat-assuming (q))"],
            &[],
        ),
        (
            "only",
            format!("{xy}(assert (= x 1))(assert (= y 2))(assert (< x y))(check-sat)"),
            &["(declare-const x Int)(assert (= x 1))(check-sat)", "(declare-const y Int)(assert (= y 2))(check-sat)"],
            &[],
        ),
        ("only", format!("{xy}(assert (= x 1))(assert (= y 2))(check-sat)"), &[], &["(declare-const x Int)(assert (= x 1))(check-sat)"]),
        (
            "tidy",
            format!("{xy}(assert (let ((a (+ x y)) (b (* x 2)) (c 1)) (let ((d (+ b 1)) (e y)) (< (+ d c) a a d))))"),
            &["(declare-const x Int)(declare-const y Int)(assert (let ((a (+ x y))) (let ((d (+ (* x 2) 1))) (< (+ d 1) a a d))))"],
            &[],
        ),
        (
            "tidy",
            "(assert (forall ((a Int) (b Int)) (exists ((c Int)) (= a 1))))".to_owned(),
            &["(assert (forall ((a Int)) (= a 1)))", "(assert (forall ((a Int)) (exists ((c Int)) (= a 1))))"],
            &[],
        ),
        (
            "arguments",
            format!("{xy}(assert (= x y 3 4))"),
            &["(declare-const x Int)(assert (= x 3 4))", "(declare-const x Int)(declare-const y Int)(assert (= x y 3))"],
            &["(declare-const x Int)(assert (= x))"],
        ),
        ("arguments", format!("{xy}(assert (= x y))"), &[], &["(declare-const x Int)(assert (= x))"]),
        (
            "arguments",
            format!("{xy}(assert (= (+ x y) (- x y)))"),
            &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y) (- x)))"],
            &["(declare-const x Int)(declare-const y Int)(assert (= (+ x) (- x y)))"],
        ),
        (
            "sorts",
            "(declare-datatypes ((T 0)) (((a) (b (x Int) (y T)))))(declare-const t T)(assert (= t (b 1 a)))".to_owned(),
            &[],
            &["(declare-datatypes ((T 0)) (((b (x Int) (y T)))))(declare-const t T)(assert (= t (b 1 a)))"],
        ),
        (
            "sorts",
            "(declare-datatypes ((T 0)) (((a) (b (x Int) (y T)))))(declare-const t T)(assert (= t a))".to_owned(),
            &["(declare-datatypes ((T 0)) (((a) )))(declare-const t T)(assert (= t a))"],
            &[],
        ),
        (
            "sorts",
            "(declare-const a (Array Int Real))(declare-const b (_ BitVec 8))(assert (= a a))(assert (= b b))".to_owned(),
            &["(declare-const a Bool)(declare-const b (_ BitVec 8))(assert (= a a))(assert (= b b))"],
            &[],
        ),
        (
            "sorts",
            "(declare-sort U 0)(declare-sort V 0)(declare-fun f (U) V)(assert (exists ((a U)) (= (f a) (f a))))".to_owned(),
            &[
                "(declare-fun f (Bool) Bool)(assert (exists ((a Bool)) (= (f a) (f a))))",
                "(declare-sort U 0)(declare-fun f (U) Bool)(assert (exists ((a U)) (= (f a) (f a))))",
            ],
            &[],
        ),
        (
            "sorts",
            "(declare-const x Real)(assert (= (* x 2.5) 0.0))".to_owned(),
            &["(declare-const x Int)(assert (= (* x 2) 0))"],
            &[],
        ),
        // A whole number may be given where a real one is wanted.
        (
            "sorts",
            "(declare-const x Real)(assert (= (/ x 2.0) 0.0))".to_owned(),
            &["(declare-const x Real)(assert (= (/ x 2) 0))"],
            &[],
        ),
        (
            "constants",
            format!("{xy}(assert (or (= x (+ y 1)) (< x y)))"),
            &[
                "(declare-const x Int)(declare-const y Int)(assert (or false (< x y)))",
                "(declare-const x Int)(declare-const y Int)(assert (or (= x 0) (< x y)))",
            ],
            &["(assert true)"],
        ),
        (
            "opposites",
            format!("{xy}(assert (and (= x y) (< x 5)))"),
            &["(declare-const x Int)(assert (and false (< x 5)))"],
            &[],
        ),
        (
            "variables",
            format!("{xy}(assert (= (+ x y) 7))"),
            &["(declare-const x Int)(assert (= x 7))", "(declare-const x Int)(assert (= (+ x x) 7))"],
            &[],
        ),
        (
            "variables",
            "(declare-const x Int)(assert (exists ((x Int)) (= x 7)))".to_owned(),
            &[],
            // It would be the other x, which the bound one is better than.
            &["(declare-const x Int)(assert (exists ((x Int)) (= x x)))"],
        ),
        (
            "variables",
            "(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or true b) (= 0 1)))))".to_owned(),
            &["(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or a b) (= 0 1)))))"],
            // The whole number is out of sight.
            &["(assert (forall ((a Int) (b Bool)) (exists ((a Bool)) (= (or true b) (= a 1)))))"],
        ),
        (
            "fresh",
            format!("{xy}(assert (= (* (+ x 1) (+ y 2)) 7))"),
            &["(declare-fun v0 () Int)(assert (= v0 7))"],
            &[],
        ),
        (
            "subterms",
            format!("{xy}(assert (not (or (= x 1) (= y 2))))"),
            &["(declare-const x Int)(declare-const y Int)(assert (or (= x 1) (= y 2)))"],
            &["(assert x)"],
        ),
        (
            "subterms",
            "(declare-const p Bool)(assert (not (not p)))".to_owned(),
            &["(declare-const p Bool)(assert p)", "(declare-const p Bool)(assert (not p))"],
            &[],
        ),
        (
            "subterms",
            format!("{xy}(assert (= 0 (+ x (* 1 (+ x (* 2 (+ x (* 3 (+ x (* 4 (+ x (* 5 y))))))))))))"),
            // Half the way down at once.
            &["(declare-const x Int)(declare-const y Int)(assert (= 0 (+ x (* 4 (+ x (* 5 y))))))"],
            &[],
        ),
        (
            "subterms",
            "(assert (forall ((z Int)) (or (= z 1) true)))".to_owned(),
            &["(assert true)"],
            // z would be free.
            &["(assert (= z 1))", "(assert (or (= z 1) true))"],
        ),
        (
            "relations",
            format!("{xy}(assert (and (>= x y) (= x 1)))"),
            &[
                "(declare-const x Int)(declare-const y Int)(assert (and (> x y) (= x 1)))",
                "(declare-const x Int)(declare-const y Int)(assert (and (= x y) (= x 1)))",
            ],
            &["(declare-const x Int)(declare-const y Int)(assert (and (>= x y) (< x 1)))"],
        ),
        (
            "values",
            format!("{xy}(assert (= (* y (div x x)) 0))"),
            &[
                "(declare-const y Int)(assert (= (* y (div 0 0)) 0))",
                "(declare-const y Int)(assert (= (* y (div 0 0)) 1))",
                "(declare-const x Int)(assert (= (* 1 (div x x)) 0))",
            ],
            &["(declare-const x Int)(declare-const y Int)(assert (= (* y (div x x)) 1))"],
        ),
        (
            "binders",
            "(assert (forall ((z Int) (w Int)) (= z 1)))".to_owned(),
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
            format!("{xy}(define-fun f ((a Int)) Int (+ a x))(assert (= (f (f y)) 1))"),
            &[
                "(declare-const x Int)(declare-const y Int)(assert (= (+ (+ y x) x) 1))",
                "(declare-const y Int)(declare-fun f (Int) Int)(assert (= (f (f y)) 1))",
            ],
            &[],
        ),
        (
            "inline",
            format!("{xy}(assert (let ((a x) (b (+ x y))) (= a b)))"),
            &[
                "(declare-const x Int)(declare-const y Int)(assert (= x (+ x y)))",
                "(declare-const x Int)(declare-const y Int)(assert (let ((b (+ x y))) (= x b)))",
            ],
            &[],
        ),
        (
            "widths",
            "(declare-const x (_ BitVec 32))(assert (= ((_ extract 15 0) x) (_ bv257 16)))".to_owned(),
            &["(declare-const x (_ BitVec 2))(assert (= ((_ extract 0 0) x) (_ bv1 1)))"],
            // These do not fit together.
            &["(declare-const x (_ BitVec 8))(assert (= ((_ extract 15 0) x) (_ bv257 16)))"],
        ),
        (
            "widths",
            "(declare-const x Float32)(assert (= x (fp #b0 #x01 #b00000000000000000000001)))".to_owned(),
            &["(declare-const x (_ FloatingPoint 3 5))(assert (= x (fp #b0 #b001 #x1)))"],
            &[],
        ),
        (
            "widths",
            "(assert (= ((_ to_fp_unsigned 3 5) RNE #b1) (_ +oo 3 5)))".to_owned(),
            &["(assert (= ((_ to_fp_unsigned 2 3) RNE #b1) (_ +oo 2 3)))"],
            // These do not fit together.
            &["(assert (= ((_ to_fp_unsigned 2 3) RNE #b1) (_ +oo 3 5)))"],
        ),
        (
            "widths",
            "(declare-const x (_ FloatingPoint 8 24))(assert (str.in_re \"\" ((_ re.loop 8 24) re.all)))(assert (fp.isNaN x))".to_owned(),
            &["(declare-const x (_ FloatingPoint 3 5))(assert (str.in_re \"\" ((_ re.loop 8 24) re.all)))(assert (fp.isNaN x))"],
            // Not all that has two indices is a format.
            &["(declare-const x (_ FloatingPoint 3 5))(assert (str.in_re \"\" ((_ re.loop 3 5) re.all)))(assert (fp.isNaN x))"],
        ),
        (
            "literals",
            "(assert (= (_ bv5 4) ((_ zero_extend 1) (_ bv2 3))))".to_owned(),
            &["(assert (= #x5 ((_ zero_extend 1) (_ bv2 3))))", "(assert (= (_ bv5 4) ((_ zero_extend 1) #b010)))"],
            &["(assert (= (_ bv5 4) ((_ zero_extend 1) (_ bv2 3))))"],
        ),
        (
            "literals",
            "(assert (= #b000000000000000000000000000000001 #b000000000000000000000000000000000))".to_owned(),
            &["(assert (= (_ bv1 33) #b000000000000000000000000000000000))"],
            &[],
        ),
        (
            "literals",
            "(assert (= 1234 5))".to_owned(),
            &["(assert (= 2 5))", "(assert (= 123 5))", "(assert (= 1233 5))"],
            &[],
        ),
        ("literals", "(assert (= \"abcd\" \"\"))".to_owned(), &["(assert (= \"ab\" \"\"))"], &[]),
        (
            "flat",
            format!("{xy}(assert (= (+ (+ x y) 1) (- (- x 1) y)))"),
            &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y 1) (- (- x 1) y)))"],
            &["(declare-const x Int)(declare-const y Int)(assert (= (+ x y 1) (- x (- 1 y))))"],
        ),
        (
            "flat",
            format!("{xy}(assert (and (= x 1) (and (= y 2) (= x y)) (and (= y x) (= y 3))))"),
            &[
                "(declare-const x Int)(declare-const y Int)(assert (and (= x 1) (= y 2) (= x y) (= y x) (= y 3)))",
                "(declare-const x Int)(declare-const y Int)(assert (and (= x 1) (and (= y 2) (= x y)) (= y x) (= y 3)))",
            ],
            &[],
        ),
        (
            "flat",
            format!("{xy}(assert (= (- x (- y 1)) (div x (div y 2))))"),
            &[],
            // Brackets of these may not stand anywhere.
            &[
                "(declare-const x Int)(declare-const y Int)(assert (= (- x y 1) (div x (div y 2))))",
                "(declare-const x Int)(declare-const y Int)(assert (= (- x (- y 1)) (div x y 2)))",
            ],
        ),
        (
            "names",
            "(declare-fun foo () Int)(assert (forall ((|long one| Int)) (= foo |long one|)))".to_owned(),
            &["(declare-const a Int)(assert (forall ((b Int)) (= a b)))"],
            &[],
        ),
        (
            "names",
            "(declare-const a Int)(declare-const b Int)(assert (< b a))".to_owned(),
            &["(declare-const a Int)(declare-const b Int)(assert (< a b))"],
            &[],
        ),
        ("declarations", format!("{xy}(assert (= x 1))"), &["(declare-const x Int)(assert (= x 1))"], &[]),
    ];
    for (pass, text, wanted, unwanted) in rows {
        let found = offers(pass, text);
        for offer in *wanted {
            assert!(found.iter().any(|o| o == offer), "{pass} of {text} lacks\n{offer}\n{found:#?}");
        }
        for offer in *unwanted {
            assert!(!found.iter().any(|o| o == offer), "{pass} of {text} offers {offer}");
        }
    }
    for entry in PASSES {
        assert!(rows.iter().any(|row| row.0 == entry.name), "{} has no row", entry.name);
    }
}

/// Wants what contains all these words.
struct Contains(Vec<&'static str>, u64);

impl Test for Contains {
    type Error = Infallible;

    fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, Infallible> {
        self.1 += 1;
        Ok(self.0.iter().all(|word| text.contains(word)))
    }
}

const LARGE: &str = "; a comment
(set-info :status sat)(set-logic ALL)
(declare-sort Unused 0)(declare-fun f (Int Int) Int)(declare-const some_name Int)(declare-const other Int)
(declare-const bits (_ BitVec 32))(declare-const text String)
(define-fun twice ((n Int)) Int (* 2 n))
(assert (and (= some_name 17) (or (< other 100) (> (twice some_name) 12345)) (= text \"hello world\")))
(assert (let ((a (f some_name other)) (b (+ 1 other))) (=> (= a b) (distinct a b (* a b (- b 7))))))
(assert (forall ((q Int) (r Int)) (or (= q some_name) (exists ((s Int)) (= s (f q r))))))
(assert (bvult (bvadd bits #x00000003) (bvmul bits #x0000000f)))
(push 1)(assert (str.contains text \"wor\"))(check-sat)(pop 1)
(check-sat)(get-model)(exit)";

#[test]
fn the_engine_finds_what_a_person_would() {
    let rows: &[(&[&str], &str)] = &[
        (&["bvmul", "check-sat"], "(declare-const a (_ BitVec 1))(assert (= #b0 (bvmul a a)))(check-sat)"),
        (&["exists"], "(assert (exists ((a Int)) true))"),
        (&["str.contains", "hello"], "(assert (= \"\" \"hello\"))(assert (str.contains \"\" \"\"))"),
        (&["*"], "(assert (distinct 0 (* 0 0)))"),
        (&["(push 1)"], "(push 1)"),
        (&[], ""),
    ];
    for (words, expected) in rows {
        let mut tests = [Contains(words.to_vec(), 0)];
        let Ok(reduced) = reduce(script(LARGE), &mut tests, Until::default(), &mut |_| {});
        assert!(words.iter().all(|word| reduced.text.contains(word)));
        let text = reduced.text.trim_end().replace('\n', "");
        assert!(text.len() <= expected.len(), "{words:?}: {text}");
        assert!(tests[0].1 < 250, "{words:?}: {} tries", tests[0].1);
        assert!(reduced.passes.values().all(|c| c.unreadable == 0), "{words:?}: {:?}", reduced.passes);
    }
}

/// Wants what a solver that is not monotone gets wrong: one assertion alone, or all.
struct Alone;

impl Test for Alone {
    type Error = Infallible;

    fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, Infallible> {
        let assertions = text.matches("(assert").count();
        Ok(text.contains("(div") && text.contains("(check-sat") && (assertions == 1 || assertions > 4))
    }
}

#[test]
fn one_assertion_alone_is_tried() {
    let text = "(declare-const a Int)(declare-const b Int)(assert (> a 3))(assert (> b 3))(assert (< 0 (div a b)))\
        (assert (< a 9))(assert (< b 9))(check-sat)";
    let Ok(reduced) = reduce(script(text), &mut [Alone], Until::default(), &mut |_| {});
    assert_eq!(reduced.text.trim_end(), "(assert (< 0 (div 0 0)))\n(check-sat)");
    assert!(reduced.tried < 25, "{} tries", reduced.tried);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    for words in [&["bvmul"][..], &["twice", "check-sat"], &["distinct", "other"]] {
        let run = |jobs: usize| {
            let mut tests: Vec<_> = (0..jobs).map(|_| Contains(words.to_vec(), 0)).collect();
            let Ok(reduced) = reduce(script(LARGE), &mut tests, Until::default(), &mut |_| {});
            reduced.text
        };
        assert_eq!(run(1), run(2), "{words:?}");
        assert_eq!(run(1), run(5), "{words:?}");
    }
}

#[test]
fn what_is_rejected_is_not_asked_again() {
    struct Once(std::collections::HashSet<String>);
    impl Test for Once {
        type Error = Infallible;
        fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, Infallible> {
            assert!(self.0.insert(text.to_owned()), "asked twice: {text}");
            Ok(text.contains("distinct") && text.contains("twice"))
        }
    }
    let mut tests = [Once(std::collections::HashSet::new())];
    let Ok(reduced) = reduce(script(LARGE), &mut tests, Until::default(), &mut |_| {});
    assert!(reduced.text.contains("distinct") && reduced.text.contains("twice"));
}

#[test]
fn what_is_to_end_ends_with_what_there_is() {
    /// Wants what contains a word, and has enough after so many questions.
    struct Enough<'a>(u64, &'a std::sync::atomic::AtomicBool);
    impl Test for Enough<'_> {
        type Error = Infallible;
        fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, Infallible> {
            self.0 -= 1;
            if self.0 == 0 {
                self.1.store(true, std::sync::atomic::Ordering::Relaxed);
                // Whoever is stopped with us says anything.
                return Ok(true);
            }
            Ok(text.contains("bvmul"))
        }
    }
    let mut last = None;
    for questions in [1, 2, 3, 8, 20] {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let until = Until::within(None, Some(&stop));
        let Ok(reduced) = reduce(script(LARGE), &mut [Enough(questions, &stop)], until, &mut |_| {});
        assert!(reduced.cut_short && reduced.text.contains("bvmul"), "{questions}: {}", reduced.text);
        let size = Size::of(&reduced.script, &reduced.text);
        assert!(last.as_ref().is_none_or(|last| size <= *last), "{questions}: {}", reduced.text);
        last = Some(size);
    }
    let mut tests = [Contains(vec!["bvmul"], 0)];
    let until = Until::within(Some(std::time::Duration::ZERO), None);
    let Ok(reduced) = reduce(script(LARGE), &mut tests, until, &mut |_| {});
    assert!(
        reduced.cut_short && reduced.text.contains("str.contains") && tests[0].1 == 0,
        "{}",
        reduced.text
    );
}
