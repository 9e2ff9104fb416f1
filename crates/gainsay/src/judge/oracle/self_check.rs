//! Oracle `self-check`: what the solver itself says of its model, core or proof. A kind of its own: it becomes a wrong
//! model only by our evaluation.

use super::Oracle;
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Judgement, Step, Told};
use crate::judge::{Evidence, Fault, Trial};
use crate::solver::SignKind;

pub(super) struct SelfCheck;

impl Oracle for SelfCheck {
    fn step(&self, trial: &Trial<'_>, _: &Told<'_>) -> Step {
        let mut complaints = Vec::new();
        for (i, run) in trial.made() {
            let Some(sign) = run.signs.iter().find(|sign| sign.kind == SignKind::SelfCheck) else { continue };
            let by = trial.solver(i).name.clone();
            complaints.push(Complaint {
                fault: Fault::SelfCheck { message: sign.text.clone() },
                against: Some(i),
                check: None,
                evidence: vec![Evidence::Printed { by, text: sign.text.clone() }],
            });
        }
        let clean = complaints.is_empty();
        Step::Judge(if clean { Judgement::Clean } else { Judgement::Complain(complaints) })
    }
}
