//! Evidence as a maintainer can check it by hand: every script and model that it rests on is written out.

use std::fmt::Write;

use super::title::is_contradiction;
use super::values::values;
use super::{Finding, Scope, sentence};
use crate::case::{Answer, Claim, Edit, OVER, UNDER};
use crate::judge::oracle::is_mere_ending;
use crate::judge::{Evidence, Kind};
use crate::solver::SolverId;

/// Writes down what a finding rests on, piece by piece, each once.
pub struct Why<'a> {
    finding: &'a Finding,
    scope: &'a Scope,
    whom: Option<&'a SolverId>,
    /// Scripts and models that are written out already.
    shown: Vec<String>,
    text: String,
}

/// What a finding rests on.
pub fn why(finding: &Finding, scope: &Scope) -> String {
    let whom = finding.against.as_ref();
    let mut why = Why { finding, scope, whom, shown: Vec::new(), text: String::new() };
    // What it was made from comes before what was asked of it.
    let is_claim = |e: &&Evidence| matches!(e, Evidence::Claimed { .. });
    let is_model = |e: &&Evidence| matches!(e, Evidence::Satisfied { .. } | Evidence::Falsified { .. });
    let all = &finding.evidence;
    let (models, rest): (Vec<_>, Vec<_>) = all.iter().partition(is_model);
    let pinned = |e: &&Evidence| matches!(e, Evidence::Pinned { .. });
    let (pins, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(pinned);
    let (claims, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_claim);
    for evidence in [models, pins, claims, rest].concat() {
        why.one(evidence);
    }
    why.text
}

impl Why<'_> {
    fn one(&mut self, evidence: &Evidence) {
        match evidence {
            Evidence::Satisfied { by, check, model } => {
                let label = by.solver().map_or_else(|| by.to_string(), |id| self.scope.label(id).to_owned());
                self.item(&format!(
                    "The formula is satisfiable: this model, given by {label}, makes every assertion true."
                ));
                self.block(model);
                self.values(*check, by.solver(), model, true);
            }
            Evidence::SatisfiedCore { core, script, by, model } => {
                let names = core.join(" ");
                self.item(&format!(
                    "The core is `({names})`. With all assertions that have no name, it reads:"
                ));
                self.block(script);
                let by = self.scope.label(by);
                let _ = writeln!(
                    self.text,
                    "\n  It is satisfiable: this model, given by {by}, makes every assertion of it true."
                );
                self.block(model);
            }
            Evidence::Falsified { assertion, model, .. } if model.trim() == "()" => {
                self.item(&format!(
                    "The formula is unsatisfiable: `{assertion}` is false as it stands. It has nothing in it that could be chosen."
                ));
                self.values(self.finding.check.unwrap_or(0), None, model, false);
            }
            Evidence::Falsified { model, assertion, check } => {
                self.item(&format!("Under the model that was printed, `{assertion}` is false:"));
                self.block(model);
                self.values(*check, self.whom, model, false);
            }
            Evidence::Pinned { by, script, answer } => self.pinned(by, script, *answer),
            Evidence::Claimed { claim: Claim::SatImplies(from, to) } => {
                let other = from.script.max(to.script);
                let script = other.checked_sub(1).and_then(|n| self.finding.others.get(n)).cloned();
                self.made_from(from.script != 0, script.as_deref());
            }
            Evidence::Turned { steps } => self.turned(steps),
            Evidence::Asked { by, about, script, answer } => self.asked(by, about, script, *answer),
            Evidence::Printed { by, text } if is_mere_ending(text) && !text.contains('\n') => {
                self.item(&format!("{} ends with {text} and prints nothing about it.", self.scope.label(by)));
            }
            Evidence::Printed { by, text } => {
                self.item(&format!("{} prints:", self.scope.label(by)));
                let _ = writeln!(self.text, "\n  ```\n  {}\n  ```", text.trim().replace('\n', "\n  "));
            }
            Evidence::Answered { by, .. } | Evidence::Timed { by, .. } => {
                let words = sentence(evidence).replacen(by.as_str(), self.scope.label(by), 1);
                self.item(&words);
            }
            other => self.item(&sentence(other)),
        }
    }

    fn item(&mut self, words: &str) {
        let line = format!("- {words}\n");
        if !self.text.contains(&line) {
            self.text.push_str(&line);
        }
    }

    /// A script or a model, unless it is written out above.
    fn block(&mut self, inside: &str) {
        let inside = inside.trim();
        if !self.shown.iter().any(|known| known == inside) {
            let _ = writeln!(self.text, "\n  ```smt2\n  {}\n  ```", inside.replace('\n', "\n  "));
            self.shown.push(inside.to_owned());
        }
    }

    /// What each assertion is under a model.
    fn values(&mut self, check: usize, by: Option<&SolverId>, model: &str, complete: bool) {
        let known = by.and_then(|by| self.scope.solvers.get(by));
        let manner = known.and_then(|known| known.manner).unwrap_or(smt::ModelDialect::STANDARD);
        let Ok(script) = smt::read(self.finding.case.as_bytes()) else { return };
        let lines = values(&script, check, model, manner, complete);
        if !lines.is_empty() {
            let _ = writeln!(self.text, "\n  By evaluation:\n");
            for line in lines {
                let _ = writeln!(self.text, "  - {line}");
            }
            self.text.push('\n');
        }
    }

    fn pinned(&mut self, by: &SolverId, script: &str, answer: Option<Answer>) {
        let label = self.scope.label(by).to_owned();
        let word = answer.map_or("nothing", Answer::word);
        let is_accused = Some(by) == self.whom;
        let means = match (is_accused, self.finding.kind, answer) {
            (true, Kind::WrongModel, Some(Answer::Unsat)) => {
                ": by its own word this is no model, so its answer above contradicts itself"
            }
            (true, Kind::Soundness, Some(Answer::Sat)) => {
                ": it agrees that this is a model, so its answer above contradicts itself"
            }
            (true, _, Some(_)) => ", and so insists on its answer",
            _ => "",
        };
        let itself = if is_accused { " itself" } else { "" };
        let script = if is_accused { self.scope.as_sent(script) } else { script.to_owned() };
        self.item(&format!(
            "With the model written in as definitions, {label}{itself} answers {word}{means}."
        ));
        self.block(&script);
    }

    /// The script that the formula was made from, and what follows from what.
    fn made_from(&mut self, seed_first: bool, script: Option<&str>) {
        let whom = self.whom.map_or("nobody", |whom| self.scope.label(whom)).to_owned();
        let follows = if seed_first {
            "each step makes it weaker or leaves it as it is: whatever satisfies this script satisfies the formula"
        } else {
            "each step makes it stronger or leaves it as it is: whatever satisfies the formula satisfies this script"
        };
        let (seed, own) = if seed_first { ("sat", "unsat") } else { ("unsat", "sat") };
        let says = if is_contradiction(self.finding) {
            format!(
                " {whom} answers {seed} to this script and {own} to the formula: one of the two is wrong."
            )
        } else {
            String::new()
        };
        self.item(&format!("The formula was made from this script, and {follows}.{says}"));
        if let Some(script) = script {
            self.block(script);
        }
    }

    /// The steps that turn the answer, with the rule in words.
    fn turned(&mut self, steps: &[String]) {
        let edits = self.finding.lineage.edits.list();
        let number = |step: &String| step.strip_prefix("step ")?.split(' ').next()?.parse::<usize>().ok();
        let edit = |step: &String| edits.get(number(step)?.checked_sub(1)?).copied();
        let words: Vec<String> = steps.iter().map(|step| edit(step).map_or(step.clone(), in_words)).collect();
        if let [one] = words.as_slice() {
            self.item(&format!("The answer turns with one step: {one}."));
            return;
        }
        self.item("The answer turns with these steps:");
        for word in words {
            let _ = writeln!(self.text, "  - {word}");
        }
    }

    fn asked(&mut self, by: &SolverId, about: &str, script: &str, answer: Option<Answer>) {
        let word = answer.map_or("nothing", Answer::word);
        let rule =
            |name: &str| name.strip_prefix(OVER).or(name.strip_prefix(UNDER)).unwrap_or(name).to_owned();
        let question = if about == "the first without the second" {
            "whether the stronger of two scripts can hold without the weaker".to_owned()
        } else if let Some(name) = about.strip_prefix("the step: ") {
            format!("whether a step can fail (rule {})", rule(name))
        } else if let Some(name) = about.strip_prefix("the place of the step: ") {
            format!("whether a step of that kind can fail at that place (rule {})", rule(name))
        } else {
            about.to_owned()
        };
        let by_label = self.scope.label(by).to_owned();
        let is_accused = Some(by) == self.whom;
        let means = match answer {
            Some(Answer::Unsat) if !is_accused && question != about => ": it cannot",
            _ => "",
        };
        let line = match about.strip_prefix("after ") {
            Some(step) => format!("After {step} the script reads as follows, and {by_label} answers {word}."),
            None => format!("Asked {question}, {by_label} answers {word}{means}."),
        };
        self.item(&line);
        self.block(&if is_accused { self.scope.as_sent(script) } else { script.to_owned() });
    }
}

/// An edit and what its rule says.
fn in_words(edit: &Edit) -> String {
    let Edit { old, new, rule, place } = edit;
    let means = match (rule.strip_prefix(OVER), rule.strip_prefix(UNDER)) {
        (Some(name), _) => format!("the first implies the second (rule {name})"),
        (_, Some(name)) => format!("the second implies the first (rule {name})"),
        _ => format!("rule {rule}"),
    };
    format!("`{old}` becomes `{new}` in command {}; {means}", place.command + 1)
}
