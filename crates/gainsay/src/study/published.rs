//! How the authors of each published technique asked solvers: one row for each paper.

use crate::solver::Solver;

/// One paper: what its authors ran.
#[derive(Debug, PartialEq)]
pub struct Paper {
    /// Its name on the command line, and that of its options in the table `[published]` of a profile.
    pub name: &'static str,
    /// The strategy.
    pub strategy: &'static str,
    /// The flags of the strategy that give the published version of it.
    pub flags: &'static [(&'static str, &'static str)],
    /// Seconds for each question, where the paper says it.
    pub seconds: Option<f64>,
    /// The random numbers of solvers.
    pub solver_seeds: &'static [u64],
    /// Whether seeds were left out that a simplifier decides or that no solver answers.
    pub prepare: bool,
}

/// The papers. In each of them seeds are declarations, assertions and checks, and each question has its own process.
pub const PAPERS: &[Paper] = &[
    Paper {
        name: "opfuzz",
        strategy: "opfuzz",
        flags: &[("family", "paper"), ("int-real", "true"), ("chain", "300")],
        seconds: None,
        solver_seeds: &[],
        prepare: false,
    },
    Paper {
        name: "sae",
        strategy: "sae",
        flags: &[("cnf", "true"), ("mutants", "300"), ("positions", "5")],
        seconds: Some(10.0),
        solver_seeds: &[],
        prepare: true,
    },
    Paper {
        name: "strings",
        strategy: "construct",
        flags: &[("theory", "strings"), ("depth", "1")],
        seconds: Some(15.0),
        solver_seeds: &[0, 1465],
        prepare: false,
    },
    Paper {
        name: "et",
        strategy: "enumerate",
        flags: &[],
        seconds: Some(60.0),
        solver_seeds: &[],
        prepare: false,
    },
];

impl Paper {
    /// The paper of a name, or a sentence that names those there are.
    pub fn named(name: &str) -> Result<&'static Paper, String> {
        PAPERS.iter().find(|paper| paper.name == name).ok_or_else(|| {
            let names: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
            format!("there is no such paper; there are {}", names.join(", "))
        })
    }

    /// The options with which its authors started this solver. None are known of solvers that they did not test.
    pub fn options<'a>(&self, solver: &'a Solver) -> &'a [String] {
        solver.profile.published.get(self.name).map_or(&[], Vec::as_slice)
    }

    /// The solvers as its authors started them.
    pub fn started(&self, solvers: Vec<Solver>) -> Vec<Solver> {
        let one = |solver: Solver| match self.options(&solver) {
            [] => solver,
            options => solver.with_options(options),
        };
        solvers.into_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::STRATEGIES;

    #[test]
    fn papers_name_strategies_and_flags_that_are_there() {
        for paper in PAPERS {
            let entry = STRATEGIES.iter().find(|entry| entry.name == paper.strategy).expect(paper.name);
            for (name, _) in paper.flags {
                assert!(entry.flags.iter().any(|flag| flag.name == *name), "{}: {name}", paper.name);
            }
            let flags = paper.flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            crate::strategy::build(&[paper.strategy.to_owned()], &flags).expect(paper.name);
        }
    }

    #[test]
    fn solvers_get_the_options_of_the_paper() {
        let rows = [
            ("opfuzz", "z3", "model_validate=true"),
            ("opfuzz", "cvc4", "--check-models --produce-models --incremental --strings-exp"),
            ("strings", "cvc5", "--strings-exp --full-saturate-quant"),
            ("et", "cvc5", "--check-models --check-unsat-cores --strings-exp"),
            ("et", "yices", ""),
        ];
        for (paper, profile, expected) in rows {
            let paper = Paper::named(paper).expect("there");
            let solver = Solver::fake_as(profile, "honest").expect("it has a profile");
            assert_eq!(paper.options(&solver).join(" "), expected, "{} {profile}", paper.name);
            let before = solver.options.len();
            let started = paper.started(vec![solver]).remove(0);
            assert_eq!(started.options[before..].join(" "), expected);
        }
        for profile in crate::solver::Profile::all() {
            for name in profile.published.keys() {
                assert!(Paper::named(name).is_ok(), "{}: {name}", profile.name);
            }
        }
    }

    #[test]
    fn an_unknown_paper_is_named_with_those_there_are() {
        let said = Paper::named("opfuz").expect_err("misspelt");
        assert_eq!(said, "there is no such paper; there are opfuzz, sae, strings, et");
    }
}
