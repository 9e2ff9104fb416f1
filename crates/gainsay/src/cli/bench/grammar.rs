//! Small formulas from a grammar file, in order of cost: an alternative with a parenthesis costs one.

use std::collections::HashMap;

use anyhow::{Context, bail};

/// How many texts of one symbol and one cost are kept; the rest of that cost is left out.
const KEPT: usize = 50_000;

enum Item {
    Text(String),
    Symbol(String),
}

struct Alternative {
    cost: usize,
    items: Vec<Item>,
}

/// A grammar as it stands in a file of rules `name : 'text' other | … ;`.
pub struct Grammar {
    rules: HashMap<String, Vec<Alternative>>,
    memo: HashMap<(String, usize), Vec<String>>,
}

impl Grammar {
    /// Reads a grammar.
    pub fn parse(text: &str) -> anyhow::Result<Grammar> {
        let plain: String =
            text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let mut tokens = tokens(&plain)?.into_iter().peekable();
        let mut raw: Vec<(String, Vec<Vec<Item>>)> = Vec::new();
        while let Some(Item::Symbol(name)) = tokens.next() {
            if name == "grammar" {
                tokens.by_ref().find(|t| matches!(t, Item::Symbol(s) if s == ";"));
                continue;
            }
            match tokens.next() {
                Some(Item::Symbol(s)) if s == ":" => {}
                _ => bail!("rule {name} has no colon"),
            }
            let mut alternatives = vec![Vec::new()];
            for token in tokens.by_ref() {
                match token {
                    Item::Symbol(s) if s == ";" => break,
                    Item::Symbol(s) if s == "|" => alternatives.push(Vec::new()),
                    item => alternatives.last_mut().expect("there is one").push(item),
                }
            }
            raw.push((name, alternatives));
        }
        let mut rules = HashMap::new();
        for (name, alternatives) in raw {
            let costly = |i: &Item| matches!(i, Item::Symbol(s) if s == "ParOpen" || *s == name);
            let with_cost =
                |items: Vec<Item>| Alternative { cost: usize::from(items.iter().any(costly)), items };
            let alternatives = alternatives.into_iter().map(with_cost).collect();
            rules.insert(name, alternatives);
        }
        rules.get("start").context("there is no rule `start`")?;
        Ok(Grammar { rules, memo: HashMap::new() })
    }

    /// The first `count` formulas.
    pub fn first(&mut self, count: usize) -> Vec<String> {
        let mut found = Vec::new();
        let mut empty = 0;
        let mut cost = 0;
        while found.len() < count && empty < 20 {
            let texts = self.of_symbol("start", cost);
            empty = if texts.is_empty() { empty + 1 } else { 0 };
            found.extend(texts);
            cost += 1;
        }
        found.truncate(count);
        found
    }

    fn of_symbol(&mut self, symbol: &str, cost: usize) -> Vec<String> {
        let key = (symbol.to_owned(), cost);
        if let Some(known) = self.memo.get(&key) {
            return known.clone();
        }
        // A symbol that is asked for again below itself at the same cost adds nothing new.
        self.memo.insert(key.clone(), Vec::new());
        let Some(alternatives) = self.rules.remove(symbol) else { return Vec::new() };
        let mut found = Vec::new();
        for alternative in alternatives.iter().filter(|a| a.cost <= cost) {
            // Its own symbol may occur inside, so it must be there while we look.
            self.rules.insert(symbol.to_owned(), copy(&alternatives));
            found.extend(self.of_items(&alternative.items, cost - alternative.cost));
            found.truncate(KEPT);
        }
        self.rules.insert(symbol.to_owned(), alternatives);
        self.memo.insert(key, found.clone());
        found
    }

    fn of_items(&mut self, items: &[Item], cost: usize) -> Vec<String> {
        let Some((first, rest)) = items.split_first() else {
            return if cost == 0 { vec![String::new()] } else { Vec::new() };
        };
        let mut found = Vec::new();
        for here in 0..=cost {
            let heads = match first {
                Item::Text(text) if here == 0 => vec![text.clone()],
                Item::Text(_) => break,
                Item::Symbol(symbol) => self.of_symbol(symbol, here),
            };
            if heads.is_empty() {
                continue;
            }
            let tails = self.of_items(rest, cost - here);
            for head in &heads {
                for tail in &tails {
                    let blank = if tail.is_empty() { "" } else { " " };
                    found.push(format!("{head}{blank}{tail}"));
                }
                if found.len() >= KEPT {
                    return found;
                }
            }
        }
        found
    }
}

fn copy(alternatives: &[Alternative]) -> Vec<Alternative> {
    let item = |i: &Item| match i {
        Item::Text(t) => Item::Text(t.clone()),
        Item::Symbol(s) => Item::Symbol(s.clone()),
    };
    alternatives
        .iter()
        .map(|a| Alternative { cost: a.cost, items: a.items.iter().map(item).collect() })
        .collect()
}

fn tokens(text: &str) -> anyhow::Result<Vec<Item>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '\'' => {
                let close = rest[1..].find('\'').context("a quote does not close")? + 1;
                found.push(Item::Text(rest[1..close].to_owned()));
                close + 1
            }
            ':' | '|' | ';' => {
                found.push(Item::Symbol(c.to_string()));
                1
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || ":|;'".contains(c)).unwrap_or(rest.len());
                found.push(Item::Symbol(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[end..].trim_start();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_come_in_order_of_cost() {
        let text = "// a comment\ngrammar G;\nParOpen : '(' ;\nParClose : ')' ;\nt : 'a' | ParOpen '-' t ParClose ;\n\
                    start : ParOpen 'f' t t ParClose ;";
        let mut grammar = Grammar::parse(text).expect("a grammar");
        assert_eq!(
            grammar.first(4),
            ["( f a a )", "( f a ( - a ) )", "( f ( - a ) a )", "( f a ( - ( - a ) ) )"]
        );
        assert!(Grammar::parse("a : 'b' ;").is_err());
    }
}
