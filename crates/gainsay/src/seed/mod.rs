//! Seeds: scripts that strategies start from. They are read, checked, and freed of what no solver may be sent.

pub mod builtin;

mod asked;
mod corpus;
mod prepare;

use std::sync::Arc;

use sha2::{Digest, Sha256};
use smt::{Base, Fuel, Model, Pool, Query, Script, Verdict};

use crate::case::{Answer, SeedName};
use prepare::{Prepared, prepare};

pub use asked::Asked;
pub use corpus::{Corpus, SeedError, walk};
pub use prepare::{Dropped, Keep, Unusable};

/// A script that strategies start from. Its pool is frozen; the pools of mutants extend it, so a mutant costs what it adds.
#[derive(Debug)]
pub struct Seed {
    /// The name of the seed and the digest of its text.
    pub name: SeedName,
    base: Base,
    script: Script,
    /// The answer that the script itself states (`:status`). It is a note and never evidence.
    pub status: Option<Answer>,
    /// What of its text was left out.
    pub dropped: Dropped,
    keep: Keep,
    /// The size of its text in bytes, as it is sent to solvers.
    pub size: usize,
    /// The seed that a strategy made this one from; none if it was read. One has a model if and only if the other has one.
    pub origin: Option<Arc<Seed>>,
}

impl Seed {
    /// Reads a seed.
    pub fn read(name: &str, text: &[u8], keep: Keep) -> Result<Seed, Unusable> {
        let prepared = prepare(text, keep)?;
        let size = prepared.script.text().len();
        let name = SeedName { name: name.into(), digest: digest(text).into() };
        let Prepared { script, status, dropped } = prepared;
        let Script { pool, commands, source, notes, opaque } = script;
        let base = pool.freeze();
        let script = Script { pool: Pool::over(&base), commands, source, notes, opaque };
        Ok(Seed { name, base, script, status, dropped, keep, size, origin: None })
    }

    /// Whether every check is decided without knowing anything about its variables.
    pub fn is_folded(&self) -> bool {
        let model = Model::empty(&self.script);
        let decided =
            |query: &Query| !matches!(smt::satisfies(query, &model, &Fuel::new(100_000)), Verdict::Open(_));
        self.script.queries().iter().all(decided)
    }

    /// Reads another form of a seed, which has the same answers. `form` describes it and becomes a part of its name.
    pub fn in_form(origin: &Arc<Seed>, form: &str, text: &[u8]) -> Result<Seed, Unusable> {
        let seed = Seed::read(&format!("{} {form}", origin.name.name), text, origin.keep)?;
        Ok(Seed { status: origin.status, origin: Some(Arc::clone(origin)), ..seed })
    }

    /// The script.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A copy of the script that can be changed. Its pool extends that of the seed.
    pub fn fork(&self) -> Script {
        self.script.over(&self.base)
    }
}

/// The SHA-256 of a text, in hexadecimal.
pub fn digest(text: &[u8]) -> String {
    format!("{:x}", Sha256::digest(text))
}
