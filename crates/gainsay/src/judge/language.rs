//! Whose language a formula is in: true convicts only in the accused's own language.

use rustc_hash::FxHashSet;
use smt::theory::{DESCRIBED, Departure, Op, OpId, Theory, table};
use smt::value::literal::Escapes;
use smt::{FunKind, Head, Literal, Pool, Script, SortId, TermId};

use super::doubt::Foreign;
use crate::solver::{Flag, Release, Solver};

/// Whether a solver reads an operator; none if the table does not describe the solver.
pub fn reads(solver: &Solver, op: &Op) -> Option<bool> {
    // A build without a number is taken for a new one.
    let release = solver.release.as_ref().map(Release::number);
    op.is_read_by(&solver.profile.name, release, &solver.options)
}

/// Every operator and literal below these terms, bodies of functions included.
pub(super) fn heads(pool: &Pool, roots: &[TermId], mut visit: impl FnMut(TermId)) {
    all_below(pool, roots, |term| {
        visit(term);
        true
    });
}

/// Whether nothing below these terms is declared or not understood: then no model has a say in them, but for what the standard
/// leaves to it.
pub(super) fn is_closed(pool: &Pool, roots: &[TermId]) -> bool {
    all_below(pool, roots, |term| match pool.node(term).head {
        Head::Fun(fun) => pool.fun(fun).kind != FunKind::Declared,
        Head::Opaque => false,
        _ => true,
    })
}

/// Whether all terms below these fit; ends with the first that does not.
pub(super) fn all_below(pool: &Pool, roots: &[TermId], mut fits: impl FnMut(TermId) -> bool) -> bool {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut left = roots.to_vec();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if !fits(term) {
            return false;
        }
        if let Head::Fun(fun) = pool.node(term).head
            && let Some((_, body)) = pool.body(fun)
        {
            left.push(body);
        }
        left.extend_from_slice(pool.args(term));
    }
    true
}

/// The names of the operators below these terms, sorted.
pub fn operators(pool: &Pool, roots: &[TermId]) -> Vec<&'static str> {
    operators_that(pool, roots, |_, _| true)
}

/// The names of the operators below these terms that say what they are about, sorted: those that are neither connectives nor
/// equality, and are applied to something that is not a constant; if there are none, those that are applied to constants.
pub fn telling(pool: &Pool, roots: &[TermId]) -> Vec<&'static str> {
    let mut below = Vec::new();
    heads(pool, roots, |term| below.push(term));
    // Arguments are older than what they are arguments of.
    below.sort_unstable();
    let mut ground: FxHashSet<TermId> = FxHashSet::default();
    for term in below {
        let plain = matches!(pool.node(term).head, Head::Op(..) | Head::Literal(_) | Head::Coerce);
        if plain && pool.args(term).iter().all(|arg| ground.contains(arg)) {
            ground.insert(term);
        }
    }
    let says = |op: OpId| table().theory(op) != Theory::Core && !table().op(op).args.is_empty();
    let open = operators_that(pool, roots, |term, op| says(op) && !ground.contains(&term));
    if open.is_empty() { operators_that(pool, roots, |_, op| says(op)) } else { open }
}

/// The same for people, what they would name first before the rest: what computes before what compares, and no constant's own
/// constructor. Connectives only where there is nothing else.
pub fn about(pool: &Pool, roots: &[TermId]) -> Vec<&'static str> {
    let mut names = telling(pool, roots);
    if names.len() > 1 {
        names.retain(|name| *name != "fp");
    }
    if names.is_empty() {
        names = operators(pool, roots);
        names.retain(|name| !matches!(*name, "=" | "not" | "and" | "or" | "true" | "false"));
    }
    let mut comparing: FxHashSet<&str> = FxHashSet::default();
    heads(pool, roots, |term| {
        if let Head::Op(op, _) = pool.node(term).head
            && pool.sort_of(term) == SortId::BOOL
        {
            comparing.insert(table().op(op).name);
        }
    });
    names.sort_by_key(|name| comparing.contains(name));
    names
}

fn operators_that(pool: &Pool, roots: &[TermId], fit: impl Fn(TermId, OpId) -> bool) -> Vec<&'static str> {
    let mut names = Vec::new();
    heads(pool, roots, |term| {
        if let Head::Op(op, _) = pool.node(term).head
            && fit(term, op)
        {
            names.push(table().op(op).name);
        }
    });
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a solver is known to read every operator below these terms; what it is not known about is no hindrance.
pub fn may_read(solver: &Solver, pool: &Pool, roots: &[TermId]) -> bool {
    let mut may = true;
    heads(pool, roots, |term| {
        if let Head::Op(op, _) = pool.node(term).head {
            may &= reads(solver, table().op(op)) != Some(false);
        }
    });
    may
}

/// Whether no sort of what a script declares is one that only another solver reads.
pub fn may_declare(solver: &Solver, script: &Script) -> bool {
    let own = &*solver.profile.name;
    let pool = &script.pool;
    let mut may = true;
    for command in (0..script.commands.len()).filter(|_| DESCRIBED.contains(&own)) {
        script.each_function(command, |fun| {
            let fun = pool.fun(fun);
            let mut sorts = fun.args.iter().chain([&fun.result]);
            may &= sorts.all(|&sort| pool.only_reader(sort).is_none_or(|reader| reader == own));
        });
    }
    may
}

/// The theories of a script's operators, by name, sorted; none if it cannot be read.
pub fn theories(text: &str) -> Vec<String> {
    let Ok(script) = smt::read(text.as_bytes()) else { return Vec::new() };
    let roots: Vec<TermId> = script.queries().into_iter().flat_map(|ask| ask.assertions).collect();
    let mut names: Vec<String> = Vec::new();
    heads(&script.pool, &roots, |term| {
        if let Head::Op(op, _) = script.pool.node(term).head {
            names.push(format!("{:?}", table().theory(op)));
        }
    });
    names.sort_unstable();
    names.dedup();
    if names.len() > 1 {
        names.retain(|name| name != "Core");
    }
    names
}

/// Whether these terms mean to a solver what they mean to us, so that our evaluation may convict it; or why not.
///
/// Standard operators do, and extensions if the solver itself defines them, where its profile knows of no departure.
pub fn speaks(solver: &Solver, pool: &Pool, roots: &[TermId]) -> Result<(), Foreign> {
    let mut foreign: Option<Foreign> = None;
    let old_characters = solver.has(Flag::EightBitCharacters);
    let old_escapes = solver.reads() != Escapes::Standard;
    let old_strings = solver.has(Flag::OldStringNames);
    let fixed_division = solver.has(Flag::FixedDivision);
    let fixed_conversion = solver.has(Flag::FixedConversion);
    heads(pool, roots, |term| {
        if foreign.is_some() {
            return;
        }
        match pool.node(term).head {
            Head::Op(op, _) => {
                let row = table().op(op);
                let read = reads(solver, row);
                let name = || row.name.to_owned();
                if read == Some(false) || (!row.standard && read.is_none()) {
                    foreign = Some(Foreign::Operator { name: name() });
                } else if row.name == "bvxnor" && pool.args(term).len() > 2 && !solver.has(Flag::NaryBvxnor) {
                    foreign = Some(Foreign::ManyArguments { name: name() });
                } else if old_strings && row.departure == Some(Departure::Bounds) {
                    foreign = Some(Foreign::OlderThanStandard { name: name() });
                } else if old_characters && row.departure == Some(Departure::Codes) {
                    foreign = Some(Foreign::EightBitCharacters);
                } else if (fixed_division && row.departure == Some(Departure::Division))
                    || (fixed_conversion && row.departure == Some(Departure::Conversion))
                {
                    foreign = Some(Foreign::FixesWhatIsOpen { name: name() });
                }
            }
            Head::Literal(Literal::String) if old_escapes || old_characters => {
                let text = pool.bytes(pool.node(term).name);
                if text.contains(&b'\\') || !text.is_ascii() {
                    foreign = Some(Foreign::Escapes);
                }
            }
            Head::Opaque => foreign = Some(Foreign::NotUnderstood),
            _ => {}
        }
    });
    if old_characters && foreign.is_none() {
        foreign = counts_characters(pool, roots).then_some(Foreign::EightBitCharacters);
    }
    foreign.map_or(Ok(()), Err)
}

/// Whether these terms depend on how many characters there are: one stands for every character, and one is a complement.
fn counts_characters(pool: &Pool, roots: &[TermId]) -> bool {
    let (mut all, mut complement) = (false, false);
    heads(pool, roots, |term| {
        if let Head::Op(op, _) = pool.node(term).head {
            all |= table().op(op).departure == Some(Departure::Alphabet);
            complement |= table().op(op).departure == Some(Departure::Complement);
        }
    });
    all && complement
}

/// Whether a model's text can be a model in a solver's own language: one with characters that it does not have cannot.
pub fn can_say(solver: &Solver, model: &str) -> bool {
    !(solver.has(Flag::EightBitCharacters) && (model.contains("\\u") || !model.is_ascii()))
}
