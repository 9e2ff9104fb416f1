//! `triage`: the findings of a campaign become faults with reports.

use std::path::PathBuf;

use serde_json::Value;

use super::{Place, told};
/// A campaign's findings become one fault, one report, and are gone with another build.
#[test]
fn findings_are_reduced_grouped_reported_and_rechecked() {
    let place = Place::new("campaign");
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, value) in [("a", "#x9"), ("b", "#x6")] {
        let text = format!(
            "(declare-const {name} (_ BitVec 4))(declare-const p Bool)(assert (=> p (= (bvmul {name} #x3) {value})))(assert p)(check-sat)"
        );
        place.write(&format!("seeds/{name}.smt2"), &text);
    }
    let faulty = "fake:honest,when=bvmul,unsat-for-sat";
    let hunt = ["hunt", "seeds", "--with", "seeds", "--seed", "1", "--timeout", "20", "--solver", faulty];
    place.gainsay(&[&hunt[..], &["--solver", "fake:honest"]].concat());
    for id in ["1", "2"] {
        let output = place.gainsay(&["reduce", id, "--timeout", "20", "--jobs", "1"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
    let output = place.gainsay(&["findings", "--group", "--json"]);
    let groups: Vec<Value> =
        told(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(groups.len(), 1, "{groups:#?}");
    assert_eq!(groups[0]["ids"].as_array().map(Vec::len), Some(2), "{groups:#?}");
    // The same formula is another fault where it concerns other releases, or needs other options.
    let found = String::from_utf8(place.gainsay(&["findings", "--json"]).stdout).expect("text");
    let found: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let keep = |finding: &Value, name: &str, text: &str| {
        let file = PathBuf::from(finding["file"].as_str().expect("a path")).with_file_name(name);
        std::fs::write(place.0.join(file), text).expect("writable");
    };
    let count = || told(&place.gainsay(&["findings", "--group", "--json"])).lines().count();
    keep(&found[0], "releases.json", "[[\"1.0\", true], [\"1.1\", false]]");
    keep(&found[0], "options.json", "[]");
    assert_eq!(count(), 1, "what was not asked is like what was");
    keep(&found[1], "releases.json", "[[\"1.0\", true], [\"1.1\", true]]");
    keep(&found[1], "options.json", "[]");
    assert_eq!(count(), 2, "other releases");
    keep(&found[1], "releases.json", "[[\"1.0\", true], [\"1.2\", false]]");
    assert_eq!(count(), 1, "the same releases fail");
    keep(&found[1], "options.json", "[\"x=true\"]");
    assert_eq!(count(), 2, "other options");
    keep(&found[1], "options.json", "[]");
    let issue = told(&place.gainsay(&["show", "1", "--as", "issue"]));
    for part in
        ["# Soundness: unsat for a satisfiable formula", "bvmul", "makes every assertion true", "Reproduce"]
    {
        assert!(issue.contains(part), "{part} in\n{issue}");
    }
    let output = place.gainsay(&["recheck", "--solver", "fake:honest", "--timeout", "20"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(told(&output).matches(" fixed ").count(), 2, "{}", told(&output));
    let output = place.gainsay(&["recheck", "1", "--solver", faulty, "--timeout", "20", "--json"]);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(told(&output).contains("\"still\""), "{}", told(&output));
    // Who says nothing has not mended anything.
    let output = place.gainsay(&["recheck", "1", "--solver", "fake:unknown", "--timeout", "20"]);
    assert!(
        told(&output).contains(" untold ") && told(&output).contains("it says unknown"),
        "{}",
        told(&output)
    );
    let output = place.gainsay(&["triage", "--timeout", "20"]);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(
        told(&output).contains("2 triggers, 2 findings kept, 2 of them looked at, 1 fault"),
        "{}",
        told(&output)
    );
    assert!(told(&output).contains("report it with `gainsay show 1 --as issue`"), "{}", told(&output));
}

/// A disagreement accuses nobody. It is reduced and reported, and the text says that one of the solvers is wrong and how each
/// is asked.
#[test]
fn nobody_is_accused_of_a_disagreement() {
    let place = Place::new("disagreement");
    // A quantifier over all integers: neither evaluation nor a search decides it. The solvers differ on it and on nothing smaller.
    let assertion = "(forall ((x Int)) (> (f x) x))";
    let formula = format!("(declare-fun f (Int) Int)(declare-const y Int)(assert {assertion})(check-sat)");
    place.write("p.smt2", &formula);
    let [sat, unsat] = ["sat", "unsat"].map(|word| format!("'fake:honest,when={assertion},{word}'"));
    let hunt = ["hunt", "p.smt2", "--with", "seeds", "--solver", &sat, "--solver", &unsat];
    let output = place.alone(&hunt);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    let output = place.alone(&["triage", "--timeout", "20"]);
    let list = told(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "1 fault (1 undecided)",
        &format!("one of {sat} and {unsat} is wrong, and it is open which one"),
        "report it with `gainsay show 1 --as issue`",
        "bytes (1 of 1)",
    ] {
        assert!(list.contains(words), "{words}: {list}");
    }
    let output = place.alone(&["show", "1", "--as", "issue"]);
    let text = told(&output);
    let expected = format!(
        "One of {sat} and {unsat} is wrong, and it is open which one: {sat} says sat, {unsat} says unsat."
    );
    assert!(text.contains(&expected), "{text}");
    assert!(
        text.contains(&format!("{sat} bug.smt2\n{unsat} bug.smt2")) && !text.contains("nobody bug.smt2"),
        "{text}"
    );
}
