//! Hunts with approximations, end to end: a finding in a long chain names the one step that is to blame, and clauses are
//! asked and approximated as seeds are.

mod place;

use std::path::PathBuf;

use place::{Place, text};
use serde_json::Value;

/// A folder with one seed.
fn seeded(name: &str, seed: &str) -> Place {
    let place = Place::new(name);
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    std::fs::write(place.0.join("seeds/one.smt2"), seed).expect("writable");
    place
}

/// Hunts with approximations of the seed by these solvers; what it says, and its findings as they are stored.
fn hunt(place: &Place, solvers: &[&str], more: &[&str]) -> (String, Vec<Value>) {
    let mut args = vec!["hunt", "seeds", "--with", "sae", "--seed", "1", "--timeout", "20", "--jobs", "1"];
    for solver in solvers {
        args.extend(["--solver", solver]);
    }
    args.extend(more);
    let output = place.gainsay(&args);
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let listed = text(&place.gainsay(&["findings", "--json"]).stdout);
    let stored = listed.lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let file = PathBuf::from(row["file"].as_str().expect("a file"));
        let stored = place.0.join(file.parent().expect("a folder")).join("finding.json");
        serde_json::from_slice(&std::fs::read(stored).expect("stored")).expect("JSON")
    });
    let stored = stored.collect();
    (told, stored)
}

const SAT: &str = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
    (assert (or (bvult x y) (= x #b101)))(assert (not (= y #b000)))(check-sat)";
const UNSAT: &str = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))
    (assert (and (bvult x y) (or (= x y) (bvult y x))))(check-sat)";

/// The numbers of the edits with which the answer turns, as the stored finding has them, from 0.
fn turned(finding: &Value) -> Vec<usize> {
    let evidence = finding["evidence"].as_array().expect("a list");
    let edits = evidence.iter().find(|e| e["type"] == "turned").and_then(|e| e["edits"].as_array());
    let number = |edit: &Value| edit.as_u64().expect("a number") as usize;
    edits.map(|edits| edits.iter().map(number).collect()).unwrap_or_default()
}

#[test]
fn a_long_chain_names_the_one_guilty_step() {
    for (seed, name, lie) in [(SAT, "sat", "unsat-for-sat"), (UNSAT, "unsat", "sat-for-unsat")] {
        let place = seeded(&format!("chain-{name}"), seed);
        let faulty = format!("fake:honest,when=bvsge,{lie}");
        let more = ["--incremental", "--mutants", "16", "--turns", "16", "--oracles", "metamorphic"];
        let (told, found) = hunt(&place, &[&faulty, "fake:honest"], &more);
        let blamed = found.iter().filter(|f| f["oracle"] == "metamorphic");
        let blamed: Vec<&Value> = blamed.filter(|f| !turned(f).is_empty()).collect();
        assert!(!blamed.is_empty(), "{told}\n{found:#?}");
        let mut longest = 0;
        for finding in blamed {
            let edits = finding["lineage"]["edits"].as_array().expect("edits");
            longest = longest.max(edits.len());
            let named = turned(finding);
            assert_eq!(named.len(), 1, "{named:?}");
            // The edit that is named is one that brings in the word with which the lie begins.
            let edit = &edits[named[0]];
            let [old, new] = ["old", "new"].map(|key| edit[key].as_str().expect("text"));
            assert!(new.contains("bvsge") && !old.contains("bvsge"), "{named:?}");
            assert_eq!(finding["kind"], "soundness", "{finding}");
            assert_eq!(finding["against"], faulty.as_str(), "{finding}");
        }
        assert!(longest > 5, "the chain was long: {longest}");
        let shown = text(&place.gainsay(&["show", "1"]).stdout);
        assert!(shown.contains("The answer turns with step "), "{shown}");
    }
}

#[test]
fn clauses_are_asked_and_approximated() {
    for (seed, name) in [(SAT, "sat"), (UNSAT, "unsat")] {
        let place = seeded(&format!("clauses-{name}"), seed);
        let (told, found) = hunt(
            &place,
            &["fake:honest"],
            &["--cnf", "--mutants", "30", "--turns", "31", "--positions", "3"],
        );
        assert!(found.is_empty(), "{told}\n{found:#?}");
        assert!(told.contains("31 turns"), "{told}");
    }
}

#[test]
fn what_is_wrong_with_clauses_is_told_of_them() {
    // `d!0` is in the clauses and in no seed: the lie is told of the clauses, and their mutants agree with it.
    let place = seeded("clauses-lie", SAT);
    let more = ["--cnf", "--mutants", "5", "--turns", "6"];
    let (told, found) = hunt(&place, &["fake:honest,when=d!0,unsat-for-sat"], &more);
    assert_eq!(found.len(), 1, "{told}\n{found:#?}");
    assert_eq!(found[0]["oracle"], "metamorphic");
    let name = found[0]["lineage"]["seeds"][0]["name"].as_str().expect("a name");
    assert!(name.ends_with("one.smt2"), "{name}");
    // A lie of a mutant is one about the clauses that it was made of.
    let place = seeded("clauses-mutant", SAT);
    let more = ["--cnf", "--mutants", "60", "--turns", "61"];
    let (told, found) = hunt(&place, &["fake:honest,when=bvsge,unsat-for-sat", "fake:honest"], &more);
    assert!(!found.is_empty(), "{told}");
    for finding in found.iter().filter(|f| f["oracle"] == "metamorphic") {
        let name = finding["lineage"]["seeds"][0]["name"].as_str().expect("a name");
        assert!(name.ends_with("one.smt2 in clauses"), "{name}");
        assert_eq!(finding["kind"], "soundness", "{finding}");
        assert_eq!(turned(finding).len(), 1, "{finding}");
    }
}
