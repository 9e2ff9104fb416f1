//! Formulas of the rows as trees of words: what is replaced in them and how they are written.

use std::fmt;
use std::sync::Arc;

use smt::sexpr::{self, TokenKind};

/// A word, or several trees in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A name or a literal.
    Word(Arc<str>),
    /// What stands in parentheses.
    List(Vec<Tree>),
}

impl Tree {
    /// A word.
    pub fn word(text: &str) -> Tree {
        Tree::Word(text.into())
    }

    /// The tree that a text is. Rows are our own, so that they are well-formed.
    pub fn of(text: &str) -> Tree {
        let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
        for token in sexpr::tokens(text.as_bytes()) {
            let tree = match token.kind {
                TokenKind::Open => {
                    open.push(Vec::new());
                    continue;
                }
                TokenKind::Close => Tree::List(open.pop().expect("parentheses match")),
                _ => Tree::word(token.text(text)),
            };
            open.last_mut().expect("parentheses match").push(tree);
        }
        let mut all = open.pop().expect("parentheses match");
        all.pop().expect("one tree")
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Tree]> {
        match self {
            Tree::List(list) => Some(list),
            Tree::Word(_) => None,
        }
    }

    /// The first word of a list.
    pub fn head(&self) -> Option<&str> {
        match self.list()?.first()? {
            Tree::Word(word) => Some(word),
            Tree::List(_) => None,
        }
    }

    /// Whether a tree is a part of it, or equal to it.
    pub fn holds(&self, part: &Tree) -> bool {
        self == part || self.list().is_some_and(|list| list.iter().any(|tree| tree.holds(part)))
    }

    /// The tree with each part replaced for which `new` returns another one. Replaced parts are not searched.
    pub fn with(&self, new: &impl Fn(&Tree) -> Option<Tree>) -> Tree {
        match (new(self), self) {
            (Some(tree), _) => tree,
            (None, Tree::List(list)) => Tree::List(list.iter().map(|tree| tree.with(new)).collect()),
            (None, word) => word.clone(),
        }
    }

    /// The tree with one tree replaced by another everywhere.
    pub fn put(&self, old: &Tree, new: &Tree) -> Tree {
        self.with(&|tree| (tree == old).then(|| new.clone()))
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Word(word) => f.write_str(word),
            Tree::List(list) => {
                f.write_str("(")?;
                for (i, tree) in list.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    tree.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written() {
        for text in ["x", "\"\"", "(= s \"a\"\"b (\")", "(f (g x \"\") (- 1))", "()"] {
            assert_eq!(Tree::of(text).to_string(), text);
        }
        assert_eq!(Tree::of("( f\n x )").to_string(), "(f x)");
    }

    #[test]
    fn trees_are_replaced() {
        let tree = Tree::of("(= (- 1) (f 1 x))");
        assert_eq!(tree.put(&Tree::of("(- 1)"), &Tree::word("z")).to_string(), "(= z (f 1 x))");
        assert_eq!(tree.put(&Tree::word("1"), &Tree::word("z")).to_string(), "(= (- z) (f z x))");
        assert!(tree.holds(&Tree::word("x")) && !tree.holds(&Tree::word("y")));
    }
}
