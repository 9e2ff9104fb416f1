//! A campaign is the same for any workers and interruptions. What was found is neither lost nor doubled.

use std::collections::BTreeSet;
use std::process::Command;

use super::place::{Place, text};
use super::{SEEDS, hunt, outcome, seeded};
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
        // Of a strategy that is not in both, its flags are no news.
        assert_eq!(told.contains("--chain"), flags.contains(&"--chain"), "{told}");
    }
    // What has a campaign is said before anything is installed.
    let output = parts.gainsay(&["hunt", "--solver", "z3@99.0.0"]);
    assert!(text(&output.stderr).contains("holds a campaign already"), "{}", text(&output.stderr));
    let output = parts.gainsay(&["hunt", "--resume", "--turns", "120"]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    assert_eq!(outcome(&parts.0), outcome(&whole.0));
    // A seed that was changed is noticed.
    parts.write("seeds/levels.smt2", "(assert true)(check-sat)");
    let output = parts.gainsay(&["hunt", "--resume", "--turns", "120"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("files were changed"), "{}", text(&output.stderr));
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
