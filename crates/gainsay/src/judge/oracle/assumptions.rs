//! Oracle `assumptions`: the assumptions that a solver prints after an unsat are some of those of the check, and with what is
//! asserted they are unsatisfiable.

use smt::command::Prints;
use smt::sexpr::parts;
use smt::{FunKind, Head, Pool, Script, TermId, What};

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::outputs::GivenOutput;
use crate::judge::pinned::part;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::suffices::{Part, insufficient};
use crate::judge::{Abstention, Evidence, Fault, Suspicion, Trial};

pub(super) struct Assumptions;

impl Oracle for Assumptions {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let (mut complaints, mut abstained) = (Vec::new(), None);
        for (accused, _) in trial.made() {
            for output in trial.outputs(accused) {
                if output.row.prints != Prints::Assumptions {
                    continue;
                }
                match judge(trial, accused, &output, &mut questions) {
                    Ok(found) => complaints.extend(found),
                    Err(why) => abstained = Some(why),
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

fn judge(
    trial: &Trial<'_>,
    accused: usize,
    output: &GivenOutput<'_>,
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let script = &trial.case.script;
    let Some(check) = output.check else { return Ok(None) };
    let is_unsat = trial.reply(accused, check).is_some_and(|reply| reply.answer == Answer::Unsat);
    let Some(query) = trial.queries().get(check).filter(|query| is_unsat && !query.opaque) else {
        return Ok(None);
    };
    let What::CheckSatAssuming(list) = script.commands[query.command].what else { return Ok(None) };
    let assumed = script.pool.terms(list);
    let printed = parts(output.text);
    let Some((told, read)) = read(script, query.command, &printed) else { return Ok(None) };
    if let Some(at) = told.iter().position(|term| !assumed.contains(term)) {
        // Where an assumption is more than a literal, a solver may print it otherwise.
        let all_literals = assumed.iter().chain(&told).all(|&term| is_literal(&read.pool, term));
        let fault = Fault::ForeignAssumption { printed: printed[at].to_owned() };
        let by = trial.solver(accused).name.clone();
        let evidence = vec![Evidence::Printed { by, text: output.text.to_owned() }];
        let complaint = Complaint { fault, against: Some(accused), check: Some(check), evidence };
        return Ok(all_literals.then_some(complaint));
    }
    // All assumptions are no news: the answer itself is what the other oracles judge.
    if assumed.iter().all(|term| told.contains(term)) {
        return Ok(None);
    }
    let Some(kept) = part(script, check, |_| true) else { return Ok(None) };
    let whole = script.command_text(script.commands[query.command]);
    let Some(before) = kept.trim_end().strip_suffix(whole.as_str()) else { return Ok(None) };
    let kept = match told.is_empty() {
        true => format!("{before}(check-sat)\n"),
        false => format!("{before}(check-sat-assuming ({}))\n", printed.join(" ")),
    };
    let part = Part {
        place: (accused, check),
        script: &kept,
        shown: &|script, by, model| Evidence::SatisfiedAssumptions {
            assumptions: printed.iter().map(|&text| text.to_owned()).collect(),
            script,
            by,
            model,
        },
        fault: |voice| Fault::WrongAssumptions { voice },
        suspicion: Suspicion::WrongAssumptions,
    };
    insufficient(trial, &part, questions)
}

/// The terms that these texts are at a command, and the script with them; none if one is no term.
fn read(script: &Script, command: usize, texts: &[&str]) -> Option<(Vec<TermId>, Script)> {
    let mut script = script.clone();
    let mut read = |text: &&str| smt::read::term_at(&mut script, command, &[], text.as_bytes()).ok();
    let terms = texts.iter().map(&mut read).collect::<Option<Vec<TermId>>>()?;
    Some((terms, script))
}

/// Whether a term is a declared constant or its negation.
fn is_literal(pool: &Pool, term: TermId) -> bool {
    let is_constant = |term: TermId| matches!(pool.node(term).head, Head::Fun(fun) if pool.fun(fun).kind == FunKind::Declared);
    let is_not = matches!(pool.node(term).head, Head::Op(..)) && pool.text(pool.node(term).name) == "not";
    is_constant(term) || (is_not && pool.args(term).iter().all(|&arg| is_constant(arg)))
}
