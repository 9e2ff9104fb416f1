//! Variations of a grammar: other numbers of variables and assertions, other constants and operators.

use std::collections::BTreeSet;

use super::constant_kind::ConstantKind;
use super::draft::{Draft, Part};
use super::grammar::{Alternative, Grammar, Item};

/// The changes to a grammar. The default is no change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The number of variables of each sort that has any.
    pub variables: Option<usize>,
    /// The number of assertions.
    pub asserts: Option<usize>,
    /// Constants that replace those of the same kind.
    pub constants: Vec<String>,
    /// The operators that are kept; all if empty.
    pub operators: Vec<String>,
    /// Whether quantifiers over the names of variables are added.
    pub quantifiers: bool,
    /// Whether assertions after the first are put between `push` and `pop`.
    pub push_pop: bool,
}

/// Words that begin commands, not terms.
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-fun",
    "define-sort",
    "exit",
    "get-model",
    "pop",
    "push",
    "reset",
    "set-info",
    "set-logic",
    "set-option",
];

impl Variation {
    /// The changed grammar. With `strict`, a change without effect is an error.
    pub fn apply(&self, grammar: &Grammar, strict: bool) -> Result<Grammar, String> {
        let mut draft = Draft::of(grammar);
        if !self.constants.is_empty() {
            draft.constants(&self.constants, strict)?;
        }
        if !self.operators.is_empty() {
            draft.operators(&self.operators, strict)?;
        }
        if let Some(count) = self.variables {
            draft.variables(count)?;
        }
        if self.quantifiers {
            draft.quantifiers()?;
        }
        if let Some(count) = self.asserts {
            draft.asserts(count)?;
        }
        if self.push_pop {
            draft.push_pop()?;
        }
        draft.grammar.check().map_err(|e| e.what)?;
        Ok(draft.grammar)
    }
}

impl Draft {
    /// Gives each sort that has variables this many.
    fn variables(&mut self, count: usize) -> Result<(), String> {
        let parts = self.parts()?;
        let mut sorts: Vec<(String, Vec<String>)> = Vec::new();
        for (_, part) in &parts {
            if let Part::Declaration(name, sort) = part {
                match sorts.iter_mut().find(|(other, _)| other == sort) {
                    Some((_, names)) => names.push(name.clone()),
                    None => sorts.push((sort.clone(), vec![name.clone()])),
                }
            }
        }
        if sorts.is_empty() {
            return Err("the grammar declares no variables".to_owned());
        }
        let mut items: Vec<(Item, Part)> = parts;
        let mut taken: BTreeSet<String> = self.all_texts();
        for (sort, names) in &sorts {
            for name in names.iter().skip(count) {
                items.retain(|(_, part)| !matches!(part, Part::Declaration(n, _) if n == name));
                self.forget(name);
            }
            let mut previous = names.last().expect("a sort has a variable").clone();
            for _ in names.len()..count {
                let free = |name: &String| !taken.contains(name);
                // One more name than are taken: one of them is free.
                let name = (0..=taken.len()).map(nth_name).find(free).expect("one is free");
                taken.insert(name.clone());
                let declared = self.command(&format!("declare_{name}"), &["declare-const", &name, sort]);
                let of_sort = |(_, part): &(Item, Part)| matches!(part, Part::Declaration(_, s) if s == sort);
                let last = items.iter().rposition(of_sort).expect("the sort has a variable");
                items.insert(last + 1, (declared, Part::Declaration(name.clone(), sort.clone())));
                self.beside(&previous, &name);
                previous = name;
            }
        }
        self.set_start(items.into_iter().map(|(item, _)| item).collect());
        self.prune()
    }

    /// Replaces constants by others of their kind.
    fn constants(&mut self, constants: &[String], strict: bool) -> Result<(), String> {
        let mut used = vec![false; constants.len()];
        if let Some(odd) = constants.iter().find(|c| ConstantKind::of(c).is_none()) {
            return Err(format!("{odd} is no constant"));
        }
        for i in 0..self.grammar.rules.len() {
            if self.is_fixed(i) {
                continue;
            }
            let mut done: Vec<ConstantKind> = Vec::new();
            let mut alternatives = Vec::new();
            for alternative in &self.grammar.rules[i].alternatives {
                let of_kind = |wanted: &ConstantKind| -> Vec<usize> {
                    (0..constants.len())
                        .filter(|&k| ConstantKind::of(&constants[k]).as_ref() == Some(wanted))
                        .collect()
                };
                let old = self.single(alternative).and_then(ConstantKind::of);
                match old.filter(|kind| !of_kind(kind).is_empty()) {
                    None => alternatives.push(alternative.clone()),
                    Some(kind) if done.contains(&kind) => {}
                    Some(kind) => {
                        for k in of_kind(&kind) {
                            used[k] = true;
                            alternatives.push(Alternative::of(vec![Item::text(&constants[k])]));
                        }
                        done.push(kind);
                    }
                }
            }
            self.grammar.rules[i].alternatives = alternatives;
        }
        self.look();
        match used.iter().position(|used| !used) {
            Some(k) if strict => Err(format!("the grammar has no constant of the kind of {}", constants[k])),
            _ => Ok(()),
        }
    }

    /// Keeps only the alternatives with these operators.
    fn operators(&mut self, operators: &[String], strict: bool) -> Result<(), String> {
        let mut used = vec![false; operators.len()];
        let mut kept: Vec<Vec<Alternative>> = Vec::new();
        for rule in &self.grammar.rules {
            let keeps = |alternative: &&Alternative| {
                let Some(head) = self.head(alternative) else { return true };
                if COMMANDS.contains(&head) {
                    return true;
                }
                let name = head.strip_prefix("(_ ").and_then(|rest| rest.split(' ').next()).unwrap_or(head);
                let which = operators.iter().position(|op| op == head || op == name);
                which.map(|k| used[k] = true).is_some()
            };
            kept.push(rule.alternatives.iter().filter(keeps).cloned().collect());
        }
        for (rule, alternatives) in self.grammar.rules.iter_mut().zip(kept) {
            rule.alternatives = alternatives;
        }
        if let Some(k) = used.iter().position(|used| !used).filter(|_| strict) {
            return Err(format!("the grammar has no operator {}", operators[k]));
        }
        self.prune()
    }

    /// Adds quantifiers over the names of variables to what is asserted.
    fn quantifiers(&mut self) -> Result<(), String> {
        let parts = self.parts()?;
        let asserted = parts.iter().find(|(_, part)| *part == Part::Assertion);
        let Some((Item::Rule(asserted, _), _)) = asserted else {
            return Err("no rule asserts anything".to_owned());
        };
        let rule = self.grammar.rule(asserted).expect("checked");
        let body = rule.alternatives.iter().flat_map(|a| &a.items).find(|item| self.text(item).is_none());
        let Some(Item::Rule(body, _)) = body.cloned() else {
            return Err("what is asserted never varies".to_owned());
        };
        let mut added = Vec::new();
        for word in ["forall", "exists"] {
            for (_, part) in &parts {
                if let Part::Declaration(name, sort) = part {
                    let bound = format!("(({name} {sort}))");
                    let items = vec![Item::text(word), Item::Text(bound), Item::rule(&body)];
                    added.push(Alternative::of(self.parenthesised(items)));
                }
            }
        }
        let rule = self.grammar.rules.iter_mut().find(|rule| rule.name == body).expect("checked");
        rule.alternatives.extend(added);
        self.look();
        Ok(())
    }

    /// Repeats the first assertion this many times, in place of all.
    fn asserts(&mut self, count: usize) -> Result<(), String> {
        let mut items = Vec::new();
        let mut done = false;
        for (item, part) in self.parts()? {
            match part {
                Part::Assertion if done => {}
                Part::Assertion => {
                    items.extend(std::iter::repeat_n(item, count));
                    done = true;
                }
                _ => items.push(item),
            }
        }
        if !done || count == 0 {
            return Err("at least one assertion is wanted".to_owned());
        }
        self.set_start(items);
        Ok(())
    }

    /// Puts assertions after the first between `push` and `pop`, each with a check.
    fn push_pop(&mut self) -> Result<(), String> {
        let parts = self.parts()?;
        let question = parts.iter().find(|(_, part)| *part == Part::Question).map(|(item, _)| item.clone());
        let Some(question) = question else { return Err("the grammar asks nothing".to_owned()) };
        let asserts = parts.iter().filter(|(_, part)| *part == Part::Assertion).count();
        let push = self.command("push", &["push", "1"]);
        let pop = self.command("pop", &["pop", "1"]);
        let mut items = Vec::new();
        let mut seen = 0;
        for (item, part) in parts {
            if part != Part::Assertion {
                items.push(item);
                continue;
            }
            seen += 1;
            if seen == 1 && asserts > 1 {
                items.extend([item, question.clone()]);
            } else {
                items.extend([push.clone(), item, question.clone(), pop.clone()]);
            }
        }
        self.set_start(items);
        Ok(())
    }
}

/// a, b, … z, then v26, v27, …
fn nth_name(n: usize) -> String {
    match u8::try_from(n) {
        Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
        _ => format!("v{n}"),
    }
}

#[cfg(test)]
mod tests;
