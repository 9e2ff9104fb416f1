//! What a search decided, in words.

use smt::{Decision, Model, Script};

/// A model as solvers print one.
pub fn model(model: &Model) -> String {
    match &model.definitions()[..] {
        [] => "()".to_owned(),
        all => format!("(\n  {}\n)", all.join("\n  ")),
    }
}

/// A decision as a line.
pub fn line(script: &Script, decision: &Decision) -> String {
    match decision {
        Decision::Sat(_) => "sat".to_owned(),
        Decision::Unsat { assignments } => format!("unsat: none of {assignments} assignments satisfies it"),
        Decision::Infinite(unbounded) => {
            let name = script.pool.text(script.pool.fun(unbounded.symbol).spelling);
            format!("unknown: the values of {name} cannot all be tried: {}", unbounded.why)
        }
        Decision::OverBudget { assignments } => {
            format!(
                "unknown: {assignments} assignments were tried, and there are more; a larger --budget tries them"
            )
        }
        Decision::Open(gap) => format!("unknown: {gap}"),
    }
}
