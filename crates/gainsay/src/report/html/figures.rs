//! The plots of a campaign.

use std::collections::BTreeMap;

use super::super::campaign::{Campaign, Moment};
use super::super::plot::{Colours, Figure, Marks, Panel, Series};
use crate::case::Answer;
use crate::solver::id::SolverId;
use crate::solver::run::Outcome;
use crate::store::{Counter, TurnOutcome};

/// Points in a plot over time; more minutes are put together.
const POINTS: usize = 60;

/// Outcomes of runs, in the order in which they are stacked.
const OUTCOMES: &[TurnOutcome] = &[
    TurnOutcome::Said(Answer::Sat),
    TurnOutcome::Said(Answer::Unsat),
    TurnOutcome::Said(Answer::Unknown),
    TurnOutcome::Other(Outcome::TimedOut),
    TurnOutcome::Other(Outcome::Rejected),
    TurnOutcome::Other(Outcome::Crashed),
    TurnOutcome::Other(Outcome::SelfCheck),
    TurnOutcome::Other(Outcome::OutOfMemory),
];

/// The plots that have something to show.
pub fn figures(campaign: &Campaign) -> Vec<Figure> {
    let mut all = vec![course(&campaign.course), answers(campaign), yields(campaign)];
    all.retain(|figure| figure.panels.iter().any(|panel| !panel.places.is_empty()));
    all
}

fn figure(title: &str, about: &str, panels: Vec<Panel>) -> Figure {
    let columns = panels.len();
    Figure { title: title.to_owned(), about: about.to_owned(), colours: Colours::Kinds, panels, columns }
}

fn panel(title: &str, places: &[String], marks: Marks, series: Vec<Series>) -> Panel {
    Panel { title: title.to_owned(), places: places.to_vec(), marks, series }
}

fn series(name: &str, values: impl Iterator<Item = f64>) -> Series {
    Series { name: name.to_owned(), values: values.map(Some).collect() }
}

/// Findings so far, and turns a second.
fn course(moments: &[Moment]) -> Figure {
    let first = moments.first().map_or(0, |m| m.minute);
    let span = moments.last().map_or(0, |m| m.minute - first + 1);
    let width = (span as usize).div_ceil(POINTS).max(1);
    let count = (span as usize).div_ceil(width);
    let mut bins = vec![(0u64, 0u64); count];
    for moment in moments {
        let bin = &mut bins[(moment.minute - first) as usize / width];
        *bin = (bin.0 + moment.turns, bin.1 + moment.findings);
    }
    let places: Vec<String> = (0..count).map(|i| clock((i + 1) * width)).collect();
    let mut sum = 0;
    let found = bins.iter().map(|bin| {
        sum += bin.1;
        sum as f64
    });
    let found = panel("findings so far", &places, Marks::Lines, vec![series("findings", found)]);
    let seconds = width as f64 * 60.0;
    let speed = bins.iter().map(|bin| bin.0 as f64 / seconds);
    let speed = panel("turns a second", &places, Marks::Lines, vec![series("turns a second", speed)]);
    figure(
        "The course of the campaign",
        "over hours and minutes since its first turn, pauses included",
        vec![found, speed],
    )
}

fn clock(minutes: usize) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

/// What each solver's runs came to.
fn answers(campaign: &Campaign) -> Figure {
    let mut by_solver: BTreeMap<&SolverId, BTreeMap<TurnOutcome, u64>> = BTreeMap::new();
    for (_, solver, what, count) in &campaign.tally {
        if let (Some(solver), Counter::Run(outcome)) = (solver, what)
            && OUTCOMES.contains(outcome)
        {
            *by_solver.entry(solver).or_default().entry(*outcome).or_default() += count;
        }
    }
    let places: Vec<String> = by_solver.keys().map(ToString::to_string).collect();
    let there = |what: &&TurnOutcome| by_solver.values().any(|counts| counts.contains_key(what));
    let stacked = OUTCOMES.iter().filter(there).map(|what| {
        let values = by_solver.values().map(|counts| counts.get(what).copied().unwrap_or(0) as f64);
        series(what.word(), values)
    });
    let stacked = stacked.collect();
    figure("Answers by solver", "what runs came to", vec![panel("runs", &places, Marks::Stacked, stacked)])
}

/// Turns and findings of each strategy.
fn yields(campaign: &Campaign) -> Figure {
    let mut by_strategy: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (strategy, turns) in &campaign.turns {
        by_strategy.entry(strategy).or_default().0 += turns;
    }
    for entry in &campaign.entries {
        by_strategy.entry(&entry.finding.lineage.strategy).or_default().1 += 1;
    }
    let places: Vec<String> = by_strategy.keys().map(|s| (*s).to_owned()).collect();
    let turns = series("turns", by_strategy.values().map(|(turns, _)| *turns as f64));
    let found = series("findings", by_strategy.values().map(|(_, found)| *found as f64));
    let panels = vec![
        panel("turns", &places, Marks::Stacked, vec![turns]),
        panel("findings kept", &places, Marks::Stacked, vec![found]),
    ];
    figure("Yield by strategy", "turns made and findings kept", panels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_put_together() {
        let moments: Vec<Moment> = (0..300)
            .map(|i| Moment { minute: 1000 + i, turns: 60, findings: u64::from(i % 100 == 0) })
            .collect();
        let figure = course(&moments);
        let [found, speed] = &figure.panels[..] else { panic!("two panels") };
        assert_eq!(found.places.len(), 60);
        assert_eq!((found.places[0].as_str(), found.places[59].as_str()), ("0:05", "5:00"));
        assert_eq!(found.series[0].values.last(), Some(&Some(3.0)));
        assert!(speed.series[0].values.iter().all(|v| *v == Some(1.0)));
    }

    #[test]
    fn a_pause_is_a_pause() {
        let moments = [(5, 60), (7, 120)].map(|(minute, turns)| Moment { minute, turns, findings: 0 });
        let figure = course(&moments);
        let values = &figure.panels[1].series[0].values;
        assert_eq!(values[..], [Some(1.0), Some(0.0), Some(2.0)]);
    }

    #[test]
    fn what_is_not_there_has_no_plot() {
        assert!(figures(&Campaign::default()).is_empty());
    }
}
