//! Oracle `core`: the core, together with all unnamed assertions and assumptions in scope, must be unsat.

use std::collections::HashSet;

use smt::{AttrValue, FunKind, Head, Pool, Script, TermId, What};

use super::Oracle;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::pinned::part;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::suffices::{Part, insufficient};
use crate::judge::{Abstention, Evidence, Fault, Suspicion, Trial};

pub(super) struct Core;

impl Oracle for Core {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for (accused, _) in trial.made() {
            for check in 0..trial.queries().len() {
                let Some(reply) = trial.reply(accused, check).filter(|r| r.answer == Answer::Unsat) else {
                    continue;
                };
                let Some(core) = &reply.core else { continue };
                let names: HashSet<&str> = core.iter().map(|n| smt::unquoted(n)).collect();
                let formulas = formulas(&trial.case.script, &names);
                let core = GivenCore { accused, check, printed: core, names, formulas };
                match judge(trial, &core, &mut questions) {
                    Ok(found) => complaints.extend(found),
                    Err(why) => abstained = Some(why),
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

/// A core that a solver gave.
struct GivenCore<'t> {
    /// The position of the solver among those of the trial.
    accused: usize,
    check: usize,
    /// The names as it printed them.
    printed: &'t [String],
    /// The same names without bars.
    names: HashSet<&'t str>,
    /// What the names stand for.
    formulas: HashSet<TermId>,
}

impl GivenCore<'_> {
    /// Whether an assertion has a name and the core does not have it. A formula that has two names may be told by either, even by
    /// the name of an assertion that was popped.
    fn leaves_out(&self, pool: &Pool, term: TermId) -> bool {
        let told = |name| self.names.contains(name) || self.formulas.contains(&plain(pool, term));
        name(pool, term).is_some_and(|name| !told(name))
    }
}

/// The formulas that these names stand for, wherever in the script they are given.
fn formulas(script: &Script, names: &HashSet<&str>) -> HashSet<TermId> {
    let pool = &script.pool;
    let asserted = script.commands.iter().filter_map(|c| match c.what {
        What::Assert(term) => Some(term),
        _ => None,
    });
    let is_meant = |term: &TermId| name(pool, *term).is_some_and(|name| names.contains(name));
    asserted.filter(is_meant).map(|term| plain(pool, term)).collect()
}

/// An assertion without its attributes.
fn plain(pool: &Pool, term: TermId) -> TermId {
    match pool.node(term).head {
        Head::Annotated(_) => pool.args(term).first().copied().unwrap_or(term),
        _ => term,
    }
}

/// Whether an element of a core is a name that the script gives, or an assumption of the check. With simplifiers z3 prints
/// conjunctions of names, and solvers have names of their own: such an element may stand for anything.
fn is_known(script: &Script, check: &What, element: &str) -> bool {
    let pool = &script.pool;
    let gives = |fun: smt::FunId| {
        let fun = pool.fun(fun);
        matches!(fun.kind, FunKind::Named(_))
            && smt::unquoted(pool.text(fun.spelling)) == smt::unquoted(element)
    };
    let assumed = match check {
        What::CheckSatAssuming(list) => pool.terms(*list),
        _ => &[],
    };
    assumed.iter().any(|&term| smt::write_term(pool, term) == element) || pool.functions().any(gives)
}

/// What is wrong with a core: something only if it is satisfiable, or larger than it should be.
fn judge(
    trial: &Trial<'_>,
    core: &GivenCore<'_>,
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let script = &trial.case.script;
    let check = &script.commands[trial.queries()[core.check].command].what;
    if let Some(element) = core.printed.iter().find(|element| !is_known(script, check, element)) {
        return Err(Abstention::UnreadCore { error: format!("{element} is no name") });
    }
    let left_out = |term: TermId| core.leaves_out(&script.pool, term);
    let kept = part(script, core.check, |c| !matches!(c.what, What::Assert(term) if left_out(term)));
    let Some(kept) = kept else { return Ok(None) };
    let claimed = trial.case.claims.iter().find_map(|claim| match claim {
        Claim::Core(CheckRef { script: 0, check }, minimal) if *check == core.check => Some((claim, minimal)),
        _ => None,
    });
    // What holds a core is one.
    let has_all =
        claimed.is_some_and(|(_, minimal)| minimal.iter().all(|n| core.names.contains(smt::unquoted(n))));
    if has_all {
        return Ok(claimed.and_then(|(claim, minimal)| too_large(trial, core, claim, minimal.len())));
    }
    // A core of the whole is no news: the answer itself is what the other oracles judge.
    if trial.queries()[core.check].assertions.iter().any(|&term| left_out(term)) {
        let part = Part {
            place: (core.accused, core.check),
            script: &kept,
            shown: &|script, by, model| Evidence::SatisfiedCore {
                core: core.printed.to_vec(),
                script,
                by,
                model,
            },
            fault: |voice| Fault::WrongCore { voice },
            suspicion: Suspicion::WrongCore,
        };
        return insufficient(trial, &part, questions);
    }
    Ok(None)
}

/// The complaint that a core has more names than a minimal one, against a solver that was asked for a minimal core.
fn too_large(trial: &Trial<'_>, core: &GivenCore<'_>, claim: &Claim, minimal: usize) -> Option<Complaint> {
    let names = core.names.len();
    (trial.solver(core.accused).minimises() && names > minimal).then(|| Complaint {
        fault: Fault::LargeCore { names, minimal },
        against: Some(core.accused),
        check: Some(core.check),
        evidence: vec![Evidence::Claimed { claim: claim.clone() }],
    })
}

/// The name that an assertion has as a whole.
fn name(pool: &Pool, term: TermId) -> Option<&str> {
    let Head::Annotated(attrs) = pool.node(term).head else { return None };
    pool.attrs(attrs).iter().find_map(|attr| match attr.value {
        AttrValue::Text(name) if pool.text(attr.keyword) == ":named" => Some(smt::unquoted(pool.text(name))),
        _ => None,
    })
}
