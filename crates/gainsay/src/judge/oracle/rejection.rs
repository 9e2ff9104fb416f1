//! Oracle `rejection`: a solver refuses what our checker accepts, the table says it reads and the logic allows.

use smt::theory::table;
use smt::{Head, Logic, Pool, Sort, TermId, What};

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
        for i in refusing {
            let solver = trial.solver(i);
            let known = |op| reads(solver, table().op(op)).is_some();
            if !table().ids().next().is_some_and(known) {
                abstained = Some(Abstention::NotInTable { of: solver.name.clone() });
                continue;
            }
            let all: Vec<_> = trial.queries().iter().flat_map(|ask| ask.assertions.iter().copied()).collect();
            if let Err(why) = speaks(solver, &script.pool, &all) {
                abstained = Some(Abstention::Foreign { to: solver.name.clone(), why });
                continue;
            }
            if let Some(term) = not_standard(&script.pool, &all) {
                abstained = Some(Abstention::NotStandard { term });
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
        let sort = pool.sort(pool.sort_of(term));
        let odd_sort = matches!(
            sort,
            Sort::Unknown
                | Sort::Char
                | Sort::Tuple(_)
                | Sort::Function(_)
                | Sort::FiniteField(_)
                | Sort::Opaque(_)
        ) || sort.element().is_some();
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
        if odd || odd_sort {
            found = Some(smt::write_term(pool, term).chars().take(40).collect());
        }
    });
    found
}

/// The script with all logics, higher order if it needs that.
fn without_logic(script: &smt::Script) -> String {
    let higher = Logic::of(script).higher_order;
    let mut text = format!("(set-logic {})\n", if higher { "HO_ALL" } else { "ALL" });
    for &command in script.commands.iter().filter(|c| !matches!(c.what, What::SetLogic(_))) {
        text.push_str(&script.command_text(command));
        text.push('\n');
    }
    text
}
