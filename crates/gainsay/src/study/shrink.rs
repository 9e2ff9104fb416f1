//! The reduction of a stored finding.

use crate::campaign::CampaignSpec;
use crate::case::{Case, Choices};
use crate::finding::Finding;
use crate::reduce::{Job, Nothing, Origin, ReduceOutcome, Step, WantedBug};
use crate::seed::{Seed, builtin};
use crate::solver::{Solver, SolverError, SolverId};
use crate::store::Reader;

use super::again::read_case;
use super::recheck::{Replaced, replaced};
use super::solvers::SolverFinder;

/// At most this many cases of a family are looked at.
const FAMILY: usize = 4000;

/// The reduction of a stored finding.
pub struct StoredReduction<'a> {
    /// The campaign.
    pub store: &'a dyn Reader,
    /// The finding.
    pub finding: &'a Finding,
    /// The place of the accused among the solvers of the job.
    pub whom: Option<usize>,
}

impl StoredReduction<'_> {
    /// Reduces the finding. If the case can be made again, it is first made from fewer edits or as a smaller case of its family.
    /// Then its script is reduced.
    pub fn run(
        &self,
        job: &Job<'_>,
        script: smt::Script,
        watch: &mut dyn FnMut(&Step<'_>),
    ) -> Result<ReduceOutcome, Nothing> {
        let finding = self.finding;
        let edits = finding.lineage.edits.list();
        let seed = if edits.is_empty() { None } else { self.seed() };
        let seed = seed.map(|s| s.fork());
        let origin = read_case(finding).ok().map(|own| Origin {
            own,
            edits: seed.as_ref().map(|seed| (seed, &edits[..])),
            family: self.family().unwrap_or_default(),
        });
        let wanted = WantedBug { kind: finding.kind, against: self.whom };
        job.wrong(script, origin, Some(wanted), watch)
    }

    /// The seed of the finding, from its file or from the built-in corpus; none if it was changed.
    fn seed(&self) -> Option<Seed> {
        let name = self.finding.lineage.seeds.first()?;
        let own =
            builtin::scripts().find(|(n, _)| *n == &*name.name).map(|(_, text)| text.as_bytes().to_vec());
        let text = own.or_else(|| std::fs::read(&*name.name).ok())?;
        let spec = CampaignSpec::read(&self.store.definition().ok()?).ok()?;
        let seed = Seed::read(&name.name, &text, spec.hunt()?.seeds.keep()).ok()?;
        (seed.name.digest == name.digest).then_some(seed)
    }

    /// The family of a constructed case: all cases that its strategy makes in the same series, with the flags of the campaign.
    fn family(&self) -> Option<Vec<Case>> {
        let lineage = &self.finding.lineage;
        let (name, about) = (lineage.strategy.as_ref(), lineage.about.as_str());
        if about.is_empty() || !lineage.seeds.is_empty() {
            return None;
        }
        let spec = CampaignSpec::read(&self.store.definition().ok()?).ok()?;
        let used = spec.hunt()?.strategies.iter().find(|strategy| strategy.name == name)?;
        let (_, strategy) = used.build().ok()?;
        let series = |no: u64| strategy.series(no, &[], Choices::drawn(self.finding.turn.draw, name, no));
        let has = |no: &u64| {
            let mut series = series(*no);
            while series.next_text().is_some() {
                if series.name() == Some(about) {
                    return true;
                }
            }
            false
        };
        let mut made = series((0..strategy.series_count()?).find(has)?);
        Some(std::iter::from_fn(|| made.next()).take(FAMILY).collect())
    }
}

/// The solvers that a finding is reduced with. Without named solvers, these are its own. One named solver takes the place of the
/// accused. Several named solvers take the place of all; the accused is then itself, or the first of its make, or the first.
pub fn solvers_for(
    finding: &Finding,
    named: Option<Vec<Solver>>,
    finder: SolverFinder<'_>,
) -> Result<Replaced, SolverError> {
    let is_accused = |s: &Solver| Some(&s.name) == finding.against.as_ref();
    let solvers = match named {
        None => finder.of(finding)?,
        Some(named) => match &named[..] {
            [one] => return Ok(replaced(finding, one, finder)),
            _ => named,
        },
    };
    let is_like = |accused: &SolverId, s: &Solver| {
        accused.profile().is_some_and(|profile| profile.name == s.profile.name)
    };
    let whom = finding.against.as_ref().map(|accused| {
        let itself = solvers.iter().position(is_accused);
        itself.or_else(|| solvers.iter().position(|s| is_like(accused, s))).unwrap_or(0)
    });
    Ok(Replaced { solvers, whom, absent: Vec::new() })
}
