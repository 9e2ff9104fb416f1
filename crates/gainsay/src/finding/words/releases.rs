//! What releases did, in words.

use super::summary::summary_of;
use crate::finding::{ModelGap, Untold};

/// Why it is not known whether a solver fails in the same way.
pub fn untold(why: &Untold) -> String {
    match why {
        Untold::NotInstalled => "it is not installed".to_owned(),
        Untold::CannotInstall { why } => format!("it cannot be installed, {why}"),
        Untold::OtherFault { fault } => format!("something else is wrong: {}", summary_of(fault, None)),
        Untold::TimeOut => "it runs out of time".to_owned(),
        Untold::OutOfMemory => "it runs out of memory".to_owned(),
        Untold::Refused => "it refuses the script".to_owned(),
        Untold::OddEnd => "it ends without an answer".to_owned(),
        Untold::ForeignOperators => "it does not support these operators".to_owned(),
        Untold::Unknown => "it says unknown".to_owned(),
        Untold::SameAnswer { answer } => {
            format!("it says {answer} as before, and it could not be shown that this is wrong")
        }
        Untold::NoModel => "it says sat and gives no model".to_owned(),
        Untold::NoCheck => "the script has no such check".to_owned(),
        Untold::UnreadModel => "its model cannot be read".to_owned(),
        Untold::RefutedModel => "its model is wrong by our evaluation, and nobody confirms that".to_owned(),
        Untold::OpenModel { gap } => format!("it is open whether its model is right: {}", model_gap(gap)),
    }
}

/// The same for brackets after a release.
pub fn untold_of_release(why: &Untold) -> String {
    match why {
        Untold::NotInstalled => "not installed".to_owned(),
        other => format!("could not tell: {}", untold(other)),
    }
}

/// The gap of an evaluation.
fn model_gap(gap: &ModelGap) -> String {
    match gap {
        ModelGap::LeftToModel { operator } => format!("the model does not give the value of {operator}"),
        ModelGap::NotInModel { name } => format!("the model does not give a value for {name}"),
        ModelGap::TooMuchWork => "the evaluation takes too much work".to_owned(),
        ModelGap::TooLarge => "a value is too large".to_owned(),
        ModelGap::Opaque { text } => format!("{text} is not understood"),
        ModelGap::Quantifier => "a quantifier ranges over a domain that cannot be tried out".to_owned(),
        ModelGap::Inexact { number } => format!("{number} is not a rational number"),
        ModelGap::NoMeaning { operator } => format!("{operator} has no meaning in our table"),
        ModelGap::Recursive { name } => format!("{name} is defined by itself"),
        ModelGap::Incomparable { values } => format!("{values} cannot be compared"),
    }
}
