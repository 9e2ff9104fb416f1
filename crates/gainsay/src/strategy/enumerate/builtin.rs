//! The grammars that come with the program, written for it: complete, well-sorted, two variables each.

/// Each grammar's name and text.
const GRAMMARS: &[(&str, &str)] = &[
    ("Core", include_str!("../../../grammars/Core.g4")),
    ("Ints", include_str!("../../../grammars/Ints.g4")),
    ("Reals", include_str!("../../../grammars/Reals.g4")),
    ("RealInts", include_str!("../../../grammars/RealInts.g4")),
    ("Bitvectors", include_str!("../../../grammars/Bitvectors.g4")),
    ("Arrays", include_str!("../../../grammars/Arrays.g4")),
    ("FP", include_str!("../../../grammars/FP.g4")),
    ("Strings", include_str!("../../../grammars/Strings.g4")),
];

/// The names of all, in the order in which they take turns.
pub fn names() -> impl Iterator<Item = &'static str> {
    GRAMMARS.iter().map(|(name, _)| *name)
}

/// The text of the grammar of that name; case does not matter.
pub fn text(name: &str) -> Option<&'static str> {
    GRAMMARS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, text)| *text)
}
