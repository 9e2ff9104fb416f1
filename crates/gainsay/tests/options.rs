//! Options, tactics and simplifiers that are drawn: faults that need one are found and named, and nothing is found where
//! nothing is wrong.

mod place;

use serde_json::Value;

use gainsay::solver::SettingClass;
use gainsay::solver::testing::require;
use place::{Place, text};

const SEEDS: &[(&str, &str)] = &[
    ("mul", "(declare-const x (_ BitVec 4))(assert (= (bvmul x #x3) #x9))(check-sat)"),
    ("add", "(declare-const x (_ BitVec 4))(assert (= (bvadd x #x3) (bvmul x #x2)))(check-sat)"),
    ("none", "(declare-const x (_ BitVec 4))(assert (bvult (bvadd x #x1) (bvmul x #x0)))(check-sat)"),
    (
        "levels",
        "(declare-const x (_ BitVec 3))(assert (bvult x #b011))(check-sat)(push 1)(assert (bvugt x #b100))(check-sat)(pop 1)(check-sat)",
    ),
];

const TABLE: &str = r#"
[z3]
safe = [
    { option = "a", values = ["1", "2"] },
    { option = "b", values = ["1"] },
    { option = "c", values = ["1", "2", "3"], theories = ["strings"] },
    { option = "d", values = ["1"], until = "4.8.7" },
    { tactic = "(then s t)" },
]
experimental = [{ simplifier = "u" }]
refused = [{ option = "e", values = ["1"] }]
"#;

fn seeded(name: &str) -> Place {
    let place = Place::new(&format!("options-{name}"));
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in SEEDS {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    std::fs::write(place.0.join("options.toml"), TABLE).expect("writable");
    place
}

fn findings(place: &Place) -> Vec<Value> {
    let output = place.gainsay(&["findings", "--json"]);
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const HUNT: &[&str] =
    &["hunt", "seeds", "--with", "opfuzz", "--seed", "3", "--timeout", "20", "--options", "options.toml"];

#[test]
fn a_fault_that_needs_options_is_named_with_them_and_no_others() {
    // The fault, the kind of finding, and the options that it needs.
    let rows = [
        ("honest,with=a=2,unsat-for-sat", "soundness", "a=2"),
        ("honest,with=a=2,with=b=1,segv", "crash", "a=2 b=1"),
        ("honest,with=tactic:(then s t),when=bvadd,assertion", "crash", "'tactic:(then s t)'"),
        ("honest,with=simplifier:u,wrong-model", "wrong-model", "simplifier:u"),
        ("honest,when=bvmul,segv", "crash", ""),
    ];
    for (plan, kind, options) in rows {
        let place = seeded(&plan.replace([',', '=', ':', '(', ')', ' '], "-"));
        let faulty = shlex_quoted(&format!("fake:{plan}"));
        let output = place
            .gainsay(&[HUNT, &["--turns", "1000", "--solver", &faulty, "--solver", "fake:honest"]].concat());
        let found = findings(&place);
        let told = format!("{plan}: {found:#?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(10), "{told}");
        let blamed = format!("{faulty} {options}");
        let sorted = |name: &str| {
            let mut words = gainsay::solver::id::split_words(name).expect("words");
            words.sort();
            words
        };
        for finding in &found {
            let against = finding["against"].as_str().expect(&told);
            assert_eq!(sorted(against), sorted(blamed.trim()), "{told}");
            assert_eq!(finding["kind"], kind, "{told}");
        }
        let reduced = place.gainsay(&["reduce", "1"]);
        let told = format!("{plan}: {}\n{}", text(&reduced.stdout), text(&reduced.stderr));
        assert_eq!(reduced.status.code(), Some(0), "{told}");
        let again = place.gainsay(&["replay", "1"]);
        assert_eq!(again.status.code(), Some(10), "{plan}: {}", text(&again.stdout));
    }
}

/// A name as `--solver` takes it: with quotes if it has blanks.
fn shlex_quoted(name: &str) -> String {
    if name.contains(' ') { format!("'{name}'") } else { name.to_owned() }
}

#[test]
fn the_reducer_drops_options_that_do_not_matter() {
    let place = seeded("reduce");
    let script = "(declare-const x (_ BitVec 4))(declare-const p Bool)(assert (or p (= (bvmul x #x3) #x9)))(check-sat)";
    std::fs::write(place.0.join("case.smt2"), script).expect("writable");
    let output = place.gainsay(&[
        "reduce",
        "case.smt2",
        "--solver",
        "fake:honest,with=a=2,when=bvmul,segv b=1 a=2 c=3 tactic:t",
    ]);
    let told = format!("{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("segv a=2") && !told.contains("b=1 a=2"), "{told}");
}

#[test]
fn honest_solvers_with_options_are_not_accused() {
    let place = seeded("honest");
    let output = place.gainsay(
        &[
            &[
                "hunt",
                "seeds",
                "--with",
                "opfuzz,typefuzz",
                "--seed",
                "1",
                "--timeout",
                "20",
                "--options",
                "all",
            ],
            &["--turns", "600", "--solver", "fake:honest", "--solver", "fake:honest,when=zzz,lie"][..],
        ]
        .concat(),
    );
    let told = format!("{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(findings(&place).is_empty(), "{told}");
    // A campaign that is gone on with draws the same settings, and refuses others.
    let more = place.gainsay(&["hunt", "--resume", "--turns", "620"]);
    assert_eq!(more.status.code(), Some(0), "{}", text(&more.stderr));
    let other = place.gainsay(&["hunt", "--resume", "--turns", "640", "--options", "safe"]);
    assert_ne!(other.status.code(), Some(0));
    assert!(text(&other.stderr).contains("options was \"all\""), "{}", text(&other.stderr));
}

#[test]
fn what_a_solver_does_not_take_is_left_out_with_a_line() {
    let place = seeded("left-out");
    let solver = ["--turns", "5", "--solver", "fake:honest,with=b=1,refuse"];
    let output = place.gainsay(&[HUNT, &solver[..]].concat());
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let line = "is asked with 7 settings; left out because it does not take them: 2 (d=1, b=1)";
    assert!(told.contains(line), "{told}");
    for (options, why) in [("nowhere.toml", "nowhere.toml"), ("seeds/mul.smt2", "mul.smt2:1:")] {
        let hunt = ["hunt", "seeds", "--solver", "fake:honest", "--store", "other", "--options", options];
        let output = place.gainsay(&hunt);
        assert!(!matches!(output.status.code(), Some(0 | 10)), "{options}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    let plan = "fake:honest,with=smt.bv.solver=2,refuse";
    let hunt = ["hunt", "seeds", "--turns", "3", "--configs", "all", "--solver", plan, "--store", "other"];
    let output = place.gainsay(&hunt);
    let told = text(&output.stderr);
    assert!(told.contains("does not take the options of configuration bv2: left out"), "{told}");
}

#[test]
fn the_tables_hold_for_real_solvers() {
    for name in ["z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5"] {
        let Some(solvers) = require(&[name]) else { continue };
        let solver = &solvers[0];
        let (has, _) = solver.profile.options.settings(SettingClass::All, solver.release.as_ref());
        assert!(!has.is_empty(), "{name}");
        let (_, refused) = solver.sorted(has).expect("our part works");
        let refused: Vec<String> = refused.iter().map(|setting| setting.options.join(" ")).collect();
        assert!(refused.is_empty(), "{name} does not take {refused:#?}");
    }
}
