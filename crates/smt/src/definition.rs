//! A model as definitions that a script can hold.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::pool::Pool;
use crate::sort::Sort;
use crate::symbol::word;
use crate::term::{Binder, BinderList, FunId, FunKind, Head, TermId};
use crate::theory::table;
use crate::value::{Array, Value, write as write_value};
use crate::write::{sort_text, write_term};

/// Interpretations of more nodes than this are not written out.
const MOST_WRITTEN: usize = 100_000;

impl Model {
    /// Gives a declared function a value: of its sort, or the table of all its values. It is kept as a definition where it can
    /// be written as one.
    pub fn give(&mut self, fun: FunId, value: &Value) {
        match definition(self, fun, value) {
            Some((binders, body)) => self.interpret(fun, binders, body),
            // Nothing that can be written, such as a language.
            None => self.set_value(fun, value.clone()),
        }
    }

    /// The interpretation of a function as a `define-fun` that can replace its declaration.
    ///
    /// There is none if the model does not interpret the function, or if a script cannot express the interpretation:
    /// elements of uninterpreted sorts, functions that only the model has.
    ///
    /// What z3 names only in models is written as a `lambda`: a function that only the model has, named where a function is
    /// meant (`(_ as-array k!1)`), and a constant function.
    pub fn definition(&self, fun: FunId) -> Option<String> {
        let (binders, body) = self.interpretation(fun)?;
        let mut own = None;
        let given = body;
        let body = if self.needs_lambdas(body) {
            self.with_lambdas(own.insert(self.pool().clone()), body)?
        } else {
            body
        };
        let pool = own.as_ref().unwrap_or(self.pool());
        let mut left = vec![body];
        let (mut steps, mut unread) = (0, false);
        while let Some(term) = left.pop() {
            steps += 1;
            let plain = match pool.node(term).head {
                Head::Op(op, _) => {
                    unread |= table().op(op).readers.iter().next().is_none();
                    table().op(op).name != "as-array"
                }
                Head::Fun(f) => matches!(
                    pool.fun(f).kind,
                    FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_)
                ),
                Head::Opaque => false,
                _ => true,
            };
            // An element of an uninterpreted sort has no name in a script.
            let element = pool.args(term).is_empty()
                && matches!(pool.sort(pool.sort_of(term)), Sort::Declared(decl, _) if pool.sort_decl(decl).datatype.is_none())
                && !matches!(pool.node(term).head, Head::Variable(_));
            if !plain || element || steps > MOST_WRITTEN {
                return None;
            }
            left.extend_from_slice(pool.args(term));
        }
        let (decl, binders) = (pool.fun(fun), pool.binders(binders));
        let value = |model: &Model| {
            let value = eval(given, model, &mut Fuel::default()).ok().filter(|_| binders.is_empty())?;
            write_value(pool, decl.result, &value).ok()
        };
        let body = match pool.sort(decl.result) {
            // z3 prints `((as set.unique S) 1 2)` for some set of two elements and does not read it. It becomes one of them.
            _ if unread => value(&self.completed())?,
            // Solvers print constructors without the sort that they want to read with them; as a value they have it.
            Sort::Declared(..) => value(self).unwrap_or_else(|| write_term(pool, body)),
            _ => write_term(pool, body),
        };
        let bound = |b: &Binder| format!("({} {})", pool.text(b.spelling), sort_text(pool, b.sort));
        let bound: Vec<_> = binders.iter().map(bound).collect();
        Some(format!(
            "(define-fun {} ({}) {} {})",
            pool.text(decl.spelling),
            bound.join(" "),
            sort_text(pool, decl.result),
            body
        ))
    }

    /// The function that only the model has and that a term names.
    fn named(&self, pool: &Pool, term: TermId) -> Option<FunId> {
        let node = pool.node(term);
        let Head::Fun(fun) = node.head else { return None };
        let is_value = pool.args(term).is_empty() && matches!(pool.sort(node.sort), Sort::Function(_));
        (is_value && !pool.fun(fun).args.is_empty() && !self.is_of_script(fun)).then_some(fun)
    }

    /// Whether something below a term is written as a `lambda` in a script.
    fn needs_lambdas(&self, root: TermId) -> bool {
        let pool = self.pool();
        let (mut left, mut seen) = (vec![root], FxHashSet::default());
        while let Some(term) = left.pop() {
            if self.named(pool, term).is_some() || is_constant_function(pool, term) {
                return true;
            }
            if seen.len() < MOST_WRITTEN && seen.insert(term) {
                left.extend_from_slice(pool.args(term));
            }
        }
        false
    }

    /// A term with `lambda` for what z3 names only in models; none if a function is not defined, or by way of itself.
    fn with_lambdas(&self, pool: &mut Pool, root: TermId) -> Option<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut begun = FxHashSet::default();
        let mut left = vec![(root, false)];
        while let Some((term, ready)) = left.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let named = self.named(pool, term).map(|fun| self.interpretation(fun).ok_or(()));
            let named = named.transpose().ok()?;
            let args = match named {
                Some((_, body)) => vec![body],
                None => pool.args(term).to_vec(),
            };
            if !ready {
                if begun.len() > MOST_WRITTEN || !begun.insert(term) {
                    return None;
                }
                left.push((term, true));
                left.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
            let (node, constant) = (*pool.node(term), is_constant_function(pool, term));
            let new = match (named, pool.sort(node.sort)) {
                (Some((binders, _)), _) => pool.add_term(Head::Lambda(binders), word::NONE, node.sort, &args),
                (None, Sort::Function(list)) if constant => {
                    let sorts = pool.sort_list(list).to_vec();
                    let inputs = sorts[..sorts.len() - 1].iter().enumerate();
                    // No name of a model or a script that a constant would be hidden by.
                    let binders: Vec<Binder> =
                        inputs.map(|(i, &sort)| pool.binder(&format!("constant!{i}"), sort)).collect();
                    let binders = pool.binders_id(&binders);
                    pool.add_term(Head::Lambda(binders), word::NONE, node.sort, &args)
                }
                _ => pool.add_term(node.head, node.name, node.sort, &args),
            };
            done.insert(term, new);
        }
        done.get(&root).copied()
    }

    /// The interpretations of all declared functions as definitions, without those that a script cannot express.
    pub fn definitions(&self) -> Vec<String> {
        let declared =
            |fun: &FunId| self.is_of_script(*fun) && self.pool().fun(*fun).kind == FunKind::Declared;
        self.pool().functions().filter(declared).filter_map(|fun| self.definition(fun)).collect()
    }
}

/// Whether a term is a function that has one value everywhere, as z3 prints it: `((as const (-> Int Int)) 5)`.
fn is_constant_function(pool: &Pool, term: TermId) -> bool {
    let node = pool.node(term);
    let Head::Op(op, _) = node.head else { return false };
    table().op(op).name == "const"
        && pool.args(term).len() == 1
        && matches!(pool.sort(node.sort), Sort::Function(_))
}

/// A value as the body of a definition.
fn definition(model: &mut Model, fun: FunId, value: &Value) -> Option<(BinderList, TermId)> {
    let pool = model.pool_mut();
    let (args, result) = (pool.fun(fun).args.clone(), pool.fun(fun).result);
    if args.is_empty() {
        return Some((BinderList(0), pool.value(result, value).ok()?));
    }
    let Value::Array(table) = value else { return None };
    let table: &Array = table;
    let binders: Vec<Binder> =
        args.iter().enumerate().map(|(i, &sort)| pool.binder(&format!("x!{i}"), sort)).collect();
    let mut body = pool.value(result, &table.default).ok()?;
    for (place, element) in &table.entries {
        let point = match place {
            Value::Tuple(parts) if args.len() > 1 => parts.to_vec(),
            _ => vec![place.clone()],
        };
        let mut conditions = Vec::new();
        for ((binder, &sort), value) in binders.iter().zip(&args).zip(&point) {
            let (variable, value) = (pool.variable(*binder), pool.value(sort, value).ok()?);
            conditions.push(pool.apply_named("=", &[], &[variable, value], None).ok()?);
        }
        let condition = match conditions[..] {
            [only] => only,
            _ => pool.apply_named("and", &[], &conditions, None).ok()?,
        };
        let element = pool.value(result, element).ok()?;
        body = pool.apply_named("ite", &[], &[condition, element, body], None).ok()?;
    }
    Some((pool.binders_id(&binders), body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Script, read};

    fn definitions(script: &Script, model: &str) -> Vec<String> {
        let command = script.queries()[0].command;
        Model::read(script, Some(command), model.as_bytes()).expect(model).definitions()
    }

    #[test]
    fn what_no_solver_reads_is_written_as_a_value() {
        let script = "(declare-const a (FiniteSet Int))(declare-const b (FiniteSet Bool))(declare-fun f (Int) (FiniteSet Int))
                      (assert (set.in 2 a))(check-sat)";
        let script = read(script.as_bytes()).expect("well-sorted");
        let model = "((define-fun a () (FiniteSet Int) (set.union (set.singleton 2) ((as set.unique (FiniteSet Int)) 0 2)))
                      (define-fun b () (FiniteSet Bool) ((as set.unique (FiniteSet Bool)) 0 1))
                      (define-fun f ((x!0 Int)) (FiniteSet Int) ((as set.unique (FiniteSet Int)) 0 1)))";
        let large = "(set.singleton 1048576) (set.singleton 1048577)";
        assert_eq!(
            definitions(&script, model),
            [format!("(define-fun a () (FiniteSet Int) (set.union (set.singleton 2) {large}))")],
            "completion knows such elements among integers only"
        );
    }

    #[test]
    fn functions_of_functions_are_written() {
        let script = "(declare-fun f ((-> Int Int)) Int)(declare-const g (-> Int Int))
                      (declare-const h (-> Int Int Bool))(declare-fun s (Int) Int)(assert (= (f g) 3))(check-sat)";
        let script = read(script.as_bytes()).expect("well-sorted");
        // What a model prints, and what a script says instead.
        let rows: &[(&str, &[&str])] = &[
            // cvc5
            (
                "((define-fun f ((x (-> Int Int))) Int (ite (= (lambda ((y Int)) 0) x) 3 4))
                  (define-fun g ((y Int)) Int 0))",
                &[
                    "(define-fun f ((x (-> Int Int))) Int (ite (= (lambda ((y Int)) 0) x) 3 4))",
                    "(define-fun g () (-> Int Int) (lambda ((y Int)) 0))",
                ],
            ),
            (
                "((define-fun h ((y Int) (z Int)) Bool (> y z)))",
                &["(define-fun h () (-> Int Int Bool) (lambda ((y Int) (z Int)) (> y z)))"],
            ),
            // z3
            (
                "((define-fun g () (-> Int Int) ((as const (-> Int Int)) 5))
                  (define-fun f ((x!0 (-> Int Int))) Int (ite (= x!0 (_ as-array k!1)) 4 3))
                  (define-fun k!1 ((x!0 Int)) Int (+ x!0 6)))",
                &[
                    "(define-fun f ((x!0 (-> Int Int))) Int (ite (= x!0 (lambda ((x!0 Int)) (+ x!0 6))) 4 3))",
                    "(define-fun g () (-> Int Int) (lambda ((constant!0 Int)) 5))",
                ],
            ),
            (
                "((define-fun g () (-> Int Int) (_ as-array k!1))
                  (define-fun k!1 ((x!0 Int)) Int (ite (= ((as const (-> Int Int)) x!0) (_ as-array k!2)) 1 2))
                  (define-fun k!2 ((x!0 Int)) Int 7))",
                &[
                    "(define-fun g () (-> Int Int) (lambda ((x!0 Int)) \
                     (ite (= (lambda ((constant!0 Int)) x!0) (lambda ((x!0 Int)) 7)) 1 2)))",
                ],
            ),
            // A function that the model does not define, that calls another, that is defined by way of itself, and one of the
            // script.
            ("((define-fun g () (-> Int Int) (_ as-array k!1)))", &[]),
            (
                "((define-fun g () (-> Int Int) (_ as-array k!1))(define-fun k!1 ((x!0 Int)) Int (k!2 x!0))
                  (define-fun k!2 ((x!0 Int)) Int 7))",
                &[],
            ),
            (
                "((define-fun g () (-> Int Int) (_ as-array k!1))
                  (define-fun k!1 ((x!0 Int)) Int (ite (= g (_ as-array k!1)) 1 2)))",
                &[],
            ),
            ("((define-fun g () (-> Int Int) (_ as-array s)))", &[]),
        ];
        for (model, expected) in rows {
            assert_eq!(definitions(&script, model), *expected, "{model}");
        }
    }
}
