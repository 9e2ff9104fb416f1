//! A campaign for machines: all findings with what is known of them, and the counts.

use serde_json::{Value, json};

use super::campaign::{Campaign, Entry};
use crate::finding::{Grade, grade, standing};
use crate::solver::id::SolverId;

/// The version of this format.
const VERSION: u32 = 1;

/// The report.
pub fn write(campaign: &Campaign) -> String {
    let tally = campaign.tally.iter().map(|(strategy, solver, what, count)| {
        let solver = solver.as_ref().map_or("", SolverId::as_str);
        let words = super::counter::words(what);
        json!({ "strategy": strategy, "solver": solver, "what": words, "counter": what, "count": count })
    });
    let course = campaign
        .course
        .iter()
        .map(|m| json!({ "minute": m.minute, "turns": m.turns, "findings": m.findings }));
    let report = json!({
        "version": VERSION,
        "campaign": campaign.name,
        "seed": campaign.draw,
        "settings": campaign.settings.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "faults": {
            "all": campaign.faults.all(), "proved": campaign.faults.proved,
            "undecided": campaign.faults.undecided, "unconfirmed": campaign.faults.unconfirmed,
            "left_out": campaign.left_out,
        },
        "findings": campaign.entries.iter().map(finding).collect::<Vec<_>>(),
        "turns": campaign.turns,
        "tally": tally.collect::<Vec<_>>(),
        "course": course.collect::<Vec<_>>(),
        "matrix": campaign.matrix.json(),
        "evolution": campaign.evolution.as_ref().map(super::evolve::summary),
    });
    format!("{report:#}\n")
}

fn finding(entry: &Entry) -> Value {
    let releases: Vec<Value> =
        entry.releases.iter().map(|(release, fails)| json!({ "release": release, "fails": fails })).collect();
    json!({
        "id": entry.id,
        "title": entry.title,
        "group": entry.group,
        "standing": standing(entry.verdict()).word(),
        "grade": grade(&entry.verdict().fault).map(Grade::words),
        "triggers": entry.triggers,
        "folder": entry.folder,
        "theories": entry.theories,
        "releases": releases,
        "formula": entry.shown().case,
        "found": entry.finding,
        "reduced": entry.reduced,
    })
}
