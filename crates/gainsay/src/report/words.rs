//! Numbers, changes of a campaign, and events of its server, in words.

use std::collections::BTreeMap;

use crate::store::{Rebuilt, ServerEvent};

/// That a program was built anew, and from when on that counts.
pub fn rebuilt(program: &Rebuilt) -> String {
    let Rebuilt { solver, was, is, turns, finding } = program;
    let of = match finding {
        0 => "there were no findings before".to_owned(),
        last => format!("findings up to number {last} are of the earlier build"),
    };
    format!("{solver} was built anew after {} (digest {was:.16}, then {is:.16}); {of}", many(*turns, "turn"))
}

/// What happened to the server of a campaign.
pub fn server_event(event: ServerEvent<'_>) -> String {
    match event {
        ServerEvent::Away { error, pause } => {
            format!("{error}; trying again in {:.1} s", pause.as_secs_f64())
        }
        ServerEvent::Back => "the store is back".to_owned(),
        ServerEvent::PutAside { place, error } => {
            format!("{} was refused and put aside: {error}", place.display())
        }
    }
}

/// So many of something: `1 turn`, `2 turns`.
pub fn many(n: u64, one: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {one}{s}")
}

/// Counts by name, the largest first, and at most so many of them.
pub fn counted(counts: &BTreeMap<String, usize>, most: usize) -> String {
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let shown: Vec<_> = rows.iter().take(most).map(|(name, n)| format!("{name} {n}")).collect();
    let more = rows.len().saturating_sub(most);
    let more = if more == 0 { String::new() } else { format!(", {more} more") };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::{many, rebuilt};
    use crate::store::Rebuilt;

    #[test]
    fn a_later_build_is_told() {
        let (was, is) = ("a".repeat(64), "b".repeat(64));
        let solver = "./build/z3".parse().expect("a name");
        let program = Rebuilt { solver, was, is, turns: 40, finding: 3 };
        let expected = "./build/z3 was built anew after 40 turns (digest aaaaaaaaaaaaaaaa, then bbbbbbbbbbbbbbbb); \
                        findings up to number 3 are of the earlier build";
        assert_eq!(rebuilt(&program), expected);
    }

    #[test]
    fn one_and_many() {
        assert_eq!([0, 1, 2].map(|n| many(n, "turn")), ["0 turns", "1 turn", "2 turns"]);
    }
}
