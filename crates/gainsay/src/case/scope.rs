//! What is declared at a check of a script.

use smt::scope::Scoped;
use smt::{Script, What};

/// The commands before a command that declare or define something, as far as it has not been forgotten by then.
///
/// `pop` and `reset-assertions` forget what is declared since the `push`, unless `:global-declarations` is set.
pub fn in_scope(script: &Script, before: usize) -> Vec<usize> {
    let mut kept = Scoped::default();
    let mut global = false;
    for (i, &command) in script.commands[..before.min(script.commands.len())].iter().enumerate() {
        match command.what {
            What::DeclareSort(_)
            | What::DefineSort(_)
            | What::DeclareDatatypes(..)
            | What::DeclareFun(_)
            | What::DefineFun(_)
            | What::DefineFunsRec(..)
            | What::Declare(..) => kept.add(i),
            What::SetOption(key, value) if script.pool.text(key) == ":global-declarations" => {
                global = script.pool.text(value) == "true";
            }
            What::Pop(count) if global => kept.merge(count),
            What::ResetAssertions if global => kept.merge(u32::MAX),
            what => {
                if what == What::Reset {
                    global = false;
                }
                drop(kept.follow(what));
            }
        }
    }
    kept.into_items()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_at_the_last_check() {
        let global = "(set-option :global-declarations true)";
        let rows = [
            ("(declare-const a Int)(push 1)(declare-const b Int)(check-sat)", "a b"),
            ("(declare-const a Int)(push 1)(declare-const b Int)(pop 1)(check-sat)", "a"),
            ("(declare-const a Int)(reset-assertions)(declare-const b Int)(check-sat)", "b"),
            ("(push 2)(declare-const a Int)(pop 1)(declare-const b Int)(check-sat)", "b"),
            (&format!("{global}(push 1)(declare-const a Int)(pop 1)(declare-const b Int)(check-sat)"), "a b"),
            (&format!("{global}(push 1)(declare-const a Int)(reset-assertions)(check-sat)"), "a"),
            (&format!("{global}(push 1)(declare-const a Int)(reset)(push 1)(pop 1)(check-sat)"), ""),
        ];
        for (text, expected) in rows {
            let script = smt::read(text.as_bytes()).expect(text);
            let last = script.queries().pop().expect("a check").command;
            let mut names = Vec::new();
            for i in in_scope(&script, last) {
                script.each_function(i, |fun| names.push(script.pool.text(script.pool.fun(fun).name)));
            }
            assert_eq!(names.join(" "), expected, "{text}");
        }
    }
}
