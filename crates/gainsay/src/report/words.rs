//! Numbers in words.

/// So many of something: `1 turn`, `2 turns`.
pub fn many(n: u64, one: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {one}{s}")
}

#[cfg(test)]
mod tests {
    use super::many;

    #[test]
    fn one_and_many() {
        assert_eq!([0, 1, 2].map(|n| many(n, "turn")), ["0 turns", "1 turn", "2 turns"]);
    }
}
