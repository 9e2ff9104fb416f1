//! Reading in two steps: text becomes s-expressions, and s-expressions become typed commands and terms.

mod apply;
mod atoms;
mod binding;
mod bound;
mod command;
mod constant;
mod datatype;
mod declare;
mod define;
mod dialect;
mod error;
mod frame;
mod identifier;
mod lexer;
mod list;
mod model;
mod part;
mod root;
mod scope;
mod sort;
mod term;
mod yices;

use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;
use rustc_hash::FxHashMap;

use crate::Pool;
use crate::command::CommandRow;
use crate::model::ModelDialect;
use crate::script::{Command, OpaquePart, Script};
use crate::sort::{SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::theory::Found;
pub use command::is_real_only;
pub use error::{Located, ReadError};
use lexer::Sexpr;
pub(crate) use lexer::{Kind, Lexer};
pub(crate) use model::value;
pub use part::term_at;
use scope::Scope;

type Result<T> = std::result::Result<T, ReadError>;

/// Reads a script.
///
/// Parts that are not understood are kept as they are and listed in [`Script::opaque`]. Wrong parts are refused.
pub fn read(source: &[u8]) -> Result<Script> {
    let mut reader = Reader::new(source, Pool::for_source(source.len()));
    if reader.text.is_some_and(names_finite_sets) {
        reader.pool.expect_finite_sets();
    }
    let mut lexer = Lexer::new(source)?;
    let mut commands: Vec<Command> = Vec::new();
    while lexer.next(&mut reader.nodes)? {
        commands.push(reader.command()?);
    }
    Ok(Script {
        pool: reader.pool,
        commands,
        source: Arc::from(source),
        notes: lexer.notes.into(),
        opaque: reader.opaque.into(),
    })
}

/// Whether a script uses a name that only z3's finite sets have.
fn names_finite_sets(source: &str) -> bool {
    static SORT: LazyLock<Finder> = LazyLock::new(|| Finder::new("FiniteSet"));
    static OPERATOR: LazyLock<Finder> = LazyLock::new(|| Finder::new("(set."));
    let table = crate::theory::table();
    let is_own = |name: &&str| {
        table.named(name).iter().all(|&op| table.theory(op) == crate::theory::Theory::FiniteSets)
    };
    // Nearly all scripts have neither of these two texts.
    SORT.find(source.as_bytes()).is_some()
        || OPERATOR.find(source.as_bytes()).is_some()
            && table.names().filter(is_own).any(|name| source.contains(&format!("({name} ")))
}

/// The rows, how many arguments there are, and their sorts.
type Asked = (usize, u32, [SortId; 3]);

/// Reads one s-expression after the other into typed commands and terms.
pub(crate) struct Reader<'s> {
    source: &'s [u8],
    /// The source as text, unless some of it is not UTF-8. Parts of a text need no check of their own.
    text: Option<&'s str>,
    /// The current top-level s-expression, in preorder.
    nodes: Vec<Sexpr>,
    pub(crate) pool: Pool,
    pub(crate) scope: Scope,
    opaque: Vec<OpaquePart>,
    /// Whether numerals are Reals, as in logics that have no Ints.
    real_numerals: bool,
    /// Whether the script sets a logic. Then z3 declares nothing by itself.
    has_logic: bool,
    /// Whether `(exit)` was read. No solver reads what follows.
    ended: bool,
    /// The only instance of a sort with parameters that was read so far; none if there are several.
    instances: FxHashMap<SortDeclId, Option<SortId>>,
    /// Whether `nil` may stand without its sort, as z3 writes it in models; what is not said of its sort is unknown.
    bare_constructors: bool,
    /// How values are spelled.
    dialect: ModelDialect,
    /// By first row: the last question, and its answer.
    found: Vec<(Asked, Found)>,
    /// Variables and constants by their spelling.
    atoms: atoms::Atoms,
    /// Identifiers with indices that mean the same in every scope, by their text.
    identifiers: FxHashMap<Symbol, identifier::Identifier>,
    /// The row of the last command: most commands are like the one before.
    row: Option<&'static CommandRow>,
    // Lists that are kept to be used again: the parts of a command, and the stacks of the term reader.
    parts: Vec<u32>,
    frames: Vec<frame::Frame>,
    values: Vec<TermId>,
    binders: Vec<crate::term::Binder>,
    attrs: Vec<crate::term::Attr>,
    cases: Vec<crate::term::Case>,
    scratch: String,
    /// How much text may still be copied: parts that are not understood inside others are copied with each.
    copies: usize,
}

/// How often the source may be copied in parts that are not understood.
const COPIES: usize = 16;

impl<'s> Reader<'s> {
    pub(crate) fn new(source: &'s [u8], pool: Pool) -> Self {
        Reader {
            source,
            text: std::str::from_utf8(source).ok(),
            nodes: Vec::new(),
            pool,
            scope: Scope::default(),
            opaque: Vec::new(),
            real_numerals: false,
            has_logic: false,
            ended: false,
            instances: FxHashMap::default(),
            bare_constructors: false,
            dialect: ModelDialect::STANDARD,
            found: Vec::new(),
            atoms: atoms::Atoms::default(),
            identifiers: FxHashMap::default(),
            row: None,
            parts: Vec::new(),
            frames: Vec::new(),
            values: Vec::new(),
            binders: Vec::new(),
            attrs: Vec::new(),
            cases: Vec::new(),
            scratch: String::new(),
            copies: (1 << 20) + COPIES.saturating_mul(source.len()).min(1 << 30),
        }
    }

    // ---- looking at s-expressions

    #[inline]
    fn at(&self, i: u32) -> Sexpr {
        self.nodes[i as usize]
    }

    fn is_list(&self, i: u32) -> bool {
        self.at(i).kind == Kind::List
    }

    /// The parts of a list, by number.
    fn parts(&self, list: u32) -> Vec<u32> {
        let mut parts = Vec::new();
        self.parts_into(list, &mut parts);
        parts
    }

    /// Adds the parts of a list to `parts`.
    fn parts_into(&self, list: u32, parts: &mut Vec<u32>) {
        let end = self.at(list).next;
        let mut i = list + 1;
        while i < end {
            parts.push(i);
            i = self.at(i).next;
        }
    }

    fn fail<T>(&self, i: u32, message: impl Into<String>) -> Result<T> {
        let offset = self.nodes.get(i as usize).or(self.nodes.first()).map_or(0, |s| s.start);
        Err(ReadError::new(offset, message))
    }

    /// The bytes of an s-expression as they stand in the source.
    #[inline]
    fn bytes(&self, i: u32) -> &'s [u8] {
        let s = self.at(i);
        &self.source[s.start as usize..s.end as usize]
    }

    /// The text of an s-expression as it stands in the source.
    fn text(&self, i: u32) -> Result<&'s str> {
        if let Some(text) = self.text {
            let s = self.at(i);
            // The ends of tokens are ASCII, so that a token of text is text.
            return Ok(&text[s.start as usize..s.end as usize]);
        }
        match std::str::from_utf8(self.bytes(i)) {
            Ok(text) => Ok(text),
            Err(error) => {
                let offset = self.at(i).start + error.valid_up_to() as u32;
                Err(ReadError::new(offset, "this byte is not UTF-8 text"))
            }
        }
    }

    /// The text of an atom, as it is spelled.
    #[inline]
    fn spelling(&mut self, i: u32) -> Result<Symbol> {
        if self.text.is_none() {
            self.text(i)?;
        }
        Ok(self.pool.intern_bytes(self.bytes(i)))
    }

    /// The name that a symbol spells (`|x|` is `x`) and its spelling.
    fn name(&mut self, i: u32, wanted: &str) -> Result<(Symbol, Symbol)> {
        match self.at(i).kind {
            Kind::Symbol => {
                let symbol = self.spelling(i)?;
                Ok((symbol, symbol))
            }
            Kind::Quoted => {
                let text = self.text(i)?;
                let spelling = self.pool.intern(text);
                Ok((self.pool.intern(crate::symbol::unquoted(text)), spelling))
            }
            _ => self.fail(i, format!("expected {wanted}")),
        }
    }

    /// An s-expression as text in which one blank stands between tokens and comments are gone.
    fn tidy(&mut self, i: u32) -> Result<Symbol> {
        if !self.is_list(i) {
            return self.spelling(i);
        }
        let Some(copies) = self.copies.checked_sub(self.bytes(i).len()) else {
            return self.fail(i, "expected less inside other parts that are not understood");
        };
        self.copies = copies;
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        let end = self.at(i).next;
        let mut closes: Vec<u32> = Vec::new();
        let mut at = i;
        while at < end {
            if at > i && !text.ends_with('(') {
                text.push(' ');
            }
            if self.is_list(at) {
                text.push('(');
                closes.push(self.at(at).next);
            } else {
                text.push_str(self.text(at)?);
            }
            at += 1;
            while closes.last() == Some(&at) {
                text.push(')');
                closes.pop();
            }
        }
        let symbol = self.pool.intern(&text);
        self.scratch = text;
        Ok(symbol)
    }

    /// A numeral that fits.
    fn numeral(&self, i: u32, wanted: &str) -> Result<u32> {
        if self.at(i).kind == Kind::Numeral
            && let Ok(n) = self.text(i)?.parse()
        {
            return Ok(n);
        }
        self.fail(i, format!("expected {wanted}"))
    }

    fn note_opaque(&mut self, i: u32, why: impl Into<String>) {
        let offset = self.at(i).start as usize;
        self.opaque.push(OpaquePart { offset, why: why.into() });
    }
}
