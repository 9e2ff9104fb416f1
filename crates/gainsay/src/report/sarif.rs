//! The findings of a campaign as SARIF 2.1.0: a result for each.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::campaign::{Campaign, Entry};

/// The report.
pub fn write(campaign: &Campaign) -> String {
    let kinds: BTreeSet<&str> = campaign.entries.iter().map(|entry| entry.verdict().kind.word()).collect();
    let rules: Vec<Value> =
        kinds.into_iter().map(|kind| json!({ "id": kind, "shortDescription": { "text": kind } })).collect();
    let results: Vec<Value> = campaign.entries.iter().map(|entry| result(campaign, entry)).collect();
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "gainsay", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    });
    format!("{report:#}\n")
}

fn result(campaign: &Campaign, entry: &Entry) -> Value {
    let file = if entry.reduced.is_some() { "reduced.smt2" } else { "case.smt2" };
    let uri = format!("{}/{}/{file}", campaign.name, entry.folder);
    let level = if entry.verdict().against.is_some() { "error" } else { "warning" };
    json!({
        "ruleId": entry.verdict().kind.word(),
        "level": level,
        "message": { "text": format!("{}: {}", entry.title, crate::finding::words::summary(entry.shown())) },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": { "startLine": 1 } } }],
        "partialFingerprints": { "group/v1": entry.group, "fingerprint/v1": entry.finding.fingerprint },
    })
}
