//! Grammars: reading, checking and writing them.

mod parse;

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

/// The rule whose presence makes an alternative cost one.
pub const OPENING: &str = "ParOpen";
/// The rule that every formula is derived from.
pub const START: &str = "start";

/// A place in a grammar's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1; 0 if it was not read from a text.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The error that a grammar cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {what}", at.line, at.column)]
pub struct BadGrammar {
    /// The place of the error.
    pub at: Position,
    /// The error in words.
    pub what: String,
}

impl BadGrammar {
    pub(super) fn new(at: Position, what: impl Into<String>) -> BadGrammar {
        BadGrammar { at, what: what.into() }
    }
}

/// A part of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A fixed text.
    Text(String),
    /// A rule, by name.
    Rule(String, Position),
}

/// One alternative of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The parts of the alternative; at least one.
    pub items: Vec<Item>,
    /// The place of its beginning.
    pub at: Position,
}

/// A rule of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The place of the rule in the text.
    pub at: Position,
    /// The alternatives in order; at least one.
    pub alternatives: Vec<Alternative>,
}

/// A grammar. Every rule is defined once. [`Grammar::check`] checks everything else.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// Its name.
    pub name: String,
    /// Its rules, in order.
    pub rules: Vec<Rule>,
}

impl Alternative {
    /// An alternative that was not read from a text.
    pub fn of(items: Vec<Item>) -> Alternative {
        Alternative { items, at: Position::default() }
    }

    /// Whether the alternative adds one to the size of a formula, as an alternative of this rule.
    pub fn pays(&self, rule: &str) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Rule(name, _) if name == OPENING || name == rule))
    }

    /// The names of the rules in the alternative.
    pub fn named(&self) -> impl Iterator<Item = (&str, Position)> {
        self.items.iter().filter_map(|item| match item {
            Item::Rule(name, at) => Some((name.as_str(), *at)),
            Item::Text(_) => None,
        })
    }
}

impl Item {
    /// An item that is a fixed text.
    pub fn text(text: &str) -> Item {
        Item::Text(text.to_owned())
    }

    /// An item that is a rule, not read from a text.
    pub fn rule(name: &str) -> Item {
        Item::Rule(name.to_owned(), Position::default())
    }
}

impl Grammar {
    /// Reads a grammar and checks it.
    pub fn read(text: &str) -> Result<Grammar, BadGrammar> {
        let grammar = parse::parse(text)?;
        grammar.check()?;
        Ok(grammar)
    }

    /// The rules by name.
    pub fn by_name(&self) -> FxHashMap<&str, usize> {
        self.rules.iter().enumerate().map(|(i, rule)| (rule.name.as_str(), i)).collect()
    }

    /// The rule of that name.
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// Checks that there is a start, every name is defined, every rule derives a text, and no rule leads to itself without
    /// cost.
    pub fn check(&self) -> Result<(), BadGrammar> {
        let end = self.rules.last().map_or(Position { line: 1, column: 1 }, |rule| rule.at);
        let by_name = self.by_name();
        if !by_name.contains_key(START) {
            return Err(BadGrammar::new(end, format!("there is no rule {START}")));
        }
        for rule in &self.rules {
            for (name, at) in rule.alternatives.iter().flat_map(Alternative::named) {
                if !by_name.contains_key(name) {
                    return Err(BadGrammar::new(at, format!("{name} is not defined")));
                }
            }
        }
        let productive = self.productive(&by_name);
        if let Some(dead) = productive.iter().position(|p| !p) {
            let rule = &self.rules[dead];
            let what =
                format!("{} derives nothing: every alternative needs a rule that never ends", rule.name);
            return Err(BadGrammar::new(rule.at, what));
        }
        self.without_cost(&by_name).map(|_| ())
    }

    /// Which rules derive a text.
    pub(super) fn productive(&self, by_name: &FxHashMap<&str, usize>) -> Vec<bool> {
        let mut known = vec![false; self.rules.len()];
        loop {
            let mut more = false;
            for (i, rule) in self.rules.iter().enumerate() {
                let ends =
                    |a: &Alternative| a.named().all(|(n, _)| by_name.get(n).is_some_and(|&r| known[r]));
                if !known[i] && rule.alternatives.iter().any(ends) {
                    known[i] = true;
                    more = true;
                }
            }
            if !more {
                return known;
            }
        }
    }

    /// The rules ordered so that each comes after the rules that it leads to without cost.
    pub(super) fn without_cost(&self, by_name: &FxHashMap<&str, usize>) -> Result<Vec<usize>, BadGrammar> {
        let below: Vec<Vec<(usize, Position)>> = self
            .rules
            .iter()
            .map(|rule| {
                let free = rule.alternatives.iter().filter(|a| !a.pays(&rule.name));
                free.flat_map(Alternative::named).map(|(name, at)| (by_name[name], at)).collect()
            })
            .collect();
        let mut order = Vec::with_capacity(self.rules.len());
        // 0 not seen, 1 above us, 2 done
        let mut state = vec![0u8; self.rules.len()];
        for root in 0..self.rules.len() {
            if state[root] != 0 {
                continue;
            }
            let mut stack = vec![(root, 0)];
            state[root] = 1;
            while let Some((rule, next)) = stack.last_mut() {
                let rule = *rule;
                let Some(&(child, at)) = below[rule].get(*next) else {
                    state[rule] = 2;
                    order.push(rule);
                    stack.pop();
                    continue;
                };
                *next += 1;
                match state[child] {
                    0 => {
                        state[child] = 1;
                        stack.push((child, 0));
                    }
                    1 => {
                        let from = stack.iter().position(|&(r, _)| r == child).unwrap_or(0);
                        let round: Vec<&str> =
                            stack[from..].iter().map(|&(r, _)| self.rules[r].name.as_str()).collect();
                        let name = &self.rules[child].name;
                        let what =
                            format!("{name} comes back to itself at no cost: {} → {name}", round.join(" → "));
                        return Err(BadGrammar::new(at, what));
                    }
                    _ => {}
                }
            }
        }
        Ok(order)
    }
}

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "grammar {};", self.name)?;
        for rule in &self.rules {
            let mut lines = Vec::new();
            for alternative in &rule.alternatives {
                let mut line = String::new();
                for item in &alternative.items {
                    match item {
                        Item::Text(text) => write!(line, "'{text}' ")?,
                        Item::Rule(name, _) => write!(line, "{name} ")?,
                    }
                }
                lines.push(line);
            }
            if let [only] = lines.as_slice() {
                writeln!(f, "{} : {only};", rule.name)?;
            } else {
                writeln!(f, "{}\n    : {}\n    ;", rule.name, lines.join("\n    | ").trim_end())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let rows = [
            ("grammar G; start : 'a' ;", ""),
            ("/* long\n */ grammar G;\n// short\nstart : 'a' EOF ; // end", ""),
            ("grammar G;\nstart : start 'a' | 'b' ;", ""),
            ("", "1:1: `grammar` is missing"),
            ("start : 'a' ;", "1:1: a grammar begins with `grammar Name;`"),
            ("grammar G; begin : 'a' ;", "1:12: there is no rule start"),
            ("grammar G;\nstart : 'a' | term ;", "2:15: term is not defined"),
            (
                "grammar G;\nstart : 'a' ;\n  t : 'a' t ;",
                "3:3: t derives nothing: every alternative needs a rule that never ends",
            ),
            (
                "grammar G;\nstart : t ;\nt : 'x' | u ;\nu : 'y' | t 'z' ;",
                "4:11: t comes back to itself at no cost: t → u → t",
            ),
            ("grammar G;\nParOpen : '(' ;\nstart : t ;\nt : 'x' | u ;\nu : 'y' | ParOpen t ;", ""),
            ("grammar G; start : 'a' ; start : 'b' ;", "1:26: start is defined twice, first in line 1"),
            ("grammar G; start : 'a' | ;", "1:26: an alternative is empty"),
            ("grammar G; start : EOF ;", "1:24: an alternative is empty"),
            ("grammar G; start : 'a\n' ;", "1:20: a text does not end"),
            ("grammar G; start : 'a' /* ;", "1:24: a comment does not end"),
            ("grammar G; start : 'a'+ ;", "1:23: repetition (+) has no order; write a rule"),
            ("grammar G; start : a -> b ;", "1:22: '-' has no meaning here"),
            ("grammar G; start : 'a'", "1:23: `;` is missing"),
            ("grammar G; start : 'a' t : 'b' ;", "1:26: the rule before has no `;`"),
            ("grammar G; start 'a' ;", "1:18: `:` is wanted here"),
            ("grammar G; 'a' : 'a' ;", "1:12: a rule's name is wanted here"),
        ];
        for (text, expected) in rows {
            let said = Grammar::read(text).map_or_else(|e| e.to_string(), |_| String::new());
            assert_eq!(said, expected, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text =
            "grammar G;\nParOpen : '(' ;\nt\n    : 'a b'\n    | ParOpen 'f' t ')'\n    ;\nstart : t ;\n";
        let written = Grammar::read(text).expect("good").to_string();
        let lines = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&written), lines(text));
        assert_eq!(Grammar::read(&written).expect("good").to_string(), written);
    }
}
