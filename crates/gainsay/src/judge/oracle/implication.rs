//! Scripts that ask whether one check follows from another: they are satisfiable only if it does not.

use rustc_hash::FxHashSet;
use smt::What;

use crate::case::{Case, CheckRef, Claim, in_scope};
use crate::judge::declared::{declarations, header, text_of};
use crate::judge::steps::replayed;

/// For each claim that one check follows from another a script that is satisfiable only if it does not.
pub fn wholes(case: &Case) -> Vec<String> {
    let script = |claim: &Claim| {
        let Claim::SatImplies(from, to) = claim else { return None };
        let (first, second) = (case.script_of(*from)?, case.script_of(*to)?);
        let (first_asks, second_asks) = (first.queries(), second.queries());
        implication(first, first_asks.get(from.check)?, second, second_asks.get(to.check)?)
    };
    case.claims.iter().filter_map(script).collect()
}

/// The implication between the scripts after so many edits, the way the claim goes.
pub(super) fn between(case: &Case, to: CheckRef, low: usize, high: usize) -> Option<String> {
    let all = case.lineage.edits.count() as usize;
    let after = |edits: usize| match edits {
        0 => case.others.first().map(|seed| smt::Script::clone(seed)),
        n if n == all => Some(case.script.clone()),
        n => replayed(case, n),
    };
    let (seed, mutant) = (after(low)?, if all == 0 { case.script.clone() } else { after(high)? });
    let (first, second) = if to.script == 0 { (seed, mutant) } else { (mutant, seed) };
    let (first_asks, second_asks) = (first.queries(), second.queries());
    implication(&first, first_asks.get(to.check)?, &second, second_asks.get(to.check)?)
}

/// A script that is satisfiable only if the first can hold without the second: what is declared, the first's assertions, then
/// the negation of all the second asserts. What only the second declares may have any value that makes it hold. None if the
/// scripts declare other things than that differently, or give names, which cannot be given twice.
fn implication(
    first: &smt::Script,
    ask_from: &smt::Query,
    second: &smt::Script,
    ask_to: &smt::Query,
) -> Option<String> {
    let mut text = header(first);
    let declared = declarations(first, ask_from.command, |_, _| true);
    let known: FxHashSet<&str> = declared.lines().collect();
    let (shared, more) = apart(second, ask_to.command, &known);
    let again: FxHashSet<&str> = shared.lines().collect();
    let constants = constants(second, &more)?;
    // What only the first declares does not matter to the second, but must not stand between.
    if declared.lines().filter(|line| again.contains(line)).ne(shared.lines()) {
        return None;
    }
    text += &declared;
    for &term in &ask_from.assertions {
        text.push_str(&format!("(assert {})\n", smt::write_term(&first.pool, term)));
    }
    let negated: Vec<_> = ask_to.assertions.iter().map(|&t| smt::write_term(&second.pool, t)).collect();
    let all = format!("(and true {})", negated.join(" "));
    let all = if constants.is_empty() { all } else { format!("(exists ({}) {all})", constants.join(" ")) };
    text.push_str(&format!("(assert (not {all}))\n(check-sat)\n"));
    (!text.contains(":named")).then_some(text)
}

/// What a script declares before a command and knows there: those lines that are known, and the commands of the others.
fn apart(script: &smt::Script, before: usize, known: &FxHashSet<&str>) -> (String, Vec<usize>) {
    let (mut shared, mut more) = (String::new(), Vec::new());
    for i in in_scope(script, before) {
        let text = text_of(script, i);
        if text.lines().all(|line| known.contains(line)) {
            shared += &text;
            shared.push('\n');
        } else {
            more.push(i);
        }
    }
    (shared, more)
}

/// The constants that commands declare, as variables to bind; none if one declares something else.
fn constants(script: &smt::Script, commands: &[usize]) -> Option<Vec<String>> {
    let variable = |&command: &usize| {
        let What::DeclareFun(fun) = script.commands[command].what else { return None };
        let fun = script.pool.fun(fun);
        let sort = smt::sort_text(&script.pool, fun.result);
        fun.args.is_empty().then(|| format!("({} {sort})", script.pool.text(fun.spelling)))
    };
    commands.iter().map(variable).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::case::Lineage;

    fn whole(seed: &str, mutant: &str) -> String {
        let read = |text: &str| smt::read(text.as_bytes()).expect("well-sorted");
        let claims = vec![Claim::SatImplies(CheckRef { script: 1, check: 0 }, CheckRef::own(0))];
        let case = Case {
            script: read(mutant),
            others: vec![Arc::new(read(seed))],
            claims,
            lineage: Lineage::default(),
        };
        wholes(&case).pop().expect("it can be written")
    }

    #[test]
    fn only_what_the_second_alone_knows_there_is_bound() {
        let before = "(push 1)(declare-const x Int)(assert (> x 0))(pop 1)(declare-const x Real)";
        let seed = format!("{before}(assert (< x 0.0))(check-sat)");
        let text = whole(&seed, &format!("{before}(assert (<= x 0.0))(check-sat)"));
        let end = "(assert (< x 0.0))\n(assert (not (and true (<= x 0.0))))\n(check-sat)\n";
        assert_eq!(text, format!("(set-logic ALL)\n(declare-const x Real)\n{end}"));
        let more = whole(&seed, &format!("{before}(declare-const y Real)(assert (<= x y))(check-sat)"));
        assert!(more.contains("(assert (not (exists ((y Real)) (and true (<= x y)))))"), "{more}");
    }
}
