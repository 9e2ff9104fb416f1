//! The engine with tests that look for words.

use std::convert::Infallible;

use super::*;

fn script(text: &str) -> Script {
    smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"))
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
