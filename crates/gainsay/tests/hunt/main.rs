//! The hunt, end to end: planted faults are found and blamed on the right solver, and honest solvers are not accused.

mod going_on;
#[path = "../place/mod.rs"]
mod place;
mod refused;
#[path = "../turns/mod.rs"]
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use place::{Place, text};

impl Place {
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("writable");
    }

    fn findings(&self) -> Vec<Value> {
        let output = self.gainsay(&["findings", "--json"]);
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

const SEEDS: &[(&str, &str)] = &[
    ("mul-sat", "(declare-const x (_ BitVec 4))(assert (= (bvmul x #x3) #x9))(check-sat)"),
    ("mul-unsat", "(declare-const x (_ BitVec 4))(assert (= (bvmul x #x2) #x9))(check-sat)"),
    (
        "add-sat",
        "(declare-const x (_ BitVec 4))(declare-const p Bool)(assert (=> p (= (bvadd x #x3) #x9)))(assert p)(check-sat)",
    ),
    ("add-unsat", "(declare-const x (_ BitVec 4))(assert (bvult (bvadd x #x0) #x0))(check-sat)"),
    (
        "named-unsat",
        "(declare-const p Bool)(declare-const q Bool)(assert (! p :named a))(assert (! (not p) :named b))(assert (! q :named c))(check-sat)",
    ),
    (
        "levels",
        "(declare-const x (_ BitVec 3))(assert (bvult x #b011))(check-sat)(push 1)(assert (bvugt x #b100))(check-sat)(pop 1)(check-sat-assuming ((= x #b111)))",
    ),
    ("large", "(declare-const x Int)(assert (> x 5))(check-sat)"),
];

fn seeded(name: &str) -> Place {
    let place = Place::new(name);
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in SEEDS {
        place.write(&format!("seeds/{name}.smt2"), text);
    }
    place
}

/// Hunts through the seeds once, with a faulty solver and an honest one.
fn hunt(place: &Place, plan: &str, more: &[&str]) -> Output {
    let faulty = format!("fake:{plan}");
    let mut args = vec!["hunt", "seeds", "--with", "seeds", "--seed", "1"];
    // Machines that run tests are busy: only what is meant to be late must be.
    if !more.contains(&"--timeout") {
        args.extend(["--timeout", "20"]);
    }
    args.extend(["--solver", &faulty, "--solver", "fake:honest"]);
    args.extend(more);
    place.gainsay(&args)
}

/// The rows of turns, and the identities of findings.
fn outcome(place: &Path) -> (Vec<String>, BTreeSet<String>) {
    let database =
        rusqlite::Connection::open(place.join("gainsay-campaign/campaign.sqlite")).expect("a store");
    let rows = |sql: &str| -> Vec<String> {
        let mut query = database.prepare(sql).expect("a query");
        let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
        rows.map(|r| r.expect("a row")).collect()
    };
    (turns::each(&rows(turns::QUERY)), rows("SELECT identity FROM findings").into_iter().collect())
}

#[test]
fn planted_faults_are_found_and_blamed() {
    // The fault, the kind of finding, and how many seeds show it.
    let rows: &[(&str, &[&str], &str, usize)] = &[
        ("honest,when=bvmul,unsat-for-sat", &[], "soundness", 1),
        ("honest,when=bvmul,wrong-model", &[], "wrong-model", 1),
        ("honest,wrong-core", &[], "wrong-core", 1),
        ("honest,when=bvmul,assertion", &[], "crash", 2),
        ("honest,when=bvmul,segv", &[], "crash", 2),
        ("honest,when=bvmul,refuse", &["--oracles", "rejection"], "rejection", 2),
        ("honest,when=bvmul,hang", &["--oracles", "performance", "--timeout", "3"], "performance", 2),
        ("honest,when=bvmul,unknown", &["--oracles", "all"], "incompleteness", 1),
        ("honest,when=bvmul,self-check", &[], "self-check", 1),
        ("honest,when=bvmul,random", &["--oracles", "nondeterminism"], "nondeterminism", 2),
    ];
    for (plan, more, kind, count) in rows {
        let place = seeded(&format!("fault-{}", plan.replace([',', '='], "-")));
        let output = hunt(&place, plan, more);
        let found = place.findings();
        let kinds: Vec<_> = found.iter().filter(|f| f["kind"] == *kind).collect();
        let told = format!("{plan}: {found:#?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(10), "{told}");
        assert_eq!(kinds.len(), *count, "{told}");
        let blamed = format!("fake:{plan}");
        assert!(found.iter().all(|f| f["against"] == blamed.as_str()), "{told}");
    }
}

#[test]
fn a_wrong_sat_accuses_the_liar_or_nobody() {
    // Where the search ends, or the model can be refuted, the liar is accused; otherwise nobody is.
    let place = seeded("unproven");
    let liar = "honest,when=bvmul,sat-for-unsat";
    hunt(&place, liar, &[]);
    let found = place.findings();
    assert!(found.iter().any(|finding| finding["kind"] == "soundness"), "{found:#?}");
    for finding in &found {
        match finding["kind"].as_str().expect("a kind") {
            "disagreement" | "unconfirmed" => assert_eq!(finding["against"], Value::Null, "{finding}"),
            _ => assert_eq!(finding["against"], format!("fake:{liar}"), "{finding}"),
        }
    }
}

#[test]
fn honest_solvers_are_not_accused() {
    for plan in ["honest", "honest,missing-model", "honest,when=bvmul,unknown", "honest,when=bvmul,slow=50"] {
        let place = seeded(&format!("honest-{}", plan.replace([',', '='], "-")));
        let output = hunt(&place, plan, &[]);
        let told = format!("{plan}: {}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(place.findings().is_empty(), "{told}");
        assert!(told.contains("7 turns"), "{told}");
    }
}

#[test]
fn a_finding_is_plain_files_and_can_be_looked_at_again() {
    let place = seeded("replay");
    hunt(&place, "honest,when=bvmul,unsat-for-sat", &[]);
    let found = place.findings();
    let file = PathBuf::from(found[0]["file"].as_str().expect("a file"));
    let folder = place.0.join(file.parent().expect("a folder"));
    for name in ["case.smt2", "finding.json", "README.md", "model", "pinned.smt2", "outputs"] {
        assert!(folder.join(name).exists(), "{name} in {}", folder.display());
    }
    // Whoever else is installed may have been asked too.
    let evidence = found[0]["evidence"].as_array().expect("a list");
    assert_eq!(evidence[..2], [Value::from("satisfied"), Value::from("pinned")]);
    let shown = text(&place.gainsay(&["show", "1"]).stdout);
    assert!(shown.contains("Our evaluator finds every assertion in scope"), "{shown}");
    assert!(shown.contains("bvmul"), "{shown}");
    let replayed = place.gainsay(&["replay", "1"]);
    assert_eq!(replayed.status.code(), Some(10), "{}", text(&replayed.stderr));
    let told = text(&replayed.stdout);
    assert!(told.contains("under the stored model every assertion in scope is true"), "{told}");
    let mended = place.gainsay(&["replay", "1", "--solver", "fake:honest"]);
    assert_eq!(mended.status.code(), Some(0), "{}", text(&mended.stdout));
    let absent = place.gainsay(&["show", "9"]);
    assert_eq!(absent.status.code(), Some(2));
    assert!(text(&absent.stderr).contains("there is no finding 9"), "{}", text(&absent.stderr));
}

#[test]
fn repeated_triggers_are_rationed() {
    let place = Place::new("rationed");
    place.write("seed.smt2", SEEDS[0].1);
    let args = ["hunt", "seed.smt2", "--with", "opfuzz", "--chain", "60", "--seed", "1", "--turns", "60"];
    let output = place.gainsay(&[&args[..], &["--solver", "fake:honest,when=x,assertion"]].concat());
    let told = text(&output.stdout);
    let found = place.findings();
    // All crash at one place: 20 are kept as they come, and the five smallest of the rest.
    assert!(told.contains("repeated triggers counted only"), "{told}");
    assert!((21..=25).contains(&found.len()), "{}: {told}", found.len());
    let fingerprints: BTreeSet<_> = found.iter().map(|f| f["fingerprint"].to_string()).collect();
    assert_eq!(fingerprints.len(), 1);
    assert_eq!(found[0]["triggers"], 60);
}

#[test]
fn the_rest_of_a_series_is_skipped_after_a_finding_if_asked() {
    let run = |place: &Place, more: &[&str]| {
        let args = ["hunt", "seed.smt2", "--with", "opfuzz", "--chain", "10", "--seed", "1", "--turns", "60"];
        let solver = ["--solver", "fake:honest,when=bvadd,assertion", "--timeout", "20"];
        place.gainsay(&[&args[..], &solver, more].concat())
    };
    // For each series, a letter for each of its turns.
    let by_series = |place: &Place| -> Vec<String> {
        let mut all: BTreeMap<u32, String> = BTreeMap::new();
        for turn in outcome(&place.0).0 {
            let words: Vec<&str> = turn.split(' ').collect();
            all.entry(words[0].parse().expect("a number")).or_default().push_str(words[2]);
        }
        all.into_values().collect()
    };
    let seeded = |name: &str| {
        let place = Place::new(name);
        place.write("seed.smt2", SEEDS[0].1);
        place
    };
    let plain = seeded("goes-on");
    run(&plain, &[]);
    let series = by_series(&plain);
    assert!(series.iter().all(|series| series.len() == 10), "{series:?}");
    assert!(series.iter().any(|series| series[..9].contains('C')), "{series:?}");
    let place = seeded("resets");
    run(&place, &["--reset-on-finding"]);
    let (whole, series) = (outcome(&place.0), by_series(&place));
    assert_eq!(whole.0.len(), 60);
    assert!(series.iter().filter(|s| s.ends_with('C')).count() > 1, "{series:?}");
    assert!(series.iter().all(|s| !s[..s.len() - 1].contains('C')), "{series:?}");
    // What was skipped stays so, and that it is skipped is part of the campaign.
    for more in [&["--reset-on-finding", "--resume"][..], &["--resume"]] {
        run(&place, more);
        assert_eq!(outcome(&place.0), whole);
    }
    let other = run(&plain, &["--reset-on-finding", "--resume"]);
    assert_eq!(other.status.code(), Some(2), "{}", text(&other.stderr));
    let told = text(&other.stderr);
    assert!(told.contains("opfuzz --reset-on-finding was \"\", not \"true\""), "{told}");
}

#[test]
fn prepared_seeds_are_solved_and_not_decided_by_folding() {
    let place = seeded("prepared");
    place.write("seeds/folded.smt2", "(assert (= (+ 1 1) 2))(check-sat)");
    let output = hunt(&place, "honest", &["--prepare"]);
    let told = text(&output.stderr);
    // `large` has more free bits than the honest fake looks at.
    assert!(
        told.contains("of 8 seeds 6 stay; folding alone decides 1, no solver answers 1 in time"),
        "{told}"
    );
    assert!(text(&output.stdout).contains("6 turns"), "{}", text(&output.stdout));
    let again = hunt(&place, "honest", &["--prepare", "--resume"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}

#[test]
fn a_seed_on_which_solvers_differ_is_a_finding() {
    let faulty = "fake:honest,when=bvmul,unsat-for-sat";
    let run = |jobs: &str| {
        let place = Place::new(&format!("disputed-{jobs}"));
        place.write("seed.smt2", SEEDS[0].1);
        let args = ["hunt", "seed.smt2", "--with", "sae", "--seed", "1", "--turns", "12", "--timeout", "20"];
        let solvers = ["--solver", faulty, "--solver", "fake:honest", "--jobs", jobs];
        let output = place.gainsay(&[&args[..], &solvers].concat());
        assert_eq!(output.status.code(), Some(10), "{}{}", text(&output.stdout), text(&output.stderr));
        let found = place.findings();
        assert!(found.iter().all(|f| f["against"] == faulty), "{found:#?}");
        let of_seed = |f: &&Value| {
            let file = f["file"].as_str().expect("a path");
            let script = std::fs::read_to_string(place.0.join(file)).expect("the script of a finding");
            script.replace('\n', "") == SEEDS[0].1
        };
        let kinds: Vec<_> = found.iter().filter(of_seed).map(|f| f["kind"].clone()).collect();
        assert_eq!(kinds, ["soundness"], "the seed itself is a finding: {found:#?}");
        outcome(&place.0).0
    };
    let one = run("1");
    assert_eq!(one.len(), 12);
    assert_eq!(one, run("3"));
}

#[test]
fn a_hunt_that_makes_no_case_ends() {
    let place = Place::new("no-case");
    place.write("p.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    let rows: &[(&str, &str, i32, &str)] = &[
        // No place can be changed.
        ("opfuzz", "fake:honest", 2, "no test case can be made: strategies: opfuzz; usable seeds: 1"),
        // Nobody answers the seed.
        ("sae", "fake:honest,unknown", 2, "no test case can be made: strategies: sae; usable seeds: 1"),
        ("opfuzz,sae", "fake:honest,unknown", 2, "strategies: opfuzz, sae"),
        // The seeds themselves are turns.
        ("seeds,sae", "fake:honest,unknown", 0, ""),
    ];
    for (i, (with, solver, code, words)) in rows.iter().enumerate() {
        let store = format!("store-{i}");
        let args = ["hunt", "p.smt2", "--with", with, "--solver", solver, "--turns", "20", "--store", &store];
        for more in [&["--jobs", "2"][..], &["--resume"]] {
            let output = place.gainsay(&[&args[..], more].concat());
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(*code), "{with} {more:?}: {told}");
            assert!(told.contains(words), "{with} {more:?}: {told}");
        }
    }
}
