//! Findings of a campaign: what rests on claims, other solvers in the accused's place, and ends before the end.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Place, told};

/// The findings of a place's campaign.
fn findings(place: &Place) -> Vec<Value> {
    let found = String::from_utf8(place.gainsay(&["findings", "--json"]).stdout).expect("text");
    found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The findings of a hunt with approximations of an unsatisfiable seed, judged by what follows from the seed alone.
fn approximated(place: &Place, solvers: &[&str]) -> Vec<Value> {
    place.write("seed.smt2", "(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))(declare-const c (_ BitVec 3))
        (declare-const idle (_ BitVec 2))(assert (= idle #b01))(assert (and (bvule a b) (bvule b c) (bvult c a)))(assert (= (bvadd a b) (bvmul c #b011)))(check-sat)");
    let hunt = ["hunt", "seed.smt2", "--with", "sae", "--seed", "1", "--turns", "40", "--timeout", "20"];
    let fixed = ["--limits", "fixed", "--keep-failing", "--oracles", "metamorphic", "--decide", "none"];
    let output = place.gainsay(&[&hunt[..], &fixed, solvers].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    findings(place)
}

/// What is kept of a finding when it is reduced.
fn reduced_of(place: &Place, finding: &Value) -> Value {
    let json = PathBuf::from(finding["file"].as_str().expect("a path")).with_file_name("reduced.json");
    serde_json::from_str(&place.read(json.to_str().expect("text"))).expect("JSON")
}

/// A dispute that rests on what a script has from its seed is made again from fewer edits and a smaller seed. What is left of it
/// convicts whoever lied.
#[test]
fn what_rests_on_its_seed_is_decided_when_it_is_smaller() {
    let place = Place::new("seeded");
    let liar = "fake:honest,when=bvslt,sat";
    let found = approximated(&place, &["--solver", liar, "--solver", "fake:honest"]);
    // A rule of ours and another solver alone accuse nobody.
    assert!(!found.is_empty() && found.iter().all(|f| f["kind"] == "disagreement"), "{found:#?}");
    let (mut fewer, mut smaller) = (0, 0);
    for f in found.iter().take(2) {
        let run = |jobs: &str| {
            let id = f["id"].to_string();
            let output = place.gainsay(&["reduce", &id, "-o", "out.smt2", "--timeout", "20", "--jobs", jobs]);
            assert_eq!(output.status.code(), Some(0), "{}", told(&output));
            (place.read("out.smt2"), told(&output))
        };
        let (left, said) = run("1");
        assert_eq!(left, run("3").0, "{said}");
        assert!(left.contains("bvslt"), "{left}");
        assert!(left.len() as u64 <= f["bytes"].as_u64().expect("a number"), "{said}");
        let edits = said.lines().find(|line| line.ends_with("edits are needed")).expect("edits");
        let numbers: Vec<u32> = edits.split(' ').filter_map(|word| word.parse().ok()).collect();
        fewer += u32::from(0 < numbers[0] && numbers[0] < numbers[1]);
        smaller += u32::from(!left.contains("idle"));
        let reduced = reduced_of(&place, f);
        assert_eq!(reduced["against"], liar, "{reduced:#}");
    }
    assert!(fewer > 0 && smaller > 0, "{fewer} {smaller} of {}", found.len());
}

/// A solver that says the truth about the steps from a seed and lies about the mutant convicts itself. Such a finding is made again
/// from fewer edits, and still rests on its claim.
#[test]
fn what_rests_on_its_seed_keeps_its_claims() {
    let place = Place::new("claimed");
    // No step has both operators.
    let found = approximated(&place, &["--solver", "fake:honest,when=bvslt,when=bvmul,sat"]);
    let (mut fewer, mut claimed) = (0, 0);
    for f in found.iter().filter(|f| f["kind"] == "soundness") {
        let id = f["id"].to_string();
        let output = place.gainsay(&["reduce", &id, "-o", "out.smt2", "--timeout", "20"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        let (left, said) = (place.read("out.smt2"), told(&output));
        assert!(left.contains("bvslt") && left.contains("bvmul"), "{left}");
        if !said.contains("it rests on what is claimed of it alone") {
            continue;
        }
        claimed += 1;
        assert!(said.contains("is sat if check 1 is"), "{said}");
        fewer += u32::from((left.len() as u64) < f["bytes"].as_u64().expect("a number"));
        let reduced = reduced_of(&place, f);
        assert_eq!((&reduced["kind"], &reduced["against"]), (&f["kind"], &f["against"]), "{reduced:#}");
        let evidence = reduced["evidence"].as_array().expect("a list");
        assert!(evidence.iter().any(|e| e["type"] == "claimed"), "{reduced:#}");
        // That the steps which are left are sound was asked anew.
        assert!(evidence.iter().any(|e| e["type"] == "asked" && e["answer"] == "unsat"), "{reduced:#}");
    }
    assert!(claimed > 0 && fewer > 0, "{claimed} {fewer} of {found:#?}");
}

/// A campaign whose findings have several edits, of which one matters.
fn edited(place: &Place) -> Value {
    place.write(
        "seed.smt2",
        "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))
        (assert (= (bvadd a b) (bvor c #x3)))(assert (bvult (bvand a c) (bvxor b #x5)))(check-sat)",
    );
    let hunt = ["hunt", "seed.smt2", "--with", "opfuzz", "--seed", "5", "--turns", "200", "--timeout", "20"];
    let faulty = ["--solver", "fake:honest,when=bvmul,unsat-for-sat", "--solver", "fake:honest"];
    let output = place.gainsay(&[&hunt[..], &faulty].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    findings(place).pop().expect("a finding")
}

/// Another solver takes the accused's place; how long it may take holds for leaving edits out, too, and what that asks is counted.
#[test]
fn another_solver_takes_the_place_of_the_accused() {
    let place = Place::new("instead");
    let last = edited(&place);
    let id = last["id"].to_string();
    // (who, what is given besides, what is said, what is not)
    let slow = "fake:honest,when=bvmul,unsat-for-sat,sleep=400";
    let rows: &[(&str, &[&str], i32, &str)] = &[
        ("fake:unsat", &["--for", "60s"], 0, "fake:unsat says unsat but"),
        ("fake:honest,when=bvmul,segv", &[], 2, "nothing is wrong"),
        (slow, &["--for", "2s"], 0, "stopped before the end"),
    ];
    for (who, more, code, says) in rows {
        let begin = Instant::now();
        let args = ["reduce", &id, "-o", "out.smt2", "--timeout", "20", "--jobs", "1", "--solver", who];
        let output = place.gainsay(&[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(*code), "{who}: {}", told(&output));
        assert!(told(&output).contains(says), "{who}: {}", told(&output));
        assert!(!told(&output).contains(" 0 questions"), "{who}: {}", told(&output));
        assert!(begin.elapsed() < Duration::from_secs(40), "{who}: {:?}", begin.elapsed());
        // What is kept with a finding is the accused's.
        let json = PathBuf::from(last["file"].as_str().expect("a path")).with_file_name("reduced.json");
        assert!(!place.0.join(json).exists(), "{who}");
    }
}

/// What is not asked, or fails, is said with its reason.
#[test]
fn why_nothing_is_wrong_is_told() {
    let place = Place::new("why");
    place.write("in.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    let output = place.gainsay(&["reduce", "in.smt2", "--solver", "fake:error=no such thing,exit=1"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("no such thing"), "{}", told(&output));
    // Whom a command leaves nothing to say is not named beside it.
    let output = place.gainsay(&["reduce", "in.smt2", "--solver", "fake:honest", "--", "true"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("leave it or `--solver` out"), "{}", told(&output));
}

/// Starts us in a place, and sends a signal each time one of these words is printed to standard error; the exit status, and what was said
/// there.
#[cfg(unix)]
fn signalled(place: &Place, args: &[&str], signals: &[(&str, &str)]) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(args)
        .current_dir(&place.0)
        .env("TMPDIR", place.0.join("files"))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("we start");
    let mut lines = BufReader::new(child.stderr.take().expect("ours")).lines().map_while(Result::ok);
    let mut said = String::new();
    let mut read_until = |text: &str| {
        let all = lines.by_ref().inspect(|line| said.push_str(&format!("{line}\n")));
        all.take_while(|line| !line.contains(text)).count();
    };
    for (sign, signal) in signals {
        read_until(sign);
        let pid = child.id().to_string();
        Command::new("kill").args(["-s", signal, &pid]).status().expect("there is kill");
    }
    read_until("there is no such line");
    (child.wait().expect("ours").code(), said)
}

/// Ctrl-C gives what there is by then; twice, nothing. No file of a candidate stays.
#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_there_is() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("signal");
    place.write("in.smt2", super::INPUT);
    let test = place.write("test.sh", "#!/bin/sh\nsleep 0.2\ngrep -q bvult \"$1\"\n");
    std::fs::set_permissions(&test, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let files = place.0.join("files");
    std::fs::create_dir(&files).expect("writable");
    let faulty = "fake:honest,when=bvult,sleep=100,unsat-for-sat";
    // (what decides, signals, the exit status, what is said)
    let rows: &[(&[&str], &[&str], i32, &str)] = &[
        (&["--", &test], &["INT"], 0, "stopped by a signal"),
        (&["--", &test], &["TERM", "INT"], 130, "stopping"),
        (&["--solver", faulty, "--solver", "fake:honest"], &["TERM"], 0, "stopped by a signal"),
    ];
    for (who, signals, code, says) in rows {
        let _ = std::fs::remove_file(place.0.join("out.smt2"));
        let args = ["reduce", "in.smt2", "-o", "out.smt2", "-v", "--jobs", "2", "--timeout", "20"];
        let signals: Vec<_> = [" tries: ", "stopping"].into_iter().zip(signals.iter().copied()).collect();
        let (status, said) = signalled(&place, &[&args[..], who].concat(), &signals);
        assert_eq!(status, Some(*code), "{who:?}: {said}");
        assert!(said.contains(says), "{who:?}: {said}");
        if *code == 0 {
            let left = place.read("out.smt2");
            assert!(left.contains("bvult") && left.len() < super::INPUT.len(), "{who:?}: {left}");
        }
        let stay: Vec<_> = std::fs::read_dir(&files).expect("ours").collect();
        assert!(stay.is_empty(), "{who:?}: {stay:?}");
    }
}

/// `triage` lists what it knows by then, keeps what it has reduced, and does the rest the next time.
#[cfg(unix)]
#[test]
fn a_signal_ends_triage_with_what_is_known() {
    let place = Place::new("stopped");
    std::fs::create_dir(place.0.join("files")).expect("writable");
    for (i, term) in ["(bvadd a b)", "(bvmul a b)", "(bvor a b)", "(bvand a b)"].into_iter().enumerate() {
        let text = format!(
            "(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 3))(assert (bvult a {term}))\
             (assert (= b #b101))(check-sat)"
        );
        place.write(&format!("seed{i}.smt2"), &text);
    }
    let faulty = "fake:honest,when=bvult,sleep=50,unsat-for-sat";
    let hunt = [
        "hunt",
        "seed0.smt2",
        "seed1.smt2",
        "seed2.smt2",
        "seed3.smt2",
        "--with",
        "seeds",
        "--timeout",
        "20",
    ];
    let output = place.gainsay(&[&hunt[..], &["--solver", faulty, "--solver", "fake:honest"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    let count = findings(&place).len();
    assert!(count >= 3, "{}", told(&output));
    let triage = ["triage", "--jobs", "1", "--timeout", "20"];
    let (status, said) = signalled(&place, &triage, &[("finding ", "INT")]);
    // The faults are listed, though nothing more was found out about them.
    assert_eq!(status, Some(10), "{said}");
    assert!(said.contains("stopped: 0 of") && said.contains("is kept"), "{said}");
    let reduced = said.lines().filter(|line| line.contains(" bytes (")).count();
    assert!((1..count).contains(&reduced), "{said}");
    let output = place.gainsay(&triage);
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    assert!(told(&output).contains(&format!("(1 of {})", count - reduced)), "{}", told(&output));
}
