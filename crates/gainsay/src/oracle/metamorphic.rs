//! Oracle `metamorphic`: answers of one solver to two scripts that cannot both be right.

use super::complaint::{Complaint, Evidence, Kind};
use super::evidence::{Charge, Given, charge, read_model, satisfies, wrong_unsat};
use super::steps::{declarations, steps};
use super::{Oracle, Probe, Questions, Step, Told};
use crate::case::{Answer, Ask, Claim};
use crate::trial::{Trial, answer_of, reply_of};

pub(super) struct Metamorphic;

impl Oracle for Metamorphic {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        for claim in &trial.case.claims {
            let Claim::SatImplies(from, to) = claim else { continue };
            for i in 0..trial.runs.len() {
                let (first, second) = (answer(trial, i, *from), answer(trial, i, *to));
                if (first, second) == (Some(Answer::Sat), Some(Answer::Unsat)) {
                    complaints.extend(judge(trial, i, claim, *from, *to, &mut questions));
                }
            }
        }
        questions.or_judge(complaints, None)
    }
}

/// What a solver answered to a check of one of the case's scripts.
fn answer(trial: &Trial<'_>, solver: usize, ask: Ask) -> Option<Answer> {
    match ask.script {
        0 => trial.reply(solver, ask.check).map(|r| r.answer),
        n => trial.known.get(n - 1)?.get(solver)?.get(ask.check).copied(),
    }
}

/// The solver says sat to the first and unsat to the second. A model of the first that satisfies the second shows that
/// the unsat is wrong; that the step from the first to the second is sound is otherwise asked of another solver.
fn judge(
    trial: &Trial<'_>,
    accused: usize,
    claim: &Claim,
    from: Ask,
    to: Ask,
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let solver = trial.solver(accused);
    let claimed = Evidence::Claimed { claim: claim.clone() };
    let first = trial.case.script_of(from)?;
    let second = trial.case.script_of(to)?;
    let first_text = String::from_utf8_lossy(&smt::write_script(first)).into_owned();
    let run = questions.ask(Probe::new(accused, first_text.clone()).with_model())?;
    let first_asks = first.asks();
    let (ask_from, asks_to) = (first_asks.get(from.check)?, second.asks());
    let ask_to = asks_to.get(to.check)?;
    let reply = reply_of(run, from.check).filter(|r| r.answer == Answer::Sat)?;
    let model = reply.model.as_deref().and_then(|m| read_model(solver, second, ask_to, m));
    if let Some(given) = model.filter(|given| satisfies(ask_to, &given.model)) {
        return convict(trial, accused, to, &given, claimed, questions);
    }
    // No model shows it. Then that the second follows from the first must be another solver's word: as a whole, or each
    // step of the way.
    let mut evidence = vec![claimed];
    let mut word = Audit::Open;
    let whole = implication(first, ask_from, second, ask_to).map(|script| vec![script]);
    for audit in [whole, steps(trial.case)] {
        if word == Audit::Open
            && let Some(scripts) = audit
        {
            word = audited(trial, accused, &scripts, &mut evidence, questions)?;
        }
    }
    // A refuted step is our mistake, and nobody else's.
    if word == Audit::Fails {
        return None;
    }
    let proven = word == Audit::Holds
        && super::speaks(solver, &first.pool, &ask_from.assertions).is_ok()
        && super::speaks(solver, &second.pool, &ask_to.assertions).is_ok();
    if !proven {
        let why = "no other solver shows that the one follows from the other".to_owned();
        evidence.push(Evidence::Undecided { why });
    }
    Some(Complaint {
        kind: if proven { Kind::Soundness } else { Kind::Disagreement },
        against: proven.then_some(accused),
        check: Some(if to.script == 0 { to.check } else { from.check }),
        summary: format!("{} says sat to a script and unsat to one that follows from it", solver.name),
        about: "metamorphic".to_owned(),
        evidence,
    })
}

/// What other solvers say of implications.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Audit {
    /// Of each, one says that it holds and none that it does not.
    Holds,
    /// One says of one that it does not.
    Fails,
    /// Neither.
    Open,
}

/// What solvers other than the accused say of these scripts, which are unsatisfiable if an implication holds; none while
/// questions are open.
fn audited(
    trial: &Trial<'_>,
    accused: usize,
    scripts: &[String],
    evidence: &mut Vec<Evidence>,
    questions: &mut Questions<'_>,
) -> Option<Audit> {
    let mut all = Audit::Holds;
    for script in scripts {
        let mut unsat = false;
        for other in (0..trial.solvers.len() + trial.witnesses.len()).filter(|&other| other != accused) {
            let by = trial.solver(other).name.clone();
            let answer = answer_of(questions.ask(Probe::new(other, script.clone()))?);
            let about = "the first without the second".to_owned();
            evidence.push(Evidence::Asked { by, about, script: script.clone(), answer });
            if answer == Some(Answer::Sat) {
                return Some(Audit::Fails);
            }
            unsat |= answer == Some(Answer::Unsat);
        }
        if !unsat {
            all = Audit::Open;
        }
    }
    Some(all)
}

fn convict(
    trial: &Trial<'_>,
    accused: usize,
    to: Ask,
    given: &Given,
    claimed: Evidence,
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    if to.script == 0 {
        return match charge(trial, to.check, accused, given, questions) {
            Charge::Wrong(mut evidence) => {
                evidence.push(claimed);
                Some(wrong_unsat(trial, to.check, accused, evidence))
            }
            Charge::Disputed(mut evidence) => {
                evidence.push(claimed);
                Some(super::differential::undecided(trial, to.check, evidence))
            }
            Charge::Asking => None,
        };
    }
    // The unsat was the answer to the other script, which is not the one on trial: say so, and let it be asked itself.
    let solver = trial.solver(accused);
    Some(Complaint {
        kind: Kind::Disagreement,
        against: None,
        check: Some(0),
        summary: format!("{} says unsat to a seed that a model of its mutant satisfies", solver.name),
        about: "seed".to_owned(),
        evidence: vec![
            claimed,
            Evidence::Satisfied { by: given.by.clone(), check: to.check, model: given.text.clone() },
        ],
    })
}

/// A script that is satisfiable if the first can hold without the second: what is declared, the first's assertions, then
/// the negation of all the second asserts. None if they do not declare the same, or give names, which cannot be given twice.
fn implication(
    first: &smt::Script,
    ask_from: &smt::Ask,
    second: &smt::Script,
    ask_to: &smt::Ask,
) -> Option<String> {
    let mut text = declarations(first, ask_from.command);
    if text != declarations(second, ask_to.command) {
        return None;
    }
    for &term in &ask_from.assertions {
        text.push_str(&format!("(assert {})\n", smt::write_term(&first.pool, term)));
    }
    let negated: Vec<_> = ask_to.assertions.iter().map(|&t| smt::write_term(&second.pool, t)).collect();
    text.push_str(&format!("(assert (not (and true {})))\n(check-sat)\n", negated.join(" ")));
    (!text.contains(":named")).then_some(text)
}
