//! A script as it is sent to a solver: with the tactic and the simplifier of the solver, and in the names that it knows.

use std::borrow::Cow;

use smt::sexpr::{Command, commands};

use super::Solver;
use super::names::{in_names_of, with_old_names};
use super::profile::{Flag, SIMPLIFIER, TACTIC};

/// The script as a solver is sent it.
pub fn as_sent<'t>(solver: &Solver, script: &'t str) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(script);
    if solver.has_text_settings()
        && let Some(set) = with_text_settings(&solver.options, &text)
    {
        text = Cow::Owned(set);
    }
    if solver.has(Flag::OldStringNames)
        && let Some(old) = with_old_names(&text)
    {
        text = Cow::Owned(old);
    }
    if let Some(own) = in_names_of(&solver.profile.name, &text) {
        text = Cow::Owned(own);
    }
    text
}

/// The script with the tactic and the simplifier among these options. None if there is no such option, or if the text is no
/// list of commands.
///
/// The last tactic counts, and takes the place of the default one in every `check-sat`. Simplifiers are set in their order,
/// after the options and the logic and before everything else.
pub fn with_text_settings(options: &[String], script: &str) -> Option<String> {
    let tactic = options.iter().rev().find_map(|option| option.strip_prefix(TACTIC));
    let simplifiers: Vec<&str> =
        options.iter().filter_map(|option| option.strip_prefix(SIMPLIFIER)).collect();
    if tactic.is_none() && simplifiers.is_empty() {
        return None;
    }
    let all = commands(script)?;
    let is_header = |c: &&Command<'_>| matches!(c.head, "set-option" | "set-logic" | "set-info");
    let header = all.iter().take_while(is_header).last().map_or(0, |c| c.end);
    let mut text = String::with_capacity(script.len() + 64);
    text.push_str(&script[..header]);
    for simplifier in simplifiers {
        let line = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{line}(set-simplifier {simplifier})"));
    }
    if header == 0 && !text.is_empty() {
        text.push('\n');
    }
    let mut from = header;
    for check in all.iter().filter(|c| c.head == "check-sat" && tactic.is_some()) {
        text.push_str(&script[from..check.start]);
        text.push_str(&format!("(check-sat-using {})", tactic.unwrap_or_default()));
        from = check.end;
    }
    text.push_str(&script[from..]);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        crate::solver::id::split_words(text).expect("words")
    }

    #[test]
    fn tactics_and_simplifiers_go_into_the_script() {
        let script =
            "(set-logic QF_BV)\n(declare-const p Bool)\n(assert p) ; (check-sat)\n(check-sat)\n(check-sat)";
        let rows = [
            ("a=b --c", script, None),
            (
                "'tactic:(then simplify smt)'",
                script,
                Some(
                    "(set-logic QF_BV)\n(declare-const p Bool)\n(assert p) ; (check-sat)\n\
                     (check-sat-using (then simplify smt))\n(check-sat-using (then simplify smt))",
                ),
            ),
            (
                "simplifier:euf-completion a=b",
                "(set-info :a b)(set-logic QF_BV)(assert true)(check-sat)",
                Some(
                    "(set-info :a b)(set-logic QF_BV)\n(set-simplifier euf-completion)(assert true)(check-sat)",
                ),
            ),
            (
                "simplifier:bit-blast simplifier:der tactic:smt tactic:sat",
                "(assert true)(check-sat)(check-sat-assuming (p))",
                Some(
                    "(set-simplifier bit-blast)\n(set-simplifier der)\n(assert true)(check-sat-using sat)\
                     (check-sat-assuming (p))",
                ),
            ),
            ("tactic:smt", "(assert true", None),
        ];
        for (options, script, expected) in rows {
            assert_eq!(with_text_settings(&words(options), script).as_deref(), expected, "{options}");
        }
    }

    #[test]
    fn they_are_no_words_of_the_command_line() {
        let solver = Solver::fake("sat").with_options(&words("a=b tactic:smt simplifier:der --c"));
        assert!(solver.launch(&[]).argv.ends_with(&words("a=b --c")));
        assert_eq!(solver.name.as_str(), "fake:sat a=b tactic:smt simplifier:der --c");
        assert_eq!(solver.name, solver.name.as_str().parse().expect("a name"));
        assert!(solver.is_variant_of(&Solver::fake("sat")) && !solver.is_variant_of(&solver));
        assert!(!solver.is_variant_of(&Solver::fake("unsat")));
    }
}
