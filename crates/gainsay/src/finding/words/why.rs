//! Evidence as a maintainer can check it by hand: every script and model that it rests on is written out.

use std::fmt::Write;

use super::evidence::{answers, sentence, took};
use super::lineage::edit_with_meaning;
use super::summary::end;
use super::values::values;
use crate::case::{Answer, Claim};
use crate::finding::{Finding, Scope};
use crate::judge::{Asked, Evidence, Heard, Kind, Rewriting};
use crate::solver::{Ending, SolverId};

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
                self.item(&format!(
                    "The formula is satisfiable: this model, given by {}, makes every assertion true.",
                    self.giver(by.as_ref())
                ));
                self.block(model);
                self.values(*check, by.as_ref(), model, true);
            }
            Evidence::SatisfiedCore { core, script, by, model } => self.core(core, script, by, model),
            Evidence::SatisfiedAssumptions { assumptions, script, by, model } => {
                let assumptions = assumptions.join(" ");
                self.item(&format!("It says that these assumptions suffice: `({assumptions})`. So it says that this is unsatisfiable:"));
                self.block(script);
                let by = self.scope.label(by).to_owned();
                let _ = writeln!(self.text, "\n  This model, given by {by}, makes all of it true.");
                self.block(model);
            }
            Evidence::PrintedValue { model, .. } => {
                self.item(&sentence(self.finding, evidence).replace(" (`model`)", ""));
                if !model.trim().is_empty() {
                    let _ = writeln!(self.text, "\n  The model that it prints at this check:");
                    self.block(model);
                }
            }
            Evidence::Falsified { model, assertion, check, heard } => {
                self.falsified(*check, assertion, model, heard);
            }
            Evidence::SatisfiedOther { script, by, model, .. } => {
                self.satisfied_other(*script, by.as_ref(), model);
            }
            Evidence::Rewritten { steps } => {
                self.item("The formula has an equivalent by these steps:");
                for Rewriting { rule, old, new } in steps {
                    let _ = writeln!(self.text, "  - {rule}: `{old}` becomes `{new}`");
                }
            }
            Evidence::Pinned { by, script, answer } => self.pinned(by, script, *answer),
            Evidence::Claimed { claim: Claim::SatImplies(from, to) } => {
                let other = from.script.max(to.script);
                let script = other.checked_sub(1).and_then(|n| self.finding.others.get(n)).cloned();
                self.made_from(from.script != 0, script.as_deref());
            }
            Evidence::Turned { edits } => self.turned(edits),
            Evidence::Asked { by, about, script, answer } => self.asked(by, about, script, *answer),
            Evidence::Printed { by, text } => {
                self.item(&format!("{} prints:", self.scope.label(by)));
                self.printed(text);
            }
            Evidence::Ended { by, ending, text } => self.ended(by, *ending, text),
            Evidence::Answered { by, check, answer } => {
                self.item(&answers(self.scope.label(by), *check, *answer));
            }
            Evidence::Timed { by, milliseconds, on } => {
                self.item(&took(self.scope.label(by), milliseconds, on));
            }
            other => self.item(&sentence(self.finding, other)),
        }
    }

    /// Another script of the case that is satisfiable, and the model that shows it.
    fn satisfied_other(&mut self, script: usize, by: Option<&SolverId>, model: &str) {
        let what = match self.finding.claims.iter().any(|claim| matches!(claim, Claim::Same(..))) {
            true => "What is in scope at the check is satisfiable",
            false => "The script that the formula was made from is satisfiable",
        };
        self.item(&format!(
            "{what}: this model, given by {}, makes every assertion of it true.",
            self.giver(by)
        ));
        self.block(model);
        if let Some(other) = script.checked_sub(1).and_then(|n| self.finding.others.get(n)).cloned() {
            self.block(&other);
        }
    }

    /// A core that is satisfiable, and the model that shows it.
    fn core(&mut self, core: &[String], script: &str, by: &SolverId, model: &str) {
        let names = core.join(" ");
        self.item(&format!("The core is `({names})`. With all assertions that have no name, it reads:"));
        self.block(script);
        let by = self.scope.label(by).to_owned();
        let _ = writeln!(
            self.text,
            "\n  It is satisfiable: this model, given by {by}, makes every assertion of it true."
        );
        self.block(model);
    }

    /// An assertion that is false under the model that was printed; or as it stands, if that is empty.
    fn falsified(&mut self, check: usize, assertion: &str, model: &str, heard: &[Heard]) {
        if model.trim() == "()" {
            self.item(&format!(
                "The formula is unsatisfiable: `{assertion}` is false as it stands. It has nothing in it that could be chosen."
            ));
            self.values(self.finding.check.unwrap_or(0), None, model, false);
            return;
        }
        let with = match heard.is_empty() {
            true => String::new(),
            false => format!(", with what `get-value` answers ({})", super::evidence::heard(heard)),
        };
        self.item(&format!("Under the model that was printed{with}, `{assertion}` is false:"));
        self.block(model);
        self.values(check, self.whom, model, false);
    }

    /// How the process of a solver ended, and what it printed about that.
    fn ended(&mut self, by: &SolverId, ending: Ending, text: &str) {
        let by = self.scope.label(by);
        if text.is_empty() {
            self.item(&format!("{by} ends with {} and prints nothing about it.", end(ending)));
        } else {
            self.item(&format!("{by} ends with {} and prints:", end(ending)));
            self.printed(text);
        }
    }

    fn item(&mut self, words: &str) {
        let line = format!("- {words}\n");
        if !self.text.contains(&line) {
            self.text.push_str(&line);
        }
    }

    /// Who gave a model: a solver, or gainsay, which made the case or searched.
    fn giver<'b>(&'b self, by: Option<&'b SolverId>) -> &'b str {
        by.map_or("gainsay", |by| self.scope.label(by))
    }

    /// What a solver printed.
    fn printed(&mut self, text: &str) {
        let _ = writeln!(self.text, "\n  ```\n  {}\n  ```", text.trim().replace('\n', "\n  "));
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
            (true, Kind::WrongOutput, Some(Answer::Unsat)) => ": by its own word the two cannot both be",
            (true, Kind::WrongRewriting, Some(Answer::Sat)) => ": by its own word they differ there",
            (true, Kind::Soundness, Some(Answer::Sat)) => {
                ": it agrees that this is a model, so its answer above contradicts itself"
            }
            (true, _, Some(_)) => ", and so insists on its answer",
            _ => "",
        };
        let itself = if is_accused { " itself" } else { "" };
        let script = if is_accused { self.scope.as_sent(script) } else { script.to_owned() };
        let said = format!("{label}{itself} answers {word}{means}.");
        self.item(&match self.finding.kind {
            Kind::WrongOutput => format!("Asked whether both can be, with the model written in, {said}"),
            Kind::WrongRewriting => format!("Asked whether they differ, with the point written in, {said}"),
            _ => format!("With the model written in as definitions, {said}"),
        });
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
        let says = if self.finding.is_contradiction() {
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

    /// The edits with which the answer changes, with what follows from their rules.
    fn turned(&mut self, numbers: &[usize]) {
        let edits = self.finding.lineage.edits.list();
        let one = |number: &usize| match edits.get(*number) {
            Some(edit) => edit_with_meaning(edit),
            None => format!("step {}", number + 1),
        };
        let words: Vec<String> = numbers.iter().map(one).collect();
        if let [one] = words.as_slice() {
            self.item(&format!("The answer turns with one step: {one}."));
            return;
        }
        self.item("The answer turns with these steps:");
        for word in words {
            let _ = writeln!(self.text, "  - {word}");
        }
    }

    fn asked(&mut self, by: &SolverId, about: &Asked, script: &str, answer: Option<Answer>) {
        let word = answer.map_or("nothing", Answer::word);
        let by_label = self.scope.label(by).to_owned();
        let is_accused = Some(by) == self.whom;
        // A question whether something can fail, of a solver that is not accused.
        let means = match answer {
            Some(Answer::Unsat) if !is_accused => ": it cannot",
            _ => "",
        };
        let line = match about {
            Asked::Whole => format!(
                "Asked whether the stronger of two scripts can hold without the weaker, {by_label} answers {word}{means}."
            ),
            Asked::Step { rule } => {
                format!(
                    "Asked whether a step can fail (rule {}), {by_label} answers {word}{means}.",
                    rule.name
                )
            }
            Asked::Polarity { rule } => format!(
                "Asked whether a step of that kind can fail at that place (rule {}), {by_label} answers {word}{means}.",
                rule.name
            ),
            Asked::AfterEdits { done, of } => format!(
                "After step {done} of {of} the script reads as follows, and {by_label} answers {word}."
            ),
            Asked::WithSeed { number } => {
                format!("Asked with the random number {number}, {by_label} answers {word}.")
            }
            Asked::Again => format!("Asked again, {by_label} answers {word}."),
            Asked::Part { kept, of } => {
                format!("Asked only {kept} of the {of} assertions, {by_label} answers {word}.")
            }
            Asked::With { .. } => {
                format!("Asked the formula with one more condition, {by_label} answers {word}.")
            }
            Asked::Equivalent => format!("Asked the equivalent formula, {by_label} answers {word}."),
            Asked::Equivalence => format!(
                "Asked whether one of the two formulas can hold without the other, {by_label} answers {word}."
            ),
            Asked::OneShot { check } => format!(
                "Asked what is in scope at check {} in a script of its own, {by_label} answers {word}.",
                check + 1
            ),
            Asked::Plain { proofs } => format!(
                "Asked the script without {}, {by_label} answers {word} to the check.",
                if *proofs { "proofs" } else { "commands that ask for output" }
            ),
            Asked::Rewritten { rule } => {
                format!(
                    "Asked whether the two sides of a step ({rule}) can differ, {by_label} answers {word}{means}."
                )
            }
        };
        self.item(&line);
        self.block(&if is_accused { self.scope.as_sent(script) } else { script.to_owned() });
    }
}
