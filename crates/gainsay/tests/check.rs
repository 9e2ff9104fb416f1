//! `gainsay check` as a person or a script uses it: its table, its JSON, its exit codes.

use std::path::PathBuf;
use std::process::{Command, Output};

fn gainsay(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gainsay")).args(args).output().expect("our program starts")
}

fn script(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("gainsay-check-{}-{name}.smt2", std::process::id()));
    std::fs::write(&place, "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n").expect("a file");
    place
}

fn fake(plan: &str) -> String {
    format!("{} drive fake {plan}", env!("CARGO_BIN_EXE_gainsay"))
}

#[test]
fn json_has_its_fields() {
    let file = script("json");
    let path = file.to_string_lossy();
    let solvers = [fake("sat"), fake("signal=11"), fake("unsat")];
    let output = gainsay(&[
        "check",
        &path,
        "--json",
        "--solver",
        &solvers[0],
        "--solver",
        &solvers[1],
        "--solver",
        &solvers[2],
    ]);
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let rows: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(rows.len(), 3);
    for (row, solver) in rows.iter().zip(&solvers) {
        assert_eq!(row["solver"], **solver);
        assert!(row["ms"].is_number() && row["mb"].is_number(), "{row}");
    }
    assert_eq!(rows[0]["answers"], serde_json::json!(["sat"]));
    assert_eq!(rows[0]["model"], "true");
    assert_eq!(rows[1]["ending"], "SIGSEGV");
    assert_eq!(rows[1]["outcome"], "crashed");
    assert_eq!(rows[2]["model"], serde_json::Value::Null);
    assert_eq!(rows[2]["core"], serde_json::json!(["a", "b"]));
}

#[test]
fn the_table_has_a_line_for_each() {
    let file = script("table");
    let path = file.to_string_lossy();
    let output = gainsay(&["check", &path, "--solver", &fake("sat"), "--solver", &fake("error=no,unsat")]);
    std::fs::remove_file(&file).expect("removed");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("solver"));
    assert!(lines[1].contains(" sat ") && lines[1].contains("exited 0"), "{text}");
    assert!(lines[2].contains(" - ") && lines[2].ends_with("no"), "{text}");
}

#[test]
fn exit_codes_tell_what_went_wrong() {
    let file = script("codes");
    let path = file.to_string_lossy();
    let code = |args: &[&str]| gainsay(args).status.code();
    assert_eq!(code(&["check"]), Some(2));
    assert_eq!(code(&["check", &path, "--solver", "nosuchsolver"]), Some(4));
    assert_eq!(code(&["check", &path, "--solver", "z3@77"]), Some(4));
    assert_eq!(code(&["check", &path, "--solver", &fake("sat"), "--configs", "nosuch"]), Some(4));
    assert_eq!(code(&["check", "no/such/file.smt2", "--solver", &fake("sat")]), Some(2));
    assert_eq!(code(&["check", "src", "--solver", &fake("sat")]), Some(2));
    assert_eq!(code(&["check", &path, "--solver", &fake("sat"), "--timeout", "0"]), Some(2));
    assert_eq!(code(&["check", &path, "--solver", &fake("sat"), "--timeout", "-1"]), Some(2));
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(code(&["solvers", "install", "nosuchsolver"]), Some(4));
    assert_eq!(code(&["solvers", "list"]), Some(0));
}

/// What is for a database is none of a solver's business.
#[test]
fn a_solver_does_not_see_the_password_of_a_database() {
    let file = script("environment");
    let place = std::env::temp_dir().join(format!("gainsay-check-{}-spy", std::process::id()));
    let seen = place.with_extension("seen");
    std::fs::write(&place, format!("#!/bin/sh\nenv >> {}\necho sat\n", seen.display())).expect("a file");
    let can_run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&place, can_run).expect("ours");
    let output = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(["check", &file.to_string_lossy(), "--solver", &place.to_string_lossy()])
        .envs([("PGPASSWORD", "s3cret"), ("PGPASSFILE", "/s3cret"), ("GAINSAY_SEEN", "yes")])
        .output()
        .expect("our program starts");
    let told = std::fs::read_to_string(&seen).unwrap_or_default();
    for file in [file, place, seen] {
        std::fs::remove_file(&file).expect("removed");
    }
    assert!(told.contains("GAINSAY_SEEN=yes") && !told.contains("s3cret"), "{told}\n{output:?}");
}

#[test]
fn decide_says_what_it_can_and_where_it_cannot() {
    let place = std::env::temp_dir().join(format!("gainsay-decide-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder");
    let file = place.join("a.smt2");
    let path = file.to_string_lossy().into_owned();
    let bits = "(declare-const a (_ BitVec 24))(assert (= (bvmul a a) #x000003))(check-sat)";
    // The script, the budget, the exit code, and what is printed on both streams.
    let rows: &[(&str, &str, i32, &[&str])] = &[
        ("(assert true)", "9", 0, &["has no (check-sat), so there is nothing to decide"]),
        ("(assert (= 1 1))(check-sat)", "9", 0, &["sat\n()\n"]),
        (
            "(declare-const x Bool)(assert x)(check-sat)(assert (not x))(check-sat)",
            "9",
            0,
            &[
                "check 1: sat\n(\n  (define-fun x () Bool true)\n)\n",
                "check 2: unsat: none of 2 assignments satisfies it",
            ],
        ),
        (
            "(declare-const x Bool)(push 1)(assert x)(check-sat)(pop 1)(check-sat-assuming ((not x)))",
            "9",
            0,
            &[
                "check 1: sat\n(\n  (define-fun x () Bool true)",
                "check 2: sat\n(\n  (define-fun x () Bool false)",
            ],
        ),
        (
            "(declare-const n Int)(assert (< 2 n 9))(assert (= (* n n) 8))(check-sat)",
            "99",
            0,
            &["unsat: none of "],
        ),
        (
            "(declare-const n Int)(assert (= (* n n) 8))(check-sat)",
            "99",
            0,
            &["unknown: the values of n cannot"],
        ),
        (bits, "1000", 0, &["unknown: 1000 assignments were tried, and there are more"]),
        ("(declare-const x Int)\n(assert (foo x))(check-sat)", "9", 0, &["unknown: (foo x)", "a.smt2:2:9: "]),
        ("(declare-const x Bool)\n(assert (and x\n(check-sat)", "9", 1, &["a.smt2:2:1: this parenthesis"]),
        (
            "(declare-fun f (Bool) Bool)(assert (distinct (f true) (f false) true))(check-sat)",
            "99",
            0,
            &["unsat: none"],
        ),
        (
            "(assert (forall ((b (_ BitVec 3))) (exists ((c (_ BitVec 3))) (= (bvadd b c) #b000))))(check-sat)",
            "9",
            0,
            &["sat\n()\n"],
        ),
    ];
    for (script, budget, code, shown) in rows {
        std::fs::write(&file, script).expect("a file");
        let output = gainsay(&["decide", &path, "--budget", budget]);
        let told =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{script}: {told}");
        for part in *shown {
            assert!(told.contains(part), "{script}: {part} is not in {told}");
        }
    }
    let folder = place.to_string_lossy().into_owned();
    for (named, why) in
        [(folder.as_str(), "it is a directory; name one script"), ("/nowhere/a.smt2", "cannot read")]
    {
        let output = gainsay(&["decide", named]);
        assert_eq!(output.status.code(), Some(2), "{named}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{named}: {output:?}");
    }
    std::fs::remove_dir_all(&place).expect("removed");
}
