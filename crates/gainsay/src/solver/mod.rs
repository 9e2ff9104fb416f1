//! Solvers: releases, profiles, processes, sessions, limits; what one does with a script becomes a [`Run`].

pub mod accepted;
pub mod acquire;
pub mod driver;
pub mod error;
pub mod fake;
pub mod id;
pub mod launch;
pub mod named;
pub mod names;
pub mod pick;
pub mod process;
pub mod profile;
pub mod release;
pub mod run;
pub mod runnable;
pub mod sent;
pub mod testing;

pub use error::SolverError;
pub use id::{Make, SolverId};
pub use process::limits::{Bound, Limits};
pub use process::machine::machine;
pub use process::reply::{Check, Output, Raw, Reply, Said};
pub use process::runner::{QuestionTime, Runner};
pub use profile::{
    CheckerRule, Flag, Profile, Promise, ProofEnd, ProofRules, Setting, SettingClass, SettingTable, SignKind,
};
pub use release::Release;
pub use run::{AskMode, Ending, Outcome, Outputs, Question, Run, Sign};
pub use runnable::Solver;
