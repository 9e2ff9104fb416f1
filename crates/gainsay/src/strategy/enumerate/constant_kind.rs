//! Kinds of constants: a constant of a grammar can be replaced by those of its kind.

use smt::theory::table;

/// The kind of a constant. A constant can replace those of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ConstantKind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Numeral,
    /// A decimal.
    Decimal,
    /// A string.
    String,
    /// A bit-vector of this width.
    Bits(usize),
    /// A float with these widths of exponent and significand.
    Float(usize, usize),
}

impl ConstantKind {
    /// The kind of a constant; none if the text is not a constant.
    pub fn of(text: &str) -> Option<ConstantKind> {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let bits = |text: &str| match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
            (Some(hex), _) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => Some(hex.len() * 4),
            (_, Some(binary)) if binary.bytes().all(|b| b == b'0' || b == b'1') => Some(binary.len()),
            _ => None,
        };
        if let Some(negated) = text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
            return ConstantKind::of(negated)
                .filter(|kind| matches!(kind, ConstantKind::Numeral | ConstantKind::Decimal));
        }
        if let Some(parts) = text.strip_prefix("(fp ").and_then(|rest| rest.strip_suffix(')')) {
            let parts: Vec<usize> = parts.split(' ').filter_map(bits).collect();
            return match parts[..] {
                [1, exponent, significand] => Some(ConstantKind::Float(exponent, significand + 1)),
                _ => None,
            };
        }
        if let Some(parts) = text.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')) {
            let parts: Vec<&str> = parts.split(' ').collect();
            return match parts[..] {
                [name, e, s] if is_float(name) => Some(ConstantKind::Float(e.parse().ok()?, s.parse().ok()?)),
                _ => None,
            };
        }
        match text {
            "true" | "false" => Some(ConstantKind::Bool),
            _ if digits(text) => Some(ConstantKind::Numeral),
            _ if text.split_once('.').is_some_and(|(a, b)| digits(a) && digits(b)) => {
                Some(ConstantKind::Decimal)
            }
            _ if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') => {
                Some(ConstantKind::String)
            }
            _ => bits(text).map(ConstantKind::Bits),
        }
    }
}

/// Whether a name with two indices is a float of that format.
fn is_float(name: &str) -> bool {
    let mut rows = table().named(name).iter().map(|&op| table().op(op));
    rows.any(|row| row.names_format() && row.args.is_empty())
}
