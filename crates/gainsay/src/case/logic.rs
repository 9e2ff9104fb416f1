//! The logic of a mutant: the declared one if the mutant is in it, otherwise the smallest one that it is in.

use std::ops::Range;

use smt::{Command, Logic, Script, What};

/// What the names of logics begin with that have functions as values.
pub const HIGHER_ORDER: &str = "HO_";
/// The logic with all theories and with functions as values.
pub const HIGHER_ORDER_ALL: &str = "HO_ALL";

/// A logic that a script declares, and the commands that it is for. After `reset`, a script may declare another logic.
#[derive(Clone, Debug)]
pub struct DeclaredLogic {
    /// The commands that the declaration is for.
    pub commands: Range<usize>,
    /// The number of the command that declares the logic.
    pub command: usize,
    original: Command,
    declared: String,
    offers: Logic,
    /// Whether the seed defines recursive functions.
    recursive: bool,
    /// Whether the seed uses transcendental functions such as `sin`.
    transcendentals: bool,
    /// Whether the seed declares a name that is the name of an operator in the logic `ALL`.
    clashes: bool,
}

impl DeclaredLogic {
    /// All logics that a script declares, in order.
    pub fn all(script: &Script) -> Vec<DeclaredLogic> {
        let is_reset = |&i: &usize| matches!(script.commands[i].what, What::Reset);
        let mut ends: Vec<usize> = (0..script.commands.len()).filter(is_reset).collect();
        ends.push(script.commands.len());
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).filter_map(|(start, &end)| DeclaredLogic::of(script, start..end)).collect()
    }

    /// The logic that some commands declare; none if they declare nothing. A logic that we do not know is taken to have what
    /// the seed uses, because its author had it answered. `QF_ALL` is not the name of a logic to z3.
    fn of(script: &Script, commands: Range<usize>) -> Option<DeclaredLogic> {
        let named = |&i: &usize| matches!(script.commands[i].what, What::SetLogic(_));
        let command = commands.clone().find(named)?;
        let What::SetLogic(declared) = script.commands[command].what else { return None };
        let declared = script.pool.text(declared).to_owned();
        let own = Logic::of_commands(script, commands.clone());
        let offers = match &*declared {
            "QF_ALL" => Logic::default(),
            name => Logic::named(name).unwrap_or(own),
        };
        let recursive =
            script.commands[commands.clone()].iter().any(|c| matches!(c.what, What::DefineFunsRec(..)));
        let named = |fun| !smt::theory::table().named(script.pool.text(script.pool.fun(fun).name)).is_empty();
        Some(DeclaredLogic {
            commands,
            command,
            original: script.commands[command],
            declared,
            offers,
            recursive,
            transcendentals: own.transcendentals,
            clashes: script.pool.functions().any(named),
        })
    }

    /// The logic to declare for what a mutant uses; none if it is the declared one. If the seed uses more than its logic has,
    /// as far as we can tell, a mutant declares another logic.
    pub fn other(&self, used: Logic) -> Option<String> {
        if self.offers.holds(used) {
            return None;
        }
        // z3 knows sine and its kin, numbers of bit-vectors and recursive definitions only in ALL.
        let mixed = used.bitvectors && used.ints;
        // It knows strings only in that one and in those of strings and integers alone.
        let alone = Logic { strings: true, ints: used.ints, arithmetic: used.arithmetic, ..Logic::default() };
        let strings = used.strings && used != alone;
        // It knows finite fields only there and in their own logic, and the sort `->` only there.
        let fields = used.fields && used != Logic { fields: true, ..Logic::default() };
        let all = used.other
            || used.transcendentals
            || mixed
            || strings
            || fields
            || used.higher_order
            || self.recursive
            || self.declared == "QF_ALL";
        // cvc5 takes functions as values only in logics of this prefix.
        let functions = used.higher_order || self.declared.starts_with(HIGHER_ORDER);
        Some(match (all, functions) {
            (true, true) => HIGHER_ORDER_ALL.to_owned(),
            (true, false) => "ALL".to_owned(),
            (false, _) => used.name(),
        })
    }

    /// Whether solvers understand the mutant in the other logic as they understand the seed in its own. A numeral must have the
    /// same sort, no name of the seed may become that of an operator, and z3 has transcendental functions in no higher-order
    /// logic.
    pub fn admits(&self, used: Logic, other: Option<&str>) -> bool {
        let sine = used.transcendentals && !self.transcendentals && self.declared.starts_with("HO_");
        let read = |other| {
            let alike = smt::read::is_real_only(&self.declared) == smt::read::is_real_only(other);
            alike && !(self.clashes && ["ALL", HIGHER_ORDER_ALL].contains(&other))
        };
        !sine && other.is_none_or(read)
    }

    /// Declares the logic that fits what the script uses now.
    pub fn keep(&self, script: &mut Script) {
        let command = match self.other(Logic::of_commands(script, self.commands.clone())) {
            None => self.original,
            Some(name) => Command { what: What::SetLogic(script.pool.intern(&name)), span: None },
        };
        script.commands[self.command] = command;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_logic_is_kept_while_it_holds() {
        let rows = [
            ("QF_LIA", "(* x 2)", None),
            ("QF_LIA", "(* x x)", Some("QF_NIA")),
            ("ALL", "(* x x)", None),
            ("QF_UFLIA", "(* x x)", Some("QF_NIA")),
            ("QF_LIA", "(seq.len (seq.unit x))", Some("ALL")),
            ("QF_LIA", "(to_int (sin (to_real x)))", Some("ALL")),
            ("QF_LIA", "(bv2nat ((_ int_to_bv 4) x))", Some("ALL")),
            ("QF_LIA", "(str.len (str.from_code x))", Some("QF_SLIA")),
            ("QF_LIA", "(to_int (/ (to_real (str.len (str.from_code x))) 2.0))", Some("ALL")),
            ("HORN", "(+ x 1)", None),
            ("HORN", "(* x x)", Some("QF_NIA")),
            ("QF_ALL", "(+ x 1)", Some("ALL")),
            ("QF_LIA", "(ite (= (as ff1 (_ FiniteField 3)) (as ff2 (_ FiniteField 3))) 1 x)", Some("ALL")),
            ("QF_LIA", "((lambda ((y Int)) y) x)", Some("HO_ALL")),
            ("HO_QF_LIA", "((lambda ((y Int)) y) x)", None),
            ("HO_QF_LIA", "(seq.len (seq.unit x))", Some("HO_ALL")),
        ];
        for (declared, term, expected) in rows {
            let text = |term: &str| {
                format!("(set-logic {declared})(declare-const x Int)(assert (= x (+ x 1) {term}))(check-sat)")
            };
            let seed = smt::read(text("(- x 1)").as_bytes()).expect("well-sorted");
            let [promise] = &DeclaredLogic::all(&seed)[..] else { panic!("declared once") };
            let mutant = smt::read(text(term).as_bytes()).expect("well-sorted");
            assert_eq!(promise.other(Logic::of(&mutant)).as_deref(), expected, "{declared} {term}");
        }
        let beyond = b"(set-logic QF_LIA)(declare-const x Int)(assert (= x (let ((two 2)) (* two x))))";
        let beyond = smt::read(beyond).expect("well-sorted");
        let other = DeclaredLogic::all(&beyond)[0].other(Logic::of(&beyond));
        assert_eq!(other.as_deref(), Some("QF_NIA"));
        assert!(DeclaredLogic::all(&smt::read(b"(assert true)").expect("well-sorted")).is_empty());
    }

    #[test]
    fn what_is_declared_holds_up_to_a_reset() {
        let text = "(declare-const x Int)(assert (< x 1))(reset)\
                    (set-logic QF_BV)(declare-const p Bool)(assert p)(reset)\
                    (set-logic QF_LRA)(declare-const x Real)(assert (< x 1.0))";
        let mut script = smt::read(text.as_bytes()).expect("well-sorted");
        let promises = DeclaredLogic::all(&script);
        let commands: Vec<_> = promises.iter().map(|promise| promise.commands.clone()).collect();
        assert_eq!(commands, [2..6, 6..10]);
        for promise in &promises {
            promise.keep(&mut script);
        }
        assert_eq!(script.logic(), Some("QF_BV"), "what is declared later is none of its business");
        let x = script.term_of(9, 0).expect("asserted");
        let x = script.pool.args(x)[0];
        let product = script.pool.apply_named("*", &[], &[x, x], None).expect("well-sorted");
        let less = script.pool.apply_named("<", &[], &[product, x], None).expect("well-sorted");
        assert!(script.set_term(9, 0, less));
        for promise in &promises {
            promise.keep(&mut script);
        }
        let set = |c: &Command| match c.what {
            What::SetLogic(name) => Some(script.pool.text(name)),
            _ => None,
        };
        assert_eq!(script.commands.iter().filter_map(set).collect::<Vec<_>>(), ["QF_BV", "QF_NRA"]);
    }
}
