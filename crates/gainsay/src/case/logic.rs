//! The logic of a mutant: the declared one while it holds, else the smallest that does.

use smt::{Command, Logic, Script, What};

/// What the logic that a script declares promises, and what it therefore may become.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The command that declares it.
    pub command: usize,
    original: Command,
    declared: String,
    offers: Logic,
    /// Whether the seed defines functions by themselves.
    recursive: bool,
    /// Whether the seed uses sine and its kin.
    transcendentals: bool,
    /// Whether the seed declares a name that is an operator's where there are all of them.
    clashes: bool,
}

impl Promise {
    /// The promise of a seed; none if it declares nothing. A logic that we do not know promises what its seed uses, for
    /// its author had it answered.
    pub fn of(script: &Script) -> Option<Promise> {
        let command = script.commands.iter().position(|c| matches!(c.what, What::SetLogic(_)))?;
        let declared = script.logic()?.to_owned();
        let own = Logic::of(script);
        let offers = Logic::named(&declared).unwrap_or(own);
        let recursive = script.commands.iter().any(|c| matches!(c.what, What::DefineFunsRec(..)));
        let named = |fun| !smt::theory::table().named(script.pool.text(script.pool.fun(fun).name)).is_empty();
        Some(Promise {
            command,
            original: script.commands[command],
            declared,
            offers,
            recursive,
            transcendentals: own.transcendentals,
            clashes: script.pool.functions().any(named),
        })
    }

    /// The logic for what is now used; none for the declared one. Where the seed itself goes beyond its logic, as far as we
    /// can tell, nobody knows how far a mutant may go, and it is given another.
    pub fn other(&self, used: Logic) -> Option<String> {
        if self.offers.holds(used) {
            return None;
        }
        // z3 knows sine and its kin, numbers of bit-vectors and recursive definitions only in ALL.
        let mixed = used.bitvectors && used.ints;
        let all = used.other || used.transcendentals || mixed || self.recursive;
        Some(if all { "ALL".to_owned() } else { used.name() })
    }

    /// Whether solvers read in that logic what is now used as they read the seed in its own. A numeral must be of the same sort,
    /// no name of the seed may become an operator's, and z3 knows sine and its kin in no logic of higher order.
    pub fn admits(&self, used: Logic, other: Option<&str>) -> bool {
        let sine = used.transcendentals && !self.transcendentals && self.declared.starts_with("HO_");
        let read = |other| {
            let alike = smt::read::is_real_only(&self.declared) == smt::read::is_real_only(other);
            alike && !(self.clashes && other == "ALL")
        };
        !sine && other.is_none_or(read)
    }

    /// Declares the logic for what the script now uses.
    pub fn keep(&self, script: &mut Script) {
        let command = match self.other(Logic::of(script)) {
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
            ("HORN", "(+ x 1)", None),
            ("HORN", "(* x x)", Some("QF_NIA")),
        ];
        for (declared, term, expected) in rows {
            let text = |term: &str| {
                format!("(set-logic {declared})(declare-const x Int)(assert (= x (+ x 1) {term}))(check-sat)")
            };
            let seed = smt::read(text("(- x 1)").as_bytes()).expect("well-sorted");
            let promise = Promise::of(&seed).expect("declared");
            let mutant = smt::read(text(term).as_bytes()).expect("well-sorted");
            assert_eq!(promise.other(Logic::of(&mutant)).as_deref(), expected, "{declared} {term}");
        }
        let beyond = b"(set-logic QF_LIA)(declare-const x Int)(assert (= x (let ((two 2)) (* two x))))";
        let beyond = smt::read(beyond).expect("well-sorted");
        let other = Promise::of(&beyond).and_then(|promise| promise.other(Logic::of(&beyond)));
        assert_eq!(other.as_deref(), Some("QF_NIA"));
        assert!(Promise::of(&smt::read(b"(assert true)").expect("well-sorted")).is_none());
    }
}
