//! The syntax tree of a regular language, shared and cheap to build.

use std::fmt;
use std::mem;
use std::sync::Arc;

use crate::value::text::LAST;

/// A regular language. Cloning shares; `=` is a question, see [`Regex::equals`].
#[derive(Clone)]
pub struct Regex(Arc<Node>);

/// A shape whose `Drop` is ours: the derived one would recurse.
struct Node(Shape);

/// The constructors that all others come down to.
pub(super) enum Shape {
    /// One character between the two, both included.
    Range(u32, u32),
    /// This very word.
    Word(Box<[u32]>),
    /// One after the other; none: the empty word.
    Concat(Vec<Regex>),
    /// Any of them; none: nothing.
    Union(Vec<Regex>),
    /// All of them; none: everything.
    Inter(Vec<Regex>),
    /// All but it.
    Comp(Regex),
    /// From so many to so many of it, or without end.
    Loop(Regex, u64, Option<u64>),
    /// Its words backwards.
    Reverse(Regex),
}

impl Regex {
    fn new(shape: Shape) -> Self {
        Self(Arc::new(Node(shape)))
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.0.0
    }

    /// The same for clones of one value, and for no others while both live.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// `re.none`, in z3 also `re.nostr`: no word.
    pub fn none() -> Self {
        Self::new(Shape::Union(Vec::new()))
    }

    /// `re.all`: every word.
    pub fn all() -> Self {
        Self::new(Shape::Inter(Vec::new()))
    }

    /// `re.allchar`: every word of one character.
    pub fn allchar() -> Self {
        Self::new(Shape::Range(0, LAST))
    }

    /// `str.to_re`: this one word.
    pub fn word(word: &[u32]) -> Self {
        Self::new(Shape::Word(word.into()))
    }

    /// `re.range`: nothing unless both are single characters in order.
    pub fn range(low: &[u32], high: &[u32]) -> Self {
        match (low, high) {
            (&[low], &[high]) if low <= high => Self::new(Shape::Range(low, high)),
            _ => Self::none(),
        }
    }

    /// The operator `re.++`.
    pub fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Concat(parts.into_iter().collect()))
    }

    /// The operator `re.union`.
    pub fn union(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Union(parts.into_iter().collect()))
    }

    /// The operator `re.inter`.
    pub fn inter(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::new(Shape::Inter(parts.into_iter().collect()))
    }

    /// The operator `re.comp`.
    #[must_use]
    pub fn comp(&self) -> Self {
        Self::new(Shape::Comp(self.clone()))
    }

    /// `re.diff`, of any number, from the left: this less each of `others`.
    #[must_use]
    pub fn diff(&self, others: impl IntoIterator<Item = Self>) -> Self {
        let others = others.into_iter().map(|other| other.comp());
        Self::inter(std::iter::once(self.clone()).chain(others))
    }

    /// The operator `re.*`.
    #[must_use]
    pub fn star(&self) -> Self {
        self.repeat(0, None)
    }

    /// The operator `re.+`.
    #[must_use]
    pub fn plus(&self) -> Self {
        self.repeat(1, None)
    }

    /// The operator `re.opt`.
    #[must_use]
    pub fn opt(&self) -> Self {
        self.repeat(0, Some(1))
    }

    /// `(_ re.^ n)`.
    #[must_use]
    pub fn power(&self, count: u64) -> Self {
        self.repeat(count, Some(count))
    }

    /// `(_ re.loop low high)`, nothing if `low > high`; without `high` z3's `(_ re.loop low)`.
    #[must_use]
    pub fn repeat(&self, low: u64, high: Option<u64>) -> Self {
        Self::new(Shape::Loop(self.clone(), low, high))
    }

    /// `re.reverse` (z3): the words backwards.
    #[must_use]
    pub fn reverse(&self) -> Self {
        Self::new(Shape::Reverse(self.clone()))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut orphans = children(&mut self.0);
        while let Some(Regex(node)) = orphans.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                orphans.append(&mut children(&mut node.0));
            }
        }
    }
}

/// Takes the children out of a shape that is about to go.
fn children(shape: &mut Shape) -> Vec<Regex> {
    match mem::replace(shape, Shape::Range(0, 0)) {
        Shape::Range(..) | Shape::Word(_) => Vec::new(),
        Shape::Concat(parts) | Shape::Union(parts) | Shape::Inter(parts) => parts,
        Shape::Comp(body) | Shape::Loop(body, ..) | Shape::Reverse(body) => vec![body],
    }
}

/// The root only: a whole tree may be deep, and its text exponential.
impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape() {
            Shape::Range(low, high) => write!(f, "Range({low:#x}, {high:#x})"),
            Shape::Word(word) => write!(f, "Word({word:x?})"),
            Shape::Concat(parts) => write!(f, "Concat of {}", parts.len()),
            Shape::Union(parts) => write!(f, "Union of {}", parts.len()),
            Shape::Inter(parts) => write!(f, "Inter of {}", parts.len()),
            Shape::Comp(_) => f.write_str("Comp"),
            Shape::Loop(_, low, high) => write!(f, "Loop({low}, {high:?})"),
            Shape::Reverse(_) => f.write_str("Reverse"),
        }
    }
}

/// The same object, not the same language: that is a question, see [`Regex::equals`].
impl PartialEq for Regex {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for Regex {}

impl PartialOrd for Regex {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Some order, as keys need one.
impl Ord for Regex {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.address().cmp(&other.address())
    }
}
