//! Spots: the occurrences of terms in a script, level by level from the top.

use smt::walk::bound_in;
use smt::{Binder, Script, Symbol, TermId};

use crate::case::Place;

/// An occurrence of a term.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The place of the term in the script.
    pub place: Place,
    /// The term.
    pub term: TermId,
    /// The term that it is an argument of, and the number of the argument; none at the top of a command.
    pub above: Option<(TermId, usize)>,
}

/// The occurrences so many levels below the tops of commands, in the order of the text.
pub fn level(script: &Script, level: usize) -> Vec<Spot> {
    let mut spots = Vec::new();
    for command in 0..script.commands.len() {
        let mut number = 0;
        script.each_term(command, |term| {
            let place = Place { command: command as u32, term: number, path: Vec::new() };
            spots.push(Spot { place, term, above: None });
            number += 1;
        });
    }
    for _ in 0..level {
        spots = spots.iter().flat_map(|spot| below(script, spot)).collect();
    }
    spots
}

/// The occurrences at a level, if there are any.
pub fn some_at(script: &Script, depth: usize) -> Option<Vec<Spot>> {
    Some(level(script, depth)).filter(|spots| !spots.is_empty())
}

/// All occurrences, the topmost first.
pub fn all(script: &Script) -> Vec<Spot> {
    let mut found = Vec::new();
    let mut spots = level(script, 0);
    while !spots.is_empty() {
        let next = spots.iter().flat_map(|spot| below(script, spot)).collect();
        found.append(&mut spots);
        spots = next;
    }
    found
}

fn below(script: &Script, spot: &Spot) -> Vec<Spot> {
    let args = script.pool.args(spot.term).iter().enumerate();
    let one = |(k, &term): (usize, &TermId)| {
        let mut place = spot.place.clone();
        place.path.push(k as u32);
        Spot { place, term, above: Some((spot.term, k)) }
    };
    args.map(one).collect()
}

/// The variables that are bound where a spot is, outermost first.
pub fn bound(script: &Script, place: &Place) -> Vec<Binder> {
    let (command, number) = (place.command as usize, place.term as usize);
    let mut variables = script.variables_of(command, number).to_vec();
    let Some(mut term) = script.term_of(command, number) else { return variables };
    for &k in &place.path {
        variables.extend_from_slice(bound_in(&script.pool, term, k as usize));
        let Some(&next) = script.pool.args(term).get(k as usize) else { break };
        term = next;
    }
    variables
}

/// Whether a name is bound where a spot is.
pub fn is_bound(script: &Script, place: &Place, name: Symbol) -> bool {
    bound(script, place).iter().any(|b| b.name == name)
}
