//! Lineage: how a case was made, as edits that people can read and that can be repeated.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Category, Rule, SessionForm};

/// The name of a seed and the digest of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedName {
    /// Its path, or its name in the corpus that comes with the program.
    pub name: Arc<str>,
    /// The SHA-256 of its text, in hexadecimal.
    pub digest: Arc<str>,
}

/// A place in a script: an occurrence of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The number of the command.
    pub command: u32,
    /// The number of the term among those of the command, such as one of several assumptions.
    pub term: u32,
    /// The numbers of the arguments that lead from the top of the term to the place.
    pub path: Vec<u32>,
}

/// One change of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The place that is changed.
    pub place: Place,
    /// The text of the operator or term before the edit.
    pub old: String,
    /// The text of the operator or term after the edit.
    pub new: String,
    /// The rule that allows the edit.
    pub rule: Rule,
}

/// The edits that made a mutant, oldest first. Mutants of one chain share theirs.
#[derive(Clone, Debug, Default)]
pub struct Edits(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    edit: Edit,
    earlier: Edits,
    count: u32,
}

impl Edits {
    /// These edits and one more.
    #[must_use]
    pub fn then(&self, edit: Edit) -> Edits {
        Edits(Some(Arc::new(Link { edit, earlier: self.clone(), count: self.count() + 1 })))
    }

    /// The number of edits.
    pub fn count(&self) -> u32 {
        self.0.as_ref().map_or(0, |link| link.count)
    }

    /// All edits, oldest first.
    pub fn list(&self) -> Vec<&Edit> {
        let mut all = Vec::with_capacity(self.count() as usize);
        let mut rest = self;
        while let Some(link) = &rest.0 {
            all.push(&link.edit);
            rest = &link.earlier;
        }
        all.reverse();
        all
    }
}

impl Drop for Edits {
    fn drop(&mut self) {
        // One by one: a long chain must not be freed by recursion.
        let mut rest = self.0.take();
        while let Some(link) = rest.and_then(Arc::into_inner) {
            let Link { mut earlier, .. } = link;
            rest = earlier.0.take();
        }
    }
}

impl Serialize for Edits {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}

impl<'de> Deserialize<'de> for Edits {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Edits, D::Error> {
        let all = Vec::<Edit>::deserialize(deserializer)?;
        Ok(all.into_iter().fold(Edits::default(), |edits, edit| edits.then(edit)))
    }
}

/// How a case was made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lineage {
    /// The name of the strategy that made the case.
    pub strategy: Cow<'static, str>,
    /// The seeds that the case was made from.
    #[serde(default)]
    pub seeds: Vec<SeedName>,
    /// The edits to the first seed that made the case.
    #[serde(default)]
    pub edits: Edits,
    /// The choices that a constructed case was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u64>,
    /// The forms of a session that was made of a seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<SessionForm>,
    /// A description of a constructed case, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The category of a test by construction, under which its answers are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(n: u32) -> Edit {
        let place = Place { command: n, term: 0, path: vec![n] };
        Edit { place, old: "bvudiv".to_owned(), new: "bvsdiv".to_owned(), rule: Rule::Operator }
    }

    #[test]
    fn chains_share_their_beginning_and_are_long() {
        let mut edits = Edits::default();
        for n in 0..1_000_000 {
            edits = edits.then(edit(n));
        }
        assert_eq!(edits.count(), 1_000_000);
        let (one, two) = (edits.then(edit(7)), edits.then(edit(8)));
        drop(edits);
        assert_eq!(one.list()[999_999], two.list()[999_999]);
        assert_eq!(two.list().last().map(|e| e.place.command), Some(8));
    }

    #[test]
    fn edits_are_written_and_read() {
        let edits = Edits::default().then(edit(1)).then(edit(2));
        let text = serde_json::to_string(&edits).expect("writable");
        let again: Edits = serde_json::from_str(&text).expect("readable");
        assert_eq!(again.list(), edits.list());
    }
}
