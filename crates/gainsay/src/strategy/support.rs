//! The operators that a mutant may use: those that the solvers read and whose names the seed does not declare.

use rustc_hash::FxHashSet;
use smt::theory::{self, DESCRIBED, Op, OpId, ReleaseNumber, Theory, table};
use smt::{Head, Script, Symbol};

/// A solver that must be able to read the mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reader {
    /// The name of the program.
    solver: String,
    /// The release of the solver; none for the newest.
    release: Option<ReleaseNumber>,
    options: Vec<String>,
}

/// The operators that may be used.
#[derive(Clone, Debug)]
pub(super) struct OperatorSupport(Vec<bool>);

impl OperatorSupport {
    /// The operators that all solvers of a list such as `z3@5.4.0,cvc5@1.4.2` read. If the list is empty, these are the
    /// standard operators that some solver reads and the extensions that all known solvers read.
    pub fn of(readers: &str) -> OperatorSupport {
        let names = readers.split(',').map(str::trim).filter(|name| !name.is_empty());
        let readers: Vec<Reader> = names.map(Reader::of).collect();
        OperatorSupport(table().ids().map(|op| is_read(table().op(op), &readers)).collect())
    }

    /// Whether an operator may be used.
    pub fn has(&self, op: OpId) -> bool {
        self.0[op.index()]
    }

    /// The operators without those that the names of a script hide, and those that no solver reads under its logic.
    #[must_use]
    pub fn in_script(&self, script: &Script) -> OperatorSupport {
        let pool = &script.pool;
        let mut own: FxHashSet<Symbol> = FxHashSet::default();
        own.extend(pool.functions().map(|fun| pool.fun(fun).name));
        for term in pool.all_terms() {
            let head = pool.node(term).head;
            if let Some(list) = head.binders() {
                own.extend(pool.binders(list).iter().map(|binder| binder.name));
            }
            if let Head::Match(cases) = head {
                for case in pool.cases(cases) {
                    own.extend(pool.binders(case.binders).iter().map(|binder| binder.name));
                }
            }
        }
        let mut free = self.clone();
        if script.logic().is_some() {
            free = free.only(|op| !op.without_logic);
        }
        for name in own {
            for &op in table().named(pool.text(name)) {
                free.0[op.index()] = false;
            }
        }
        free
    }

    /// The operators that are read in a script that sets a logic with all theories.
    #[must_use]
    pub fn in_all_theories(self) -> OperatorSupport {
        self.only(|op| !op.without_logic)
    }

    /// The operators of the standard: z3 knows no other ones in a logic that leaves theories out.
    #[must_use]
    pub fn of_the_standard(self) -> OperatorSupport {
        self.only(|op| op.standard && !op.without_logic)
    }

    /// The operators of other theories.
    #[must_use]
    pub fn without(mut self, theory: Theory) -> OperatorSupport {
        for op in table().ids().filter(|&op| table().theory(op) == theory) {
            self.0[op.index()] = false;
        }
        self
    }

    fn only(mut self, may: impl Fn(&Op) -> bool) -> OperatorSupport {
        for op in table().ids().filter(|&op| !may(table().op(op))) {
            self.0[op.index()] = false;
        }
        self
    }
}

impl Reader {
    fn of(text: &str) -> Reader {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or(text);
        let (program, release) = first.split_once('@').unwrap_or((first, ""));
        let solver = program.rsplit('/').next().unwrap_or(program).to_owned();
        // A release without a number is taken for a new one.
        Reader { solver, release: ReleaseNumber::parse(release), options: words.map(str::to_owned).collect() }
    }

    fn reads(&self, op: &Op) -> bool {
        match op.is_read_by(&self.solver, self.release, &self.options) {
            Some(read) => read && op.readers.get(&self.solver).is_some_and(|reader| !is_limited(op, reader)),
            // What is standard and has long been read by the described solvers is likely to be read by others.
            None => op.standard && op.is_read_everywhere(),
        }
    }
}

/// Whether an operator is an extension that a solver takes only with constants. Such an operator may mean something else for
/// other arguments, so it is not used. The standard operator `re.range` is used with constants.
fn is_limited(op: &Op, reader: &theory::Reader) -> bool {
    reader.constants_only && !op.standard
}

fn is_read(op: &Op, readers: &[Reader]) -> bool {
    if readers.is_empty() {
        let count = op.readers.iter().count();
        let enough = if op.standard { count > 0 } else { count == DESCRIBED.len() };
        return enough && !op.readers.iter().any(|reader| is_limited(op, reader));
    }
    readers.iter().all(|reader| reader.reads(op))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_for_those_who_read_them() {
        let rows = [
            ("bvadd", "", true),
            ("divisible", "", true),
            ("nat2bv", "", false),
            ("seq.len", "", true),
            ("set.minus", "", false),
            ("set.union", "", true),
            ("set.range", "", false),
            ("rem", "", false),
            ("rem", "z3@4.8.5", true),
            ("rem", "z3,cvc5", false),
            ("set.union", "cvc5@1.4.2", true),
            ("bvnego", "z3@5.4.0,cvc5@1.4.2", true),
            ("bvnego", "z3@4.8.12,cvc5@1.4.2", false),
            ("bvnego", "./build/z3", true),
            ("bvnego", "bitwuzla@0.8.2", false),
            ("bvadd", "bitwuzla@0.8.2, z3@5.4.0 smt.arith.solver=2", true),
            ("divisible", "z3@5.4.0,cvc5@1.4.2", false),
            ("set.universe", "cvc5@1.4.2", false),
            ("set.universe", "cvc5@1.4.2 --sets-exp", true),
        ];
        for (name, speakers, expected) in rows {
            let support = OperatorSupport::of(speakers);
            let has = table().named(name).iter().any(|&op| support.has(op));
            assert_eq!(has, expected, "{name} for {speakers:?}");
        }
    }

    #[test]
    fn names_of_the_script_hide_operators() {
        let script = smt::read(
            b"(declare-fun bvadd (Int) Int)(assert (forall ((mod Int)) (let ((abs 1)) (< mod (bvadd abs)))))",
        );
        let support = OperatorSupport::of("").in_script(&script.expect("well-sorted"));
        for (name, expected) in [("bvadd", false), ("mod", false), ("abs", false), ("div", true)] {
            let has = table().named(name).iter().any(|&op| support.has(op));
            assert_eq!(has, expected, "{name}");
        }
    }

    #[test]
    fn a_logic_excludes_operators() {
        let support = OperatorSupport::of("z3@5.4.0");
        for (text, expected) in [("(assert true)", true), ("(set-logic QF_LIA)(assert true)", false)] {
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            for (name, expected) in [("iff", expected), ("implies", expected), ("=", true), ("if", true)] {
                let support = support.in_script(&script);
                let has = table().named(name).iter().any(|&op| support.has(op));
                assert_eq!(has, expected, "{name} in {text}");
            }
        }
    }
}
