//! The plots of a study, of the kinds of the published figures (Winterer and Su, OOPSLA 2024): an overview (their 2), triggers
//! by release, theory and kind (10), solved within a bound of time (12, 14), time on what all solve and throughput (15).

use super::tables::bound;
use super::{Evolution, KINDS};
use crate::report::plot::{Colours, Figure, Marks, Panel, Series};

/// The plots, each with its file name.
pub fn figures(e: &Evolution) -> Vec<(String, Figure)> {
    let mut all = Vec::new();
    for make in e.makes() {
        let plain: String = make.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let mut put = |name: &str, figure: Figure| all.push((format!("{name}-{plain}.svg"), figure));
        put("overview", overview(e, make));
        put("triggers", triggers(e, make));
        if e.is_timed() {
            put("solved", solved(e, make));
            put("times", times(e, make));
        }
    }
    all
}

fn places(e: &Evolution, releases: &[usize]) -> Vec<String> {
    releases.iter().map(|&r| e.releases[r].short.clone()).collect()
}

fn by_kind(e: &Evolution, releases: &[usize], grammar: Option<usize>) -> Vec<Series> {
    let series = |&(kind, words): &(crate::judge::Kind, &str)| Series {
        name: words.to_owned(),
        values: releases.iter().map(|&r| Some(e.triggers(r, grammar, kind) as f64)).collect(),
    };
    let all = KINDS.iter().map(series);
    // The legend has only what occurs somewhere.
    let occurs = |s: &Series| {
        let kind = KINDS.iter().find(|(_, words)| *words == s.name).map(|(kind, _)| *kind);
        kind.is_some_and(|kind| releases.iter().any(|&r| e.triggers(r, None, kind) > 0))
    };
    all.filter(occurs).collect()
}

fn within(e: &Evolution, releases: &[usize], grammar: Option<usize>) -> Vec<Series> {
    let series = |t: f64| Series {
        name: format!("≤ {}", bound(t)),
        values: releases.iter().map(|&r| Some(e.solved_within(r, grammar, t) as f64)).collect(),
    };
    e.bounds().into_iter().map(series).collect()
}

fn panel(e: &Evolution, releases: &[usize], title: &str, marks: Marks, series: Vec<Series>) -> Panel {
    Panel { title: title.to_owned(), places: places(e, releases), marks, series }
}

/// Correctness and speed of all grammars together.
fn overview(e: &Evolution, make: &str) -> Figure {
    let releases = e.of_make(make);
    let mut panels = vec![panel(e, &releases, "triggers", Marks::Stacked, by_kind(e, &releases, None))];
    if e.is_timed() {
        let total = Series {
            name: "solved".to_owned(),
            values: releases.iter().map(|&r| Some(e.solved(r, None) as f64)).collect(),
        };
        let start = Series {
            name: "solved within 1/64 s of CPU".to_owned(),
            values: releases.iter().map(|&r| Some(e.solved_within(r, None, 1.0 / 64.0) as f64)).collect(),
        };
        panels.push(panel(e, &releases, "formulas", Marks::Lines, vec![total, start]));
    }
    Figure {
        title: format!("{make}: correctness and speed, release by release"),
        about: format!("{} formulas of {} grammars", e.lines.len(), e.grammars.len()),
        colours: Colours::Kinds,
        panels,
        columns: 2,
    }
}

fn triggers(e: &Evolution, make: &str) -> Figure {
    let releases = e.of_make(make);
    let each = (0..e.grammars.len())
        .map(|g| panel(e, &releases, &e.grammars[g], Marks::Stacked, by_kind(e, &releases, Some(g))));
    Figure {
        title: format!("{make}: triggers by release, theory and kind"),
        about: "formulas on which a release is wrong, with evidence".to_owned(),
        colours: Colours::Kinds,
        panels: each.collect(),
        columns: 2,
    }
}

fn solved(e: &Evolution, make: &str) -> Figure {
    let releases = e.of_make(make);
    let each = (0..e.grammars.len())
        .map(|g| panel(e, &releases, &e.grammars[g], Marks::Lines, within(e, &releases, Some(g))));
    Figure {
        title: format!("{make}: formulas solved within a bound of time"),
        about: "CPU time of a process of its own, its start included".to_owned(),
        colours: Colours::Order,
        panels: each.collect(),
        columns: 2,
    }
}

fn times(e: &Evolution, make: &str) -> Figure {
    let releases = e.of_make(make);
    let series = |value: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<Series> {
        let one = |g: usize| Series {
            name: e.grammars[g].clone(),
            values: releases.iter().map(|&r| value(r, g)).collect(),
        };
        (0..e.grammars.len()).map(one).collect()
    };
    let joint = series(&|r, g| {
        let any = !e.jointly_solved(make, Some(g)).is_empty();
        any.then(|| e.joint_seconds(r, Some(g)))
    });
    let rate = series(&|r, g| e.throughput(r, Some(g)));
    Figure {
        title: format!("{make}: time on what every release solves, and throughput"),
        about: "CPU time of a process of its own, its start included".to_owned(),
        colours: if e.grammars.len() > 8 { Colours::Order } else { Colours::Kinds },
        panels: vec![
            panel(e, &releases, "CPU seconds on what every release solves", Marks::Lines, joint),
            panel(e, &releases, "formulas for each CPU second", Marks::Lines, rate),
        ],
        columns: 2,
    }
}
