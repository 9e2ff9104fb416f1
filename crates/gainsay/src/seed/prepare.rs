//! Makes a seed of a text: removes commands that ask for more than answers or change how solvers find them.

use smt::{Command, Script, What};

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

/// A script that can be a seed.
pub struct Prepared {
    /// The script.
    pub script: Script,
    /// The answer that the script itself states.
    pub status: Option<Answer>,
}

/// Reads a text and keeps the commands that declare, assert and check.
pub fn prepare(text: &[u8]) -> Result<Prepared, Unusable> {
    if text.len() > LARGEST {
        return Err(Unusable::TooLarge(text.len()));
    }
    let mut script = smt::read(text).map_err(|e| {
        let at = e.locate("", text);
        Unusable::Refused(format!("{}:{}: {}", at.line, at.column, at.message))
    })?;
    let mut status = None;
    let mut kept: Vec<Command> = Vec::with_capacity(script.commands.len());
    let pool = &script.pool;
    for &command in &script.commands {
        match command.what {
            What::SetInfo(key, value) => {
                if pool.text(key) == ":status" {
                    status = match pool.text(value) {
                        "sat" => Some(Answer::Sat),
                        "unsat" => Some(Answer::Unsat),
                        _ => None,
                    };
                }
            }
            // Options may change meaning (`:numeral-as-real`, `:encoding`); this one changes only which names last.
            What::SetOption(key, _) => {
                if pool.text(key) == ":global-declarations" {
                    kept.push(command);
                }
            }
            What::CheckSatUsing(_) => kept.push(Command { what: What::CheckSat, span: None }),
            What::Exit => break,
            What::AssertSoft(..)
            | What::Optimize(..)
            | What::GetValue(_)
            | What::Query(..)
            | What::Other(_) => {}
            _ => kept.push(command),
        }
    }
    script.commands = kept;
    if !script.commands.iter().any(|c| matches!(c.what, What::CheckSat | What::CheckSatAssuming(_))) {
        script.push(What::CheckSat);
    }
    let mut asserts = script.commands.iter();
    if !asserts.any(|c| matches!(c.what, What::Assert(_) | What::CheckSatAssuming(_))) {
        return Err(Unusable::NothingAsserted);
    }
    let is_check = |c: &&Command| matches!(c.what, What::CheckSat | What::CheckSatAssuming(_));
    let checks = script.commands.iter().filter(is_check).count();
    if checks > MOST_CHECKS {
        return Err(Unusable::TooManyChecks(checks));
    }
    Ok(Prepared { script, status })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> String {
        match prepare(text.as_bytes()) {
            Ok(p) => p.script.text().trim().replace('\n', " "),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn only_what_declares_asserts_and_checks_is_kept() {
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
                "(set-option :smt.arith.solver 2)(set-info :status sat)(assert true)(check-sat)(get-model)(echo \"x\")",
                "(assert true) (check-sat)",
            ),
            (
                "names that last",
                "(set-option :global-declarations true)(assert true)(check-sat)",
                "(set-option :global-declarations true) (assert true) (check-sat)",
            ),
            (
                "the logic stays",
                "(set-logic QF_BV)(assert true)",
                "(set-logic QF_BV) (assert true) (check-sat)",
            ),
        ];
        for (about, text, expected) in rows {
            assert_eq!(prepared(text), expected, "{about}");
        }
    }

    #[test]
    fn what_is_unusable_is_named() {
        let many = format!("(assert true){}", "(check-sat)".repeat(65));
        let rows = [
            ("(check-sat)", "it asserts nothing"),
            ("(assert 3)", "it is refused: 1:9: expected a term of sort Bool, this is Int"),
            (&many, "it has 65 checks, more than 64"),
        ];
        for (text, expected) in rows {
            assert_eq!(prepared(text), expected);
        }
        assert!(prepare(&vec![b' '; LARGEST + 1]).is_err_and(|e| e.kind() == "too large"));
    }

    #[test]
    fn the_status_is_a_note() {
        let status = |text: &str| prepare(text.as_bytes()).expect("usable").status;
        assert_eq!(status("(set-info :status unsat)(assert true)"), Some(Answer::Unsat));
        assert_eq!(status("(set-info :status unknown)(assert true)"), None);
    }
}
