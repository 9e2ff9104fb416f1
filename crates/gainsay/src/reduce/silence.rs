//! Why nothing is wrong with a script: what each solver did with it.

use rustc_hash::FxHashSet;
use smt::theory::table;
use smt::{Head, Script, TermId};

use crate::finding::words;
use crate::judge::Tried;
use crate::judge::language::reads;
use crate::solver::{Run, Solver};

/// What all solvers did with a script that nothing is wrong with, and why oracles abstained.
pub fn silence(solvers: &[Solver], tried: &Tried, script: &Script) -> String {
    let did = |(solver, run): (&Solver, &Option<Run>)| what_it_did(solver, run.as_ref(), script);
    let mut said: Vec<String> = solvers.iter().zip(&tried.runs).map(did).collect();
    said.extend(tried.abstained.iter().map(words::abstention));
    format!(" ({}); another `--solver` to compare with may show more", said.join(", "))
}

/// What a solver did, in words: what it says, how it ended, why it was not asked.
fn what_it_did(solver: &Solver, run: Option<&Run>, script: &Script) -> String {
    let Some(run) = run else {
        let unread = unread(solver, script).unwrap_or_else(|| "something in it".to_owned());
        return format!("{} was not asked, as it does not read {unread}", solver.name);
    };
    let answers = run.reply.answers();
    let words: Vec<_> = answers.iter().map(|a| a.word()).collect();
    let did = if words.is_empty() { run.ending.to_string() } else { format!("says {}", words.join(" ")) };
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let complains = words.is_empty().then(|| line(&run.reply.stderr)).flatten();
    match run.reply.errors.first().and_then(|text| line(text)).or(complains) {
        Some(error) => format!("{} {did}: {error}", solver.name),
        None => format!("{} {did}", solver.name),
    }
}

/// The first operator of what is asked that the solver is known not to read, with the number of its arguments.
fn unread(solver: &Solver, script: &Script) -> Option<String> {
    let pool = &script.pool;
    let mut left: Vec<TermId> = script.queries().into_iter().flat_map(|ask| ask.assertions).collect();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term).head {
            Head::Op(op, _) if reads(solver, table().op(op)) == Some(false) => {
                return Some(format!("`{}` of {} arguments", table().op(op).name, pool.args(term).len()));
            }
            Head::Fun(fun) => left.extend(pool.body(fun).map(|(_, body)| body)),
            _ => {}
        }
        left.extend_from_slice(pool.args(term));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::SolverId;
    use crate::solver::acquire::home::Home;

    #[test]
    fn what_is_not_read_is_named() {
        let (text, plain) = ("(= (seq.replace_all a a a) a)", "(= (seq.indexof a a) 1)");
        // (the solver, what it is asked, what it does not read)
        let rows = [
            ("z3@4.8.7", text, Some("`seq.replace_all` of 3 arguments")),
            ("z3@5.4.0", text, None),
            ("z3@4.8.7", plain, None),
            ("cvc5@1.4.2", plain, Some("`seq.indexof` of 2 arguments")),
        ];
        let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
        for (name, assertion, expected) in rows {
            let id: SolverId = name.parse().expect("a name");
            let profile = id.profile().expect("a profile");
            let solver = Solver::installed(&profile, id.release().expect("a release"), &home);
            let text = format!("(declare-const a (Seq Int))(assert {assertion})(check-sat)");
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            assert_eq!(unread(&solver, &script).as_deref(), expected, "{name} {assertion}");
        }
    }
}
