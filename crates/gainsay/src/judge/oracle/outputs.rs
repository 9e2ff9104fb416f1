//! Oracle `outputs`: to ask for output, or for proofs, changes no answer.

use smt::command::{COMMANDS, CommandRow};
use smt::{Script, What};

use super::Oracle;
use super::two_answers::{charge_with_any, contradiction, exhausted};
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::way::{Charge, wrong_unsat};
use crate::judge::{Asked, Evidence, SecondVoice, SelfContradiction, Trial, reply_of};
use crate::solver::Run;

/// The option that asks for proofs.
const PROOFS: &str = ":produce-proofs";

pub(super) struct Outputs;

impl Oracle for Outputs {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let script = &trial.case.script;
        let proofs = script.commands.iter().any(|c| is_on(script, c.what, PROOFS));
        if proofs || asks_before_a_check(script) {
            for (accused, _) in trial.made() {
                complaints.extend(judge(trial, accused, proofs, &mut questions));
            }
        }
        questions.or_judge(complaints, None)
    }
}

/// Whether a command turns an option on.
fn is_on(script: &Script, what: What, option: &str) -> bool {
    let What::SetOption(key, value) = what else { return false };
    script.pool.text(key) == option && script.pool.text(value) == "true"
}

/// Whether a command that asks for output comes before a check.
fn asks_before_a_check(script: &Script) -> bool {
    let last = script.queries().last().map_or(0, |query| query.command);
    script.commands[..last].iter().any(|c| c.what.row(&script.pool).is_some_and(CommandRow::is_output))
}

/// The script without commands that ask for output, and without the options that these commands need.
fn plain(script: &Script) -> String {
    let mut plain = script.clone();
    plain.commands.retain(|c| {
        let asks = c.what.row(&script.pool).is_some_and(CommandRow::is_output);
        let option = |row: &CommandRow| row.option.is_some_and(|option| is_on(script, c.what, option));
        !asks && !COMMANDS.iter().any(option)
    });
    plain.text()
}

/// Whether what is known of the one-shot forms of the checks of a solver leaves no doubt in its answers. Then nothing is asked.
fn agrees(trial: &Trial<'_>, accused: usize) -> bool {
    let known = |form: CheckRef| trial.known.get(form.script.checked_sub(1)?)?.get(accused)?.get(form.check);
    let agrees = |check: usize| {
        let Some(reply) = trial.reply(accused, check) else { return true };
        let form = trial.case.claims.iter().find_map(|claim| match claim {
            Claim::Same(own, form) if *own == CheckRef::own(check) => Some(*form),
            _ => None,
        });
        form.is_some_and(|form| known(form).is_some_and(|answer| !answer.contradicts(reply.answer)))
    };
    (0..trial.queries().len()).all(agrees)
}

fn judge(
    trial: &Trial<'_>,
    accused: usize,
    proofs: bool,
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    if agrees(trial, accused) {
        return None;
    }
    let script = plain(&trial.case.script);
    let own = trial.runs.get(accused)?.as_ref()?;
    let run = questions.ask(Probe::new(accused, script.clone()).like(own))?;
    let differs = |&check: &usize| {
        let (said, other) = (trial.reply(accused, check), reply_of(run, check));
        said.zip(other).is_some_and(|(said, other)| said.answer.contradicts(other.answer))
    };
    let check = (0..trial.queries().len()).find(differs)?;
    wrong(trial, (accused, check), (proofs, script), run, questions)
}

/// The complaint about a check. None while questions are open.
fn wrong(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    (proofs, script): (bool, String),
    run: &Run,
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let by = trial.solver(accused).name.clone();
    let said = trial.reply(accused, check)?.answer;
    let answer = reply_of(run, check).map(|reply| reply.answer);
    let mut evidence = vec![
        Evidence::Answered { by: by.clone(), check, answer: said },
        Evidence::Asked { by, about: Asked::Plain { proofs }, script, answer },
    ];
    if said == Answer::Unsat {
        match charge_with_any(trial, check, accused, questions) {
            Charge::Asking => return None,
            Charge::Wrong(voice, more) => {
                evidence.extend(more);
                return Some(wrong_unsat(check, accused, voice, evidence));
            }
            Charge::Unconfirmed(more) | Charge::Disputed(more) => evidence.extend(more),
        }
    } else {
        let voice = SecondVoice::of_check_in(run, check, Answer::Unsat);
        if let Some(complaint) = exhausted(trial, accused, check, voice, &evidence) {
            return Some(complaint);
        }
    }
    let how = if proofs { SelfContradiction::Proofs } else { SelfContradiction::Outputs };
    Some(contradiction(accused, check, how, evidence))
}
