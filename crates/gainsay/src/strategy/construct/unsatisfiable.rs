//! Unsatisfiable tests: an operation denied beside what it means, then made larger by equalities.
//!
//! A transformation puts another term in the place of a variable or a constant of `B`, or of a variable that `B` binds. Where
//! the variable is nowhere else, what is added is redundant and the core stays; else it belongs to the core.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::LazyLock;

use smt::theory::table;
use smt::{Pat, SortId};

use super::Test;
use super::equalities::{EQUALITIES, Equality};
use super::equivalences::{self, Equivalence};
use super::tree::Tree;
use crate::case::{Answer, Category};

/// The names of the tests whose core has been earned: without any one of its members the rest is satisfied by a model that our
/// evaluator accepts. A test finds these models again.
static EARNED: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("cores.txt").lines().collect());

/// Which side of an equivalence a conjunct is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    A,
    B,
    Added,
}

/// A conjunct.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    side: Side,
    tree: Tree,
    /// Whether it is of the core.
    needed: bool,
}

/// A conjunction that nothing satisfies.
#[derive(Clone, Debug)]
pub struct Formula {
    theory: &'static str,
    category: Category,
    path: String,
    variables: Vec<(String, &'static str)>,
    parts: Vec<Part>,
}

/// The tests of one equivalence in one category, of at most so many transformations.
pub fn tests(row: &'static Equivalence, category: Category, rounds: usize) -> Box<dyn Iterator<Item = Test>> {
    if category == Category::Equivalent {
        let both = [Some(Formula::of(row)), row.converse.then(|| Formula::converse(row))];
        return Box::new(both.into_iter().flatten().flat_map(Formula::tests));
    }
    let made = (1..=rounds).flat_map(move |round| composed(Formula::of(row), 1, round));
    Box::new(made.filter(move |formula| formula.category == category).flat_map(Formula::tests))
}

/// The rows of a theory.
pub fn rows(theory: &str) -> Vec<&'static Equivalence> {
    equivalences::rows(theory).collect()
}

/// All that comes of transformations number `from` to `to`.
fn composed(formula: Formula, from: usize, to: usize) -> Box<dyn Iterator<Item = Formula>> {
    if from > to {
        return Box::new(std::iter::once(formula));
    }
    Box::new(formula.transformed(from).into_iter().flat_map(move |next| composed(next, from + 1, to)))
}

impl Formula {
    /// `A` denied and `B`.
    pub fn of(row: &'static Equivalence) -> Formula {
        let mut formula = Formula::begun(row, Tree::List(vec![Tree::word("not"), Tree::of(row.a)]), row.own);
        for (i, text) in row.b.iter().enumerate() {
            let name = if row.b.len() == 1 { "B".to_owned() } else { format!("B{}", i + 1) };
            formula.parts.push(Part { name, side: Side::B, tree: Tree::of(text), needed: true });
        }
        formula
    }

    /// `A`, and `B` denied for all values of its own variables.
    pub fn converse(row: &'static Equivalence) -> Formula {
        let mut formula = Formula::begun(row, Tree::of(row.a), &[]);
        let conjuncts = row.b.iter().map(|text| Tree::of(text));
        let all = match row.b {
            [one] => Tree::of(one),
            _ => Tree::List(std::iter::once(Tree::word("and")).chain(conjuncts).collect()),
        };
        let denied = Tree::List(vec![Tree::word("not"), all]);
        let tree = if row.own.is_empty() {
            denied
        } else {
            let binders = row.own.iter().map(|(name, sort)| binder(name, sort)).collect();
            forall(binders, denied, vec![Tree::of(row.pattern)])
        };
        formula.parts.push(Part { name: "B".to_owned(), side: Side::B, tree, needed: true });
        formula.path.push_str("/converse");
        formula
    }

    fn begun(row: &'static Equivalence, a: Tree, own: &[(&'static str, &'static str)]) -> Formula {
        let variables = row.shared.iter().chain(own).map(|(name, sort)| ((*name).to_owned(), *sort));
        let variables = variables.collect();
        let a = Part { name: "A".to_owned(), side: Side::A, tree: a, needed: true };
        let (theory, path) = (row.theory, row.id.to_owned());
        Formula { theory, category: Category::Equivalent, path, variables, parts: vec![a] }
    }

    /// All that one more transformation makes of it; `round` marks the names of its variables.
    fn transformed(&self, round: usize) -> Vec<Formula> {
        let mut made = Vec::new();
        let rows = || EQUALITIES.iter().filter(|row| row.theory == self.theory);
        for (name, sort) in &self.variables {
            let word = Tree::word(name);
            if !self.holds(&word, Side::B) {
                continue;
            }
            let shared = self.holds(&word, Side::A) || self.holds(&word, Side::Added);
            for row in rows().filter(|row| row.is_general() && row.sort == *sort) {
                made.push(self.with_equality(row, (&word, sort), name, round, shared));
            }
        }
        for (constant, label) in self.constants() {
            for row in rows().filter(|row| !row.is_general() && Tree::of(row.value) == constant) {
                made.push(self.with_equality(row, (&constant, row.sort), &label, round, true));
            }
        }
        for quantifier in self.quantifiers() {
            let Some(Tree::List(binders)) = quantifier.list().and_then(|list| list.get(1)) else { continue };
            for bound in binders.iter().filter_map(Tree::list) {
                let [Tree::Word(name), sort] = bound else { continue };
                let sort = sort.to_string();
                for row in rows().filter(|row| row.is_general() && row.onto && row.sort == sort) {
                    // A row that has no negative numbers wants a body that says nothing of them.
                    let from_zero = Tree::of(&format!("(>= {name} 0)"));
                    if row.side.contains("(>= s 0)") && !quantifier.holds(&from_zero) {
                        continue;
                    }
                    made.extend(self.with_bound(row, &quantifier, name, &sort, round));
                }
            }
        }
        made
    }

    fn holds(&self, word: &Tree, side: Side) -> bool {
        self.parts.iter().any(|part| part.side == side && part.needed && part.tree.holds(word))
    }

    /// A new variable for `old` in `B`, and that it equals the row's term.
    fn with_equality(
        &self,
        row: &Equality,
        (old, sort): (&Tree, &'static str),
        label: &str,
        round: usize,
        shared: bool,
    ) -> Formula {
        let subject = if row.is_general() { label } else { "" };
        let fresh =
            if row.is_general() { format!("{label}_fresh{round}") } else { format!("z_fresh{round}") };
        let (term, side, others) = row.instance(subject, &format!("any{round}"));
        let mut formula = self.clone();
        let new = Tree::word(&fresh);
        for part in formula.parts.iter_mut().filter(|part| part.side == Side::B) {
            part.tree = part.tree.with(&|tree| replaced(tree, old, &new));
        }
        formula.variables.push((fresh, sort));
        formula.variables.extend(others);
        let equal = Tree::List(vec![Tree::word("="), term, new]);
        formula.add(format!("C{round}"), equal, shared);
        if let Some(side) = side {
            formula.add(format!("side{round}"), side, shared);
        }
        formula.step(label, row.id, if shared { Category::LargerCore } else { Category::Redundancy });
        formula
    }

    /// A new variable for one that a quantifier binds, bound with it: what was said of it is now said of what the row's term
    /// may be.
    fn with_bound(
        &self,
        row: &Equality,
        quantifier: &Tree,
        name: &str,
        sort: &str,
        round: usize,
    ) -> Option<Formula> {
        let [_, Tree::List(binders), body] = quantifier.list()? else { return None };
        let [_, body, _, Tree::List(patterns)] = body.list()? else { return None };
        let fresh = format!("{name}_fresh{round}");
        let (old, new) = (Tree::word(name), Tree::word(&fresh));
        let (term, side, others) = row.instance(name, &format!("any{round}"));
        let mut binders = binders.clone();
        binders.push(binder(&fresh, sort));
        binders.extend(others.iter().map(|(name, sort)| binder(name, sort)));
        let equal = Tree::List(vec![Tree::word("="), term.clone(), new.clone()]);
        let clause = match side {
            Some(side) => Tree::List(vec![Tree::word("and"), equal, side]),
            None => equal,
        };
        let body = Tree::List(vec![Tree::word("=>"), clause, body.put(&old, &new)]);
        let mut patterns: Vec<Tree> = patterns.iter().map(|pattern| pattern.put(&old, &new)).collect();
        patterns.push(term);
        let changed = forall(binders, body, patterns);
        let mut formula = self.clone();
        for part in formula.parts.iter_mut().filter(|part| part.side == Side::B) {
            part.tree = part.tree.put(quantifier, &changed);
        }
        formula.step(name, row.id, Category::Redundancy);
        Some(formula)
    }

    fn add(&mut self, name: String, tree: Tree, needed: bool) {
        self.parts.push(Part { name, side: Side::Added, tree, needed });
    }

    fn step(&mut self, label: &str, row: &str, category: Category) {
        let _ = write!(self.path, "/{label}/{row}");
        // One redundant step makes the whole redundant.
        if self.category != Category::Redundancy {
            self.category = category;
        }
    }

    /// The constants of `B` that rows have, each once, with words for them.
    fn constants(&self) -> Vec<(Tree, String)> {
        let mut found: Vec<(Tree, String)> = Vec::new();
        let rows = EQUALITIES.iter().filter(|row| !row.is_general() && row.theory == self.theory);
        for value in rows.map(|row| Tree::of(row.value)) {
            let known = found.iter().any(|(tree, _)| *tree == value);
            let is_there = |part: &Part| {
                let marked = part.tree.with(&|tree| replaced(tree, &value, &Tree::word("?")));
                part.side == Side::B && marked != part.tree
            };
            if !known && self.parts.iter().any(is_there) {
                let text = value.to_string();
                let label = match text.as_str() {
                    "\"\"" => "empty".to_owned(),
                    "(- 1)" => "-1".to_owned(),
                    _ => text.replace('"', "'"),
                };
                found.push((value, label));
            }
        }
        found
    }

    /// The universal quantifiers with patterns in `B`, each once.
    fn quantifiers(&self) -> Vec<Tree> {
        fn look(tree: &Tree, found: &mut Vec<Tree>) {
            if tree.head() == Some("forall") && !found.contains(tree) {
                found.push(tree.clone());
            }
            tree.list().into_iter().flatten().for_each(|part| look(part, found));
        }
        let mut found = Vec::new();
        self.parts.iter().filter(|part| part.side == Side::B).for_each(|part| look(&part.tree, &mut found));
        found
    }

    /// The test that it is; two if it has patterns.
    fn tests(self) -> Vec<Test> {
        let quantified = self.parts.iter().any(|part| part.tree.holds(&Tree::word("forall")));
        let mut tests = vec![self.test(false)];
        if quantified {
            tests.push(self.test(true));
        }
        tests
    }

    fn test(&self, patterns: bool) -> Test {
        let mut body = String::with_capacity(1024);
        for (name, sort) in &self.variables {
            let _ = writeln!(body, "(declare-const {name} {sort})");
        }
        for part in &self.parts {
            let bare;
            let tree = if patterns {
                &part.tree
            } else {
                bare = without_patterns(&part.tree);
                &bare
            };
            let _ = writeln!(body, "(assert (! {tree} :named {}))", part.name);
        }
        let mark = if patterns { "+p" } else { "" };
        let name = format!("{}/{}/{}{mark}", self.theory, self.category.word(), self.path);
        let core = EARNED.contains(name.as_str()).then(|| self.core());
        Test { name, category: self.category, body, answer: Answer::Unsat, model: None, core }
    }

    /// The names of what the core has if it is minimal.
    fn core(&self) -> Vec<String> {
        self.parts.iter().filter(|part| part.needed).map(|part| part.name.clone()).collect()
    }
}

/// The new tree for the old one; indices and what stands in a language are left as they are: solvers want constants there.
fn replaced(tree: &Tree, old: &Tree, new: &Tree) -> Option<Tree> {
    if tree == old {
        return Some(new.clone());
    }
    let head = tree.head()?;
    let language = |pat: Pat| matches!(pat, Pat::Is(SortId::REGLAN));
    let of_language = table().named(head).first().is_some_and(|&op| language(table().op(op).result));
    let negative = head == "-" && tree.list()?.len() == 2;
    (head == "_" || of_language || (negative && old.list().is_none())).then(|| tree.clone())
}

fn binder(name: &str, sort: &str) -> Tree {
    Tree::List(vec![Tree::word(name), Tree::of(sort)])
}

fn forall(binders: Vec<Tree>, body: Tree, patterns: Vec<Tree>) -> Tree {
    let body = vec![Tree::word("!"), body, Tree::word(":pattern"), Tree::List(patterns)];
    Tree::List(vec![Tree::word("forall"), Tree::List(binders), Tree::List(body)])
}

fn without_patterns(tree: &Tree) -> Tree {
    tree.with(&|tree| match tree.list() {
        Some([Tree::Word(mark), body, ..]) if &**mark == "!" => Some(without_patterns(body)),
        _ => None,
    })
}

#[cfg(test)]
#[path = "tests/earn.rs"]
mod earn;
