//! Oracle `rewriting`: what `simplify` makes of a term has the same value everywhere, and the goals of a tactic mean what the
//! tactic promises. Both are evaluated at drawn points.

use smt::command::Prints;
use smt::sexpr::parts;
use smt::value::Value;
use smt::{Fuel, Model, Points, Script, TermId, What, Work};

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::outputs::{GivenOutput, judge_each};
use crate::judge::pinned::at_point;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::voices::{Question, ask_all};
use crate::judge::way::Reviewed;
use crate::judge::{Evidence, Fault, Rewriter, Suspicion, Trial};
use crate::solver::Promise;

pub(super) struct Rewriting;

impl Oracle for Rewriting {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        judge_each(trial, told, |accused, questions| {
            let outputs = trial.outputs(accused);
            let rewrites =
                |output: &&GivenOutput<'_>| matches!(output.row.prints, Prints::Term | Prints::Goals);
            let mut rewrites = outputs.iter().filter(rewrites).peekable();
            rewrites.peek()?;
            // What was printed is read first, so that the terms of all can share one model.
            let mut script = trial.case.script.clone();
            let read = |output| Some((output, Rewritten::of(trial, accused, &mut script, output)?));
            let all: Vec<(&GivenOutput<'_>, Rewritten)> = rewrites.filter_map(read).collect();
            let nothing = Model::empty(&script);
            for (output, rewritten) in &all {
                let terms = [rewritten.from, rewritten.into];
                if speaks(trial.solver(accused), &script.pool, &terms).is_err() {
                    continue;
                }
                let Some(point) = rewritten.differs(&nothing) else { continue };
                return Some(accuse(trial, (accused, output), &script, (rewritten, point), questions));
            }
            None
        })
    }
}

/// What a solver made of something.
struct Rewritten {
    by: Rewriter,
    from: TermId,
    into: TermId,
    relation: Promise,
    is_false: bool,
}

impl Rewritten {
    /// What an output says; none if it cannot be read, or is the term itself.
    fn of(
        trial: &Trial<'_>,
        accused: usize,
        script: &mut Script,
        output: &GivenOutput<'_>,
    ) -> Option<Rewritten> {
        match output.what {
            What::Query(_, from, _) => {
                if smt::write_term(&script.pool, from) == output.text {
                    return None;
                }
                let into = smt::read::term_at(script, output.command, &[], output.text.as_bytes()).ok()?;
                if script.pool.sort_of(into) != script.pool.sort_of(from) {
                    return None;
                }
                let relation = Promise::Equivalent;
                Some(Rewritten { by: Rewriter::Simplify, from, into, relation, is_false: false })
            }
            What::Apply(tactic) => {
                let tactic = script.pool.text(tactic).to_owned();
                let promise = trial.solver(accused).promise(&tactic)?;
                let (goals, precision) = goals(output.text)?;
                let relation = promise.with_precision(&precision)?;
                let query = script.scope_at(output.command);
                if query.opaque || !query.recursive.is_empty() {
                    return None;
                }
                let texts: Vec<String> =
                    query.assertions.iter().map(|&term| smt::write_term(&script.pool, term)).collect();
                let mut read =
                    |text: &str| smt::read::term_at(script, output.command, &[], text.as_bytes()).ok();
                let (from, into) = (read(&joined("and", "true", &texts))?, read(&goals)?);
                let is_false = goals == "false";
                Some(Rewritten { by: Rewriter::Tactic(tactic), from, into, relation, is_false })
            }
            _ => None,
        }
    }

    /// A point at which the promise does not hold, with the values of both. It is found with a program for both terms, and counts
    /// only if the evaluator finds the same values for each term alone.
    fn differs(&self, nothing: &Model) -> Option<Differing> {
        let pair = [self.from, self.into];
        let points = Points::of(nothing, &pair)?;
        let number = points.first_difference(pair, Work::default(), |one, two| self.breaks(one, two))?;
        let model = points.at(number);
        let value = |term| smt::eval(term, &model, &mut Fuel::default()).ok();
        let (one, two) = (value(self.from)?, value(self.into)?);
        if model.same(&one, &two) != Ok(false) || !self.breaks(&one, &two) {
            return None;
        }
        let sort = model.pool().sort_of(self.from);
        let written = |value| smt::value::write(model.pool(), sort, value).unwrap_or_default();
        let values = [written(&one), written(&two)];
        Some(Differing { model, values })
    }

    /// Whether two different values of both sides break the promise.
    fn breaks(&self, one: &Value, two: &Value) -> bool {
        match self.relation {
            Promise::Equivalent => true,
            Promise::Weaker => *one == Value::Bool(true),
            Promise::Stronger => *two == Value::Bool(true),
            Promise::Equisatisfiable => self.is_false && *one == Value::Bool(true),
        }
    }

    /// What must be unsatisfiable if the promise holds.
    fn negated(&self, script: &Script) -> String {
        let [from, into] = [self.from, self.into].map(|term| smt::write_term(&script.pool, term));
        match self.relation {
            Promise::Equivalent => format!("(distinct {from} {into})"),
            Promise::Weaker | Promise::Equisatisfiable => format!("(and {from} (not {into}))"),
            Promise::Stronger => format!("(and {into} (not {from}))"),
        }
    }
}

/// A point at which a promise does not hold.
struct Differing {
    model: Model,
    values: [String; 2],
}

/// What comes of a point at which a promise does not hold. The accused, or another solver, must say that the two sides differ
/// there.
fn accuse(
    trial: &Trial<'_>,
    (accused, output): (usize, &GivenOutput<'_>),
    script: &Script,
    (rewritten, point): (&Rewritten, Differing),
    questions: &mut Questions<'_>,
) -> Reviewed {
    let question = at_point(script, output.command, &point.model, &rewritten.negated(script));
    let [term, into] = [rewritten.from, rewritten.into].map(|term| smt::write_term(&script.pool, term));
    let rewriter = rewritten.by.clone();
    let (defined, values) = (point.model.definitions().join("\n"), point.values);
    let mut evidence = vec![Evidence::Differ { rewriter, term, into, point: defined, values }];
    let question = Question { script: &question, wanted: Answer::Sat, giver: None };
    let Some(said) = ask_all(trial, accused, &question, questions) else {
        return Reviewed::Asking;
    };
    if said.denied.is_some() {
        return Reviewed::Defended;
    }
    evidence.extend(said.evidence);
    let (fault, against) = match said.voice {
        Some(voice) => (Fault::WrongRewriting { by: rewritten.by.clone(), voice }, Some(accused)),
        None => {
            let suspect = trial.solver(accused).name.clone();
            (Fault::Unconfirmed { suspect, of: Suspicion::WrongRewriting }, None)
        }
    };
    Reviewed::complaint(Complaint { fault, against, check: output.check, evidence })
}

/// The goals that a tactic prints as one formula, and how precise they are.
fn goals(text: &str) -> Option<(String, String)> {
    let all = parts(text);
    let (&first, all) = all.split_first()?;
    if first != "goals" {
        return None;
    }
    let (mut members, mut precision) = (Vec::new(), "precise".to_owned());
    for goal in all {
        let inside = parts(goal);
        let (&head, inside) = inside.split_first()?;
        let end = inside.iter().position(|part| part.starts_with(':')).unwrap_or(inside.len());
        if head != "goal" {
            return None;
        }
        if let Some(at) = inside.iter().position(|part| *part == ":precision") {
            let told = *inside.get(at + 1)?;
            if told != "precise" {
                told.clone_into(&mut precision);
            }
        }
        let formulas: Vec<String> = inside[..end].iter().map(|&one| one.to_owned()).collect();
        members.push(joined("and", "true", &formulas));
    }
    Some((joined("or", "false", &members), precision))
}

/// Some formulas as one.
fn joined(word: &str, empty: &str, all: &[String]) -> String {
    match all {
        [] => empty.to_owned(),
        [one] => one.clone(),
        _ => format!("({word} {})", all.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::goals;

    #[test]
    fn goals_are_read_as_one_formula() {
        let rows = [
            (
                "(goals\n(goal\n  p\n  (< x 1)\n  :precision precise :depth 1)\n)",
                Some(("(and p (< x 1))", "precise")),
            ),
            (
                "(goals (goal p :precision over :depth 2) (goal :precision precise :depth 1))",
                Some(("(or p true)", "over")),
            ),
            ("(goals (goal false :precision precise :depth 0))", Some(("false", "precise"))),
            ("(goals)", Some(("false", "precise"))),
            ("(goal p)", None),
            ("p", None),
        ];
        for (text, expected) in rows {
            let expected = expected.map(|(goals, precision)| (goals.to_owned(), precision.to_owned()));
            assert_eq!(goals(text), expected, "{text}");
        }
    }
}
