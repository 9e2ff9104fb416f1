//! The settings of a definition as pairs of name and value, and the differences between two definitions.

use super::spec::{CampaignSpec, HuntSpec, LimitsSpec, OptionsSpec, SeedsSpec, WorkSpec};
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
}

impl CampaignSpec {
    /// All settings, in words.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut tell = |name: &str, value: String, is_detail| {
            facts.push(Fact { name: name.to_owned(), value, is_detail });
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
                for solver in solvers {
                    tell(&format!("digest of {}", solver.name), solver.digest.clone(), true);
                }
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

    /// The differences to another definition, in words; empty if both define the same campaign.
    pub fn differences(&self, other: &CampaignSpec) -> Vec<String> {
        let (ours, theirs) = (self.facts(), other.facts());
        let find =
            |facts: &[Fact], name: &str| facts.iter().find(|f| f.name == name).map(|f| f.value.clone());
        let shown = |value: Option<String>| value.map_or_else(|| "nothing".to_owned(), |v| format!("{v:?}"));
        let mut found: Vec<String> = Vec::new();
        for fact in ours.iter().chain(&theirs) {
            let (was, is) = (find(&ours, &fact.name), find(&theirs, &fact.name));
            // The digest of a program is compared if both definitions have the program.
            let only_one = fact.name.starts_with("digest of ") && (was.is_none() || is.is_none());
            let told = format!("{} was {}, not {}", fact.name, shown(was.clone()), shown(is.clone()));
            if was != is && !only_one && !found.contains(&told) {
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
        for strategy in &self.strategies {
            for (flag, value) in &strategy.options {
                tell(&format!("{} --{flag}", strategy.name), value.clone(), true);
            }
        }
        for (name, text) in &self.grammars {
            tell(&format!("grammar {name}"), format!("{:.16}", crate::seed::digest(text.as_bytes())), true);
        }
        tell("seeds", format!("{count} seeds {digest}"), false);
        if let Some(OptionsSpec { from, settings }) = &self.options {
            tell("options", from.word(), false);
            for (solver, settings) in settings {
                let all = settings.iter().map(|setting| setting.options.join(" "));
                tell(&format!("options of {solver}"), all.collect::<Vec<_>>().join(", "), true);
            }
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
