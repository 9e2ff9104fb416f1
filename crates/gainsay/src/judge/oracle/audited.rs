//! Whether implications hold that a contradiction rests on, by the word of the accused, or by our search and another solver.

use crate::case::Answer;
use crate::judge::derived::Searched;
use crate::judge::probe::{Probe, Questions};
use crate::judge::voice::{SecondVoice, same_make};
use crate::judge::voices::{others, stands_by};
use crate::judge::way::searched_script;
use crate::judge::{Asked, Evidence, Trial, answer_of};

/// Scripts that are satisfiable only if an implication does not hold, asked to show that a solver contradicts itself.
pub(super) struct Implications<'t> {
    pub(super) trial: &'t Trial<'t>,
    pub(super) accused: usize,
    pub(super) scripts: &'t [(Asked, String)],
}

/// What is known of implications.
pub(super) enum Audit {
    /// They hold, and this is who says so besides us.
    Holds(SecondVoice),
    /// One does not hold.
    Fails(Asked),
    /// It is not known whether they hold.
    Open,
}

impl Implications<'_> {
    /// Whether all of them hold. None while questions are open.
    ///
    /// If the accused itself says that they do, its answers contradict each other by logic alone. A wrong rule of ours and a
    /// solver that always says unsat must not accuse it together. So the word of another solver counts only where our search
    /// has tried all assignments. An implication that our search refutes is a mistake of ours, and so is one that solvers of two
    /// makes refute.
    pub(super) fn audited(
        &self,
        evidence: &mut Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<Audit> {
        let mut voice = None;
        for (about, script) in self.scripts {
            match self.one(about, script, evidence, questions)? {
                Audit::Holds(one) if one.is_accused() => voice = voice.or(Some(one)),
                Audit::Holds(one) => voice = Some(one),
                other => return Some(other),
            }
        }
        Some(voice.map_or(Audit::Open, Audit::Holds))
    }

    /// Whether one of them holds.
    fn one(
        &self,
        about: &Asked,
        script: &str,
        evidence: &mut Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<Audit> {
        let (trial, accused) = (self.trial, self.accused);
        let mut asked = |whom: usize, evidence: &mut Vec<Evidence>| {
            let answer = answer_of(questions.ask(Probe::new(whom, script.to_owned()))?);
            if answer.is_some() {
                let (by, about) = (trial.solver(whom).name.clone(), about.clone());
                evidence.push(Evidence::Asked { by, about, script: script.to_owned(), answer });
            }
            Some(answer)
        };
        let own = asked(accused, evidence)?;
        if own == Some(Answer::Unsat) {
            let run = questions.ask(Probe::new(accused, script.to_owned()))?;
            return Some(SecondVoice::of_accused(run, Answer::Unsat).map_or(Audit::Open, Audit::Holds));
        }
        let mut said = Vec::new();
        for other in others(trial, accused, script) {
            if !same_make(trial.solver(other.number), trial.solver(accused)) {
                said.push((other.number, asked(other.number, evidence)?));
            }
        }
        let refute = said.iter().filter(|(_, answer)| *answer == Some(Answer::Sat)).map(|(other, _)| *other);
        let refute: Vec<usize> = refute.chain((own == Some(Answer::Sat)).then_some(accused)).collect();
        let makes = refute.iter().any(|&one| !same_make(trial.solver(one), trial.solver(refute[0])));
        if makes {
            return Some(Audit::Fails(about.clone()));
        }
        match *searched_script(trial, script) {
            Searched::Sat(_) => return Some(Audit::Fails(about.clone())),
            Searched::Unsat { assignments }
                if said.iter().all(|(_, answer)| *answer != Some(Answer::Sat)) =>
            {
                evidence.push(Evidence::NoCounterexample { about: about.clone(), assignments });
            }
            _ => return Some(Audit::Open),
        }
        for (other, answer) in said {
            if answer != Some(Answer::Unsat) || !stands_by(trial, other, (script, Answer::Unsat), questions)?
            {
                continue;
            }
            let run = questions.ask(Probe::new(other, script.to_owned()))?;
            let voice =
                SecondVoice::of_other(trial.solver(other), Some(trial.solver(accused)), run, Answer::Unsat);
            if let Some(voice) = voice {
                return Some(Audit::Holds(voice));
            }
        }
        Some(Audit::Open)
    }
}
