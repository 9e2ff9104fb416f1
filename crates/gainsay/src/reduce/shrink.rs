//! Shrinking what is wrong: the question "still wrong?" is put to the court for every candidate, evidence and all.

use std::time::Duration;

use smt::Script;

use super::check::Judge;
use super::construct::{Fewer, Fewest, fewest};
use super::{Reduced, Step, Test, Until};
use crate::case::{Answer, Case, Claim, Edit, Lineage, replay};
use crate::finding::{Finding, Turn};
use crate::judge::Known;
use crate::judge::oracle::Entry;
use crate::judge::{Complaint, Evidence, Fault, Kind};
use crate::judge::{Sought, TrialRunner};
use crate::solver::SolverError;
use crate::solver::{Outcome, Run};

/// What must stay wrong.
#[derive(Clone, Debug)]
pub struct BugSignature {
    /// What kind of thing.
    pub kind: Kind,
    /// Who is wrong, by its number.
    pub against: Option<usize>,
    /// The fault that it must be like; none if any of that kind will do.
    pub fault: Option<Fault>,
    /// Whether a run of the accused alone shows it.
    pub shown_alone: bool,
}

impl BugSignature {
    /// The aim that a complaint is; with `any`, only kind and accused must stay.
    pub fn of(complaint: &Complaint, any: bool) -> BugSignature {
        let fault = (!any).then(|| complaint.fault.clone());
        let kind = complaint.kind();
        // What the accused says of open terms is asked only where solvers differ.
        let asked = |e: &Evidence| match e {
            Evidence::Falsified { heard, .. } => !heard.is_empty(),
            Evidence::TwoValues { .. } => true,
            _ => false,
        };
        let shown_alone = kind.is_shown_alone() && !complaint.evidence.iter().any(asked);
        BugSignature { kind, against: complaint.against, fault, shown_alone }
    }

    /// Whether what the accused did leaves it open that this is wrong: then it is worth while to ask the others.
    pub fn may_be(&self, run: Option<&Run>) -> bool {
        let Some(run) = run else { return false };
        let says = |wanted: &[Answer]| run.reply.answers().iter().any(|answer| wanted.contains(answer));
        match self.kind {
            Kind::Crash | Kind::SelfCheck => run.outcome() != Outcome::Answered,
            Kind::WrongModel => says(&[Answer::Sat]),
            Kind::WrongCore => says(&[Answer::Unsat]),
            Kind::Soundness if matches!(self.fault, Some(Fault::WrongUnsat { .. })) => says(&[Answer::Unsat]),
            Kind::Soundness => says(&[Answer::Sat, Answer::Unsat]),
            _ => true,
        }
    }

    /// Whether a complaint is what must stay.
    pub fn is_met_by(&self, complaint: &Complaint) -> bool {
        complaint.kind() == self.kind
            && complaint.against == self.against
            && self.fault.as_ref().is_none_or(|wanted| wanted.is_same(&complaint.fault))
    }
}

/// What is looked for in a candidate.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The same thing is wrong.
    Wrong(BugSignature),
    /// A solver needs more than this.
    Slow(Cost),
}

/// What a solver may need to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// CPU time.
    Time(Duration),
    /// Units that the solver itself counts, the same on every machine and however busy that is.
    Units(u64),
}

/// A case that claims nothing: what is left of one whose script was changed.
pub fn bare(script: &Script) -> Case {
    Case {
        script: script.clone(),
        others: Vec::new(),
        claims: Vec::<Claim>::new(),
        lineage: Lineage::default(),
    }
}

/// What the court says of a script, the worst first.
pub fn look(
    court: &mut TrialRunner<'_>,
    script: &Script,
    text: &str,
) -> Result<Vec<(&'static Entry, Complaint)>, SolverError> {
    let mut found = court.try_case(&bare(script), text, Known::new())?.complaints;
    found.sort_by_key(|(_, c)| (c.kind(), c.against));
    Ok(found)
}

/// What became of it.
pub struct Shrunk {
    /// The smallest script that is still wrong.
    pub reduced: Reduced,
    /// The finding it is, confirmed in fresh processes; none where only time was the question.
    pub finding: Option<Finding>,
}

/// Makes a script smaller while the goal is met, and confirms what is left in fresh processes; where that cannot be confirmed,
/// goes on from the smallest before it that can, in a session that knows the two apart, or else by asking fresh processes about
/// every candidate from then on. None if not even the script itself can be confirmed.
pub fn shrink(
    mut script: Script,
    judges: &mut [Judge<'_>],
    until: Until<'_>,
    watch: &mut dyn FnMut(&Step<'_>),
) -> Result<Option<Shrunk>, SolverError> {
    let mut kept = vec![text_of(&script)];
    let mut before: Option<Reduced> = None;
    loop {
        let in_session = judges[0].trusts_a_session();
        let mut reduced = super::reduce(script, judges, until, &mut |step| {
            kept.push(step.text.to_owned());
            watch(step);
        })?;
        if let Some(before) = before.take() {
            reduced.follows(before);
        }
        let Goal::Wrong(aim) = judges[0].goal().clone() else {
            return Ok(Some(Shrunk { reduced, finding: None }));
        };
        let last = kept.pop().unwrap_or_default();
        let mut seen = confirmed(judges[0].court(), &aim, &last)?;
        while let Some(text) = kept.pop_if(|_| seen.is_none() && !in_session) {
            // What fresh processes show now and then does not count.
            seen = confirmed(judges[0].court(), &aim, &text)?;
        }
        if let Some((script, finding)) = seen {
            (reduced.text, reduced.script) = (text_of(&script), script);
            return Ok(Some(Shrunk { reduced, finding: Some(finding) }));
        }
        if !in_session {
            return Ok(None);
        }
        // The session has shown what fresh processes do not.
        let Some(shown) = last_shown(&mut judges[0], &aim, &mut kept)? else { return Ok(None) };
        let surer = judges[0].change_to_surer(&shown, &last)?;
        for judge in judges.iter_mut() {
            if surer { judge.change_to_reset()? } else { judge.be_strict() }
        }
        kept.push(text_of(&shown));
        (script, before) = (shown, Some(reduced));
    }
}

/// A script as text.
pub fn text_of(script: &Script) -> String {
    script.text()
}

/// A text as a script with its finding, if fresh processes confirm it.
fn confirmed(
    court: &mut TrialRunner<'_>,
    aim: &BugSignature,
    text: &str,
) -> Result<Option<(Script, Finding)>, SolverError> {
    let Ok(script) = smt::read(text.as_bytes()) else { return Ok(None) };
    let (kind, against) = (aim.kind, aim.against);
    let sought = Sought { kind, against, oracles: &court.oracles_of(kind), is_it: &|c| aim.is_met_by(c) };
    let case = bare(&script);
    let confirmed = court.confirm_sought(&case, text, &Known::new(), &sought)?;
    let finding = confirmed.map(|confirmed| Finding::confirmed(&case, text, confirmed, Turn::default()));
    Ok(finding.map(|finding| (script, finding)))
}

/// The last of these texts that fresh processes show to be wrong, as a script; it and what comes after it is taken off.
fn last_shown(
    judge: &mut Judge<'_>,
    aim: &BugSignature,
    kept: &mut Vec<String>,
) -> Result<Option<Script>, SolverError> {
    while let Some(text) = kept.pop() {
        let Ok(script) = smt::read(text.as_bytes()) else { continue };
        if judge.in_fresh_processes(aim, &script, &text)? == Some(true) {
            return Ok(Some(script));
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
        let text = text_of(&replay(seed.clone(), some.iter().copied()).script);
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
    let mut found = fewest(edits, Fewer { of: script, text }, at_a_time, until, make, ask)?;
    found.tried += 1;
    Ok(Some(found))
}
