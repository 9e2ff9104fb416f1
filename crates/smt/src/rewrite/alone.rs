//! What is in scope at one check, as a script of its own.

use crate::scope::Scoped;
use crate::script::{Command, Script, What};
use crate::term::FunKind;

/// The script with one check that asks what this check of the script asks: the logic, the options, the declarations and
/// the assertions in scope, and its assumptions as assertions. None if there is no such check, or if something before
/// it is not understood.
pub fn alone(script: &Script, check: usize) -> Option<Script> {
    let query = script.queries().into_iter().nth(check)?;
    if query.opaque {
        return None;
    }
    let pool = &script.pool;
    let InScope { head, names, asserted, global } = in_scope(script, query.command);
    // A name given by `:named` may be in scope although its assertion is not.
    let named = |fun| matches!(pool.fun(fun).kind, FunKind::Named(_));
    if global && pool.functions().any(named) {
        return None;
    }
    // Declarations come first, so that an assertion can mention all of them. A definition that uses a name given by an
    // assertion cannot come before it.
    let mut early = false;
    for &i in names.items() {
        script.each_term(i, |body| early |= super::assertion::named(pool, body).is_some());
    }
    if early {
        return None;
    }
    let kept = [names.items(), asserted.items()].concat();
    let mut alone = script.clone();
    alone.commands = head.iter().chain(&kept).map(|&i| script.commands[i]).collect();
    if let What::CheckSatAssuming(list) = script.commands[query.command].what {
        let assumed = pool.terms(list).iter();
        alone.commands.extend(assumed.map(|&term| Command { what: What::Assert(term), span: None }));
    }
    alone.push(What::CheckSat);
    Some(alone)
}

/// The numbers of the commands that are in scope at a command of a script.
#[derive(Default)]
struct InScope {
    /// The logic and the options.
    head: Vec<usize>,
    /// Declarations and definitions.
    names: Scoped<usize>,
    asserted: Scoped<usize>,
    /// Whether declarations outlive the levels they are made in.
    global: bool,
}

fn in_scope(script: &Script, command: usize) -> InScope {
    let pool = &script.pool;
    let mut scope = InScope::default();
    for (i, command) in script.commands[..command].iter().enumerate() {
        match command.what {
            What::SetOption(key, value) => {
                if pool.text(key) == ":global-declarations" {
                    scope.global = pool.text(value) == "true";
                }
                scope.head.push(i);
            }
            What::SetLogic(_) => scope.head.push(i),
            What::DeclareSort(_)
            | What::DefineSort(_)
            | What::DeclareDatatypes(..)
            | What::DeclareFun(_)
            | What::DefineFun(_)
            | What::DefineFunsRec(..) => scope.names.add(i),
            What::Assert(_) => scope.asserted.add(i),
            What::Pop(count) if scope.global => {
                scope.names.merge(count);
                scope.asserted.follow(command.what);
            }
            What::ResetAssertions if scope.global => {
                scope.names.merge(u32::MAX);
                scope.asserted.follow(command.what);
            }
            What::Reset => scope = InScope::default(),
            what => {
                scope.names.follow(what);
                scope.asserted.follow(what);
            }
        }
    }
    scope
}
