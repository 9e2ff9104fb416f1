//! What tactics promise, compared with the real solver: each tactic of a profile is known, and its goals are as promised.

mod place;

use gainsay::solver::acquire::home::Home;
use gainsay::solver::testing::require;
use place::{Place, text};

const SEEDS: &[(&str, &str)] = &[
    (
        "ints",
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(declare-const p Bool)
        (assert (and (= x (+ y 1)) (or p (> x 3)) (< (ite p x y) 9)))(check-sat)",
    ),
    (
        "bits",
        "(set-logic QF_BV)(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
        (assert (or (bvult (bvadd x y) #x5) (= (bvlshr x #x1) (bvmul y #x3))))(check-sat)",
    ),
];

#[test]
fn the_tactics_of_z3_keep_their_promises() {
    for name in ["z3@5.4.0", "z3@4.8.7"] {
        let Some(solvers) = require(&[name]) else { continue };
        let place = Place::new(&format!("rewriting-{name}"));
        // The real solvers of the machine.
        std::fs::remove_dir_all(place.0.join(".home")).expect("ours");
        let installed = Home::of_environment();
        std::os::unix::fs::symlink(installed.root(), place.0.join(".home")).expect("writable");
        std::fs::create_dir(place.0.join("seeds")).expect("writable");
        for (name, text) in SEEDS {
            std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
        }
        let tactics: Vec<&str> = solvers[0].profile.tactics.all().map(|(tactic, _)| tactic).collect();
        assert!(tactics.len() > 20, "{tactics:?}");
        let output = place.gainsay(&[
            "hunt",
            "seeds",
            "--with",
            "simplify",
            "--solver",
            name,
            "--seed",
            "1",
            "--turns",
            "60",
            "--terms",
            "20",
            "--tactics",
            &tactics.join(","),
            // A crash is no broken promise; z3 5.4.0 has crashed here once.
            "--oracles",
            "rewriting",
        ]);
        let told = format!("{name}: {}\n{}", text(&output.stdout), text(&output.stderr));
        assert!(matches!(output.status.code(), Some(0 | 10)), "{told}");
        // z3 5.4.0 crashes in `euf-completion`. What it prints is as promised.
        let found = text(&place.gainsay(&["findings", "--json"]).stdout);
        assert!(found.lines().all(|line| line.contains("\"kind\":\"crash\"")), "{found}\n{told}");
    }
}
