//! Where a solver departs from the standard, and in which releases.

use serde::{Deserialize, Serialize};

use crate::solver::release::Release;

/// A departure that code asks about: what a solver with it says must be understood otherwise, or not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// The alphabet of strings ends at 255.
    EightBitCharacters,
    /// `\x41`, octal and C escapes are read and printed.
    OldEscapes,
    /// `\u{41}` is no escape.
    NoUnicodeEscapes,
    /// Models print a backslash as itself, also before `u{41}`.
    BareBackslashes,
    /// Only the old names of string operators are known (`str.to.int`).
    OldStringNames,
    /// Models give irrational numbers as rounded decimals.
    RoundedDecimals,
    /// `x/0`, `div` and `mod` by zero have a value that no model may choose.
    FixedDivision,
    /// What floating-point conversions leave open has a value that no model may choose.
    FixedConversion,
    /// `bvxnor` takes more than two arguments.
    NaryBvxnor,
    /// An Int may stand for a Real, beyond what arithmetic of mixed logics allows.
    IntAsReal,
    /// A Real may stand for an Int, at least in `div` and `mod`.
    RealAsInt,
    /// `(_ divisible n)` is unknown.
    NoDivisible,
    /// Its own limit of time keeps a second core busy as long as it works.
    BusyClock,
}

/// A departure from the standard, and the releases that have it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// What is different, for people.
    pub what: String,
    /// What is different, for code.
    pub flag: Option<Flag>,
    /// The first release that has it; the first of all if left out.
    pub since: Option<Release>,
    /// The last release that has it; still so if left out.
    pub until: Option<Release>,
}
