//! Drafts: a grammar that is being changed, with the parts of its start rule and the texts of fixed rules.

use std::collections::BTreeSet;

use super::count::fixed;
use super::grammar::{Alternative, Grammar, Item, OPENING, Position, Rule, START};

/// The kind of a part of the start rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A declaration of a variable: its name and its sort.
    Declaration(String, String),
    /// A rule that asserts something.
    Assertion,
    /// A check.
    Question,
    /// Anything else.
    Other,
}

/// A grammar that is being changed.
pub(super) struct Draft {
    /// The grammar.
    pub grammar: Grammar,
    /// By rule: its text, if it derives only one.
    texts: Vec<Option<String>>,
}

impl Draft {
    /// A draft that begins with a grammar.
    pub fn of(grammar: &Grammar) -> Draft {
        let mut draft = Draft { grammar: grammar.clone(), texts: Vec::new() };
        draft.look();
        draft
    }

    /// Whether the rule with this number derives only one text.
    pub fn is_fixed(&self, rule: usize) -> bool {
        self.texts[rule].is_some()
    }

    /// Determines the fixed texts of rules again after a change.
    pub fn look(&mut self) {
        let by_name = self.grammar.by_name();
        self.texts = fixed(&self.grammar, &by_name).into_iter().map(|f| f.map(|(text, _)| text)).collect();
    }

    /// The only text of an item.
    pub fn text<'a>(&'a self, item: &'a Item) -> Option<&'a str> {
        match item {
            Item::Text(text) => Some(text),
            Item::Rule(name, _) => {
                let rule = self.grammar.rules.iter().position(|rule| rule.name == *name)?;
                self.texts.get(rule)?.as_deref()
            }
        }
    }

    /// The only text of an alternative of one item.
    pub fn single<'a>(&'a self, alternative: &'a Alternative) -> Option<&'a str> {
        match alternative.items.as_slice() {
            [item] => self.text(item),
            _ => None,
        }
    }

    /// The word after the parenthesis with which an alternative begins.
    pub fn head<'a>(&'a self, alternative: &'a Alternative) -> Option<&'a str> {
        let mut items = alternative.items.iter();
        (self.text(items.next()?)? == "(").then(|| self.text(items.next()?)).flatten()
    }

    /// The parts of the start, which must have one alternative.
    pub fn parts(&self) -> Result<Vec<(Item, Part)>, String> {
        let start = self.grammar.rule(START).ok_or("there is no start")?;
        let [only] = start.alternatives.as_slice() else {
            return Err(format!("{START} has several alternatives, so that its parts are not known"));
        };
        let part = |item: &Item| {
            if let Some(text) = self.text(item) {
                return match super::canonical::declarations(text) {
                    (declared, "") if declared.len() == 1 => {
                        Part::Declaration(declared[0].0.to_owned(), declared[0].1.to_owned())
                    }
                    _ if text.starts_with("( check-sat") => Part::Question,
                    _ => Part::Other,
                };
            }
            let Item::Rule(name, _) = item else { return Part::Other };
            let rule = self.grammar.rule(name).expect("checked");
            let asserts = rule.alternatives.iter().all(|a| self.head(a) == Some("assert"));
            if asserts { Part::Assertion } else { Part::Other }
        };
        Ok(only.items.iter().map(|item| (item.clone(), part(item))).collect())
    }

    /// Replaces the start rule by one alternative with these items.
    pub fn set_start(&mut self, items: Vec<Item>) {
        let start = self.grammar.rules.iter_mut().find(|rule| rule.name == START).expect("checked");
        start.alternatives = vec![Alternative { items, at: start.at }];
        self.look();
    }

    /// Adds a command as a rule of its own, which costs one, and tells its item.
    pub fn command(&mut self, name: &str, words: &[&str]) -> Item {
        let mut free = name.to_owned();
        while self.grammar.rule(&free).is_some() {
            free.push('_');
        }
        let items = self.parenthesised(words.iter().map(|word| Item::text(word)).collect());
        let rule =
            Rule { name: free.clone(), at: Position::default(), alternatives: vec![Alternative::of(items)] };
        let before = self.grammar.rules.iter().position(|rule| rule.name == START).unwrap_or(0);
        self.grammar.rules.insert(before, rule);
        self.look();
        Item::rule(&free)
    }

    /// The items between parentheses, written as the grammar writes them.
    pub fn parenthesised(&self, mut items: Vec<Item>) -> Vec<Item> {
        let or = |name: &str, text: &str| {
            if self.grammar.rule(name).is_some() { Item::rule(name) } else { Item::text(text) }
        };
        items.insert(0, or(OPENING, "("));
        items.push(or("ParClose", ")"));
        items
    }

    /// All fixed texts of the grammar.
    pub fn all_texts(&self) -> BTreeSet<String> {
        let items = self.grammar.rules.iter().flat_map(|r| &r.alternatives).flat_map(|a| &a.items);
        items.filter_map(|item| if let Item::Text(text) = item { Some(text.clone()) } else { None }).collect()
    }

    /// Adds another variable after each alternative that is a variable.
    pub fn beside(&mut self, old: &str, new: &str) {
        for i in 0..self.grammar.rules.len() {
            if self.is_fixed(i) {
                continue;
            }
            let rule = &self.grammar.rules[i];
            if let Some(at) = rule.alternatives.iter().rposition(|a| self.single(a) == Some(old)) {
                let added = Alternative::of(vec![Item::text(new)]);
                self.grammar.rules[i].alternatives.insert(at + 1, added);
            }
        }
    }

    /// Removes the alternatives that name a variable.
    pub fn forget(&mut self, name: &str) {
        for i in 0..self.grammar.rules.len() {
            if self.is_fixed(i) {
                continue;
            }
            let names = |a: &Alternative| a.items.iter().any(|item| self.text(item) == Some(name));
            let kept = self.grammar.rules[i].alternatives.iter().filter(|a| !names(a)).cloned().collect();
            self.grammar.rules[i].alternatives = kept;
        }
    }

    /// Removes rules that derive nothing any more, and rules that are not used.
    pub fn prune(&mut self) -> Result<(), String> {
        let by_name = self.grammar.by_name();
        let productive = self.grammar.productive(&by_name);
        let dead: BTreeSet<String> = (self.grammar.rules.iter().zip(&productive))
            .filter(|(_, alive)| !**alive)
            .map(|(rule, _)| rule.name.clone())
            .collect();
        if dead.contains(START) {
            return Err("nothing is left of the grammar".to_owned());
        }
        self.grammar.rules.retain(|rule| !dead.contains(&rule.name));
        for rule in &mut self.grammar.rules {
            rule.alternatives.retain(|a| !a.named().any(|(name, _)| dead.contains(name)));
        }
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![START.to_owned()];
        while let Some(name) = open.pop() {
            let rule = self.grammar.rule(&name).expect("what derives something is defined");
            open.extend(
                rule.alternatives
                    .iter()
                    .flat_map(Alternative::named)
                    .map(|(n, _)| n.to_owned())
                    .filter(|n| !used.contains(n)),
            );
            used.insert(name);
        }
        self.grammar.rules.retain(|rule| used.contains(&rule.name));
        self.look();
        Ok(())
    }
}
