//! A worker of a study: takes formulas, asks every release that has no row, judges, confirms, hands in.

use std::sync::atomic::Ordering;

use dashu_int::UBig;

use super::Study;
use super::row::{row_of, run_of};
use crate::campaign::{Accusation, EngineError, GrammarPlan, Settled, UnitWorker, WorkerIo};
use crate::case::{Case, Lineage};
use crate::finding::Turn;
use crate::judge::language::operators;
use crate::judge::{Kind, Known, Parties, TrialRunner, Tried};
use crate::solver::{AskMode, Bound, Ending, Run, SolverId};
use crate::store::{FormulaRow, Handed, Sink, WrongRow};

/// What is counted against a release.
fn kinds_that_count(kind: Kind) -> bool {
    kind <= Kind::Disagreement
}

/// The operators that a script's assertions are made of, sorted.
fn operators_of(case: &Case) -> Vec<String> {
    let asks = case.script.queries();
    let roots: Vec<_> = asks.iter().flat_map(|a| a.assertions.iter().copied()).collect();
    operators(&case.script.pool, &roots).into_iter().map(str::to_owned).collect()
}

/// Formula number `number` of a grammar; none if there is none.
pub fn formula_row(grammar: &GrammarPlan, number: u64) -> Option<FormulaRow> {
    let index = UBig::from(number);
    let text = grammar.formulas.at(&index)?;
    let size = grammar.formulas.size(&index).unwrap_or(0) as u64;
    Some(FormulaRow { grammar: grammar.label.clone(), number: number.to_string(), size, text })
}

/// The case of a formula; none if its text is no script.
pub fn case_of(formula: &FormulaRow) -> Option<Case> {
    let script = smt::read(formula.text.as_bytes()).ok()?;
    let about = format!("formula {} of {}", formula.number, formula.grammar);
    let lineage = Lineage { strategy: "enumerate".into(), about, ..Lineage::default() };
    Some(Case { script, others: Vec::new(), claims: Vec::new(), lineage })
}

/// A worker of a study.
pub(super) struct Worker<'a> {
    work: &'a Study<'a>,
    /// One for each subject.
    runners: Vec<TrialRunner<'a>>,
}

impl UnitWorker for Worker<'_> {
    fn work(&mut self, io: &mut WorkerIo<'_>) -> Result<(), EngineError> {
        while io.unit().series.turns < io.unit().series.allotted && !io.is_ending() {
            let (no, turn) = (io.unit().series.no, io.unit().series.turns);
            let Some((which, number)) = self.work.pieces.formula(no, turn) else { break };
            if !self.formula(&self.work.asked.grammars[which], number, io)? {
                break;
            }
            self.work.counts.formulas.fetch_add(1, Ordering::Relaxed);
            io.turn_made()?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), EngineError> {
        for runner in self.runners {
            runner.runner.finish()?;
        }
        Ok(())
    }
}

/// Which releases have a row of a formula.
struct Present {
    /// Of those whose runs outlive the study.
    lasting: Vec<SolverId>,
    /// Of the others.
    passing: Vec<SolverId>,
}

impl<'a> Worker<'a> {
    /// A worker of this study.
    pub(super) fn new(work: &'a Study<'a>) -> Worker<'a> {
        let plan = work.plan;
        let runner = |bench| {
            TrialRunner::new(
                Parties { solvers: bench, witnesses: &[], oracles: &plan.oracles },
                plan.limits,
                plan.ask_mode,
                &work.quiet,
            )
            .deciding_within(plan.deciding)
        };
        Worker { work, runners: work.benches.iter().map(|bench| runner(bench)).collect() }
    }

    /// Where the runs of a subject are.
    fn place<'s>(&'s self, i: usize, io: &WorkerIo<'s>) -> &'s dyn Sink {
        let subject = &self.work.asked.subjects[i];
        self.work.lasting.filter(|_| subject.lasting).unwrap_or(io.sink())
    }

    /// Which releases have a row of a formula.
    fn present(&self, label: &str, number: &str, io: &WorkerIo<'_>) -> Result<Present, EngineError> {
        let lasting = self.work.lasting.unwrap_or(io.sink()).releases_asked(label, number)?;
        let passing = match self.work.asked.subjects.iter().all(|subject| subject.lasting) {
            true => Vec::new(),
            false => io.sink().releases_asked(label, number)?,
        };
        Ok(Present { lasting, passing })
    }

    /// Whether a subject has a row.
    fn is_asked(&self, i: usize, present: &Present) -> bool {
        let subject = &self.work.asked.subjects[i];
        let place = if subject.lasting { &present.lasting } else { &present.passing };
        place.contains(&subject.solver.name)
    }

    /// Asks all releases that have no row of a formula; false if it was left in the middle.
    fn formula(
        &mut self,
        grammar: &GrammarPlan,
        number: u64,
        io: &mut WorkerIo<'_>,
    ) -> Result<bool, EngineError> {
        let (subjects, counts) = (&self.work.asked.subjects, &self.work.counts);
        let present = self.present(&grammar.label, &number.to_string(), io)?;
        let missing: Vec<usize> =
            (0..subjects.len()).filter(|&i| subjects[i].studied && !self.is_asked(i, &present)).collect();
        let there = subjects.iter().filter(|s| s.studied).count() - missing.len();
        counts.there.fetch_add(there, Ordering::Relaxed);
        if missing.is_empty() {
            return Ok(true);
        }
        // A finite grammar may have fewer.
        let Some(formula) = formula_row(grammar, number) else { return Ok(true) };
        let Some(case) = case_of(&formula) else {
            counts.unread.fetch_add(1, Ordering::Relaxed);
            return Ok(true);
        };
        let text = case.text();
        let mut wanted = missing.clone();
        wanted.extend(missing.iter().flat_map(|&i| subjects[i].references.clone()));
        wanted.sort_unstable();
        wanted.dedup();
        let mut runs: Vec<Option<Run>> = vec![None; subjects.len()];
        let mut made = Vec::new();
        for &i in &wanted {
            if io.is_ending() {
                return Ok(false);
            }
            if self.is_asked(i, &present) {
                let name = &subjects[i].solver.name;
                let row = self.place(i, io).known_run(&formula.grammar, &formula.number, name)?;
                runs[i] = row.as_ref().and_then(run_of);
            } else {
                runs[i] = self.ask(i, &case, &text)?;
                made.push(i);
                counts.asked.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.judge_all(&made, &formula, (&case, &text), &runs, io)?;
        Ok(true)
    }

    /// Judges the runs that were made, and hands them in.
    fn judge_all(
        &mut self,
        made: &[usize],
        formula: &FormulaRow,
        (case, text): (&Case, &str),
        runs: &[Option<Run>],
        io: &mut WorkerIo<'_>,
    ) -> Result<(), EngineError> {
        let subjects = &self.work.asked.subjects;
        let references: Vec<usize> = subjects.iter().flat_map(|s| s.references.clone()).collect();
        let (mut passing, mut lasting) = (Vec::new(), Vec::new());
        for &i in made {
            let wrongs = if subjects[i].studied { self.judge(i, case, text, runs, io)? } else { Vec::new() };
            self.work.counts.wrongs.fetch_add(wrongs.len(), Ordering::Relaxed);
            // Models of references are kept, so that later releases can be judged without asking them again.
            let run = row_of(runs[i].as_ref(), self.work.plan.ask_mode, references.contains(&i));
            let place = if subjects[i].lasting { &mut lasting } else { &mut passing };
            place.push(Handed { release: subjects[i].solver.name.clone(), run, wrongs });
        }
        if !lasting.is_empty() {
            self.work.lasting.unwrap_or(io.sink()).hand_in_runs(formula, &lasting)?;
        }
        if !passing.is_empty() {
            io.sink().hand_in_runs(formula, &passing)?;
        }
        Ok(())
    }

    /// Asks a subject. What was ended by the clock on the wall with little CPU time used may have been starved by other
    /// work: it is asked once more.
    fn ask(&mut self, i: usize, case: &Case, text: &str) -> Result<Option<Run>, EngineError> {
        let limit = self.work.plan.limits.cpu;
        let starved =
            |run: &Run| run.ending == Ending::Stopped(Bound::Time) && run.cpu.unwrap_or(limit) < limit / 2;
        let run = self.runners[i].ask_one(case, text, 0)?;
        if run.as_ref().is_some_and(starved) {
            return Ok(self.runners[i].ask_one(case, text, 0)?);
        }
        Ok(run)
    }

    /// What is wrong with a release's run, as far as it counts against that release.
    fn judge(
        &mut self,
        i: usize,
        case: &Case,
        text: &str,
        runs: &[Option<Run>],
        io: &WorkerIo<'_>,
    ) -> Result<Vec<WrongRow>, EngineError> {
        let references = self.work.asked.subjects[i].references.iter().map(|&r| runs[r].clone());
        let all: Vec<Option<Run>> = std::iter::once(runs[i].clone()).chain(references).collect();
        let runner = &mut self.runners[i];
        let Tried { runs, complaints, .. } = runner.judge_runs(case, text, all, Known::new(), None)?;
        let mut wrongs = Vec::new();
        for (entry, complaint) in &complaints {
            // References have trials of their own.
            if complaint.against.is_some_and(|whom| whom > 0) || !kinds_that_count(complaint.kind()) {
                continue;
            }
            let (solvers, known, turn) = (&self.work.benches[i], &Known::new(), Turn::default());
            let runs = &runs;
            let accusation = Accusation { case, text, solvers, runs, known, entry, complaint, turn };
            // What was seen in a fresh process is confirmed by others of its like; what was seen warm is not.
            let Settled { seen, .. } =
                accusation.settle(runner, io, self.work.plan.ask_mode == AskMode::Fresh)?;
            wrongs.push(WrongRow {
                fault: complaint.fault.clone(),
                accused: complaint.against.is_some(),
                seen,
                operators: operators_of(case),
            });
        }
        Ok(wrongs)
    }
}
