//! The hunt, end to end: planted faults are found and blamed on the right solver, honest solvers on nobody, and what was
//! found is neither lost nor doubled.

mod place;
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
fn the_number_of_workers_changes_nothing() {
    let run = |jobs: &str| {
        let place = seeded(&format!("jobs-{jobs}"));
        hunt(&place, "honest,when=bvmul,unsat-for-sat", &["--jobs", jobs]);
        outcome(&place.0)
    };
    let one = run("1");
    assert_eq!(one.0.len(), SEEDS.len());
    assert_eq!(one.1.len(), 1);
    assert_eq!(one, run("2"));
}

#[test]
fn stretches_are_the_same_for_any_workers_and_interruptions() {
    let run = |name: &str, parts: &[&[&str]]| {
        let place = seeded(name);
        for more in parts {
            let mut args =
                vec!["hunt", "seeds", "--with", "opfuzz", "--chain", "60", "--seed", "4", "--breadth", "32"];
            args.extend([
                "--timeout",
                "20",
                "--solver",
                "fake:honest,when=bvmul,unsat-for-sat",
                "--solver",
                "fake:honest",
            ]);
            args.extend(*more);
            let output = place.gainsay(&args);
            assert!(matches!(output.status.code(), Some(0 | 10)), "{}", text(&output.stderr));
        }
        // Which of many triggers of one fault are kept may depend on who is first.
        outcome(&place.0).0
    };
    let one = run("stretch-1", &[&["--turns", "400", "--jobs", "1"]]);
    assert_eq!(one.len(), 400);
    assert_eq!(one, run("stretch-3", &[&["--turns", "400", "--jobs", "3"]]));
    let parts: [&[&str]; 2] = [&["--turns", "350", "--jobs", "2"], &["--turns", "400", "--resume"]];
    assert_eq!(one, run("stretch-parts", &parts));
    // Many series come before long ones: all of a block get ten turns each at first.
    let place = seeded("stretch-wide");
    let few =
        ["hunt", "seeds", "--with", "opfuzz", "--seed", "4", "--solver", "fake:honest", "--turns", "300"];
    place.gainsay(&few);
    let (turns, _) = outcome(&place.0);
    let number =
        |turn: &str, k: usize| turn.split(' ').nth(k).and_then(|n| n.parse::<u64>().ok()).expect("a number");
    let series: BTreeSet<u64> = turns.iter().map(|turn| number(turn, 0)).collect();
    assert!(series.len() >= 30, "{series:?}");
    assert!(turns.iter().all(|turn| number(turn, 1) < 10), "{turns:?}");
}

#[test]
fn a_campaign_goes_on_where_it_stopped() {
    let whole = seeded("whole");
    hunt(&whole, "honest,when=bvmul,unsat-for-sat", &[]);
    let parts = seeded("parts");
    hunt(&parts, "honest,when=bvmul,unsat-for-sat", &["--turns", "3"]);
    assert_eq!(outcome(&parts.0).0.len(), 3);
    let again = hunt(&parts, "honest,when=bvmul,unsat-for-sat", &[]);
    assert_eq!(again.status.code(), Some(2), "a campaign is not begun twice");
    assert!(text(&again.stderr).contains("--resume continues it"), "{}", text(&again.stderr));
    let other = hunt(&parts, "honest", &["--resume"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("solvers was"), "{}", text(&other.stderr));
    hunt(&parts, "honest,when=bvmul,unsat-for-sat", &["--resume"]);
    assert_eq!(outcome(&parts.0), outcome(&whole.0));
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
fn bad_input_gets_a_sentence() {
    let place = seeded("bad");
    place.write("seeds/../bad.smt2", "(assert (+ 1 true))");
    place.write("plain", "");
    let rows: &[(&[&str], i32, &str)] = &[
        (&["hunt", "nowhere"], 2, "nowhere: No such file"),
        (&["hunt", "bad.smt2"], 2, "no usable seed among 1 files\n  1 refused, such as bad.smt2"),
        (&["hunt", "--with", "opfuz"], 2, "there is no strategy opfuz"),
        (&["hunt", "--with", "seed"], 2, "did you mean seeds?"),
        (&["hunt", "--oracles", "modle"], 2, "did you mean model?"),
        (&["hunt", "--for", "soon"], 2, "a number and s, m, h or d"),
        (&["hunt", "--solver", "./nosuch"], 4, "cannot be started"),
        (&["hunt", "--solver", "fake:exit=7"], 4, "does not answer a simple question"),
        (&["hunt", "--solver", "fake:honest", "--store", "plain/x"], 5, "plain/x"),
        (&["findings", "--store", "elsewhere"], 2, "holds no campaign"),
        (&["replay", "1", "--store", "elsewhere"], 2, "holds no campaign"),
    ];
    for (args, code, words) in rows {
        let output = place.gainsay(args);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {told}");
        assert!(told.contains(words), "{args:?}: {told}");
    }
    std::fs::create_dir_all(place.0.join("broken/findings")).expect("writable");
    place.write("broken/campaign.sqlite", "this is no database, and long enough to be looked at as one");
    let args =
        ["hunt", "seeds", "--with", "seeds", "--solver", "fake:honest", "--store", "broken", "--resume"];
    let output = place.gainsay(&args);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot be read as a campaign"), "{}", text(&output.stderr));
}

#[test]
fn the_users_file_gives_defaults() {
    let place = seeded("file");
    place.write(
        "gainsay.toml",
        "[solvers.liar]\ncommand = \"fake:honest,when=bvmul,unsat-for-sat\"\n\
         [hunt]\nsolver = [\"liar\", \"fake:honest\"]\nwith = \"seeds\"\nturns = 9\nseed = 4\n",
    );
    let output = place.gainsay(&["hunt", "seeds", "--json"]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let lines: Vec<Value> =
        text(&output.stdout).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines[0]["event"], "begin");
    assert_eq!(lines[0]["seed"], 4);
    assert!(lines.iter().any(|l| l["event"] == "found" && l["against"] == "liar"), "{lines:#?}");
    assert_eq!(lines.last().expect("an end")["event"], "end");
    place.write("gainsay.toml", "[hunt]\nsolvr = \"z3\"\n");
    let output = place.gainsay(&["hunt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("gainsay.toml:2:1: `gainsay hunt` has no flag --solvr"),
        "{}",
        text(&output.stderr)
    );
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

#[test]
fn a_second_writer_is_refused() {
    let place = seeded("writers");
    let mut first = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args([
            "hunt",
            "seeds",
            "--with",
            "seeds",
            "--solver",
            "fake:honest,slow=400",
            "--jobs",
            "1",
            "--turns",
            "7",
        ])
        .current_dir(&place.0)
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("we start");
    let begun = || place.gainsay(&["findings"]).status.code() == Some(0);
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !begun() && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let second = place.gainsay(&["hunt", "seeds", "--with", "seeds", "--solver", "fake:honest", "--resume"]);
    assert_eq!(second.status.code(), Some(5), "{}", text(&second.stderr));
    assert!(text(&second.stderr).contains("is in use by another gainsay"), "{}", text(&second.stderr));
    assert_eq!(place.gainsay(&["findings"]).status.code(), Some(0), "readers are welcome");
    let _ = first.kill();
    let _ = first.wait();
}

/// A campaign of mutants, of which a good many are found wrong.
const CHAINS: &[&str] = &[
    "hunt",
    "seeds",
    "--limits",
    "fixed",
    "--keep-failing",
    "--with",
    "opfuzz",
    "--chain",
    "20",
    "--seed",
    "3",
    "--timeout",
    "2",
    "--turns",
    "120",
    "--solver",
    "fake:honest,when=bvadd,unsat-for-sat",
    "--solver",
    "fake:honest",
];

#[test]
fn killed_at_any_moment_nothing_is_lost_or_doubled() {
    let whole = seeded("unkilled");
    whole.gainsay(CHAINS);
    let expected = outcome(&whole.0);
    assert_eq!(expected.0.len(), 120);
    assert!(!expected.1.is_empty(), "there must be something to lose");
    let killed = seeded("killed");
    for moment in [40, 90, 150, 230, 330, 450, 600] {
        let mut args = CHAINS.to_vec();
        if killed.0.join("gainsay-campaign/campaign.sqlite").exists() {
            args.push("--resume");
        }
        let mut command = killed.command(&args);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("we start");
        std::thread::sleep(std::time::Duration::from_millis(moment));
        let _ = child.kill();
        let _ = child.wait();
    }
    let mut args = CHAINS.to_vec();
    args.push("--resume");
    let last = killed.gainsay(&args);
    assert_eq!(outcome(&killed.0), expected, "{}", text(&last.stderr));
    // Every row has its folder, and every folder its row.
    let found = killed.findings();
    let folders = std::fs::read_dir(killed.0.join("gainsay-campaign/findings")).expect("a folder").count();
    assert_eq!(folders, found.len());
}

/// `--resume` alone goes on with a campaign as it was begun; what is said otherwise is refused, thing by thing.
#[test]
fn a_campaign_is_gone_on_with_as_it_was_begun() {
    let solvers = ["--solver", "fake:honest,when=bvadd,unsat-for-sat", "--solver", "fake:honest"];
    let begin = |place: &Place, turns: &str| {
        let flags = ["--with", "opfuzz", "--chain", "20", "--seed", "3", "--timeout", "20", "--breadth", "8"];
        let more = ["--oracles", "model,differential", "--memory", "1024", "--turns", turns];
        let output = place.gainsay(&[&["hunt", "seeds"], &flags[..], &more, &solvers].concat());
        assert!(matches!(output.status.code(), Some(0 | 10)), "{}", text(&output.stderr));
    };
    let (whole, parts) = (seeded("as-begun-whole"), seeded("as-begun"));
    begin(&whole, "120");
    begin(&parts, "30");
    let refused: &[(&[&str], &str)] = &[
        (&["--seed", "4"], "seed was \"3\", not \"4\""),
        (&["--timeout", "3"], "timeout was \"20 s\", not \"3 s\""),
        (&["--memory", "99"], "memory was \"1024 MB\", not \"99 MB\""),
        (&["--breadth", "9"], "breadth was \"8\", not \"9\""),
        (&["--way", "fresh"], "way was \"reset\", not \"fresh\""),
        (&["--chain", "21"], "opfuzz --chain was \"20\", not \"21\""),
        (&["--with", "seeds"], "strategies was \"opfuzz\", not \"seeds\""),
        (&["--oracles", "all"], "oracles was \"model, differential\", not"),
        (&["--prepare"], "prepare was \"false\", not \"true\""),
        (&["--solver", "fake:honest"], "not \"fake:honest\""),
        (&["seeds/levels.smt2"], "seeds was \"7 seeds"),
    ];
    for (flags, words) in refused {
        let output = parts.gainsay(&[&["hunt", "--resume", "--turns", "120"], *flags].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {told}");
        assert!(told.contains(words), "{flags:?}: {told}");
    }
    let output = parts.gainsay(&["hunt", "--resume", "--turns", "120"]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    assert_eq!(outcome(&parts.0), outcome(&whole.0));
    // A seed that was changed is noticed.
    parts.write("seeds/levels.smt2", "(assert true)(check-sat)");
    let output = parts.gainsay(&["hunt", "--resume", "--turns", "120"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("files were changed"), "{}", text(&output.stderr));
}

/// A file beside a finding that we did not write so is an error that names it; nothing is deleted.
#[test]
fn files_that_cannot_be_read_are_named() {
    let place = seeded("torn-files");
    hunt(&place, "honest,when=bvmul,unsat-for-sat", &[]);
    let found = place.findings();
    let folder = place.0.join(found[0]["file"].as_str().expect("a file"));
    let folder = folder.parent().expect("a folder").to_owned();
    for (name, command) in [
        ("releases.json", &["report", "--as", "json", "-o", "-"][..]),
        ("options.json", &["report", "--as", "json", "-o", "-"]),
        ("reduced.json", &["report", "--as", "json", "-o", "-"]),
    ] {
        std::fs::write(folder.join(name), "{").expect("ours");
        if name == "reduced.json" {
            std::fs::write(folder.join("reduced.smt2"), "(check-sat)").expect("ours");
        }
        let output = place.gainsay(command);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{name}: {told}");
        assert!(told.contains(&format!("{name} cannot be read")), "{name}: {told}");
        std::fs::remove_file(folder.join(name)).expect("ours");
    }
    std::fs::rename(folder.join("case.smt2"), folder.join("lost")).expect("ours");
    let output = place.gainsay(&["findings"]);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("case.smt2 cannot be read: it is not there"));
    std::fs::rename(folder.join("lost"), folder.join("case.smt2")).expect("ours");
    // A folder without a row that cannot be read is moved aside, and said.
    let stray = place.0.join("gainsay-campaign/findings/0099-stray");
    std::fs::create_dir(&stray).expect("ours");
    std::fs::write(stray.join("finding.json"), "{").expect("ours");
    let output = hunt(&place, "honest,when=bvmul,unsat-for-sat", &["--resume"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{told}");
    assert!(told.contains("0099-stray/finding.json cannot be read"), "{told}");
    assert!(place.0.join("gainsay-campaign/unreadable/0099-stray/finding.json").exists(), "{told}");
}

/// A campaign of an earlier form is refused by every command, with what to do.
#[test]
fn a_campaign_of_an_earlier_form_is_refused() {
    let place = seeded("older");
    hunt(&place, "honest", &[]);
    let database =
        rusqlite::Connection::open(place.0.join("gainsay-campaign/campaign.sqlite")).expect("a store");
    database.pragma_update(None, "user_version", 6).expect("ours");
    drop(database);
    let resume = ["hunt", "--resume"];
    let copy = ["store", "copy", "gainsay-campaign", "other"];
    for args in [&["findings"][..], &["status"], &["report", "-o", "-"], &["show", "1"], &resume, &copy] {
        let output = place.gainsay(args);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{args:?}: {told}");
        assert!(
            told.contains("was written by an earlier gainsay")
                && told.contains("go on with the gainsay that wrote it"),
            "{told}"
        );
    }
}

/// A solver that is built anew in the middle of a campaign is refused, unless one says so; then the campaign goes on with it and
/// keeps a note.
#[test]
fn a_campaign_goes_on_with_a_later_build() {
    let place = seeded("rebuilt");
    let solver = place.0.join("build-z3");
    let build = |version: &str, plan: &str| {
        let own = env!("CARGO_BIN_EXE_gainsay");
        let script = format!(
            "#!/bin/sh\n# build {version}\ncase \"$*\" in\n*--version*) echo 'Z3 version 9.9.9 - 64 bit'; exit 0;;\n\
             *) exec {own} drive fake '{plan}';;\nesac\n"
        );
        std::fs::write(&solver, script).expect("writable");
        std::fs::set_permissions(&solver, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("ours");
    };
    build("one", "honest,unsat-for-sat");
    let args = ["hunt", "seeds", "--with", "seeds", "--jobs", "1", "--turns", "2", "--solver", "./build-z3"];
    let output = place.gainsay(&[&args[..], &["--solver", "fake:honest"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let going_on = |more: &[&str]| {
        let output = place.gainsay(&[&["hunt", "--resume", "--turns", "4"], more].concat());
        (output.status.code(), text(&output.stderr))
    };
    build("two", "honest");
    let (code, told) = going_on(&[]);
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("`gainsay hunt --resume --rebuilt` goes on with a later build"), "{told}");
    let (code, told) = going_on(&["--rebuilt"]);
    assert_eq!(code, Some(10), "{told}");
    assert!(told.contains("build-z3 was built anew after 2 turns (digest "), "{told}");
    // The note stays, and the same build is not told twice.
    let (code, told) = going_on(&["--rebuilt"]);
    assert!(code == Some(10) && told.contains("no program is another than before"), "{told}");
    let output = place.gainsay(&["report", "--as", "json"]);
    let told = text(&output.stdout);
    assert!(told.contains("\"built anew\":") && told.contains("after 2 turns"), "{told}");
    // It stands for nothing else: without --resume there is nothing to go on with.
    assert_eq!(place.gainsay(&["hunt", "--rebuilt"]).status.code(), Some(2));
}

#[test]
fn the_budget_of_deciding_is_part_of_a_campaign() {
    let place = Place::new("budget");
    place.write("product.smt2", "(declare-const x (_ BitVec 4))(assert (= (bvmul x #x3) #x9))(check-sat)");
    // No solver of this machine is a witness.
    let run = |args: &[&str]| {
        let home = place.0.join("home");
        let program = env!("CARGO_BIN_EXE_gainsay");
        let command =
            Command::new(program).args(args).env("GAINSAY_HOME", home).current_dir(&place.0).output();
        let output = command.expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let hunting =
        ["hunt", "product.smt2", "--with", "seeds", "--solver", "fake:honest,when=bvmul,unsat-for-sat"];
    let hunting = [&hunting[..], &["--solver", "fake:honest", "--decide", "none"]].concat();
    let (code, told) = run(&hunting);
    assert!(code == Some(10) && told.contains("nobody accused: unconfirmed"), "{told}");
    let (code, told) = run(&["hunt", "--resume"]);
    assert_eq!(code, Some(10), "{told}");
    let (code, told) = run(&["hunt", "--resume", "--decide", "assignments=7"]);
    let changed = told.contains("decide was \"none\", not \"others=") && told.contains(",assignments=7,");
    assert!(code == Some(2) && changed, "{code:?} {told}");
    // Looked at again with the budget of the campaign nobody is accused; with a larger one somebody is.
    let (code, told) = run(&["replay", "1"]);
    assert!(code == Some(10) && !told.contains("but a model satisfies every assertion"), "{told}");
    let (code, told) = run(&["replay", "1", "--decide", "default"]);
    assert!(code == Some(10) && told.contains("but a model satisfies every assertion"), "{told}");
    let (code, told) = run(&["hunt", "--decide", "seconds=3"]);
    assert!(code == Some(2) && told.contains("\"seconds\" is none of others, values,"), "{told}");
}
