//! The rules that are code give what they say, and every published rule is there once.

use smt::write_term;

use super::{asked, sae};
use crate::case::{Answer, Choices};
use crate::strategy::Strategy;
use crate::strategy::sae::example::{WORLD, code_rules};
use crate::strategy::sae::listed_rules;

/// Whether a formula is what a rule says, where `ψ` is any formula.
fn is_like(told: &str, formula: &str) -> bool {
    match told.split_once('ψ') {
        None => told == formula,
        Some((before, after)) => {
            let inside = formula.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            inside.is_some_and(|inside| !inside.is_empty())
        }
    }
}

#[test]
fn rules_that_are_code_give_what_they_say() {
    let mut silent = Vec::new();
    for rule in code_rules() {
        // Only what the rule speaks of is declared, so that it is soon drawn.
        let speaks = |name: &str| format!("{} {}", rule.from, rule.to).contains(name);
        let world: String = WORLD
            .lines()
            .filter(|line| {
                let name = line.split(['(', ' ']).nth(2).unwrap_or_default();
                !line.starts_with("(declare-fun") || speaks(&format!("({name} "))
            })
            .collect();
        // What may be put in is found in the script; where it has no polarity, nothing else is done to it.
        let found_there = "(assert (xor (= x y) (= l k) (= h i) (exists ((e S)) (= e x))))";
        let text = format!("{world}(assert {}){found_there}(check-sat)", rule.from);
        for answer in [Answer::Sat, Answer::Unsat] {
            let wanted = if answer == Answer::Sat { "over" } else { "under" };
            if rule.way != wanted && rule.way != "both" {
                continue;
            }
            let asked = asked(&text, answer);
            let found = (0..40).any(|no| {
                let sae = sae(&[("mutants", "400"), ("positions", "1")]);
                let mut series = sae.series(0, &asked, Choices::drawn(no, "sae", 0));
                std::iter::from_fn(|| series.next()).any(|case| {
                    let edits = case.lineage.edits.list();
                    let asserted = case.script.queries()[0].assertions[0];
                    edits[0].place.command < 20 && is_like(rule.to, &write_term(&case.script.pool, asserted))
                })
            });
            if !found {
                silent.push((rule.ids, wanted));
            }
        }
    }
    assert_eq!(silent, [], "rules that do not give what they say");
}

#[test]
fn every_published_rule_is_there_once() {
    let mut ids: Vec<&str> = listed_rules().iter().flat_map(|rule| rule.ids.split(' ')).collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all, "no two rules have one name");
    // The names of the published table are in capitals; 720 of its rows hold.
    assert_eq!(ids.iter().filter(|id| id.starts_with(|c: char| c.is_ascii_uppercase())).count(), 720);
}
