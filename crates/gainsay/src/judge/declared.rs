//! Declarations: what a script has declared and defined when it reaches a command, as text.

use smt::scope::Scoped;
use smt::{Script, What};

/// A logic that has all theories, and in which the numerals of a script mean what they mean in it.
pub(super) fn header(script: &Script) -> String {
    match script.logic() {
        Some(logic) if smt::read::is_real_only(logic) => format!("(set-logic {logic})\n"),
        Some(logic) if logic.starts_with("HO_") => "(set-logic HO_ALL)\n".to_owned(),
        _ => "(set-logic ALL)\n".to_owned(),
    }
}

/// The commands before a command that declare or define something, as far as it has not forgotten them by then.
pub(super) fn in_scope(script: &Script, before: usize) -> Vec<usize> {
    let mut kept = Scoped::default();
    for (i, &command) in script.commands[..before.min(script.commands.len())].iter().enumerate() {
        match command.what {
            What::DeclareSort(_)
            | What::DefineSort(_)
            | What::DeclareDatatypes(..)
            | What::DeclareFun(_)
            | What::DefineFun(_)
            | What::DefineFunsRec(..) => kept.add(i),
            what => drop(kept.follow(what)),
        }
    }
    kept.into_items()
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
