//! Confirmation: what an oracle says counts once it was seen again in fresh processes.

use serde::{Deserialize, Serialize};
use smt::{Logic, What};

use crate::case::{Answer, Case};
use crate::judge::probe::Judgement;
use crate::judge::trial_runner::TrialRunner;
use crate::judge::{Complaint, Kind, Known, oracle};
use crate::solver::{AskMode, Run, Solver, SolverError};

/// How often a finding is seen in fresh processes before it counts.
const FRESH: u32 = 2;

/// A case that is asked again: its text, and what solvers answered to its other scripts.
#[derive(Clone, Copy)]
struct Subject<'c> {
    case: &'c Case,
    text: &'c str,
    known: &'c Known,
}

/// Something that is to be seen again.
pub struct Sought<'a> {
    /// What kind of thing.
    pub kind: Kind,
    /// Whom it accuses.
    pub against: Option<usize>,
    /// Who may show it.
    pub oracles: &'a [&'static oracle::Entry],
    /// Whether a complaint is this thing.
    pub is_it: &'a dyn Fn(&Complaint) -> bool,
}

/// Runs, the complaint about them and whose it is.
struct Seen {
    runs: Vec<Option<Run>>,
    entry: &'static oracle::Entry,
    complaint: Complaint,
}

/// How a complaint was confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// In how many fresh runs.
    pub fresh: u32,
    /// Whether the accused's own options were left out.
    pub default_options: bool,
    /// Whether it is there without the logic line too; none if that was not asked or there is no such line.
    pub without_logic: Option<bool>,
}

/// A complaint that was seen again in fresh processes, and all that was seen with it.
pub struct Confirmed {
    /// The solvers as they were asked in the end: without their options, if that suffices.
    pub solvers: Vec<Solver>,
    /// Further solvers that were asked as witnesses; they follow the others in numbering.
    pub witnesses: Vec<Solver>,
    /// What each solver did.
    pub runs: Vec<Option<Run>>,
    /// The oracle that complains.
    pub entry: &'static oracle::Entry,
    /// What it complains of.
    pub complaint: Complaint,
    /// How it was confirmed.
    pub confirmation: Confirmation,
}

impl TrialRunner<'_> {
    /// Looks at a complaint again in fresh processes; none if it does not show.
    pub fn confirm(
        &mut self,
        case: &Case,
        text: &str,
        known: &Known,
        (entry, complaint): (&'static oracle::Entry, &Complaint),
    ) -> Result<Option<Confirmed>, SolverError> {
        let kind = complaint.kind();
        let all = self.solvers();
        for Part { solvers, against } in parts(&all, complaint.against) {
            // What is decided on one run may be undecided on another. A dispute about the same check is the same thing.
            let is_it = |c: &Complaint| {
                (c.kind() == kind && c.against == against)
                    || (is_dispute(kind) && is_dispute(c.kind()) && c.check == complaint.check)
            };
            let sought = Sought { kind, against, oracles: &[entry], is_it: &is_it };
            let known = known.iter().map(|script| of_part(script, &solvers)).collect();
            let solvers = solvers.into_iter().map(|i| all[i].clone()).collect();
            let subject = Subject { case, text, known: &known };
            if let Some(confirmed) = self.confirm_among(subject, solvers, &sought)? {
                return Ok(Some(confirmed));
            }
        }
        Ok(None)
    }

    /// Looks for something in fresh processes until it has shown often enough to count; none if it does not show.
    pub fn confirm_sought(
        &mut self,
        case: &Case,
        text: &str,
        known: &Known,
        sought: &Sought<'_>,
    ) -> Result<Option<Confirmed>, SolverError> {
        let solvers = self.solvers().to_vec();
        self.confirm_among(Subject { case, text, known }, solvers, sought)
    }

    /// The same, with these solvers.
    fn confirm_among(
        &mut self,
        subject: Subject<'_>,
        mut solvers: Vec<Solver>,
        sought: &Sought<'_>,
    ) -> Result<Option<Confirmed>, SolverError> {
        let _span = tracing::info_span!("confirmation", kind = sought.kind.word()).entered();
        let Subject { case, known, .. } = subject;
        let mut confirmation = Confirmation::default();
        let accused = sought.against.filter(|&i| i < solvers.len());
        if let Some(accused) = accused.filter(|&i| !solvers[i].name.options().is_empty()) {
            // As it was seen; then with default options, if that suffices.
            if self.again(subject, &solvers, sought, false)?.is_none() {
                return Ok(None);
            }
            confirmation.fresh = 1;
            self.leave_options_out(subject, &mut solvers, accused, sought)?;
            confirmation.default_options = solvers[accused].name.options().is_empty();
        } else {
            confirmation.default_options = accused.is_some();
        }
        if sought.against.is_none() {
            for i in variants(&solvers) {
                self.leave_options_out(subject, &mut solvers, i, sought)?;
            }
        }
        let mut last = None;
        while confirmation.fresh < FRESH {
            // The last run asks everybody, so that the finding has all answers.
            let all = confirmation.fresh + 1 == FRESH;
            let Some(seen) = self.again(subject, &solvers, sought, all)? else {
                return Ok(None);
            };
            confirmation.fresh += 1;
            last = Some(seen);
        }
        let Some(Seen { runs, entry, complaint }) = last else { return Ok(None) };
        if depends_on_meaning(complaint.kind()) && case.script.logic().is_some() {
            let (free, free_text) = without_logic(case);
            let there = self
                .again(Subject { case: &free, text: &free_text, known }, &solvers, sought, false)?
                .is_some();
            confirmation.without_logic = Some(there);
            if !there && !keeps_its_logic(case) {
                return Ok(None);
            }
        }
        tracing::info!(?confirmation, "confirmed");
        Ok(Some(Confirmed {
            solvers,
            witnesses: self.witnesses().to_vec(),
            runs,
            entry,
            complaint,
            confirmation,
        }))
    }

    /// Leaves out the options of a solver without which a fresh trial shows it again: all of them, or one after the other.
    fn leave_options_out(
        &mut self,
        subject: Subject<'_>,
        solvers: &mut [Solver],
        whom: usize,
        sought: &Sought<'_>,
    ) -> Result<(), SolverError> {
        let options = solvers[whom].name.options().to_vec();
        // Without the option that makes it check itself, a solver does not complain of itself.
        let checks = solvers[whom].profile.run.self_check.clone();
        let mute =
            |left: &[String]| sought.kind == Kind::SelfCheck && left.iter().all(|o| checks.contains(o));
        let mut tries: Vec<Vec<usize>> = vec![(0..options.len()).collect()];
        if options.len() > 1 {
            tries.extend((0..options.len()).map(|i| vec![i]));
        }
        let mut gone: Vec<usize> = Vec::new();
        for leave in tries {
            let left_out: Vec<String> = leave.iter().map(|&i| options[i].clone()).collect();
            let last = options.len() > 1 && gone.len() + leave.len() == options.len() && leave.len() == 1;
            if mute(&left_out) || last {
                continue;
            }
            let kept = (0..options.len()).filter(|i| !leave.contains(i) && !gone.contains(i));
            let kept: Vec<String> = kept.map(|i| options[i].clone()).collect();
            let mut fewer = solvers.to_vec();
            fewer[whom] = fewer[whom].without_options();
            if !kept.is_empty() {
                fewer[whom] = fewer[whom].with_options(&kept);
            }
            if self.again(subject, &fewer, sought, false)?.is_some() {
                gone.extend(leave);
                solvers.clone_from_slice(&fewer);
            }
            if gone.len() == options.len() {
                break;
            }
        }
        Ok(())
    }

    /// What is sought, if a fresh trial shows it again. If the accused alone can show it, the others are asked only if `all`
    /// is set.
    fn again(
        &mut self,
        Subject { case, text, known }: Subject<'_>,
        solvers: &[Solver],
        sought: &Sought<'_>,
        all: bool,
    ) -> Result<Option<Seen>, SolverError> {
        let shown_alone = sought.kind.is_shown_alone() && sought.oracles.iter().all(|entry| !entry.compares);
        let runs = match sought.against.filter(|i| *i < solvers.len() && shown_alone && !all) {
            Some(accused) => {
                let mut runs: Vec<Option<Run>> = solvers.iter().map(|_| None).collect();
                let own = self.runs(case, text, &solvers[accused..=accused], AskMode::Fresh)?;
                runs[accused] = own.into_iter().next().flatten();
                runs
            }
            None => self.runs(case, text, solvers, AskMode::Fresh)?,
        };
        let trial = self.trial(case, text, solvers, runs, known.clone());
        let mut complaints = Vec::new();
        for &entry in sought.oracles {
            let Judgement::Complain(found) = self.judge(&trial, entry)? else { continue };
            complaints.extend(found.into_iter().map(|c| (entry, c)));
        }
        let seen = complaints.into_iter().filter(|(_, c)| (sought.is_it)(c)).min_by_key(|(_, c)| c.kind());
        Ok(seen.map(|(entry, complaint)| Seen { runs: trial.runs, entry, complaint }))
    }
}

/// Some of the solvers of a trial, by their numbers, and whom of these a complaint accuses, by its place among them.
struct Part {
    solvers: Vec<usize>,
    against: Option<usize>,
}

/// The parts of the solvers of a trial that may show a complaint, in the order in which they are asked. Variants that have no
/// part in it are left out: without any variant, then with the accused one or with one at a time, then with all.
fn parts(all: &[Solver], against: Option<usize>) -> Vec<Part> {
    let variants = variants(all);
    let whole = || Part { solvers: (0..all.len()).collect(), against };
    if variants.is_empty() {
        return vec![whole()];
    }
    let own: Vec<usize> = (0..all.len()).filter(|i| !variants.contains(i)).collect();
    let place = |whom: usize| own.iter().position(|&i| i == whom);
    let with = |variant: usize| {
        let against = against.map(|whom| place(whom).unwrap_or(own.len()));
        Part { solvers: own.iter().copied().chain([variant]).collect(), against }
    };
    let mut found = Vec::new();
    match against.filter(|whom| variants.contains(whom)) {
        Some(accused) => {
            let plain = own.iter().position(|&i| all[accused].is_variant_of(&all[i]));
            found.extend(plain.map(|plain| Part { solvers: own.clone(), against: Some(plain) }));
            found.push(with(accused));
        }
        None => {
            found.push(Part { solvers: own.clone(), against: against.and_then(place) });
            found.extend(variants.iter().map(|&variant| with(variant)));
        }
    }
    if variants.len() > 1 {
        found.push(whole());
    }
    found
}

/// The numbers of the solvers that are variants of others.
fn variants(solvers: &[Solver]) -> Vec<usize> {
    let is = |i: &usize| solvers.iter().any(|other| solvers[*i].is_variant_of(other));
    (0..solvers.len()).filter(is).collect()
}

/// What some of the solvers answered to a script.
fn of_part(answers: &[Vec<Answer>], part: &[usize]) -> Vec<Vec<Answer>> {
    part.iter().map(|&i| answers.get(i).cloned().unwrap_or_default()).collect()
}

/// Whether a kind depends on what a formula means.
fn depends_on_meaning(kind: Kind) -> bool {
    is_dispute(kind) || kind == Kind::WrongCore
}

/// Whether a kind is about who is right on the satisfiability of a check.
fn is_dispute(kind: Kind) -> bool {
    matches!(kind, Kind::Soundness | Kind::WrongModel | Kind::Disagreement | Kind::Unconfirmed)
}

/// Whether the script stays within the logic it declares.
fn keeps_its_logic(case: &Case) -> bool {
    let declared = case.script.logic().and_then(Logic::named);
    declared.is_some_and(|logic| logic.holds(Logic::of(&case.script)))
}

/// The case without its logic line.
fn without_logic(case: &Case) -> (Case, String) {
    let mut free = case.clone();
    free.script.commands.retain(|c| !matches!(c.what, What::SetLogic(_)));
    let text = free.text();
    (free, text)
}
