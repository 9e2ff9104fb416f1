//! The files of a study: comma-separated values, one JSON, plots.

use std::path::Path;

use serde_json::{Value, json};

use super::super::table::Table;
use super::figures::figures;
use super::{Evolution, Group, KINDS, groups};

/// The version of `evolve.json`.
const VERSION: u32 = 1;

/// Writes all files into a folder; tells their names.
pub fn write_files(e: &Evolution, folder: &Path) -> std::io::Result<Vec<String>> {
    std::fs::create_dir_all(folder)?;
    let all = groups(e);
    let mut files = vec![
        ("runs.csv".to_owned(), runs(e)),
        ("triggers.csv".to_owned(), triggers(e)),
        ("groups.csv".to_owned(), groups_csv(e, &all)),
        ("late.csv".to_owned(), late(e)),
        ("evolve.json".to_owned(), format!("{:#}\n", summary(e))),
    ];
    if e.is_timed() {
        files.push(("solved.csv".to_owned(), solved(e)));
        files.push(("times.csv".to_owned(), times(e)));
    }
    files.extend(figures(e).into_iter().map(|(name, figure)| (name, figure.svg())));
    let mut names = Vec::new();
    for (name, text) in files {
        let draft = folder.join(format!(".{name}.draft"));
        std::fs::write(&draft, text)?;
        std::fs::rename(&draft, folder.join(&name))?;
        names.push(name);
    }
    Ok(names)
}

/// One line for each formula and release.
fn runs(e: &Evolution) -> String {
    let mut out = Table::new(&[
        "grammar", "number", "size", "release", "way", "outcome", "answer", "ending", "cpu_us", "wall_us",
        "machine", "wrong",
    ]);
    for l in &e.lines {
        for (release, cell) in e.releases.iter().zip(&l.cells) {
            let run = &cell.run;
            let wrongs: Vec<String> =
                cell.wrongs.iter().map(|w| format!("{} ({})", w.kind().word(), w.seen.word())).collect();
            out.row([
                l.formula.grammar.as_str(),
                &l.formula.number,
                &l.formula.size.to_string(),
                release.name.as_str(),
                run.way.word(),
                cell.outcome_word(),
                run.answer.map_or("", crate::case::Answer::word),
                &run.ending.map_or(String::new(), |ending| ending.to_string()),
                &run.cpu.map_or(String::new(), |t| t.to_string()),
                &run.wall.to_string(),
                &run.machine,
                &wrongs.join("; "),
            ]);
        }
    }
    out.text()
}

fn triggers(e: &Evolution) -> String {
    let mut out = Table::new(&["release", "grammar", "kind", "triggers"]);
    for (r, release) in e.releases.iter().enumerate() {
        for (g, grammar) in e.grammars.iter().enumerate() {
            for &(kind, _) in KINDS {
                let count = e.triggers(r, Some(g), kind).to_string();
                out.row([release.name.as_str(), grammar, kind.word(), &count]);
            }
        }
    }
    out.text()
}

fn solved(e: &Evolution) -> String {
    let mut out = Table::new(&["release", "grammar", "within_s", "solved", "formulas"]);
    for (r, release) in e.releases.iter().enumerate() {
        for (g, grammar) in e.grammars.iter().enumerate() {
            let formulas = e.comparable(Some(g)).count().to_string();
            for t in e.bounds() {
                let count = e.solved_within(r, Some(g), t).to_string();
                out.row([release.name.as_str(), grammar, &t.to_string(), &count, &formulas]);
            }
        }
    }
    out.text()
}

fn times(e: &Evolution) -> String {
    let mut out = Table::new(&[
        "release",
        "grammar",
        "jointly_solved",
        "cpu_s_on_jointly_solved",
        "formulas_per_cpu_s",
        "clock",
    ]);
    for (r, release) in e.releases.iter().enumerate() {
        for (g, grammar) in e.grammars.iter().enumerate() {
            let joint = e.jointly_solved(&release.make, Some(g)).len().to_string();
            let seconds = format!("{:.6}", e.joint_seconds(r, Some(g)));
            let rate = e.throughput(r, Some(g)).map_or(String::new(), |t| format!("{t:.3}"));
            out.row([release.name.as_str(), grammar, &joint, &seconds, &rate, "cpu, fresh process"]);
        }
    }
    out.text()
}

fn late(e: &Evolution) -> String {
    let mut out = Table::new(&["release", "grammar", "smallest_late", "size", "text"]);
    for (r, release) in e.releases.iter().enumerate() {
        for (g, grammar) in e.grammars.iter().enumerate() {
            if let Some(l) = e.smallest_late(r, g) {
                let size = l.formula.size.to_string();
                out.row([release.name.as_str(), grammar, &l.formula.number, &size, &l.formula.text]);
            }
        }
    }
    out.text()
}

fn groups_csv(e: &Evolution, all: &[Group]) -> String {
    let mut out = Table::new(&[
        "make",
        "kind",
        "grammar",
        "operators",
        "triggers",
        "smallest",
        "size",
        "failing",
        "introduced",
        "fixed",
        "came_back",
        "text",
    ]);
    for g in all {
        let name = |r: Option<usize>| r.map_or("", |r| e.releases[r].short.as_str());
        let failing: Vec<&str> = g.failing.iter().map(|&r| e.releases[r].short.as_str()).collect();
        out.row([
            g.make.as_str(),
            g.kind.word(),
            &e.grammars[g.grammar],
            &g.operators,
            &g.triggers.to_string(),
            &g.smallest,
            &g.size.to_string(),
            &failing.join(" "),
            name(g.introduced),
            name(g.fixed),
            if g.returned { "yes" } else { "no" },
            &g.text,
        ]);
    }
    out.text()
}

/// Everything but single runs, for machines.
pub fn summary(e: &Evolution) -> Value {
    let all = &groups(e);
    let release = |r: usize| {
        let grammar = |g: usize| {
            let kinds = KINDS.iter().map(|&(kind, _)| (kind.word(), e.triggers(r, Some(g), kind)));
            let within = e.bounds().into_iter().map(|t| json!([t, e.solved_within(r, Some(g), t)]));
            let late = e.smallest_late(r, g).map(|l| &l.formula.number);
            let timed = e.is_timed();
            json!({
                "grammar": e.grammars[g],
                "formulas": e.of_grammar(Some(g)).count(),
                "answers": e.answers(r, Some(g)),
                "triggers": kinds.collect::<std::collections::BTreeMap<_, _>>(),
                "solved_within": timed.then(|| within.collect::<Vec<_>>()),
                "cpu_s_on_jointly_solved": timed.then(|| e.joint_seconds(r, Some(g))),
                "formulas_per_cpu_s": timed.then(|| e.throughput(r, Some(g))),
                "smallest_late": late,
            })
        };
        let grammars: Vec<Value> = (0..e.grammars.len()).map(grammar).collect();
        json!({"release": e.releases[r].name, "make": e.releases[r].make, "grammars": grammars})
    };
    let group = |g: &Group| {
        let name = |r: usize| &e.releases[r].name;
        json!({
            "make": g.make, "kind": g.kind.word(), "grammar": e.grammars[g.grammar],
            "operators": g.operators.split(' ').collect::<Vec<_>>(), "triggers": g.triggers,
            "smallest": g.smallest, "size": g.size, "text": g.text,
            "failing": g.failing.iter().map(|&r| name(r)).collect::<Vec<_>>(),
            "introduced": g.introduced.map(name), "fixed": g.fixed.map(name), "came_back": g.returned,
        })
    };
    json!({
        "version": VERSION,
        "formulas": e.lines.len(),
        "unfinished": e.unfinished,
        "on_several_machines": e.scattered(),
        "limit_s": e.limit,
        "way": e.way,
        "clock": e.is_timed().then_some("CPU time of a process of its own"),
        "releases": (0..e.releases.len()).map(release).collect::<Vec<_>>(),
        "groups": all.iter().map(group).collect::<Vec<_>>(),
    })
}
