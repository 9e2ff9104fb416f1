//! Seeds: scripts we start from, read, checked and stripped of what changes how they are answered.

pub mod builtin;

mod asked;
mod corpus;
mod prepare;

use std::sync::Arc;

use sha2::{Digest, Sha256};
use smt::{Base, Pool, Script};

use crate::case::{Answer, SeedName};

pub use asked::Asked;
pub use corpus::{Corpus, SeedError};
pub use prepare::Unusable;

/// A script we start from. Its pool is frozen: mutants stand on it and cost what they add.
#[derive(Debug)]
pub struct Seed {
    /// What it is called, and what it is.
    pub name: SeedName,
    base: Base,
    script: Script,
    /// What its author says the checks answer, where said: a note, never evidence.
    pub status: Option<Answer>,
    /// Bytes of its text as it is sent.
    pub size: usize,
    /// The seed that it was made of by a strategy, if it was not read: the one has a model if the other has one.
    pub origin: Option<Arc<Seed>>,
}

impl Seed {
    /// Reads a seed.
    pub fn read(name: &str, text: &[u8]) -> Result<Seed, Unusable> {
        let prepared = prepare::prepare(text)?;
        let size = prepared.script.text().len();
        let name = SeedName { name: name.into(), digest: digest(text).into() };
        let Script { pool, commands, source, notes, opaque } = prepared.script;
        let base = pool.freeze();
        let script = Script { pool: Pool::over(&base), commands, source, notes, opaque };
        Ok(Seed { name, base, script, status: prepared.status, size, origin: None })
    }

    /// Another form of a seed, which has the same answers; `form` says which, in its name.
    pub fn in_form(origin: &Arc<Seed>, form: &str, text: &[u8]) -> Result<Seed, Unusable> {
        let seed = Seed::read(&format!("{} {form}", origin.name.name), text)?;
        Ok(Seed { status: origin.status, origin: Some(Arc::clone(origin)), ..seed })
    }

    /// The script.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A script of its own that stands on this one, to be changed.
    pub fn fork(&self) -> Script {
        let Script { pool: _, commands, source, notes, opaque } = &self.script;
        Script {
            pool: Pool::over(&self.base),
            commands: commands.clone(),
            source: Arc::clone(source),
            notes: Arc::clone(notes),
            opaque: Arc::clone(opaque),
        }
    }
}

/// The SHA-256 of a text, in hexadecimal.
pub fn digest(text: &[u8]) -> String {
    format!("{:x}", Sha256::digest(text))
}
