//! Fusion, reassembly and rewriting, end to end: a solver that is wrong about what they make only is found and accused, and an honest
//! one is not.

mod place;

use serde_json::Value;

use place::{Place, text};

const SAT: [(&str, &str); 2] = [
    (
        "a",
        "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)(assert (bvult x #b101))
        (assert (=> p (bvugt x #b010)))(assert (or p (= x #b001)))(check-sat)",
    ),
    (
        "b",
        "(set-logic QF_BV)(declare-const y (_ BitVec 3))(declare-const q Bool)(assert (distinct y #b011 #b100))
        (assert (= q (bvult y #b010)))(check-sat)",
    ),
];

const UNSAT: [(&str, &str); 2] = [
    (
        "c",
        "(set-logic QF_BV)(declare-const x (_ BitVec 3))(assert (bvult x #b010))(assert (bvugt x #b101))
        (check-sat)",
    ),
    (
        "d",
        "(set-logic QF_BV)(declare-const y (_ BitVec 3))(assert (= (bvand y #b001) #b001))
        (assert (= y #b110))(check-sat)",
    ),
];

fn seeded(name: &str, seeds: &[(&str, &str)]) -> Place {
    let place = Place::new(&format!("combining-{name}"));
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in seeds {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    place
}

fn hunt(place: &Place, with: &[&str], plan: &str, turns: &str) -> (Option<i32>, String) {
    let solver = format!("fake:{plan}");
    let fixed = ["hunt", "seeds", "--seed", "1", "--timeout", "20", "--solver", &solver, "--turns", turns];
    let output = place.gainsay(&[&fixed[..], with].concat());
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

fn findings(place: &Place) -> Vec<Value> {
    let found = text(&place.gainsay(&["findings", "--json"]).stdout);
    found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const FUSION: &[&str] = &["--with", "fusion", "--functions", "bits-sum,bits-xor"];
const REASSEMBLE: &[&str] = &["--with", "reassemble"];
const REWRITE: &[&str] = &["--with", "rewrite"];

/// The seeds do not show these faults: they do not use these operators.
#[test]
fn planted_faults_are_found_and_keep_their_claim_when_reduced() {
    // (a name, the flags, the seeds, the operator of the fault, what it does, the turns)
    let rows = [
        ("witness", FUSION, &SAT, "bvsub", "unsat-for-sat", "16"),
        ("unsat", FUSION, &UNSAT, "bvxor", "sat-for-unsat", "16"),
        ("reassembled", REASSEMBLE, &SAT, "xor", "unsat-for-sat", "24"),
        ("stronger", REASSEMBLE, &UNSAT, "or", "sat-for-unsat", "24"),
        ("rewritten", REWRITE, &SAT, "bvneg", "unsat-for-sat", "200"),
    ];
    std::thread::scope(|scope| {
        for (name, with, seeds, operator, does, turns) in rows {
            let plan = format!("honest,when={operator},{does}");
            scope.spawn(move || found_and_reduced((name, with, &seeds[..]), (operator, &plan), turns));
        }
    });
}

/// Hunts with a planted fault of an operator, and reduces the first finding of the strategy.
fn found_and_reduced(
    (name, with, seeds): (&str, &[&str], &[(&str, &str)]),
    (operator, plan): (&str, &str),
    turns: &str,
) {
    let place = seeded(name, seeds);
    let (code, told) = hunt(&place, with, plan, turns);
    assert_eq!(code, Some(10), "{name}: {told}");
    let found = findings(&place);
    let strategy = with[1];
    let first = found.iter().find(|f| f["strategy"] == strategy).unwrap_or_else(|| panic!("{found:#?}"));
    let output = place.gainsay(&["reduce", &first["id"].to_string(), "--timeout", "20"]);
    let (script, told) = (text(&output.stdout), text(&output.stderr));
    assert!(script.contains(&format!("({operator}")), "{name}: {script}{told}");
    let before = seeds.iter().map(|(_, text)| text.matches("(assert").count()).sum::<usize>();
    assert!(script.matches("(assert").count() < before, "{name}: {script}{told}");
}

#[test]
fn an_honest_solver_is_accused_of_nothing() {
    for with in [FUSION, REASSEMBLE, REWRITE] {
        let place = seeded(&format!("honest-{}", with[1]), &[SAT, UNSAT].concat());
        let (code, told) = hunt(&place, with, "honest", "200");
        assert_eq!(code, Some(0), "{told}");
        assert!(told.contains("200 turns"), "{told}");
    }
}
