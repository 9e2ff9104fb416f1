//! The definition of a check of a build.

use std::path::PathBuf;
use std::time::Duration;

use super::{share_of, turns_of};
use crate::campaign::CampaignSpec;
use crate::campaign::spec::{
    CiSpec, GrammarSpec, HuntSpec, RoleSpec, SeedsLeftOut, SeedsSpec, StrategySpec, StudySpec, TimeLimits,
    WorkSpec,
};
use crate::judge::Budget;
use crate::judge::oracle::usual_and;
use crate::seed::Corpus;
use crate::solver::acquire::choose::readers;
use crate::solver::{AskMode, Limits, Solver};
use crate::strategy::{Options, build};
use crate::study::error::StudyError;
use crate::study::evolve::grammar_specs;
use crate::study::machine::absolute;
use crate::study::solvers::SolverFinder;

/// How many series of a strategy get their first turns before one of them gets more.
const BREADTH: u64 = 512;

/// What a check consists of.
pub struct CheckSpec<'a> {
    /// A list of grammars, each with a count of its own if one stands after a colon.
    pub grammars: &'a str,
    /// The strategies to hunt with besides; none if empty.
    pub strategies: &'a [String],
    /// The files of the seeds of these strategies.
    pub seeds: &'a [PathBuf],
    /// How long the check may take. The same duration means the same formulas.
    pub time: Duration,
    /// Whether the build and the release are timed.
    pub times: bool,
    /// The limits of each question.
    pub limits: Limits,
    /// How far deciding who is wrong may go.
    pub budget: Budget,
}

impl CheckSpec<'_> {
    /// The definition of a check. Its solvers are the build, the release that it is compared with, and others.
    pub fn define(
        &self,
        solvers: &[Solver],
        corpus: &Corpus,
        finder: SolverFinder<'_>,
    ) -> Result<CampaignSpec, StudyError> {
        let readers = readers(solvers);
        let (grammars, timed) = self.counted(&readers)?.into_iter().unzip();
        let role = |i: usize| RoleSpec {
            studied: i < 2,
            references: if i < 2 { (i + 1..solvers.len()).collect() } else { Vec::new() },
            lasting: i > 0,
        };
        let roles = (0..solvers.len()).map(role).collect();
        // Edition 1: its units have other numbers than the series of the hunt besides.
        let study = StudySpec { edition: 1, grammars, roles, self_check: false };
        let ci = CiSpec { study, timed, hunt: self.hunt(readers, corpus)? };
        // Warm sessions lost nothing in our measurements, and cost a fraction of a process.
        let mut spec = CampaignSpec::new(WorkSpec::Ci(ci), &self.limits, AskMode::Reset);
        spec.deciding = self.budget;
        spec.solvers = finder.specs_of(solvers)?;
        spec.oracles = usual_and(None).iter().map(|oracle| oracle.name.to_owned()).collect();
        Ok(spec)
    }

    /// The hunt besides the grammars and its number of turns; none if there are no strategies.
    fn hunt(&self, readers: String, corpus: &Corpus) -> Result<Option<(HuntSpec, u64)>, StudyError> {
        if self.strategies.is_empty() {
            return Ok(None);
        }
        let flags = [("readable-by".to_owned(), readers)].into();
        let (built, options) = build(self.strategies, &flags)?;
        let strategy = |((name, _), options): (&(&str, _), &Options)| StrategySpec {
            name: (*name).to_owned(),
            options: options.all().clone(),
        };
        let hunt = HuntSpec {
            time_limits: TimeLimits::Fixed,
            leave_out: SeedsLeftOut::default(),
            options: None,
            strategies: built.iter().zip(&options).map(strategy).collect(),
            grammars: std::collections::BTreeMap::new(),
            seeds: SeedsSpec::of(corpus, absolute(self.seeds)?),
            breadth: BREADTH,
            prepare: false,
            mutants: None,
        };
        Ok(Some((hunt, turns_of(self.time))))
    }

    /// The formulas, as many as the duration allows, and how many of them are timed.
    fn counted(&self, readers: &str) -> Result<Vec<(GrammarSpec, u64)>, StudyError> {
        let with_share = |mut grammar: GrammarSpec| {
            let share = share_of(&grammar.label, self.time);
            // A count of its own changes how many are screened. At most as many are timed.
            grammar.count = if grammar.count == 0 { share.screened } else { grammar.count };
            let timed = if self.times { share.timed.min(grammar.count) } else { 0 };
            (grammar, timed)
        };
        let all = grammar_specs(self.grammars, 0, readers).map_err(StudyError::Grammar)?;
        Ok(all.into_iter().map(with_share).collect())
    }
}
