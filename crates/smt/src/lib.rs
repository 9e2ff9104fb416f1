//! The language of SMT-LIB: sorts, one table of operators, terms, scripts, reading, writing,
//! values and evaluation.
//!
//! The crate is pure: no files, no clock, no chance, no solver.

mod build;
mod eval;
mod logic;
mod lossless;
mod model;
mod pool;
pub mod read;
pub mod rename;
mod row_text;
mod script;
mod search;
pub mod sexpr;
mod slices;
mod sort;
mod substitute;
mod symbol;
mod term;
mod terms;
pub mod theory;
pub mod value;
pub mod walk;
mod write;

pub use eval::{Call, Fuel, Gap, Outcome, Verdict, eval, satisfies, verdicts};
pub use logic::{Arithmetic, Logic};
pub use model::{Model, ModelDialect};
pub use pool::{Base, MAX_SORT_DEPTH, Pool};
pub use read::{Located, Note, ReadError, read};
pub use script::{Command, OpaquePart, Query, Script, Span, TermList, What};
pub use search::{Decision, Limits, Unbounded, search, search_seen};
pub use sort::{
    Constructor, Datatype, Pat, Sort, SortDecl, SortDeclId, SortDef, SortDefId, SortId, SortList, Width,
};
pub use symbol::{Symbol, is_simple, spelled, unquoted};
pub use term::{
    Attr, AttrList, AttrValue, Binder, BinderList, Case, CaseList, Fun, FunId, FunKind, Head, Index,
    IndexList, Literal, Node, TermId,
};
pub use write::{
    sort_text, write_command, write_command_marked, write_command_to, write_script, write_script_to,
    write_term, write_term_marked,
};
