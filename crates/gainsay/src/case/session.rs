//! Sessions: scripts with several checks, or with levels, and the one-shot form of each of their checks.

use std::sync::Arc;

use smt::{Command, Query, Script, What};

use super::scope::in_scope;
use super::{CheckRef, Claim};

/// Whether a script is more than declarations, assertions and one check.
pub fn is_session(script: &Script) -> bool {
    let mut checks = 0;
    script.commands.iter().any(|command| match command.what {
        What::Push(_) | What::Pop(_) | What::ResetAssertions | What::CheckSatAssuming(_) => true,
        What::CheckSat | What::CheckSatUsing(_) => {
            checks += 1;
            checks > 1
        }
        _ => false,
    })
}

/// The one-shot form of a check: options and logic, what is declared there, what is in scope there, and one check.
///
/// The assumptions of the check are assertions of the form. None if a command before the check is not understood.
pub fn one_shot(script: &Script, query: &Query) -> Option<Script> {
    if query.opaque {
        return None;
    }
    let before = &script.commands[..query.command];
    let begin = before.iter().rposition(|c| c.what == What::Reset).map_or(0, |reset| reset + 1);
    let is_header = |c: &&Command| match c.what {
        What::SetLogic(_) => true,
        What::SetOption(key, _) => script.pool.text(key) != ":global-declarations",
        _ => false,
    };
    let header = before[begin..].iter().take_while(|c| is_heading(c.what)).filter(is_header).copied();
    let mut commands: Vec<Command> = header.collect();
    commands.extend(in_scope(script, query.command).into_iter().map(|i| script.commands[i]));
    let made = |what| Command { what, span: None };
    commands.extend(query.assertions.iter().map(|&term| made(What::Assert(term))));
    commands.push(made(What::CheckSat));
    Some(Script { commands, ..script.clone() })
}

/// Whether a command belongs to the beginning of a script, before anything is declared.
fn is_heading(what: What) -> bool {
    matches!(what, What::SetLogic(_) | What::SetOption(..) | What::SetInfo(..))
}

/// The one-shot forms of the checks of a session, and for each the claim that it has the answer of its check. There are none
/// for a script that is no session.
pub fn one_shots(script: &Script) -> (Vec<Arc<Script>>, Vec<Claim>) {
    let (mut others, mut claims) = (Vec::new(), Vec::new());
    if !is_session(script) {
        return (others, claims);
    }
    for (check, query) in script.queries().iter().enumerate() {
        let Some(form) = one_shot(script, query) else { continue };
        others.push(Arc::new(form));
        claims.push(Claim::Same(CheckRef::own(check), CheckRef { script: others.len(), check: 0 }));
    }
    (others, claims)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        let script = smt::read(text.as_bytes()).expect(text);
        let (others, claims) = one_shots(&script);
        assert_eq!(others.len(), claims.len());
        others.iter().map(|other| other.text().trim().replace('\n', "")).collect()
    }

    #[test]
    fn each_check_has_what_is_in_scope() {
        let rows: &[(&str, &[&str])] = &[
            ("(assert true)(check-sat)", &[]),
            (
                "(set-logic QF_UF)(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not p))(check-sat)",
                &[
                    "(set-logic QF_UF)(declare-const p Bool)(assert p)(check-sat)",
                    "(set-logic QF_UF)(declare-const p Bool)(assert (not p))(check-sat)",
                ],
            ),
            (
                "(declare-const g Bool)(assert (=> g false))(check-sat-assuming (g))(check-sat)",
                &[
                    "(declare-const g Bool)(assert (=> g false))(assert g)(check-sat)",
                    "(declare-const g Bool)(assert (=> g false))(check-sat)",
                ],
            ),
            (
                "(set-option :global-declarations true)(push 1)(declare-const p Bool)(pop 1)(assert p)(check-sat)",
                &["(declare-const p Bool)(assert p)(check-sat)"],
            ),
            (
                "(set-logic QF_LIA)(assert false)(check-sat)(reset)(set-logic QF_UF)(declare-const p Bool)(check-sat)",
                &[
                    "(set-logic QF_LIA)(assert false)(check-sat)",
                    "(set-logic QF_UF)(declare-const p Bool)(check-sat)",
                ],
            ),
            ("(nonsense)(push 1)(assert true)(check-sat)", &[]),
        ];
        for (text, expected) in rows {
            assert_eq!(forms(text), *expected, "{text}");
        }
    }
}
