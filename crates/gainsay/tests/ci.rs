//! The gate for commits, end to end: planted faults fail it, an honest build passes.

mod place;

use std::process::Output;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay::solver::{Limits, Solver};
use gainsay::study::ci::{Race, Timed, speeds};
use serde_json::Value;

use place::{Place, text};

/// Checks a build beside an honest release; times are compared only if that is asked for.
fn ci(place: &Place, build: &str, more: &[&str]) -> Output {
    ci_for(place, "5m", build, more)
}

fn ci_for(place: &Place, time: &str, build: &str, more: &[&str]) -> Output {
    let mut args =
        vec!["ci", "--solver", build, "--against", "'fake:honest,mark=release'", "--beside", "fake:honest"];
    args.extend(["--timeout", "20s", "--for", time, "--json", "ci.json", "--jobs", "2"]);
    args.extend(more);
    place.gainsay(&args)
}

fn verdict(place: &Place) -> Value {
    serde_json::from_slice(&std::fs::read(place.0.join("ci.json")).expect("a file")).expect("JSON")
}

fn told(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// What stands in two of the formulas only: `xor` of both constants.
const RARE: &str = "when=xor,when=true,when=false";

#[test]
fn a_rare_lie_fails() {
    let place = Place::new("ci-lie");
    let build = format!("fake:honest,{RARE},unsat-for-sat");
    let files = ["--no-times", "--grammars", "Core:168", "--junit", "j.xml", "--sarif", "s.json", "--github"];
    let output = ci(&place, &build, &files);
    let told = told(&output);
    assert_eq!(output.status.code(), Some(10), "{told}");
    let found = verdict(&place);
    assert_eq!(found["new"].as_array().map(Vec::len), Some(2), "{found:#}");
    assert_eq!(found["new"][0]["kind"], "soundness");
    assert!(found["new"][0]["text"].as_str().is_some_and(|t| t.contains("xor true false")), "{found:#}");
    assert_eq!((&found["whole"], &found["parts"][0]["screened"]), (&true.into(), &168.into()));
    // Each report tells of it, and the evidence is where they say.
    assert!(told.contains("::error title=soundness of"), "{told}");
    let read = |name: &str| std::fs::read_to_string(place.0.join(name)).expect("a file");
    assert!(read("j.xml").contains("failures=\"1\""), "{}", read("j.xml"));
    let sarif: Value = serde_json::from_str(&read("s.json")).expect("JSON");
    let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(read(uri.as_str().expect("a path")).contains("xor"), "{uri}");
}

#[test]
fn an_honest_build_passes_and_releases_are_asked_once() {
    let place = Place::new("ci-honest");
    let first = ci(&place, "fake:honest", &["--no-times", "--grammars", "Core:60"]);
    assert_eq!(first.status.code(), Some(0), "{}", told(&first));
    assert!(text(&first.stdout).contains("passed"), "{}", told(&first));
    let count = |table: &str| -> String {
        let cache = std::fs::read_dir(place.0.join("gainsay-ci/cache")).expect("a cache");
        let one = cache.flatten().next().expect("one cache").path();
        format!("{} {table}", std::fs::metadata(one.join("campaign.sqlite")).expect("a file").len())
    };
    let before = count("runs");
    let second = ci(&place, "fake:honest", &["--no-times", "--grammars", "Core:60"]);
    assert_eq!(second.status.code(), Some(0), "{}", told(&second));
    assert_eq!(count("runs"), before, "the releases were asked again");
    assert!(place.0.join("gainsay-ci/runs/0002/verdict.json").exists());
}

#[test]
fn what_the_release_gets_wrong_too_is_not_new() {
    let place = Place::new("ci-known");
    let wrong = "fake:honest,when=xor,wrong-model";
    let args = ["--no-times", "--grammars", "Core:60"];
    // The last of two flags counts.
    let against = ["--against", wrong];
    let mut all =
        vec!["ci", "--solver", wrong, "--beside", "fake:honest", "--timeout", "20s", "--json", "ci.json"];
    all.extend(against);
    all.extend(args);
    let output = place.gainsay(&all);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(verdict(&place)["known"].as_u64().is_some_and(|n| n > 0), "{}", told(&output));
    let crash = ci(&place, "fake:honest,when=xor,segv", &args);
    assert_eq!(crash.status.code(), Some(10), "{}", told(&crash));
    assert_eq!(verdict(&place)["new"][0]["kind"], "crash");
}

#[test]
fn other_strategies_hunt_besides() {
    let place = Place::new("ci-with");
    let seed = "(declare-const a (_ BitVec 4))(assert (= (bvmul a #x3) #x9))(check-sat)";
    std::fs::write(place.0.join("seed.smt2"), seed).expect("writable");
    let hunt = ["--no-times", "--grammars", "Core:12", "--with", "seeds,opfuzz", "--seeds", "seed.smt2"];
    let honest = ci_for(&place, "1m", "fake:honest", &hunt);
    assert_eq!(honest.status.code(), Some(0), "{}", told(&honest));
    let parts = verdict(&place)["parts"].clone();
    assert!(parts[1]["grammar"] == "hunt" && parts[1]["screened"] == 100, "{parts:#}");
    assert_eq!(verdict(&place)["whole"], true, "{}", told(&honest));
    // No formula of the grammar has the operator, only the seed and what is made of it.
    let liar = ci_for(&place, "1m", "fake:honest,when=bvmul,unsat-for-sat", &hunt);
    assert_eq!(liar.status.code(), Some(10), "{}", told(&liar));
    let found = verdict(&place);
    assert_eq!(
        (&found["new"][0]["kind"], &found["new"][0]["grammar"]),
        (&"soundness".into(), &"hunt".into())
    );
    assert!(text(&liar.stdout).contains("(seeds, series 0, turn 0)"), "{}", told(&liar));
    // What the release gets wrong as well is not new.
    let wrong = "fake:honest,when=bvmul,wrong-model";
    let mut both = vec!["ci", "--solver", wrong, "--against", wrong, "--beside", "fake:honest"];
    both.extend(["--for", "1m", "--timeout", "20s", "--json", "ci.json"].iter().chain(&hunt));
    let output = place.gainsay(&both);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(verdict(&place)["known"].as_u64().is_some_and(|n| n > 0), "{}", told(&output));
    // Seeds without a strategy are a mistake.
    let output = ci(&place, "fake:honest", &["--seeds", "seed.smt2"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
}

/// The step of the action that checks a build, run as a workflow would.
#[test]
fn the_action_checks_a_build() {
    let action = concat!(env!("CARGO_MANIFEST_DIR"), "/../../action.yml");
    let action = std::fs::read_to_string(action).expect("the action is there");
    let step =
        action.split("- name: Check").nth(1).and_then(|rest| rest.split("- name:").next()).expect("a step");
    let script = step.split("run: |\n").nth(1).expect("a script");
    let place = Place::new("ci-action");
    let program = place.0.join("gainsay-target/release/gainsay");
    std::fs::create_dir_all(program.parent().expect("a folder")).expect("writable");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_gainsay"), &program).expect("writable");
    let run = |solver: &str, with: &str| {
        let mut bash = std::process::Command::new("bash");
        bash.arg("-euo").arg("pipefail").arg("-c").arg(script).current_dir(&place.0);
        // What the step takes from the inputs is all set, or bash says which is not.
        for (name, value) in [
            ("SOLVER", solver),
            ("AGAINST", "fake:honest"),
            ("BESIDE", "fake:honest"),
            ("FOR", "1m"),
            ("GRAMMARS", "Core:12"),
            ("WITH", with),
            ("SEEDS", ""),
            ("SLOWER", "1.15"),
            ("MORE", "--no-times --timeout 20s"),
            ("GITHUB_OUTPUT", "outputs"),
        ] {
            assert!(
                step.contains(&format!("{name}: ${{{{")) || name == "GITHUB_OUTPUT",
                "{name} is an input"
            );
            bash.env(name, value);
        }
        bash.env("RUNNER_TEMP", &place.0).output().expect("bash starts")
    };
    let output = run("fake:honest", "");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let outputs = std::fs::read_to_string(place.0.join("outputs")).expect("written");
    let named = outputs.trim().strip_prefix("verdict=").expect("the verdict's path");
    assert!(place.0.join(named).is_file() && place.0.join("junit.xml").is_file(), "{outputs}");
    let output = run("fake:honest,when=and,unsat-for-sat", "seeds");
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(text(&output.stdout).contains("::error title=soundness of"), "{}", told(&output));
}

#[test]
fn time_that_ends_first_is_said() {
    let place = Place::new("ci-time");
    let output = ci(&place, "fake:honest,burn=50", &["--no-times", "--grammars", "Core:2000", "--for", "2s"]);
    // Two flags `--for` are one too many.
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let args = [
        "ci",
        "--solver",
        "fake:burn=50,sat",
        "--against",
        "fake:sat",
        "--beside",
        "fake:sat",
        "--for",
        "2s",
    ];
    let output = place.gainsay(&[&args[..], &["--no-times", "--grammars", "Core:2000"]].concat());
    assert!(text(&output.stdout).contains("of 2000 formulas screened (time ended)"), "{}", told(&output));
    assert!(text(&output.stdout).contains("as far as time allowed"), "{}", told(&output));
}

fn race(build: &str, against: &str, formulas: usize) -> (bool, String) {
    let text = "(declare-const p Bool)(assert p)(check-sat)".to_owned();
    let all: Vec<_> =
        (0..formulas).map(|_| Timed { grammar: "Core".to_owned(), text: text.clone() }).collect();
    let (build, against) = (Solver::fake(build), Solver::fake(against));
    let race = Race {
        build: &build,
        against: &against,
        limits: Limits::of_time(Duration::from_secs(60)),
        bound: 1.15,
        jobs: 2,
        until: None,
    };
    let found = speeds(&race, &all, &AtomicBool::new(false)).expect("fakes start");
    assert_eq!(found.len(), 1);
    (found[0].slower, format!("{found:?}"))
}

#[test]
fn a_third_more_cpu_time_is_slower_and_itself_is_not() {
    // Long enough that what it takes to start counts for little.
    let (slower, told) = race("burn=80,sat", "burn=60,sat", 12);
    assert!(slower, "{told}");
    let (slower, told) = race("burn=60,sat", "burn=60,sat", 12);
    assert!(!slower, "{told}");
    let (slower, told) = race("burn=20,unknown", "burn=10,sat", 10);
    assert!(!slower, "what is not solved is not compared: {told}");
}

#[test]
fn slower_builds_fail() {
    let place = Place::new("ci-slow");
    // So many that a fast machine has something to tell.
    let output = ci(&place, "fake:honest,burn=10", &["--grammars", "Core:120"]);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(text(&output.stdout).contains("SLOWER"), "{}", told(&output));
    assert_eq!(verdict(&place)["new"].as_array().map(Vec::len), Some(0), "{}", told(&output));
}

/// `cargo test -p gainsay --test ci -- --ignored`: the ten of ten, with times.
#[test]
#[ignore = "takes minutes"]
fn an_honest_build_passes_ten_times_of_ten() {
    let place = Place::new("ci-ten");
    for _ in 0..10 {
        let output = ci(&place, "fake:honest", &["--grammars", "Core:100"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
}
