use super::*;
use crate::judge::{CrashSite, Fault, SecondVoice};
use crate::solver::run::{AskMode, Ending};

/// A study made by hand: each formula has a grammar, operators and, for each release, a word such as `sat:15` (answer and
/// milliseconds), `late`, or `unsound:15`, `crash`, `once:15`.
pub(super) fn study(releases: &[&str], formulas: &[(&str, &str, &[&str])]) -> Evolution {
    let mut all = AllRuns::default();
    let mut grammars: Vec<String> = Vec::new();
    for (id, (grammar, operators, words)) in (0u64..).zip(formulas) {
        if !grammars.contains(&(*grammar).to_owned()) {
            grammars.push((*grammar).to_owned());
        }
        let (number, text) = (id.to_string(), format!("(assert {operators})"));
        let formula = FormulaRow { grammar: (*grammar).to_owned(), number, size: 5, text };
        all.formulas.insert(id, formula);
        for (release, word) in releases.iter().zip(*words) {
            let (word, machine) = word.split_once('@').unwrap_or((word, ""));
            let (word, ms) = word.split_once(':').unwrap_or((word, "1000"));
            let voice = SecondVoice::example();
            let (unsound, model) = (Fault::WrongUnsat { voice: voice.clone() }, Fault::WrongModel { voice });
            let crash = Fault::Crash { site: CrashSite::Signal { number: 11 } };
            let (outcome, answer, wrong) = match word {
                "sat" => (Outcome::Answered, Some(Answer::Sat), None),
                "unsat" => (Outcome::Answered, Some(Answer::Unsat), None),
                "late" => (Outcome::TimedOut, None, None),
                "refused" => (Outcome::Rejected, None, None),
                "unsound" => (Outcome::Answered, Some(Answer::Unsat), Some((unsound, Seen::Confirmed))),
                "model" => (Outcome::Answered, Some(Answer::Sat), Some((model, Seen::Counted))),
                "once" => (Outcome::Answered, Some(Answer::Sat), Some((model, Seen::Once))),
                "crash" => (Outcome::Crashed, None, Some((crash, Seen::Confirmed))),
                other => panic!("{other}"),
            };
            let run = RunRow {
                way: AskMode::Fresh,
                outcome: Some(outcome),
                ending: Some(Ending::Exited(0)),
                cpu: ms.parse::<u64>().ok().map(|ms| ms * 1000),
                wall: 0,
                answer,
                model: None,
                machine: machine.to_owned(),
            };
            let release: SolverId = release.parse().expect("a name");
            all.runs.insert((id, release.clone()), run);
            if let Some((fault, seen)) = wrong {
                let operators = operators.split(' ').map(str::to_owned).collect();
                all.wrongs.push((id, release, WrongRow { fault, accused: true, seen, operators }));
            }
        }
    }
    let studied = |name: &&str| Studied::of(&name.parse().expect("a release"));
    Evolution::of(&all, releases.iter().map(studied).collect(), grammars, 1.0, "fresh")
}

fn example() -> Evolution {
    study(
        &["z3@1", "z3@2", "z3@3", "c@1"],
        &[
            ("Ints", "+ =", &["sat:10", "sat:20", "sat:40", "sat:5"]),
            ("Ints", "mod", &["unsound:10", "unsound:10", "unsat:10", "unsat:10"]),
            ("Ints", "+ mod", &["unsound:10", "sat:10", "sat:10", "sat:10"]),
            ("Ints", "div", &["sat:10", "crash", "late", "sat:300"]),
            ("Ints", "abs", &["late:100", "sat:10", "sat:10", "sat:10"]),
            ("Strings", "str.at", &["once:10", "model:10", "refused", "sat:10"]),
            ("Strings", "str.len", &["model:10", "sat:10", "model:10", "unsat:90"]),
        ],
    )
}

#[test]
fn triggers_and_solved_are_counted() {
    let e = example();
    assert_eq!(e.triggers(0, Some(0), Kind::Soundness), 2);
    assert_eq!(e.triggers(0, None, Kind::WrongModel), 1, "what was seen once counts not");
    // An unsound answer solves nothing; a wrong model does not make the answer wrong.
    assert_eq!((0..4).map(|r| e.solved(r, None)).collect::<Vec<_>>(), [4, 5, 5, 7]);
    assert_eq!(e.solved_within(3, None, 1.0 / 64.0), 5);
    assert_eq!(e.bounds().len(), 7, "to 1 s, which is the limit");
    assert_eq!(e.jointly_solved("z3", Some(0)).len(), 1);
    assert!((e.joint_seconds(2, Some(0)) - 0.04).abs() < 1e-9);
    assert!((e.throughput(3, Some(1)).expect("it was asked") - 20.0).abs() < 1e-9);
    assert_eq!(e.smallest_late(2, 0).expect("one is late").formula.number, "3");
    assert_eq!(e.answers(2, None).get("timed-out"), Some(&1));
    // A tenth of the time it might have used: it slept, or was starved.
    assert_eq!((e.answers(0, None).get("timed-out"), e.answers(0, None).get("stalled")), (None, Some(&1)));
}

#[test]
fn times_are_compared_within_one_machine() {
    let e = study(
        &["z3@1", "z3@2", "z3@3"],
        &[
            ("Ints", "+", &["sat:10@north", "sat:20@north", "sat:40@south"]),
            ("Ints", "-", &["sat:10@north", "sat:20@north", "sat:40@north"]),
            ("Ints", "*", &["sat:10", "sat:20@south", "sat:40@south"]),
            ("Ints", "div", &["sat:10@north", "late:1000@south", "sat:10@south"]),
        ],
    );
    assert_eq!(e.scattered(), 2);
    assert_eq!((e.solved(0, None), e.solved_within(0, None, 1.0)), (4, 2));
    assert!((e.joint_seconds(2, None) - 0.08).abs() < 1e-9);
    assert_eq!(e.jointly_solved("z3", None).len(), 2);
    assert!(e.smallest_late(1, 0).is_none(), "on another machine it might not have been late");
    let told = terminal(&e);
    assert!(
        told.contains("2 formulas were asked on several machines: they are in no table of times"),
        "{told}"
    );
    // All that there is to compare is solved within a second.
    assert!(told.lines().any(|line| line.starts_with("z3@1 ") && line.ends_with("100.0")), "{told}");

    let nothing = study(&["z3@1", "z3@2"], &[("Ints", "+", &["sat:10@north", "sat:20@south"])]);
    let told = terminal(&nothing);
    assert!(!told.contains("Solved within") && !told.contains("Throughput"), "{told}");
}

#[test]
fn groups_say_who_introduced_and_who_fixed() {
    let e = example();
    let shown: Vec<String> = groups(&e)
        .iter()
        .map(|g| {
            let name = |r: Option<usize>| r.map_or("-", |r| e.releases[r].short.as_str());
            let back = if g.returned { " back" } else { "" };
            let word = g.kind.word();
            format!(
                "{word} {}: {} since {} until {}{back}",
                g.operators,
                g.triggers,
                name(g.introduced),
                name(g.fixed)
            )
        })
        .collect();
    // `+ mod` fails where `mod` does; `div` runs out of time in the next release, which fixes nothing.
    assert_eq!(
        shown,
        [
            "soundness mod: 3 since - until 3",
            "wrong-model str.at: 1 since 2 until -",
            "wrong-model str.len: 2 since - until - back",
            "crash div: 1 since 2 until -",
        ]
    );
}

#[test]
fn tables_fit_a_terminal() {
    let e = example();
    let text = terminal(&e);
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for words in ["Triggers: unsound", "fixed in 3", "CPU seconds on what every z3 solves", "Throughput"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let many: Vec<String> = (0..12).map(|i| format!("AGrammarOfALongName{i}")).collect();
    let lines: Vec<(&str, &str, &[&str])> =
        many.iter().map(|g| (g.as_str(), "=", &["sat:123456", "late"][..])).collect();
    let wide = study(&["a-solver-of-a-long-name@1.2.3.4", "z3@1"], &lines);
    for line in terminal(&wide).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn files_agree_with_the_study() {
    let e = example();
    let place = std::env::temp_dir().join(format!("gainsay-files-{}", std::process::id()));
    let names = write_files(&e, &place).expect("writable");
    for name in ["runs.csv", "groups.csv", "solved.csv", "evolve.json", "triggers-z3.svg", "times-c.svg"] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
    let read = |name: &str| std::fs::read_to_string(place.join(name)).expect("a file");
    assert_eq!(read("runs.csv").lines().count(), 1 + 7 * 4);
    assert!(read("triggers.csv").contains("z3@1,Ints,soundness,2"));
    assert!(read("solved.csv").contains("c@1,Ints,0.015625,4,5"));
    let json: serde_json::Value = serde_json::from_str(&read("evolve.json")).expect("JSON");
    assert_eq!(json["groups"][0]["fixed"], "z3@3");
    assert_eq!(json["releases"][2]["grammars"][0]["smallest_late"], "3");
    let _ = std::fs::remove_dir_all(&place);
}
