//! SARIF 2.1.0, which code hosts show beside commits: one result for each new fault and each slowdown.

use serde_json::{Value, json};

use super::Verdict;

/// What results can be about.
const RULES: &[(&str, &str)] = &[
    ("soundness", "A wrong sat or unsat that the compared release does not give"),
    ("wrong-core", "An unsatisfiable core that is satisfiable"),
    ("wrong-model", "A model that makes an assertion false"),
    ("crash", "A crash that the compared release does not have"),
    ("self-check", "The solver's own check refutes it"),
    ("disagreement", "The answer contradicts that of the compared release, and nobody can tell who is wrong"),
    ("performance", "More CPU time than allowed on what both solve"),
];

/// The report; paths of findings begin with `root`.
pub fn sarif(v: &Verdict, root: &str) -> Value {
    let place = |folder: Option<&str>| {
        let uri = folder.map_or_else(|| root.to_owned(), |f| format!("{root}/{f}/case.smt2"));
        json!([{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}}])
    };
    let mut results: Vec<Value> = v
        .news
        .iter()
        .map(|n| {
            let text = format!("{} ({}): {}", n.summary, n.place(), n.text);
            json!({
                "ruleId": n.kind.word(),
                "level": if v.is_failure(n) { "error" } else { "warning" },
                "message": {"text": text},
                "locations": place(n.folder.as_deref()),
                "partialFingerprints": {"formula/v1": format!("{}:{}:{}", n.kind.word(), n.grammar, n.number)},
            })
        })
        .collect();
    results.extend(v.speeds.iter().filter(|s| s.slower).map(|s| {
        json!({"ruleId": "performance", "level": "error", "message": {"text": v.slowdown(s)}, "locations": place(None),
            "partialFingerprints": {"grammar/v1": s.grammar}})
    }));
    let rule = |(id, about): &(&str, &str)| json!({"id": id, "shortDescription": {"text": about}});
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "gainsay", "version": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>()}},
            "results": results,
        }],
    })
}
