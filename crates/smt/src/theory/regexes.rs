//! Regular languages over strings.

use super::{Departure, INT, Identity, Op, REG, STR, op};
use crate::gap::Gap;
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;
use crate::value::regex::Regex;

pub(super) static OPS: &[Op] = &[
    op("re.none", &[], REG, |_| regex(Regex::none())).formerly("re.nostr"),
    op("re.nostr", &[], REG, |_| regex(Regex::none())).z3_only(),
    op("re.all", &[], REG, |_| regex(Regex::all())),
    op("re.allchar", &[], REG, |_| regex(Regex::allchar())).departs(Departure::Alphabet),
    op("re.++", &[REG, REG], REG, |c| regex(Regex::concat(both(c)?)))
        .associative()
        .identity(Identity::EmptyWord)
        .left_assoc(),
    op("re.union", &[REG, REG], REG, |c| regex(Regex::union(both(c)?)))
        .monoid(Identity::NoString)
        .left_assoc(),
    op("re.inter", &[REG, REG], REG, |c| regex(Regex::inter(both(c)?)))
        .monoid(Identity::AllStrings)
        .left_assoc(),
    op("re.*", &[REG], REG, |c| regex(c.regex(0)?.star())),
    op("re.+", &[REG], REG, |c| regex(c.regex(0)?.plus())),
    op("re.opt", &[REG], REG, |c| regex(c.regex(0)?.opt())),
    op("re.comp", &[REG], REG, |c| regex(c.regex(0)?.comp()))
        .formerly("re.complement")
        .departs(Departure::Complement),
    op("re.complement", &[REG], REG, |c| regex(c.regex(0)?.comp())).departs(Departure::Complement).z3_only(),
    op("re.diff", &[REG, REG], REG, |c| regex(c.regex(0)?.diff([c.regex(1)?.clone()])))
        .departs(Departure::Complement)
        .left_assoc()
        .at_least(2)
        .since("z3", "4.8.9"),
    // The standard takes any two strings. All releases of cvc5 refuse what is no constant ("expecting a constant string
    // term in regexp range"), first when they check sorts and since 2021 when they solve.
    op("re.range", &[STR, STR], REG, |c| regex(Regex::range(c.text(0)?, c.text(1)?)))
        .constants(0b11)
        .constants_only("cvc5"),
    op("re.^", &[REG], REG, |c| regex(c.regex(0)?.power(count(c, 0)?)))
        .departs(Departure::Bounds)
        .indexed(1)
        .since("z3", "4.8.9"),
    op("re.loop", &[REG], REG, |c| regex(c.regex(0)?.repeat(count(c, 0)?, Some(count(c, 1)?))))
        .departs(Departure::Bounds)
        .indexed(2),
    // z3: from so many on; and the bounds as arguments.
    op("re.loop", &[REG], REG, |c| regex(c.regex(0)?.repeat(count(c, 0)?, None)))
        .departs(Departure::Bounds)
        .indexed(1)
        .z3_only(),
    op("re.loop", &[REG, INT, INT], REG, |c| {
        let (low, high) = (bound(c, 1)?, bound(c, 2)?);
        regex(match (low, high) {
            (Some(low), Some(high)) => c.regex(0)?.repeat(low, Some(high)),
            _ => return Err(Gap::NoMeaning("re.loop with a negative bound")),
        })
    })
    .departs(Departure::Bounds)
    .z3_only(),
    op("re.loop", &[REG, INT], REG, |c| match bound(c, 1)? {
        Some(low) => regex(c.regex(0)?.repeat(low, None)),
        None => Err(Gap::NoMeaning("re.loop with a negative bound")),
    })
    .departs(Departure::Bounds)
    .z3_only(),
    // One argument is the language itself.
    op("re.xor", &[REG, REG], REG, |c| {
        let [a, b] = both(c)?;
        regex(Regex::union([a.diff([b.clone()]), b.diff([a])]))
    })
    .monoid(Identity::NoString)
    .departs(Departure::Complement)
    .left_assoc()
    .z3_only()
    .since("z3", "5.0.0"),
    op("re.reverse", &[REG], REG, |c| regex(c.regex(0)?.reverse())).z3_only().since("z3", "4.8.9"),
];

fn regex(regex: Regex) -> Result<Value, Gap> {
    Ok(Value::Regex(regex))
}

fn both(c: &Call) -> Result<[Regex; 2], Gap> {
    Ok([c.regex(0)?.clone(), c.regex(1)?.clone()])
}

/// An index that counts; z3 also takes huge ones.
fn count(c: &Call, i: usize) -> Result<u64, Gap> {
    match c.indices.get(i) {
        Some(Index::Number(n)) => Ok(u64::from(*n)),
        Some(Index::Text(digits)) => c.pool().text(*digits).parse().map_err(|_| Gap::TooLarge),
        _ => Err(Gap::NoMeaning("a loop without bounds")),
    }
}

/// An argument that counts; none if it is negative.
fn bound(c: &Call, i: usize) -> Result<Option<u64>, Gap> {
    let n = c.int(i)?;
    if dashu_base::Signed::is_negative(n) {
        return Ok(None);
    }
    u64::try_from(n).map(Some).map_err(|_| Gap::TooLarge)
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { languages,
        "a word": "(str.in_re \"ab\" (str.to_re \"ab\"))" => "true",
        "nothing": "(str.in_re \"\" re.none)" => "false",
        "everything": "(str.in_re \"\" re.all)" => "true",
        "one character": "(str.in_re \"\" re.allchar)" => "false",
        "a range": "(str.in_re \"c\" (re.range \"a\" \"d\"))" => "true",
        "a range upside down": "(str.in_re \"c\" (re.range \"d\" \"a\"))" => "false",
        "a range of words": "(str.in_re \"a\" (re.range \"aa\" \"d\"))" => "false",
        "the complement": "(str.in_re \"b\" (re.comp (str.to_re \"a\")))" => "true",
        "the difference, of three": "(str.in_re \"b\" (re.diff re.all (str.to_re \"a\") (str.to_re \"b\")))" => "false",
        "no times": "(str.in_re \"\" ((_ re.^ 0) (str.to_re \"a\")))" => "true",
        "a loop": "(str.in_re \"aaa\" ((_ re.loop 2 3) (str.to_re \"a\")))" => "true",
        "a loop too short": "(str.in_re \"a\" ((_ re.loop 2 3) (str.to_re \"a\")))" => "false",
        "a loop of no length": "(str.in_re \"\" ((_ re.loop 3 2) (str.to_re \"a\")))" => "false",
        "a loop as z3 has it": "(str.in_re \"aa\" (re.loop (str.to_re \"a\") 1 3))" => "true",
        "a star of a star": "(str.in_re \"aaaa\" (re.* (re.* (str.to_re \"a\"))))" => "true",
        "equal languages": "(= (re.* (re.* (str.to_re \"a\"))) (re.* (str.to_re \"a\")))" => "true",
        "different languages": "(= (re.+ (str.to_re \"a\")) (re.* (str.to_re \"a\")))" => "false",
        "three languages": "(distinct re.none re.all (re.comp re.all))" => "false",
        "backwards": "(str.in_re \"ba\" (re.reverse (str.to_re \"ab\")))" => "true",
        "in one of two": "(str.in_re \"a\" (re.xor (str.to_re \"a\") (str.to_re \"b\")))" => "true",
        "in both": "(str.in_re \"a\" (re.xor (str.to_re \"a\") (re.* (str.to_re \"a\"))))" => "false",
        "in the second": "(str.in_re \"aa\" (re.xor (str.to_re \"a\") (re.* (str.to_re \"a\"))))" => "true",
        "in none": "(str.in_re \"c\" (re.xor (str.to_re \"a\") (str.to_re \"b\")))" => "false",
        "in three": "(str.in_re \"a\" (re.xor re.all re.all (str.to_re \"a\")))" => "true",
        "of an int": "(re.* 1)" => "no row for re.*",
    }
}
