//! Tables of ground terms for tests: read, evaluated without a model, printed.

use crate::{Fuel, Model, What, eval, read};

/// One test per group, one assertion per row: why, a term, and its value or why it has none.
macro_rules! rows {
    ($test:ident, $($why:literal : $term:literal => $out:literal,)+) => {
        #[test]
        fn $test() {
            $(assert_eq!(crate::theory::tests::samples::evaluated($term), $out, "{}: {}", $why, $term);)+
        }
    };
}
pub(crate) use rows;

/// Lists of integers, colours, optional values of any sort, and a sequence doubled n times.
pub(crate) const PRELUDE: &str = "
(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(declare-datatype Color ((red) (green) (blue)))
(declare-datatype Option (par (X) ((none) (some (val X)))))
(define-fun-rec doubled ((n Int) (s (Seq Int))) (Seq Int) (ite (= n 0) s (doubled (- n 1) (seq.++ s s))))
";

/// What a term evaluates to, or why it does not.
pub(crate) fn evaluated(term: &str) -> String {
    let script = match read(format!("{PRELUDE}(simplify {term})").as_bytes()) {
        Ok(script) => script,
        Err(error) => return refused(&error.message),
    };
    if let Some(part) = script.opaque.first() {
        return part.why.clone();
    }
    let Some(What::Query(_, term, _)) = script.commands.last().map(|c| c.what) else {
        unreachable!("asked last")
    };
    let model = Model::empty(&script);
    let sort = script.pool.sort_of(term);
    eval(term, &model, &mut Fuel::default())
        .and_then(|value| crate::value::write(model.pool(), sort, &value))
        .unwrap_or_else(|gap| gap.to_string())
}

/// Sorts that no row takes, in few words.
fn refused(message: &str) -> String {
    match message.split_once(" does not take ").or(message.split_once(" cannot stand alone")) {
        Some((name, _)) => {
            let name = name.trim_start_matches("(_ ").trim_start_matches("(as ");
            format!("no row for {}", name.split([' ', ')']).next().unwrap_or(name))
        }
        None => message.to_owned(),
    }
}
