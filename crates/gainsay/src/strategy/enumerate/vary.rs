//! Variations of a grammar: other numbers of variables and assertions, other constants and operators.

use std::collections::BTreeSet;

use smt::theory::table;

use super::count::fixed;
use super::grammar::{Alternative, Grammar, Item, OPENING, Position, Rule, START};

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

/// The kind of a part of the start rule.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Declaration(String, String),
    Assertion,
    Question,
    Other,
}

impl Variation {
    /// The changed grammar. With `strict`, a change without effect is an error.
    pub fn apply(&self, grammar: &Grammar, strict: bool) -> Result<Grammar, String> {
        let mut draft = Draft { grammar: grammar.clone(), texts: Vec::new() };
        draft.look();
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

struct Draft {
    grammar: Grammar,
    /// The text of each rule that has only one.
    texts: Vec<Option<String>>,
}

impl Draft {
    fn look(&mut self) {
        let by_name = self.grammar.by_name();
        self.texts = fixed(&self.grammar, &by_name).into_iter().map(|f| f.map(|(text, _)| text)).collect();
    }

    /// The only text of an item.
    fn text<'a>(&'a self, item: &'a Item) -> Option<&'a str> {
        match item {
            Item::Text(text) => Some(text),
            Item::Rule(name, _) => {
                let rule = self.grammar.rules.iter().position(|rule| rule.name == *name)?;
                self.texts.get(rule)?.as_deref()
            }
        }
    }

    /// The only text of an alternative of one item.
    fn single<'a>(&'a self, alternative: &'a Alternative) -> Option<&'a str> {
        match alternative.items.as_slice() {
            [item] => self.text(item),
            _ => None,
        }
    }

    /// The word after the parenthesis with which an alternative begins.
    fn head<'a>(&'a self, alternative: &'a Alternative) -> Option<&'a str> {
        let mut items = alternative.items.iter();
        (self.text(items.next()?)? == "(").then(|| self.text(items.next()?)).flatten()
    }

    /// The parts of the start, which must have one alternative.
    fn parts(&self) -> Result<Vec<(Item, Part)>, String> {
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

    fn set_start(&mut self, items: Vec<Item>) {
        let start = self.grammar.rules.iter_mut().find(|rule| rule.name == START).expect("checked");
        start.alternatives = vec![Alternative { items, at: start.at }];
        self.look();
    }

    /// Adds a command as a rule of its own, which costs one, and tells its item.
    fn command(&mut self, name: &str, words: &[&str]) -> Item {
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

    fn parenthesised(&self, mut items: Vec<Item>) -> Vec<Item> {
        let or = |name: &str, text: &str| {
            if self.grammar.rule(name).is_some() { Item::rule(name) } else { Item::text(text) }
        };
        items.insert(0, or(OPENING, "("));
        items.push(or("ParClose", ")"));
        items
    }

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

    fn all_texts(&self) -> BTreeSet<String> {
        let items = self.grammar.rules.iter().flat_map(|r| &r.alternatives).flat_map(|a| &a.items);
        items.filter_map(|item| if let Item::Text(text) = item { Some(text.clone()) } else { None }).collect()
    }

    /// Adds another variable after each alternative that is a variable.
    fn beside(&mut self, old: &str, new: &str) {
        for i in 0..self.grammar.rules.len() {
            if self.texts[i].is_some() {
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
    fn forget(&mut self, name: &str) {
        for i in 0..self.grammar.rules.len() {
            if self.texts[i].is_some() {
                continue;
            }
            let names = |a: &Alternative| a.items.iter().any(|item| self.text(item) == Some(name));
            let kept = self.grammar.rules[i].alternatives.iter().filter(|a| !names(a)).cloned().collect();
            self.grammar.rules[i].alternatives = kept;
        }
    }

    /// Removes rules that derive nothing any more, and rules that are not used.
    fn prune(&mut self) -> Result<(), String> {
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

    fn constants(&mut self, constants: &[String], strict: bool) -> Result<(), String> {
        let mut used = vec![false; constants.len()];
        if let Some(odd) = constants.iter().find(|c| kind(c).is_none()) {
            return Err(format!("{odd} is no constant"));
        }
        for i in 0..self.grammar.rules.len() {
            if self.texts[i].is_some() {
                continue;
            }
            let mut done: Vec<Kind> = Vec::new();
            let mut alternatives = Vec::new();
            for alternative in &self.grammar.rules[i].alternatives {
                let of_kind = |wanted: &Kind| -> Vec<usize> {
                    (0..constants.len()).filter(|&k| kind(&constants[k]).as_ref() == Some(wanted)).collect()
                };
                let old = self.single(alternative).and_then(kind);
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

/// The kind of a constant. A constant can replace those of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Numeral,
    Decimal,
    String,
    Bits(usize),
    Float(usize, usize),
}

fn kind(text: &str) -> Option<Kind> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let bits = |text: &str| match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(hex), _) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => Some(hex.len() * 4),
        (_, Some(binary)) if binary.bytes().all(|b| b == b'0' || b == b'1') => Some(binary.len()),
        _ => None,
    };
    if let Some(negated) = text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        return kind(negated).filter(|kind| matches!(kind, Kind::Numeral | Kind::Decimal));
    }
    if let Some(parts) = text.strip_prefix("(fp ").and_then(|rest| rest.strip_suffix(')')) {
        let parts: Vec<usize> = parts.split(' ').filter_map(bits).collect();
        return match parts[..] {
            [1, exponent, significand] => Some(Kind::Float(exponent, significand + 1)),
            _ => None,
        };
    }
    if let Some(parts) = text.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')) {
        let parts: Vec<&str> = parts.split(' ').collect();
        return match parts[..] {
            [name, e, s] if is_float(name) => Some(Kind::Float(e.parse().ok()?, s.parse().ok()?)),
            _ => None,
        };
    }
    match text {
        "true" | "false" => Some(Kind::Bool),
        _ if digits(text) => Some(Kind::Numeral),
        _ if text.split_once('.').is_some_and(|(a, b)| digits(a) && digits(b)) => Some(Kind::Decimal),
        _ if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') => Some(Kind::String),
        _ => bits(text).map(Kind::Bits),
    }
}

/// Whether a name with two indices is a float of that format.
fn is_float(name: &str) -> bool {
    let mut rows = table().named(name).iter().map(|&op| table().op(op));
    rows.any(|row| row.names_format() && row.args.is_empty())
}

#[cfg(test)]
mod tests;
