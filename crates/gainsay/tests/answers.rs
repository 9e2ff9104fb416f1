//! Every answer is checked, end to end: a solver whose outputs are wrong is found, named, and reduced to the smallest session.

mod place;

use serde_json::Value;

use place::{Place, text};

const SEEDS: &[(&str, &str)] = &[
    (
        "a",
        "(set-logic QF_BV)(declare-const x (_ BitVec 3))(declare-const p Bool)(assert (bvult x #b101))
        (assert (=> p (bvugt x #b010)))(assert (or p (= x #b111)))(assert (distinct x #b011))(check-sat)",
    ),
    (
        "b",
        "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(assert (=> q p))(check-sat)",
    ),
];

fn seeded(name: &str) -> Place {
    let place = Place::new(&format!("answers-{name}"));
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in SEEDS {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    place
}

fn hunt(place: &Place, plan: &str, more: &[&str]) -> (Option<i32>, String) {
    let solver = format!("fake:{plan}");
    let fixed = ["hunt", "seeds", "--seed", "1", "--timeout", "20", "--solver", &solver];
    let output = place.gainsay(&[&fixed[..], more].concat());
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

fn findings(place: &Place) -> Vec<Value> {
    let found = text(&place.gainsay(&["findings", "--json"]).stdout);
    found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The words of the commands of a script.
fn words(script: &str) -> Vec<&str> {
    script.lines().map(|line| line.trim_start_matches('(').split([' ', ')']).next().unwrap_or("")).collect()
}

#[test]
fn planted_faults_of_outputs_are_found_named_and_reduced() {
    let sessions = |forms| ["--with", "rescript", "--turns", "60", "--forms", forms];
    let terms = ["--with", "simplify", "--turns", "20", "--tactics", ""];
    let goals = ["--with", "simplify", "--turns", "20", "--tactics", "simplify"];
    // The fault, where it shows, the kind of finding, a part of its sentence, and the commands of the smallest session.
    type Row<'a> = (&'a str, &'a [&'a str], &'a str, &'a str, &'a [&'a str]);
    let rows: &[Row] = &[
        (
            "wrong-value",
            &sessions("values"),
            "wrong-output",
            "prints for a term is not that of its model",
            &["check-sat", "get-value"],
        ),
        (
            "second-model",
            &sessions("models"),
            "wrong-output",
            "prints two models for one check",
            &["declare-const", "assert", "check-sat", "get-model"],
        ),
        (
            "wrong-assignment",
            &sessions("assignment"),
            "wrong-output",
            "prints for a named term is not that of its model",
            &["assert", "check-sat", "get-assignment"],
        ),
        (
            "wrong-assumptions",
            &sessions("assumptions"),
            "wrong-core",
            "what is asserted is satisfiable",
            &["declare-const", "check-sat-assuming", "get-unsat-assumptions"],
        ),
        (
            "wrong-statistics",
            &sessions("information"),
            "wrong-output",
            "for (get-info :all-statistics) cannot be read",
            &["check-sat", "get-info"],
        ),
        ("proofs-lie", &sessions("proofs"), "soundness", "", &["set-option", "check-sat"]),
        ("values-lie", &sessions("values"), "soundness", "", &["check-sat", "get-value", "check-sat"]),
        (
            "wrong-rewriter",
            &terms,
            "wrong-rewriting",
            "simplifies another to differs from it at a point",
            &["declare-const", "simplify"],
        ),
        ("wrong-rewriter", &goals, "wrong-rewriting", "", &["declare-const"]),
    ];
    for (number, (fault, more, kind, sentence, smallest)) in rows.iter().enumerate() {
        let place = seeded(&format!("{number}-{fault}"));
        let plan = format!("honest,{fault}");
        let (code, told) = hunt(&place, &plan, more);
        assert_eq!(code, Some(10), "{fault}: {told}");
        let found = findings(&place);
        assert!(found.iter().all(|f| f["against"] == format!("fake:{plan}")), "{found:#?}");
        let first =
            found.iter().find(|f| f["kind"] == *kind).unwrap_or_else(|| panic!("{fault}: {found:#?}"));
        let id = first["id"].to_string();
        let shown = text(&place.gainsay(&["show", &id]).stdout);
        assert!(shown.contains(sentence), "{fault}: {shown}");
        let again = place.gainsay(&["replay", &id]);
        assert_eq!(again.status.code(), Some(10), "{fault}: {}{}", text(&again.stdout), text(&again.stderr));
        let issue = place.gainsay(&["show", &id, "--as", "issue"]);
        assert_eq!(issue.status.code(), Some(0), "{fault}: {}", text(&issue.stderr));
        let output = place.gainsay(&["reduce", &id, "--timeout", "20"]);
        let script = text(&output.stdout);
        let told = format!("{fault}: {script}{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{told}");
        if smallest.len() > 1 {
            assert_eq!(words(&script), *smallest, "{told}");
        }
    }
}

#[test]
fn honest_outputs_are_accused_of_nothing() {
    let place = seeded("honest");
    let forms = "values,models,assignment,assumptions,information,proofs,levels";
    let (code, told) =
        hunt(&place, "honest", &["--with", "rescript,simplify", "--turns", "400", "--forms", forms]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("400 turns"), "{told}");
    assert!(findings(&place).is_empty());
}
