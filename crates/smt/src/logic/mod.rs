//! Logics: the theories that a script uses, the smallest logic that has them, and the meaning of the names of logics.

mod used;

/// The arithmetic of a logic, from none to all of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Arithmetic {
    /// There is no arithmetic.
    #[default]
    None,
    /// Only differences of two variables are compared with constants.
    Difference,
    /// Sums, and products with constants.
    Linear,
    /// All arithmetic.
    NonLinear,
}

/// The theories that a script uses, or that a logic offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Logic {
    /// Whether there are quantifiers.
    pub quantifiers: bool,
    /// Whether there are arrays.
    pub arrays: bool,
    /// Whether there are uninterpreted functions or sorts.
    pub functions: bool,
    /// Whether there are bit-vectors.
    pub bitvectors: bool,
    /// Whether there are finite fields.
    pub fields: bool,
    /// Whether there are floats.
    pub floats: bool,
    /// Whether there are datatypes.
    pub datatypes: bool,
    /// Whether there are strings.
    pub strings: bool,
    /// Whether there are integers.
    pub ints: bool,
    /// Whether there are reals.
    pub reals: bool,
    /// The arithmetic there is.
    pub arithmetic: Arithmetic,
    /// Whether there are transcendental functions such as sine.
    pub transcendentals: bool,
    /// Whether functions are values.
    pub higher_order: bool,
    /// Whether there is something that only the name `ALL` includes: sequences, sets, extensions, unknown parts.
    pub other: bool,
}

impl Logic {
    /// The logic that has everything.
    pub const ALL: Logic = Logic {
        quantifiers: true,
        arrays: true,
        functions: true,
        bitvectors: true,
        fields: true,
        floats: true,
        datatypes: true,
        strings: true,
        ints: true,
        reals: true,
        arithmetic: Arithmetic::NonLinear,
        transcendentals: true,
        higher_order: true,
        other: true,
    };

    /// What a logic's name promises; none if the name does not follow the rule.
    pub fn named(name: &str) -> Option<Logic> {
        let mut logic = Logic { quantifiers: true, ..Logic::default() };
        let mut rest = name;
        if let Some(after) = rest.strip_prefix("HO_") {
            (rest, logic.higher_order) = (after, true);
        }
        if let Some(after) = rest.strip_prefix("QF_") {
            (rest, logic.quantifiers) = (after, false);
        }
        if rest == "ALL" {
            let (quantifiers, higher_order) =
                (logic.quantifiers, logic.higher_order || !name.starts_with("HO_"));
            return Some(Logic { quantifiers, higher_order, ..Logic::ALL });
        }
        if rest.is_empty() {
            return None;
        }
        let mut take = |prefix: &str| match rest.strip_prefix(prefix) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        // In the order in which names are made: QF_AUFBVFPDTSLIRA. Scripts of QF_AX declare sorts of their own.
        let own_sorts = take("AX");
        (logic.arrays, logic.functions) = (own_sorts || take("A"), take("UF") || own_sorts);
        logic.bitvectors = take("BV");
        logic.fields = take("FF");
        logic.floats = take("FP");
        logic.datatypes = take("DT");
        logic.strings = take("S");
        for (ending, arithmetic, ints, reals) in ARITHMETIC {
            if take(ending) {
                (logic.arithmetic, logic.ints, logic.reals) = (*arithmetic, *ints, *reals);
                logic.transcendentals = take("T");
                break;
            }
        }
        rest.is_empty().then_some(logic)
    }

    /// The shortest name of a logic that has all of this, in the order `QF_AUFBVFFFPDTSLIRA`; `ALL` if none does.
    pub fn name(self) -> String {
        if self.other {
            return if self.quantifiers { "ALL".to_owned() } else { "QF_ALL".to_owned() };
        }
        let mut name = String::new();
        let mut add = |yes: bool, part: &str| {
            if yes {
                name.push_str(part);
            }
        };
        let alone = !(self.functions
            || self.bitvectors
            || self.fields
            || self.floats
            || self.datatypes
            || self.strings
            || self.ints
            || self.reals);
        add(self.higher_order, "HO_");
        add(!self.quantifiers, "QF_");
        add(self.arrays, if alone { "AX" } else { "A" });
        add(self.functions, "UF");
        add(self.bitvectors, "BV");
        add(self.fields, "FF");
        add(self.floats, "FP");
        add(self.datatypes, "DT");
        add(self.strings, "S");
        add(true, self.arithmetic_name());
        add(self.transcendentals, "T");
        if name.is_empty() || name == "QF_" || name == "HO_QF_" || name == "HO_" {
            // Propositional logic has no name of its own.
            name.push_str("UF");
        }
        name
    }

    /// The part of the name that says which arithmetic there is.
    fn arithmetic_name(self) -> &'static str {
        if !(self.ints || self.reals || self.transcendentals) {
            return "";
        }
        // Difference logic has its name only where nothing else is there but functions.
        let pure = !(self.arrays
            || self.bitvectors
            || self.floats
            || self.datatypes
            || self.strings
            || self.transcendentals);
        let difference = self.arithmetic == Arithmetic::Difference && pure && self.ints != self.reals;
        let linear = self.arithmetic <= Arithmetic::Linear && !self.transcendentals;
        match (self.ints, self.reals) {
            (true, _) if difference => "IDL",
            (false, _) if difference => "RDL",
            (true, true) if linear => "LIRA",
            (true, false) if linear => "LIA",
            (false, _) if linear => "LRA",
            (true, true) => "NIRA",
            (true, false) => "NIA",
            (false, _) => "NRA",
        }
    }

    /// The union of two logics.
    #[must_use]
    #[inline]
    pub fn join(self, other: Logic) -> Logic {
        Logic {
            quantifiers: self.quantifiers | other.quantifiers,
            arrays: self.arrays | other.arrays,
            functions: self.functions | other.functions,
            bitvectors: self.bitvectors | other.bitvectors,
            fields: self.fields | other.fields,
            floats: self.floats | other.floats,
            datatypes: self.datatypes | other.datatypes,
            strings: self.strings | other.strings,
            ints: self.ints | other.ints,
            reals: self.reals | other.reals,
            arithmetic: self.arithmetic.max(other.arithmetic),
            transcendentals: self.transcendentals | other.transcendentals,
            higher_order: self.higher_order | other.higher_order,
            other: self.other | other.other,
        }
    }

    /// Whether this logic has everything that `used` has.
    pub fn holds(self, used: Logic) -> bool {
        let pairs = [
            (self.quantifiers, used.quantifiers),
            (self.arrays, used.arrays),
            (self.functions, used.functions),
            (self.bitvectors, used.bitvectors),
            (self.fields, used.fields),
            (self.floats, used.floats),
            (self.datatypes, used.datatypes),
            (self.strings, used.strings),
            (self.ints, used.ints),
            (self.reals, used.reals),
            (self.transcendentals, used.transcendentals),
            (self.higher_order, used.higher_order),
            (self.other, used.other),
        ];
        pairs.iter().all(|&(has, needs)| has || !needs) && self.arithmetic >= used.arithmetic
    }
}

const ARITHMETIC: &[(&str, Arithmetic, bool, bool)] = &[
    ("IDL", Arithmetic::Difference, true, false),
    ("RDL", Arithmetic::Difference, false, true),
    ("LIRA", Arithmetic::Linear, true, true),
    ("LIA", Arithmetic::Linear, true, false),
    ("LRA", Arithmetic::Linear, false, true),
    ("NIRA", Arithmetic::NonLinear, true, true),
    ("NIA", Arithmetic::NonLinear, true, false),
    ("NRA", Arithmetic::NonLinear, false, true),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn smallest() {
        let rows = [
            ("(declare-const p Bool)(assert p)", "QF_UF"),
            ("(declare-const x Int)(assert (< x 1))", "QF_IDL"),
            ("(declare-const x Int)(declare-const y Int)(assert (<= (- x y) (- 3)))", "QF_IDL"),
            ("(declare-const x Int)(assert (< (+ x x) 1))", "QF_LIA"),
            ("(declare-const x Int)(assert (< (* 2 x) 1))", "QF_LIA"),
            ("(declare-const x Int)(assert (< (* x x) 1))", "QF_NIA"),
            ("(declare-const x Int)(assert (= (div x 3) 1))", "QF_LIA"),
            ("(declare-const x Int)(assert (= (div x 0) 1))", "QF_NIA"),
            ("(declare-const x Int)(assert (= (div 3 x) 1))", "QF_NIA"),
            ("(declare-const x Real)(assert (= (/ x 3.0) (+ x 1.0)))", "QF_LRA"),
            ("(declare-const x Real)(assert (= (/ 1 3) (+ x 1.0)))", "QF_LIRA"),
            ("(declare-const x Real)(assert (= (to_int x) (+ 1 1)))", "QF_LIRA"),
            ("(declare-const x Real)(assert (= (sin x) 0.0))", "QF_NRAT"),
            ("(declare-fun f (Int) Int)(assert (= (f 1) (+ 2 (f 2))))", "QF_UFLIA"),
            ("(declare-const a (Array Int Int))(assert (= (select a 0) 1))", "QF_ALIA"),
            ("(declare-sort S 0)(declare-const a (Array S S))(assert (= a a))", "QF_AUF"),
            ("(declare-const a (Array Bool Bool))(assert (= a a))", "QF_AX"),
            ("(declare-const b (_ BitVec 8))(assert (bvult b #x01))", "QF_BV"),
            ("(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= a a))", "QF_ABV"),
            ("(assert (forall ((x Int)) (< x (+ x 1))))", "LIA"),
            ("(declare-const s String)(assert (= s \"a\"))", "QF_S"),
            ("(declare-const s String)(assert (= (str.len s) 1))", "QF_SLIA"),
            ("(declare-const f Float32)(assert (fp.isNaN f))", "QF_FP"),
            ("(declare-const f Float32)(assert (= f ((_ to_fp 8 24) RNE 0.5)))", "QF_FP"),
            ("(declare-datatype L ((n) (c (h Int))))(declare-const l L)(assert (= l n))", "QF_DTLIA"),
            ("(declare-const s (Seq Int))(assert (= s s))", "QF_ALL"),
            ("(assert (= (lambda ((x Int)) x) (lambda ((y Int)) (+ y 0))))", "HO_QF_LIA"),
            ("(assert (unknown 1))", "QF_ALL"),
        ];
        for (text, expected) in rows {
            let script = read(text.as_bytes()).expect(text);
            let logic = Logic::of(&script);
            assert_eq!(logic.name(), expected, "{text}");
            let named = Logic::named(expected).expect(expected);
            assert!(named.holds(logic), "{expected} holds {text}");
        }
    }

    #[test]
    fn names() {
        for name in [
            "QF_AUFLIRA",
            "UFBV",
            "QF_ABVFP",
            "ALL",
            "QF_UFDTLIA",
            "AUFDTLIA",
            "QF_SLIA",
            "HO_ALL",
            "QF_FPLRA",
        ] {
            assert!(Logic::named(name).is_some(), "{name}");
        }
        for name in ["", "QF_", "HORN", "QF_XYZ", "LIAQF_"] {
            assert!(Logic::named(name).is_none(), "{name}");
        }
        let lia = Logic::named("QF_LIA").expect("a name");
        assert!(!lia.holds(Logic::named("QF_NIA").expect("a name")));
        assert!(!lia.holds(Logic::named("LIA").expect("a name")));
        assert!(Logic::ALL.holds(lia));
    }
}
