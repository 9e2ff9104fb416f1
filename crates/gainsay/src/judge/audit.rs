//! Audits: the implications that approximations rest on, asked of solvers in warm sessions, each once.

use std::hash::BuildHasher;
use std::time::Duration;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::case::{Answer, Case, Rule, words};
use crate::judge::oracle;
use crate::judge::steps::steps;
use crate::judge::{Asked, answer_of};
use crate::solver::process::runner::Request;
use crate::solver::run::Outcome;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, Solver, SolverError};

/// Wall time for each second of a limit, which is one of CPU time: what else the machine does decides nothing.
const PATIENCE: u32 = 8;

/// What auditors say of a script that is satisfiable only if an implication does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuditVerdict {
    /// One says that it holds, and none that it does not.
    Holds,
    /// Nobody says anything.
    Open,
    /// One says that it does not hold, in a fresh process, too.
    Refuted,
}

words!(AuditVerdict, "verdict of an audit": Holds "holds", Open "open", Refuted "refuted");

/// How many of something hold, are open and are refuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; 3]);

impl Tally {
    /// Counts one.
    pub fn add(&mut self, verdict: AuditVerdict) {
        self.0[verdict as usize] += 1;
    }

    /// The number of those with this verdict.
    pub fn of(&self, verdict: AuditVerdict) -> u64 {
        self.0[verdict as usize]
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// What the auditors say of the steps of a case, or of several cases.
#[derive(Clone, Debug, Default)]
pub struct AuditReport {
    /// Verdicts on steps: whether the rule holds there.
    pub steps: Tally,
    /// Verdicts on the places of steps: whether they have the polarity that the step needs.
    pub places: Tally,
    /// Verdicts on cases as a whole.
    pub whole: Tally,
    /// The questions that were refuted, with their scripts.
    pub refuted: Vec<(Asked, String)>,
    /// The questions that are open.
    pub open: Vec<Asked>,
    /// The rules of steps that cannot be written as a question.
    pub unwritten: Vec<Rule>,
}

impl AuditReport {
    /// Adds what was said of another case.
    pub fn add(&mut self, other: AuditReport) {
        for (all, one) in
            [(&mut self.steps, other.steps), (&mut self.places, other.places), (&mut self.whole, other.whole)]
        {
            all.0.iter_mut().zip(one.0).for_each(|(all, one)| *all += one);
        }
        self.refuted.extend(other.refuted);
        self.open.extend(other.open);
        self.unwritten.extend(other.unwritten);
    }

    fn note(&mut self, verdict: AuditVerdict, asked: Asked, script: String) {
        match verdict {
            AuditVerdict::Open => self.open.push(asked),
            AuditVerdict::Refuted => self.refuted.push((asked, script)),
            AuditVerdict::Holds => {}
        }
    }
}

/// Solvers that look for exceptions.
pub struct Auditors {
    solvers: Vec<Solver>,
    runner: Runner,
    seen: FxHashMap<u64, AuditVerdict>,
    /// Questions that were put, and those whose answer was known.
    pub asked: u64,
    /// Questions that had been put before.
    pub repeated: u64,
}

fn limits(time: Duration) -> Limits {
    Limits { cpu: time, wall: time * PATIENCE, ..Limits::default() }
}

impl Auditors {
    /// These solvers, with so much CPU time for each question.
    pub fn new(solvers: Vec<Solver>, time: Duration) -> Auditors {
        Auditors {
            solvers,
            runner: Runner::new(limits(time)),
            seen: FxHashMap::default(),
            asked: 0,
            repeated: 0,
        }
    }

    /// What they say of a script with one check.
    pub fn audit(&mut self, script: &str) -> Result<AuditVerdict, SolverError> {
        let key = FxBuildHasher.hash_one(script);
        if let Some(&verdict) = self.seen.get(&key) {
            self.repeated += 1;
            return Ok(verdict);
        }
        self.asked += 1;
        // The incremental core is the fastest; what it leaves open the others may not.
        let mut verdict = AuditVerdict::Open;
        for way in [AskMode::Scoped, AskMode::Reset] {
            verdict = self.ask(script, way)?;
            if verdict != AuditVerdict::Open {
                break;
            }
        }
        self.seen.insert(key, verdict);
        Ok(verdict)
    }

    fn ask(&mut self, script: &str, way: AskMode) -> Result<AuditVerdict, SolverError> {
        let question = Question { script, ask: Outputs::default() };
        let requests: Vec<_> =
            self.solvers.iter().map(|solver| Request::new(solver, question, way)).collect();
        let answers: Vec<_> = self.runner.ask_all(&requests)?.iter().map(answer_of).collect();
        for (solver, answer) in self.solvers.iter().zip(&answers) {
            if *answer == Some(Answer::Sat) {
                let again = self.runner.ask(solver, question, AskMode::Fresh)?;
                if answer_of(&again) == Some(Answer::Sat) {
                    return Ok(AuditVerdict::Refuted);
                }
            }
        }
        Ok(if answers.contains(&Some(Answer::Unsat)) { AuditVerdict::Holds } else { AuditVerdict::Open })
    }

    /// Whether all refuse a script. Then that it is open says nothing about it.
    pub fn all_refuse(&mut self, script: &str) -> Result<bool, SolverError> {
        let question = Question { script, ask: Outputs::default() };
        for solver in &self.solvers {
            if self.runner.ask(solver, question, AskMode::Fresh)?.outcome() != Outcome::Rejected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Audits every step of a case.
    pub fn case(&mut self, case: &Case) -> Result<AuditReport, SolverError> {
        let mut report = AuditReport::default();
        let Some(audits) = steps(case, 0, case.lineage.edits.count() as usize) else {
            for edit in case.lineage.edits.list() {
                report.steps.add(AuditVerdict::Open);
                report.unwritten.push(edit.rule.clone());
            }
            return Ok(report);
        };
        for audit in audits {
            let verdict = self.audit(&audit.step)?;
            report.steps.add(verdict);
            let (about, about_place) = (audit.about(), audit.about_place());
            report.note(verdict, about, audit.step);
            for script in audit.contexts {
                let verdict = self.audit(&script)?;
                report.places.add(verdict);
                report.note(verdict, about_place.clone(), script);
            }
        }
        Ok(report)
    }

    /// Audits a case as a whole.
    pub fn whole(&mut self, case: &Case) -> Result<AuditReport, SolverError> {
        let mut report = AuditReport::default();
        for script in oracle::wholes(case) {
            let verdict = self.audit(&script)?;
            report.whole.add(verdict);
            if verdict == AuditVerdict::Refuted {
                report.refuted.push((Asked::Whole, script));
            }
        }
        Ok(report)
    }
}
