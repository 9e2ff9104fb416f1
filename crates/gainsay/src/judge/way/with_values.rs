//! Values for all symbols: whoever says sat to an assertion with values written in is wrong if it is false with them.
//!
//! A solver that says sat without a model, or with a model that says too little, can be heard on single assignments. Such a
//! question has nothing left to search, so that another solver decides it at once, however hard the formula is.

use smt::value::{IBig, RBig, Value, standard, write};
use smt::{Fuel, Sort, SortId, Verdict, What};

use super::{Came, Dispute, Reviewed};
use crate::case::{Answer, in_scope};
use crate::judge::attempt::Attempt;
use crate::judge::complaint::Complaint;
use crate::judge::declared::{declarations, header};
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, KnownUnsat};
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::{Trial, answer_of};
use crate::judge::voices::{Question, ask_others, has_nothing_to_search};

/// How many values of a sort are used.
const VALUES: usize = 3;

/// Asks everybody who says sat the formula with values for all its symbols.
pub fn try_assignments(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let (mut complaints, mut asked) = (Vec::new(), 0);
    for &accused in &dispute.sat {
        match with_values(dispute.trial, (accused, dispute.check), questions) {
            Reviewed::Asking => return Came::Asking,
            Reviewed::Complaint(complaint) => complaints.push(*complaint),
            Reviewed::Defended => asked += dispute.trial.budget.pins,
        }
    }
    if complaints.is_empty() {
        Came::Nothing(vec![Evidence::Tried { attempt: Attempt::WithValues { asked } }])
    } else {
        Came::Complaints(complaints)
    }
}

/// Asks one who says sat to a check the check with values for all its symbols. There is a complaint only if it is accused.
pub fn with_values(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    questions: &mut Questions<'_>,
) -> Reviewed {
    for number in 0..trial.budget.pins {
        let Some(assignment) = Assignment::of(trial, check, number) else { continue };
        let Some(run) = questions.ask(Probe::new(accused, assignment.script.clone())) else {
            return Reviewed::Asking;
        };
        if answer_of(run) != Some(Answer::Sat) {
            continue;
        }
        let question = Question { script: &assignment.script, wanted: Answer::Unsat, giver: None };
        let Some(said) = ask_others(trial, accused, &question, questions) else {
            return Reviewed::Asking;
        };
        let Some(voice) = said.voice.filter(|_| said.denied.is_none()) else { continue };
        let by = trial.solver(accused).name.clone();
        let Assignment { values, script, assertion } = assignment;
        let mut evidence = vec![
            Evidence::FalseWith { check, values, assertion },
            Evidence::Pinned { by, script, answer: Some(Answer::Sat) },
        ];
        evidence.extend(said.evidence);
        let fault = Fault::WrongSat { known: KnownUnsat::WithValues, voice };
        return Reviewed::complaint(Complaint {
            fault,
            against: Some(accused),
            check: Some(check),
            evidence,
        });
    }
    Reviewed::Defended
}

/// Values for all symbols of a check with which an assertion is false.
struct Assignment {
    /// The values as a model.
    values: String,
    /// A script with the values written in that asserts what is false and nothing else. It has nothing left to search.
    script: String,
    /// The assertion that is false.
    assertion: String,
}

impl Assignment {
    /// The assignment of that number; none if a symbol has no plain value, or no assertion is false with nothing left to search.
    fn of(trial: &Trial<'_>, check: usize, number: usize) -> Option<Assignment> {
        let script = &trial.case.script;
        let (query, pool) = (trial.queries().get(check)?, &script.pool);
        let mut definitions = Vec::new();
        for command in in_scope(script, query.command) {
            let What::DeclareFun(fun) = script.commands[command].what else { continue };
            let fun = pool.fun(fun);
            let variable = |(i, sort): (usize, &SortId)| format!("(x!{i} {})", smt::sort_text(pool, *sort));
            let variables: Vec<String> = fun.args.iter().enumerate().map(variable).collect();
            // Symbols of one sort have different values, so that equations between them fail.
            let value = value(pool, fun.result, (number + definitions.len()) % VALUES)?;
            let value = write(pool, fun.result, &value).ok()?;
            let (name, sort) = (pool.text(fun.spelling), smt::sort_text(pool, fun.result));
            definitions.push(format!("(define-fun {name} ({}) {sort} {value})", variables.join(" ")));
        }
        let values = format!("({})", definitions.join("\n "));
        let model = smt::Model::read(script, Some(query.command), values.as_bytes()).ok()?;
        let is_sort =
            |what| matches!(what, What::DeclareSort(_) | What::DefineSort(_) | What::DeclareDatatypes(..));
        let before = header(script) + &declarations(script, query.command, |_, what| is_sort(what));
        let after = declarations(script, query.command, |_, what| {
            !is_sort(what) && !matches!(what, What::DeclareFun(_))
        });
        let verdicts = smt::verdicts(query, &model, &Fuel::default());
        let wrong = verdicts.iter().zip(&query.assertions).filter(|(verdict, _)| **verdict == Verdict::False);
        wrong.map(|(_, &term)| smt::write_term(pool, term)).find_map(|assertion| {
            let defined = definitions.join("\n");
            let script = format!("{before}{defined}\n{after}(assert {assertion})\n(check-sat)\n");
            let values = values.clone();
            has_nothing_to_search(&script).then_some(Assignment { values, script, assertion })
        })
    }
}

/// The value that a symbol of a sort has in the assignment of a number: nothing, one, two.
fn value(pool: &smt::Pool, sort: SortId, number: usize) -> Option<Value> {
    Some(match pool.sort(sort) {
        Sort::Bool => Value::Bool(number % 2 == 1),
        Sort::Int => Value::Int(IBig::from(number)),
        Sort::Real => Value::Real(RBig::from(IBig::from(number))),
        Sort::String => Value::Text(vec![u32::from(b'a'); number].into()),
        _ => standard(pool, sort)?,
    })
}
