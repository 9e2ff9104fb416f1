//! Reading models as solvers print them.

mod announce;
mod define;
mod element;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexer::{Lexer, Sexpr};
use super::scope::{Meaning, scope_at};
use super::{ReadError, Reader, Result};
use crate::model::{Model, ModelDialect};
use crate::script::{Script, What};
use crate::sort::{SortDeclId, SortId};
use crate::term::{FunId, TermId};
use crate::vocabulary::rows_of;
use announce::Announced;

impl Model {
    /// Reads what a solver printed for `get-model` after the script's command `command`, or at its end.
    ///
    /// It reads lists of `define-fun` with or without `model`, and `(= x 1)`, as z3, cvc5, cvc4, bitwuzla, yices and
    /// boolector print them. Parts that cannot be used are left out and named in [`Model::problems`].
    pub fn read(script: &Script, command: Option<usize>, text: &[u8]) -> Result<Self> {
        Model::read_in(script, command, text, ModelDialect::STANDARD)
    }

    /// Reads a model whose values are spelled in a dialect. A value whose text may stand for several values is left out
    /// and named in [`Model::problems`].
    pub fn read_in(
        script: &Script,
        command: Option<usize>,
        text: &[u8],
        dialect: ModelDialect,
    ) -> Result<Self> {
        model(script, command.unwrap_or(script.commands.len()), text, dialect)
    }
}

/// Reads a model of the script as it is at one of its commands.
fn model(script: &Script, command: usize, text: &[u8], dialect: ModelDialect) -> Result<Model> {
    let mut reader = Reader::new(text, script.pool.clone());
    reader.dialect = dialect;
    reader.scope = scope_at(script, command);
    reader.bare_constructors = true;
    let mut model = Model::before_reading(&script.pool);
    let mut lexer = Lexer::new(text)?;
    // Functions may be named before they are defined, so all are declared before any body is read.
    let mut texts: Vec<Vec<Sexpr>> = Vec::new();
    while lexer.next(&mut reader.nodes)? {
        texts.push(std::mem::take(&mut reader.nodes));
    }
    let sorts = declared_sorts(&reader, script, command);
    let mut known = Announced { model: &mut model, sorts: &sorts, pending: Vec::new() };
    let mut tables = Tables::default();
    for (number, nodes) in texts.iter_mut().enumerate() {
        reader.nodes = std::mem::take(nodes);
        for entry in reader.entries() {
            if let &[head, name, ..] = &reader.parts(entry)[..]
                && reader.is_word(head, b"function")
            {
                tables.insert(reader.bytes(name).to_vec(), (number, entry));
            }
            if let Err(error) = reader.announce_entry(&mut known, number, entry) {
                known.model.problems.push(error.message);
            }
        }
        *nodes = std::mem::take(&mut reader.nodes);
    }
    let pending = known.pending;
    let mut defined = FxHashSet::default();
    for entry in &pending {
        if !defined.insert(entry.fun) {
            model.set_ambiguous(entry.fun, reader.pool.text(reader.pool.fun(entry.fun).name));
        }
    }
    for entries in pending.chunk_by(|a, b| a.text == b.text) {
        reader.nodes = std::mem::take(&mut texts[entries[0].text]);
        for entry in entries {
            define(&mut reader, &mut model, entry, &tables, &mut texts);
        }
        texts[entries[0].text] = std::mem::take(&mut reader.nodes);
    }
    reader.universes(&mut model, text, &sorts);
    model.set_pool(reader.pool);
    Ok(model)
}

/// The tables that yices prints beside its definitions, by name: the number of the s-expression, and the entry in it.
type Tables = FxHashMap<Vec<u8>, (usize, u32)>;

/// Reads the body of a definition. If it cannot be used, that is a problem of the model.
fn define(
    reader: &mut Reader,
    model: &mut Model,
    entry: &Pending,
    tables: &Tables,
    texts: &mut [Vec<Sexpr>],
) {
    let mark = reader.scope.mark();
    let (frames, values) = (reader.frames.len(), reader.values.len());
    let table = if entry.vars.is_none() { tables.get(reader.bytes(entry.body)).copied() } else { None };
    let defined = match table {
        Some((text, list)) if text == entry.text => reader.define_table(model, entry.fun, list),
        Some((text, list)) => {
            std::mem::swap(&mut reader.nodes, &mut texts[text]);
            let defined = reader.define_table(model, entry.fun, list);
            std::mem::swap(&mut reader.nodes, &mut texts[text]);
            defined
        }
        None => reader.define_entry(model, entry),
    };
    if let Err(error) = defined {
        model.problems.push(error.message);
        reader.frames.truncate(frames);
        reader.values.truncate(values);
    }
    reader.scope.back_to(mark);
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
    reader.dialect = dialect;
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
