//! Clauses: a seed in conjunctive normal form, as the published technique has it.
//!
//! Every connective gets a constant of its own and the clauses that say, both ways, that it is that formula. Quantified
//! formulas, calls and all that is no connective are atoms. The result has a model if and only if the seed has one: each
//! model of the seed has one extension, and what is left of a model of the clauses without the new constants is one of
//! the seed.

use rustc_hash::FxHashMap;
use smt::{Head, Pool, Script, Symbol, TermId, What};

use crate::strategy::shape::Connective;

/// The most formulas bound by `let` that are substituted. A seed with more is not converted.
const MOST_LETS: u32 = 400;
/// The conversion is given up when the text has this many bytes more than eight times the seed.
const ROOM: usize = 1 << 14;

/// A literal: an atom or a new constant, as text, and whether it is negated.
#[derive(Clone, Debug)]
struct Literal {
    text: String,
    negated: bool,
}

impl Literal {
    fn not(&self) -> Literal {
        Literal { text: self.text.clone(), negated: !self.negated }
    }
}

/// The kind of a formula.
enum Kind {
    Atom,
    Let,
    Of(Connective),
}

impl Kind {
    fn of(pool: &Pool, formula: TermId) -> Kind {
        match pool.node(formula).head {
            Head::Let(_) => Kind::Let,
            _ => Connective::on(pool, formula).map_or(Kind::Atom, Kind::Of),
        }
    }
}

/// The text of a script whose assertions are clauses; none if that would be too large.
pub(super) fn in_clauses(script: &Script) -> Option<Vec<u8>> {
    let mut pool = script.pool.clone();
    let size: usize = script.commands.iter().map(|&command| script.command_text(command).len()).sum();
    let mut clauses = Clauses { out: Vec::new(), most: 8 * size + ROOM, names: 0, lets: 0 };
    for &command in &script.commands {
        match command.what {
            What::Assert(term) => {
                let plain = script.command_text(command);
                // A literal is in several clauses, but a name can be given once.
                if plain.contains(":named") {
                    clauses.line(&plain)?;
                } else {
                    clauses.assert(&mut pool, term)?;
                }
            }
            _ => clauses.line(&script.command_text(command))?,
        }
    }
    Some(clauses.out)
}

struct Clauses {
    out: Vec<u8>,
    most: usize,
    /// How many names were tried.
    names: u32,
    lets: u32,
}

impl Clauses {
    fn line(&mut self, text: &str) -> Option<()> {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
        (self.out.len() <= self.most).then_some(())
    }

    fn clause(&mut self, literals: &[Literal]) -> Option<()> {
        let one = |literal: &Literal| match literal.negated {
            true => format!("(not {})", literal.text),
            false => literal.text.clone(),
        };
        match literals {
            [literal] => self.line(&format!("(assert {})", one(literal))),
            _ => {
                let all: Vec<String> = literals.iter().map(one).collect();
                self.line(&format!("(assert (or {}))", all.join(" ")))
            }
        }
    }

    /// A new constant. Its declaration ends with the scope of its assertion, so no two assertions share one.
    fn constant(&mut self, pool: &Pool) -> Option<Literal> {
        let text = loop {
            let name = format!("d!{}", self.names);
            self.names += 1;
            if pool.find(&name).is_none() {
                break name;
            }
        };
        self.line(&format!("(declare-fun {text} () Bool)"))?;
        Some(Literal { text, negated: false })
    }

    fn assert(&mut self, pool: &mut Pool, root: TermId) -> Option<()> {
        let mut known: FxHashMap<TermId, Literal> = FxHashMap::default();
        // What a `let` is with its terms in place.
        let mut opened: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut left = vec![(root, false)];
        while let Some((term, ready)) = left.pop() {
            if known.contains_key(&term) {
                continue;
            }
            let kind = Kind::of(pool, term);
            let inside: Vec<TermId> = match kind {
                Kind::Atom => Vec::new(),
                Kind::Let => match opened.get(&term) {
                    Some(&body) => vec![body],
                    None => {
                        let body = self.open(pool, term)?;
                        opened.insert(term, body);
                        vec![body]
                    }
                },
                Kind::Of(_) => pool.args(term).to_vec(),
            };
            if !ready && !inside.is_empty() {
                left.push((term, true));
                left.extend(inside.iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            let parts: Vec<Literal> = inside.iter().map(|arg| known[arg].clone()).collect();
            let literal = self.define(pool, term, &kind, &parts)?;
            known.insert(term, literal);
        }
        self.clause(&[known[&root].clone()])
    }

    /// The body of a `let` with its bindings substituted. There is no binder around it, so nothing is captured.
    fn open(&mut self, pool: &mut Pool, term: TermId) -> Option<TermId> {
        self.lets += 1;
        let Head::Let(list) = pool.node(term).head else { return None };
        let by: Vec<(Symbol, TermId)> =
            pool.binders(list).iter().map(|b| b.name).zip(pool.args(term).iter().copied()).collect();
        let body = *pool.args(term).last()?;
        if self.lets > MOST_LETS {
            return None;
        }
        pool.substituted(body, &by)
    }

    /// The literal that is a formula with these parts; its clauses, if it needs any, are written.
    fn define(&mut self, pool: &Pool, term: TermId, kind: &Kind, parts: &[Literal]) -> Option<Literal> {
        match (kind, parts) {
            (Kind::Atom, _) => {
                if size(pool, term, self.most) > self.most {
                    return None;
                }
                Some(Literal { text: smt::write_term(pool, term), negated: false })
            }
            (Kind::Of(Connective::Not), [part]) => Some(part.not()),
            (Kind::Let, [body]) => Some(body.clone()),
            (Kind::Of(Connective::And), _) => {
                let denied: Vec<_> = parts.iter().map(Literal::not).collect();
                Some(self.some_of(pool, &denied)?.not())
            }
            (Kind::Of(Connective::Or), _) => self.some_of(pool, parts),
            (Kind::Of(Connective::Implies), [first @ .., last]) => {
                let all: Vec<_> = first.iter().map(Literal::not).chain([last.clone()]).collect();
                self.some_of(pool, &all)
            }
            (Kind::Of(Connective::Xor), [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |all, part| self.one_of(pool, &all, part))
            }
            (Kind::Of(Connective::Equal), _) => {
                let mut unequal = Vec::with_capacity(parts.len());
                for pair in parts.windows(2) {
                    unequal.push(self.one_of(pool, &pair[0], &pair[1])?);
                }
                match unequal.as_slice() {
                    [one] => Some(one.not()),
                    _ => Some(self.some_of(pool, &unequal)?.not()),
                }
            }
            (Kind::Of(Connective::Ite), [condition, then, otherwise]) => {
                let d = self.constant(pool)?;
                for (condition, part) in [(condition.not(), then), (condition.clone(), otherwise)] {
                    self.clause(&[condition.clone(), d.not(), part.clone()])?;
                    self.clause(&[condition, d.clone(), part.not()])?;
                }
                Some(d)
            }
            _ => None,
        }
    }

    /// A constant that is true if some of these are.
    fn some_of(&mut self, pool: &Pool, parts: &[Literal]) -> Option<Literal> {
        let d = self.constant(pool)?;
        for part in parts {
            self.clause(&[d.clone(), part.not()])?;
        }
        let all: Vec<_> = [d.not()].into_iter().chain(parts.iter().cloned()).collect();
        self.clause(&all)?;
        Some(d)
    }

    /// A constant that is true if one of two is and the other is not.
    fn one_of(&mut self, pool: &Pool, a: &Literal, b: &Literal) -> Option<Literal> {
        let d = self.constant(pool)?;
        self.clause(&[d.not(), a.clone(), b.clone()])?;
        self.clause(&[d.not(), a.not(), b.not()])?;
        self.clause(&[d.clone(), a.not(), b.clone()])?;
        self.clause(&[d.clone(), a.clone(), b.not()])?;
        Some(d)
    }
}

/// How many nodes a term has, if those are no more than `most`: with `let` opened, a small term may be a large text.
fn size(pool: &Pool, term: TermId, most: usize) -> usize {
    let (mut count, mut left) = (0, vec![term]);
    while let Some(term) = left.pop() {
        count += 1;
        if count > most {
            break;
        }
        left.extend_from_slice(pool.args(term));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> String {
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        String::from_utf8(in_clauses(&script).expect("small")).expect("text")
    }

    /// The truth values of `names` with which some values of all other constants make everything true.
    fn models(text: &str, names: &[&str]) -> Vec<u32> {
        let script = smt::read(text.as_bytes()).expect(text);
        let declared = script.pool.functions().map(|f| script.pool.text(script.pool.fun(f).spelling));
        let others: Vec<_> = declared.filter(|name| !names.contains(name)).collect();
        let all: Vec<&str> = names.iter().copied().chain(others).collect();
        assert!(all.len() < 18, "few enough to try them all: {all:?}");
        let holds = |bits: &u32| {
            let define =
                |(i, name): (usize, &&str)| format!("(define-fun {name} () Bool {})", bits >> i & 1 == 1);
            let model = format!("({})", all.iter().enumerate().map(define).collect::<String>());
            let model = smt::Model::read(&script, None, model.as_bytes()).expect("a model");
            smt::satisfies(&script.queries()[0], &model, &smt::Fuel::default()) == smt::Verdict::True
        };
        let mut found: Vec<u32> =
            (0..1 << all.len()).filter(holds).map(|bits: u32| bits & ((1 << names.len()) - 1)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn clauses_have_the_models_of_the_formula_and_one_extension_of_each() {
        const NAMES: &[&str] = &["p", "q", "r"];
        for formula in [
            "p",
            "(not (not p))",
            "true",
            "(and p false)",
            "(and p q r)",
            "(or p (and (not q) r))",
            "(or p)",
            "(=> p q r)",
            "(not (=> p q))",
            "(xor p q r)",
            "(= p q)",
            "(= p q r)",
            "(not (= p (or q r)))",
            "(distinct p q)",
            "(distinct p q r)",
            "(ite p q r)",
            "(not (ite (or p q) (not r) (and p r)))",
            "(let ((a (or p q)) (b r)) (= a (not b)))",
            "(let ((p q)) (let ((q (or p r))) (and p (not q))))",
            "(and (or p q) (or p q) (not (or p q)))",
            "(exists ((a Bool)) (and (or a p) (not a)))",
            "(let ((a p)) (forall ((b Bool)) (or a b q)))",
            "(= (ite p 1 2) (ite q 1 2))",
        ] {
            let text = format!(
                "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert {formula})(check-sat)"
            );
            let clauses = clauses(&text);
            // Each once: the new constants have no choice.
            assert_eq!(models(&text, NAMES), models(&clauses, NAMES), "{formula}\n{clauses}");
        }
    }

    #[test]
    fn only_connectives_are_taken_apart() {
        let text = "(set-logic ALL)(declare-const x Int)(declare-const d!0 Bool)(push 1)
            (assert (or (forall ((y Int)) (and (< x y) d!0)) (let ((z (+ x 1))) (< z (let ((u z)) u)))))
            (check-sat)(pop 1)(assert (! (or d!0 (= x 0)) :named n))(check-sat-assuming (n))";
        let expected = "(set-logic ALL)
(declare-const x Int)
(declare-const d!0 Bool)
(push 1)
(declare-fun d!1 () Bool)
(assert (or d!1 (not (forall ((y Int)) (and (< x y) d!0)))))
(assert (or d!1 (not (< (+ x 1) (let ((u (+ x 1))) u)))))
(assert (or (not d!1) (forall ((y Int)) (and (< x y) d!0)) (< (+ x 1) (let ((u (+ x 1))) u))))
(assert d!1)
(check-sat)
(pop 1)
(assert (! (or d!0 (= x 0)) :named n))
(check-sat-assuming (n))
";
        assert_eq!(clauses(text), expected);
    }

    #[test]
    fn what_grows_without_end_is_left_alone() {
        let mut text = String::from("(declare-const x Int)(declare-fun p (Int) Bool)(assert (let ((a0 x)) ");
        (1..60).for_each(|i| text += &format!("(let ((a{i} (+ a{0} a{0}))) ", i - 1));
        text += "(or (p a59) (p x))";
        text += &")".repeat(61);
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        assert_eq!(in_clauses(&script), None);
    }
}
