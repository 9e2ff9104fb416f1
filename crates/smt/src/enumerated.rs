//! Models over uninterpreted sorts as scripts can say them: each such sort becomes an enumeration of the model's elements.

use rustc_hash::FxHashMap;

use crate::model::Model;
use crate::sort::{Sort, SortDeclId, SortId};
use crate::term::{Binder, FunId, FunKind, Head, Literal, TermId};
use crate::theory::table;
use crate::value::Value;
use crate::write::{sort_text, write_term};
use crate::{Pool, Query, Script, Symbol};

/// Universes of more elements than this are not written out.
const MOST_ELEMENTS: usize = 200;
/// Interpretations of more nodes than this are not written out.
const MOST_NODES: usize = 20_000;

/// The uninterpreted sorts of a check, each with the constructors that stand for its elements in a model.
///
/// The script in which these sorts are enumerations, and all functions are defined as in the model, is satisfiable exactly if
/// the model, over the universes that it names, satisfies the check. So the sort of a model whose universe is not said to be
/// whole is only enumerated where no more elements could make a difference: nothing of the check ranges over the sort or over
/// a sort that is made from it.
pub struct Enumerations {
    constructors: FxHashMap<SortId, (SortDeclId, Vec<String>)>,
    names: FxHashMap<(SortId, Symbol), String>,
}

impl Enumerations {
    /// The sorts that are declared at a check and that can be enumerated; none if there is no such sort.
    pub fn of(script: &Script, query: &Query, model: &Model) -> Option<Enumerations> {
        let pool = model.pool();
        let mut all = Enumerations { constructors: FxHashMap::default(), names: FxHashMap::default() };
        for (sort, decl) in uninterpreted(script, query, pool) {
            // A sort that the model does not speak of stays as it is.
            let Some((elements, whole)) = model.universe(sort) else { continue };
            let few = !elements.is_empty() && elements.len() <= MOST_ELEMENTS;
            if !few || !(whole || is_only_named(script, query, sort)) {
                return None;
            }
            let mut names = Vec::new();
            for (i, element) in elements.iter().enumerate() {
                let Value::Element(_, spelling) = element else { return None };
                let name = format!("element!{}!{i}", decl.0);
                if pool.find(&name).is_some() {
                    return None;
                }
                all.names.insert((sort, *spelling), name.clone());
                names.push(name);
            }
            all.constructors.insert(sort, (decl, names));
        }
        (!all.constructors.is_empty()).then_some(all)
    }

    /// The declaration of a sort as an enumeration, if it is one.
    pub fn declaration(&self, pool: &Pool, decl: SortDeclId) -> Option<String> {
        let (_, names) = self.constructors.values().find(|(known, _)| *known == decl)?;
        let constructors: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
        let sort = pool.text(pool.sort_decl(decl).spelling);
        Some(format!("(declare-datatypes (({sort} 0)) (({})))", constructors.join(" ")))
    }

    /// What a model says of a function, as a `define-fun` in which constructors stand for elements; none if no script can say it.
    pub fn definition(&self, model: &Model, fun: FunId) -> Option<String> {
        let decl = model.pool().fun(fun);
        let name = model.pool().text(decl.spelling);
        let result = sort_text(model.pool(), decl.result);
        if let Some(Value::Element(sort, spelling)) = model.element(fun) {
            return Some(format!("(define-fun {name} () {result} {})", self.names.get(&(sort, spelling))?));
        }
        let (binders, body) = model.interpretation(fun)?;
        let mut pool = model.pool().clone();
        let body = self.renamed(model, &mut pool, body)?;
        let bound = |b: &Binder| format!("({} {})", pool.text(b.spelling), sort_text(&pool, b.sort));
        let bound: Vec<_> = pool.binders(binders).iter().map(bound).collect();
        Some(format!("(define-fun {name} ({}) {result} {})", bound.join(" "), write_term(&pool, body)))
    }

    /// A term with constructors for elements; none if it names something that only the model knows.
    fn renamed(&self, model: &Model, pool: &mut Pool, root: TermId) -> Option<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut left = vec![(root, false)];
        while let Some((term, ready)) = left.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if done.len() > MOST_NODES {
                return None;
            }
            let node = *pool.node(term);
            let args: Vec<TermId> = pool.args(term).to_vec();
            if !ready {
                left.push((term, true));
                left.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let element = match node.head {
                Head::Literal(Literal::Element) => Some((node.sort, node.name)),
                Head::Fun(fun) => match model.element(fun) {
                    Some(Value::Element(sort, spelling)) if args.is_empty() => Some((sort, spelling)),
                    _ => None,
                },
                _ => None,
            };
            let new = if let Some(element) = element {
                let name = pool.intern(self.names.get(&element)?);
                pool.add_term(Head::Literal(Literal::Element), name, node.sort, &[])
            } else {
                let plain = match node.head {
                    Head::Op(op, _) => table().op(op).name != "as-array",
                    Head::Fun(f) => matches!(
                        pool.fun(f).kind,
                        FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_)
                    ),
                    Head::Opaque => false,
                    _ => true,
                };
                if !plain {
                    return None;
                }
                let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
                pool.add_term(node.head, node.name, node.sort, &args)
            };
            done.insert(term, new);
        }
        done.get(&root).copied()
    }
}

/// The uninterpreted sorts without arguments that are declared before a check, in order.
fn uninterpreted(script: &Script, query: &Query, pool: &Pool) -> Vec<(SortId, SortDeclId)> {
    let mut pool = pool.clone();
    let none = pool.sort_list_id(&[]);
    let mut found = Vec::new();
    for command in &script.commands[..query.command] {
        let crate::What::DeclareSort(decl) = command.what else { continue };
        if pool.sort_decl(decl).arity == 0 {
            found.extend(pool.sort_id(Sort::Declared(decl, none)).map(|sort| (sort, decl)));
        }
    }
    found
}

/// Whether a check only names elements of a sort: nothing in it ranges over the sort, and no other sort is made from it.
fn is_only_named(script: &Script, query: &Query, sort: SortId) -> bool {
    let pool = &script.pool;
    let (mut left, mut seen) = (query.assertions.clone(), rustc_hash::FxHashSet::default());
    let text = sort_text(pool, sort);
    let is_made_from =
        |other: SortId| other != sort && words(&sort_text(pool, other)).any(|word| word == text);
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = pool.node(term);
        let binders = match node.head {
            Head::Let(_) => None,
            head => head.binders(),
        };
        let ranges = binders.is_some_and(|list| pool.binders(list).iter().any(|b| b.sort == sort));
        if ranges || is_made_from(node.sort) || matches!(node.head, Head::Opaque) {
            return false;
        }
        if let Head::Fun(fun) = node.head
            && let Some((_, body)) = pool.body(fun)
        {
            left.push(body);
        }
        left.extend_from_slice(pool.args(term));
    }
    true
}

/// The names in the text of a sort.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '(', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(script: &str, model: &str) -> Option<(String, Vec<Option<String>>)> {
        let script = crate::read(script.as_bytes()).expect("well-sorted");
        let queries = script.queries();
        let model = Model::read(&script, Some(queries[0].command), model.as_bytes()).expect("a model");
        let all = Enumerations::of(&script, &queries[0], &model)?;
        let crate::What::DeclareSort(decl) = script.commands[0].what else { panic!("a sort comes first") };
        let declared = script.commands.iter().filter_map(|command| match command.what {
            crate::What::DeclareFun(fun) => Some(all.definition(&model, fun)),
            _ => None,
        });
        Some((all.declaration(&script.pool, decl)?, declared.collect()))
    }

    #[test]
    fn elements_become_constructors() {
        let script = "(declare-sort U 0)(declare-const a U)(declare-fun f (U) U)(assert (distinct (f a) a))(check-sat)";
        let rows = [
            "((define-fun a () U (as @U_0 U)) (define-fun f ((x U)) U (ite (= (as @U_0 U) x) (as @U_1 U) (as @U_0 U))))",
            "((declare-fun U!val!0 () U) (declare-fun U!val!1 () U)
              (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))
              (define-fun a () U U!val!0) (define-fun f ((x U)) U (ite (= x U!val!0) U!val!1 U!val!0)))",
        ];
        for model in rows {
            let (sort, definitions) = written(script, model).expect(model);
            assert!(sort.starts_with("(declare-datatypes ((U 0)) (((element!"), "{sort}");
            let all =
                format!("{sort}{}", definitions.into_iter().map(|d| d.expect(model)).collect::<String>());
            let checked = format!("{all}(assert (distinct (f a) a))(check-sat)");
            let script = crate::read(checked.as_bytes()).expect(&checked);
            let empty = Model::empty(&script);
            let verdict = crate::satisfies(&script.queries()[0], &empty, &crate::Fuel::default());
            assert_eq!(verdict, crate::Verdict::True, "{checked}");
        }
    }

    #[test]
    fn a_universe_that_may_be_larger_is_not_ranged_over() {
        let model = "((define-fun a () U (as @U_0 U)))";
        let whole = format!("(\n; cardinality of U is 1\n; rep: (as @U_0 U)\n{}", &model[1..]);
        let rows = [
            ("(= a a)", true),
            ("(forall ((x U)) (= x a))", false),
            ("(= ((as const (Array U Int)) 0) ((as const (Array U Int)) 1))", false),
        ];
        for (assertion, expected) in rows {
            let script = format!("(declare-sort U 0)(declare-const a U)(assert {assertion})(check-sat)");
            assert_eq!(written(&script, model).is_some(), expected, "{assertion}");
            assert!(written(&script, &whole).is_some(), "{assertion}");
        }
    }
}
