//! Oracle `rejection`: a solver refuses what our checker accepts, the table says it reads and the logic allows.

use smt::theory::table;
use smt::{Command, Head, Logic, Pool, Sort, SortId, TermId, What};

use super::Oracle;
use crate::judge::complaint::Complaint;
use crate::judge::language::{reads, speaks};
use crate::judge::probe::{Judgement, Probe, Questions, Step, Told};
use crate::judge::{Abstention, Evidence, Fault, Trial};
use crate::solver::{Outcome, SignKind};

pub(super) struct Rejection;

impl Oracle for Rejection {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let refusing: Vec<_> =
            trial.made().filter(|(_, run)| run.outcome() == Outcome::Rejected).map(|(i, _)| i).collect();
        if refusing.is_empty() {
            return Step::Judge(Judgement::Clean);
        }
        let script = &trial.case.script;
        if !script.opaque.is_empty() {
            return Step::Judge(Judgement::Abstain(Abstention::NotUnderstood));
        }
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        // A logic that does not hold is a reason to refuse, so it is asked for with all logics.
        let free = without_logic(script);
        // What is not asserted is read, too.
        let mut all = Vec::new();
        (0..script.commands.len()).for_each(|command| script.each_term(command, |term| all.push(term)));
        let not_standard = not_standard(&script.pool, &all).or_else(|| odd_declaration(script));
        for i in refusing {
            let solver = trial.solver(i);
            let known = |op| reads(solver, table().op(op)).is_some();
            if !table().ids().next().is_some_and(known) {
                abstained = Some(Abstention::NotInTable { of: solver.name.clone() });
                continue;
            }
            if let Err(why) = speaks(solver, &script.pool, &all) {
                abstained = Some(Abstention::Foreign { to: solver.name.clone(), why });
                continue;
            }
            if let Some(term) = &not_standard {
                abstained = Some(Abstention::NotStandard { term: term.clone() });
                continue;
            }
            let Some(run) = questions.ask(Probe::new(i, free.clone())) else { continue };
            let own_words = run.signs.iter().any(|s| s.kind == SignKind::Rejected);
            let Some(error) = run.reply.errors.first().filter(|_| run.outcome() == Outcome::Rejected) else {
                continue;
            };
            if own_words {
                abstained = Some(Abstention::SaysUnsupported { of: solver.name.clone() });
                continue;
            }
            complaints.push(Complaint {
                fault: Fault::Refused { message: error.clone() },
                against: Some(i),
                check: None,
                evidence: vec![Evidence::Printed { by: solver.name.clone(), text: error.clone() }],
            });
        }
        questions.or_judge(complaints, abstained)
    }
}

/// A part that a solver may refuse though it knows the operator: an extension, an old or other spelling of an operator, a
/// sort that the standard does not have, fewer arguments than it asks for.
fn not_standard(pool: &Pool, roots: &[TermId]) -> Option<String> {
    let mut found = None;
    crate::judge::language::heads(pool, roots, |term| {
        let odd = match pool.node(term).head {
            Head::Op(op, _) => {
                let row = table().op(op);
                let spelling = pool.text(pool.node(term).name);
                let plain = spelling == row.name || spelling.contains(&format!(" {} ", row.name));
                !row.standard || !plain || pool.args(term).len() < row.args.len()
            }
            Head::Lambda(_)
            | Head::Choice(_)
            | Head::Comprehension(_)
            | Head::Apply
            | Head::Annotated(_)
            | Head::Opaque => true,
            _ => false,
        };
        if odd || is_odd(pool, pool.sort_of(term)) {
            found = Some(smt::write_term(pool, term).chars().take(40).collect());
        }
    });
    found
}

/// A symbol that is declared with a sort that the standard does not have, or as the order of subterms of a datatype.
fn odd_declaration(script: &smt::Script) -> Option<String> {
    let pool = &script.pool;
    let mut found = None;
    for command in 0..script.commands.len() {
        if let What::DeclareDatatypes(first, count) = script.commands[command].what {
            let orders = pool
                .sort_decls_from(first, count)
                .filter_map(|decl| pool.sort_decl(decl).datatype.as_ref()?.order);
            found = found.or_else(|| orders.map(|order| pool.text(pool.fun(order).name).to_owned()).next());
        }
        script.each_function(command, |fun| {
            let fun = pool.fun(fun);
            if fun.args.iter().chain([&fun.result]).any(|&sort| is_odd(pool, sort)) {
                found = Some(pool.text(fun.name).to_owned());
            }
        });
    }
    found
}

/// Whether the standard does not have a sort, or one that it is made from.
fn is_odd(pool: &Pool, sort: SortId) -> bool {
    let mut left = vec![sort];
    while let Some(sort) = left.pop() {
        match pool.sort(sort) {
            Sort::Unknown
            | Sort::Char
            | Sort::Tuple(_)
            | Sort::Function(_)
            | Sort::FiniteField(_)
            | Sort::Opaque(_) => return true,
            Sort::Array(index, element) => left.extend([index, element]),
            Sort::Declared(decl, list) => {
                if pool.sort_decl(decl).datatype.as_ref().is_some_and(|datatype| datatype.co) {
                    return true;
                }
                left.extend_from_slice(pool.sort_list(list));
            }
            other if other.element().is_some() => return true,
            _ => {}
        }
    }
    false
}

/// The script with all logics, higher order if it needs that, in the forms of the standard: some solvers take more, such as `(Int)`
/// for a sort.
fn without_logic(script: &smt::Script) -> String {
    let higher = Logic::of(script).higher_order;
    let mut text = format!("(set-logic {})\n", if higher { "HO_ALL" } else { "ALL" });
    for &command in script.commands.iter().filter(|c| !matches!(c.what, What::SetLogic(_))) {
        text.push_str(&script.command_text(Command { span: None, ..command }));
        text.push('\n');
    }
    text
}
