//! Making a case again: from fewer edits, from a smaller seed, or as a smaller case of its family. What is true by construction
//! stays true.

use std::sync::Arc;

use smt::{Script, What};

use super::fewest::{Fewer, LeavingOut};
use super::signature::BugSignature;
use super::{Until, dead, leave_out};
use crate::case::{Answer, Case, CheckRef, Claim, Edit, Edits, Lineage, replay};
use crate::finding::{Finding, Turn};
use crate::judge::Complaint;
use crate::judge::Known;
use crate::judge::TrialRunner;
use crate::judge::oracle::Entry;
use crate::judge::way::satisfies;
use crate::solver::SolverError;

/// How many cases of a family are tried, the smallest first.
const MOST: usize = 48;

/// A case that was made again, and what is wrong with it.
pub struct Made {
    /// The case, with its claims.
    pub case: Case,
    /// The text of the script.
    pub text: String,
    /// The answers of the solvers to the other scripts of the case.
    pub known: Known,
    /// The complaint about it, and the oracle that complains.
    pub seen: (&'static Entry, Complaint),
    /// How many cases were tried for it.
    pub tried: u64,
    /// How many edits it was made by, and how many there were.
    pub edits: Option<(usize, usize)>,
    /// Whether the time ended before all was tried.
    pub cut_short: bool,
}

/// What is wrong with a case, by all that it claims; none if nothing fits.
pub fn wrong_with(
    trials: &mut TrialRunner<'_>,
    case: Case,
    known: Known,
    fits: impl Fn(&Complaint) -> bool,
) -> Result<Option<Made>, SolverError> {
    let text = case.text();
    let found = trials.try_case(&case, &text, known.clone())?.complaints;
    let seen = found.into_iter().find(|(_, complaint)| fits(complaint));
    let made = |seen| Made { case, text, known, seen, tried: 1, edits: None, cut_short: false };
    Ok(seen.map(made))
}

/// What is wrong with cases, one for each trial runner, asked at the same time.
fn wrong_among(
    runners: &mut [TrialRunner<'_>],
    cases: Vec<Case>,
    known: &Known,
    aim: &BugSignature,
) -> Vec<Result<Option<Made>, SolverError>> {
    at_once(runners, cases, |trials, case| wrong_with(trials, case, known.clone(), |c| aim.is_met_by(c)))
}

/// Lets each trial runner look at one of the cases, at the same time.
fn at_once<'a, T: Send>(
    runners: &mut [TrialRunner<'a>],
    cases: Vec<Case>,
    look: impl Fn(&mut TrialRunner<'a>, Case) -> T + Sync,
) -> Vec<T> {
    let look = &look;
    std::thread::scope(|scope| {
        let ask = |(trials, case)| scope.spawn(move || look(trials, case));
        let all: Vec<_> = runners.iter_mut().zip(cases).map(ask).collect();
        all.into_iter().map(|t| t.join().expect("a trial runner does not panic")).collect()
    })
}

/// The smallest case of a family that is wrong in the same way: one of it, or this one.
pub fn smallest(
    runners: &mut [TrialRunner<'_>],
    own: Made,
    family: Vec<Case>,
    aim: &BugSignature,
    until: Until<'_>,
) -> Result<Made, SolverError> {
    let mut smaller: Vec<(usize, Case)> = family.into_iter().map(|case| (case.text().len(), case)).collect();
    smaller.retain(|(size, _)| *size < own.text.len());
    smaller.sort_by_key(|(size, _)| *size);
    let mut left = smaller.into_iter().take(MOST).map(|(_, case)| case).peekable();
    let mut tried = own.tried;
    while left.peek().is_some() {
        let cases: Vec<Case> = left.by_ref().take(runners.len()).collect();
        if until.is_over() {
            return Ok(Made { tried, cut_short: true, ..own });
        }
        tried += cases.len() as u64;
        for answer in wrong_among(runners, cases, &Known::new(), aim) {
            if let Some(made) = answer? {
                return Ok(Made { tried, ..made });
            }
        }
    }
    Ok(Made { tried, ..own })
}

/// The case with as few of its edits as are still wrong in the same way, by what it claims of its seed.
pub fn with_fewer_edits(
    runners: &mut [TrialRunner<'_>],
    own: Made,
    aim: &BugSignature,
    until: Until<'_>,
) -> Result<Made, SolverError> {
    let edits = own.case.lineage.edits.clone();
    let edits = edits.list();
    let origin = own.case.clone();
    let known = own.known.clone();
    let (before, at_a_time) = (own.tried, runners.len());
    let first = Fewer { text: own.text.clone(), of: own };
    // An edit may have made the script smaller: what is left must not be larger for want of it, as nothing follows.
    let longest = first.text.len();
    let make = |some: &[&Edit]| with_some(&origin, some).filter(|(_, text)| text.len() <= longest);
    let ask = |cases: Vec<Case>| wrong_among(runners, cases, &known, aim);
    let fewest = LeavingOut { at_a_time, until, make, ask }.fewest(&edits, first)?;
    let edits = (!edits.is_empty()).then_some((fewest.kept, edits.len()));
    Ok(Made { tried: before + fewest.tried, edits, cut_short: fewest.cut_short, ..fewest.of })
}

/// The case that some of its edits make. What it claims of its seed is claimed anew: each of them is a step on the same way, and
/// whoever is accused by it is so only after the steps that are left were checked themselves.
fn with_some(own: &Case, some: &[&Edit]) -> Option<(Case, String)> {
    let seed = own.others.first().filter(|_| !some.is_empty())?;
    let done = replay(Script::clone(seed), some.iter().copied());
    let text = done.script.text();
    let script = smt::read(text.as_bytes()).ok().filter(|_| done.refused.is_empty())?;
    let mut claims = own.claims.clone();
    claims.retain(|claim| still_holds(claim, &script));
    // That there is a model is known by the model alone.
    let has_witness = claims.iter().any(|claim| matches!(claim, Claim::Witness(..)));
    claims.retain(|claim| has_witness || !matches!(claim, Claim::Is(..)));
    let edits = some.iter().fold(Edits::default(), |edits, edit| edits.then(Edit::clone(edit)));
    let lineage = Lineage { edits, ..own.lineage.clone() };
    Some((Case { script, others: own.others.iter().map(Arc::clone).collect(), claims, lineage }, text))
}

/// Whether a claim holds for what is left of a case. A witness is evaluated again; what is implied is claimed anew.
fn still_holds(claim: &Claim, script: &Script) -> bool {
    match claim {
        Claim::SatImplies(..) => true,
        Claim::Is(_, answer) => *answer == Answer::Sat,
        Claim::Witness(CheckRef { script: 0, check }, model) => {
            script.queries().get(*check).is_some_and(|query| {
                let model = smt::Model::read(script, Some(query.command), model.as_bytes());
                model.is_ok_and(|model| satisfies(query, &model))
            })
        }
        Claim::Witness(..) | Claim::Same(..) | Claim::Core(..) => false,
    }
}

/// Whether a claim can be kept when assertions that no edit touches go from the seed and from the case.
fn allows_less(claim: &Claim) -> bool {
    matches!(claim, Claim::SatImplies(..) | Claim::Witness(..) | Claim::Is(_, Answer::Sat))
}

/// The case with as few assertions of its seed as leave it wrong in the same way: no edit is in those that go, so that what it claims
/// of the smaller seed is what it claimed. The solvers are asked about that seed anew.
pub fn from_less(
    runners: &mut [TrialRunner<'_>],
    own: Made,
    aim: &BugSignature,
    until: Until<'_>,
) -> Result<Made, SolverError> {
    let Some(idle) = untouched(&own.case) else { return Ok(own) };
    let origin = own.case.clone();
    let (before, edits, at_a_time) = (own.tried, own.edits, runners.len());
    let cut_short = own.cut_short;
    let first = Fewer { text: own.text.clone(), of: own };
    let make = |kept: &[usize]| {
        let gone: Vec<usize> = idle.iter().copied().filter(|i| !kept.contains(i)).collect();
        from_smaller(&origin, &gone)
    };
    let ask = |cases: Vec<Case>| {
        at_once(runners, cases, |trials, case| {
            let known = trials.answers_to_others(&case)?;
            wrong_with(trials, case, known, |c| aim.is_met_by(c))
        })
    };
    let fewest = LeavingOut { at_a_time, until, make, ask }.fewest(&idle, first)?;
    let cut_short = cut_short || fewest.cut_short;
    Ok(Made { tried: before + fewest.tried, edits, cut_short, ..fewest.of })
}

/// The assertions of a seed that no edit touches; none if the case is not made from one seed by edits, or does not rest on it alone.
fn untouched(case: &Case) -> Option<Vec<usize>> {
    let [seed] = &case.others[..] else { return None };
    let edits = case.lineage.edits.list();
    let follows = case.claims.iter().all(allows_less);
    let touched = |i: usize| edits.iter().any(|edit| edit.place.command as usize == i);
    let asserted = seed.commands.iter().enumerate().filter(|(_, c)| matches!(c.what, What::Assert(_)));
    let idle: Vec<usize> = asserted.map(|(i, _)| i).filter(|&i| !touched(i)).collect();
    (follows && !edits.is_empty() && !idle.is_empty()).then_some(idle)
}

/// The case made from its seed without these commands, and without what neither of the two then uses.
fn from_smaller(own: &Case, gone: &[usize]) -> Option<(Case, String)> {
    let (case, text) = made_without(own, gone)?;
    let seed = case.others.first()?;
    let unused = dead(&case.script);
    let idle: Vec<usize> = dead(seed).into_iter().filter(|i| unused.contains(i)).collect();
    // Where what is left cannot be made without it, it stays.
    made_without(&case, &idle).or(Some((case, text)))
}

/// The case made from its seed without these commands; none if it cannot be.
fn made_without(own: &Case, gone: &[usize]) -> Option<(Case, String)> {
    let mut seed = Script::clone(own.others.first()?);
    leave_out(&mut seed, gone);
    let mut edits = Edits::default();
    for edit in own.lineage.edits.list() {
        let mut edit = edit.clone();
        let place = edit.place.command as usize;
        if gone.contains(&place) {
            return None;
        }
        edit.place.command -= gone.iter().filter(|i| **i < place).count() as u32;
        edits = edits.then(edit);
    }
    // As it is read again, for that is what counts.
    let seed = smt::read(seed.text().as_bytes()).ok()?;
    let lineage = Lineage { edits, ..own.lineage.clone() };
    let case = Case { others: vec![Arc::new(seed)], lineage, ..own.clone() };
    with_some(&case, &case.lineage.edits.list())
}

/// The finding that a made case is, confirmed in fresh processes.
pub fn confirmed(trials: &mut TrialRunner<'_>, made: &Made) -> Result<Option<Finding>, SolverError> {
    let (entry, complaint) = &made.seen;
    let confirmed = trials.confirm(&made.case, &made.text, &made.known, (*entry, complaint))?;
    Ok(confirmed.map(|confirmed| Finding::confirmed(&made.case, &made.text, confirmed, Turn::default())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Place, Rule};

    fn edit(new: &str) -> Edit {
        let place = Place { command: 0, term: 0, path: Vec::new() };
        Edit { place, old: String::new(), new: new.to_owned(), rule: Rule::Term }
    }

    #[test]
    fn what_no_edit_is_in_goes_from_both() {
        let seed = "(set-logic QF_BV)(declare-const a Bool)(declare-const b Bool)(define-fun f () Bool (not b))(assert b)\
                    (assert (or a b))(push 1)(assert f)(check-sat)(pop 1)(check-sat)";
        let read = |text: &str| smt::read(text.as_bytes()).expect("well-sorted");
        let case = |edits: &[(u32, &str)]| {
            let put = |(command, new): &(u32, &str)| {
                let place = Place { command: *command, term: 0, path: Vec::new() };
                Edit { place, ..edit(new) }
            };
            let edits = edits.iter().map(put).fold(Edits::default(), |all, edit| all.then(edit));
            let script = replay(read(seed), edits.list()).script;
            let claims = vec![Claim::SatImplies(CheckRef { script: 1, check: 0 }, CheckRef::own(0))];
            let lineage = Lineage { edits, ..Lineage::default() };
            Case { script, others: vec![Arc::new(read(seed))], claims, lineage }
        };
        // (where what is put, the assertions that may go, which of them go, the seed then, the mutant then; none if nothing can)
        type Row =
            (&'static [(u32, &'static str)], &'static [usize], &'static [usize], Option<[&'static str; 2]>);
        let rows: &[Row] = &[
            (&[(5, "a")], &[4, 7], &[4], Some(["(assert (or a b))", "(assert a)"])),
            (&[(5, "true")], &[4, 7], &[4, 7], Some(["(push 1)\n(check-sat)", "(assert true)\n(push 1)"])),
            (&[(5, "f")], &[4, 7], &[7], Some(["(define-fun f () Bool (not b))", "(assert f)"])),
            (
                &[(4, "a"), (7, "(or f a)")],
                &[5],
                &[5],
                Some(["(assert b)\n(push 1)", "(assert a)\n(push 1)\n(assert (or f a))"]),
            ),
            // Nothing goes that an edit is in.
            (&[(5, "a")], &[4, 7], &[5], None),
        ];
        for (edits, idle, gone, expected) in rows {
            let case = case(edits);
            assert_eq!(untouched(&case).as_deref(), Some(*idle), "{edits:?}");
            let made = from_smaller(&case, gone);
            let Some([seed, mutant]) = expected else {
                assert!(made.is_none(), "{edits:?} without {gone:?}");
                continue;
            };
            let (smaller, text) = made.unwrap_or_else(|| panic!("{edits:?} without {gone:?}"));
            let left = smaller.others[0].text();
            assert!(left.contains(seed) && text.contains(mutant), "{left}\n{text}");
            assert_eq!(smaller.script.text(), text);
            assert_eq!(left.matches("check-sat").count(), 2, "{left}");
        }
        assert!(untouched(&case(&[])).is_none(), "nothing was edited");
    }
}
