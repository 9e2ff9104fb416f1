//! Trials: a case and what each solver did with it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::budget::Budget;
use super::derived::{Equivalent, MadeOnce, Models, PerCheck, Printed, Review, Reviews, Searched};
use super::proof::ProofChecker;
use super::searches::Searches;
use crate::case::{Answer, Case};
use crate::solver::process::reply;
use crate::solver::{Outcome, Run, Solver, SolverId};

/// What solvers answered to the other scripts of a case, when they were asked: by script, solver and check.
pub type Known = Vec<Vec<Vec<Answer>>>;

/// A case and what each solver did with it.
pub struct Trial<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its script, as sent.
    pub text: &'a str,
    /// The solvers of the campaign.
    pub solvers: &'a [Solver],
    /// What each of them did; none if it was not asked, because it does not read the language of the script.
    pub runs: Vec<Option<Run>>,
    /// What they answered to the other scripts.
    pub known: Known,
    /// Further solvers that may be asked as witnesses; they follow the others in numbering.
    pub witnesses: &'a [Solver],
    /// How far the ways of deciding may go.
    pub budget: Budget,
    /// Programs that check proofs.
    pub checkers: Arc<[ProofChecker]>,
    /// What searches of earlier trials found.
    pub(super) searches: Arc<Searches>,
    queries: OnceCell<Vec<smt::Query>>,
    /// The models that were printed.
    reviews: Reviews,
    /// The models that were given.
    pub(super) models: PerCheck<Models>,
    /// What searches found.
    pub(super) searched: PerCheck<Searched>,
    /// What searches found for scripts that solvers are asked, by their text.
    pub(super) searched_scripts: MadeOnce<String, Searched>,
    /// Equivalent formulas; none if there is no other than the formula itself.
    pub(super) equivalents: PerCheck<Option<Equivalent>>,
}

impl<'a> Trial<'a> {
    /// A trial without other scripts, witnesses and proof checkers.
    pub fn new(case: &'a Case, text: &'a str, solvers: &'a [Solver], runs: Vec<Option<Run>>) -> Trial<'a> {
        Trial {
            case,
            text,
            solvers,
            runs,
            known: Vec::new(),
            witnesses: &[],
            budget: Budget::default(),
            checkers: Arc::default(),
            searches: Arc::default(),
            queries: OnceCell::new(),
            reviews: Reviews::default(),
            models: PerCheck::default(),
            searched: PerCheck::default(),
            searched_scripts: MadeOnce::default(),
            equivalents: PerCheck::default(),
        }
    }

    /// The checks of the case's own script and what is asserted at each.
    pub fn queries(&self) -> &[smt::Query] {
        self.queries.get_or_init(|| self.case.script.queries())
    }

    /// How many solvers there are, witnesses included.
    pub fn all(&self) -> usize {
        self.solvers.len() + self.witnesses.len()
    }

    /// The solver of a name.
    pub fn named(&self, name: &SolverId) -> Option<&'a Solver> {
        self.solvers.iter().chain(self.witnesses).find(|solver| solver.name == *name)
    }

    /// A solver of the campaign, or a witness.
    pub fn solver(&self, number: usize) -> &'a Solver {
        self.solvers.get(number).unwrap_or_else(|| &self.witnesses[number - self.solvers.len()])
    }

    /// The solver of which another one is a variant: the same program with fewer options; the one with the fewest.
    pub fn variant_of(&self, number: usize) -> Option<usize> {
        let solver = self.solver(number);
        let plain = (0..self.all()).filter(|&other| solver.is_variant_of(self.solver(other)));
        plain.min_by_key(|&other| self.solver(other).options.len())
    }

    /// The runs that were made, with the numbers of their solvers.
    pub fn made(&self) -> impl Iterator<Item = (usize, &Run)> {
        self.runs.iter().enumerate().filter_map(|(i, run)| Some((i, run.as_ref()?)))
    }

    /// What a solver replied to a check, if that is its word on it.
    pub fn reply(&self, solver: usize, check: usize) -> Option<&reply::Check> {
        reply_of(self.runs.get(solver)?.as_ref()?, check)
    }

    /// The model that a solver printed with its sat to a check, read and evaluated; none if it printed none.
    pub(super) fn review(&self, solver: usize, check: usize) -> Option<Rc<Review>> {
        let reply = self.reply(solver, check).filter(|reply| reply.answer == Answer::Sat)?;
        let printed = Printed { text: reply.model.as_deref()?, dialect: self.solver(solver).manner() };
        Some(self.reviews.get(&self.case.script, (check, self.queries().get(check)?), printed))
    }

    /// All answers to a check, with the numbers of the solvers.
    pub fn answers(&self, check: usize) -> impl Iterator<Item = (usize, Answer)> {
        (0..self.runs.len()).filter_map(move |i| Some((i, self.reply(i, check)?.answer)))
    }

    /// Whether some solvers say sat to a check, and some unsat.
    pub fn differs_at(&self, check: usize) -> bool {
        let says = |wanted| self.answers(check).any(|(_, answer)| answer == wanted);
        says(Answer::Sat) && says(Answer::Unsat)
    }

    /// Whether solvers say sat and unsat to one of the checks.
    pub fn differs(&self) -> bool {
        (0..self.checks()).any(|check| self.differs_at(check))
    }

    /// The most checks that anyone replied to.
    pub fn checks(&self) -> usize {
        self.made().map(|(_, run)| run.reply.checks.len()).max().unwrap_or(0)
    }
}

/// What a run replied to a check, if that is an answer to the script that was sent: no crash, no error before it. Answers
/// before a limit was passed count.
pub fn reply_of(run: &Run, check: usize) -> Option<&reply::Check> {
    let told = run.reply.checks.get(check).filter(|c| !c.void)?;
    match run.outcome() {
        Outcome::Answered | Outcome::SelfCheck => Some(told),
        // What it gave up on is no answer, whatever it printed.
        Outcome::TimedOut | Outcome::OutOfMemory | Outcome::Unruly => {
            Some(told).filter(|c| c.answer != Answer::Unknown)
        }
        Outcome::Crashed | Outcome::Disturbed | Outcome::Rejected => None,
    }
}

/// The same for a run of a script with one check.
pub fn answer_of(run: &Run) -> Option<Answer> {
    reply_of(run, 0).map(|c| c.answer)
}
