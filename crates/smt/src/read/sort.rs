//! Reading sorts.

use super::lexer::Kind;
use super::scope::SortMeaning;
use super::{Reader, Result};
use crate::Pool;
use crate::build::substitute;
use crate::sort::{Sort, SortDeclId, SortId};
use crate::symbol::{Symbol, word};

/// Sorts without arguments, by name.
const PLAIN: &[(&str, SortId)] = &[
    ("Bool", SortId::BOOL),
    ("Int", SortId::INT),
    ("Real", SortId::REAL),
    ("String", SortId::STRING),
    ("RegLan", SortId::REGLAN),
    ("RoundingMode", SortId::ROUNDING),
    ("Unicode", SortId::CHAR),
    ("Char", SortId::CHAR),
];

const FLOATS: &[(&str, u32, u32)] =
    &[("Float16", 5, 11), ("Float32", 8, 24), ("Float64", 11, 53), ("Float128", 15, 113)];

/// Of a sort that the pool does not take.
pub(super) const TOO_LARGE: &str = "expected a sort of at most 200 levels and 1024 parts";

impl Reader<'_> {
    /// Reads the sort at `i`.
    pub(super) fn sort(&mut self, i: u32) -> Result<SortId> {
        self.sort_at(i, 0)
    }

    // Recursion is bounded: deeper sorts than a pool takes are refused on the way down.
    fn sort_at(&mut self, i: u32, depth: u16) -> Result<SortId> {
        if depth > crate::MAX_SORT_DEPTH {
            return self.fail(i, TOO_LARGE);
        }
        if !self.is_list(i) {
            let (name, spelling) = self.name(i, "a sort")?;
            return self.sort_named(i, name, spelling, &[]);
        }
        // (_ BitVec n), by far the most frequent of them
        if self.at(i).next == i + 4
            && self.is_word(i + 1, b"_")
            && self.is_word(i + 2, b"BitVec")
            && let Ok(width @ 1..) = self.numeral(i + 3, "a width")
        {
            return Ok(self.pool.bitvec(width));
        }
        let parts = self.parts(i);
        let Some(&head) = parts.first() else { return self.fail(i, "expected a sort") };
        if self.is_list(head) {
            self.note_opaque(i, "a sort that is not understood");
            let text = self.tidy(i)?;
            return self.made(i, Sort::Opaque(text));
        }
        let (name, spelling) = self.name(head, "a sort")?;
        if name == word::UNDERSCORE && self.at(head).kind == Kind::Symbol {
            return self.indexed_sort(i, &parts);
        }
        let args = parts[1..].iter().map(|&p| self.sort_at(p, depth + 1)).collect::<Result<Vec<_>>>()?;
        self.sort_named(i, name, spelling, &args)
    }

    fn made(&mut self, i: u32, sort: Sort) -> Result<SortId> {
        match self.pool.sort_id(sort) {
            Some(id) => Ok(id),
            None => self.fail(i, TOO_LARGE),
        }
    }

    fn indexed_sort(&mut self, i: u32, parts: &[u32]) -> Result<SortId> {
        let name = match parts.get(1) {
            Some(&p) if !self.is_list(p) => self.text(p)?,
            _ => "",
        };
        match (name, &parts[2.min(parts.len())..]) {
            ("BitVec", &[w]) => {
                let width = self.numeral(w, "a width below 2^32")?;
                if width == 0 {
                    return self.fail(w, "expected at least one bit");
                }
                Ok(self.pool.bitvec(width))
            }
            ("FloatingPoint", &[e, s]) => {
                let (eb, sb) = (
                    self.numeral(e, "a number of bits below 2^32")?,
                    self.numeral(s, "a number of bits below 2^32")?,
                );
                if eb < 2 || sb < 2 {
                    return self.fail(i, "expected at least two bits of exponent and of significand");
                }
                self.made(i, Sort::Float(eb, sb))
            }
            ("FiniteField", &[p]) if self.at(p).kind == Kind::Numeral => {
                let modulus = self.spelling(p)?;
                self.made(i, Sort::FiniteField(modulus))
            }
            ("BitVec", _) => self.fail(i, "expected (_ BitVec width)"),
            ("FloatingPoint", _) => self.fail(i, "expected (_ FloatingPoint exponent-bits significand-bits)"),
            ("FiniteField", _) => self.fail(i, "expected (_ FiniteField order)"),
            _ => {
                let text = self.tidy(i)?;
                self.note_opaque(i, format!("the sort {} is not known", self.pool.text(text)));
                self.made(i, Sort::Opaque(text))
            }
        }
    }

    fn sort_named(&mut self, i: u32, name: Symbol, spelling: Symbol, args: &[SortId]) -> Result<SortId> {
        match self.scope.sort(name) {
            Some(&SortMeaning::Declared(decl)) => return self.declared_sort(i, decl, args),
            Some(SortMeaning::Defined(params, body)) => {
                if params.len() != args.len() {
                    let wanted = params.len();
                    return self.fail(i, arguments_of_sort(wanted, args.len()));
                }
                if params.is_empty() {
                    return Ok(*body);
                }
                let (params, body) = (params.clone(), *body);
                let binding: Vec<_> = params.into_iter().zip(args.iter().copied()).collect();
                return match substitute(&mut self.pool, body, &binding) {
                    Some(sort) => Ok(sort),
                    None => self.fail(i, TOO_LARGE),
                };
            }
            Some(SortMeaning::Param) if args.is_empty() => return self.made(i, Sort::Param(name)),
            _ => {}
        }
        // A solver that knows no sort `FiniteSet` is sent its own sets in the place of them.
        if let &[element] = args
            && self.bare_constructors
            && self.pool.has_finite_sets()
            && self.pool.text(name) == "Set"
        {
            return self.made(i, Sort::FiniteSet(element));
        }
        if let Some(sort) = built_in(&mut self.pool, name, args) {
            return match sort {
                Ok(id) => Ok(id),
                Err(sort) => self.made(i, sort),
            };
        }
        if let &[_] = args
            && !self.has_logic
            && self.pool.text(name) == "List"
        {
            let decl = self.list_sort();
            return self.declared_sort(i, decl, args);
        }
        let text = if args.is_empty() { spelling } else { self.tidy(i)? };
        self.note_opaque(i, format!("the sort {} is not known", self.pool.text(text)));
        self.made(i, Sort::Opaque(text))
    }

    fn declared_sort(&mut self, i: u32, decl: SortDeclId, args: &[SortId]) -> Result<SortId> {
        let wanted = self.pool.sort_decl(decl).arity as usize;
        if wanted != args.len() {
            return self.fail(i, arguments_of_sort(wanted, args.len()));
        }
        let list = self.pool.sort_list_id(args);
        let sort = self.made(i, Sort::Declared(decl, list))?;
        if wanted > 0 && !self.sort_params(i, args.iter().copied()).is_ok_and(|params| !params.is_empty()) {
            let only = self.instances.entry(decl).or_insert(Some(sort));
            *only = only.filter(|&other| other == sort);
        }
        Ok(sort)
    }
}

fn arguments_of_sort(wanted: usize, given: usize) -> String {
    let s = if wanted == 1 { "" } else { "s" };
    format!("expected {wanted} argument{s} of this sort, not {given}")
}

/// A sort of the language: its number, or what it is if it has to be made.
fn built_in(pool: &mut Pool, name: Symbol, args: &[SortId]) -> Option<std::result::Result<SortId, Sort>> {
    let text = pool.text(name);
    if args.is_empty() {
        if let Some((_, id)) = PLAIN.iter().find(|(plain, _)| *plain == text) {
            return Some(Ok(*id));
        }
        if let Some(&(_, eb, sb)) = FLOATS.iter().find(|(float, ..)| *float == text) {
            return Some(Err(Sort::Float(eb, sb)));
        }
    }
    Some(Err(match (text, args) {
        ("Array", &[index, element]) => Sort::Array(index, element),
        // z3's arrays of several indices are arrays of tuples that are written flat.
        ("Array", [indices @ .., element]) if indices.len() > 1 => {
            let list = pool.sort_list_id(indices);
            Sort::Array(pool.sort_id(Sort::Tuple(list))?, *element)
        }
        ("Seq", &[element]) => Sort::Seq(element),
        ("Set", &[element]) => Sort::Set(element),
        ("FiniteSet", &[element]) => Sort::FiniteSet(element),
        ("Bag", &[element]) => Sort::Bag(element),
        ("Nullable", &[element]) => Sort::Nullable(element),
        ("Tuple", _) => Sort::Tuple(pool.sort_list_id(args)),
        ("UnitTuple", []) => Sort::Tuple(pool.sort_list_id(&[])),
        ("Relation" | "Table", _) => {
            let list = pool.sort_list_id(args);
            let tuple = pool.sort_id(Sort::Tuple(list))?;
            if text_is(pool, name, "Table") { Sort::Bag(tuple) } else { Sort::Set(tuple) }
        }
        ("->" | "=>", [_, _, ..]) => Sort::Function(pool.sort_list_id(args)),
        ("RegEx", &[SortId::STRING]) => return Some(Ok(SortId::REGLAN)),
        _ => return None,
    }))
}

fn text_is(pool: &Pool, name: Symbol, text: &str) -> bool {
    pool.text(name) == text
}
