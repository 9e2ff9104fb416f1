//! Unicode strings.

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

use super::{BOOL, BV, CHAR, Departure, INT, Identity, Op, REG, STR, op};
use crate::gap::Gap;
use crate::sort::{Pat, Width};
use crate::term::Index;
use crate::theory::call::{CONFUSED, Call};
use crate::value::regex::{self, Regex};
use crate::value::text::LAST;
use crate::value::{BitVec, Value, list, text};

/// z3 writes a character in so many bits.
const CODE_BITS: u32 = 18;
const CODE: Pat = Pat::BitVec(Width::Is(CODE_BITS));

pub(super) static OPS: &[Op] = &[
    op("char", &[], STR, |c| {
        let code = code_index(c)?;
        string(vec![code])
    })
    .not_mutable()
    .indexed(1)
    .ruled(|pool, indices, _, _| code_of(indices, |symbol| pool.text(symbol)).map(|_| crate::SortId::STRING)),
    // z3's models write single characters so.
    op("Char", &[], CHAR, |c| Ok(Value::Char(c.index(0)?)))
        .not_mutable()
        .indexed(1)
        .z3_only()
        .since("z3", "4.8.11"),
    op("str.++", &[STR, STR], STR, concat).associative().identity(Identity::Empty).left_assoc(),
    op("str.len", &[STR], INT, |c| int(c.text(0)?.len())),
    // Chainable in the standard; neither solver takes more than two.
    op("str.<", &[STR, STR], BOOL, |c| Ok(Value::Bool(text::less(c.text(0)?, c.text(1)?))))
        .chainable()
        .at_most(2),
    op("str.<=", &[STR, STR], BOOL, |c| Ok(Value::Bool(text::less_equal(c.text(0)?, c.text(1)?))))
        .chainable()
        .at_most(2),
    op("str.at", &[STR, INT], STR, |c| string(list::at(c.text(0)?, c.int(1)?).to_vec())),
    op("str.substr", &[STR, INT, INT], STR, |c| {
        string(list::substr(c.text(0)?, c.int(1)?, c.int(2)?).to_vec())
    }),
    op("str.prefixof", &[STR, STR], BOOL, |c| Ok(Value::Bool(list::prefixof(c.text(0)?, c.text(1)?)))),
    op("str.suffixof", &[STR, STR], BOOL, |c| Ok(Value::Bool(list::suffixof(c.text(0)?, c.text(1)?)))),
    op("str.contains", &[STR, STR], BOOL, |c| {
        search(c)?;
        Ok(Value::Bool(list::contains(c.text(0)?, c.text(1)?)))
    }),
    op("str.indexof", &[STR, STR, INT], INT, |c| {
        search(c)?;
        Ok(Value::Int(list::indexof(c.text(0)?, c.text(1)?, c.int(2)?)))
    }),
    op("str.indexof", &[STR, STR], INT, |c| {
        search(c)?;
        Ok(Value::Int(list::indexof(c.text(0)?, c.text(1)?, &IBig::ZERO)))
    })
    .z3_only(),
    op("str.last_indexof", &[STR, STR], INT, |c| {
        search(c)?;
        Ok(Value::Int(list::last_indexof(c.text(0)?, c.text(1)?)))
    })
    .legacy(),
    op("str.replace", &[STR, STR, STR], STR, |c| {
        search(c)?;
        string(list::replace(c.text(0)?, c.text(1)?, c.text(2)?))
    }),
    op("str.replace_all", &[STR, STR, STR], STR, replace_all).since("z3", "4.8.9"),
    op("str.replace_re", &[STR, REG, STR], STR, |c| {
        let (s, r, t) = (c.text(0)?, c.regex(1)?, c.text(2)?);
        matching(c, |fuel| regex::replace_re(s, r, t, fuel)).and_then(string)
    })
    .since("z3", "4.8.9"),
    op("str.replace_re_all", &[STR, REG, STR], STR, replace_re_all).since("z3", "4.8.9"),
    op("str.is_digit", &[STR], BOOL, |c| Ok(Value::Bool(text::is_digit(c.text(0)?)))).since("z3", "4.8.9"),
    op("str.to_code", &[STR], INT, |c| Ok(Value::Int(text::to_code(c.text(0)?))))
        .departs(Departure::Codes)
        .since("z3", "4.8.9"),
    op("str.from_code", &[INT], STR, |c| string(text::from_code(c.int(0)?)))
        .departs(Departure::Codes)
        .since("z3", "4.8.9"),
    op("str.to_int", &[STR], INT, to_int).formerly("str.to.int"),
    op("str.from_int", &[INT], STR, from_int).formerly("int.to.str"),
    // The names before 2.6.
    op("str.to.int", &[STR], INT, to_int).z3_only(),
    op("int.to.str", &[INT], STR, from_int).z3_only(),
    op("str.to_re", &[STR], REG, |c| Ok(Value::Regex(Regex::word(c.text(0)?)))).formerly("str.to.re"),
    op("str.to.re", &[STR], REG, |c| Ok(Value::Regex(Regex::word(c.text(0)?)))).z3_only(),
    op("str.in_re", &[STR, REG], BOOL, in_re).formerly("str.in.re"),
    op("str.in.re", &[STR, REG], BOOL, in_re).z3_only(),
    op("str.rev", &[STR], STR, |c| string(list::rev(c.text(0)?))).cvc5_only(),
    op("str.to_lower", &[STR], STR, |c| string(text::to_lower(c.text(0)?))).cvc5_only(),
    op("str.to_upper", &[STR], STR, |c| string(text::to_upper(c.text(0)?))).cvc5_only(),
    op("str.indexof_re", &[STR, REG, INT], INT, |c| {
        let (s, r, from) = (c.text(0)?, c.regex(1)?, c.int(2)?);
        matching(c, |fuel| regex::indexof_re(s, r, from, fuel)).map(Value::Int)
    })
    .cvc5_only(),
    op("str.update", &[STR, INT, STR], STR, |c| string(list::update(c.text(0)?, c.int(1)?, c.text(2)?)))
        .cvc5_only(),
    op("str.from_ubv", &[BV], STR, |c| {
        let bits = c.bits(0)?;
        decimal(c, bits.width())?;
        string(text::from_ubv(bits.unsigned()))
    })
    .z3_only()
    .since("z3", "4.8.12"),
    op("str.from_sbv", &[BV], STR, |c| {
        let bits = c.bits(0)?;
        decimal(c, bits.width())?;
        string(text::from_sbv(bits.unsigned(), bits.width() as usize))
    })
    .z3_only()
    .since("z3", "5.4.0"),
    op("char.to_bv", &[CHAR], CODE, |c| Ok(Value::BitVec(BitVec::new(CODE_BITS, UBig::from(character(c)?)))))
        .z3_only()
        .since("z3", "4.8.13"),
    // What z3 takes a number above the last character for is not known.
    op("char.from_bv", &[CODE], CHAR, |c| match u32::try_from(c.bits(0)?.unsigned()) {
        Ok(code) if code <= LAST => Ok(Value::Char(code)),
        _ => Err(Gap::NoMeaning("char.from_bv of no character")),
    })
    .z3_only()
    .since("z3", "4.8.13"),
    op("char.is_digit", &[CHAR], BOOL, |c| {
        Ok(Value::Bool((u32::from(b'0')..=u32::from(b'9')).contains(&character(c)?)))
    })
    .z3_only()
    .since("z3", "4.8.11"),
    op("char.<=", &[CHAR, CHAR], BOOL, |c| match (c.arg(0)?, c.arg(1)?) {
        (Value::Char(a), Value::Char(b)) => Ok(Value::Bool(a <= b)),
        _ => Err(Gap::NoMeaning("char.<=")),
    })
    .z3_only()
    .since("z3", "4.8.11"),
    op("char.to_int", &[CHAR], INT, |c| Ok(Value::Int(IBig::from(character(c)?))))
        .z3_only()
        .since("z3", "5.4.0"),
];

/// Argument 0, a character.
fn character(c: &Call) -> Result<u32, Gap> {
    if let Value::Char(code) = c.arg(0)? { Ok(*code) } else { Err(CONFUSED) }
}

fn string(text: Vec<u32>) -> Result<Value, Gap> {
    Ok(Value::Text(text.into()))
}

fn int(n: usize) -> Result<Value, Gap> {
    Ok(Value::Int(IBig::from(n)))
}

/// The code point that `(_ char #x61)` names.
fn code_of<'t>(indices: &[Index], text: impl Fn(crate::Symbol) -> &'t str) -> Option<u32> {
    let [Index::Text(symbol)] = indices else { return None };
    let code = u32::from_str_radix(text(*symbol).strip_prefix("#x")?, 16).ok()?;
    (code <= LAST).then_some(code)
}

fn code_index(c: &Call) -> Result<u32, Gap> {
    code_of(c.indices, |symbol| c.pool().text(symbol)).ok_or(Gap::NoMeaning("this character"))
}

/// Pays for looking for one string in another.
fn search(c: &mut Call) -> Result<(), Gap> {
    let size = c.text(0)?.len() + c.text(1)?.len();
    c.pay(size as u64 / 8)
}

/// Pays for writing or reading a number of so many bits in decimal digits.
fn decimal(c: &mut Call, bits: u32) -> Result<(), Gap> {
    let words = u64::from(bits) / 64;
    c.build(u64::from(bits))?;
    c.pay(words.saturating_mul(words) / 8)
}

/// Asks a question about a regular language with the fuel that is left.
fn matching<T>(
    c: &mut Call,
    ask: impl FnOnce(&mut regex::Fuel) -> Result<T, regex::OutOfFuel>,
) -> Result<T, Gap> {
    let left = c.fuel().left();
    let mut fuel = regex::Fuel::new(*left);
    let answer = ask(&mut fuel);
    *left = fuel.left();
    answer.map_err(|_| Gap::TooMuchWork)
}

fn concat(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.text(0)?, c.text(1)?);
    c.build((a.len() + b.len()) as u64)?;
    string([a, b].concat())
}

fn replace_all(c: &mut Call) -> Result<Value, Gap> {
    let (s, part, new) = (c.text(0)?, c.text(1)?, c.text(2)?);
    search(c)?;
    if !part.is_empty() {
        // At most so many are replaced.
        c.build(s.len() as u64 + (s.len() / part.len()) as u64 * new.len() as u64)?;
    }
    string(list::replace_all(s, part, new))
}

fn replace_re_all(c: &mut Call) -> Result<Value, Gap> {
    let (s, r, t) = (c.text(0)?, c.regex(1)?, c.text(2)?);
    c.build(s.len() as u64 + s.len() as u64 * t.len() as u64)?;
    matching(c, |fuel| regex::replace_re_all(s, r, t, fuel)).and_then(string)
}

fn to_int(c: &mut Call) -> Result<Value, Gap> {
    let s = c.text(0)?;
    decimal(c, u32::try_from(s.len()).unwrap_or(u32::MAX).saturating_mul(4))?;
    Ok(Value::Int(text::to_int(s)))
}

fn from_int(c: &mut Call) -> Result<Value, Gap> {
    let n = c.int(0)?;
    decimal(c, u32::try_from(n.bit_len()).unwrap_or(u32::MAX))?;
    string(text::from_int(n))
}

fn in_re(c: &mut Call) -> Result<Value, Gap> {
    let (s, r) = (c.text(0)?, c.regex(1)?);
    matching(c, |fuel| r.contains(s, fuel)).map(Value::Bool)
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { parts,
        "count runs past the end": "(str.substr \"abc\" 1 9)" => "\"bc\"",
        "start is past the end": "(str.substr \"abc\" 3 1)" => "\"\"",
        "negative start": "(str.substr \"abc\" (- 1) 1)" => "\"\"",
        "negative count": "(str.substr \"abc\" 1 (- 1))" => "\"\"",
        "at the end": "(str.at \"abc\" 3)" => "\"\"",
        "a huge index": "(str.at \"abc\" 99999999999999999999999)" => "\"\"",
        "n-ary": "(str.++ \"a\" \"b\" \"c\")" => "\"abc\"",
        "unary, as z3 has it": "(str.++ \"a\")" => "\"a\"",
        "of an int": "(str.++ \"a\" 1)" => "no row for str.++",
        "length counts code points": "(str.len \"\\u{1F600}\\u0041\")" => "2",
        "no escape": "(str.len \"\\x41\")" => "4",
        "two quotes": "(str.len \"\"\"\")" => "1",
        "a character": "(_ char #x61)" => "\"a\"",
        "beyond the last": "(_ char #x30000)" => "no row for char",
        "chained": "(str.< \"a\" \"b\" \"b\")" => "false",
        "a prefix is smaller": "(str.< \"0\" \"01\")" => "true",
    }

    rows! { searches,
        "empty pattern": "(str.indexof \"abc\" \"\" 1)" => "1",
        "empty pattern at the end": "(str.indexof \"abc\" \"\" 3)" => "3",
        "empty pattern past the end": "(str.indexof \"abc\" \"\" 4)" => "(- 1)",
        "negative offset": "(str.indexof \"abc\" \"a\" (- 1))" => "(- 1)",
        "empty pattern is put first": "(str.replace \"abc\" \"\" \"x\")" => "\"xabc\"",
        "empty pattern replaces nothing": "(str.replace_all \"abc\" \"\" \"x\")" => "\"abc\"",
        "overlaps": "(str.replace_all \"aaa\" \"aa\" \"b\")" => "\"ba\"",
        "shortest match": "(str.replace_re \"aab\" (re.* (str.to_re \"a\")) \"x\")" => "\"xaab\"",
        "shortest that is not empty": "(str.replace_re_all \"aab\" (re.* (str.to_re \"a\")) \"x\")" => "\"xxb\"",
        "the empty string contains itself": "(str.contains \"\" \"\")" => "true",
    }

    rows! { characters,
        "as bits": "(char.to_bv (_ Char 65))" => "#b000000000001000001",
        "from bits": "(char.from_bv #b000000000001000001)" => "(_ Char 65)",
        "from the last": "(char.from_bv #b101111111111111111)" => "(_ Char 196607)",
        "from bits above the last": "(char.from_bv #b110000000000000000)" => "char.from_bv of no character has no meaning here",
        "from few bits": "(char.from_bv #x41)" => "no row for char.from_bv",
        "before the digits": "(char.is_digit (_ Char 47))" => "false",
        "the first digit": "(char.is_digit (_ Char 48))" => "true",
        "the last digit": "(char.is_digit (_ Char 57))" => "true",
        "after the digits": "(char.is_digit (_ Char 58))" => "false",
        "a string is no character": "(char.is_digit \"7\")" => "no row for char.is_digit",
    }

    rows! { numbers,
        "leading zeros": "(str.to_int \"007\")" => "7",
        "the empty string": "(str.to_int \"\")" => "(- 1)",
        "a sign is no digit": "(str.to_int \"-7\")" => "(- 1)",
        "a large number": "(str.to_int \"123456789012345678901234567890\")" => "123456789012345678901234567890",
        "negative": "(str.from_int (- 7))" => "\"\"",
        "bits below zero": "(str.from_sbv #b1)" => "\"-1\"",
        "the lowest bits": "(str.from_sbv #x80)" => "\"-128\"",
        "bits without sign": "(str.from_ubv #x80)" => "\"128\"",
        "zero": "(str.from_int 0)" => "\"0\"",
        "an old name": "(int.to.str 12)" => "\"12\"",
        "code of one character": "(str.to_code \"a\")" => "97",
        "code of two": "(str.to_code \"ab\")" => "(- 1)",
        "out of range": "(str.from_code 196608)" => "\"\"",
        "the last": "(str.from_code 196607)" => "\"\\u{2ffff}\"",
        "not a digit": "(str.is_digit \"a\")" => "false",
        "two digits": "(str.is_digit \"12\")" => "false",
    }
}
