//! A script with a model written in as definitions.

use smt::{Command, Enumerations, Model, Query, Script, What};

use super::declared::{declarations, header};
use crate::case::in_scope;

/// The script up to one of its checks, without its other checks, each declared function that the model gives a plain
/// value replaced by its definition; none if nothing can be written in.
///
/// An uninterpreted sort becomes an enumeration of the elements that the model names, where that keeps the meaning
/// ([`Enumerations`]). What the model does not say, or says in a way that no script can, stays declared.
pub fn pinned(script: &Script, check: usize, model: &Model) -> Option<String> {
    let asks = script.queries();
    let ask = asks.get(check)?;
    let sorts = Enumerations::of(script, ask, model);
    let sorts = sorts.as_ref();
    let mut text = String::new();
    let mut any = false;
    for &command in &script.commands[..=ask.command] {
        let written = match command.what {
            what if what.is_check() || what.is_output() => continue,
            What::DeclareFun(fun) => {
                let plain = model.definition(fun);
                let definition = plain.or_else(|| sorts?.definition(model, fun));
                any |= definition.is_some();
                definition
            }
            What::DeclareSort(decl) => sorts.and_then(|sorts| sorts.declaration(&script.pool, decl)),
            // The declared logic may not have datatypes.
            What::SetLogic(_) if sorts.is_some() => Some(header(script).trim_end().to_owned()),
            _ => None,
        };
        text.push_str(&written.map_or_else(|| line(script, command), |written| written + "\n"));
    }
    text.push_str(&line(script, script.commands[ask.command]));
    any.then_some(text)
}

/// What is declared at a command of a script, each declared function that the model gives a plain value replaced by its
/// definition, and one assertion with a check.
pub fn at_point(script: &Script, command: usize, model: &Model, assertion: &str) -> String {
    let mut text = script.logic().map_or_else(String::new, |logic| format!("(set-logic {logic})\n"));
    for number in in_scope(script, command) {
        let definition = match script.commands[number].what {
            What::DeclareFun(fun) => model.definition(fun),
            _ => None,
        };
        text += &definition.map_or_else(|| line(script, script.commands[number]), |one| one + "\n");
    }
    text + &format!("(assert {assertion})\n(check-sat)\n")
}

/// A part of a script: the commands up to one of its checks that `keep` wants, and that check, no other.
pub fn part(script: &Script, check: usize, mut keep: impl FnMut(&Command) -> bool) -> Option<String> {
    let asks = script.queries();
    let last = asks.get(check)?.command;
    let mut text = String::new();
    for (i, command) in script.commands[..=last].iter().enumerate() {
        let asks = command.what.is_check() || command.what.is_output();
        if i == last || (!asks && keep(command)) {
            text.push_str(&line(script, *command));
        }
    }
    Some(text)
}

/// A script with what is declared at a check, these assertions, and one check.
pub fn asserting(script: &Script, query: &Query, assertions: &[String]) -> String {
    let mut text = script.logic().map_or_else(String::new, |logic| format!("(set-logic {logic})\n"));
    text.push_str(&declarations(script, query.command, |_, _| true));
    for assertion in assertions {
        text.push_str(&format!("(assert {assertion})\n"));
    }
    text.push_str("(check-sat)\n");
    text
}

fn line(script: &Script, command: Command) -> String {
    script.command_text(command) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::voices::has_nothing_to_search;

    fn written(script: &str, check: usize, model: &str) -> Option<String> {
        let script = smt::read(script.as_bytes()).expect("well-sorted");
        let command = script.queries()[check].command;
        let model = Model::read(&script, Some(command), model.as_bytes()).expect("a model");
        Some(pinned(&script, check, &model)?.trim().replace('\n', " "))
    }

    #[test]
    fn models_become_definitions() {
        let script = "(declare-const x Int)(declare-fun f (Int) Int)(assert (= (f x) 2))(check-sat)";
        let model = "((define-fun x () Int (- 7)) (define-fun f ((a Int)) Int (ite (= a 3) 2 0)))";
        let expected = "(define-fun x () Int (- 7)) (define-fun f ((a Int)) Int (ite (= a 3) 2 0)) \
                        (assert (= (f x) 2)) (check-sat)";
        assert_eq!(written(script, 0, model).as_deref(), Some(expected));
        // What the model does not say stays free.
        let part = "(declare-fun f (Int) Int)";
        assert!(written(script, 0, "((define-fun x () Int 1))").is_some_and(|t| t.contains(part)));
        assert_eq!(written(script, 0, "()"), None);
    }

    #[test]
    fn constructors_say_their_sort() {
        let script = "(declare-datatypes ((T 1)) ((par (x) ((data (s x)) (map (m (Array Int (T Int))))))))\
                      (declare-const a (T Int))(assert ((_ is map) a))(check-sat)";
        let text =
            written(script, 0, "((define-fun a () (T Int) (map ((as const (Array Int (T Int))) (data 2)))))");
        assert!(text.is_some_and(|t| t.contains("((as map (T Int)) ")), "z3 reads it no other way");
    }

    #[test]
    fn only_the_check_in_question_is_asked() {
        let script = "(declare-const p Bool)(check-sat)(push 1)(assert p)(check-sat)(pop 1)(check-sat)";
        let pinned = written(script, 1, "((define-fun p () Bool true))");
        assert_eq!(pinned.as_deref(), Some("(define-fun p () Bool true) (push 1) (assert p) (check-sat)"));
    }

    #[test]
    fn elements_are_enumerated() {
        let script = "(declare-sort U 0)(declare-const a U)(declare-const n Int)(assert (= n 1))(check-sat)";
        let model = "((define-fun a () U (as @U_0 U)) (define-fun n () Int 1))";
        let text = written(script, 0, model).expect("both can be said");
        assert!(text.contains("(declare-datatypes ((U 0))") && !text.contains("declare-const"), "{text}");
        assert!(has_nothing_to_search(&text));
    }

    #[test]
    fn what_no_script_can_say_stays_declared() {
        let script = "(declare-sort U 0)(declare-const a U)(declare-const n Int)
                      (assert (exists ((x U)) (distinct x a)))(assert (= n 1))(check-sat)";
        // The universe is not said to be whole.
        let model = "((define-fun a () U (as @U_0 U)) (define-fun n () Int 1))";
        let text = written(script, 0, model).expect("n can be said");
        assert!(text.contains("(declare-const a U)") && text.contains("(define-fun n () Int 1)"), "{text}");
    }
}
