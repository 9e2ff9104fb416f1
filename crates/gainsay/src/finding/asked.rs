//! What a release did when it was asked about a finding.

use serde::{Deserialize, Serialize};

use crate::case::Answer;
use crate::judge::Fault;

/// A release, and whether it fails in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Asked {
    /// Its number.
    pub release: String,
    /// Whether it fails in the same way, or why that is not known.
    pub fails: Result<bool, Untold>,
}

impl Asked {
    /// Whether it fails in the same way, if that is known.
    pub fn known(&self) -> Option<(String, bool)> {
        Some((self.release.clone(), *self.fails.as_ref().ok()?))
    }
}

/// Why it is not known whether a solver fails in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Untold {
    /// The release is not installed.
    NotInstalled,
    /// The release cannot be installed.
    CannotInstall {
        /// The error of the installation.
        why: String,
    },
    /// Something else is wrong.
    OtherFault {
        /// What is wrong instead.
        fault: Fault,
    },
    /// The solver runs out of time.
    TimeOut,
    /// The solver runs out of memory.
    OutOfMemory,
    /// The solver refuses the script.
    Refused,
    /// The process of the solver ends in another way, without an answer.
    OddEnd,
    /// The solver does not support the operators of the script.
    ForeignOperators,
    /// The solver says unknown.
    Unknown,
    /// The solver gives the same answer as before, and it could not be shown that this is wrong.
    SameAnswer {
        /// The answer.
        answer: Answer,
    },
    /// The solver says sat and gives no model.
    NoModel,
    /// The script has no such check.
    NoCheck,
    /// The model of the solver cannot be read.
    UnreadModel,
    /// The model of the solver is wrong by our evaluation, and no second voice confirms that.
    RefutedModel,
    /// Our evaluation does not decide whether the model of the solver is right.
    OpenModel {
        /// The gap of the evaluation.
        gap: String,
    },
    /// A reason that an earlier version stored as a sentence.
    Words {
        /// The sentence.
        text: String,
    },
}

/// The places of the releases that distinguish a fault from others, given whether each known release fails, the oldest first.
///
/// These are the last release that fails and the next one, which does not. Where no release comes after it, they are the
/// last and the first that fail and the one before the first.
pub fn telling(fails: &[bool]) -> Vec<usize> {
    let Some(last) = fails.iter().rposition(|fails| *fails) else { return Vec::new() };
    let mut places = vec![last];
    if last + 1 < fails.len() {
        places.push(last + 1);
    } else {
        let first = fails.iter().position(|fails| *fails).unwrap_or(last);
        places.extend((first != last).then_some(first));
        places.extend(first.checked_sub(1));
    }
    places
}

/// The form in which it is stored.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Told(String, bool),
    Untold(String, Option<bool>, Reason),
}

/// A reason as it is stored: earlier versions stored a sentence.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Reason {
    Words(String),
    Typed(Untold),
}

impl From<Stored> for Asked {
    fn from(stored: Stored) -> Asked {
        match stored {
            Stored::Told(release, fails) | Stored::Untold(release, Some(fails), _) => {
                Asked { release, fails: Ok(fails) }
            }
            Stored::Untold(release, None, Reason::Typed(why)) => Asked { release, fails: Err(why) },
            Stored::Untold(release, None, Reason::Words(text)) => {
                Asked { release, fails: Err(Untold::Words { text }) }
            }
        }
    }
}

impl From<Asked> for Stored {
    fn from(asked: Asked) -> Stored {
        match asked.fails {
            Ok(fails) => Stored::Told(asked.release, fails),
            Err(Untold::Words { text }) => Stored::Untold(asked.release, None, Reason::Words(text)),
            Err(why) => Stored::Untold(asked.release, None, Reason::Typed(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        let asked = |fails| Asked { release: "1.2".to_owned(), fails };
        let other =
            Untold::OtherFault { fault: Fault::WrongModel { voice: crate::judge::SecondVoice::example() } };
        for (text, expected) in [
            (r#"["1.2",true]"#, asked(Ok(true))),
            (r#"["1.2",false]"#, asked(Ok(false))),
            (r#"["1.2",null,{"type":"not-installed"}]"#, asked(Err(Untold::NotInstalled))),
            (
                r#"["1.2",null,{"type":"same-answer","answer":"sat"}]"#,
                asked(Err(Untold::SameAnswer { answer: Answer::Sat })),
            ),
            (
                r#"["1.2",null,{"type":"other-fault","fault":{"type":"wrong-model","voice":{"type":"accused"}}}]"#,
                asked(Err(other)),
            ),
            (
                r#"["1.2",null,"it says unknown"]"#,
                asked(Err(Untold::Words { text: "it says unknown".to_owned() })),
            ),
        ] {
            let read: Asked = serde_json::from_str(text).expect(text);
            assert_eq!(read, expected);
            assert_eq!(serde_json::to_string(&read).expect("plain"), text);
        }
        for text in [r#"["1.2"]"#, r#"["1.2",null,{"type":"unheard"}]"#] {
            assert!(serde_json::from_str::<Asked>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_releases_that_tell_a_fault() {
        let rows: [(&str, &[usize]); 6] = [
            ("..xx.", &[3, 4]),
            (".xx", &[2, 1, 0]),
            ("x.x..", &[2, 3]),
            (".x", &[1, 0]),
            ("x", &[0]),
            ("..", &[]),
        ];
        for (text, expected) in rows {
            let fails: Vec<bool> = text.chars().map(|c| c == 'x').collect();
            assert_eq!(telling(&fails), expected, "{text}");
        }
    }
}
