//! Levels of a script, and collections that follow `push`, `pop` and `reset`.

pub use crate::levels::Levels;
use crate::script::What;

/// Things that commands add one after another, and that `pop` and `reset` take away again.
///
/// ```
/// use smt::scope::Scoped;
///
/// let text = b"(assert true)(push 2)(assert false)(pop 1)(check-sat)(reset)(check-sat)";
/// let script = smt::read(text).expect("well-sorted");
/// let mut asserted = Scoped::default();
/// let mut counts = Vec::new();
/// for (i, command) in script.commands.iter().enumerate() {
///     match command.what {
///         smt::What::Assert(_) => asserted.add(i),
///         smt::What::CheckSat => counts.push(asserted.items().len()),
///         what => drop(asserted.follow(what)),
///     }
/// }
/// assert_eq!(counts, [1, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Scoped<T> {
    items: Vec<T>,
    levels: Levels<usize>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped { items: Vec::new(), levels: Levels::default() }
    }
}

impl<T> Scoped<T> {
    /// Adds a thing to the innermost level.
    pub fn add(&mut self, item: T) {
        self.items.push(item);
    }

    /// The items in scope, oldest first.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items in scope, oldest first.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// Changes the levels as a command does, and returns the items that are no longer in scope. Commands other than
    /// `push`, `pop`, `reset` and `reset-assertions` do nothing. A `pop` of more levels than there are leaves them all.
    pub fn follow(&mut self, what: What) -> Vec<T> {
        match what {
            What::Push(count) => {
                self.levels.push(self.items.len(), count);
                Vec::new()
            }
            What::Pop(count) => match self.levels.pop(count.into()) {
                (Some(mark), _) => self.items.split_off(mark),
                _ => Vec::new(),
            },
            What::Reset | What::ResetAssertions => {
                self.levels.clear();
                std::mem::take(&mut self.items)
            }
            _ => Vec::new(),
        }
    }

    /// Leaves so many levels and keeps their items, as `:global-declarations` keeps names.
    pub fn merge(&mut self, count: u32) {
        self.levels.pop(count.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_left_as_they_were_entered() {
        let mut kept = Scoped::default();
        kept.add('a');
        kept.follow(What::Push(2));
        kept.add('b');
        kept.follow(What::Push(u32::MAX));
        kept.add('c');
        assert_eq!(kept.follow(What::Pop(u32::MAX)), ['c']);
        assert_eq!(kept.follow(What::Pop(1)), ['b']);
        kept.add('d');
        assert_eq!(kept.items(), ['a', 'd']);
        assert_eq!(kept.follow(What::Pop(7)), ['d']);
        assert!(kept.follow(What::Pop(1)).is_empty());
        assert_eq!(kept.follow(What::ResetAssertions), ['a']);
        kept.follow(What::Push(1));
        kept.add('e');
        kept.merge(1);
        assert!(kept.follow(What::Pop(1)).is_empty());
        assert_eq!(kept.into_items(), ['e']);
    }
}
