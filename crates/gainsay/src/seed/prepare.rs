//! Makes a seed of a text: keeps what it says, and counts by name what no solver may be sent.

use std::collections::BTreeMap;

use smt::{Command, Pool, Script, What};

use crate::case::Answer;

/// The most checks that a seed may have. Scripts with more are logs of sessions.
const MOST_CHECKS: usize = 64;
/// The most bytes that a seed may have.
const LARGEST: usize = 1 << 20;

/// Why a text cannot be a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It is not well-sorted SMT-LIB.
    #[error("it is refused: {0}")]
    Refused(String),
    /// It asserts nothing.
    #[error("it asserts nothing")]
    NothingAsserted,
    /// It would take too long.
    #[error("it has {0} bytes, more than {LARGEST}")]
    TooLarge(usize),
    /// It would take too long.
    #[error("it has {0} checks, more than {MOST_CHECKS}")]
    TooManyChecks(usize),
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

impl Unusable {
    /// The reason without details, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Unusable::Refused(_) => "refused",
            Unusable::NothingAsserted => "nothing asserted",
            Unusable::TooLarge(_) => "too large",
            Unusable::TooManyChecks(_) => "too many checks",
            Unusable::Unreadable(_) => "unreadable",
        }
    }
}

/// What a seed keeps of the text that it is read from.
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    /// Declarations, assertions and plain checks.
    Bare,
    /// All commands, and the options that this function allows with their values.
    Commands(fn(&str, &str) -> bool),
}

/// What was left out of seeds: how often, by the name of the command or option.
pub type Dropped = BTreeMap<String, usize>;

/// A script that can be a seed.
pub struct Prepared {
    /// The script.
    pub script: Script,
    /// The answer that the script itself states.
    pub status: Option<Answer>,
    /// What was left out.
    pub dropped: Dropped,
}

/// What is done with a command of a seed.
enum Fate {
    Kept(Command),
    Dropped,
}

/// What is done with a command.
fn fate(pool: &Pool, command: Command, keep: Keep) -> Fate {
    let what = command.what;
    let row = what.row(pool);
    let kept = match (what, keep) {
        // This option changes only which names last.
        (What::SetOption(key, _), Keep::Bare) => pool.text(key) == ":global-declarations",
        // Others may change meaning (`:numeral-as-real`, `:encoding`) or write files.
        (What::SetOption(key, value), Keep::Commands(allows)) => allows(pool.text(key), pool.text(value)),
        (What::CheckSatUsing(_), Keep::Bare) => {
            return Fate::Kept(Command { what: What::CheckSat, span: None });
        }
        // z3 writes assumptions also as arguments of `check-sat`. Everybody reads the form of the standard.
        (What::CheckSatAssuming(_), _) => return Fate::Kept(Command { what, span: None }),
        (What::SetSimplifier(_), Keep::Bare) => false,
        (_, Keep::Bare) => !what.is_output() && row.is_none_or(|row| row.kept),
        (_, Keep::Commands(_)) => row.is_none_or(|row| row.kept),
    };
    if kept { Fate::Kept(command) } else { Fate::Dropped }
}

/// The name under which a command is counted that was left out.
fn name(pool: &Pool, what: What) -> String {
    match what {
        What::SetOption(key, _) => format!("{} {}", what.word(pool), pool.text(key)),
        _ => what.word(pool).to_owned(),
    }
}

/// Reads a text and keeps what a seed may have of it.
pub fn prepare(text: &[u8], keep: Keep) -> Result<Prepared, Unusable> {
    if text.len() > LARGEST {
        return Err(Unusable::TooLarge(text.len()));
    }
    let mut script = smt::read(text).map_err(|e| {
        let at = e.locate("", text);
        Unusable::Refused(format!("{}:{}: {}", at.line, at.column, at.message))
    })?;
    let (mut status, mut dropped) = (None, Dropped::new());
    let mut kept: Vec<Command> = Vec::with_capacity(script.commands.len());
    let pool = &script.pool;
    for &command in script.commands.iter().take_while(|command| command.what != What::Exit) {
        if let What::SetInfo(key, value) = command.what
            && pool.text(key) == ":status"
        {
            status = match pool.text(value) {
                "sat" => Some(Answer::Sat),
                "unsat" => Some(Answer::Unsat),
                _ => None,
            };
        }
        match fate(pool, command, keep) {
            Fate::Kept(command) => kept.push(command),
            Fate::Dropped => *dropped.entry(name(pool, command.what)).or_default() += 1,
        }
    }
    script.commands = kept;
    // What only declares and asks is a session, too.
    let asks = matches!(keep, Keep::Commands(_))
        && script.commands.iter().any(|c| c.what.is_check() || c.what.is_output());
    if !script.commands.iter().any(|c| c.what.is_check()) {
        script.push(What::CheckSat);
    }
    if !asks && !says_something(&script) {
        return Err(Unusable::NothingAsserted);
    }
    let checks = script.commands.iter().filter(|c| c.what.is_check()).count();
    if checks > MOST_CHECKS {
        return Err(Unusable::TooManyChecks(checks));
    }
    Ok(Prepared { script, status, dropped })
}

/// Whether a script asserts or assumes something.
fn says_something(script: &Script) -> bool {
    script.commands.iter().any(|c| matches!(c.what, What::Assert(_) | What::CheckSatAssuming(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str, keep: Keep) -> String {
        match prepare(text.as_bytes(), keep) {
            Ok(p) => p.script.text().trim().replace('\n', " "),
            Err(e) => e.to_string(),
        }
    }

    fn allows(key: &str, value: &str) -> bool {
        key == ":seed" || (key, value) == (":incremental", "true")
    }

    #[test]
    fn a_bare_seed_declares_asserts_and_checks() {
        let rows = [
            ("a check is added", "(assert true)", "(assert true) (check-sat)"),
            ("tactics", "(assert true)(check-sat-using qflia)", "(assert true) (check-sat)"),
            (
                "what is after the end",
                "(assert true)(check-sat)(exit)(assert false)",
                "(assert true) (check-sat)",
            ),
            (
                "options, notes and questions",
                "(set-option :smt.arith.solver 2)(set-info :status sat)(set-simplifier simplify)(assert true)(check-sat)(get-model)(echo \"x\")(apply simplify)(simplify true)",
                "(assert true) (check-sat)",
            ),
            (
                "names that last",
                "(set-option :global-declarations true)(assert true)(check-sat)",
                "(set-option :global-declarations true) (assert true) (check-sat)",
            ),
            (
                "assumptions of z3",
                "(declare-const p Bool)(check-sat p (not p))",
                "(declare-const p Bool) (check-sat-assuming (p (not p)))",
            ),
            (
                "the logic stays",
                "(set-logic QF_BV)(assert true)",
                "(set-logic QF_BV) (assert true) (check-sat)",
            ),
        ];
        for (about, text, expected) in rows {
            assert_eq!(prepared(text, Keep::Bare), expected, "{about}");
        }
    }

    #[test]
    fn a_seed_keeps_what_it_says() {
        let same = [
            "(set-option :seed 3) (assert true) (check-sat-using (then simplify smt))",
            "(set-option :incremental true) (push 1) (assert true) (check-sat) (pop 1) (reset-assertions)",
            "(declare-const p Bool) (assert (! p :named a)) (check-sat) (get-model) (get-value (p)) (get-assignment) (eval p)",
            "(set-simplifier simplify) (assert true) (simplify (and true false) :flat true) (apply (then simplify smt)) (check-sat)",
            "(simplify (+ 1 2)) (check-sat)",
            "(declare-const p Bool) (assert p) (check-sat-assuming ((not p) p))",
            "(declare-datatype D ((d))) (check-sat)",
            "(assert true) (check-sat) (echo \"sat\") (get-info :reason-unknown) (get-proof) (get-unsat-core)",
        ];
        for text in same {
            assert_eq!(prepared(text, Keep::Commands(allows)), text);
        }
    }

    #[test]
    fn what_is_left_out_is_counted_by_name() {
        let text = "(set-option :numeral-as-real true)(set-option :regular-output-channel \"/tmp/x\")
            (set-option :incremental false)(set-option :seed 1)(set-info :status sat)(include \"x\")
            (assert true)(assert-soft false)(assert-soft true)(minimize 1)(check-sat)(get-objectives)(display true)(exit)(help)";
        let p = prepare(text.as_bytes(), Keep::Commands(allows)).expect("usable");
        assert_eq!(
            p.script.text().replace('\n', " ").trim(),
            "(set-option :seed 1) (assert true) (check-sat)"
        );
        let told: Vec<_> = p.dropped.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let expected = [
            "assert-soft 2",
            "display 1",
            "get-objectives 1",
            "include 1",
            "minimize 1",
            "set-info 1",
            "set-option :incremental 1",
            "set-option :numeral-as-real 1",
            "set-option :regular-output-channel 1",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_unusable_is_named() {
        let many = format!("(assert true){}", "(check-sat)".repeat(65));
        let rows = [
            ("(check-sat)", "it asserts nothing"),
            ("(simplify (+ 1 2))(check-sat)", "it asserts nothing"),
            ("(assert 3)", "it is refused: 1:9: expected a term of sort Bool, this is Int"),
            (&many, "it has 65 checks, more than 64"),
        ];
        for (text, expected) in rows {
            assert_eq!(prepared(text, Keep::Bare), expected);
        }
        assert_eq!(prepared("(declare-const p Bool)", Keep::Commands(allows)), "it asserts nothing");
        assert!(prepare(&vec![b' '; LARGEST + 1], Keep::Bare).is_err_and(|e| e.kind() == "too large"));
    }

    #[test]
    fn the_status_is_a_note() {
        let status = |text: &str| prepare(text.as_bytes(), Keep::Bare).expect("usable").status;
        assert_eq!(status("(set-info :status unsat)(assert true)"), Some(Answer::Unsat));
        assert_eq!(status("(set-info :status unknown)(assert true)"), None);
    }
}
