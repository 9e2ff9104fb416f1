//! Signatures: what must stay wrong while a script is reduced.

use crate::case::Answer;
use crate::judge::{Asked, Complaint, Evidence, Fault, Kind, Suspicion, reply_of};
use crate::solver::{Outcome, Run, Solver, SolverId};

/// The signature of a bug: what must stay wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugSignature {
    /// The kind of what is wrong.
    pub kind: Kind,
    /// The number of the accused; none if it is open who is wrong.
    pub against: Option<usize>,
    /// The fault that it must be like; none if any of that kind will do.
    pub fault: Option<Fault>,
    /// Whether a run of the accused alone shows it.
    pub shown_alone: bool,
    /// Whether the one-shot forms of checks show it.
    pub rests_on_one_shots: bool,
    /// What is open; none if a solver is accused.
    open: Option<Open>,
    /// The answers that must stay the same, by the numbers of the solvers.
    answers: Vec<(usize, Answer)>,
}

/// What is open about a complaint that accuses nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Open {
    /// Which of the solvers that contradict each other is wrong.
    Dispute(Vec<(usize, Answer)>),
    /// Whether this solver is wrong, as our evaluation says.
    Suspicion(usize, Suspicion),
    /// Who is wrong, whoever it is.
    Anything,
}

impl BugSignature {
    /// The signature of a complaint about these solvers. With `any`, only kind and accused must stay.
    pub fn of(complaint: &Complaint, any: bool, solvers: &[Solver]) -> BugSignature {
        let number = |name: &SolverId| solvers.iter().position(|solver| solver.name == *name);
        let open = match &complaint.fault {
            Fault::Disagreement { .. } | Fault::Unconfirmed { .. } if any => Some(Open::Anything),
            Fault::Disagreement { answers } => {
                let said = answers.iter().filter_map(|a| Some((number(&a.by)?, a.answer)));
                Some(Open::Dispute(said.collect()))
            }
            Fault::Unconfirmed { suspect, of } => number(suspect).map(|i| Open::Suspicion(i, *of)),
            _ => None,
        };
        BugSignature { open, ..BugSignature::of_accused(complaint, any) }
    }

    fn of_accused(complaint: &Complaint, any: bool) -> BugSignature {
        let fault = (!any).then(|| complaint.fault.clone());
        let kind = complaint.kind();
        // What the accused says of open terms is asked only where solvers differ.
        let asked = |e: &Evidence| match e {
            Evidence::Falsified { heard, .. } => !heard.is_empty(),
            Evidence::TwoValues { .. } => true,
            _ => false,
        };
        let of_form = |e: &Evidence| matches!(e, Evidence::Asked { about: Asked::OneShot { .. }, .. });
        let rests_on_one_shots = complaint.evidence.iter().any(of_form);
        let plain = |e: &Evidence| matches!(e, Evidence::Asked { about: Asked::Plain { .. }, .. });
        let asked_plainly = complaint.evidence.iter().any(plain);
        let alone = kind.is_shown_alone() && !complaint.evidence.iter().any(asked);
        let shown_alone = alone || rests_on_one_shots || asked_plainly;
        let (open, answers) = (None, Vec::new());
        let against = complaint.against;
        BugSignature { kind, against, fault, shown_alone, rests_on_one_shots, open, answers }
    }

    /// Whether what the accused did leaves it open that this is wrong. Then it is worth while to ask the others.
    pub fn may_be(&self, run: Option<&Run>) -> bool {
        let Some(run) = run else { return false };
        let says = |wanted: &[Answer]| run.reply.answers().iter().any(|answer| wanted.contains(answer));
        match self.kind {
            Kind::Crash | Kind::SelfCheck => run.outcome() != Outcome::Answered,
            Kind::WrongModel => says(&[Answer::Sat]),
            Kind::WrongOutput if !matches!(self.fault, Some(Fault::Malformed { .. }) | None) => {
                says(&[Answer::Sat])
            }
            Kind::WrongCore => says(&[Answer::Unsat]),
            Kind::Soundness if matches!(self.fault, Some(Fault::WrongUnsat { .. })) => says(&[Answer::Unsat]),
            Kind::Soundness => says(&[Answer::Sat, Answer::Unsat]),
            _ => true,
        }
    }

    /// Whether a complaint is what must stay.
    pub fn is_met_by(&self, complaint: &Complaint) -> bool {
        complaint.kind() == self.kind
            && complaint.against == self.against
            && self.fault.as_ref().is_none_or(|wanted| wanted.is_same(&complaint.fault))
    }

    /// Whether it is open who is wrong.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether a complaint about these runs is what must stay, and the answers that must stay are there.
    pub fn is_shown_by(&self, complaint: &Complaint, runs: &[Option<Run>]) -> bool {
        self.is_met_by(complaint) && are_there(&self.answers, complaint, runs)
    }

    /// Whether a complaint accuses a solver of which this signature leaves open whether it is wrong.
    pub fn may_be_decided_by(&self, complaint: &Complaint) -> bool {
        let Some(accused) = complaint.against.filter(|_| decides(complaint.kind())) else { return false };
        match &self.open {
            None => false,
            Some(Open::Anything) => true,
            Some(Open::Dispute(answers)) => answers.iter().any(|(solver, _)| *solver == accused),
            Some(Open::Suspicion(suspect, of)) => {
                *suspect == accused
                    && match of {
                        Suspicion::WrongUnsat => matches!(complaint.fault, Fault::WrongUnsat { .. }),
                        Suspicion::WrongCore => matches!(complaint.fault, Fault::WrongCore { .. }),
                        Suspicion::WrongAssumptions => {
                            matches!(complaint.fault, Fault::WrongAssumptions { .. })
                        }
                        Suspicion::WrongOutput => matches!(complaint.fault, Fault::WrongOutput { .. }),
                        Suspicion::WrongRewriting => {
                            matches!(complaint.fault, Fault::WrongRewriting { .. })
                        }
                        Suspicion::WrongSat | Suspicion::WrongModel | Suspicion::RefutedByProof => {
                            matches!(complaint.fault, Fault::WrongSat { .. } | Fault::WrongModel { .. })
                        }
                    }
            }
        }
    }

    /// The signature of a complaint about these runs that decides what this signature leaves open; none if it does not. In
    /// a dispute, the solvers must contradict each other as before. Where it is not their answers that are shown to be wrong,
    /// this must stay so.
    pub fn decided_by(&self, complaint: &Complaint, runs: &[Option<Run>]) -> Option<BugSignature> {
        if !self.may_be_decided_by(complaint) {
            return None;
        }
        let mut decided = BugSignature::of_accused(complaint, self.fault.is_none());
        if let Some(Open::Dispute(answers)) = &self.open {
            if !are_there(answers, complaint, runs) {
                return None;
            }
            if complaint.kind() != Kind::Soundness {
                (decided.answers, decided.shown_alone) = (answers.clone(), false);
            }
        }
        Some(decided)
    }
}

/// Whether a kind of complaint decides who is wrong about a check.
fn decides(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Soundness | Kind::WrongCore | Kind::WrongModel | Kind::WrongOutput | Kind::WrongRewriting
    )
}

/// Whether a complaint accuses nobody, and a smaller script may show who is wrong.
pub fn is_undecided(kind: Kind) -> bool {
    matches!(kind, Kind::Disagreement | Kind::Unconfirmed)
}

/// Whether solvers gave these answers to the check that a complaint is about.
fn are_there(answers: &[(usize, Answer)], complaint: &Complaint, runs: &[Option<Run>]) -> bool {
    let check = complaint.check.unwrap_or(0);
    answers.iter().all(|(solver, answer)| {
        let run = runs.get(*solver).and_then(Option::as_ref);
        run.and_then(|run| reply_of(run, check)).is_some_and(|reply| reply.answer == *answer)
    })
}

/// The complaint that a job is to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedBug {
    /// The kind of the complaint.
    pub kind: Kind,
    /// The number of the accused, if there is one.
    pub against: Option<usize>,
}

impl WantedBug {
    /// Whether a complaint about the same script is the wanted one, or decides it.
    pub fn fits(self, complaint: &Complaint) -> bool {
        let same = complaint.kind() == self.kind && complaint.against == self.against;
        same || (is_undecided(self.kind) && complaint.against.is_some() && decides(complaint.kind()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::judge::{Answered, KnownUnsat, SecondVoice};
    use crate::solver::{AskMode, Check, Ending, Reply};

    fn run(answer: Answer) -> Option<Run> {
        let check = Check { answer, reason: None, void: false, model: None, core: None };
        Some(Run {
            way: AskMode::Fresh,
            reply: Reply { checks: vec![check], ..Reply::default() },
            ending: Ending::Exited(0),
            earlier: None,
            signs: Vec::new(),
            cut_short: false,
            wall: Duration::ZERO,
            cpu: None,
            peak: None,
        })
    }

    fn complaint(fault: Fault, against: Option<usize>) -> Complaint {
        Complaint { fault, against, check: Some(0), evidence: Vec::new() }
    }

    #[test]
    fn what_decides_an_open_complaint() {
        use Answer::{Sat, Unsat};
        let solvers = ["sat", "unsat", "honest"].map(Solver::fake);
        let by = |i: usize| solvers[i].name.clone();
        let answers = vec![Answered { by: by(0), answer: Sat }, Answered { by: by(1), answer: Unsat }];
        let dispute = || Fault::Disagreement { answers: answers.clone() };
        let suspected = |of| Fault::Unconfirmed { suspect: by(0), of };
        let voice = SecondVoice::example;
        let wrong_sat = || Fault::WrongSat { known: KnownUnsat::ByExhaustion, voice: voice() };
        let wrong_unsat = || Fault::WrongUnsat { voice: voice() };
        let wrong_model = || Fault::WrongModel { voice: voice() };
        // (what is open, what is found, who is accused, what the first two solvers say, does it decide)
        let rows = [
            (dispute(), wrong_sat(), Some(0), [Sat, Unsat], true),
            (dispute(), wrong_unsat(), Some(1), [Sat, Unsat], true),
            (dispute(), wrong_model(), Some(0), [Sat, Unsat], true),
            // They no longer contradict each other as they did.
            (dispute(), wrong_unsat(), Some(1), [Unsat, Unsat], false),
            (dispute(), wrong_unsat(), Some(0), [Unsat, Sat], false),
            // The accused is none of them, or there is none.
            (dispute(), wrong_unsat(), Some(2), [Sat, Unsat], false),
            (dispute(), suspected(Suspicion::WrongSat), None, [Sat, Unsat], false),
            // Something else is wrong.
            (dispute(), Fault::Unknown, Some(0), [Sat, Unsat], false),
            (suspected(Suspicion::WrongSat), wrong_sat(), Some(0), [Sat, Sat], true),
            (suspected(Suspicion::WrongModel), wrong_model(), Some(0), [Sat, Sat], true),
            (suspected(Suspicion::WrongSat), wrong_sat(), Some(1), [Sat, Sat], false),
            (suspected(Suspicion::WrongSat), wrong_unsat(), Some(0), [Unsat, Sat], false),
            // What is decided stays as it is.
            (wrong_sat(), wrong_unsat(), Some(1), [Sat, Unsat], false),
        ];
        for (open, found, against, said, decides) in rows {
            let label = format!("{open:?} {found:?} {against:?} {said:?}");
            let accused = if open.kind() == Kind::Soundness { Some(0) } else { None };
            let signature = BugSignature::of(&complaint(open, accused), false, &solvers);
            let runs = [run(said[0]), run(said[1]), run(Answer::Unknown)];
            let found = complaint(found, against);
            let decided = signature.decided_by(&found, &runs);
            assert_eq!(decided.is_some(), decides, "{label}");
            let Some(decided) = decided else { continue };
            assert_eq!((decided.kind, decided.against), (found.kind(), against), "{label}");
            assert!(decided.is_shown_by(&found, &runs) && decided.decided_by(&found, &runs).is_none());
            // A wrong model alone says nothing of the answers: they must go on contradicting each other.
            let agree = [run(Sat), run(Sat), None];
            let alone = found.kind() == Kind::Soundness || signature.kind == Kind::Unconfirmed;
            assert_eq!(decided.is_shown_by(&found, &agree), alone, "{label}");
        }
    }

    #[test]
    fn a_wanted_bug_is_itself_or_what_decides_it() {
        let voice = SecondVoice::example;
        let dispute = || complaint(Fault::Disagreement { answers: Vec::new() }, None);
        let wrong = || complaint(Fault::WrongUnsat { voice: voice() }, Some(1));
        let unknown = || complaint(Fault::Unknown, Some(1));
        let wanted = |kind, against| WantedBug { kind, against };
        let rows = [
            (wanted(Kind::Disagreement, None), dispute(), true),
            (wanted(Kind::Disagreement, None), wrong(), true),
            (wanted(Kind::Disagreement, None), unknown(), false),
            (wanted(Kind::Soundness, Some(1)), wrong(), true),
            (wanted(Kind::Soundness, Some(0)), wrong(), false),
            (wanted(Kind::Soundness, Some(1)), dispute(), false),
        ];
        for (wanted, complaint, fits) in rows {
            assert_eq!(wanted.fits(&complaint), fits, "{wanted:?} {complaint:?}");
        }
    }
}
