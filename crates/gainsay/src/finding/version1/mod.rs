//! Findings of version 1, as program version 0.1 wrote them: their sentences become data, here and nowhere else.
//!
//! Version 1 kept some facts only in sentences. Each sentence had a fixed form, which is written out here. A sentence of another
//! form is refused: it is better to hunt again than to misread a finding.

use serde_json::{Map, Value, json};

/// What of a finding of version 1 cannot be told as data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "version 0.1 wrote {what} in a form that is not known: `{text}`; hunt again with this version to find it anew"
)]
pub struct Unconvertible {
    /// The field.
    pub what: &'static str,
    /// Its value.
    pub text: String,
}

fn unknown(what: &'static str, text: &str) -> Unconvertible {
    Unconvertible { what, text: text.to_owned() }
}

/// A finding of version 1 as one of version 2.
pub fn converted(mut old: Value) -> Result<Value, Unconvertible> {
    let names = names(&old);
    let text = |old: &Value, field: &str| old[field].as_str().unwrap_or_default().to_owned();
    let (kind, summary) = (text(&old, "kind"), text(&old, "summary"));
    let against = old["against"].as_str().map(str::to_owned);
    for evidence in list(&mut old["evidence"]) {
        one_evidence(evidence, &kind, &names)?;
    }
    let fault = fault(&kind, &summary, against.as_deref(), &old)?;
    for said in list(&mut old["said"]) {
        let words = said["ending"].as_str().unwrap_or_default();
        said["ending"] = ending(words).ok_or_else(|| unknown("an ending", words))?;
    }
    for edit in list(&mut old["lineage"]["edits"]) {
        let words = edit["rule"].as_str().unwrap_or_default();
        edit["rule"] = rule(words).ok_or_else(|| unknown("a rule", words))?;
        // Version 0.1 called the path of a place its way.
        if let Some(place) = edit["place"].as_object_mut()
            && let Some(path) = place.remove("way")
        {
            place.insert("path".to_owned(), path);
        }
    }
    let Some(fields) = old.as_object_mut() else { return Err(unknown("a finding", "no object")) };
    fields.remove("summary");
    fields.insert("fault".to_owned(), fault);
    fields.insert("version".to_owned(), json!(2));
    Ok(old)
}

fn list(value: &mut Value) -> &mut [Value] {
    value.as_array_mut().map_or(&mut [], Vec::as_mut_slice)
}

/// All solvers that the finding names in a field of their own.
fn names(old: &Value) -> Vec<String> {
    let said = old["said"].as_array().into_iter().flatten().map(|said| &said["solver"]);
    let by = old["evidence"].as_array().into_iter().flatten().map(|evidence| &evidence["by"]);
    let all = said.chain(by).chain([&old["against"]]);
    let mut names: Vec<String> = all.filter_map(|name| name.as_str().map(str::to_owned)).collect();
    names.sort();
    names.dedup();
    names
}

fn rule(words: &str) -> Option<Value> {
    let named = |direction: &str| {
        let name = words.strip_prefix(direction)?.strip_prefix(' ')?;
        Some(json!({ "name": name, "direction": direction }))
    };
    match words {
        "operator" | "term" => Some(json!(words)),
        _ => Some(json!({ "approximation": named("over").or_else(|| named("under"))? })),
    }
}

fn ending(words: &str) -> Option<Value> {
    if words == "alive" {
        return Some(json!("alive"));
    }
    if let Some(status) = words.strip_prefix("exited ") {
        return Some(json!({ "exited": status.parse::<i32>().ok()? }));
    }
    if let Some(bound) = words.strip_prefix("stopped: ") {
        return Some(json!({ "stopped": bound }));
    }
    signal(words).map(|number| json!({ "killed": number }))
}

fn signal(words: &str) -> Option<i32> {
    match words.strip_prefix("signal ") {
        Some(number) => number.parse().ok(),
        None => (1..=64)
            .find(|&n| words.starts_with("SIG") && crate::solver::process::signs::signal_name(n) == words),
    }
}

/// What a solver was asked.
fn asked(about: &str) -> Option<Value> {
    let step = |words: &str| rule(words)?.get("approximation").cloned();
    if let Some(words) = about.strip_prefix("the step: ") {
        return Some(json!({ "type": "step", "rule": step(words)? }));
    }
    if let Some(words) = about.strip_prefix("the place of the step: ") {
        return Some(json!({ "type": "polarity", "rule": step(words)? }));
    }
    if let Some((done, of)) = about.strip_prefix("after step ").and_then(|rest| rest.split_once(" of ")) {
        let (done, of) = (done.parse::<usize>().ok()?, of.parse::<usize>().ok()?);
        return Some(json!({ "type": "after-edits", "done": done, "of": of }));
    }
    if let Some(number) = about.strip_prefix("with the random number ") {
        return Some(json!({ "type": "with-seed", "number": number.parse::<u64>().ok()? }));
    }
    match about {
        "the first without the second" => Some(json!({ "type": "whole" })),
        "asked again" => Some(json!({ "type": "again" })),
        _ => None,
    }
}

fn one_evidence(evidence: &mut Value, kind: &str, names: &[String]) -> Result<(), Unconvertible> {
    match evidence["type"].as_str().unwrap_or_default() {
        "satisfied" if evidence["by"] == "the construction" => {
            evidence["by"] = Value::Null;
        }
        "asked" => {
            let about = evidence["about"].as_str().unwrap_or_default();
            evidence["about"] = asked(about).ok_or_else(|| unknown("a question", about))?;
        }
        "turned" => {
            let number = |step: &Value| {
                let number = step.as_str()?.strip_prefix("step ")?.split(' ').next()?.parse::<usize>();
                number.ok()?.checked_sub(1)
            };
            let steps = evidence["steps"].take();
            let numbers: Option<Vec<usize>> = steps.as_array().into_iter().flatten().map(number).collect();
            let numbers = numbers.ok_or_else(|| unknown("the steps of an answer", &steps.to_string()))?;
            *evidence = json!({ "type": "turned", "edits": numbers });
        }
        "undecided" => {
            let why = evidence["why"].as_str().unwrap_or_default();
            evidence["why"] = doubt(why, names).ok_or_else(|| unknown("a doubt", why))?;
        }
        "printed" if kind == "crash" => {
            let text = evidence["text"].as_str().unwrap_or_default();
            let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
            let ending = ending(first).ok_or_else(|| unknown("the ending of a crash", text))?;
            *evidence = json!({ "type": "ended", "by": evidence["by"], "ending": ending, "text": rest });
        }
        "timed" if evidence["on"].is_null() => evidence["on"] = json!(""),
        _ => {}
    }
    Ok(())
}

/// What stands in the way of an accusation.
fn doubt(why: &str, names: &[String]) -> Option<Value> {
    match why {
        "it is sat by construction, but nobody gave a model that satisfies it" => {
            return Some(json!({ "type": "no-model-of-construction" }));
        }
        "nobody else says unsat, and its model cannot be refuted" => {
            return Some(json!({ "type": "no-other-unsat" }));
        }
        "no model that satisfies it under our evaluation" => return Some(json!({ "type": "no-model" })),
        "no other solver shows that the one follows from the other" => {
            return Some(json!({ "type": "not-shown-to-follow" }));
        }
        _ => {}
    }
    for one in names {
        if why == format!("{one} has no such characters as the model has") {
            return Some(json!({ "type": "no-such-characters", "of": one }));
        }
        if why == format!("{one} says unsat too") {
            return Some(json!({ "type": "also-unsat", "by": one }));
        }
        if why == format!("{one} says unsat also with the model written in, and no other answers") {
            return Some(json!({ "type": "insists", "accused": one }));
        }
        if let Some(foreign) = foreign(why, one) {
            return Some(json!({ "type": "foreign", "to": one, "why": foreign }));
        }
        for two in names {
            if why == format!("{one} and {two} say unsat also with the model written in") {
                return Some(json!({ "type": "both-insist", "by": one, "accused": two }));
            }
        }
    }
    None
}

/// Why a formula is not in the language of a solver of this name.
fn foreign(why: &str, to: &str) -> Option<Value> {
    let named = |kind: &str, name: &str| Some(json!({ "type": kind, "name": name }));
    if let Some(name) = why.strip_suffix(&format!(" of more than two is not of {to}'s language")) {
        return named("many-arguments", name);
    }
    if let Some(name) = why.strip_suffix(&format!(" is not of {to}'s language")) {
        return named("operator", name);
    }
    if let Some(name) = why.strip_prefix(&format!("{to} is older than what the standard says of ")) {
        return named("older-than-standard", name);
    }
    if let Some(name) = why.strip_prefix(&format!("{to} fixes what the standard leaves open in ")) {
        return named("fixes-what-is-open", name);
    }
    if why == format!("characters of {to} are of 8 bits") {
        return Some(json!({ "type": "eight-bit-characters" }));
    }
    if why == format!("{to} reads escapes in strings in its own way") {
        return Some(json!({ "type": "escapes" }));
    }
    (why == "a part that is not understood").then(|| json!({ "type": "not-understood" }))
}

/// What is wrong, from the sentence that said so.
fn fault(kind: &str, summary: &str, against: Option<&str>, old: &Value) -> Result<Value, Unconvertible> {
    let found = match against {
        Some(whom) => accusation(kind, summary, whom),
        None => disagreement(summary, old),
    };
    found.ok_or_else(|| unknown("what is wrong", summary))
}

/// What a solver is accused of.
fn accusation(kind: &str, summary: &str, whom: &str) -> Option<Value> {
    let says = summary.strip_prefix(whom).and_then(|rest| rest.strip_prefix(' '));
    match kind {
        "soundness" => Some(match says? {
            "says unsat but sat when a model is written in as definitions" => {
                json!({ "type": "wrong-unsat", "itself": true })
            }
            "says unsat but a model satisfies every assertion" => {
                json!({ "type": "wrong-unsat", "itself": false })
            }
            "says sat where an assertion is false as it stands" => {
                json!({ "type": "wrong-sat", "known": "false-as-it-stands" })
            }
            "says sat to what is unsat by construction" => {
                json!({ "type": "wrong-sat", "known": "by-construction" })
            }
            "says sat to a script and unsat to one that follows from it" => {
                json!({ "type": "contradiction", "by": whom, "proven": true })
            }
            _ => return None,
        }),
        "wrong-model" => {
            match summary.strip_prefix(&format!("the model of {whom} makes an assertion false"))? {
                "" => Some(json!({ "type": "wrong-model", "itself": false })),
                ", and it says unsat when the model is written in" => {
                    Some(json!({ "type": "wrong-model", "itself": true }))
                }
                _ => None,
            }
        }
        "wrong-core" => {
            (summary == format!("the core of {whom} is satisfiable")).then(|| json!({ "type": "wrong-core" }))
        }
        "imprecision" => {
            let rest = summary.strip_prefix(&format!("the core of {whom} has "))?;
            let (names, minimal) = rest.strip_suffix(" suffice")?.split_once(" names where ")?;
            let (names, minimal) = (names.parse::<usize>().ok()?, minimal.parse::<usize>().ok()?);
            Some(json!({ "type": "large-core", "names": names, "minimal": minimal }))
        }
        "crash" => Some(json!({ "type": "crash", "site": site(says?.strip_prefix("crashes: ")?) })),
        "self-check" => {
            Some(json!({ "type": "self-check", "message": says?.strip_prefix("refutes itself: ")? }))
        }
        "rejection" => {
            let message = says?.strip_prefix("refuses a well-sorted script: ")?;
            Some(json!({ "type": "refused", "message": message }))
        }
        "incompleteness" => {
            (says? == "says unknown where the answer is known").then(|| json!({ "type": "unknown" }))
        }
        "performance" => {
            let rest = says?.strip_prefix("runs out of time where ")?.strip_suffix(" ms")?;
            let (than, time) = rest.rsplit_once(" answers in ")?;
            Some(json!({ "type": "slow", "than": than, "milliseconds": time.parse::<u64>().ok()? }))
        }
        "nondeterminism" => {
            let (first, rest) = says?.strip_prefix("says ")?.split_once(" and, ")?;
            let (how, second) = rest.rsplit_once(", ")?;
            let asked = asked(how)?;
            Some(json!({ "type": "nondeterminism", "first": first, "second": second, "asked": asked }))
        }
        _ => None,
    }
}

/// A disagreement, in which nobody is accused.
fn disagreement(summary: &str, old: &Value) -> Option<Value> {
    if let Some(by) = summary.strip_suffix(" says sat to a script and unsat to one that follows from it") {
        return Some(json!({ "type": "contradiction", "by": by, "proven": false }));
    }
    if let Some(by) = summary.strip_suffix(" says unsat to a seed that a model of its mutant satisfies") {
        return Some(json!({ "type": "seed-denied", "by": by }));
    }
    // The evidence has the answers as data; the sentence must say the same.
    let is_answer = |e: &&Value| e["type"] == "answered";
    let answered = old["evidence"].as_array()?.iter().filter(is_answer);
    let answers: Vec<Map<String, Value>> = answered
        .map(|e| Map::from_iter(["by", "answer"].map(|field| (field.to_owned(), e[field].clone()))))
        .collect();
    let words =
        |a: &Map<String, Value>| Some(format!("{} says {}", a["by"].as_str()?, a["answer"].as_str()?));
    // Further answers may follow those that the sentence lists.
    (1..=answers.len()).find_map(|n| {
        let said: Option<Vec<String>> = answers[..n].iter().map(words).collect();
        (said?.join(", ") == summary).then(|| json!({ "type": "disagreement", "answers": answers[..n] }))
    })
}

/// The site of a crash. What looks like a source file is one; any other text is a message.
fn site(place: &str) -> Value {
    let status = place.strip_prefix("it exited ").or(place.strip_prefix("exit status "));
    if let Some(status) = status.and_then(|status| status.parse::<i32>().ok()) {
        return json!({ "type": "exit", "status": status });
    }
    if let Some(number) = signal(place) {
        return json!({ "type": "signal", "number": number });
    }
    let is_file = |path: &str| {
        let endings = [".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".rs"];
        !path.contains(char::is_whitespace) && endings.iter().any(|ending| path.ends_with(ending))
    };
    match place.rsplit_once(':').map(|(file, line)| (file, line.parse::<u32>())) {
        Some((file, Ok(line))) if is_file(file) => json!({ "type": "line", "file": file, "line": line }),
        _ if is_file(place) => json!({ "type": "file", "file": place }),
        _ => json!({ "type": "message", "text": place }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Finding, words};

    /// Findings as version 0.1 wrote them, one of each kind that its fake solver shows.
    const WRITTEN: &str = include_str!("written.json");

    #[test]
    fn what_0_1_wrote_is_read_and_says_the_same() {
        let all: Vec<Value> = serde_json::from_str(WRITTEN).expect("JSON");
        assert!(all.len() >= 6);
        for old in all {
            let text = serde_json::to_vec(&old).expect("plain");
            let found = Finding::read(&text, String::new()).expect("it is converted");
            assert_eq!(found.version, crate::finding::VERSION);
            assert_eq!(found.kind.word(), old["kind"].as_str().expect("a kind"));
            // The words of today are those of 0.1, as long as nobody finds better ones.
            assert_eq!(words::summary(&found), old["summary"].as_str().expect("a summary"));
            assert_eq!(found.fingerprint, old["fingerprint"].as_str().expect("a fingerprint"));
        }
    }

    #[test]
    fn every_sentence_of_0_1_has_its_fact() {
        let z3 = Some("z3@4.8.7 a=b");
        let answered =
            |by: &str, answer: &str| json!({ "type": "answered", "by": by, "check": 0, "answer": answer });
        let evidence =
            json!({ "evidence": [answered("z3", "sat"), answered("cvc5", "unsat"), answered("z3", "sat")] });
        let rows = [
            ("soundness", "z3@4.8.7 a=b says sat to what is unsat by construction", z3, "wrong-sat"),
            ("wrong-core", "the core of z3@4.8.7 a=b is satisfiable", z3, "wrong-core"),
            ("imprecision", "the core of z3@4.8.7 a=b has 3 names where 2 suffice", z3, "large-core"),
            ("performance", "z3@4.8.7 a=b runs out of time where cvc5 answers in 12 ms", z3, "slow"),
            (
                "nondeterminism",
                "z3@4.8.7 a=b says sat and, with the random number 42, unsat",
                z3,
                "nondeterminism",
            ),
            ("nondeterminism", "z3@4.8.7 a=b says sat and, asked again, unsat", z3, "nondeterminism"),
            ("disagreement", "z3 says sat, cvc5 says unsat", None, "disagreement"),
            (
                "disagreement",
                "z3 says sat to a script and unsat to one that follows from it",
                None,
                "contradiction",
            ),
            (
                "disagreement",
                "z3 says unsat to a seed that a model of its mutant satisfies",
                None,
                "seed-denied",
            ),
        ];
        for (kind, summary, against, expected) in rows {
            let found = fault(kind, summary, against, &evidence).expect(summary);
            assert_eq!(found["type"], expected, "{summary}");
            serde_json::from_value::<crate::judge::Fault>(found).expect(summary);
        }
        for (kind, summary, against) in [
            ("soundness", "z3@4.8.7 a=b says sat", z3),
            ("soundness", "cvc5 says sat to what is unsat by construction", z3),
            ("disagreement", "z3 says sat, cvc5 says sat", None),
        ] {
            let error = fault(kind, summary, against, &evidence).expect_err(summary).to_string();
            assert!(error.contains(summary) && error.contains("hunt again"), "{error}");
        }
        let names = ["z3".to_owned(), "cvc5".to_owned()];
        for (why, expected) in [
            ("cvc5 says unsat too", "also-unsat"),
            ("cvc5 and z3 say unsat also with the model written in", "both-insist"),
            ("set.member is not of z3's language", "foreign"),
            ("no model that satisfies it under our evaluation", "no-model"),
        ] {
            let found = doubt(why, &names).expect(why);
            assert_eq!(found["type"], expected, "{why}");
            serde_json::from_value::<crate::judge::Doubt>(found).expect(why);
        }
        assert_eq!(doubt("yices says unsat too", &names), None);
    }

    #[test]
    fn sites_of_crashes_are_told_apart() {
        let rows = [
            (
                "../src/fake/fake.cpp:42",
                json!({ "type": "line", "file": "../src/fake/fake.cpp", "line": 42 }),
            ),
            ("SIGSEGV", json!({ "type": "signal", "number": 11 })),
            ("signal 34", json!({ "type": "signal", "number": 34 })),
            ("exit status 114", json!({ "type": "exit", "status": 114 })),
            ("a.h", json!({ "type": "file", "file": "a.h" })),
            ("std::bad_alloc:3", json!({ "type": "message", "text": "std::bad_alloc:3" })),
            ("it went wrong in a.cpp:3", json!({ "type": "message", "text": "it went wrong in a.cpp:3" })),
        ];
        for (place, expected) in rows {
            assert_eq!(site(place), expected, "{place}");
        }
    }
}
