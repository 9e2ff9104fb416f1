//! Contexts: whether a formula moves the way it should when a part of it moves, as a question to a solver.
//!
//! `C[old]` and `C[new]` with `old ⇒ new` for all values of the bound variables, where `old` and `new` are unknowns. What
//! stands beside the way to the part becomes unknown, too, so that the questions are small and few.

use std::fmt::Write;

use smt::walk::bound_in;
use smt::{Binder, Head, Pool, Script, SortId, TermId, What};

use super::declared::{declarations, header};

const HOLE: &str = "hole!";
const BESIDE: &str = "beside!";

/// An unknown formula: its name in the term, and the variables it may depend on.
struct Unknown {
    mark: String,
    name: String,
    variables: Vec<Binder>,
}

impl Unknown {
    fn applied(&self, pool: &Pool, name: &str) -> String {
        if self.variables.is_empty() {
            return name.to_owned();
        }
        let names: Vec<&str> = self.variables.iter().map(|v| pool.text(v.spelling)).collect();
        format!("({name} {})", names.join(" "))
    }

    fn declared(&self, pool: &Pool, name: &str) -> String {
        let sorts: Vec<_> = self.variables.iter().map(|v| smt::sort_text(pool, v.sort)).collect();
        format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" "))
    }
}

/// A script that is satisfiable only if the assertion of a command does not become weaker, or stronger, when the formula
/// at the end of a way does (`over`) or becomes stronger. None if it cannot be written.
pub(super) fn context(
    script: &Script,
    command: usize,
    way: &[u32],
    over: bool,
    weaker: bool,
) -> Option<String> {
    let mut pool = script.pool.clone();
    let mut term = script.term_of(command, 0)?;
    let mut above: Vec<(TermId, usize, Vec<Binder>)> = Vec::with_capacity(way.len());
    let mut quantified: Vec<Binder> = Vec::new();
    let mut plain = true;
    for &k in way {
        let (k, args) = (k as usize, pool.args(term));
        let next = *args.get(k)?;
        let around = quantified.clone();
        match pool.node(term).head {
            // What a bound formula does is seen only in all that is beside it.
            Head::Let(_) if k + 1 < args.len() => plain = false,
            Head::Op(..) | Head::Let(_) | Head::Annotated(_) => {}
            Head::Forall(_) | Head::Exists(_) => quantified.extend_from_slice(bound_in(&pool, term, k)),
            _ => plain = false,
        }
        above.push((term, k, around));
        term = next;
    }
    if pool.sort_of(term) != SortId::BOOL || hides(&pool, &above, &quantified) {
        return None;
    }
    let mut unknowns = vec![Unknown { mark: HOLE.to_owned(), name: String::new(), variables: quantified }];
    let mark = pool.binder(HOLE, SortId::BOOL);
    let mut top = pool.variable(mark);
    if plain {
        for (node, k, around) in above.into_iter().rev() {
            top = match pool.node(node).head {
                // A `let` only names what is beside the way; patterns are no part of the meaning.
                Head::Let(_) | Head::Annotated(_) => top,
                _ => beside(&mut pool, (node, k), top, &around, &mut unknowns)?,
            };
        }
    } else {
        top = pool.replace(script.term_of(command, 0)?, way, top)?;
    }
    written((script, command), &pool, (top, plain), &unknowns, (over, weaker))
}

/// Whether a variable of a quantifier cannot be named at the end of the way, because another has its name.
fn hides(pool: &Pool, above: &[(TermId, usize, Vec<Binder>)], quantified: &[Binder]) -> bool {
    let all = above.iter().flat_map(|&(term, k, _)| bound_in(pool, term, k));
    let names: Vec<_> = all.map(|binder| binder.name).collect();
    quantified.iter().any(|v| names.iter().filter(|name| **name == v.name).count() > 1)
}

/// A node with unknowns in place of all its formulas but the one that leads on.
fn beside(
    pool: &mut Pool,
    (node, k): (TermId, usize),
    new: TermId,
    around: &[Binder],
    unknowns: &mut Vec<Unknown>,
) -> Option<TermId> {
    let mut made = pool.replace(node, &[k as u32], new)?;
    for other in 0..pool.args(node).len() {
        let is_formula = pool.sort_of(pool.args(node)[other]) == SortId::BOOL;
        if other == k || matches!(pool.node(node).head, Head::Forall(_) | Head::Exists(_)) {
            continue;
        }
        if !is_formula {
            return None;
        }
        let mark = format!("{BESIDE}{}!", unknowns.len());
        let binder = pool.binder(&mark, SortId::BOOL);
        let unknown = pool.variable(binder);
        made = pool.replace(made, &[other as u32], unknown)?;
        unknowns.push(Unknown { name: mark.clone(), mark, variables: around.to_vec() });
    }
    Some(made)
}

/// The script that asks whether the assertion of a command, with a hole at the place, moves the way it should.
fn written(
    (script, command): (&Script, usize),
    pool: &Pool,
    (top, plain): (TermId, bool),
    unknowns: &[Unknown],
    (over, weaker): (bool, bool),
) -> Option<String> {
    let (hole, others) = unknowns.split_first()?;
    let sorts =
        |_, what| matches!(what, What::DeclareSort(_) | What::DefineSort(_) | What::DeclareDatatypes(..));
    let mut text = if plain { "(set-logic ALL)\n".to_owned() } else { header(script) };
    text += &match (plain, hole.variables.is_empty()) {
        (true, true) => String::new(),
        (true, false) => declarations(script, command, sorts),
        (false, _) => declarations(script, command, |_, _| true),
    };
    let mut formula = smt::write_term(pool, top);
    let taken = script.pool.find(HOLE).or(script.pool.find("old!")).or(script.pool.find("new!"));
    if taken.is_some() || formula.contains(":named") {
        return None;
    }
    for other in others {
        text += &other.declared(pool, &other.name);
        formula = formula.replace(&other.mark, &other.applied(pool, &other.name));
    }
    let [old, new] = ["old!", "new!"].map(|name| hole.applied(pool, name));
    text += &hole.declared(pool, "old!");
    text += &hole.declared(pool, "new!");
    let [before, after] = [&old, &new].map(|part| formula.replace(HOLE, part));
    let step = if over { format!("(=> {old} {new})") } else { format!("(=> {new} {old})") };
    let bind = |v: &Binder| format!("({} {})", pool.text(v.spelling), smt::sort_text(pool, v.sort));
    let bound: Vec<String> = hole.variables.iter().map(bind).collect();
    let step = if bound.is_empty() { step } else { format!("(forall ({}) {step})", bound.join(" ")) };
    let (first, second) = if weaker { (before, after) } else { (after, before) };
    let _ = writeln!(text, "(assert {step})\n(assert {first})\n(assert (not {second}))\n(check-sat)");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(assertion: &str) -> Script {
        let text = format!(
            "(declare-sort S 0)(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
             (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(assert {assertion})"
        );
        smt::read(text.as_bytes()).expect("well-sorted")
    }

    /// Whether some truth values of its constants make everything true that a script asserts.
    fn is_sat(text: &str) -> bool {
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        let declared: Vec<_> = script.pool.functions().collect();
        let names: Vec<_> = declared.iter().map(|f| script.pool.text(script.pool.fun(*f).spelling)).collect();
        (0..1 << names.len()).any(|bits: u32| {
            let values = names
                .iter()
                .enumerate()
                .map(|(i, name)| format!("(define-fun {name} () Bool {})", bits >> i & 1 == 1));
            let model = format!("({})", values.collect::<String>());
            let model = smt::Model::read(&script, None, model.as_bytes()).expect("a model");
            smt::satisfies(&script.queries()[0], &model, &smt::Fuel::default()) == smt::Verdict::True
        })
    }

    #[test]
    fn only_the_right_polarity_is_unsatisfiable() {
        // The way to the place, and whether it becomes weaker with what is there, or stronger; neither if none.
        let rows: &[(&str, &[u32], [bool; 2])] = &[
            ("(and p q)", &[1], [true, false]),
            ("(or p (not q))", &[1, 0], [false, true]),
            ("(=> p q r)", &[0], [false, true]),
            ("(=> p q r)", &[2], [true, false]),
            ("(ite p q r)", &[1], [true, false]),
            ("(ite p q r)", &[0], [false, false]),
            ("(xor p q)", &[0], [false, false]),
            ("(= p q)", &[1], [false, false]),
            ("(not (let ((a (or p q))) (! (or a r) :pattern (a))))", &[0, 1, 0, 1], [false, true]),
        ];
        for (assertion, way, expected) in rows {
            let script = script(assertion);
            let asked = |weaker| context(&script, script.commands.len() - 1, way, true, weaker);
            let found = [true, false].map(|weaker| !is_sat(&asked(weaker).expect("it can be written")));
            assert_eq!(found, *expected, "{assertion}");
        }
    }

    #[test]
    fn what_cannot_be_left_out_is_kept() {
        let rows: &[(&str, &[u32], &str)] = &[
            ("(let ((a p)) (or a (not q)))", &[0], "(let ((a old!)) (or a (not q)))"),
            ("(match l ((nil p) ((cons h t) (> h 0))))", &[1], "(match l ((nil old!) ((cons h t) (> h 0))))"),
            (
                "(forall ((z S)) (exists ((w S)) (or (= z w) p)))",
                &[0, 0, 1],
                "(or (beside!1! z w) (old! z w))",
            ),
            (
                "(or q (forall ((z S)) (and p q)))",
                &[1, 0, 0],
                "(or beside!2! (forall ((z S)) (and (old! z) (beside!1! z))))",
            ),
        ];
        for (assertion, way, expected) in rows {
            let script = script(assertion);
            let text = context(&script, script.commands.len() - 1, way, true, true).expect(assertion);
            assert!(text.contains(expected), "{assertion}: {text}");
            smt::read(text.as_bytes()).expect(&text);
        }
        let hidden = script("(forall ((z S)) (exists ((z S)) p))");
        assert_eq!(context(&hidden, hidden.commands.len() - 1, &[0, 0], true, true), None);
    }
}
