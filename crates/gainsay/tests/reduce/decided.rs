//! Disputes that a smaller script decides: reduction goes on with what is proved.

use gainsay::solver::testing::require;
use serde_json::Value;

use super::{Place, told};

/// No value of 64 bits is found by search, and no square ends in the bits 11.
const WIDE: &str = "(declare-const a (_ BitVec 64))(declare-const b (_ BitVec 64))
(assert (= (bvmul a a) (bvor b #x0000000000000003)))(assert (= (bvand b #x0000000000000003) #x0000000000000003))(check-sat)";

/// No search ends over all integers, and no cube of one is twice a cube of another but for zero.
const UNBOUNDED: &str = "(declare-const a Int)(declare-const b Int)
(assert (= (* a a a) (* 2 b b b)))(assert (> (* a a) 1000000))(assert (> b 1000000))(check-sat)";

/// The findings of a place's campaign, or its faults.
fn listed(place: &Place, more: &[&str]) -> Vec<Value> {
    let output = place.alone(&[&["findings", "--json"], more].concat());
    let lines = String::from_utf8(output.stdout).expect("text");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_dispute_that_is_open_is_decided_by_a_smaller_script() {
    for (name, seed, word) in [("wide", WIDE, "bvmul"), ("unbounded", UNBOUNDED, "*")] {
        let place = Place::new(&format!("decided-{name}"));
        place.write("seed.smt2", seed);
        // The word of one that says unsat to the negation, too, would not count.
        let says_sat = format!("fake:honest,when={word},sat");
        let says_unsat = format!("fake:honest,when={word},unsat,when=not,unknown");
        let mut args = vec!["hunt", "seed.smt2", "--with", "seeds", "--turns", "1", "--timeout", "20"];
        args.extend(["--solver", &says_sat, "--solver", &says_unsat, "--decide", "none"]);
        let output = place.alone(&args);
        assert_eq!(output.status.code(), Some(10), "{name}: {}", told(&output));
        let found = listed(&place, &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((&found[0]["kind"], &found[0]["standing"]), (&"disagreement".into(), &"undecided".into()));
        assert_eq!(listed(&place, &["--group"])[0]["standing"], "undecided");

        let reduce = |jobs: &str| {
            let mut args = vec!["reduce", "1", "-o", "out.smt2", "--timeout", "20", "--jobs", jobs];
            args.extend(["--decide", "default"]);
            let output = place.alone(&args);
            assert_eq!(output.status.code(), Some(0), "{name}: {}", told(&output));
            (place.read("out.smt2"), told(&output))
        };
        let (left, said) = reduce("1");
        assert_eq!(left, reduce("3").0, "{said}");
        assert!(left.contains(word) && left.len() < seed.len() / 2, "{left}\n{said}");
        let found = listed(&place, &[]);
        let file = found[0]["file"].as_str().expect("a path").replace("case.smt2", "reduced.json");
        let reduced: Value = serde_json::from_str(&place.read(&file)).expect("JSON");
        assert_eq!(reduced["kind"], "soundness", "{said}\n{reduced:#}");
        let accused = reduced["against"].as_str().expect("somebody is accused").to_owned();
        assert!(accused == says_sat || accused == says_unsat, "{accused}");
        assert_eq!(reduced["confirmed"]["fresh"], 2, "{reduced:#}");
        // The finding is shown as what was proved.
        for one in [&found[0], &listed(&place, &["--group"])[0]] {
            let shown = (&one["kind"], &one["standing"], &one["against"]);
            let expected = ("soundness".into(), "proved".into(), accused.as_str().into());
            assert_eq!(shown, (&expected.0, &expected.1, &expected.2), "{one}");
        }
        let status = place.alone(&["status"]);
        assert!(told(&status).contains("1 fault (1 proved)"), "{}", told(&status));
    }
}

/// Odd and even at once. No model is found, and no search ends over all integers.
const ODD: &str =
    "(declare-const xx Int)(declare-const yy Int)(assert (= (* 2 xx) (+ (* 2 yy) 1)))(check-sat)";

#[test]
fn bounds_on_integers_decide_what_is_open() {
    if require(&["z3@5.4.0"]).is_none() {
        return;
    }
    let place = Place::new("decided-bounds");
    place.write("seed.smt2", ODD);
    // It lies as long as the constant is there, and values written in are not asked.
    let liar = "fake:honest,when=xx,sat";
    let ask = ["--solver", liar, "--solver", "z3@5.4.0", "--decide", "none", "--timeout", "20"];
    let output = place.alone(&[&["hunt", "seed.smt2", "--with", "seeds", "--turns", "1"], &ask[..]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert_eq!(listed(&place, &[])[0]["standing"], "undecided");
    let reduce = |budget: &str| {
        let args = ["reduce", "1", "-o", "out.smt2", "--timeout", "20", "--jobs", "1", "--decide", budget];
        let output = place.alone(&args);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        place.read("out.smt2")
    };
    let left = reduce("none");
    assert!(!left.contains("(<= "), "bounds that decide nothing are not kept: {left}");
    assert_eq!(listed(&place, &[])[0]["standing"], "undecided");
    let left = reduce("none,assignments=100000");
    let found = &listed(&place, &[])[0];
    let shown = (&found["kind"], &found["standing"], &found["against"]);
    assert_eq!(shown, (&"soundness".into(), &"proved".into(), &liar.into()), "{left}\n{found:#}");
    assert!(left.contains("xx"), "{left}");
}
