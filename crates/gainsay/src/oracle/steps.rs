//! Steps: the implications that an approximated case rests on, each as a script of its own.

use std::fmt::Write;

use smt::walk::bound_in;
use smt::{Script, What};

use crate::case::{Case, OVER, UNDER, replay};

/// Cases of more edits are not taken apart.
const MOST: usize = 64;

/// For each edit of a case a script that is satisfiable only if the edit's rule does not hold there; none if some edit is
/// no approximation. Variables that are bound around the place become constants: a rule must hold for all their values.
pub fn steps(case: &Case) -> Option<Vec<String>> {
    let mut script = Script::clone(case.others.first()?);
    let edits = case.lineage.edits.list();
    if edits.is_empty() || edits.len() > MOST {
        return None;
    }
    let mut all = Vec::with_capacity(edits.len());
    for edit in edits {
        let (from, to) = if edit.rule.starts_with(OVER) {
            (&edit.old, &edit.new)
        } else if edit.rule.starts_with(UNDER) {
            (&edit.new, &edit.old)
        } else {
            return None;
        };
        let command = edit.place.command as usize;
        let mut text = declarations(&script, command);
        let mut term = script.term_of(command, edit.place.term as usize)?;
        let mut variables = script.variables_of(command, edit.place.term as usize).to_vec();
        for &k in &edit.place.way {
            variables.extend_from_slice(bound_in(&script.pool, term, k as usize));
            term = *script.pool.args(term).get(k as usize)?;
        }
        for (i, variable) in variables.iter().enumerate() {
            // The innermost of a name is the one that is meant.
            if !variables[i + 1..].iter().any(|inner| inner.name == variable.name) {
                let (name, sort) = (variable.spelling, smt::sort_text(&script.pool, variable.sort));
                let _ = writeln!(text, "(declare-const {} {sort})", script.pool.text(name));
            }
        }
        let _ = writeln!(text, "(assert {from})\n(assert (not {to}))\n(check-sat)");
        all.push(text);
        let next = replay(script, [edit]);
        if !next.refused.is_empty() {
            return None;
        }
        script = next.script;
    }
    Some(all)
}

/// What a script declares and defines before a command and has not forgotten by then.
pub(super) fn declarations(script: &Script, before: usize) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut levels: Vec<usize> = Vec::new();
    for &command in &script.commands[..before.min(script.commands.len())] {
        match command.what {
            What::DeclareSort(_)
            | What::DefineSort(_)
            | What::DeclareDatatypes(..)
            | What::DeclareFun(_)
            | What::DefineFun(_)
            | What::DefineFunsRec(..) => {
                kept.push(String::from_utf8_lossy(&smt::write_command(script, command)).into_owned());
            }
            What::Push(n) => levels.extend((0..n.min(1000)).map(|_| kept.len())),
            What::Pop(n) => {
                for _ in 0..n.min(1000) {
                    if let Some(mark) = levels.pop() {
                        kept.truncate(mark);
                    }
                }
            }
            What::Reset | What::ResetAssertions => {
                kept.clear();
                levels.clear();
            }
            _ => {}
        }
    }
    kept.iter().fold(String::new(), |all, line| all + line + "\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::case::{Edit, Edits, Lineage, Place, TERM};

    fn case(edits: &[(&[u32], &str, &str, &str)]) -> Case {
        let seed = smt::read(
            b"(declare-const x Int)(push 1)(declare-const y Bool)(pop 1)(declare-const y Int)
              (assert (forall ((z Int)) (or (< z x) (let ((x (= z y))) x))))(check-sat)",
        )
        .expect("well-sorted");
        let edits = edits.iter().fold(Edits::default(), |all, (way, old, new, rule)| {
            let place = Place { command: 5, term: 0, way: way.to_vec() };
            let (old, new, rule) = ((*old).to_owned(), (*new).to_owned(), (*rule).to_owned());
            all.then(Edit { place, old, new, rule: rule.into() })
        });
        let lineage = Lineage { edits, ..Lineage::default() };
        Case { script: seed.clone(), others: vec![Arc::new(seed)], claims: Vec::new(), lineage }
    }

    #[test]
    fn each_step_is_a_script() {
        let globals = "(declare-const x Int)\n(declare-const y Int)\n";
        let case = case(&[
            (&[0, 0], "(< z x)", "(<= z x)", "over a"),
            (&[0, 1, 1], "x", "(and x (> z 1))", "under b"),
        ]);
        let all = steps(&case).expect("they are approximations");
        let first = "(declare-const z Int)\n(assert (< z x))\n(assert (not (<= z x)))\n(check-sat)\n";
        assert_eq!(all[0], format!("{globals}{first}"));
        assert!(all[1].ends_with("(assert (and x (> z 1)))\n(assert (not x))\n(check-sat)\n"), "{}", all[1]);
        assert!(all[1].contains("(declare-const x Bool)"), "{}", all[1]);
    }

    #[test]
    fn other_edits_have_no_steps() {
        assert_eq!(steps(&case(&[])), None);
        assert_eq!(steps(&case(&[(&[0, 0], "(< z x)", "(> z x)", TERM)])), None);
        assert_eq!(steps(&case(&[(&[0, 7], "(< z x)", "(<= z x)", "over a")])), None);
    }
}
