//! Declarations: what a script has declared and defined when it reaches a command, as text.

use smt::{Script, What};

use crate::case::in_scope;

/// A logic that has all theories, and in which the numerals of a script mean what they mean in it.
pub(super) fn header(script: &Script) -> String {
    match script.logic() {
        Some(logic) if smt::read::is_real_only(logic) => format!("(set-logic {logic})\n"),
        Some(logic) if logic.starts_with("HO_") => "(set-logic HO_ALL)\n".to_owned(),
        _ => "(set-logic ALL)\n".to_owned(),
    }
}

/// The text of the commands before a command that declare or define something and that `keep` keeps.
pub(super) fn declarations(script: &Script, before: usize, keep: impl Fn(usize, What) -> bool) -> String {
    let kept = in_scope(script, before).into_iter().filter(|&i| keep(i, script.commands[i].what));
    kept.map(|i| text_of(script, i) + "\n").collect()
}

/// The text of a command.
pub(super) fn text_of(script: &Script, command: usize) -> String {
    script.command_text(script.commands[command])
}
