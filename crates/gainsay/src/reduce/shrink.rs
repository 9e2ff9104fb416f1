//! Shrinking what is wrong: a script becomes smaller while it shows the same bug, and what is left is confirmed.

use smt::Script;

use super::candidate::{bare, candidate};
use super::check::Judge;
use super::fewest::{Fewer, Fewest, LeavingOut};
use super::goal::Goal;
use super::signature::BugSignature;
use super::{Reduced, Step, Test, Until};
use crate::case::{Case, Edit, replay};
use crate::finding::{Finding, Turn};
use crate::judge::{Complaint, Confirmed, Known, Sought, TrialRunner};
use crate::solver::SolverError;

/// The result of shrinking a script.
pub struct Shrunk {
    /// The smallest script that is still wrong.
    pub reduced: Reduced,
    /// The finding it is, confirmed in fresh processes; none where only time was the question.
    pub finding: Option<Finding>,
}

/// A script that was kept, as text, and what it showed.
type Kept = (String, BugSignature);

/// Makes a script smaller while the goal is met, and confirms what is left in fresh processes. Where that cannot be confirmed,
/// goes on from the smallest before it that can, in a session that knows the two apart, or else by asking fresh processes about
/// every candidate from then on. None if not even the script itself can be confirmed.
pub fn shrink(
    mut script: Script,
    judges: &mut [Judge<'_>],
    until: Until<'_>,
    watch: &mut dyn FnMut(&Step<'_>),
) -> Result<Option<Shrunk>, SolverError> {
    let goal = judges[0].goal();
    let Goal::Wrong(aim) = goal.current() else {
        let reduced = super::reduce(script, judges, until, watch)?;
        return Ok(Some(Shrunk { reduced, finding: None }));
    };
    let mut kept: Vec<Kept> = vec![(script.text(), aim)];
    let mut before: Option<Reduced> = None;
    // Small domains are tried once, when nothing else makes the script smaller.
    let mut bounded = false;
    loop {
        let in_session = judges[0].trusts_a_session();
        let mut reduced = super::reduce(script, judges, until, &mut |step| {
            goal.keep(step.text);
            if let Goal::Wrong(aim) = goal.current() {
                kept.push((step.text.to_owned(), aim));
            }
            watch(step);
        })?;
        if let Some(before) = before.take() {
            reduced.follows(before);
        }
        let Some(last) = kept.pop() else { return Ok(None) };
        let mut seen = confirmed(judges[0].trials(), &last)?;
        while let Some(earlier) = kept.pop_if(|_| seen.is_none() && !in_session) {
            // What fresh processes show now and then does not count.
            seen = confirmed(judges[0].trials(), &earlier)?;
        }
        if let Some((shown, _)) = &seen
            && !std::mem::replace(&mut bounded, true)
            && !until.is_over()
            && let Some(decided) = decided_with_bounds(&mut judges[0], shown)?
        {
            kept.extend([last, decided.1]);
            (script, before) = (decided.0, Some(reduced));
            continue;
        }
        if let Some((script, finding)) = seen {
            (reduced.text, reduced.script) = (script.text(), script);
            return Ok(Some(Shrunk { reduced, finding: Some(finding) }));
        }
        if !in_session {
            return Ok(None);
        }
        // The session has shown what fresh processes do not.
        let Some((shown, aim)) = last_shown(&mut judges[0], &mut kept)? else { return Ok(None) };
        goal.go_back(&aim);
        let surer = judges[0].change_to_surer(&shown, &last.0)?;
        for judge in judges.iter_mut() {
            if surer { judge.change_to_reset()? } else { judge.be_strict() }
        }
        kept.push((shown.text(), aim));
        (script, before) = (shown, Some(reduced));
    }
}

/// The script with bounds on its integer constants that show who is wrong, if that is open and some do. From then on, that is
/// the goal.
fn decided_with_bounds(
    judge: &mut Judge<'_>,
    script: &Script,
) -> Result<Option<(Script, Kept)>, SolverError> {
    let goal = judge.goal();
    let Goal::Wrong(aim) = goal.current() else { return Ok(None) };
    if !aim.is_open() {
        return Ok(None);
    }
    for bounded in super::bounded::bounded(script) {
        let text = bounded.text();
        if judge.in_fresh_processes(&aim, &bounded, &text)? == Some(true) {
            goal.keep(&text);
            if let Goal::Wrong(decided) = goal.current()
                && !decided.is_open()
            {
                return Ok(Some((bounded, (text, decided))));
            }
        }
    }
    Ok(None)
}

/// A text as a script with its finding, if fresh processes confirm what it showed.
fn confirmed(
    trials: &mut TrialRunner<'_>,
    (text, aim): &Kept,
) -> Result<Option<(Script, Finding)>, SolverError> {
    let Ok(script) = smt::read(text.as_bytes()) else { return Ok(None) };
    let case = candidate(aim, &script);
    let mut seen = seen_again(trials, aim, &case, text)?;
    // What a session left open, fresh processes may decide. That is confirmed as what it is.
    if let Some(decided) = seen.as_ref().and_then(|seen| aim.decided_by(&seen.complaint, &seen.runs)) {
        seen = seen_again(trials, &decided, &case, text)?;
    }
    let finding = seen.map(|seen| Finding::confirmed(&case, text, seen, Turn::default()));
    Ok(finding.map(|finding| (script, finding)))
}

/// What a case showed, or what decides it, if fresh processes show it.
fn seen_again(
    trials: &mut TrialRunner<'_>,
    aim: &BugSignature,
    case: &Case,
    text: &str,
) -> Result<Option<Confirmed>, SolverError> {
    let (kind, against) = (aim.kind, aim.against);
    let is_it = |c: &Complaint| aim.is_met_by(c) || aim.may_be_decided_by(c);
    let sought = Sought { kind, against, oracles: &trials.oracles_of(kind), is_it: &is_it };
    let seen = trials.confirm_sought(case, text, &Known::new(), &sought)?;
    Ok(seen.filter(|seen| {
        aim.is_shown_by(&seen.complaint, &seen.runs) || aim.decided_by(&seen.complaint, &seen.runs).is_some()
    }))
}

/// The last of these texts of which fresh processes show what it showed, as a script. It and what comes after it is taken off.
fn last_shown(
    judge: &mut Judge<'_>,
    kept: &mut Vec<Kept>,
) -> Result<Option<(Script, BugSignature)>, SolverError> {
    while let Some((text, aim)) = kept.pop() {
        let Ok(script) = smt::read(text.as_bytes()) else { continue };
        if judge.in_fresh_processes(&aim, &script, &text)? == Some(true) {
            return Ok(Some((script, aim)));
        }
    }
    Ok(None)
}

/// The seed with as few edits as still meet the goal; none if not even all do.
pub fn drop_edits(
    seed: &Script,
    edits: &[&Edit],
    judges: &mut [Judge<'_>],
    until: Until<'_>,
) -> Result<Option<Fewest<Script>>, SolverError> {
    let make = |some: &[&Edit]| {
        let text = replay(seed.clone(), some.iter().copied()).script.text();
        // As it is read again, for that is what counts.
        Some((bare(&smt::read(text.as_bytes()).ok()?), text))
    };
    let Some((Case { script, .. }, text)) = make(edits) else { return Ok(None) };
    if !judges[0].wanted(&script, &text)? {
        return Ok(None);
    }
    let at_a_time = judges.len();
    let ask = |cases: Vec<Case>| {
        let texts: Vec<String> = cases.iter().map(Case::text).collect();
        let scripts: Vec<(&Script, &str)> =
            cases.iter().zip(&texts).map(|(case, text)| (&case.script, text.as_str())).collect();
        let answers = super::asked(judges, &scripts);
        let wanted = |(answer, case): (Result<bool, _>, Case)| Ok(answer?.then_some(case.script));
        answers.into_iter().zip(cases).map(wanted).collect()
    };
    let search = LeavingOut { at_a_time, until, make, ask };
    let mut found = search.fewest(edits, Fewer { of: script, text })?;
    found.tried += 1;
    judges[0].goal().keep(&found.of.text());
    Ok(Some(found))
}
