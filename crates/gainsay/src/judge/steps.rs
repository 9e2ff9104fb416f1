//! Steps: what an approximated case rests on, taken apart into scripts that other solvers can audit.
//!
//! A step replaces a formula by one that is weaker or stronger. It is audited twice: that the rule holds there, at its
//! actual sorts and constants, and that the place has the polarity it was taken to have. The second is asked with the two
//! formulas as unknowns, so that it rests on nothing that the strategy computed. A step that replaces a term by one of the
//! same value is audited once: its place does not matter.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use smt::walk::{at, bound_in};
use smt::{FunId, Head, Index, Pool, Script, Sort, TermId, What};

use super::asked::Asked;
use super::context::context;
use super::declared::{declarations, header};
use crate::case::{Case, Claim, Direction, Rule, replay};

/// Cases of more edits are not taken apart.
const MOST: usize = 2000;

/// One step of a case, as scripts that are satisfiable only if it is not sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The rule.
    pub rule: Rule,
    /// The rule does not hold here. Variables that are bound around the place become constants: it must hold for all
    /// their values.
    pub step: String,
    /// The place does not have the polarity that the claims need. Empty if no claim speaks of it.
    pub contexts: Vec<String>,
}

impl Audit {
    /// What solvers are asked about the step.
    pub fn about(&self) -> Asked {
        match &self.rule {
            Rule::Approximation(rule) => Asked::Step { rule: rule.clone() },
            Rule::Operator => Asked::Rewritten { rule: "operator".to_owned() },
            Rule::Term => Asked::Rewritten { rule: "term".to_owned() },
            Rule::Equal(name) | Rule::Equivalent(name) => Asked::Rewritten { rule: name.to_string() },
        }
    }

    /// What solvers are asked about its place.
    pub fn about_place(&self) -> Asked {
        match &self.rule {
            Rule::Approximation(rule) => Asked::Polarity { rule: rule.clone() },
            _ => self.about(),
        }
    }
}

/// The steps of a case from edit `from` until edit `to`; none if they cannot be told, or if it follows from the rule of some edit
/// alone neither that a formula approximates another nor that two terms have the same value.
pub fn steps(case: &Case, from: usize, to: usize) -> Option<Vec<Audit>> {
    let edits = case.lineage.edits.list();
    if from >= to || to > edits.len() || edits.len() > MOST {
        return None;
    }
    let mut script = replayed(case, from)?;
    let mut all = Vec::with_capacity(to - from);
    for edit in &edits[from..to] {
        let direction = match &edit.rule {
            Rule::Approximation(rule) => Some(rule.direction),
            Rule::Equivalent(_) => None,
            Rule::Operator | Rule::Term | Rule::Equal(_) => return None,
        };
        let next = replay(script.clone(), [*edit]);
        if !next.refused.is_empty() {
            return None;
        }
        let (command, number) = (edit.place.command as usize, edit.place.term as usize);
        let root = script.term_of(command, number)?;
        let changed = next.script.term_of(command, number)?;
        let pool = &next.script.pool;
        let sides = [at(pool, root, &edit.place.path)?, at(pool, changed, &edit.place.path)?];
        let mut text = header(&script);
        text += &needed(&next.script, command, &sides);
        let mut variables = script.variables_of(command, number).to_vec();
        let mut term = root;
        for &k in &edit.place.path {
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
        let mut contexts = Vec::new();
        match direction {
            Some(direction) => {
                let over = direction == Direction::Over;
                let (first, second) = if over { (&edit.old, &edit.new) } else { (&edit.new, &edit.old) };
                let _ = writeln!(text, "(assert {first})\n(assert (not {second}))");
                for weaker in wanted(case, &script, root) {
                    contexts.push(context(&script, command, &edit.place.path, over, weaker)?);
                }
            }
            None => text += &differ(pool, sides)?,
        }
        text.push_str("(check-sat)\n");
        all.push(Audit { rule: edit.rule.clone(), step: text, contexts });
        script = next.script;
    }
    Some(all)
}

/// The assertion that two terms differ; none if their sort has no equality. Languages differ if they do at some word.
fn differ(pool: &Pool, sides: [TermId; 2]) -> Option<String> {
    let [old, new] = sides.map(|side| smt::write_term(pool, side));
    match pool.sort(pool.sort_of(sides[0])) {
        Sort::RegLan if pool.find("word!").is_some() => None,
        Sort::RegLan => Some(format!(
            "(declare-const word! String)\n(assert (distinct (str.in_re word! {old}) (str.in_re word! {new})))\n"
        )),
        Sort::Unknown | Sort::Opaque(_) => None,
        _ => Some(format!("(assert (distinct {old} {new}))\n")),
    }
}

/// The seed of a case with its first edits; none if they cannot be done again.
pub fn replayed(case: &Case, edits: usize) -> Option<Script> {
    let seed = Script::clone(case.others.first()?);
    let done = replay(seed, case.lineage.edits.list().into_iter().take(edits));
    done.refused.is_empty().then_some(done.script)
}

/// Which ways the claims need an assertion to go: whether weaker, each way once.
fn wanted(case: &Case, script: &Script, assertion: TermId) -> Vec<bool> {
    let asks = script.queries();
    let mut ways = Vec::new();
    for claim in &case.claims {
        let Claim::SatImplies(from, to) = claim else { continue };
        let (weaker, check) = if to.script == 0 { (true, to.check) } else { (false, from.check) };
        let seen = asks.get(check).is_some_and(|ask| ask.assertions.contains(&assertion));
        if seen && !ways.contains(&weaker) {
            ways.push(weaker);
        }
    }
    ways
}

/// The declarations before a command, without the functions that these terms do not need.
fn needed(script: &Script, before: usize, terms: &[TermId]) -> String {
    let used = functions(&script.pool, terms);
    declarations(script, before, |i, what| {
        let mut any = matches!(what, What::DeclareSort(_) | What::DefineSort(_) | What::DeclareDatatypes(..));
        script.each_function(i, |fun| any |= used.contains(&fun));
        any
    })
}

/// The functions of a script that terms name, and those that their definitions name.
fn functions(pool: &Pool, terms: &[TermId]) -> FxHashSet<FunId> {
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut left = terms.to_vec();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        left.extend_from_slice(pool.args(term));
        let mut name = |fun: FunId| {
            if found.insert(fun)
                && let Some((_, body)) = pool.body(fun)
            {
                left.push(body);
            }
        };
        match pool.node(term).head {
            Head::Fun(fun) => name(fun),
            Head::Op(_, list) => {
                for index in pool.indices(list) {
                    if let Index::Function(fun) = index {
                        name(*fun);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::case::{CheckRef, Edit, Edits, Lineage, Place};

    const OVER_A: Rule = Rule::approximation("a", Direction::Over);

    fn case(edits: &[(&[u32], &str, &str, Rule)]) -> Case {
        let seed = smt::read(
            b"(declare-const x Int)(push 1)(declare-const y Bool)(pop 1)(declare-const y Int)(declare-const n Int)
              (assert (forall ((z Int)) (or (< z x) (let ((x (= z y))) x))))(check-sat)",
        )
        .expect("well-sorted");
        let edits = edits.iter().fold(Edits::default(), |all, (way, old, new, rule)| {
            let place = Place { command: 6, term: 0, path: way.to_vec() };
            let (old, new) = ((*old).to_owned(), (*new).to_owned());
            all.then(Edit { place, old, new, rule: rule.clone() })
        });
        let lineage = Lineage { edits, ..Lineage::default() };
        let claims = vec![Claim::SatImplies(CheckRef { script: 1, check: 0 }, CheckRef::own(0))];
        Case { script: seed.clone(), others: vec![Arc::new(seed)], claims, lineage }
    }

    #[test]
    fn each_step_is_a_script() {
        let case = case(&[
            (&[0, 0], "(< z x)", "(<= z x)", OVER_A),
            (&[0, 1, 1], "x", "(and x (> z n))", Rule::approximation("b", Direction::Under)),
        ]);
        let all = steps(&case, 0, 2).expect("they are approximations");
        let first = "(declare-const z Int)\n(assert (< z x))\n(assert (not (<= z x)))\n(check-sat)\n";
        assert_eq!(all[0].step, format!("(set-logic ALL)\n(declare-const x Int)\n{first}"));
        let second = &all[1].step;
        assert!(second.ends_with("(assert (and x (> z n)))\n(assert (not x))\n(check-sat)\n"), "{second}");
        assert!(second.contains("(declare-const x Bool)") && second.contains("(declare-const n Int)"));
        assert!(!second.contains("(declare-const y Int)"), "{second}");
        assert_eq!(steps(&case, 1, 2).as_deref(), Some(&all[1..]));
        assert_eq!((all[0].contexts.len(), &all[1].rule), (1, &Rule::approximation("b", Direction::Under)));
    }

    #[test]
    fn terms_of_the_same_value_are_asked_whether_they_differ() {
        let case = case(&[(&[0, 0, 1], "x", "(- (- x))", Rule::Equivalent("minus".into()))]);
        let all = steps(&case, 0, 1).expect("its rule says that they always have the same value");
        assert!(all[0].step.ends_with("(assert (distinct x (- (- x))))\n(check-sat)\n"), "{}", all[0].step);
        assert!(all[0].contexts.is_empty(), "its place does not matter");
        assert_eq!(all[0].about(), Asked::Rewritten { rule: "minus".to_owned() });
    }

    #[test]
    fn other_edits_have_no_steps() {
        assert_eq!(steps(&case(&[]), 0, 0), None);
        assert_eq!(steps(&case(&[(&[0, 0], "(< z x)", "(> z x)", Rule::Term)]), 0, 1), None);
        // They have the same value in this case only.
        assert_eq!(steps(&case(&[(&[0, 0, 1], "x", "(- n x)", Rule::Equal("sum".into()))]), 0, 1), None);
        assert_eq!(steps(&case(&[(&[0, 7], "(< z x)", "(<= z x)", OVER_A)]), 0, 1), None);
    }
}
