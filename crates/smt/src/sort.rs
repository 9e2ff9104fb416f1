//! Sorts, and the patterns over sorts in which the operator table is written.

use crate::symbol::Symbol;

/// A sort, by its number in a [`crate::Pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u32);

/// The sorts every pool has under the same number.
impl SortId {
    /// The sort of a term we do not understand: it fits everywhere and is never a reason to accuse a solver.
    pub const UNKNOWN: SortId = SortId(0);
    /// The sort `Bool`.
    pub const BOOL: SortId = SortId(1);
    /// The sort `Int`.
    pub const INT: SortId = SortId(2);
    /// The sort `Real`.
    pub const REAL: SortId = SortId(3);
    /// The sort `String`.
    pub const STRING: SortId = SortId(4);
    /// The sort `RegLan`.
    pub const REGLAN: SortId = SortId(5);
    /// The sort `RoundingMode`.
    pub const ROUNDING: SortId = SortId(6);
    /// z3's `Unicode`, the sort of a single character.
    pub const CHAR: SortId = SortId(7);

    /// In the order of the constants.
    pub(crate) const FIXED: [Sort; 8] = [
        Sort::Unknown,
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::String,
        Sort::RegLan,
        Sort::RoundingMode,
        Sort::Char,
    ];
}

/// Several sorts in a row, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortList(pub(crate) u32);

/// A sort that a script declares: an uninterpreted sort or a datatype, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortDeclId(pub(crate) u32);

/// A sort by its parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// See [`SortId::UNKNOWN`].
    Unknown,
    /// The sort `Bool`.
    Bool,
    /// The sort `Int`.
    Int,
    /// The sort `Real`.
    Real,
    /// The sort `String`.
    String,
    /// The sort `RegLan`.
    RegLan,
    /// The sort `RoundingMode`.
    RoundingMode,
    /// z3's `Unicode`
    Char,
    /// `(_ BitVec m)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float(u32, u32),
    /// `(_ FiniteField p)`, p as decimal digits
    FiniteField(Symbol),
    /// `(Array X Y)`
    Array(SortId, SortId),
    /// `(Seq X)`
    Seq(SortId),
    /// cvc5's `(Set X)`, which z3 reads as an array of Booleans.
    Set(SortId),
    /// z3's `(FiniteSet X)`
    FiniteSet(SortId),
    /// `(Bag X)`
    Bag(SortId),
    /// cvc5's `(Nullable X)`: a value of X, or none.
    Nullable(SortId),
    /// `(Tuple X ..)`
    Tuple(SortList),
    /// `(-> X .. Y)`: the arguments, then the result
    Function(SortList),
    /// A declared sort applied to its arguments.
    Declared(SortDeclId, SortList),
    /// A sort parameter inside the declaration of a parametric datatype or function.
    Param(Symbol),
    /// A sort we do not know, as it was written.
    Opaque(Symbol),
}

impl Sort {
    /// The sort of the elements of a collection that has elements of one sort.
    #[inline]
    pub fn element(self) -> Option<SortId> {
        match self {
            Sort::Seq(e) | Sort::Set(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Nullable(e) => Some(e),
            _ => None,
        }
    }

    /// The same collection of elements of another sort; any other sort is returned as it is.
    #[must_use]
    pub fn with_element(self, element: SortId) -> Sort {
        match self {
            Sort::Seq(_) => Sort::Seq(element),
            Sort::Set(_) => Sort::Set(element),
            Sort::FiniteSet(_) => Sort::FiniteSet(element),
            Sort::Bag(_) => Sort::Bag(element),
            Sort::Nullable(_) => Sort::Nullable(element),
            sort => sort,
        }
    }

    /// The name of a collection that has elements of one sort.
    pub fn collection(self) -> Option<&'static str> {
        match self {
            Sort::Seq(_) => Some("Seq"),
            Sort::Set(_) => Some("Set"),
            Sort::FiniteSet(_) => Some("FiniteSet"),
            Sort::Bag(_) => Some("Bag"),
            Sort::Nullable(_) => Some("Nullable"),
            _ => None,
        }
    }
}

/// A declared sort.
#[derive(Clone, Debug)]
pub struct SortDecl {
    /// Its name, without bars.
    pub name: Symbol,
    /// Its name as written.
    pub spelling: Symbol,
    /// The number of arguments that it takes.
    pub arity: u32,
    /// Its constructors, if it is a datatype.
    pub datatype: Option<Datatype>,
}

/// A sort that a script defines, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortDefId(pub(crate) u32);

/// A defined sort: a name for another.
#[derive(Clone, Debug)]
pub struct SortDef {
    /// Its name, without bars.
    pub name: Symbol,
    /// Its parameters.
    pub params: Vec<Symbol>,
    /// The sort that it stands for.
    pub body: SortId,
    /// The whole command as written.
    pub text: Symbol,
}

/// A datatype: its constructors and whether its values may be infinite.
#[derive(Clone, Debug, Default)]
pub struct Datatype {
    /// Sort parameters, empty for a plain datatype.
    pub params: Vec<Symbol>,
    /// Constructors in order of declaration.
    pub constructors: Vec<Constructor>,
    /// Declared by `declare-codatatypes`: cyclic values are legal.
    pub co: bool,
    /// z3's name for the order of subterms, if it was given one.
    pub order: Option<crate::FunId>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The function that builds a value.
    pub function: crate::FunId,
    /// The function `is-C`.
    pub tester: crate::FunId,
    /// One selector for each argument.
    pub selectors: Vec<crate::FunId>,
}

/// A pattern over sorts, as rows of the table write them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pat {
    /// A sort that every pool has under the same number.
    Is(SortId),
    /// Any sort, the same wherever the number recurs.
    Any(u8),
    /// `(_ BitVec w)`
    BitVec(Width),
    /// `(_ FloatingPoint eb sb)`
    Float(Width, Width),
    /// `(_ FiniteField p)`, the same p throughout
    Field,
    /// `(Array X Y)`
    Array(&'static Pat, &'static Pat),
    /// `(Seq X)`
    Seq(&'static Pat),
    /// `(Set X)`
    Set(&'static Pat),
    /// `(FiniteSet X)`
    FiniteSet(&'static Pat),
    /// `(Bag X)`
    Bag(&'static Pat),
    /// `(Nullable X)`
    Nullable(&'static Pat),
    /// A function from the first sorts to the last: a `->` sort or, as z3 has it, an array.
    Function(&'static [Pat]),
}

impl Pat {
    /// The pattern of the elements of a collection, and the sort of such a collection.
    pub fn elements(self) -> Option<(&'static Pat, Sort)> {
        match self {
            Pat::Seq(x) => Some((x, Sort::Seq(SortId::UNKNOWN))),
            Pat::Set(x) => Some((x, Sort::Set(SortId::UNKNOWN))),
            Pat::FiniteSet(x) => Some((x, Sort::FiniteSet(SortId::UNKNOWN))),
            Pat::Bag(x) => Some((x, Sort::Bag(SortId::UNKNOWN))),
            Pat::Nullable(x) => Some((x, Sort::Nullable(SortId::UNKNOWN))),
            _ => None,
        }
    }

    /// The pattern and the sort of the elements, if both are the same kind of collection.
    pub(crate) fn elements_with(self, sort: Sort) -> Option<(&'static Pat, SortId)> {
        let ((pat, of), element) = (self.elements()?, sort.element()?);
        (of.with_element(element) == sort).then_some((pat, element))
    }
}

/// A width in a pattern. In an argument, a bare variable is bound by the first sort it meets; everything else
/// is computed and compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A fixed width.
    Is(u32),
    /// A width variable.
    Var(u8),
    /// The index with this number.
    Index(u8),
    /// A sum.
    Sum(&'static Width, &'static Width),
    /// A product.
    Product(&'static Width, &'static Width),
    /// `a - b + 1`
    Span(&'static Width, &'static Width),
}
