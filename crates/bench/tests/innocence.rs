//! `gainsay bench innocence` on fake solvers: nobody honest is accused, a liar is, and all is counted.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Oracles that do not depend on the clock.
const ORACLES: &str = "crash,self-check,model,constructed,metamorphic,differential,core";

/// A folder of its own for a test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let place = std::env::temp_dir().join(format!("gainsay-innocence-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("writable");
        let write = |file: &str, text: &str| std::fs::write(place.join(file), text).expect("writable");
        write("product.smt2", "(declare-const a (_ BitVec 4))(assert (= (bvmul a #x3) #x9))(check-sat)\n");
        write(
            "sum.smt2",
            "(declare-const a (_ BitVec 4))(declare-const p Bool)(assert (or p (bvult a #x3)))\
             (assert (= (bvadd a #x1) #x9))(check-sat)\n",
        );
        write("refused.smt2", "(assert (+ 1 true))\n");
        Folder(place)
    }

    /// Runs the command there. No solver of this machine is seen.
    fn innocence(&self, args: &[&str]) -> Output {
        Command::new(Path::new(env!("CARGO_BIN_EXE_gainsay-bench")))
            .arg("innocence")
            .args(args)
            .current_dir(&self.0)
            .env("GAINSAY_HOME", self.0.join("home"))
            .output()
            .expect("we start")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The numbers in the line of the table that begins with a name.
fn line(printed: &str, name: &str) -> Vec<u64> {
    let line = printed.lines().find(|line| line.split_whitespace().next() == Some(name));
    let cells = line.unwrap_or_else(|| panic!("no line of {name}:\n{printed}")).split_whitespace().skip(1);
    cells.map(|cell| cell.parse().expect("a number")).collect()
}

#[test]
fn honest_solvers_are_not_accused_and_all_is_counted() {
    let folder = Folder::new("honest");
    let solvers = ["--solver", "fake:honest", "--solver", "fake:honest,when=never,lie"];
    let what = ["product.smt2", "sum.smt2", "refused.smt2", "--mutants", "3", "--with"];
    let how = ["seeds,opfuzz,typefuzz", "--oracles", ORACLES, "--jobs", "2", "--store", "all"];
    let output = folder.innocence(&[&what[..], &how, &solvers].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    for nothing in
        ["== Accusations: 0\n", "nobody is accused: 0\n", "2 seeds; 1 file cannot be used:\n  1 refused"]
    {
        assert!(printed.contains(nothing), "{nothing}: {printed}");
    }
    assert_eq!(line(&printed, "seeds")[..7], [2, 0, 0, 0, 0, 0, 0], "{printed}");
    assert_eq!(line(&printed, "opfuzz")[..7], [6, 0, 0, 0, 0, 0, 0], "{printed}");
    assert_eq!(line(&printed, "typefuzz")[..7], [6, 0, 0, 0, 0, 0, 0], "{printed}");
    assert_eq!(line(&printed, "all")[..7], [14, 0, 0, 0, 0, 0, 0], "{printed}");

    // The campaign is over, so going on with it changes nothing.
    let again = folder.innocence(&["--resume", "--store", "all"]);
    let again = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(line(&again, "all"), line(&printed, "all"));
    assert!(again.contains("this run: 0 turns"), "{again}");
    for (args, why) in [
        (&["--resume", "--store", "none"][..], "--resume: there is no campaign in none"),
        (&["--resume", "--store", "all", "--with", "seeds"], "cannot be used with"),
        (&["product.smt2", "--store", "all", "--solver", "fake:honest"], "--resume"),
        (&["--with", "opfuz"], "opfuzz"),
    ] {
        let refused = folder.innocence(args);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() != Some(0) && told.contains(why), "{args:?}: {told}");
    }
}

#[test]
fn a_liar_is_accused_with_evidence() {
    let folder = Folder::new("liar");
    let liar = "fake:honest,when=bvmul,unsat-for-sat";
    let output = folder.innocence(&[
        "product.smt2",
        "sum.smt2",
        "--with",
        "seeds",
        "--oracles",
        ORACLES,
        "--store",
        "lies",
        "--solver",
        liar,
        "--solver",
        "fake:honest",
    ]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{printed}");
    for shown in [
        "== Accusations: 1\n",
        &format!("# 1. soundness of {liar}\n"),
        "- Our evaluator finds every assertion in scope at check 1 true under the model of gainsay",
        "- Asked with the model written in as definitions (`pinned.smt2`), fake:honest answers sat.",
        "(assert (= (bvmul a #x3) #x9))",
    ] {
        assert!(printed.contains(shown), "{shown}: {printed}");
    }
    assert_eq!(line(&printed, "seeds")[..7], [2, 1, 1, 0, 0, 0, 0], "{printed}");
    assert!(!printed.contains("\n0 questions asked in deciding"), "{printed}");
}

#[test]
fn what_our_evaluation_alone_says_accuses_nobody() {
    let folder = Folder::new("undecided");
    // No search, and nobody besides the one who gave the model: nothing confirms it.
    let output = folder.innocence(&[
        "product.smt2",
        "--with",
        "seeds",
        "--oracles",
        ORACLES,
        "--decide",
        "none",
        "--store",
        "lies",
        "--solver",
        "fake:honest,when=bvmul,unsat-for-sat",
        "--solver",
        "fake:honest",
    ]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(
        printed.contains("== Unconfirmed: our evaluation alone speaks, nobody is accused: 1\n"),
        "{printed}"
    );
    assert_eq!(line(&printed, "seeds")[..7], [1, 1, 0, 0, 1, 0, 0], "{printed}");
}
