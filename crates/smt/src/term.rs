//! The parts of a term.

use crate::sort::SortId;
use crate::symbol::Symbol;

/// A term, by its number in a [`crate::Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Its number, below [`crate::Pool::term_count`]; arguments have smaller ones.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function a script declares or defines, by its number in a [`crate::Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunId(pub(crate) u32);

/// An operator, by the number of its row in [`crate::theory::table`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub(crate) u16);

impl OpId {
    /// Its number, below [`crate::theory::Table::count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A list of terms, by its number in a [`crate::Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermList(pub(crate) u32);

/// Indices of an identifier, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IndexList(pub(crate) u32);

/// Bound variables, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderList(pub(crate) u32);

/// Cases of a `match`, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CaseList(pub(crate) u32);

/// Attributes of an annotated term, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AttrList(pub(crate) u32);

/// The head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// A literal; its spelling is the node's name.
    Literal(Literal),
    /// A bound variable, by its name without bars.
    Variable(Symbol),
    /// An operator of the table.
    Op(OpId, IndexList),
    /// A function of the script.
    Fun(FunId),
    /// `let`: the bound terms, then the body.
    Let(BinderList),
    /// `forall`: the body.
    Forall(BinderList),
    /// `exists`: the body.
    Exists(BinderList),
    /// `lambda`: the body.
    Lambda(BinderList),
    /// z3's `choice`: some value for which the argument holds, if there is one.
    Choice(BinderList),
    /// cvc5's `set.comprehension`: the set of the second argument for all values for which the first holds.
    Comprehension(BinderList),
    /// `match`: the term looked at, then the body of each case.
    Match(CaseList),
    /// `(! t ..)`: the term, then the terms inside its attributes.
    Annotated(AttrList),
    /// An Int where a Real is wanted, which is not written.
    Coerce,
    /// A term applied to others: the function, then its arguments.
    Apply,
    /// What we do not understand; its text is the node's name.
    Opaque,
}

/// The kind of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// A numeral, such as `12`.
    Numeral,
    /// A decimal, such as `1.5`.
    Decimal,
    /// A bit-vector in hexadecimal digits, such as `#x0F`.
    Hexadecimal,
    /// A bit-vector in binary digits, such as `#b01`.
    Binary,
    /// A string in double quotes.
    String,
    /// `1/2`, as cvc5 writes it
    Fraction,
    /// `#f3m7` or `(as ff3 (_ FiniteField 7))`
    Field,
    /// `(as @a U)`, an element of an uninterpreted sort
    Element,
    /// `(root-obj (+ (^ x 2) (- 2)) 2)`, the root of a polynomial, as z3 writes it
    Root,
}

/// An index of an identifier such as `(_ extract 5 2)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// A numeral that fits.
    Number(u32),
    /// A larger numeral, as decimal digits; or a hexadecimal one as written.
    Text(Symbol),
    /// A function or operator named as index, such as the constructor of `(_ is cons)`.
    Function(FunId),
}

impl Head {
    /// The variables that it binds in arguments of the term; a `match` has several lists of them.
    pub fn binders(self) -> Option<BinderList> {
        match self {
            Head::Let(list)
            | Head::Forall(list)
            | Head::Exists(list)
            | Head::Lambda(list)
            | Head::Choice(list)
            | Head::Comprehension(list) => Some(list),
            _ => None,
        }
    }
}

/// A bound variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// Its name, without bars.
    pub name: Symbol,
    /// Its name as written.
    pub spelling: Symbol,
    /// Its sort.
    pub sort: SortId,
    /// Its sort as written; empty for `let`.
    pub sort_spelling: Symbol,
}

/// A case of a `match`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The constructor, or none for a variable that matches everything.
    pub constructor: Option<FunId>,
    /// The constructor's name as written.
    pub spelling: Symbol,
    /// The variables the pattern binds.
    pub binders: BinderList,
}

/// An attribute of an annotated term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attr {
    /// The keyword, with its colon.
    pub keyword: Symbol,
    /// The value after the keyword.
    pub value: AttrValue,
}

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttrValue {
    /// The attribute has no value.
    None,
    /// Anything, as written.
    Text(Symbol),
    /// One term, the next of the node's arguments (`:no-pattern`).
    Term,
    /// So many of the node's next arguments, in parentheses (`:pattern`).
    Terms(u32),
}

/// One node of a term.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The head: what kind of term it is.
    pub head: Head,
    /// The text it prints: a name, a literal, an identifier with its indices and qualifiers.
    pub name: Symbol,
    /// Its sort.
    pub sort: SortId,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A function a script declares or defines.
#[derive(Clone, Debug)]
pub struct Fun {
    /// Its name, without bars.
    pub name: Symbol,
    /// Its name as written.
    pub spelling: Symbol,
    /// Sort parameters; empty but for the functions of parametric datatypes.
    pub type_params: Vec<Symbol>,
    /// Argument sorts.
    pub args: Vec<SortId>,
    /// Result sort.
    pub result: SortId,
    /// The kind of function.
    pub kind: FunKind,
}

/// The kinds of functions of a script.
/// The body that counts is [`crate::Pool::body`]: a mutant may have changed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunKind {
    /// Any function of these sorts.
    Declared,
    /// A macro.
    Defined(BinderList, TermId),
    /// A recursive definition, which is an axiom; its body is kept by the pool.
    Recursive(BinderList),
    /// A term named by `:named`.
    Named(TermId),
    /// The constructor of this number of the function's result sort.
    Constructor(u32),
    /// The selector of this number (second) of the constructor of this number (first).
    Selector(u32, u32),
    /// `is-C` for the constructor of this number.
    Tester(u32),
    /// z3's order of subterms of a datatype.
    Subterm,
}
