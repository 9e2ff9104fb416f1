//! Reduction, end to end: planted faults stay what they are, their evidence is established anew, and a command decides
//! where there is no solver.

mod decided;
mod stored;
mod triage;
#[path = "../witness/mod.rs"]
mod witness;

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of its own for a test, gone with it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place = std::env::temp_dir().join(format!("gainsay-reduce-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("writable");
        Place(place)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let place = self.0.join(name);
        std::fs::write(&place, text).expect("writable");
        place.display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Runs the program where no solver is installed.
    fn alone(&self, args: &[&str]) -> Output {
        self.at_home("home", args)
    }

    /// Runs the program where an honest witness is installed.
    fn gainsay(&self, args: &[&str]) -> Output {
        let home = self.0.join("witness");
        if !home.exists() {
            witness::install(&home);
        }
        self.at_home("witness", args)
    }

    fn at_home(&self, home: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
        command.args(args).current_dir(&self.0).env("GAINSAY_HOME", self.0.join(home));
        command.output().expect("we start")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const INPUT: &str = "; found by hand
(set-logic QF_BV)(declare-const one (_ BitVec 4))(declare-const two (_ BitVec 4))(declare-const p Bool)
(assert (=> p (= (bvadd one #x1) (bvmul two #x3))))(assert (or p (bvult one #x9)))(assert (! p :named side))
(check-sat)(get-model)";

/// The same, which nothing satisfies.
const UNSAT: &str = "(set-option :produce-unsat-cores true)(set-logic QF_BV)
(declare-const one (_ BitVec 3))(declare-const two (_ BitVec 3))(declare-const p Bool)
(assert (! (=> p (= (bvmul one two) #b011)) :named first))(assert (! (and p (bvult two #b001)) :named second))
(assert (! (or p (= one two)) :named third))(check-sat)";

/// Of each planted fault: what is left is small, still has what triggers it, is a finding of the same kind to a hunt that has
/// never seen it, and its evidence holds when it is looked at again.
#[test]
fn planted_faults_keep_their_evidence() {
    // The fault, what triggers it, the kind, and what is said of its evidence.
    let rows: &[(&str, &str, &str, &str)] = &[
        ("honest,when=bvmul,unsat-for-sat", "bvmul", "soundness", "every assertion in scope is true"),
        ("honest,when=bvmul,wrong-model", "bvmul", "wrong-model", "an assertion in scope is false"),
        ("honest,when=bvmul,wrong-core", "bvmul", "wrong-core", "every assertion in scope is true"),
        ("honest,when=bvmul,segv", "bvmul", "crash", "still so"),
        ("honest,when=bvult,assertion", "bvult", "crash", "still so"),
        ("honest,when=bvult,self-check", "bvult", "self-check", "still so"),
        ("honest,when=bvult,sat-for-unsat", "bvult", "soundness", "an assertion in scope is false"),
        ("honest,when=bvult,lie", "bvult", "soundness", "every assertion in scope is true"),
    ];
    let place = Place::new("planted");
    for (plan, word, kind, said) in rows {
        let input = if plan.ends_with("core") || plan.ends_with("for-unsat") { UNSAT } else { INPUT };
        place.write("in.smt2", input);
        let faulty = format!("fake:{plan}");
        let args = ["reduce", "in.smt2", "-o", "out.smt2", "--solver", &faulty, "--solver", "fake:honest"];
        let output = place.gainsay(&[&args[..], &["--timeout", "20", "--jobs", "2"]].concat());
        assert_eq!(output.status.code(), Some(0), "{plan}: {}", told(&output));
        let left = place.read("out.smt2");
        assert!(left.contains(word) && left.len() <= 140, "{plan}: {left}");
        // A hunt looks at what is left as if it had never seen it.
        let _ = std::fs::remove_dir_all(place.0.join("gainsay-campaign"));
        let hunt =
            ["hunt", "out.smt2", "--with", "seeds", "--seed", "1", "--timeout", "20", "--solver", &faulty];
        let output = place.gainsay(&[&hunt[..], &["--solver", "fake:honest"]].concat());
        assert_eq!(output.status.code(), Some(10), "{plan}: {left}\n{}", told(&output));
        let found = String::from_utf8(place.gainsay(&["findings", "--json"]).stdout).expect("text");
        let found: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let same = found.iter().find(|f| f["kind"] == *kind && f["against"] == faulty.as_str());
        let same = same.unwrap_or_else(|| panic!("{plan}: {left}\n{found:#?}"));
        let output = place.gainsay(&["replay", &same["id"].to_string(), "--timeout", "20"]);
        assert_eq!(output.status.code(), Some(10), "{plan}: {left}\n{}", told(&output));
        assert!(told(&output).contains(said), "{plan}: {left}\n{}", told(&output));
    }
}

/// A constructed case is made again from smaller choices; what only its claims show to be wrong keeps them.
#[test]
fn a_constructed_case_is_made_again() {
    let place = Place::new("construct");
    let hunt =
        ["hunt", "--with", "construct", "--theory", "bitvec", "--only", "larger-core/V1", "--seed", "1"];
    let more = ["--turns", "16", "--timeout", "20", "--solver", "fake:sat", "--solver", "fake:unsat"];
    let output = place.gainsay(&[&hunt[..], &more].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    let found = String::from_utf8(place.gainsay(&["findings", "--json"]).stdout).expect("text");
    let found: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let soundness = found.iter().filter(|f| f["kind"] == "soundness");
    let largest = soundness.max_by_key(|f| f["bytes"].as_u64()).expect("a finding");
    let id = largest["id"].to_string();
    let output = place.gainsay(&["reduce", &id, "-o", "out.smt2", "--timeout", "20", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("made again as `bitvectors/larger-core/V1/"), "{}", told(&output));
    let left = place.read("out.smt2");
    assert!((left.len() as u64) < largest["bytes"].as_u64().expect("a number"), "{left}");
    // Its own claim shows that it is unsatisfiable, or it became so small that evaluation does.
    let folder = PathBuf::from(largest["file"].as_str().expect("a path"));
    let json = folder.with_file_name("reduced.json");
    let reduced: Value = serde_json::from_str(&place.read(json.to_str().expect("text"))).expect("JSON");
    assert_eq!(
        (&reduced["kind"], &reduced["against"]),
        (&"soundness".into(), &"fake:sat".into()),
        "{reduced:#}"
    );
    let has =
        |kind: &str| reduced["evidence"].as_array().is_some_and(|all| all.iter().any(|e| e["type"] == kind));
    let claims = reduced["claims"].as_array().is_some_and(|all| !all.is_empty());
    assert!(has("claimed") && claims || has("falsified") || has("exhausted"), "{reduced:#}");
}

#[test]
fn jobs_change_nothing_and_honest_solvers_have_nothing_to_shrink() {
    let place = Place::new("jobs");
    place.write("in.smt2", INPUT);
    let run = |jobs: &str| {
        let args = ["reduce", "in.smt2", "--solver", "fake:honest,when=bvmul,unsat-for-sat", "--solver"];
        let output =
            place.gainsay(&[&args[..], &["fake:honest", "--timeout", "20", "--jobs", jobs]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(run("1"), run("3"));
    let output = place.gainsay(&["reduce", "in.smt2", "--solver", "fake:honest", "--timeout", "20"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("nothing is wrong"), "{}", told(&output));
}

/// However a session differs from fresh processes, what is left is what they show, and as small as if they alone had been asked.
#[test]
fn what_only_a_session_shows_is_not_what_is_left() {
    let place = Place::new("session");
    place.write("in.smt2", INPUT);
    let run = |faulty: &str, jobs: &str| {
        let args = ["reduce", "in.smt2", "-o", "out.smt2", "--solver", faulty, "--solver", "fake:honest"];
        let output = place.gainsay(&[&args[..], &["--timeout", "20", "--jobs", jobs]].concat());
        assert_eq!(output.status.code(), Some(0), "{faulty}: {}", told(&output));
        (place.read("out.smt2"), told(&output))
    };
    let (expected, said) = run("fake:honest,when=bvmul,unsat-for-sat", "1");
    assert!(expected.contains("bvmul") && expected.len() < 90, "{expected}\n{said}");
    let rows = [
        // It is wrong about everything once it has answered;
        "fake:honest,when=bvmul,unsat-for-sat;honest,unsat-for-sat",
        // within a scope;
        "fake:honest,when=bvmul,unsat-for-sat,scoped,unsat-for-sat",
        // or it thinks without end once it has answered.
        "fake:honest,when=bvmul,unsat-for-sat;hang",
    ];
    for faulty in rows {
        for jobs in ["1", "3"] {
            let (left, said) = run(faulty, jobs);
            assert_eq!(left, expected, "{faulty} {jobs}: {said}");
        }
    }
}

/// A script of our own, which greps; no solver is asked.
#[cfg(unix)]
#[test]
fn any_command_can_decide() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("command");
    place.write("in.smt2", INPUT);
    let test = place.write("test.sh", "#!/bin/sh\ngrep -q bvult \"$1\" && echo seen && exit 3\nexit 0\n");
    let good = place.write("good.sh", "#!/bin/sh\ngrep -q p \"$1\"\n");
    for file in [&test, &good] {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }
    let base = ["reduce", "in.smt2", "-o", "out.smt2", "--jobs", "2"];
    let output = place.gainsay(&[&base[..], &["--match-out", "seen", "--", &test]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(place.read("out.smt2").trim(), "(assert (bvult #b0 #b0))");
    let output = place.gainsay(&[&base[..], &["--cross-check", &good, "--", &test]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let left = place.read("out.smt2");
    assert!(left.contains("bvult") && left.contains('p') && left.len() < 90, "{left}");
    let output = place.gainsay(&[&base[..], &["--match-err", "never", "--", &test]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let output = place.gainsay(&["reduce", "none.smt2", "--", &test]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    // What it prints counts, but for the name of the file, unless it is not to.
    let sorts = place.write("sorts.sh", "#!/bin/sh\necho \"$1\"\ngrep -o Bool \"$1\"\nexit 0\n");
    let moody =
        place.write("moody.sh", "#!/bin/sh\necho x >> \"$0.log\"\nexit $(($(wc -l < \"$0.log\") % 2))\n");
    let talks = place.write("talks.sh", "#!/bin/sh\ndate +%N\ngrep -q bvult \"$1\"\n");
    for file in [&sorts, &moody, &talks] {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }
    let left = |args: &[&str]| {
        let output = place.gainsay(&[&base[..], args].concat());
        (output.status.code(), place.read("out.smt2"), told(&output))
    };
    let (code, text, said) = left(&["--", &sorts]);
    assert_eq!((code, text.trim()), (Some(0), "(declare-const a Bool)\n(assert a)"), "{said}");
    let (code, text, said) = left(&["--ignore-output", "--", &sorts]);
    assert_eq!((code, text.trim()), (Some(0), ""), "{said}");
    assert!(said.contains("what is left is nothing"), "{said}");
    let (code, _, said) = left(&["--", &moody]);
    assert!(code == Some(2) && said.contains("does not do the same each time"), "{said}");
    let (code, _, said) = left(&["--", &talks]);
    assert!(code == Some(2) && said.contains("--ignore-output"), "{said}");
    let (code, text, said) = left(&["--ignore-out", "--", &talks]);
    assert_eq!((code, text.trim()), (Some(0), "(assert (bvult #b0 #b0))"), "{said}");
    // What would be ignored is refused, and so is a result that could not be written.
    for args in [&["--match-out", "x"][..], &["--slower-than", "5s", "--", "true"], &["-o", "no/such/place"]]
    {
        let output = place.gainsay(&[&["reduce", "in.smt2", "--solver", "fake:honest"][..], args].concat());
        assert!(matches!(output.status.code(), Some(2 | 5)), "{args:?}: {}", told(&output));
        assert!(!told(&output).contains("nothing is wrong"), "{args:?}: {}", told(&output));
    }
}

/// A mutant's finding is reduced by leaving out edits first, and a claim between scripts does not outlive the change.
#[test]
fn edits_that_are_not_needed_are_left_out() {
    let place = Place::new("edits");
    place.write("seed.smt2", "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))(assert (= (bvadd a b) (bvor c #x3)))(assert (bvult (bvand a c) (bvxor b #x5)))(check-sat)");
    let faulty = "fake:honest,when=bvmul,unsat-for-sat";
    let hunt = [
        "hunt",
        "seed.smt2",
        "--with",
        "opfuzz",
        "--seed",
        "5",
        "--turns",
        "400",
        "--timeout",
        "20",
        "--solver",
        faulty,
    ];
    let output = place.gainsay(&[&hunt[..], &["--solver", "fake:honest"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    let found = String::from_utf8(place.gainsay(&["findings", "--json"]).stdout).expect("text");
    let found: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = found.last().expect("a finding")["id"].to_string();
    let output = place.gainsay(&["reduce", &last, "-o", "out.smt2", "--timeout", "20", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let told = told(&output);
    let line =
        told.lines().find(|line| line.ends_with("edits are needed")).unwrap_or_else(|| panic!("{told}"));
    let numbers: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] < numbers[1] && numbers[0] > 0, "{line}");
    let left = place.read("out.smt2");
    assert!(left.contains("bvmul") && left.len() <= 90, "{left}");
}

/// With `--any` another crash will do; without it, it must be the same.
#[test]
fn the_place_of_a_crash_stays() {
    let place = Place::new("any");
    let text = "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(assert (distinct (bvmul a b) #x3))(check-sat)";
    place.write("in.smt2", text);
    // With bvmul it dies by an assertion, without it by a signal.
    let faulty = "fake:honest,when=bvmul,assertion,when=distinct,segv";
    let run = |more: &[&str]| {
        let args =
            ["reduce", "in.smt2", "-o", "out.smt2", "--solver", faulty, "--timeout", "20", "--jobs", "1"];
        let output = place.gainsay(&[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        place.read("out.smt2")
    };
    assert!(run(&[]).contains("bvmul"));
    assert!(!run(&["--any"]).contains("bvmul"));
}

/// Time is what stays where time is asked for.
#[test]
fn what_is_slow_stays_slow() {
    let place = Place::new("slow");
    place.write("in.smt2", INPUT);
    let args =
        ["reduce", "in.smt2", "-o", "out.smt2", "--solver", "fake:honest,when=bvult,burn=700", "--jobs", "1"];
    let output = place.gainsay(&[&args[..], &["--slower-than", "0.5s", "--timeout", "20"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let left = place.read("out.smt2");
    assert!(left.contains("bvult") && left.len() <= 60, "{left}");
    let output = place.gainsay(&[&args[..], &["--slower-than", "15s", "--timeout", "20"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let output = place.gainsay(&[&args[..], &["--slower-than", "rlimit=1000"]].concat());
    assert!(told(&output).contains("needs no more than that"), "a fake counts nothing: {}", told(&output));
    let output = place.gainsay(&[&args[..], &["--slower-than", "rlimit=many"]].concat());
    assert!(told(&output).contains("a whole number after rlimit="), "{}", told(&output));
}
