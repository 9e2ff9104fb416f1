//! Reading models as solvers print them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexer::{Kind, Lexer};
use super::scope::{Meaning, Scope, SortMeaning};
use super::{ReadError, Reader, Result};
use crate::model::{Model, ModelDialect, is_left_open};
use crate::pool::rows_of;
use crate::script::{Script, What};
use crate::sort::{Sort, SortDeclId, SortId};
use crate::symbol::word;
use crate::term::{BinderList, Fun, FunId, FunKind, Head, Index, TermId};
use crate::value::Value;

/// Reads a model of the script as it is at one of its commands.
pub(crate) fn model(script: &Script, command: usize, text: &[u8], manner: ModelDialect) -> Result<Model> {
    let mut reader = Reader::new(text, script.pool.clone());
    reader.manner = manner;
    reader.scope = scope_at(script, command);
    reader.bare_constructors = true;
    let mut tables: FxHashMap<Vec<u8>, (usize, u32)> = FxHashMap::default();
    let mut model = Model::over(script.pool.clone());
    let mut lexer = Lexer::new(text)?;
    // Functions may be named before they are defined, so all are declared before any body is read.
    let mut texts: Vec<Vec<super::Sexpr>> = Vec::new();
    while lexer.next(&mut reader.nodes)? {
        texts.push(std::mem::take(&mut reader.nodes));
    }
    let sorts = declared_sorts(&reader, script, command);
    let mut pending = Vec::new();
    for (number, nodes) in texts.iter_mut().enumerate() {
        reader.nodes = std::mem::take(nodes);
        for entry in reader.entries() {
            if let &[head, name, ..] = &reader.parts(entry)[..]
                && reader.is_word(head, b"function")
            {
                tables.insert(reader.bytes(name).to_vec(), (number, entry));
            }
            if let Err(error) = reader.announce_entry(&mut model, number, entry, &sorts, &mut pending) {
                model.problems.push(error.message);
            }
        }
        *nodes = std::mem::take(&mut reader.nodes);
    }
    let mut defined = FxHashSet::default();
    for entry in &pending {
        if !defined.insert(entry.fun) {
            model.set_ambiguous(entry.fun);
        }
    }
    for entries in pending.chunk_by(|a, b| a.text == b.text) {
        reader.nodes = std::mem::take(&mut texts[entries[0].text]);
        for entry in entries {
            let mark = reader.scope.mark();
            let (frames, values) = (reader.frames.len(), reader.values.len());
            let table =
                if entry.vars.is_none() { tables.get(reader.bytes(entry.body)).copied() } else { None };
            let defined = match table {
                Some((text, list)) if text == entry.text => reader.define_table(&mut model, entry.fun, list),
                Some((text, list)) => {
                    std::mem::swap(&mut reader.nodes, &mut texts[text]);
                    let defined = reader.define_table(&mut model, entry.fun, list);
                    std::mem::swap(&mut reader.nodes, &mut texts[text]);
                    defined
                }
                None => reader.define_entry(&mut model, entry),
            };
            if let Err(error) = defined {
                model.problems.push(error.message);
                reader.frames.truncate(frames);
                reader.values.truncate(values);
            }
            reader.scope.back_to(mark);
        }
        texts[entries[0].text] = std::mem::take(&mut reader.nodes);
    }
    reader.universes(&mut model, text, &sorts);
    model.set_pool(reader.pool);
    Ok(model)
}

/// Reads a value of a sort as a solver prints it beside a model, into the model's pool.
pub(crate) fn value(
    model: &mut Model,
    script: &Script,
    command: usize,
    (text, sort): (&str, SortId),
    dialect: ModelDialect,
) -> Result<TermId> {
    let mut reader = Reader::new(text.as_bytes(), model.pool().clone());
    reader.manner = dialect;
    reader.scope = scope_at(script, command);
    reader.bare_constructors = true;
    // A name of the script hides the model's own.
    for fun in model.own_functions() {
        let name = reader.pool.fun(fun).name;
        if reader.scope.get(name) == Meaning::None && rows_of(name).is_empty() {
            reader.scope.bind_beside(model.pool(), name, fun);
        }
    }
    let mut lexer = Lexer::new(text.as_bytes())?;
    if !lexer.next(&mut reader.nodes)? {
        return Err(ReadError::new(0, "expected a value"));
    }
    let sorts = declared_sorts(&reader, script, command);
    reader.announce_elements(model, 0, &sorts);
    let term = reader.value_term(0, sort)?;
    if !reader.note_elements(model, term) {
        return Err(ReadError::new(0, "a name that stands for several things in this model"));
    }
    if lexer.next(&mut Vec::new())? {
        return Err(ReadError::new(0, "expected a single value"));
    }
    model.set_pool(reader.pool);
    Ok(term)
}

/// A definition whose body is still to be read.
struct Pending {
    text: usize,
    fun: FunId,
    vars: Option<u32>,
    body: u32,
}

/// What names mean at a command of the script.
pub(super) fn scope_at(script: &Script, command: usize) -> Scope {
    let mut scope = Scope::default();
    let pool = &script.pool;
    let bind = |scope: &mut Scope, fun: FunId| {
        scope.bind_beside(pool, pool.fun(fun).name, fun);
    };
    for c in &script.commands[..command.min(script.commands.len())] {
        match c.what {
            What::DeclareFun(fun) | What::DefineFun(fun) => bind(&mut scope, fun),
            What::DefineFunsRec(first, count) => {
                (first.0..first.0 + count).for_each(|f| bind(&mut scope, FunId(f)));
            }
            What::DeclareSort(decl) => {
                scope.bind_sort(pool.sort_decl(decl).name, SortMeaning::Declared(decl));
            }
            What::DefineSort(def) => {
                let def = pool.sort_def(def);
                scope.bind_sort(def.name, SortMeaning::Defined(def.params.clone(), def.body));
            }
            What::DeclareDatatypes(first, count) => {
                for decl in (first.0..first.0 + count).map(SortDeclId) {
                    scope.bind_sort(pool.sort_decl(decl).name, SortMeaning::Declared(decl));
                    let order = pool.sort_decl(decl).datatype.as_ref().and_then(|d| d.order);
                    if let Some(order) = order {
                        bind(&mut scope, order);
                    }
                    for constructor in pool.sort_decl(decl).datatype.iter().flat_map(|d| &d.constructors) {
                        bind(&mut scope, constructor.function);
                        bind(&mut scope, constructor.tester);
                        constructor.selectors.iter().for_each(|&s| bind(&mut scope, s));
                    }
                }
            }
            What::SetOption(key, value) if pool.text(key) == ":global-declarations" => {
                scope.global = pool.text(value) == "true";
            }
            What::Push(n) => scope.push(n),
            What::Pop(n) => {
                scope.pop(n.into());
            }
            What::Reset => scope.clear(),
            _ => {}
        }
    }
    scope
}

/// The uninterpreted sorts in scope, by name.
fn declared_sorts(reader: &Reader, script: &Script, command: usize) -> FxHashMap<String, SortDeclId> {
    let mut sorts = FxHashMap::default();
    for c in &script.commands[..command.min(script.commands.len())] {
        if let What::DeclareSort(decl) = c.what
            && reader.pool.sort_decl(decl).arity == 0
        {
            sorts.insert(reader.pool.text(reader.pool.sort_decl(decl).name).to_owned(), decl);
        }
    }
    sorts
}

impl Reader<'_> {
    /// The entries of a model: those inside `(model ..)` or `(..)`, or the s-expression itself.
    fn entries(&self) -> Vec<u32> {
        if !self.is_list(0) {
            return Vec::new();
        }
        let parts = self.parts(0);
        match parts.first() {
            Some(&first) if self.is_list(first) => parts,
            Some(&first) if self.is_word(first, b"model") => parts[1..].to_vec(),
            Some(_) => vec![0],
            None => Vec::new(),
        }
    }

    fn announce_entry(
        &mut self,
        model: &mut Model,
        text: usize,
        entry: u32,
        sorts: &FxHashMap<String, SortDeclId>,
        pending: &mut Vec<Pending>,
    ) -> Result<()> {
        if !self.is_list(entry) {
            return Ok(());
        }
        self.announce_elements(model, entry, sorts);
        let parts = self.parts(entry);
        let Some((&head, args)) = parts.split_first() else { return Ok(()) };
        match (self.text(head)?, args) {
            ("define-fun" | "define-fun-rec", &[name, vars, sort, body]) => {
                let (name, spelling) = self.name(name, "a name")?;
                let mark = self.scope.mark();
                let binders = self.sorted_variables(vars)?;
                self.scope.back_to(mark);
                let args: Vec<_> = self.pool.binders(binders).iter().map(|b| b.sort).collect();
                let result = self.sort(sort)?;
                let fun = if let Some(fun) = self.declared_as(name, &args, result) {
                    // The solver's own name for something that the standard leaves open, or the script's?
                    if model.is_of_script(fun) && is_left_open(self.pool.text(name)) {
                        model.set_ambiguous(fun);
                    }
                    fun
                } else {
                    self.note_clash(model, name);
                    let kind = FunKind::Declared;
                    let fun = Fun { name, spelling, type_params: Vec::new(), args, result, kind };
                    // An operator that the model defines, such as div0, stays the operator in terms.
                    if rows_of(name).is_empty() { self.declare(entry, fun)? } else { self.pool.add_fun(fun) }
                };
                model.add_partial(self.pool.text(name), fun);
                pending.push(Pending { text, fun, vars: Some(vars), body });
            }
            ("declare-fun" | "declare-const", &[name, .., sort]) => {
                let (name, spelling) = self.name(name, "a name")?;
                let result = self.sort(sort)?;
                self.note_clash(model, name);
                let known = self.declared_as(name, &[], result);
                if known.is_none() {
                    let kind = FunKind::Declared;
                    let fun = Fun { name, spelling, type_params: Vec::new(), args: Vec::new(), result, kind };
                    let fun = self.declare(entry, fun)?;
                    model.add_element(fun, result, Value::Element(result, spelling));
                }
            }
            // yices: (= x 1), and (= f @fun_3) with a table elsewhere
            ("=", &[name, body]) if matches!(self.at(name).kind, Kind::Symbol | Kind::Quoted) => {
                let (name, _) = self.name(name, "a name")?;
                if let &[fun] = self.scope.funs(&self.scope.get(name)) {
                    pending.push(Pending { text, fun, vars: None, body });
                }
            }
            ("function", _) => {}
            ("forall", &[vars, body]) => self.cardinality(model, vars, body)?,
            ("declare-sort" | "declare-datatypes" | "rule" | "assert", _) => {}
            (other, _) => model.problems.push(format!("{other} is not understood in a model")),
        }
        Ok(())
    }

    /// The function of the script with this name and these sorts.
    fn declared_as(&self, name: crate::Symbol, args: &[SortId], result: SortId) -> Option<FunId> {
        let meaning = self.scope.get(name);
        let declared = self.scope.funs(&meaning).iter().copied().filter(|&f| {
            let kind = self.pool.fun(f).kind;
            kind == FunKind::Declared
        });
        let exact = declared.clone().find(|&f| {
            let fun = self.pool.fun(f);
            fun.args == args && (fun.result == result || self.pool.interchangeable(fun.result, result))
        });
        // An array may be given as a function.
        exact.or_else(|| {
            declared.clone().find(|&f| {
                let (indices, element) = self.signature(f);
                !args.is_empty() && indices == args && element == result
            })
        })
    }

    /// A name of the model's own that the script declares, too.
    fn note_clash(&mut self, model: &mut Model, name: crate::Symbol) {
        let meaning = self.scope.get(name);
        for &fun in self.scope.funs(&meaning) {
            if model.is_of_script(fun) && self.pool.fun(fun).kind == FunKind::Declared {
                model.set_ambiguous(fun);
            }
        }
    }

    /// cvc4 and older cvc5 write elements as plain names: `@uc_U_0`, `@U_0`.
    fn announce_elements(&mut self, model: &mut Model, entry: u32, sorts: &FxHashMap<String, SortDeclId>) {
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
    fn cardinality(&mut self, model: &mut Model, vars: u32, body: u32) -> Result<()> {
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

    fn define_entry(&mut self, model: &mut Model, entry: &Pending) -> Result<()> {
        let binders = match entry.vars {
            Some(vars) => self.sorted_variables(vars)?,
            None => BinderList(0),
        };
        // boolector prints an array as a function of its index.
        let arity = self.pool.binders(binders).len();
        let as_array = arity > 0 && self.pool.fun(entry.fun).args.is_empty();
        let (_, element) = self.signature(entry.fun);
        let result = if as_array { element } else { self.pool.fun(entry.fun).result };
        let body = self.value_term(entry.body, result)?;
        if !self.note_elements(model, body) || model.is_ambiguous(entry.fun) {
            return Ok(());
        }
        if as_array {
            self.interpret_array(model, entry.fun, binders, body)
        } else {
            model.interpret(entry.fun, binders, body);
            Ok(())
        }
    }

    fn define_table(&mut self, model: &mut Model, fun: FunId, list: u32) -> Result<()> {
        let (args, result) = self.signature(fun);
        let (binders, body) = self.tabled(list, &args, result)?;
        if !self.note_elements(model, body) || model.is_ambiguous(fun) {
            return Ok(());
        }
        if self.pool.fun(fun).args.is_empty() {
            return self.interpret_array(model, fun, binders, body);
        }
        model.interpret(fun, binders, body);
        Ok(())
    }

    /// An array that the model gives as a function.
    fn interpret_array(
        &mut self,
        model: &mut Model,
        fun: FunId,
        binders: BinderList,
        body: TermId,
    ) -> Result<()> {
        let sort = self.pool.sort_of(body);
        let Some(sort) = self.lambda_sort(binders, sort) else {
            return self.fail(0, "this sort is nested too deeply");
        };
        let lambda = self.pool.add_term(Head::Lambda(binders), word::NONE, sort, &[body]);
        model.interpret(fun, BinderList(0), lambda);
        Ok(())
    }

    /// Elements that occur in a body belong to their universe. False if the body names something of which we do not
    /// know what it is.
    fn note_elements(&mut self, model: &mut Model, body: TermId) -> bool {
        let mut left = vec![body];
        let mut seen = FxHashSet::default();
        let mut clear = true;
        while let Some(term) = left.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.pool.node(term);
            if let Head::Literal(crate::Literal::Element) = node.head {
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
    fn universes(&mut self, model: &mut Model, text: &[u8], sorts: &FxHashMap<String, SortDeclId>) {
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
