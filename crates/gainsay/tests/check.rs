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
