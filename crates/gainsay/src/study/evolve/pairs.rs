//! Who is asked beside whom: releases in order, each with a reference of another make.

use crate::solver::{Solver, SolverId};

/// A release under study.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The solver.
    pub solver: Solver,
    /// Whether it is studied, or only a reference.
    pub studied: bool,
    /// Beside whom it is judged: their numbers among the contenders; nobody if there is no other make.
    pub references: Vec<usize>,
    /// Whether its runs outlive this study, because it is the same release next time.
    pub lasting: bool,
}

impl Contender {
    /// A contender without references.
    pub fn new(solver: Solver, studied: bool) -> Contender {
        Contender { solver, studied, references: Vec::new(), lasting: true }
    }
}

/// The contenders among studied solvers and further references: makes in the order in which they are first named,
/// releases of a make by number, builds without a number as they are named.
///
/// The reference of a release is the one that is given by hand, if any; else the newest cvc5 for z3, and the newest z3 for all
/// others.
pub fn contenders(studied: Vec<Solver>, given: Vec<Solver>, further: Vec<Solver>) -> Vec<Contender> {
    let makes: Vec<String> = studied.iter().map(|s| s.profile.name.clone()).collect();
    let place = |s: &Solver| makes.iter().position(|m| *m == s.profile.name);
    let mut all: Vec<Contender> = Vec::new();
    let mut sorted = studied;
    sorted.sort_by(|a, b| {
        place(a).cmp(&place(b)).then_with(|| match (&a.release, &b.release) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => std::cmp::Ordering::Equal,
        })
    });
    for solver in sorted {
        if !all.iter().any(|c| c.solver.name == solver.name) {
            all.push(Contender::new(solver, true));
        }
    }
    let by_hand = !given.is_empty();
    let named: Vec<SolverId> = given.iter().map(|s| s.name.clone()).collect();
    let studied_makes = makes;
    for solver in given.into_iter().chain(further) {
        let wanted = by_hand || !studied_makes.contains(&solver.profile.name);
        if wanted && !all.iter().any(|c| c.solver.name == solver.name) {
            all.push(Contender::new(solver, false));
        }
    }
    let references: Vec<Option<usize>> = (0..all.len()).map(|i| reference(&all, i, &named)).collect();
    for (contender, reference) in all.iter_mut().zip(references) {
        contender.references = reference.into_iter().filter(|_| contender.studied).collect();
    }
    let used: Vec<usize> = all.iter().flat_map(|c| c.references.clone()).collect();
    // Whom nobody needs is not asked.
    let keep: Vec<bool> = (0..all.len()).map(|i| all[i].studied || used.contains(&i)).collect();
    let moved: Vec<usize> = (0..all.len()).map(|i| keep[..i].iter().filter(|k| **k).count()).collect();
    let mut kept: Vec<Contender> = all.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(c, _)| c).collect();
    for contender in &mut kept {
        contender.references.iter_mut().for_each(|r| *r = moved[*r]);
    }
    kept
}

/// Makes that are taken for references, the first that is not the release's own.
const TRUSTED: &[&str] = &["z3", "cvc5", "bitwuzla", "yices", "cvc4"];

fn reference(all: &[Contender], whom: usize, named: &[SolverId]) -> Option<usize> {
    if !named.is_empty() {
        let other = |i: &usize| *i != whom && named.contains(&all[*i].solver.name);
        return (0..all.len()).rev().find(other);
    }
    let own = &all[whom].solver.profile.name;
    let newest = |make: &&&str| (0..all.len()).rev().find(|&i| all[i].solver.profile.name == ***make);
    TRUSTED.iter().filter(|make| *make != own).find_map(|make| newest(&make))
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

    fn shown(all: &[Contender]) -> String {
        let one = |c: &Contender| {
            let beside = c.references.first().map_or("-", |&r| all[r].solver.name.as_str());
            format!("{}{}<{beside}", if c.studied { "" } else { "+" }, c.solver.name)
        };
        all.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_release_is_judged_beside_the_newest_of_another_make() {
        let studied = ["4.8.10", "4.8.9", "5.4.0"].map(|r| solver("z3", r)).to_vec();
        let cvc5 = ["1.4.2", "1.2.0"].map(|r| solver("cvc5", r)).to_vec();
        let both = contenders([studied.clone(), cvc5].concat(), Vec::new(), vec![solver("cvc5", "9")]);
        assert_eq!(
            shown(&both),
            "z3@4.8.9<cvc5@1.4.2 z3@4.8.10<cvc5@1.4.2 z3@5.4.0<cvc5@1.4.2 cvc5@1.2.0<z3@5.4.0 cvc5@1.4.2<z3@5.4.0"
        );
        let further = vec![solver("yices", "2"), solver("cvc5", "1.0")];
        let one = contenders(studied.clone(), Vec::new(), further);
        assert_eq!(shown(&one), "z3@4.8.9<cvc5@1.0 z3@4.8.10<cvc5@1.0 z3@5.4.0<cvc5@1.0 +cvc5@1.0<-");
        let given = contenders(studied, vec![solver("z3", "5.4.0")], Vec::new());
        assert_eq!(shown(&given), "z3@4.8.9<z3@5.4.0 z3@4.8.10<z3@5.4.0 z3@5.4.0<-");
    }
}
