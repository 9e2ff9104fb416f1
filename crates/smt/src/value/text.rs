//! Strings: lists of code points, with the operations that sequences do not share.

use dashu_int::{IBig, UBig};

/// The last code point of the standard's alphabet, planes 0 to 2.
pub const LAST: u32 = 0x2FFFF;

const ZERO: u32 = b'0' as u32;
const NINE: u32 = b'9' as u32;

/// `str.<`: by code points, a proper prefix first.
pub fn less(a: &[u32], b: &[u32]) -> bool {
    a < b
}

/// The operator `str.<=`.
pub fn less_equal(a: &[u32], b: &[u32]) -> bool {
    a <= b
}

/// `str.is_digit`: one character of 0 to 9.
pub fn is_digit(text: &[u32]) -> bool {
    matches!(text, [ZERO..=NINE])
}

/// `str.to_code`: the code point of the only character, else -1.
pub fn to_code(text: &[u32]) -> IBig {
    match text {
        [code] => IBig::from(*code),
        _ => IBig::NEG_ONE,
    }
}

/// `str.from_code`: the one character, empty outside the alphabet.
pub fn from_code(code: &IBig) -> Vec<u32> {
    u32::try_from(code).ok().filter(|&code| code <= LAST).into_iter().collect()
}

/// `str.to_int`: the number that the digits spell, leading zeros and all, else -1.
pub fn to_int(text: &[u32]) -> IBig {
    let digits: Option<String> =
        text.iter().map(|code| (ZERO..=NINE).contains(code).then_some(*code as u8 as char)).collect();
    match digits {
        Some(digits) if !digits.is_empty() => {
            IBig::from_str_radix(&digits, 10).expect("digits only, and at least one")
        }
        _ => IBig::NEG_ONE,
    }
}

/// `str.from_int`: decimal without leading zeros, empty for a negative number.
pub fn from_int(number: &IBig) -> Vec<u32> {
    if *number < IBig::ZERO { Vec::new() } else { spell(number) }
}

/// `str.from_ubv` (z3): the bits as an unsigned number, in decimal.
pub fn from_ubv(bits: &UBig) -> Vec<u32> {
    spell(bits)
}

/// `str.from_sbv` (z3): the bits as a two's complement number, in decimal, minus sign included.
pub fn from_sbv(bits: &UBig, width: usize) -> Vec<u32> {
    let number = IBig::from(bits.clone());
    let half = IBig::ONE << (width - 1);
    if number < half { spell(&number) } else { spell(&(number - (half << 1_usize))) }
}

/// `str.to_lower` (cvc5): A to Z only.
pub fn to_lower(text: &[u32]) -> Vec<u32> {
    text.iter().map(|&code| if (0x41..=0x5A).contains(&code) { code + 32 } else { code }).collect()
}

/// `str.to_upper` (cvc5): a to z only.
pub fn to_upper(text: &[u32]) -> Vec<u32> {
    text.iter().map(|&code| if (0x61..=0x7A).contains(&code) { code - 32 } else { code }).collect()
}

fn spell(number: &impl ToString) -> Vec<u32> {
    number.to_string().bytes().map(u32::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    fn big(text: &str) -> IBig {
        text.parse().expect("a decimal numeral")
    }

    rows! { order_rows, |(a, b): (&str, &str)| (less(&codes(a), &codes(b)), less_equal(&codes(a), &codes(b)));
        "equal"               : ("ab", "ab") => (false, true),
        "both empty"          : ("", "") => (false, true),
        "empty first"         : ("", "a") => (true, true),
        "prefix first"        : ("a", "aa") => (true, true),
        "longer but smaller"  : ("aa", "b") => (true, true),
        "greater"             : ("b", "aa") => (false, false),
        "upper before lower"  : ("Z", "a") => (true, true),
        "not UTF-16 order"    : ("\u{FFFF}", "\u{10000}") => (true, true),
    }

    rows! { is_digit_rows, |s: &str| is_digit(&codes(s));
        "zero"                : "0" => true,
        "nine"                : "9" => true,
        "before"              : "/" => false,
        "after"               : ":" => false,
        "two"                 : "00" => false,
        "empty"               : "" => false,
        "another script's"    : "\u{663}" => false,
    }

    rows! { to_code_rows, |s: &[u32]| to_code(s).to_string();
        "one"          : &[0x61] => "97",
        "zero"         : &[0] => "0",
        "last"         : &[LAST] => "196607",
        "empty"        : &[] => "-1",
        "two"          : &[0x61, 0x62] => "-1",
    }

    rows! { from_code_rows, |s: &str| from_code(&big(s));
        "one"                  : "97" => [97],
        "zero"                 : "0" => [0],
        "surrogate"            : "55296" => [0xD800],
        "last"                 : "196607" => [LAST],
        "after the last"       : "196608" => [],
        "negative"             : "-1" => [],
        "same low 32 bits"     : "4294967393" => [],
        "beyond 2^64"          : "36893488147419103232" => [],
    }

    rows! { to_int_rows, |s: &str| to_int(&codes(s)).to_string();
        "number"               : "123" => "123",
        "zero"                 : "0" => "0",
        "leading zeros"        : "00123" => "123",
        "only zeros"           : "000" => "0",
        "empty"                : "" => "-1",
        "minus"                : "-1" => "-1",
        "plus"                 : "+1" => "-1",
        "space"                : " 1" => "-1",
        "separator"            : "1_0" => "-1",
        "letter at the end"    : "12a" => "-1",
        "another script's"     : "\u{661}" => "-1",
        "beyond 2^64"          : "0340282366920938463463374607431768211456" =>
                                 "340282366920938463463374607431768211456",
    }

    rows! { from_int_rows, |s: &str| from_int(&big(s));
        "number"       : "120" => codes("120"),
        "zero"         : "0" => codes("0"),
        "negative"     : "-1" => [],
        "beyond 2^64"  : "36893488147419103232" => codes("36893488147419103232"),
    }

    rows! { from_bv_rows, |(bits, width): (u32, usize)| (from_ubv(&bits.into()), from_sbv(&bits.into(), width));
        "zero"             : (0, 8) => (codes("0"), codes("0")),
        "greatest"         : (0x7F, 8) => (codes("127"), codes("127")),
        "least"            : (0x80, 8) => (codes("128"), codes("-128")),
        "minus one"        : (0xFF, 8) => (codes("255"), codes("-1")),
        "one bit"          : (1, 1) => (codes("1"), codes("-1")),
        "wider"            : (0xFF, 9) => (codes("255"), codes("255")),
    }

    rows! { case_rows, |s: &str| (to_lower(&codes(s)), to_upper(&codes(s)));
        "letters"          : "aZ" => (codes("az"), codes("AZ")),
        "next to letters"  : "@[`{" => (codes("@[`{"), codes("@[`{")),
        "beyond ASCII"     : "Éé" => (codes("Éé"), codes("Éé")),
        "empty"            : "" => (codes(""), codes("")),
    }

    #[test]
    fn long_numbers_are_exact() {
        let long = codes(&"9".repeat(100_000));
        let number = to_int(&long);
        assert_eq!(&number + IBig::ONE, IBig::from(10).pow(100_000));
        assert_eq!(from_int(&number), long);
    }

    proptest! {
        #[test]
        fn numbers_come_back(words in prop::collection::vec(any::<u64>(), 0..4), zeros in 0_usize..3) {
            let number = words.iter().fold(IBig::ZERO, |n, &word| (n << 64_usize) + word);
            let mut text = codes(&"0".repeat(zeros));
            text.extend(from_int(&number));
            prop_assert_eq!(to_int(&text), number);
        }

        #[test]
        fn codes_come_back(code in 0..=LAST) {
            prop_assert_eq!(from_code(&to_code(&[code])), [code]);
        }
    }
}
