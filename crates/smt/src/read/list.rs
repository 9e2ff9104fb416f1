//! The sort `(List X)`, which z3 declares by itself in scripts that set no logic, and constants of sorts with parameters
//! that stand without their sort.

use super::Reader;
use super::scope::SortMeaning;
use crate::sort::{Sort, SortDeclId};
use crate::symbol::Symbol;
use crate::term::{FunId, Head, TermId};

impl Reader<'_> {
    /// The declaration of `List`. Its functions are in scope from now on and stay there, as if they had been declared before
    /// everything else.
    pub(super) fn list_sort(&mut self) -> SortDeclId {
        let decl = self.pool.list_decl();
        self.scope.bind_sort(self.pool.sort_decl(decl).name, SortMeaning::Declared(decl));
        self.scope.bind_first(&self.pool, decl);
        decl
    }

    /// A constant such as `nil` without its sort. As z3 has it, that is the only instance of the sort that was read so far.
    pub(super) fn only_instance(&mut self, fun: FunId, spelling: Symbol) -> Option<TermId> {
        let decl = self.pool.fun(fun);
        let Sort::Declared(sort, _) = self.pool.sort(decl.result) else { return None };
        if decl.type_params.is_empty() || !decl.args.is_empty() {
            return None;
        }
        let only = self.instances.get(&sort).copied().flatten()?;
        Some(self.pool.add_term(Head::Fun(fun), spelling, only, &[]))
    }
}

#[cfg(test)]
mod tests {
    use crate::value::Value;
    use crate::{Fuel, Model, What, eval, read};

    /// What is not understood, or why the script is refused.
    fn problem(text: &str) -> Option<String> {
        match read(text.as_bytes()) {
            Ok(script) => {
                assert!(script.is_lossless(), "{text}");
                script.opaque.first().map(|part| part.why.clone())
            }
            Err(error) => Some(error.message),
        }
    }

    #[test]
    fn lists_are_there_without_a_declaration() {
        let declared = "(declare-const l (List Int))";
        let rows = [
            "(assert (= l (insert 1 (insert 2 nil))))",
            "(assert (> (head l) (head (tail l))))",
            "(assert (or (is-nil l) ((_ is insert) l)))",
            "(assert (= l (as nil (List Int))))",
            "(push)(declare-const m (List Int))(pop)(assert (= l nil))",
            "(reset)(declare-const m (List Int))(assert (= m nil))",
            "(reset)(declare-const m (List Bool))(assert (= m (insert true nil)))",
        ];
        for row in rows {
            assert_eq!(problem(&format!("{declared}{row}(check-sat)")), None, "{row}");
        }
        assert_eq!(problem("(define-fun f ((l (List Int))) Int (head l))(assert (= (f nil) 1))"), None);
        assert_eq!(problem("(assert (forall ((l (List Int))) (= l nil)))(assert (is-nil nil))"), None);
    }

    #[test]
    fn lists_are_there_only_where_z3_has_them() {
        let rows = [
            ("(set-logic ALL)(declare-const l (List Int))", "the sort (List Int) is not known"),
            ("(assert (= nil nil))", "nil is not known"),
            ("(declare-const l (List Int Int))", "the sort (List Int Int) is not known"),
            ("(declare-const l (List Int))(reset)(assert (= nil nil))", "nil is not known"),
            ("(declare-const l (List Int))(assert (= l (insert true nil)))", "insert does not take"),
            (
                "(declare-const l (List Int))(declare-const m (List Bool))(assert (= l nil))",
                "nil cannot stand alone",
            ),
        ];
        for (text, expected) in rows {
            let problem = problem(text).unwrap_or_default();
            assert!(problem.starts_with(expected), "{text}: {problem}");
        }
    }

    #[test]
    fn names_that_a_script_declares_are_its_own() {
        let rows = [
            "(declare-datatypes ((List 1)) ((par (T) ((none) (cons (first T) (rest (List T)))))))(declare-const l (List Int))(assert (= l (as none (List Int))))",
            "(declare-fun head ((List Int)) Int)(declare-const l (List Int))(assert (= (head l) 1))",
            "(declare-const nil Int)(declare-const l (List Int))(assert (= nil 1))",
        ];
        for row in rows {
            assert_eq!(problem(row), None, "{row}");
        }
    }

    #[test]
    fn models_have_lists() {
        let text = "(declare-const l (List Int))(assert (and (> (head l) 4) (= (tail l) (insert 2 nil))))(check-sat)";
        let rows = [
            ("(insert 5 (insert 2 nil))", Some(true)),
            ("(insert 5 (insert 3 nil))", Some(false)),
            // The head of no list is left to the model.
            ("nil", None),
        ];
        for (value, expected) in rows {
            let script = read(text.as_bytes()).expect("well-sorted");
            let model = format!("((define-fun l () (List Int) {value}))");
            let model = Model::read(&script, None, model.as_bytes()).expect("readable");
            let What::Assert(term) = script.commands[1].what else { panic!("an assertion") };
            let found = eval(term, &model, &mut Fuel::new(10_000)).ok();
            assert_eq!(found, expected.map(Value::Bool), "{value}");
        }
    }
}
