//! Elements of uninterpreted sorts in models: their names, and how many there are.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Model;
use crate::read::lexer::Kind;
use crate::read::scope::Meaning;
use crate::read::{Reader, Result};
use crate::sort::{Sort, SortDeclId, SortId};
use crate::term::{Fun, FunKind, Head, Index, Literal, TermId};
use crate::value::Value;

impl Reader<'_> {
    /// cvc4 and older cvc5 write elements as plain names: `@uc_U_0`, `@U_0`.
    pub(super) fn announce_elements(
        &mut self,
        model: &mut Model,
        entry: u32,
        sorts: &FxHashMap<String, SortDeclId>,
    ) {
        for i in entry..self.at(entry).next {
            if self.at(i).kind != Kind::Symbol || !self.bytes(i).starts_with(b"@") {
                continue;
            }
            let Ok((name, spelling)) = self.name(i, "a name") else { continue };
            let at_its_own_definition = i == entry + 2;
            if !at_its_own_definition {
                self.note_clash(model, name);
            }
            // Inside (as @a U) the sort is said.
            if (i > 0 && self.is_word(i - 1, b"as")) || self.scope.get(name) != Meaning::None {
                continue;
            }
            let text = self.pool.text(name);
            let inner = text.trim_start_matches('@').trim_start_matches("uc_");
            let Some((sort, _)) = inner.rsplit_once('_') else { continue };
            let Some(&decl) = sorts.get(sort) else { continue };
            let list = self.pool.sort_list_id(&[]);
            let Some(sort) = self.pool.sort_id(Sort::Declared(decl, list)) else { continue };
            let kind = FunKind::Declared;
            let fun = Fun { name, spelling, type_params: Vec::new(), args: Vec::new(), result: sort, kind };
            let Ok(fun) = self.declare(i, fun) else { continue };
            model.add_element(fun, sort, Value::Element(sort, spelling));
        }
    }

    /// z3's `(forall ((x U)) (or (= x e1) (= x e2)))`: these elements are all.
    pub(super) fn cardinality(&mut self, model: &mut Model, vars: u32, body: u32) -> Result<()> {
        let mark = self.scope.mark();
        let binders = self.sorted_variables(vars)?;
        let body = self.term(body);
        self.scope.back_to(mark);
        let body = body?;
        let &[binder] = self.pool.binders(binders) else { return Ok(()) };
        let cases = match self.pool.node(body).head {
            Head::Op(op, _) if crate::theory::table().op(op).name == "or" => self.pool.args(body).to_vec(),
            _ => vec![body],
        };
        model.set_whole(binder.sort, cases.len());
        Ok(())
    }

    /// Elements that occur in a body belong to their universe. False if the body names something of which we do not
    /// know what it is.
    pub(super) fn note_elements(&mut self, model: &mut Model, body: TermId) -> bool {
        let mut left = vec![body];
        let mut seen = FxHashSet::default();
        let mut clear = true;
        while let Some(term) = left.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.pool.node(term);
            if let Head::Literal(Literal::Element) = node.head {
                model.add_to_universe(node.sort, Value::Element(node.sort, node.name));
            }
            clear &= match node.head {
                Head::Fun(fun) => !model.is_ambiguous(fun),
                Head::Op(_, indices) => !self
                    .pool
                    .indices(indices)
                    .iter()
                    .any(|index| matches!(*index, Index::Function(fun) if model.is_ambiguous(fun))),
                _ => true,
            };
            left.extend_from_slice(self.pool.args(term));
        }
        clear
    }

    /// cvc5 says in comments how many elements a sort has: `; cardinality of U is 2`, then `; rep: (as @U_0 U)`.
    pub(super) fn universes(
        &mut self,
        model: &mut Model,
        text: &[u8],
        sorts: &FxHashMap<String, SortDeclId>,
    ) {
        let text = String::from_utf8_lossy(text);
        let list = self.pool.sort_list_id(&[]);
        let mut current: Option<(SortId, usize)> = None;
        for line in text.lines() {
            let Some(line) = line.trim().strip_prefix(';').map(str::trim) else { continue };
            if let Some(rest) = line.strip_prefix("cardinality of ") {
                current = rest.rsplit_once(" is ").and_then(|(sort, count)| {
                    let &decl = sorts.get(crate::symbol::unquoted(sort))?;
                    let sort = self.pool.sort_id(Sort::Declared(decl, list))?;
                    Some((sort, count.trim().parse().ok()?))
                });
            } else if let (Some(rep), Some((sort, count))) = (line.strip_prefix("rep: "), current) {
                let spelling = self.pool.intern(rep.trim());
                model.add_to_universe(sort, Value::Element(sort, spelling));
                model.set_whole(sort, count);
            }
        }
    }
}
