//! The oracles `crash` and `self-check`: what a solver does that is wrong whatever the answer is.

use super::{NOTHING, X, judged, plainly, run_of, solver};
use crate::judge::CrashSite;
use crate::solver::Ending;
use crate::solver::process::signs::signs;

#[test]
fn a_crash_is_one_with_more_room_too() {
    let row = [("z3", "SEGV")];
    assert_eq!(judged(X, vec![], &row, &|p| if p.roomy { "SEGV" } else { "sat" }), ["crash z3"]);
    assert_eq!(judged(X, vec![], &row, &|_| "sat"), NOTHING);
    assert_eq!(judged(X, vec![], &row, &|_| "MEMORY"), NOTHING);
}

#[test]
fn a_sanitizers_crash_is_where_its_stack_is() {
    let place = |pid: u32, address: u32| {
        let text = format!(
            "=={pid}==ERROR: AddressSanitizer: SEGV on unknown address 0x{address:x} (pc 0x{address:x} T0)\n    \
             #0 0x{address:x} in core::f(int) ../src/core.cpp:7\n"
        );
        let mut run = run_of(&solver("z3"), "", Ending::Exited(1));
        run.reply.stderr = text;
        run.signs = signs(&solver("z3").profile, &run.reply, run.ending);
        CrashSite::of(&run)
    };
    assert_eq!(place(1, 12), CrashSite::Line { file: "../src/core.cpp".to_owned(), line: 7 });
    assert_eq!(place(1, 12), place(4711, 0xabc));
}

#[test]
fn a_solvers_own_complaint_is_its_own_kind() {
    let printed = "sat\n(error \"line 3 column 10: an invalid model was generated\")";
    assert_eq!(plainly(X, &[("z3@4.8.7", printed)]), ["self-check z3@4.8.7"]);
}
