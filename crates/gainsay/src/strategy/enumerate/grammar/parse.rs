//! Parsing the text of a grammar.

use super::{Alternative, BadGrammar, Grammar, Item, Position, Rule};

/// Parses a grammar. [`Grammar::check`] checks what it means.
pub(super) fn parse(text: &str) -> Result<Grammar, BadGrammar> {
    Reader::new(text)?.grammar()
}

/// A token of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Mark(char),
}

/// The tokens that are not read yet.
struct Reader {
    tokens: std::iter::Peekable<std::vec::IntoIter<(Token, Position)>>,
    end: Position,
}

impl Reader {
    fn new(text: &str) -> Result<Reader, BadGrammar> {
        let mut tokens = Vec::new();
        let mut rest = text;
        let mut at = Position { line: 1, column: 1 };
        while let Some(c) = rest.chars().next() {
            let name_char = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let open = |what: &str| BadGrammar::new(at, format!("{what} does not end"));
            let length = match c {
                _ if c.is_whitespace() => c.len_utf8(),
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => rest.find("*/").ok_or_else(|| open("a comment"))? + 2,
                '\'' => {
                    let close = rest[1..].find(['\'', '\n']).map(|i| i + 1);
                    let close =
                        close.filter(|&i| rest[i..].starts_with('\'')).ok_or_else(|| open("a text"))?;
                    tokens.push((Token::Text(rest[1..close].to_owned()), at));
                    close + 1
                }
                ':' | '|' | ';' => {
                    tokens.push((Token::Mark(c), at));
                    1
                }
                _ if name_char(c) => {
                    let end = rest.find(|c| !name_char(c)).unwrap_or(rest.len());
                    // The end of the input is where the formula ends anyway.
                    if &rest[..end] != "EOF" {
                        tokens.push((Token::Name(rest[..end].to_owned()), at));
                    }
                    end
                }
                '+' | '*' | '?' => {
                    return Err(BadGrammar::new(at, format!("repetition ({c}) has no order; write a rule")));
                }
                _ => return Err(BadGrammar::new(at, format!("{c:?} has no meaning here"))),
            };
            for c in rest[..length].chars() {
                at = match c {
                    '\n' => Position { line: at.line + 1, column: 1 },
                    _ => Position { column: at.column + 1, ..at },
                };
            }
            rest = &rest[length..];
        }
        Ok(Reader { tokens: tokens.into_iter().peekable(), end: at })
    }

    fn next(&mut self, wanted: &str) -> Result<(Token, Position), BadGrammar> {
        self.tokens.next().ok_or_else(|| BadGrammar::new(self.end, format!("{wanted} is missing")))
    }

    fn name(&mut self, wanted: &str) -> Result<(String, Position), BadGrammar> {
        match self.next(wanted)? {
            (Token::Name(name), at) => Ok((name, at)),
            (_, at) => Err(BadGrammar::new(at, format!("{wanted} is wanted here"))),
        }
    }

    fn mark(&mut self, mark: char) -> Result<(), BadGrammar> {
        match self.next(&format!("`{mark}`"))? {
            (Token::Mark(c), _) if c == mark => Ok(()),
            (_, at) => Err(BadGrammar::new(at, format!("`{mark}` is wanted here"))),
        }
    }

    fn grammar(mut self) -> Result<Grammar, BadGrammar> {
        let (word, at) = self.name("`grammar`")?;
        if word != "grammar" {
            return Err(BadGrammar::new(at, "a grammar begins with `grammar Name;`"));
        }
        let (name, _) = self.name("the grammar's name")?;
        self.mark(';')?;
        let mut rules: Vec<Rule> = Vec::new();
        while self.tokens.peek().is_some() {
            let (name, at) = self.name("a rule's name")?;
            if let Some(first) = rules.iter().find(|rule| rule.name == name) {
                let what = format!("{name} is defined twice, first in line {}", first.at.line);
                return Err(BadGrammar::new(at, what));
            }
            self.mark(':')?;
            let alternatives = self.alternatives(at)?;
            rules.push(Rule { name, at, alternatives });
        }
        Ok(Grammar { name, rules })
    }

    fn alternatives(&mut self, rule: Position) -> Result<Vec<Alternative>, BadGrammar> {
        let mut found = Vec::new();
        let mut items = Vec::new();
        let mut start = rule;
        loop {
            let (token, at) = self.next("`;`")?;
            if items.is_empty() {
                start = at;
            }
            match token {
                Token::Text(text) => items.push(Item::Text(text)),
                Token::Name(name) => items.push(Item::Rule(name, at)),
                Token::Mark(':') => return Err(BadGrammar::new(at, "the rule before has no `;`")),
                Token::Mark(mark) => {
                    if items.is_empty() {
                        return Err(BadGrammar::new(at, "an alternative is empty"));
                    }
                    found.push(Alternative { items: std::mem::take(&mut items), at: start });
                    if mark == ';' {
                        return Ok(found);
                    }
                }
            }
        }
    }
}
