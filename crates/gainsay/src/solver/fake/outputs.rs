//! What the honest solver prints besides answers, models and cores: values, assignments, assumptions, terms, goals, statistics.

use smt::sexpr::parts;
use smt::value::{BitVec, IBig, Value};
use smt::{Fuel, FunKind, Head, Script, Sort, SortId, TermId, What, eval, write_term};

use super::brute::Decision;
use super::honest::{Honest, error};
use super::plan::Fault;
use crate::case::Answer;

impl Honest {
    /// The values of terms under the model of the last check.
    pub(super) fn values(&mut self, command: &str) -> String {
        self.asked_values = true;
        let (pairs, errors) = self.pairs(command);
        match pairs {
            Some(pairs) => {
                let pairs: Vec<String> =
                    pairs.into_iter().map(|(term, value)| format!("({term} {value})")).collect();
                format!("{errors}({})\n", pairs.join("\n "))
            }
            None if errors.is_empty() => error("model is not available"),
            None => errors,
        }
    }

    /// The value of one term.
    pub(super) fn value(&mut self, command: &str) -> String {
        let term = parts(command).get(1).copied().unwrap_or_default();
        let (pairs, errors) = self.pairs(&format!("(get-value ({term}))"));
        match pairs.and_then(|pairs| pairs.into_iter().next()) {
            Some((_, value)) => format!("{errors}{value}\n"),
            None => errors + &error("model is not available"),
        }
    }

    /// The terms of a `get-value` with their values, and the errors of what came before.
    fn pairs(&mut self, command: &str) -> (Option<Vec<(String, String)>>, String) {
        let wrong = self.makes(Fault::WrongValue);
        let (script, errors) = self.read_all(command);
        let (Some(script), Some(last)) = (script, self.last.as_mut()) else { return (None, errors) };
        let (Some(What::GetValue(list)), Decision::Sat(choice), Some(search)) =
            (script.commands.last().map(|c| c.what), &last.decision, &mut last.search)
        else {
            return (None, errors);
        };
        let printed = search.print(choice, &[]);
        let Ok(model) = smt::Model::read(&script, None, printed.as_bytes()) else { return (None, errors) };
        let model = model.completed();
        let pair = |(i, &term): (usize, &TermId)| {
            let value = eval(term, &model, &mut Fuel::default());
            let value = value.map(|value| if wrong && i == 0 { other(value) } else { value });
            let text =
                value.and_then(|value| smt::value::write(model.pool(), model.pool().sort_of(term), &value));
            (write_term(&script.pool, term), text.unwrap_or_else(|gap| format!("|{gap}|")))
        };
        (Some(script.pool.terms(list).iter().enumerate().map(pair).collect()), errors)
    }

    /// The truth values of the named assertions after a `sat`: all are true.
    pub(super) fn assignment(&mut self) -> String {
        let wrong = self.makes(Fault::WrongAssignment);
        let Some(last) = self.last.as_ref().filter(|last| last.said == Some(Answer::Sat)) else {
            return error("assignment is not available");
        };
        let is_assertion =
            |i: &usize| matches!(last.script.pool.node(last.ask.assertions[*i]).head, Head::Annotated(_));
        let named = (0..last.names.len()).filter(is_assertion).filter_map(|i| last.names[i].as_deref());
        let pairs: Vec<String> =
            named.enumerate().map(|(i, name)| format!("({name} {})", !(wrong && i == 0))).collect();
        format!("({})\n", pairs.join(" "))
    }

    /// The assumptions of the last check without which it would not be unsatisfiable.
    pub(super) fn assumptions(&mut self) -> String {
        let wrong = self.makes(Fault::WrongAssumptions);
        let Some(last) = self.last.as_mut().filter(|last| last.said == Some(Answer::Unsat)) else {
            return error("unsat assumptions are not available");
        };
        let assumed = match last.script.commands.last().map(|c| c.what) {
            Some(What::CheckSatAssuming(list)) => last.script.pool.terms(list).len(),
            _ => 0,
        };
        let all = last.names.len();
        let assumptions: Vec<usize> = (all - assumed..all).collect();
        last.needed(&assumptions, (wrong, false))
    }

    /// A proof that nobody can check.
    pub(super) fn proof(&mut self) -> String {
        match self.last.as_ref().is_some_and(|last| last.said == Some(Answer::Unsat)) {
            true => "(proof)\n".to_owned(),
            false => error("proof is not available"),
        }
    }

    /// A term that has the same value as another.
    pub(super) fn simplified(&mut self, command: &str) -> String {
        let wrong = self.makes(Fault::WrongRewriter);
        let (script, errors) = self.read_all(command);
        let Some(script) = script else { return errors };
        match script.commands.last().map(|c| c.what) {
            Some(What::Query(_, term, _)) => format!("{errors}{}\n", rewritten(&script, term, wrong)),
            _ => errors + &error("expected a term"),
        }
    }

    /// What is asserted, as one goal.
    pub(super) fn applied(&mut self, command: &str) -> String {
        let wrong = self.makes(Fault::WrongRewriter);
        let (script, errors) = self.read_all(command);
        let Some(script) = script else { return errors };
        let asserted = script.scope_at(script.commands.len() - 1).assertions;
        let formulas: Vec<String> = asserted.iter().map(|&term| rewritten(&script, term, wrong)).collect();
        format!("{errors}(goals\n(goal\n  {}\n  :precision precise :depth 1)\n)\n", formulas.join("\n  "))
    }

    /// Information about the solver and the last check.
    pub(super) fn information(&mut self, command: &str) -> String {
        let errors = self.settle();
        let reason = match self.last.as_ref().map(|last| &last.decision) {
            Some(Decision::Open(why)) => why.replace('"', "'"),
            _ => "incomplete".to_owned(),
        };
        errors
            + &match parts(command).get(1).copied() {
                Some(":reason-unknown") => format!("(:reason-unknown \"{reason}\")\n"),
                Some(":all-statistics") if self.makes(Fault::WrongStatistics) => "checks 1\n".to_owned(),
                Some(":all-statistics") => "(:checks 1\n :time 0.01)\n".to_owned(),
                Some(":name") => "(:name \"fake\")\n".to_owned(),
                Some(":version") => format!("(:version \"{}\")\n", env!("CARGO_PKG_VERSION")),
                Some(":error-behavior") => "(:error-behavior continued-execution)\n".to_owned(),
                _ => "unsupported\n".to_owned(),
            }
    }
}

/// Another value of the same sort, where there is an easy one.
fn other(value: Value) -> Value {
    match value {
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Int(number) => Value::Int(number + IBig::ONE),
        Value::BitVec(bits) => Value::BitVec(BitVec::wrap(bits.width(), &(bits.signed() + IBig::ONE))),
        other => other,
    }
}

/// A term of the same value. If it is to be wrong, it has another value where a constant of the term is zero.
fn rewritten(script: &Script, term: TermId, wrong: bool) -> String {
    let pool = &script.pool;
    let text = write_term(pool, term);
    let contrary = match pool.sort(pool.sort_of(term)) {
        Sort::Bool => format!("(not {text})"),
        Sort::BitVec(_) => format!("(bvnot {text})"),
        _ => text.clone(),
    };
    let mut left = vec![term];
    while let Some(inner) = left.pop().filter(|_| wrong) {
        if let Head::Fun(fun) = pool.node(inner).head
            && pool.fun(fun).kind == FunKind::Declared
            && pool.args(inner).is_empty()
        {
            let name = write_term(pool, inner);
            match (pool.sort(pool.sort_of(inner)), pool.sort_of(inner)) {
                (Sort::BitVec(width), _) => {
                    let zero = "0".repeat(width as usize);
                    return format!("(ite (= {name} #b{zero}) {contrary} {text})");
                }
                (_, SortId::BOOL) => return format!("(ite {name} {text} {contrary})"),
                _ => {}
            }
        }
        left.extend_from_slice(pool.args(inner));
    }
    format!("(ite true {text} {text})")
}
