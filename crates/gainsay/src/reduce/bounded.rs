//! Small domains: a script that bounds its integer constants, so that a search can try all of their values.

use smt::{FunKind, Script, SortId, What};

/// The least and the greatest value of the constants, from few values to more.
const BOUNDS: &[(i8, i8)] = &[(0, 1), (-1, 1), (-3, 3), (-8, 8)];

/// The script with bounds on all its integer constants, from the narrowest to the widest. There is none if it has no such
/// constant.
pub fn bounded(script: &Script) -> Vec<Script> {
    BOUNDS.iter().filter_map(|bounds| with_bounds(script, *bounds)).collect()
}

/// The script with an assertion after the declaration of each integer constant.
fn with_bounds(script: &Script, (least, most): (i8, i8)) -> Option<Script> {
    let (mut text, mut any) = (String::new(), false);
    for &command in &script.commands {
        text += &script.command_text(command);
        text.push('\n');
        let What::DeclareFun(fun) = command.what else { continue };
        let fun = script.pool.fun(fun);
        if fun.result == SortId::INT && fun.args.is_empty() && fun.kind == FunKind::Declared {
            let name = script.pool.text(fun.spelling);
            let (least, most) = (numeral(least), numeral(most));
            text += &format!("(assert (<= {least} {name}))\n(assert (<= {name} {most}))\n");
            any = true;
        }
    }
    let script = smt::read(text.as_bytes()).ok()?;
    any.then_some(script)
}

/// A number as SMT-LIB writes it.
fn numeral(number: i8) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_integer_constant_is_bounded_where_it_is_declared() {
        let script = "(declare-const a Int)(declare-fun f (Int) Int)(declare-const r Real)(push 1)\
                      (declare-const |b c| Int)(assert (= (f a) |b c|))(check-sat)";
        let script = smt::read(script.as_bytes()).expect("well-sorted");
        let all: Vec<String> =
            bounded(&script).iter().map(|script| script.text().replace('\n', " ")).collect();
        assert_eq!(all.len(), BOUNDS.len());
        assert_eq!(
            all[1].trim(),
            "(declare-const a Int) (assert (<= (- 1) a)) (assert (<= a 1)) (declare-fun f (Int) Int) \
             (declare-const r Real) (push 1) (declare-const |b c| Int) (assert (<= (- 1) |b c|)) \
             (assert (<= |b c| 1)) (assert (= (f a) |b c|)) (check-sat)"
        );
        let none = smt::read(b"(declare-const r Real)(assert (= r 0.0))(check-sat)").expect("well-sorted");
        assert!(bounded(&none).is_empty());
    }

    #[test]
    fn a_search_ends_with_bounds() {
        let script =
            "(declare-const a Int)(declare-const b Int)(assert (= (* a a) (+ (* 3 b) 2)))(check-sat)";
        let script = smt::read(script.as_bytes()).expect("well-sorted");
        let decided = |script: &Script| smt::decide(script, &script.queries()[0], 10_000, &mut |_| {});
        assert!(matches!(decided(&script), smt::Decision::Infinite(_)));
        assert!(bounded(&script).iter().all(|s| matches!(decided(s), smt::Decision::Unsat { .. })));
    }
}
