//! Fused formulas have the answers that are claimed of them.

use smt::Script;

use super::*;
use crate::case::{Answer, Case, CheckRef};
use crate::seed::builtin;
use crate::strategy::testing::{self, as_noted, asked, is_sat, is_witnessed};

const SAT: &str =
    "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)(declare-const q Bool)
    (assert (bvult x #b101))(assert (=> p (bvugt x #b010)))(assert (or p (= x #b001) q))(check-sat)";
const OTHER_SAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 2))(declare-const p Bool)
    (assert (! (distinct x #b011 (concat #b1 y)) :named a))(assert (let ((z (bvadd x x))) (= p (= z #b100))))(check-sat)";
const UNSAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)
    (assert (= p (= x #b111)))(assert (bvult x #b110))(assert p)(check-sat)";
const OTHER_UNSAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const q Bool)
    (assert (and q (bvult (bvmul x x) #b001) (= ((_ extract 0 0) x) #b1)))(check-sat)";

fn strategy(flags: &[(&str, &str)]) -> Result<Fusion, BadOption> {
    Fusion::of(&testing::options(&ENTRY, flags))
}

fn cases(seeds: &[Asked], flags: &[(&str, &str)], draw: u64) -> Vec<Case> {
    testing::cases(&ENTRY, seeds, flags, draw)
}

#[test]
fn rows_are_right_at_ten_thousand_points() {
    for row in table::built_in() {
        if let Err(why) = check::row(&row, 58) {
            panic!("{}: {why}", row.name);
        }
    }
}

#[test]
fn wrong_rows_are_refused() {
    let rows = [
        ("z = \"(+ x y)\"\nx = \"(+ z y)\"", "is wrong at x ="),
        ("z = \"(* x y)\"\nx = \"(div z y)\"", "has no value at"),
        ("z = \"(+ x y)\"", "neither x nor y"),
        ("z = \"(+ x\"\nx = \"z\"", "never closed"),
        ("z = \"(plus x y)\"\nx = \"z\"", "plus"),
        ("z = \"(+ x {n})\"\nx = \"(- z {n})\"", "{n} is no number"),
        ("z = \"(+ x q)\"\nx = \"z\"\ndraw = { q = \"odd\" }", "q cannot be drawn"),
    ];
    let file = std::env::temp_dir().join(format!("gainsay-fusion-{}.toml", std::process::id()));
    let name = file.to_str().expect("a name");
    for (row, word) in rows {
        let text = format!("[[function]]\nname = \"mine\"\nsorts = [\"Int\", \"Int\", \"Int\"]\n{row}\n");
        std::fs::write(&file, text).expect("writable");
        let error = strategy(&[("table", name)]).err().expect(row).to_string();
        assert!(error.contains("mine: ") && error.contains(word), "{row}: {error}");
    }
    let good = "[[function]]\nname = \"mine\"\nsorts = [\"Int\", \"Int\", \"Int\"]\nz = \"(- y x)\"\nx = \"(- y z)\"\n";
    std::fs::write(&file, good).expect("writable");
    let made = strategy(&[("table", name), ("functions", "mine")]).expect("a good row");
    assert_eq!(made.rows.len(), 1);
    std::fs::remove_file(&file).expect("there");
    assert!(strategy(&[("table", name)]).is_err());
    let error = strategy(&[("functions", "int-sums")]).err().expect("unknown").to_string();
    assert!(error.contains("int-sum, int-difference"), "{error}");
}

#[test]
fn every_case_has_the_claimed_answer() {
    let (sat, unsat) = (Answer::Sat, Answer::Unsat);
    // The answer of each seed, and what all cases are claimed to be; none if by the draw.
    let rows = [
        (SAT, sat, OTHER_SAT, sat, Some(true)),
        (SAT, Answer::Unknown, OTHER_SAT, sat, Some(true)),
        (UNSAT, unsat, OTHER_UNSAT, unsat, Some(false)),
        (SAT, sat, UNSAT, unsat, None),
        (OTHER_UNSAT, unsat, OTHER_SAT, sat, None),
    ];
    let functions =
        ("functions", "bits-sum,bits-xor,bits-rotation,bits-odd-product,bool-xor,bool-equal,bool-choice");
    let flags = [("fusions", "5"), functions];
    let (mut seen, mut begun) = ([0; 2], 0);
    for (one, first, two, second, all) in rows {
        let seeds = [asked(one, first), asked(two, second)];
        for draw in 0..12 {
            for case in cases(&seeds, &flags, draw) {
                let answer = is_sat(&case.script);
                if case.lineage.edits.count() == 0 {
                    let part = case.script_of(CheckRef { script: 1, check: 0 }).expect("a part");
                    assert!(!answer || is_sat(part), "{}\n{}", case.text(), part.text());
                    begun += 1;
                    continue;
                }
                match is_witnessed(&case) {
                    Some(witnessed) => assert!(witnessed && answer, "{}", case.text()),
                    None => {
                        let origin = case.script_of(CheckRef { script: 1, check: 0 }).expect("the origin");
                        assert_eq!(is_sat(origin), answer, "{}", case.text());
                        assert!(case.text().contains("(assert (= fused!0 "), "{}", case.text());
                    }
                }
                assert!(all.is_none_or(|all| all == answer), "{}", case.text());
                assert!(case.lineage.seeds.len() == 2 && !case.others_are_seeds());
                seen[usize::from(answer)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 50) && begun > 12, "{seen:?} {begun}");
}

#[test]
fn edits_make_the_case_from_the_seeds_side_by_side() {
    let seeds = [asked(SAT, Answer::Sat), asked(UNSAT, Answer::Unsat)];
    for case in cases(&seeds, &[], 3).into_iter().filter(|case| case.lineage.edits.count() > 0) {
        let done = crate::case::replay(Script::clone(&case.others[0]), case.lineage.edits.list());
        assert!(done.refused.is_empty());
        assert_eq!(done.script.text(), case.text());
    }
}

#[test]
fn nothing_is_captured() {
    // The name of a constant of one seed is bound in the other.
    let one = "(declare-const x Int)(declare-const y Int)(assert (= x (+ y 1)))(check-sat)";
    let two = "(declare-const y Int)(assert (exists ((x Int)) (= (* 2 x) y)))(assert (forall ((other!y Int)) (= y y)))(check-sat)";
    let seeds = [asked(one, Answer::Sat), asked(two, Answer::Unsat)];
    for draw in 0..20 {
        for case in cases(&seeds, &[("functions", "int-sum,int-difference")], draw) {
            for part in case.text().split("(exists ((").skip(1) {
                let bound = part.split(' ').next().expect("a name");
                assert!(bound.starts_with("other!"), "{}", case.text());
            }
        }
    }
}

#[test]
fn built_in_seeds_are_fused() {
    let seeds: Vec<_> = builtin::scripts().map(|(_, text)| text).collect();
    let (mut made, mut witnessed) = (0, 0);
    for (i, pair) in seeds.windows(2).enumerate() {
        let both = [pair[0], pair[1]].map(as_noted);
        for case in cases(&both, &[("fusions", "6")], i as u64) {
            let script = smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
            assert_eq!(script.text(), case.text());
            let right = is_witnessed(&case);
            assert!(right != Some(false), "{}\n{:?}", case.text(), case.claims);
            made += 1;
            witnessed += usize::from(right.is_some());
        }
    }
    assert!(made > 100 && witnessed > 30, "{made} {witnessed}");
}
