//! The operators of the newest releases: each name has a row, or a reason why it has none.
//!
//! The lists beside this file are of one release each. A name without a row has its reason after a tab.

use std::collections::BTreeSet;
use std::time::Duration;

use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits, Outputs, Question, Runner, Solver};
use smt::theory::table;

/// A release and its operators.
struct List {
    solver: &'static str,
    text: &'static str,
    /// What stands before each question.
    header: &'static str,
    /// What the solver says of a name that it does not know.
    unknown: &'static [&'static str],
}

const LISTS: [List; 2] = [
    List {
        solver: "z3@5.4.0",
        text: include_str!("z3-5.4.0.txt"),
        header: "",
        unknown: &[
            "unknown constant",
            "unknown function",
            "unknown builtin",
            "invalid qualified/indexed identifier",
        ],
    },
    List {
        solver: "cvc5@1.4.2",
        text: include_str!("cvc5-1.4.2.txt"),
        header: "(set-logic HO_ALL)\n",
        unknown: &[
            "not declared as a variable",
            "is not declared",
            "Unknown indexed function",
            "Unknown indexed literal",
        ],
    },
];

/// Binders, which are kinds of terms, are known to the reader and not to the table.
const BINDER: &str = "a binder, which is a kind of term";

impl List {
    /// Each name, with its reason if it has no row.
    fn names(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> + use<> {
        let lines = self.text.lines().filter(|line| !line.starts_with("# "));
        lines.map(|line| line.split_once('\t').map_or((line, None), |(name, why)| (name, Some(why))))
    }
}

#[test]
fn every_name_has_a_row_or_a_reason() {
    for list in &LISTS {
        let wrong: Vec<_> = list
            .names()
            .filter(|(name, why)| {
                let reader = list.solver.split('@').next().expect("a name");
                let has = table().named(name).iter().any(|&op| table().op(op).readers.get(reader).is_some());
                has == why.is_some() || why.is_some_and(|why| why.len() < 10)
            })
            .collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", list.solver);
        let names: Vec<_> = list.names().map(|(name, _)| name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{}: each name once, in order", list.solver);
        assert!(names.len() > 250, "{}", list.solver);
    }
}

/// Scripts in which a name stands in different ways. A solver that knows it refuses at least one of them for another reason,
/// or takes it.
fn uses(name: &str) -> [String; 7] {
    [
        format!("(assert {name})"),
        format!("(assert ({name} 1))"),
        format!("(assert ({name} true true))"),
        format!("(assert ({name} true true true))"),
        format!("(assert ({name} \"a\" \"b\"))"),
        format!("(assert ({name} #b11 #b11))"),
        format!("(assert ((_ {name} 1) #b11))"),
    ]
}

/// Whether a solver knows all names of a script.
fn takes(solver: &Solver, list: &List, script: &str, runner: &mut Runner) -> bool {
    let question = Question { script, ask: Outputs::default() };
    let run = runner.ask(solver, question, AskMode::Fresh).expect("our part works");
    !run.reply.errors.iter().any(|error| list.unknown.iter().any(|unknown| error.contains(unknown)))
}

/// Whether a solver knows a name.
fn knows(solver: &Solver, list: &List, name: &str, runner: &mut Runner) -> bool {
    uses(name).into_iter().any(|body| takes(solver, list, &format!("{}{body}\n", list.header), runner))
}

#[test]
fn the_releases_know_these_names_and_no_others() {
    let Some(solvers) = require(&LISTS.map(|list| list.solver)) else { return };
    for (list, solver) in LISTS.iter().zip(&solvers) {
        let (wall, cpu) = (Duration::from_secs(60), Duration::from_secs(5));
        let mut runner = Runner::new(Limits { wall, cpu, ..Limits::default() });
        let unknown: BTreeSet<&str> = list
            .names()
            .filter(|(name, why)| *why != Some(BINDER) && !knows(solver, list, name, &mut runner))
            .map(|(name, _)| name)
            .collect();
        assert!(unknown.is_empty(), "{} does not know {unknown:?}", list.solver);
        for nonsense in ["nonsense", "set.nonsense", "bvnonsense"] {
            assert!(!knows(solver, list, nonsense, &mut runner), "{} knows {nonsense}", list.solver);
        }
        // What the table says that the newest release reads, it reads.
        let reader = list.solver.split('@').next().expect("a name");
        let claimed = table().ids().map(|op| table().op(op));
        let claimed = claimed
            .filter(|op| op.readers.get(reader).is_some_and(|r| r.needs.is_none() && r.name.is_none()));
        let mut reads = |name: &str| match READ_OTHERWISE.iter().find(|(other, _)| *other == name) {
            Some((_, script)) => takes(solver, list, script, &mut runner),
            None => knows(solver, list, name, &mut runner),
        };
        let wrong: BTreeSet<&str> = claimed.map(|op| op.name).filter(|name| !reads(name)).collect();
        assert!(wrong.is_empty(), "rows say that {} reads {wrong:?}", list.solver);
    }
}

/// What the table says that an old release reads, it reads: an operator that came later says since when.
#[test]
fn old_releases_know_what_rows_say() {
    let names = ["z3@4.8.7", "cvc5@1.0.3"];
    let Some(solvers) = require(&names) else { return };
    for solver in &solvers {
        let list = LISTS.iter().find(|list| list.solver.starts_with(&*solver.profile.name));
        let list = list.expect("a list of the newest release");
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(5)));
        let release = solver.release.as_ref().map(gainsay::solver::Release::number);
        for nonsense in ["nonsense", "set.nonsense", "bvnonsense"] {
            assert!(!knows(solver, list, nonsense, &mut runner), "{} knows {nonsense}", solver.name);
        }
        let mut wrong = BTreeSet::new();
        for op in table().ids().map(|op| table().op(op)) {
            let reads = op.is_read_by(&solver.profile.name, release, &solver.options) == Some(true);
            if !reads || op.only_in_models {
                continue;
            }
            let own = op.readers.get(&solver.profile.name).and_then(|reader| reader.name);
            let known =
                [Some(op.name), own, op.former].into_iter().flatten().any(|name| {
                    match READ_OTHERWISE.iter().find(|(other, _)| *other == name) {
                        Some((_, script)) => takes(solver, list, script, &mut runner),
                        None => knows(solver, list, name, &mut runner),
                    }
                });
            if !known {
                wrong.insert(op.name);
            }
        }
        assert!(wrong.is_empty(), "rows say that {} reads {wrong:?}", solver.name);
    }
}

/// Rows whose names stand in terms in ways of their own, each with a script that has it.
const READ_OTHERWISE: &[(&str, &str)] = &[
    ("bvX", "(set-logic HO_ALL)(assert (= (_ bv5 8) (_ bv5 8)))"),
    ("const", "(set-logic HO_ALL)(assert (= 0 (select ((as const (Array Int Int)) 0) 1)))"),
    ("+oo", "(set-logic HO_ALL)(assert (= (_ +oo 3 5) (_ +oo 3 5)))"),
    ("-oo", "(set-logic HO_ALL)(assert (= (_ -oo 3 5) (_ -oo 3 5)))"),
    ("+zero", "(set-logic HO_ALL)(assert (= (_ +zero 3 5) (_ +zero 3 5)))"),
    ("-zero", "(set-logic HO_ALL)(assert (= (_ -zero 3 5) (_ -zero 3 5)))"),
    ("NaN", "(set-logic HO_ALL)(assert (= (_ NaN 3 5) (_ NaN 3 5)))"),
    ("char", "(set-logic HO_ALL)(assert (= (_ char #x41) (_ char #x41)))"),
    // It is known in logics with cardinalities alone.
    ("fmf.card", "(set-logic UFC)(declare-sort U 0)(assert (_ fmf.card U 2))"),
];
