//! Numbers of releases, and the one comparison of them.

/// The number of a release, such as `4.8.12`. Parts that are missing count as zero: `5.4` and `5.4.0` are equal.
///
/// ```
/// use smt::theory::ReleaseNumber;
///
/// let number = |text| ReleaseNumber::parse(text).expect("a number");
/// assert_eq!(number("5.4"), number("5.4.0"));
/// assert!(number("4.8.9") < number("4.8.10"));
/// assert!(ReleaseNumber::parse("4.8.x").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ReleaseNumber([u64; ReleaseNumber::PARTS]);

impl ReleaseNumber {
    /// How many parts a number may have.
    const PARTS: usize = 6;
    /// The number below all others.
    pub const ZERO: ReleaseNumber = ReleaseNumber([0; ReleaseNumber::PARTS]);

    /// Reads a release number: at most six numbers with dots between them.
    pub const fn parse(text: &str) -> Option<ReleaseNumber> {
        let bytes = text.as_bytes();
        let mut parts = [0_u64; ReleaseNumber::PARTS];
        let (mut part, mut digits, mut i) = (0, 0, 0);
        while i < bytes.len() {
            match bytes[i] {
                b'.' if digits > 0 && part + 1 < ReleaseNumber::PARTS => {
                    part += 1;
                    digits = 0;
                }
                digit @ b'0'..=b'9' => {
                    let Some(tens) = parts[part].checked_mul(10) else { return None };
                    let Some(sum) = tens.checked_add((digit - b'0') as u64) else { return None };
                    parts[part] = sum;
                    digits += 1;
                }
                _ => return None,
            }
            i += 1;
        }
        if digits == 0 { None } else { Some(ReleaseNumber(parts)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_compared() {
        let number = |text| ReleaseNumber::parse(text).expect("a number");
        let rising = ["0", "0.0.1", "1", "4.8.5", "4.8.12", "4.16", "5.4.0", "5.4.0.1", "5.10"];
        assert!(rising.map(number).is_sorted_by(|a, b| a < b));
        for (one, other) in [("5.4", "5.4.0"), ("1.8", "1.8.0.0"), ("0", "0.0")] {
            assert_eq!(number(one), number(other), "{one} {other}");
        }
        for text in ["", ".", "4.", ".4", "4..5", "4.8.x", "-1", "1.2.3.4.5.6.7", "99999999999999999999"] {
            assert_eq!(ReleaseNumber::parse(text), None, "{text}");
        }
    }
}
