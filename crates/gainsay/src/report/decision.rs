//! What a search decided, in words.

use smt::{Decision, Script};

/// A decision as a line.
pub fn line(script: &Script, decision: &Decision) -> String {
    match decision {
        Decision::Sat(_) => "sat".to_owned(),
        Decision::Unsat { assignments } => format!("unsat: none of {assignments} assignments satisfies it"),
        Decision::Infinite(unbounded) => {
            let name = script.pool.text(script.pool.fun(unbounded.symbol).spelling);
            format!("unknown: the values of {name} cannot all be tried: {}", unbounded.why)
        }
        Decision::OverBudget { .. } => {
            "unknown: there are more assignments than --budget allows to try".to_owned()
        }
        Decision::Open(gap) => format!("unknown: {gap}"),
    }
}
