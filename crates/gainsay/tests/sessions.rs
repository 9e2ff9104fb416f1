//! Sessions, end to end: a solver that forgets or keeps what it should not is found, named, and reduced to its smallest session.

mod place;

use serde_json::Value;

use place::{Place, text};

/// Seeds that are unsatisfiable as a whole and satisfiable in parts.
const SEEDS: &[(&str, &str)] = &[
    (
        "a",
        "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)(assert (bvult x #b101))
        (assert (=> p (bvugt x #b010)))(assert (or p (= x #b111)))(assert (distinct x #b011 #b100))(check-sat)",
    ),
    (
        "b",
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(assert (=> q p))(check-sat)",
    ),
];

fn seeded(name: &str) -> Place {
    let place = Place::new(&format!("sessions-{name}"));
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in SEEDS {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    place
}

fn hunt(place: &Place, plan: &str, turns: &str, forms: &str) -> (Option<i32>, String) {
    let solver = format!("fake:{plan}");
    let fixed = ["hunt", "seeds", "--with", "rescript", "--seed", "1", "--timeout", "20"];
    let output =
        place.gainsay(&[&fixed[..], &["--solver", &solver, "--turns", turns, "--forms", forms]].concat());
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

fn findings(place: &Place) -> Vec<Value> {
    let found = text(&place.gainsay(&["findings", "--json"]).stdout);
    found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn planted_faults_of_sessions_are_found_named_and_reduced() {
    // The fault, the forms that show it, the kind of finding, and the commands of the smallest session.
    let rows: &[(&str, &str, &str, &[&str])] = &[
        ("pop-forgets", "levels,order", "soundness", &["push", "assert", "pop", "check-sat"]),
        ("pop-takes-more", "levels,order", "soundness", &["assert", "push", "pop", "check-sat"]),
        ("assumption-stays", "guards", "soundness", &["check-sat-assuming", "check-sat"]),
        ("second-check", "again", "soundness", &["check-sat", "check-sat"]),
        ("reset-keeps", "reset,global", "soundness", &["assert", "reset-assertions", "check-sat"]),
    ];
    for (fault, forms, kind, smallest) in rows {
        let place = seeded(fault);
        let plan = format!("honest,{fault}");
        let (code, told) = hunt(&place, &plan, "200", forms);
        assert_eq!(code, Some(10), "{told}");
        let found = findings(&place);
        assert!(found.iter().all(|f| f["against"] == format!("fake:{plan}")), "{found:#?}");
        let first =
            found.iter().find(|f| f["kind"] == *kind).unwrap_or_else(|| panic!("{fault}: {found:#?}"));
        let output = place.gainsay(&["reduce", &first["id"].to_string(), "--timeout", "20"]);
        let script = text(&output.stdout);
        let commands: Vec<&str> = script
            .lines()
            .map(|line| line.trim_start_matches('(').split([' ', ')']).next().unwrap_or(""))
            .collect();
        assert_eq!(commands, *smallest, "{fault}: {script}{}", text(&output.stderr));
    }
}

#[test]
fn an_honest_solver_is_accused_of_nothing() {
    let place = seeded("honest");
    let (code, told) = hunt(&place, "honest", "400", "all");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("400 turns"), "{told}");
}
