//! What a release did when it was asked about a finding.

use serde::{Deserialize, Serialize};
use smt::Gap;

use crate::case::Answer;
use crate::judge::Fault;

/// The answer of a release to the question whether it fails in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Asked {
    /// The number of the release.
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
        gap: ModelGap,
    },
}

/// A gap of our evaluation of a model, in the form in which it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ModelGap {
    /// The standard leaves the value of an operator to the model, and the model does not give it.
    LeftToModel {
        /// The operator.
        operator: String,
    },
    /// The model has no value for a name.
    NotInModel {
        /// The name.
        name: String,
    },
    /// The evaluation takes too much work.
    TooMuchWork,
    /// A value is too large.
    TooLarge,
    /// A part of the script is not understood.
    Opaque {
        /// The text of the part.
        text: String,
    },
    /// A quantifier ranges over a domain that cannot be tried out.
    Quantifier,
    /// A number is not rational, or was rounded.
    Inexact {
        /// The kind of the number.
        number: String,
    },
    /// An operator has no meaning in our table.
    NoMeaning {
        /// The operator.
        operator: String,
    },
    /// A function is defined by itself.
    Recursive {
        /// The function.
        name: String,
    },
    /// Two values cannot be compared.
    Incomparable {
        /// The kind of the values.
        values: String,
    },
}

impl From<Gap> for ModelGap {
    fn from(gap: Gap) -> ModelGap {
        match gap {
            Gap::LeftToModel(operator) => ModelGap::LeftToModel { operator: operator.to_owned() },
            Gap::NotInModel(name) => ModelGap::NotInModel { name },
            Gap::TooMuchWork => ModelGap::TooMuchWork,
            Gap::TooLarge => ModelGap::TooLarge,
            Gap::Opaque(text) => ModelGap::Opaque { text },
            Gap::Quantifier => ModelGap::Quantifier,
            Gap::Inexact(number) => ModelGap::Inexact { number: number.to_owned() },
            Gap::NoMeaning(operator) => ModelGap::NoMeaning { operator: operator.to_owned() },
            Gap::Recursive(name) => ModelGap::Recursive { name },
            Gap::Incomparable(values) => ModelGap::Incomparable { values: values.to_owned() },
        }
    }
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

/// The form in which an answer of a release is stored: `["1.2",true]` or `["1.2",null,REASON]`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Told(String, bool),
    Untold(String, (), Untold),
}

impl From<Stored> for Asked {
    fn from(stored: Stored) -> Asked {
        match stored {
            Stored::Told(release, fails) => Asked { release, fails: Ok(fails) },
            Stored::Untold(release, (), why) => Asked { release, fails: Err(why) },
        }
    }
}

impl From<Asked> for Stored {
    fn from(asked: Asked) -> Stored {
        match asked.fails {
            Ok(fails) => Stored::Told(asked.release, fails),
            Err(why) => Stored::Untold(asked.release, (), why),
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
                r#"["1.2",null,{"type":"open-model","gap":{"type":"left-to-model","operator":"div"}}]"#,
                asked(Err(Untold::OpenModel { gap: Gap::LeftToModel("div").into() })),
            ),
            (
                r#"["1.2",null,{"type":"open-model","gap":{"type":"quantifier"}}]"#,
                asked(Err(Untold::OpenModel { gap: Gap::Quantifier.into() })),
            ),
        ] {
            let read: Asked = serde_json::from_str(text).expect(text);
            assert_eq!(read, expected);
            assert_eq!(serde_json::to_string(&read).expect("plain"), text);
        }
        for text in [
            r#"["1.2"]"#,
            r#"["1.2",null]"#,
            r#"["1.2",null,{"type":"unheard"}]"#,
            r#"["1.2",null,"it says unknown"]"#,
            r#"["1.2",null,{"type":"words","text":"it says unknown"}]"#,
            r#"["1.2",null,{"type":"open-model","gap":"it would take too much work"}]"#,
        ] {
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
