//! The language of SMT-LIB: sorts, one table of operators, terms, scripts, reading, writing,
//! values and evaluation.
//!
//! The crate is pure. It uses no files, no clock, no random numbers and no solver.
//!
//! # Read, evaluate, print
//!
//! [`read`] checks the sorts of a script, and [`Model::read`] those of a model that a solver printed for it. The
//! evaluator says for each check whether the model makes all assertions there true. It never guesses: if it has no
//! value, it returns a [`Gap`] that says why.
//!
//! ```
//! use smt::{Fuel, Model, Verdict, satisfies};
//!
//! let script = smt::read(b"(declare-const x Int) (assert (< 1 (* x x))) (check-sat)").expect("well-sorted");
//! let query = &script.queries()[0];
//! let verdict = |model: &str| {
//!     let model = Model::read(&script, Some(query.command), model.as_bytes()).expect("a model");
//!     satisfies(query, &model, &Fuel::default())
//! };
//! assert!(matches!(verdict("((define-fun x () Int 2))"), Verdict::True));
//! assert!(matches!(verdict("((define-fun x () Int 0))"), Verdict::False));
//! assert!(matches!(verdict("()"), Verdict::Open(..)));
//! assert_eq!(script.text().lines().last(), Some("(check-sat)"));
//! ```
//!
//! # Build
//!
//! Terms are made in a [`Pool`], which takes only well-sorted terms. A changed script prints the changed commands and
//! copies the rest from its source.
//!
//! ```
//! let mut script = smt::read(b"(declare-const x Int) (assert (= x 1))").expect("well-sorted");
//! let old = script.term_of(1, 0).expect("the assertion");
//! let args = script.pool.args(old).to_vec();
//! let new = script.pool.apply_named("distinct", &[], &args, None).expect("it takes two integers");
//! assert!(script.set_term(1, 0, new));
//! assert_eq!(script.text(), "(declare-const x Int)\n(assert (distinct x 1))\n");
//! ```
//!
//! # Ask the table
//!
//! Everything known about an operator is in its row: sorts, meaning, algebra, and which solvers read it.
//!
//! ```
//! use smt::theory::{ReleaseNumber, table};
//!
//! let row = table().op(table().named("bvnego")[0]);
//! let reads = |release| row.is_read_by::<&str>("z3", ReleaseNumber::parse(release), &[]);
//! assert_eq!((reads("4.8.12"), reads("5.4")), (Some(false), Some(true)));
//! assert_eq!(row.is_read_by::<&str>("another", None, &[]), None);
//! ```

mod build;
pub mod command;
mod definition;
mod enumerated;
mod eval;
mod gap;
mod heard;
mod levels;
mod logic;
mod lossless;
mod model;
mod points;
mod pool;
mod program;
mod query;
pub mod read;
pub mod rename;
pub mod rewrite;
mod row_text;
pub mod scope;
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
mod vocabulary;
pub mod walk;
mod write;

pub use enumerated::Enumerations;
pub use eval::{OpenTerm, Outcome, Verdict, eval, open_terms, satisfies, verdicts};
pub use gap::{Fuel, Gap};
pub use heard::{Heard, read_values};
pub use logic::{Arithmetic, Logic};
pub use model::{HeardValue, Model, ModelDialect};
pub use points::{Points, Work};
pub use pool::{Base, MAX_SORT_DEPTH, Pool};
pub use query::Query;
pub use read::{Located, ReadError, read};
pub use script::{Command, Note, OpaquePart, Script, Span, What};
pub use search::{Decision, Limits, Unbounded, decide, search, search_seen};
pub use sort::{
    Constructor, Datatype, Pat, Sort, SortDecl, SortDeclId, SortDef, SortDefId, SortId, SortList, Width,
};
pub use symbol::{Symbol, is_simple, spelled, unquoted};
pub use term::{
    Attr, AttrList, AttrValue, Binder, BinderList, Case, CaseList, Fun, FunId, FunKind, Head, Index,
    IndexList, Literal, Node, TermId, TermList,
};
pub use theory::{Call, Operator, Point};
pub use write::{
    sort_text, write_command_marked, write_command_to, write_script_to, write_term, write_term_marked,
};
