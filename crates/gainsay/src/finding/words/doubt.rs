//! Why nobody is accused, and why an oracle says nothing.

use super::questions::asked;
use crate::judge::{Abstention, Doubt, Foreign};
use crate::solver::SolverId;

/// Why a formula need not mean to a solver what it means to us.
fn foreign(why: &Foreign, to: &SolverId) -> String {
    match why {
        Foreign::Operator { name } => format!("{name} is not of {to}'s language"),
        Foreign::ManyArguments { name } => format!("{name} of more than two is not of {to}'s language"),
        Foreign::OlderThanStandard { name } => {
            format!("{to} is older than what the standard says of {name}")
        }
        Foreign::EightBitCharacters => format!("characters of {to} are of 8 bits"),
        Foreign::FixesWhatIsOpen { name } => format!("{to} fixes what the standard leaves open in {name}"),
        Foreign::Escapes => format!("{to} reads escapes in strings in its own way"),
        Foreign::NotUnderstood => "a part that is not understood".to_owned(),
    }
}

/// That one of these solvers is wrong, where it is open which one.
pub fn one_is_wrong(names: &[&str]) -> String {
    match names {
        [one] => format!("it is open whether {one} is wrong"),
        [first @ .., last] => {
            format!("one of {} and {last} is wrong, and it is open which one", first.join(", "))
        }
        [] => "it is open who is wrong".to_owned(),
    }
}

/// What stands in the way of an accusation.
pub fn doubt(why: &Doubt) -> String {
    match why {
        Doubt::Foreign { to, why } => foreign(why, to),
        Doubt::NoSuchCharacters { of } => format!("{of} has no such characters as the model has"),
        Doubt::BothInsist { by, accused } => {
            format!("{by} and {accused} say unsat also with the model written in")
        }
        Doubt::NoModelOfConstruction => {
            "it is sat by construction, but nobody gave a model that satisfies it".to_owned()
        }
        Doubt::NoOtherUnsat => "nobody else says unsat, and its model cannot be refuted".to_owned(),
        Doubt::AlsoSat { by } => format!("{by} says sat too"),
        Doubt::SameOfNegation { by, answer } => {
            format!("{by} says {answer} to a formula and to its negation, so that its word does not count")
        }
        Doubt::NoModel => "no model that satisfies it under our evaluation".to_owned(),
        Doubt::NotShownToFollow => "neither the solver itself nor a search through all values, confirmed by another solver, shows that \
             the one follows from the other"
            .to_owned(),
    }
}

/// Why an oracle says nothing.
pub fn abstention(why: &Abstention) -> String {
    match why {
        Abstention::Foreign { to, why } => foreign(why, to),
        Abstention::NotUnderstood => "a part of the script is not understood".to_owned(),
        Abstention::UnreadModel { of } => format!("the model of {of} cannot be read"),
        Abstention::Defended { of } => {
            format!(
                "a solver of another make says that {of} is right where our evaluation says that it is wrong"
            )
        }
        Abstention::NoWitness => "the witness of the case is none under our evaluation".to_owned(),
        Abstention::ClaimRefuted { by } => {
            let by = by.as_ref().map_or("gainsay", SolverId::as_str);
            format!("a model of {by} refutes what is claimed of the case")
        }
        Abstention::UnreadCore { error } => format!("the script of a core cannot be read: {error}"),
        Abstention::NeedsMemory { of } => format!("{of} does not crash with more memory"),
        Abstention::NotInTable { of } => format!("the operator table says nothing of {of}"),
        Abstention::NotStandard { term } => format!("{term} is not of the standard's language"),
        Abstention::SaysUnsupported { of } => format!("{of} says that it does not support this"),
        Abstention::StepRefuted { asked: about } => {
            format!("a step of ours is refuted: {}", asked(about))
        }
        Abstention::AsksWithoutEnd { oracle } => format!("{oracle} asks without end"),
    }
}
