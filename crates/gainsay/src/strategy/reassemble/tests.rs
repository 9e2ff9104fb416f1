//! Reassembled formulas have the answers that are claimed of them.

use smt::Script;

use super::*;
use crate::case::{Answer, Case, CheckRef, Claim, replay};
use crate::seed::builtin;
use crate::strategy::testing::{self, as_noted, asked, is_sat, is_witnessed};

const SAT: &str =
    "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)(declare-const q Bool)
    (assert (bvult x #b101))(assert (=> p (bvugt x #b010)))(assert (or p (= (bvadd x #b001) #b001) q))(check-sat)";
const OTHER_SAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 2))(declare-const p Bool)
    (assert (! (distinct x #b011 (concat #b1 y)) :named a))(assert (let ((z (bvadd x x))) (= p (= z #b100))))(check-sat)";
const UNSAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)
    (assert (= p (= x #b111)))(assert (bvult x #b110))(assert p)(assert (distinct x #b010))(check-sat)";

fn cases(seeds: &[Asked], flags: &[(&str, &str)], draw: u64) -> Vec<Case> {
    testing::cases(&ENTRY, seeds, flags, draw)
}

#[test]
fn bad_flags_are_refused() {
    for (flag, value) in
        [("connectives", "0"), ("connectives", "9"), ("formulas", "many"), ("skeletons", "/no/such/folder")]
    {
        assert!(Reassemble::of(&testing::options(&ENTRY, &[(flag, value)])).is_err(), "{flag} {value}");
    }
}

#[test]
fn every_case_has_the_claimed_answer() {
    let (sat, unsat, unknown) = (Answer::Sat, Answer::Unsat, Answer::Unknown);
    // The seeds with their answers, and what is claimed: a witness, or that the seed's answer is kept.
    let rows = [
        (SAT, sat, OTHER_SAT, sat, [true, false]),
        (SAT, unknown, OTHER_SAT, sat, [true, false]),
        (UNSAT, unsat, UNSAT, unsat, [false, true]),
        (SAT, sat, UNSAT, unsat, [true, true]),
        (UNSAT, unsat, OTHER_SAT, sat, [true, true]),
        // What nobody knows is kept, too.
        (UNSAT, unknown, UNSAT, unknown, [false, true]),
    ];
    for (one, first, two, second, expected) in rows {
        let seeds = [asked(one, first), asked(two, second)];
        let mut seen = [0; 2];
        for draw in 0..16 {
            for case in cases(&seeds, &[("formulas", "12"), ("skeletons", "past")], draw) {
                let answer = is_sat(&case.script);
                let origin = case.script_of(CheckRef { script: 1, check: 0 }).expect("the origin");
                match is_witnessed(&case) {
                    Some(witnessed) => assert!(witnessed && answer, "{}", case.text()),
                    None => {
                        let own = CheckRef::own(0);
                        let [Claim::SatImplies(from, _)] = case.claims[..] else {
                            panic!("{:?}", case.claims)
                        };
                        let [weak, strong] =
                            if from == own { [is_sat(origin), answer] } else { [answer, is_sat(origin)] };
                        assert!(weak || !strong, "{}\n{}", case.text(), origin.text());
                    }
                }
                assert!(case.lineage.edits.count() > 0 && !case.others_are_seeds());
                seen[usize::from(is_witnessed(&case).is_none())] += 1;
            }
        }
        assert_eq!(seen.map(|n| n > 20), expected, "{seen:?}");
    }
}

#[test]
fn edits_make_the_case_from_what_it_was_made_of() {
    for seeds in [
        [asked(SAT, Answer::Sat), asked(OTHER_SAT, Answer::Sat)],
        [asked(UNSAT, Answer::Unsat), asked(SAT, Answer::Sat)],
    ] {
        for case in (0..4).flat_map(|draw| cases(&seeds, &[], draw)) {
            let done = replay(Script::clone(&case.others[0]), case.lineage.edits.list());
            assert!(done.refused.is_empty());
            assert_eq!(done.script.text(), case.text());
        }
    }
}

/// Without terms of the same value, a case would have the atoms of its seeds only; with one model, the same ones.
#[test]
fn terms_of_one_value_take_each_others_place_at_several_models() {
    let seeds = [asked(SAT, Answer::Sat), asked(OTHER_SAT, Answer::Sat)];
    let all: Vec<Case> = (0..20).flat_map(|draw| cases(&seeds, &[], draw)).collect();
    let models: std::collections::BTreeSet<&String> = all
        .iter()
        .flat_map(|case| &case.claims)
        .filter_map(|claim| if let Claim::Witness(_, model) = claim { Some(model) } else { None })
        .collect();
    assert!(models.len() > 3, "{models:?}");
    let mixed = all.iter().filter(|case| {
        // No seed compares these.
        case.text().contains("(bvult other!x")
            || case.text().contains("(bvugt other!x")
            || case.text().contains("(concat #b1 x")
            || case.text().contains("(bvadd other!x #b001)")
    });
    assert!(mixed.count() > 3);
}

#[test]
fn only_a_core_is_kept_where_it_is_shown() {
    let seeds = [asked(UNSAT, Answer::Unsat), asked(UNSAT, Answer::Unsat)];
    let origin = &cases(&seeds, &[], 1)[0].others[0].text();
    assert_eq!(origin.matches("(assert").count(), 3, "{origin}");
    assert!(!origin.contains("#b010"), "{origin}");
}

#[test]
fn one_seed_is_enough() {
    let seeds = [asked(SAT, Answer::Sat)];
    assert!(cases(&seeds, &[], 1).len() > 30);
    // The names of connectives are taken.
    let hidden = "(declare-fun xor (Int) Bool)(assert (xor 1))(check-sat)";
    assert!(cases(&[asked(hidden, Answer::Sat)], &[], 1).is_empty());
}

#[test]
fn built_in_seeds_are_reassembled() {
    let seeds: Vec<_> = builtin::scripts().map(|(_, text)| text).collect();
    let (mut made, mut witnessed) = (0, 0);
    for (i, pair) in seeds.windows(2).enumerate() {
        let both = [pair[0], pair[1]].map(as_noted);
        for case in cases(&both, &[("formulas", "6"), ("skeletons", "past")], i as u64) {
            let script = smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
            assert_eq!(script.text(), case.text());
            assert_eq!(script.queries()[0].assertions.len(), case.script.queries()[0].assertions.len());
            let right = is_witnessed(&case);
            assert!(right != Some(false), "{}\n{:?}", case.text(), case.claims);
            made += 1;
            witnessed += usize::from(right.is_some());
        }
    }
    assert!(made > 300 && witnessed > 100, "{made} {witnessed}");
}
