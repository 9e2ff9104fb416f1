//! Who is asked beside whom: releases in order, each with a reference of another make.

use crate::campaign::Subject;
use crate::solver::{Solver, SolverId};

/// The subjects among studied solvers and further references: makes in the order in which they are first named,
/// releases of a make by number, builds without a number as they are named.
///
/// The reference of a release is the one that is given by hand, if any; else the newest cvc5 for z3, and the newest z3 for all
/// others.
pub fn subjects(studied: Vec<Solver>, given: Vec<Solver>, further: Vec<Solver>) -> Vec<Subject> {
    let makes: Vec<String> = studied.iter().map(|s| s.profile.name.clone()).collect();
    let place = |s: &Solver| makes.iter().position(|m| *m == s.profile.name);
    let mut all: Vec<Subject> = Vec::new();
    let mut sorted = studied;
    sorted.sort_by(|a, b| {
        place(a).cmp(&place(b)).then_with(|| match (&a.release, &b.release) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => std::cmp::Ordering::Equal,
        })
    });
    for solver in sorted {
        if !all.iter().any(|c| c.solver.name == solver.name) {
            all.push(Subject::new(solver, true));
        }
    }
    let by_hand = !given.is_empty();
    let named: Vec<SolverId> = given.iter().map(|s| s.name.clone()).collect();
    let studied_makes = makes;
    for solver in given.into_iter().chain(further) {
        let wanted = by_hand || !studied_makes.contains(&solver.profile.name);
        if wanted && !all.iter().any(|c| c.solver.name == solver.name) {
            all.push(Subject::new(solver, false));
        }
    }
    let references: Vec<Option<usize>> = (0..all.len()).map(|i| reference(&all, i, &named)).collect();
    for (subject, reference) in all.iter_mut().zip(references) {
        subject.references = reference.into_iter().filter(|_| subject.studied).collect();
    }
    let used: Vec<usize> = all.iter().flat_map(|c| c.references.clone()).collect();
    // Whom nobody needs is not asked.
    let keep: Vec<bool> = (0..all.len()).map(|i| all[i].studied || used.contains(&i)).collect();
    let moved: Vec<usize> = (0..all.len()).map(|i| keep[..i].iter().filter(|k| **k).count()).collect();
    let mut kept: Vec<Subject> = all.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(c, _)| c).collect();
    for subject in &mut kept {
        subject.references.iter_mut().for_each(|r| *r = moved[*r]);
    }
    kept
}

/// Makes that are taken for references, the first that is not the release's own.
const TRUSTED: &[&str] = &["z3", "cvc5", "bitwuzla", "yices", "cvc4"];

fn reference(all: &[Subject], whom: usize, named: &[SolverId]) -> Option<usize> {
    if !named.is_empty() {
        let other = |i: &usize| *i != whom && named.contains(&all[*i].solver.name);
        return (0..all.len()).rev().find(other);
    }
    let own = &all[whom].solver.profile.name;
    let newest = |make: &&&str| (0..all.len()).rev().find(|&i| all[i].solver.profile.name == ***make);
    TRUSTED.iter().filter(|make| *make != own).find_map(|make| newest(&make))
}

/// A release under study in words, with the releases beside which it is judged.
pub fn beside(subject: &Subject, all: &[Subject]) -> String {
    let role = if subject.studied { "" } else { " (reference only)" };
    let others: Vec<&str> = subject.references.iter().map(|&r| all[r].solver.name.as_str()).collect();
    match others.is_empty() {
        true => format!("{}{role}", subject.solver.name),
        false => format!("{}{role}, beside {}", subject.solver.name, others.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Release;

    fn solver(make: &str, release: &str) -> Solver {
        let mut solver = Solver::fake_as(make, &format!("sat;mark={release}")).expect("a plan");
        solver.name = format!("{make}@{release}").parse().expect("a name");
        solver.release = Release::parse(release);
        solver
    }

    fn shown(all: &[Subject]) -> String {
        let one = |c: &Subject| {
            let beside = c.references.first().map_or("-", |&r| all[r].solver.name.as_str());
            format!("{}{}<{beside}", if c.studied { "" } else { "+" }, c.solver.name)
        };
        all.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_release_is_judged_beside_the_newest_of_another_make() {
        let studied = ["4.8.10", "4.8.9", "5.4.0"].map(|r| solver("z3", r)).to_vec();
        let cvc5 = ["1.4.2", "1.2.0"].map(|r| solver("cvc5", r)).to_vec();
        let both = subjects([studied.clone(), cvc5].concat(), Vec::new(), vec![solver("cvc5", "9")]);
        assert_eq!(
            shown(&both),
            "z3@4.8.9<cvc5@1.4.2 z3@4.8.10<cvc5@1.4.2 z3@5.4.0<cvc5@1.4.2 cvc5@1.2.0<z3@5.4.0 cvc5@1.4.2<z3@5.4.0"
        );
        let further = vec![solver("yices", "2"), solver("cvc5", "1.0")];
        let one = subjects(studied.clone(), Vec::new(), further);
        assert_eq!(shown(&one), "z3@4.8.9<cvc5@1.0 z3@4.8.10<cvc5@1.0 z3@5.4.0<cvc5@1.0 +cvc5@1.0<-");
        let given = subjects(studied, vec![solver("z3", "5.4.0")], Vec::new());
        assert_eq!(shown(&given), "z3@4.8.9<z3@5.4.0 z3@4.8.10<z3@5.4.0 z3@5.4.0<-");
    }
}
