//! Variants: solvers with drawn settings, which are asked besides the solvers themselves.
//!
//! Which variants a case is asked of depends on the random number of the campaign, on the number of the series and on the case.
//! A stretch of series shares a few variants, so that warm sessions are used again.

use smt::{Logic, What};

use super::cursor::Pattern;
use crate::campaign::plan::HuntPlan;
use crate::case::{Case, Choices};
use crate::solver::profile::{SIMPLIFIER, TACTIC};
use crate::solver::{Setting, Solver};

/// Of so many series, on average, one is asked of variants.
const SHARE: u64 = 2;
/// For about so many turns the same variants are drawn from. A variant is asked in an eighth of them: often enough for a new
/// process to cost little, and seldom enough for many settings to be tried.
const STRETCH: u64 = 160;
/// A setting comes no more often in one round of all settings, whatever its weight.
const MOST_OF_ONE: u32 = 64;
/// Variants of a solver in a stretch.
const VARIANTS: u64 = 4;

/// A solver with settings.
struct Variant {
    solver: Solver,
    settings: Vec<Setting>,
}

impl Variant {
    /// Whether its settings matter for a case, and the solver takes the case with them.
    fn suits(&self, logic: &Logic, incremental: bool) -> bool {
        let matters = |setting: &Setting| {
            setting.theories.is_empty() || setting.theories.iter().any(|theory| theory.is_in(logic))
        };
        self.settings.iter().all(|setting| matters(setting) && !(setting.one_check && incremental))
    }
}

/// The variants of the solvers of a hunt.
pub(super) struct Variants<'a> {
    seed: u64,
    solvers: &'a [Solver],
    settings: &'a [Vec<Setting>],
    /// The stretch of series that was drawn for, and its variants by solver.
    drawn: Option<(u64, Vec<Vec<Variant>>)>,
}

impl<'a> Variants<'a> {
    /// The variants of the solvers of a hunt.
    pub(super) fn new(seed: u64, solvers: &'a [Solver], hunt: &'a HuntPlan) -> Variants<'a> {
        Variants { seed, solvers, settings: &hunt.settings, drawn: None }
    }

    /// The variants that a case of a series is asked of: at most one of each solver, with the number of the solver.
    pub(super) fn of_case(&mut self, pattern: &Pattern<'_>, no: u64, case: &Case) -> Vec<(usize, &Solver)> {
        let mut choices = Choices::drawn(self.seed, "options", no);
        if self.settings.iter().all(Vec::is_empty) || !choices.happens(1, SHARE) {
            return Vec::new();
        }
        let first = choices.below(VARIANTS) as usize;
        let logic = Logic::of(&case.script);
        let incremental = is_incremental(case);
        let all = self.of_stretch(pattern.stretch(no, STRETCH));
        let suiting = |variants: &&Vec<Variant>| -> Option<usize> {
            (0..variants.len())
                .map(|i| (first + i) % variants.len())
                .find(|&i| variants[i].suits(&logic, incremental))
        };
        let chosen = all.iter().enumerate();
        chosen.filter_map(|(solver, of)| Some((solver, &of[suiting(&of)?].solver))).collect()
    }

    /// The variants of a stretch of series, by solver.
    fn of_stretch(&mut self, stretch: u64) -> &[Vec<Variant>] {
        let known = self.drawn.as_ref().is_some_and(|(known, _)| *known == stretch);
        if !known {
            let all = self.solvers.iter().zip(self.settings);
            let drawn = all.map(|(solver, settings)| self.draw(solver, settings, stretch)).collect();
            self.drawn = Some((stretch, drawn));
        }
        self.drawn.as_ref().map_or(&[], |(_, drawn)| drawn)
    }

    fn draw(&self, solver: &Solver, settings: &[Setting], stretch: u64) -> Vec<Variant> {
        if settings.is_empty() {
            return Vec::new();
        }
        let mut choices = Choices::drawn(self.seed, &format!("options of {}", solver.name), stretch);
        let one = |number| {
            let first = self.in_turn(solver, settings, stretch * VARIANTS + number);
            let settings = combination(first, settings, &mut choices);
            let options: Vec<String> = settings.iter().flat_map(|setting| setting.options.clone()).collect();
            Variant { solver: solver.with_options(&distinct(options)), settings }
        };
        (0..VARIANTS).map(one).collect()
    }

    /// The first setting of a variant. All settings take turns: in a round each comes as often as its weight says. If they were
    /// drawn anew each time, one in three would not come in so many draws.
    fn in_turn(&self, solver: &Solver, settings: &[Setting], number: u64) -> Setting {
        let repeated = |(i, setting): (usize, &Setting)| {
            std::iter::repeat_n(i, setting.weight.min(MOST_OF_ONE) as usize)
        };
        let mut order: Vec<usize> = settings.iter().enumerate().flat_map(repeated).collect();
        let (round, place) = (number / order.len() as u64, number % order.len() as u64);
        let mut choices = Choices::drawn(self.seed, &format!("order of options of {}", solver.name), round);
        for i in (1..order.len()).rev() {
            order.swap(i, choices.below(i as u64 + 1) as usize);
        }
        settings[order[place as usize]].clone()
    }
}

/// One to three settings that can be together, of which this is the first.
fn combination(first: Setting, settings: &[Setting], choices: &mut Choices) -> Vec<Setting> {
    let wanted = match choices.below(6) {
        0..3 => 1,
        3..5 => 2,
        _ => 3,
    };
    let mut drawn = vec![first];
    for _ in 1..wanted {
        let left: Vec<&Setting> =
            settings.iter().filter(|one| drawn.iter().all(|other| may_be_together(one, other))).collect();
        let weight = left.iter().map(|setting| u64::from(setting.weight)).sum();
        let mut number = choices.below(weight);
        let chosen = left.into_iter().find(|setting| {
            let own = u64::from(setting.weight);
            let found = number < own;
            number = number.saturating_sub(own);
            found
        });
        drawn.extend(chosen.cloned());
    }
    drawn
}

/// Whether two settings can be drawn together: they are of two names, a script can have what both are about, and not both
/// change the script.
fn may_be_together(one: &Setting, other: &Setting) -> bool {
    let in_script = |setting: &Setting| matches!(setting.name.as_str(), TACTIC | SIMPLIFIER);
    let common = one.theories.is_empty()
        || other.theories.is_empty()
        || one.theories.iter().any(|theory| other.theories.contains(theory));
    one.name != other.name && common && !(in_script(one) && in_script(other))
}

/// Options, each once.
fn distinct(options: Vec<String>) -> Vec<String> {
    let mut once = Vec::new();
    for option in options {
        if !once.contains(&option) {
            once.push(option);
        }
    }
    once
}

/// Whether a case has several checks, or levels.
fn is_incremental(case: &Case) -> bool {
    let pushes = case.script.commands.iter().any(|c| matches!(c.what, What::Push(_)));
    pushes || case.script.queries().len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Lineage;
    use crate::solver::profile::Theory;
    use crate::strategy::build;
    use std::collections::{BTreeMap, BTreeSet};

    fn setting(name: &str, options: &str, theories: &[Theory]) -> Setting {
        let options = options.split(' ').map(str::to_owned).collect();
        Setting { name: name.to_owned(), options, theories: theories.to_vec(), one_check: false, weight: 1 }
    }

    fn case(text: &str) -> Case {
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        Case { script, others: Vec::new(), claims: Vec::new(), lineage: Lineage::default() }
    }

    /// The names of the variants of a case in each of these series.
    fn names(hunt: &HuntPlan, case: &Case, series: std::ops::Range<u64>) -> Vec<Vec<String>> {
        let solvers = [Solver::fake("sat"), Solver::fake("unsat")];
        let pattern = Pattern::new(hunt);
        let mut variants = Variants::new(7, &solvers, hunt);
        let mut of = |no| {
            let found = variants.of_case(&pattern, no, case);
            found.into_iter().map(|(_, solver)| solver.name.to_string()).collect()
        };
        series.map(&mut of).collect()
    }

    #[test]
    fn variants_depend_on_the_series_and_the_case_alone() {
        let settings = vec![
            setting("a", "a=1", &[]),
            setting("a", "a=2", &[]),
            setting("b", "b=1 c=1", &[Theory::Bitvectors]),
            setting(TACTIC, "tactic:t", &[]),
            setting(SIMPLIFIER, "simplifier:s", &[]),
        ];
        let (strategies, _) = build(&["opfuzz".to_owned()], &BTreeMap::new()).expect("a strategy");
        let hunt = HuntPlan { strategies, settings: vec![settings, Vec::new()], ..HuntPlan::default() };
        let plain = case("(declare-const p Bool)(assert p)(check-sat)");
        let all = names(&hunt, &plain, 0..2000);
        // The same from any place on: a resumed campaign asks the same.
        assert_eq!(names(&hunt, &plain, 900..2000), all[900..]);
        let asked = all.iter().filter(|names| !names.is_empty()).count();
        assert!((700..1300).contains(&asked), "{asked} of 2000");
        let seen: BTreeSet<&String> = all.iter().flatten().collect();
        assert!(seen.iter().all(|name| name.starts_with("fake:sat ") && !name.contains("b=1")), "{seen:?}");
        let together = |name: &&&String| name.contains("tactic:") && name.contains("simplifier:");
        assert!(seen.len() > 5 && !seen.iter().any(|name| together(&name)), "{seen:?}");
        assert!(!seen.iter().any(|name| name.contains("a=1") && name.contains("a=2")), "{seen:?}");
        let bits = case("(declare-const x (_ BitVec 4))(assert (= x x))(check-sat)");
        assert!(names(&hunt, &bits, 0..400).iter().flatten().any(|name| name.contains("b=1 c=1")));
        // A short stretch has few variants.
        let few: BTreeSet<&String> = all[..32].iter().flatten().collect();
        assert!(few.len() as u64 <= VARIANTS, "{few:?}");
    }

    #[test]
    fn settings_take_turns() {
        let mut settings: Vec<Setting> = (0..20).map(|i| setting("a", &format!("a={i}"), &[])).collect();
        settings[3].weight = 4;
        settings[5].weight = u32::MAX;
        let (solver, hunt) = (Solver::fake("sat"), HuntPlan::default());
        let variants = Variants::new(7, &[], &hunt);
        let length = 18 + 4 + u64::from(MOST_OF_ONE);
        let round = |round: u64| -> Vec<String> {
            let numbers = round * length..(round + 1) * length;
            numbers.map(|number| variants.in_turn(&solver, &settings, number).options.join(" ")).collect()
        };
        let [mut one, mut other] = [round(0), round(1)];
        assert_ne!(one, other, "each round has an order of its own");
        one.sort();
        other.sort();
        assert_eq!(one, other);
        for (option, count) in [("a=0", 1), ("a=19", 1), ("a=3", 4), ("a=5", MOST_OF_ONE as usize)] {
            assert_eq!(one.iter().filter(|name| *name == option).count(), count, "{option}");
        }
    }

    #[test]
    fn without_settings_nobody_is_asked_besides() {
        let (strategies, _) = build(&["opfuzz".to_owned()], &BTreeMap::new()).expect("a strategy");
        let hunt = HuntPlan { strategies, settings: vec![Vec::new(), Vec::new()], ..HuntPlan::default() };
        let plain = case("(assert true)(check-sat)");
        assert!(names(&hunt, &plain, 0..100).iter().all(Vec::is_empty));
        let once = Setting { one_check: true, ..setting("a", "a=1", &[]) };
        let hunt = HuntPlan { settings: vec![vec![once], Vec::new()], ..hunt };
        assert!(names(&hunt, &plain, 0..100).iter().any(|names| !names.is_empty()));
        let twice = case("(assert true)(check-sat)(check-sat)");
        assert!(names(&hunt, &twice, 0..100).iter().all(Vec::is_empty));
    }
}
