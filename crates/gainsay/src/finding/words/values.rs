//! What a model makes of assertions, each in a line that a person can check by hand.

use smt::value::write as write_value;
use smt::{Fuel, Head, Model, Pool, Script, TermId, Verdict};

/// Lines at most.
const LINES: usize = 10;
/// A term or a value with more characters than this is cut.
const LONG: usize = 120;
/// An assertion that holds has the values of its parts beside it if it is no longer than this.
const SMALL: usize = 60;
/// Parts of one assertion at most.
const PARTS: usize = 4;

/// For each assertion in scope at a check what it is under a model, false ones first, and what its parts are. Where the model
/// may be completed, it is. Empty if the model cannot be read.
pub fn values(
    script: &Script,
    check: usize,
    model: &str,
    manner: smt::ModelDialect,
    complete: bool,
) -> Vec<String> {
    let asks = script.queries();
    let Some(ask) = asks.get(check) else { return Vec::new() };
    let Ok(model) = Model::read_in(script, Some(ask.command), model.as_bytes(), manner) else {
        return Vec::new();
    };
    let open = |verdict: &Verdict| matches!(verdict, Verdict::Open(_));
    let mut model = model;
    let mut verdicts = smt::verdicts(ask, &model, &Fuel::default());
    if complete && verdicts.iter().any(open) {
        model = model.completed();
        verdicts = smt::verdicts(ask, &model, &Fuel::default());
    }
    let mut all: Vec<(TermId, Verdict)> = ask.assertions.iter().copied().zip(verdicts).collect();
    all.sort_by_key(|(_, verdict)| *verdict != Verdict::False);
    let mut lines: Vec<String> =
        all.iter().take(LINES).map(|(term, verdict)| line(&script.pool, &model, *term, verdict)).collect();
    let rest = &all[lines.len()..];
    if !rest.is_empty() {
        let held = rest.iter().filter(|(_, verdict)| *verdict == Verdict::True).count();
        lines.push(format!("and {} more, of which {held} are true", rest.len()));
    }
    lines
}

fn line(pool: &Pool, model: &Model, term: TermId, verdict: &Verdict) -> String {
    let term = bare(pool, term);
    let text = smt::write_term(pool, term);
    let small = text.chars().count() <= SMALL;
    let mut line = format!("`{}` is ", cut(&text));
    line += &match verdict {
        Verdict::True => "true".to_owned(),
        Verdict::False => "false".to_owned(),
        Verdict::Open(gap) => format!("open: {gap}"),
    };
    if *verdict != Verdict::True || small {
        let parts = parts(pool, model, term);
        if !parts.is_empty() {
            line += &format!("; {}", parts.join(", "));
        }
    }
    line
}

/// A term without annotations around it.
fn bare(pool: &Pool, mut term: TermId) -> TermId {
    while matches!(pool.node(term).head, Head::Annotated(_)) {
        term = pool.args(term)[0];
    }
    term
}

/// The values of what a relation relates, of those that have some: a literal is its own.
fn parts(pool: &Pool, model: &Model, term: TermId) -> Vec<String> {
    let mut inner = term;
    while let (Head::Op(op, _), &[one]) = (pool.node(inner).head, pool.args(inner))
        && smt::theory::table().op(op).name == "not"
    {
        inner = bare(pool, one);
    }
    // Below a binder terms have no values of their own.
    if !matches!(pool.node(inner).head, Head::Op(..) | Head::Fun(_)) {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    for &arg in pool.args(inner) {
        let arg = bare(pool, arg);
        let is_coerced = pool.node(arg).head == Head::Coerce;
        let below = if is_coerced { pool.args(arg)[0] } else { arg };
        if matches!(pool.node(below).head, Head::Literal(_)) {
            continue;
        }
        let value = match smt::eval(arg, model, &mut Fuel::default()) {
            Ok(value) => match write_value(pool, pool.sort_of(arg), &value) {
                Ok(text) => format!("`{}`", cut(&text)),
                Err(_) => continue,
            },
            Err(gap) => format!("open: {gap}"),
        };
        let text = smt::write_term(pool, arg);
        let line = format!("`{}` is {value}", cut(&text));
        // A value that is written out needs no saying.
        if value != format!("`{text}`") && !all.contains(&line) {
            all.push(line);
        }
    }
    if all.len() > PARTS {
        all.truncate(PARTS);
        all.push("…".to_owned());
    }
    all
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONG {
        return text.to_owned();
    }
    text.chars().take(LONG).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(declared: &str, assertions: &[&str], model: &str) -> Vec<String> {
        let asserted = assertions.join(")(assert ");
        let text = format!("{declared}(assert {asserted})(check-sat)");
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        values(&script, 0, model, smt::ModelDialect::STANDARD, false)
    }

    #[test]
    fn assertions_have_values_and_so_have_their_sides() {
        let declared = "(declare-const a (_ BitVec 4))(declare-const x Int)(declare-const p Bool)";
        let model = "((define-fun a () (_ BitVec 4) #x1) (define-fun x () Int (- 2)))";
        let rows = [
            ("(= (bvmul a #x3) #x9)", "`(= (bvmul a #x3) #x9)` is false; `(bvmul a #x3)` is `#x3`"),
            ("(not (< x 3))", "`(not (< x 3))` is false; `x` is `(- 2)`"),
            ("(! (> 3 x) :named A)", "`(> 3 x)` is true; `x` is `(- 2)`"),
            ("p", "`p` is open: the model does not say what p is"),
            (
                "(= x (div x 0))",
                "`(= x (div x 0))` is open: division by zero is left to the model, which does not say; `x` is `(- 2)`, `(div x 0)` is open: division by zero is left to the model, which does not say",
            ),
            ("(exists ((y Int)) (= y x))", "`(exists ((y Int)) (= y x))` is "),
        ];
        for (assertion, expected) in rows {
            let lines = told(declared, &[assertion], model);
            assert!(lines[0].starts_with(expected), "{assertion}: {}", lines[0]);
        }
        // What is false comes first, and there are not too many lines.
        let mut many = vec!["(< x 0)"; 20];
        many.push("(> x 5)");
        let lines = told(declared, &many, model);
        assert_eq!(lines.len(), LINES + 1);
        assert!(lines[0].starts_with("`(> x 5)` is false"), "{}", lines[0]);
        assert_eq!(lines[LINES], "and 11 more, of which 11 are true");
        let long = format!("(and {} (> x 5))", "(< x 0) ".repeat(50));
        let lines = told(declared, &[&long], model);
        assert!(lines[0].chars().count() < 400 && lines[0].contains('…'), "{}", lines[0]);
        assert!(told(declared, &["p"], "(((").is_empty());
    }
}
