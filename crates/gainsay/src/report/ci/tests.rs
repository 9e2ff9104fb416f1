use super::*;

fn verdict() -> Verdict {
    let news = |kind, number: &str, folder: Option<&str>| News {
        kind,
        grammar: "Ints".to_owned(),
        unit: Unit::Formula,
        number: number.to_owned(),
        summary: "it says <unsat>, 100% wrong".to_owned(),
        operators: "mod".to_owned(),
        folder: folder.map(str::to_owned),
        text: "(assert (> a 0))".to_owned(),
    };
    let totals = |build: f64| Totals { formulas: 50, build, against: 1.0 };
    Verdict {
        build: "./build/z3".parse().expect("a name"),
        against: "z3@5.4.0".parse().expect("a name"),
        others: vec!["cvc5@1.4.2".parse().expect("a name")],
        parts: vec![
            Part { grammar: "Ints".to_owned(), unit: Unit::Formula, screened: 90, wanted: 100 },
            Part { grammar: "FP".to_owned(), unit: Unit::Formula, screened: 10, wanted: 10 },
        ],
        news: vec![news(Kind::Soundness, "7", Some("findings/0001-x")), news(Kind::Disagreement, "8", None)],
        known: Known { old: 2, once: 1 },
        speeds: vec![
            Speed { grammar: "all".to_owned(), rounds: vec![totals(1.02)], slower: false },
            Speed {
                grammar: "FP".to_owned(),
                rounds: vec![totals(1.4), totals(1.3), totals(1.35)],
                slower: true,
            },
        ],
        bound: 1.15,
        undecided_fails: false,
    }
}

#[test]
fn what_fails_and_what_does_not() {
    let mut v = verdict();
    assert!(v.fails() && !v.is_whole());
    v.speeds.clear();
    v.news.remove(0);
    assert!(!v.fails(), "undecided alone fails only if that is wanted");
    v.undecided_fails = true;
    assert!(v.fails());
}

#[test]
fn every_report_tells_the_same() {
    let v = verdict();
    let terminal = v.terminal();
    for words in [
        "90 of 100 formulas screened (time ended)",
        "NEW soundness",
        "SLOWER",
        "1.30 times",
        "FAILED, as far as",
    ] {
        assert!(terminal.contains(words), "{words}: {terminal}");
    }
    let junit = junit(&v);
    assert!(junit.contains("tests=\"13\" skipped=\"0\" failures=\"2\""), "{junit}");
    assert!(junit.contains("it says &lt;unsat&gt;, 100% wrong") && !junit.contains("formula 8"), "{junit}");
    let sarif = sarif(&v, "out/runs/0001");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let levels: Vec<&str> = results.iter().map(|r| r["level"].as_str().expect("a level")).collect();
    assert_eq!(levels, ["error", "warning", "error"]);
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "out/runs/0001/findings/0001-x/case.smt2"
    );
    let github = annotations(&v);
    assert!(
        github
            .starts_with("::error title=soundness of ./build/z3::it says <unsat>, 100%25 wrong%0Aformula 7"),
        "{github}"
    );
    assert!(
        github.contains("::warning title=disagreement")
            && github.contains("::notice title=time ended::100 of 110")
    );
    assert_eq!(v.json()["speeds"][1]["rounds"][1]["ratio"], 1.3);
}
