//! Gear one for constructed cases: the smallest case of the same family that is still wrong. Every case of it is made whole, so
//! that what is true by construction stays true.

use super::shrink::Aim;
use crate::case::Case;
use crate::finding::{Finding, Turn};
use crate::hunt::{Court, HuntError};
use crate::oracle::{Complaint, Entry};
use crate::trial::Known;

/// How many cases of a family are tried, the smallest first.
const MOST: usize = 48;

/// A case of a family, and what is wrong with it.
pub struct Made {
    /// The case, with its claims.
    pub case: Case,
    /// Its text.
    pub text: String,
    /// Who says so, and what.
    pub seen: (&'static Entry, Complaint),
    /// How many cases were tried for it.
    pub tried: u64,
}

/// What is wrong with a case, by all that it claims; none if nothing fits.
pub fn wrong_with(
    court: &mut Court<'_>,
    case: Case,
    fits: impl Fn(&Complaint) -> bool,
) -> Result<Option<Made>, HuntError> {
    let text = case.text();
    let found = court.try_case(&case, &text, Known::new())?.complaints;
    let seen = found.into_iter().find(|(_, complaint)| fits(complaint));
    Ok(seen.map(|seen| Made { case, text, seen, tried: 1 }))
}

/// The smallest case of a family that is wrong in the same way: one of it, or this one.
pub fn smallest(court: &mut Court<'_>, own: Made, family: Vec<Case>, aim: &Aim) -> Result<Made, HuntError> {
    let mut smaller: Vec<(usize, Case)> = family.into_iter().map(|case| (case.text().len(), case)).collect();
    smaller.retain(|(size, _)| *size < own.text.len());
    smaller.sort_by_key(|(size, _)| *size);
    let mut tried = own.tried;
    for (_, case) in smaller.into_iter().take(MOST) {
        tried += 1;
        if let Some(made) = wrong_with(court, case, |complaint| aim.is_met_by(complaint))? {
            return Ok(Made { tried, ..made });
        }
    }
    Ok(Made { tried, ..own })
}

/// The finding that a made case is, confirmed in fresh processes.
pub fn confirmed(court: &mut Court<'_>, made: &Made) -> Result<Option<Finding>, HuntError> {
    let (entry, complaint) = &made.seen;
    court.confirm(&made.case, &made.text, &Known::new(), (*entry, complaint), Turn::default())
}
