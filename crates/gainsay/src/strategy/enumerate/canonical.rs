//! Canonical formulas: one representative of all formulas that differ only in the names of variables.
//!
//! Free variables of each sort first occur in the order in which they are declared. A bound variable has the first name of its
//! sort that is not free in the body.

use smt::sexpr::{self, TokenKind};

/// Whether a formula is canonical.
///
/// The formula is one of a grammar: tokens joined by single blanks, `( declare-const name sort )` first.
pub fn is_canonical(formula: &str) -> bool {
    let (declared, rest) = declarations(formula);
    if rest.contains("( forall ") || rest.contains("( exists ") {
        return Tree::of(rest).is_none_or(|tree| tree.is_canonical(&declared));
    }
    let mut order = Order::new(&declared);
    for word in sexpr::words(rest) {
        if order.is_over() {
            return true;
        }
        if !order.take(word) {
            return false;
        }
    }
    true
}

/// The order in which variables occur.
struct Order<'a> {
    declared: &'a [(&'a str, &'a str)],
    /// How many variables of each sort have occurred.
    seen: Vec<(&'a str, usize)>,
    known: Vec<bool>,
    open: usize,
}

impl<'a> Order<'a> {
    fn new(declared: &'a [(&'a str, &'a str)]) -> Order<'a> {
        Order { declared, seen: Vec::new(), known: vec![false; declared.len()], open: declared.len() }
    }

    fn is_over(&self) -> bool {
        self.open == 0
    }

    /// Reads a word; false if it is a variable that occurs too early.
    fn take(&mut self, word: &str) -> bool {
        let Some(which) = self.declared.iter().position(|(name, _)| *name == word) else { return true };
        if std::mem::replace(&mut self.known[which], true) {
            return true;
        }
        self.open -= 1;
        let sort = self.declared[which].1;
        let earlier = self.declared[..which].iter().filter(|(_, other)| *other == sort).count();
        let place = self.seen.iter().position(|(other, _)| *other == sort).unwrap_or_else(|| {
            self.seen.push((sort, 0));
            self.seen.len() - 1
        });
        self.seen[place].1 += 1;
        self.seen[place].1 == earlier + 1
    }
}

/// The lists and words of a formula. The members of a list come before the list.
struct Tree<'a>(Vec<Node<'a>>);

enum Node<'a> {
    Word(&'a str),
    List(Vec<usize>),
}

impl<'a> Tree<'a> {
    /// Reads a formula; none if its parentheses do not close.
    fn of(formula: &'a str) -> Option<Tree<'a>> {
        let mut nodes = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        for token in sexpr::tokens(formula.as_bytes()) {
            let node = match token.kind {
                TokenKind::Open => {
                    open.push(Vec::new());
                    continue;
                }
                TokenKind::Close => Node::List(open.pop()?),
                TokenKind::Unclosed => return None,
                _ => Node::Word(token.text(formula)),
            };
            open.last_mut()?.push(nodes.len());
            nodes.push(node);
        }
        (open.len() == 1).then_some(Tree(nodes))
    }

    fn word(&self, at: usize) -> Option<&'a str> {
        match self.0[at] {
            Node::Word(word) => Some(word),
            Node::List(_) => None,
        }
    }

    /// The name that a list binds if it is `( forall ((name sort)) body )`, and its body.
    fn bound(&self, inside: &[usize]) -> Option<(&'a str, usize)> {
        let &[head, list, body] = inside else { return None };
        let ("forall" | "exists") = self.word(head)? else { return None };
        let Node::List(list) = &self.0[list] else { return None };
        let &[one] = list.as_slice() else { return None };
        let Node::List(one) = &self.0[one] else { return None };
        Some((self.word(*one.first()?)?, body))
    }

    fn is_canonical(&self, declared: &[(&str, &str)]) -> bool {
        // Where the free variables of each node occur first, as numbers of nodes; by variable.
        let mut free: Vec<Vec<(usize, usize)>> = Vec::with_capacity(self.0.len());
        for (at, node) in self.0.iter().enumerate() {
            let own = match node {
                Node::Word(word) => {
                    let which = declared.iter().position(|(name, _)| name == word);
                    which.map(|which| (which, at)).into_iter().collect()
                }
                Node::List(inside) => match self.bound(inside) {
                    Some((name, body)) => {
                        let mut below = free[body].clone();
                        if let Some(which) = declared.iter().position(|(other, _)| *other == name) {
                            let sort = declared[which].1;
                            let is_free = |k: usize| below.iter().any(|(other, _)| *other == k);
                            if (0..which).any(|k| declared[k].1 == sort && !is_free(k)) {
                                return false;
                            }
                            below.retain(|(other, _)| *other != which);
                        }
                        below
                    }
                    None => {
                        let mut all: Vec<(usize, usize)> = Vec::new();
                        for &below in inside {
                            for &(which, first) in &free[below] {
                                if !all.iter().any(|(other, _)| *other == which) {
                                    all.push((which, first));
                                }
                            }
                        }
                        all
                    }
                },
            };
            free.push(own);
        }
        let mut inside = vec![false; self.0.len()];
        for node in &self.0 {
            if let Node::List(list) = node {
                for &k in list {
                    inside[k] = true;
                }
            }
        }
        let tops = (0..self.0.len()).filter(|&at| !inside[at]);
        let mut order = Order::new(declared);
        tops.flat_map(|at| free[at].iter()).all(|&(which, _)| order.take(declared[which].0))
    }
}

/// The variables that a formula declares first, with their sorts, and the rest of it.
pub(super) fn declarations(formula: &str) -> (Vec<(&str, &str)>, &str) {
    let mut found = Vec::new();
    let mut rest = formula;
    while let Some(after) = rest.strip_prefix("( declare-const ") {
        let Some((name, after)) = after.split_once(' ') else { break };
        let Some((sort, after)) = after.split_once(" )") else { break };
        found.push((name, sort));
        rest = after.trim_start_matches(' ');
    }
    (found, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_in_order() {
        let two = "( declare-const a Int ) ( declare-const b Int ) ";
        let mixed = "( declare-const a (_ BitVec 4) ) ( declare-const b Int ) ( declare-const c Int ) ";
        let rows = [
            (two, "( assert ( < a b ) )", true),
            (two, "( assert ( < b a ) )", false),
            (two, "( assert ( < b b ) )", false),
            (two, "( assert ( < 0 1 ) )", true),
            (two, "( assert ( < a a b a ) )", true),
            (two, "( assert ( = \"b a\" ( f a b ) ) )", true),
            (two, "( assert ( forall ((b Int)) ( = a b ) ) )", true),
            (two, "( assert ( forall ((a Int)) ( = a b ) ) )", false),
            (two, "( assert ( forall ((a Int)) ( = a a ) ) )", true),
            (two, "( assert ( forall ((b Int)) ( = b b ) ) )", false),
            (two, "( assert ( = a 0 ) ) ( assert ( exists ((a Int)) ( < a 1 ) ) )", true),
            (two, "( assert ( = a 0 ) ) ( assert ( exists ((b Int)) ( < b 1 ) ) )", false),
            (two, "( assert ( and ( exists ((a Int)) ( < a 1 ) ) ( < a b ) ) )", true),
            (two, "( assert ( and ( exists ((a Int)) ( < a 1 ) ) ( < b a ) ) )", false),
            (two, "( assert ( forall ((a Int)) ( exists ((b Int)) ( < a b ) ) ) )", true),
            (two, "( assert ( forall ((a Int)) ( exists ((b Int)) ( < b 0 ) ) ) )", false),
            (two, "( assert ( forall ((a Int)) ( = \"b (\" ( f a ) ) ) )", true),
            (mixed, "( assert ( f b a c ) )", true),
            (mixed, "( assert ( f c a b ) )", false),
            (mixed, "( assert ( f c ) )", false),
            ("", "( assert ( f b a ) )", true),
        ];
        for (declarations, rest, expected) in rows {
            assert_eq!(is_canonical(&format!("{declarations}{rest}")), expected, "{declarations}{rest}");
        }
    }
}
