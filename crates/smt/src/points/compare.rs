//! Two terms at many points: the first point at which their values differ as they must not.

use super::Points;
use super::sheet::{Sheet, Work};
use crate::term::TermId;
use crate::value::Value;

impl Points<'_> {
    /// The number of the first point at which both terms have values that differ and that are `wrong`; none if there is none
    /// among those that the work allows.
    ///
    /// Both terms are compiled to one program, in which equal subterms are one, also where only the order of the arguments of a
    /// commutative operator differs, or where a part without symbols is computed. If both terms are the same there, no point is
    /// tried. What depends on one symbol is computed once for each of its values.
    pub fn first_difference(
        &self,
        pair: [TermId; 2],
        work: Work,
        mut wrong: impl FnMut(&Value, &Value) -> bool,
    ) -> Option<u64> {
        let mut sheet = Sheet::of(self, pair, work)?;
        let [one, two] = sheet.roots;
        if one == two {
            return None;
        }
        let mut chosen = Vec::new();
        let (mut seen, end) = (false, self.count().unwrap_or(work.points).min(work.points));
        for number in 0..end {
            if (!seen && number > work.empty) || sheet.is_spent() {
                return None;
            }
            self.choose(number, &mut chosen);
            sheet.go_to(&chosen);
            let (Some(one), Some(two)) = (sheet.value(one), sheet.value(two)) else { continue };
            seen = true;
            if one == two {
                continue;
            }
            let (one, two) = (one.clone(), two.clone());
            if wrong(&one, &two) && sheet.differ(&one, &two) {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::eval;
    use crate::gap::Fuel;
    use crate::model::Model;
    use crate::read;
    use crate::script::Script;

    const DECLARED: &str = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
        (declare-const p Bool)(declare-const q Bool)(declare-const n Int)(declare-const m Int)(declare-const r Real)
        (declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const s String)(declare-const l L)
        (declare-const a (Array Int Int))(declare-const f (_ FloatingPoint 5 11))
        (declare-fun g (Int) Int)(declare-fun h (Int Bool) Int)
        (define-fun twice ((k Int)) Int (+ k k))
        (define-fun-rec sum ((k Int)) Int (ite (< k 1) 0 (+ k (sum (- k 1)))))";

    fn pair(one: &str, two: &str) -> (Script, [TermId; 2]) {
        let text = format!("{DECLARED}(simplify {one})(simplify {two})");
        let script = read(text.as_bytes()).expect(one);
        let last = script.commands.len();
        let terms = [last - 2, last - 1].map(|command| script.term_of(command, 0).expect("a term"));
        (script, terms)
    }

    /// What evaluation of each term alone finds.
    fn one_by_one(points: &Points<'_>, pair: [TermId; 2], count: u64) -> Option<u64> {
        (0..points.count().unwrap_or(count).min(count)).find(|&number| {
            let model = points.at(number);
            let [one, two] = pair.map(|term| eval(term, &model, &mut Fuel::new(20_000)));
            matches!((one, two), (Ok(one), Ok(two)) if model.same(&one, &two) == Ok(false))
        })
    }

    /// Pairs of terms, and whether they are equal wherever both have values.
    const ROWS: &[(&str, &str, bool)] = &[
        ("(bvadd x y)", "(bvadd y x)", true),
        ("(bvadd x #x01 #x02)", "(bvadd #x03 x)", true),
        ("(bvsub x y)", "(bvsub y x)", false),
        ("(ite (= x #x80) #x00 (bvmul x y))", "(bvmul y x)", false),
        ("(let ((k (bvmul x y))) (bvor k k))", "(bvmul x y)", true),
        ("(div n n)", "(ite (= n 5) 2 1)", false),
        ("(div n 0)", "1", true),
        ("(and p (= (div n 0) 1))", "(and p (= n n))", true),
        ("(and p (not q))", "(not (or (not p) q))", true),
        ("(=> p q (< n m))", "(or (not p) (not q) (< n m))", true),
        ("(=> p q)", "(=> q p)", false),
        ("(* 2.0 r)", "(+ r r)", true),
        ("(to_real n)", "(to_real (+ n (ite (= m 3) 1 0)))", false),
        ("(str.++ s \"\")", "s", true),
        ("(str.len (str.++ s s))", "(* 2 (str.len s))", true),
        ("(str.at s 0)", "(str.substr s 0 2)", false),
        ("(select (store a n m) n)", "m", true),
        ("(select (store a n m) m)", "(select a m)", false),
        ("(fp.neg (fp.neg f))", "f", true),
        ("(fp.eq f f)", "true", false),
        ("(fp.min f (fp.neg f))", "(fp.min (fp.neg f) f)", true),
        ("(head l)", "0", false),
        ("((_ is cons) l)", "(not (= l nil))", true),
        ("(g (+ n 1))", "(g (+ 1 n))", true),
        ("(g n)", "(g m)", false),
        ("(h n p)", "(h n true)", false),
        ("(h (g n) p)", "(h (g n) (not (not p)))", true),
        ("(twice n)", "(* 2 n)", true),
        ("(twice n)", "(* 2 m)", false),
        ("(sum 10)", "55", true),
        ("(sum n)", "(ite (< n 8) (sum n) 3)", false),
        ("(exists ((k Bool)) (= k p))", "true", true),
        ("(forall ((k Bool)) (or k p))", "q", false),
        ("(forall ((k (_ BitVec 2))) (bvult ((_ zero_extend 6) k) x))", "(bvult #x03 x)", true),
        ("7", "8", false),
    ];

    #[test]
    fn the_first_difference_is_that_of_the_evaluator() {
        for &(one, two, same) in ROWS {
            let (script, terms) = pair(one, two);
            let model = Model::empty(&script);
            let points = Points::of(&model, &terms).expect(one);
            let work = Work { points: 150, ..Work::default() };
            let found = points.first_difference(terms, work, |_, _| true);
            assert_eq!(found, one_by_one(&points, terms, 150), "{one} {two}");
            assert_eq!(found.is_none(), same, "{one} {two}");
        }
    }

    #[test]
    fn equal_terms_are_one_instruction() {
        for (one, two, same) in [
            ("(bvadd x y)", "(bvadd y x)", true),
            ("(bvadd x (bvadd #x01 #x02))", "(bvadd #x03 x)", true),
            ("(let ((k (bvmul x y))) (bvor k k))", "(bvor (bvmul y x) (bvmul x y))", true),
            ("(and p q)", "(and q p)", true),
            ("(=> p q)", "(=> q p)", false),
            ("(bvsub x y)", "(bvsub y x)", false),
            ("(bvult x y)", "(bvule x y)", false),
            ("((_ extract 3 0) x)", "((_ extract 4 1) x)", false),
            ("(twice n)", "(+ n n)", true),
            ("(bvxnor x y x)", "(bvxnor y x x)", false),
        ] {
            let (script, terms) = pair(one, two);
            let model = Model::empty(&script);
            let points = Points::of(&model, &terms).expect(one);
            let sheet = Sheet::of(&points, terms, Work::default()).expect(one);
            assert_eq!(sheet.roots[0] == sheet.roots[1], same, "{one} {two}");
        }
    }

    #[test]
    fn what_is_not_wrong_is_passed_over_and_work_ends() {
        let (script, terms) = pair("p", "(and p q)");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("Bool");
        let all = Work::default();
        let lost = |one: &Value, _: &Value| *one == Value::Bool(true);
        assert!(points.first_difference(terms, all, lost).is_some());
        assert!(points.first_difference(terms, all, |one, two| !lost(one, two)).is_none());

        let (script, terms) = pair("(bvmul x y)", "(ite (= x y #xfe) #x00 (bvmul x y))");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("bits");
        assert!(points.first_difference(terms, all, |_, _| true).is_some());
        for less in [Work { points: 3, ..all }, Work { steps: 10, ..all }, Work { operator: 0, ..all }] {
            assert_eq!(points.first_difference(terms, less, |_, _| true), None, "{less:?}");
        }
        let (script, terms) = pair("(div n 0)", "(mod m 0)");
        let model = Model::empty(&script);
        let points = Points::of(&model, &terms).expect("integers");
        assert_eq!(points.first_difference(terms, all, |_, _| true), None, "it is open everywhere");
    }
}
