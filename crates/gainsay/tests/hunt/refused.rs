//! Arguments, files and campaigns that cannot be used are refused with a sentence that names them.

use std::process::Command;

use serde_json::Value;

use super::place::text;
use super::{hunt, seeded};

#[test]
fn bad_input_gets_a_sentence() {
    let place = seeded("bad");
    place.write("seeds/../bad.smt2", "(assert (+ 1 true))");
    place.write("plain", "");
    let rows: &[(&[&str], i32, &str)] = &[
        (&["hunt", "nowhere"], 2, "nowhere: No such file"),
        (&["hunt", "bad.smt2"], 2, "no usable seed among 1 file\n  1 refused, such as bad.smt2"),
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
