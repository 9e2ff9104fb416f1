//! Single findings and faults as lines of JSON.

use serde_json::{Value, json};

use crate::finding::{FaultGroup, Grade, StoredFinding, grade, standing, words};
use crate::judge::Evidence;
use crate::solver::id::SolverId;

/// The title of a finding, with the name that the accused has in the campaign. A better name would require to start the solver.
pub fn plain_title(one: &StoredFinding) -> String {
    words::title(one.shown(), one.verdict().against.as_ref().map_or("", SolverId::as_str))
}

/// A finding as a line of JSON; `file` is its script.
pub fn finding_json(one: &StoredFinding, file: &str, triggers: u64) -> Value {
    let (f, verdict) = (&one.finding, one.verdict());
    let evidence: Vec<_> = verdict.evidence.iter().filter_map(evidence_name).collect();
    json!({
        "id": one.id, "kind": verdict.kind, "standing": standing(verdict).word(),
        "grade": grade(&verdict.fault).map(Grade::words), "against": verdict.against,
        "evidence": evidence, "strategy": f.lineage.strategy, "fingerprint": f.fingerprint,
        "file": file, "title": plain_title(one), "summary": words::summary(verdict), "triggers": triggers,
        "bytes": f.case.len(), "warm": one.warm,
    })
}

/// A fault as a line of JSON.
pub fn fault_json(fault: &FaultGroup, title: &str, triggers: u64) -> Value {
    let (shown, affected) = (fault.shown(), fault.leader().affected());
    let ids: Vec<u64> = fault.findings().map(|one| one.id).collect();
    json!({
        "group": fault.key(), "ids": ids, "kind": shown.kind, "standing": fault.standing().word(),
        "against": shown.against, "title": title, "triggers": triggers, "bytes": shown.case.len(),
        "reduced": fault.leader().first().reduced.is_some(),
        "releases": affected.as_ref().map(|a| &a.releases), "options": affected.as_ref().map(|a| &a.options),
    })
}

fn evidence_name(evidence: &Evidence) -> Option<String> {
    let value = serde_json::to_value(evidence).ok()?;
    Some(value.get("type")?.as_str()?.to_owned())
}
