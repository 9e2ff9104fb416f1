//! What a release did when it was asked about a finding.

use serde::{Deserialize, Serialize};

/// Why a release says nothing: it is not here.
pub const ABSENT: &str = "not installed";

/// A release, and whether it fails in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Asked {
    /// Its number.
    pub release: String,
    /// Whether it fails in the same way; else why that cannot be told.
    pub fails: Result<bool, String>,
}

impl Asked {
    /// Whether it fails in the same way, if that is known.
    pub fn known(&self) -> Option<(String, bool)> {
        Some((self.release.clone(), *self.fails.as_ref().ok()?))
    }
}

/// Why nothing is known of a release, in words that stand in brackets.
pub fn untold(why: &str) -> String {
    if why == ABSENT { why.to_owned() } else { format!("could not tell: {why}") }
}

/// As it is kept beside a finding.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    Told(String, bool),
    Untold(String, Option<bool>, String),
}

impl From<Kept> for Asked {
    fn from(kept: Kept) -> Asked {
        match kept {
            Kept::Told(release, fails) | Kept::Untold(release, Some(fails), _) => {
                Asked { release, fails: Ok(fails) }
            }
            Kept::Untold(release, None, why) => Asked { release, fails: Err(why) },
        }
    }
}

impl From<Asked> for Kept {
    fn from(asked: Asked) -> Kept {
        match asked.fails {
            Ok(fails) => Kept::Told(asked.release, fails),
            Err(why) => Kept::Untold(asked.release, None, why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let asked = |fails: Result<bool, &str>| Asked {
            release: "1.2".to_owned(),
            fails: fails.map_err(str::to_owned),
        };
        for (text, expected) in [
            (r#"["1.2",true]"#, asked(Ok(true))),
            (r#"["1.2",false]"#, asked(Ok(false))),
            (r#"["1.2",null,"it says unknown"]"#, asked(Err("it says unknown"))),
        ] {
            let read: Asked = serde_json::from_str(text).expect(text);
            assert_eq!(read, expected);
            assert_eq!(serde_json::to_string(&read).expect("plain"), text);
        }
        assert!(serde_json::from_str::<Asked>(r#"["1.2"]"#).is_err());
        assert_eq!(untold(ABSENT), "not installed");
        assert_eq!(untold("it says unknown"), "could not tell: it says unknown");
    }
}
