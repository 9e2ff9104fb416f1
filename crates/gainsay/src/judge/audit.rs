//! Audits: the implications that approximations rest on, asked of solvers in warm sessions, each once.

use std::hash::BuildHasher;
use std::time::Duration;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::case::{Answer, Case};
use crate::judge::answer_of;
use crate::judge::oracle;
use crate::judge::steps::steps;
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, Solver, SolverError};

/// Wall time for each second of a limit, which is one of CPU time: what else the machine does decides nothing.
const PATIENCE: u32 = 8;

/// What auditors say of a script that is satisfiable only if an implication does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// One says that it holds, and none that it does not.
    Holds,
    /// Nobody says anything.
    Open,
    /// One says that it does not hold, in a fresh process, too.
    Refuted,
}

/// How many of something hold, are open and are refuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; 3]);

impl Tally {
    /// Counts one.
    pub fn add(&mut self, word: Word) {
        self.0[word as usize] += 1;
    }

    /// So many have this word.
    pub fn of(&self, word: Word) -> u64 {
        self.0[word as usize]
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// What was said of a case.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of its steps: whether the rule holds there.
    pub steps: Tally,
    /// Of the places of the steps: whether they have the polarity they should.
    pub places: Tally,
    /// Of the case as a whole.
    pub whole: Tally,
    /// What is refuted: the rule and the script.
    pub refuted: Vec<(String, String)>,
    /// The rules of steps that are open.
    pub open: Vec<String>,
}

impl Told {
    /// Adds what was said of another.
    pub fn add(&mut self, other: Told) {
        for (all, one) in
            [(&mut self.steps, other.steps), (&mut self.places, other.places), (&mut self.whole, other.whole)]
        {
            all.0.iter_mut().zip(one.0).for_each(|(all, one)| *all += one);
        }
        self.refuted.extend(other.refuted);
        self.open.extend(other.open);
    }
}

/// Solvers that look for exceptions.
pub struct Auditors {
    solvers: Vec<Solver>,
    runner: Runner,
    seen: FxHashMap<u64, Word>,
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

    /// Gives another time for each question.
    pub fn set_time(&mut self, time: Duration) {
        self.runner.limits = limits(time);
    }

    /// What they say of a script with one check.
    pub fn audit(&mut self, script: &str) -> Result<Word, SolverError> {
        let key = FxBuildHasher.hash_one(script);
        if let Some(&word) = self.seen.get(&key) {
            self.repeated += 1;
            return Ok(word);
        }
        self.asked += 1;
        // The incremental core is the fastest; what it leaves open the others may not.
        let mut word = Word::Open;
        for way in [AskMode::Scoped, AskMode::Reset] {
            word = self.ask(script, way)?;
            if word != Word::Open {
                break;
            }
        }
        self.seen.insert(key, word);
        Ok(word)
    }

    fn ask(&mut self, script: &str, way: AskMode) -> Result<Word, SolverError> {
        let question = Question { script, ask: Outputs::default() };
        let requests: Vec<_> = self.solvers.iter().map(|solver| Request { solver, question, way }).collect();
        let answers: Vec<_> = self.runner.ask_all(&requests)?.iter().map(answer_of).collect();
        for (solver, answer) in self.solvers.iter().zip(&answers) {
            if *answer == Some(Answer::Sat) {
                let again = self.runner.ask(solver, question, AskMode::Fresh)?;
                if answer_of(&again) == Some(Answer::Sat) {
                    return Ok(Word::Refuted);
                }
            }
        }
        Ok(if answers.contains(&Some(Answer::Unsat)) { Word::Holds } else { Word::Open })
    }

    /// Audits every step of a case.
    pub fn case(&mut self, case: &Case) -> Result<Told, SolverError> {
        let mut told = Told::default();
        let Some(audits) = steps(case, 0, case.lineage.edits.count() as usize) else {
            // What cannot be written down cannot be audited, and is open.
            for edit in case.lineage.edits.list() {
                told.steps.add(Word::Open);
                told.open.push(format!("{}, which cannot be written down", edit.rule));
            }
            return Ok(told);
        };
        for audit in audits {
            let word = self.audit(&audit.step)?;
            told.steps.add(word);
            match word {
                Word::Open => told.open.push(audit.rule.clone()),
                Word::Refuted => told.refuted.push((audit.rule.clone(), audit.step)),
                Word::Holds => {}
            }
            for script in audit.contexts {
                let word = self.audit(&script)?;
                told.places.add(word);
                match word {
                    Word::Open => told.open.push(format!("place of {}", audit.rule)),
                    Word::Refuted => told.refuted.push((format!("place of {}", audit.rule), script)),
                    Word::Holds => {}
                }
            }
        }
        Ok(told)
    }

    /// Audits a case as a whole.
    pub fn whole(&mut self, case: &Case) -> Result<Told, SolverError> {
        let mut told = Told::default();
        for script in oracle::wholes(case) {
            let word = self.audit(&script)?;
            told.whole.add(word);
            if word == Word::Refuted {
                told.refuted.push(("a whole mutant".to_owned(), script));
            }
        }
        Ok(told)
    }
}
