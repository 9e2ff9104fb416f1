//! The study of releases, end to end: fakes with different plans stand for releases.

mod place;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use place::{Place, text};

/// Four releases: the second and third are unsound on `xor`, the third crashes on `ite` besides, the fourth is honest and
/// does not answer `distinct`.
const RELEASES: &str = r#"
[solvers.r1]
command = "fake:honest"
[solvers.r2]
command = "fake:honest,when=xor,unsat-for-sat"
[solvers.r3]
command = "fake:honest,when=xor,unsat-for-sat,when=ite,segv"
[solvers.r4]
command = "fake:honest,when=distinct,unknown"
[solvers.truth]
command = "fake:honest"
"#;

/// Few operators, so that few formulas have them all.
const GRAMMAR: &str = r"grammar Mini;
ParOpen : '(' ;
ParClose : ')' ;
declare_a : ParOpen 'declare-const' 'a' 'Bool' ParClose ;
declare_b : ParOpen 'declare-const' 'b' 'Bool' ParClose ;
term : 'a' | 'b' | ParOpen 'and' term term ParClose | ParOpen 'xor' term term ParClose
  | ParOpen 'distinct' term term ParClose | ParOpen 'ite' term term term ParClose ;
assertion : ParOpen 'assert' term ParClose ;
question : ParOpen 'check-sat' ParClose ;
start : declare_a declare_b assertion question ;
";

const STUDY: &[&str] = &[
    "evolve",
    "r1",
    "r2",
    "r3",
    "r4",
    "--reference",
    "truth",
    "--grammar",
    "mini.g4",
    "--timeout",
    "20s",
    "--jobs",
    "2",
];

fn place(name: &str) -> Place {
    let place = Place::new(&format!("evolve-{name}"));
    std::fs::write(place.0.join("gainsay.toml"), RELEASES).expect("writable");
    std::fs::write(place.0.join("mini.g4"), GRAMMAR).expect("writable");
    place
}

fn json(place: &Place, name: &str) -> Value {
    let read = std::fs::read(place.0.join("gainsay-evolve/report").join(name)).expect("a file");
    serde_json::from_slice(&read).expect("JSON")
}

fn group<'a>(json: &'a Value, kind: &str, operator: &str) -> &'a Value {
    let groups = json["groups"].as_array().expect("groups");
    let is = |g: &&Value| g["kind"] == kind && g["operators"] == serde_json::json!([operator]);
    groups.iter().find(is).unwrap_or_else(|| panic!("no {kind} of {operator}: {groups:#?}"))
}

#[test]
fn the_release_that_introduced_a_fault_is_named() {
    let place = place("table");
    let output = place.gainsay(&[STUDY, &["--count", "30"]].concat());
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(10), "{told}");
    let json = json(&place, "evolve.json");
    assert_eq!(json["formulas"], 30, "{told}");
    let unsound = group(&json, "soundness", "xor");
    assert_eq!((&unsound["introduced"], &unsound["fixed"]), (&"r2".into(), &"r4".into()), "{told}");
    assert_eq!(unsound["failing"], serde_json::json!(["r2", "r3"]), "{told}");
    let crash = group(&json, "crash", "ite");
    assert_eq!((&crash["introduced"], &crash["fixed"]), (&"r3".into(), &"r4".into()), "{told}");
    assert_eq!(json["groups"].as_array().map(Vec::len), Some(2), "{told}");
    // Nobody else is accused, and each finding is kept with its evidence.
    let findings = text(&place.gainsay(&["findings", "--json", "--store", "gainsay-evolve"]).stdout);
    assert!(findings.lines().count() > 2, "{findings}");
    for line in findings.lines() {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        assert!(["r2", "r3"].iter().any(|r| finding["against"] == *r), "{finding}");
    }
    // Every time is a process's own CPU time.
    let runs = std::fs::read_to_string(place.0.join("gainsay-evolve/report/runs.csv")).expect("a file");
    assert_eq!(runs.lines().count(), 1 + 30 * 4);
    assert!(runs.lines().skip(1).all(|l| l.contains(",fresh,") && !l.contains(",,,")), "{runs}");
    assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
    // Again: nobody is asked, and the tables are the same. One release more: only that one is.
    let again = place.gainsay(&[STUDY, &["--count", "30"]].concat());
    assert!(text(&again.stderr).contains("0 runs in"), "{}", text(&again.stderr));
    assert_eq!(text(&again.stdout), text(&output.stdout));
    let more = place.gainsay(&[STUDY, &["fake:honest,when=and,wrong-model", "--count", "30"]].concat());
    assert!(text(&more.stderr).contains("\n30 runs in"), "{}", text(&more.stderr));
    assert!(text(&more.stdout).contains("Triggers: invalid model"), "{}", text(&more.stdout));
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let place = place("killed");
    let args = [STUDY, &["--count", "26"]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(&args)
        .current_dir(&place.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("we start");
    // Killed as soon as a finding is there.
    let end = Instant::now() + Duration::from_secs(60);
    let found = || std::fs::read_dir(place.0.join("gainsay-evolve/findings")).is_ok_and(|d| d.count() > 0);
    while Instant::now() < end && !found() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ran");
    let second = place.gainsay(&args);
    let told = text(&second.stderr);
    assert_eq!(second.status.code(), Some(10), "{told}");
    assert!(!told.contains(" 0 there already"), "{told}");
    let whole = json(&place, "evolve.json");
    assert_eq!((&whole["formulas"], &whole["unfinished"]), (&26.into(), &0.into()));
    // As if nothing had happened: the same triggers as in one go.
    let other = self::place("whole");
    other.gainsay(&args);
    let untouched = json(&other, "evolve.json");
    let triggers = |v: &Value| -> Vec<Value> {
        let releases = v["releases"].as_array().expect("releases");
        releases.iter().map(|r| r["grammars"][0]["triggers"].clone()).collect()
    };
    assert_eq!(triggers(&whole), triggers(&untouched));
    assert_eq!(whole["groups"], untouched["groups"]);
}

#[test]
fn warm_screening_finds_the_same_and_reports_no_times() {
    let place = place("screen");
    let output = place.gainsay(&[STUDY, &["--count", "26", "--screen"]].concat());
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(10), "{told}");
    assert!(told.contains("no time is reported") && !told.contains("Throughput"), "{told}");
    let json = json(&place, "evolve.json");
    assert_eq!(json["clock"], Value::Null);
    assert_eq!(group(&json, "soundness", "xor")["introduced"], "r2");
    // The same folder is not for another study.
    let fresh = place.gainsay(&[STUDY, &["--count", "26"]].concat());
    assert_eq!(fresh.status.code(), Some(2));
    assert!(text(&fresh.stderr).contains("way was \"scoped\""), "{}", text(&fresh.stderr));
}

#[test]
fn what_makes_no_sense_is_said() {
    let place = place("usage");
    for (args, words) in [
        (&["evolve", "r1", "--grammar", "Nosuch"][..], "built in are Core"),
        (&["evolve", "r1", "--count", "0"], "above 0"),
        (&["evolve", "nosuch"], "no solver is called"),
    ] {
        let output = place.gainsay(args);
        assert!(matches!(output.status.code(), Some(2 | 4)), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    }
}
