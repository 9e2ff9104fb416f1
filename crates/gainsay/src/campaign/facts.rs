//! The settings of a definition as pairs of name and value, and the differences between two definitions.

use super::spec::{CampaignSpec, HuntSpec, LimitsSpec, SeedsSpec, WorkSpec};
use crate::judge::Budget;

/// One setting of a definition, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the setting. If there is a flag for it, it is the name of the flag.
    pub name: String,
    /// The value of the setting.
    pub value: String,
    /// Whether a summary leaves it out.
    pub is_detail: bool,
    /// The strategy or solver that it is a setting of, if it is one of many.
    pub part: Option<String>,
}

impl CampaignSpec {
    /// All settings, in words.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut tell = |name: &str, value: String, is_detail| {
            facts.push(Fact { name: name.to_owned(), value, is_detail, part: None });
        };
        tell("work", self.kind().to_owned(), false);
        tell("seed", self.seed.to_string(), true);
        match &self.work {
            WorkSpec::Hunt(hunt) => hunt.tell(&mut tell),
            WorkSpec::Study(study) => tell("self-check", study.self_check.to_string(), false),
            WorkSpec::Ci(_) | WorkSpec::CiCache(_) => {}
        }
        if self.study().is_none() {
            for (name, solvers) in
                [("solvers", &self.solvers), ("witnesses", &self.witnesses), ("auditors", &self.auditors)]
            {
                tell(name, joined(solvers.iter().map(|solver| solver.name.as_str())), solvers.is_empty());
            }
        }
        tell("oracles", joined(self.oracles.iter().map(String::as_str)), false);
        let LimitsSpec { cpu_micros, wall_micros, memory, address_space } = self.limits;
        tell("timeout", format!("{} s", cpu_micros as f64 / 1e6), false);
        tell("wall time", format!("{} s", wall_micros as f64 / 1e6), true);
        tell("memory", format!("{} MB", memory >> 20), false);
        tell("bounded address space", address_space.to_string(), true);
        tell("decide", self.deciding.to_string(), self.deciding == Budget::default());
        tell("way", self.ask_mode.word().to_owned(), false);
        tell("ignored", joined(self.ignored.iter().map(String::as_str)), true);
        facts.extend(self.parts());
        facts
    }

    /// The settings of strategies and solvers.
    fn parts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut tell = |part: &str, name: String, value: String| {
            facts.push(Fact { name, value, is_detail: true, part: Some(part.to_owned()) });
        };
        if let Some(hunt) = self.hunt() {
            for strategy in &hunt.strategies {
                for (flag, value) in &strategy.options {
                    tell(&strategy.name, format!("{} --{flag}", strategy.name), value.clone());
                }
            }
            for (solver, settings) in hunt.options.iter().flat_map(|options| &options.settings) {
                let all = settings.iter().map(|setting| setting.options.join(" "));
                tell(solver.as_str(), format!("options of {solver}"), all.collect::<Vec<_>>().join(", "));
            }
        }
        if self.study().is_none() {
            for solver in self.solvers.iter().chain(&self.witnesses).chain(&self.auditors) {
                tell(solver.name.as_str(), format!("digest of {}", solver.name), solver.digest.clone());
            }
        }
        facts
    }

    /// What kind of campaign it is, in a word.
    fn kind(&self) -> &'static str {
        match &self.work {
            WorkSpec::Hunt(_) => "hunt",
            WorkSpec::Study(_) => "evolve",
            WorkSpec::Ci(_) => "ci",
            WorkSpec::CiCache(_) => "ci cache",
        }
    }

    /// The differences to another definition, in words; empty if both define the same campaign. Settings of a strategy or a solver
    /// are compared if both have it.
    pub fn differences(&self, other: &CampaignSpec) -> Vec<String> {
        let (ours, theirs) = (self.facts(), other.facts());
        let find =
            |facts: &[Fact], name: &str| facts.iter().find(|f| f.name == name).map(|f| f.value.clone());
        let has = |facts: &[Fact], part: &String| facts.iter().any(|f| f.part.as_ref() == Some(part));
        let shown = |value: Option<String>| value.map_or_else(|| "nothing".to_owned(), |v| format!("{v:?}"));
        let mut found: Vec<String> = Vec::new();
        for fact in ours.iter().chain(&theirs) {
            let in_both = |part| has(&ours, part) && has(&theirs, part);
            let (was, is) = (find(&ours, &fact.name), find(&theirs, &fact.name));
            let told = format!("{} was {}, not {}", fact.name, shown(was.clone()), shown(is.clone()));
            if was != is && fact.part.as_ref().is_none_or(in_both) && !found.contains(&told) {
                found.push(told);
            }
        }
        found
    }
}

impl HuntSpec {
    fn tell(&self, tell: &mut dyn FnMut(&str, String, bool)) {
        let SeedsSpec { count, digest, .. } = &self.seeds;
        tell("strategies", joined(self.strategies.iter().map(|s| &*s.name)), false);
        for (name, text) in &self.grammars {
            tell(&format!("grammar {name}"), format!("{:.16}", crate::seed::digest(text.as_bytes())), true);
        }
        tell("seeds", format!("{count} seeds {digest}"), false);
        if let Some(options) = &self.options {
            tell("options", options.from.word(), false);
        }
        tell("breadth", self.breadth.to_string(), false);
        tell("prepare", self.prepare.to_string(), false);
        tell("limits", self.time_limits.word().to_owned(), false);
        tell("keep-failing", (!self.leave_out.failing).to_string(), false);
        tell("keep-folded", (!self.leave_out.folded).to_string(), false);
        if let Some(mutants) = self.mutants {
            tell("each-seed", format!("{mutants} turns of each seed and strategy"), false);
        }
    }
}

/// Names with commas between them.
fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
