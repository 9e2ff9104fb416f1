//! Seeds and other texts on a server, by what they are, each once.

use super::Postgres;
use super::link::plain;
use crate::store::StoreError;
use crate::store::columns::{self, Query};

/// A seed as it is sent to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedText {
    /// The name of its file.
    pub name: String,
    /// The SHA-256 of its text.
    pub digest: String,
    /// Its text.
    pub text: Vec<u8>,
}

/// How many seeds are sent at once.
const TOGETHER: usize = 256;

impl Postgres {
    /// Puts the seeds of a campaign in, in their order; those of an earlier run of it stay.
    pub fn put_seeds(&self, seeds: &[SeedText]) -> Result<(), StoreError> {
        for (i, some) in seeds.chunks(TOGETHER).enumerate() {
            let places: Vec<i64> = (0..some.len()).map(|k| (i * TOGETHER + k) as i64).collect();
            let names: Vec<String> = some.iter().map(|s| plain(&s.name)).collect();
            let digests: Vec<&str> = some.iter().map(|s| s.digest.as_str()).collect();
            let texts: Vec<&[u8]> = some.iter().map(|s| s.text.as_slice()).collect();
            self.with(|link| {
                let mut change = link.transaction()?;
                change.execute(
                    "INSERT INTO texts SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING",
                    &[&digests, &texts],
                )?;
                change.execute(
                    "INSERT INTO seeds SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING",
                    &[&places, &names, &digests],
                )?;
                change.commit()
            })?;
        }
        Ok(())
    }

    /// The seeds of the campaign, in their order.
    pub fn seeds(&self) -> Result<Vec<SeedText>, StoreError> {
        let sql = "SELECT place, name, seeds.digest, content FROM seeds LEFT JOIN texts \
                   ON texts.digest = seeds.digest ORDER BY place";
        columns::all(self, &Query { table: "seeds", keys: 1, sql, words: &[] }, |row| {
            let text = row.bytes(3)?.ok_or_else(|| row.wrong(2, "there is no text with this digest"))?;
            Ok(SeedText { name: row.word(1)?, digest: row.word(2)?, text })
        })
    }
}
