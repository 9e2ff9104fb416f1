//! Why a worker takes no work from a campaign.

use serde::{Deserialize, Serialize};

/// The reason why a worker takes no work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum NoWork {
    /// The worker is another version of this program than the one that began the campaign.
    OtherProgram {
        /// The version that began the campaign.
        campaign: String,
        /// The version of the worker.
        worker: String,
    },
    /// A solver of the campaign cannot be found, installed or started on the machine of the worker.
    Solver {
        /// The error of the solver.
        error: String,
    },
    /// The store has no texts of the campaign's seeds.
    NoSeeds {
        /// How many seeds the campaign has.
        count: u64,
    },
    /// Some seeds cannot be read by the worker.
    UnreadSeeds {
        /// How many cannot be read.
        unread: u64,
        /// How many there are.
        of: u64,
    },
    /// The definition of the campaign cannot be read, or cannot be carried out on the machine of the worker.
    Definition {
        /// The error.
        error: String,
    },
    /// The worker fails for another reason.
    Failed {
        /// The error.
        error: String,
    },
}

/// The reason as a column of a store holds it: empty for a worker that takes work.
pub(super) fn column(why: Option<&NoWork>) -> String {
    why.map_or_else(String::new, |why| serde_json::to_string(why).expect("a reason is plain data"))
}

/// The reason in a column of a store.
pub(super) fn read_column(column: &str) -> Result<Option<NoWork>, String> {
    if column.is_empty() {
        return Ok(None);
    }
    let read = serde_json::from_str(column).map(Some);
    read.map_err(|e| format!("{column:?} is no reason why a worker takes no work: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_were_written() {
        let word = str::to_owned;
        let rows = [
            (None, ""),
            (
                Some(NoWork::OtherProgram { campaign: word("0.1.0"), worker: word("0.2.0") }),
                r#"{"other-program":{"campaign":"0.1.0","worker":"0.2.0"}}"#,
            ),
            (Some(NoWork::NoSeeds { count: 3 }), r#"{"no-seeds":{"count":3}}"#),
            (Some(NoWork::UnreadSeeds { unread: 1, of: 3 }), r#"{"unread-seeds":{"unread":1,"of":3}}"#),
            (Some(NoWork::Solver { error: word("gone") }), r#"{"solver":{"error":"gone"}}"#),
        ];
        for (why, text) in rows {
            assert_eq!(column(why.as_ref()), text);
            assert_eq!(read_column(text), Ok(why));
        }
        for wrong in ["takes no work: z3 is gone", "null", "{}", r#"{"no-seeds":{"count":3,"of":4}}"#] {
            let told = read_column(wrong).expect_err(wrong);
            assert!(told.contains("is no reason"), "{told}");
        }
    }
}
