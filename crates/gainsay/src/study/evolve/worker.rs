//! A worker of the study: takes formulas, asks every release that has no row, judges, confirms, hands in.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use dashu_int::UBig;

use super::row::{row_of, run_of};
use super::source::Source;
use super::{Counts, Plan, Stock};
use crate::campaign::HuntError;
use crate::case::{Case, Lineage};
use crate::finding::{Finding, Turn, fingerprint_of};
use crate::judge::Confirmation;
use crate::judge::language::operators;
use crate::judge::{Complaint, Kind, oracle};
use crate::judge::{Known, Trial};
use crate::judge::{TrialRunner, Tried};
use crate::solver::{AskMode, Bound, Ending, Run, Solver};
use crate::store::{FormulaRow, Handed, Room, Runs, Seen, Store, WrongRow};

/// What is counted against a release.
fn kinds_that_count(kind: Kind) -> bool {
    kind <= Kind::Disagreement
}

/// The operators that a script's assertions are made of, sorted.
fn operators_of(case: &Case) -> String {
    let asks = case.script.queries();
    let roots: Vec<_> = asks.iter().flat_map(|a| a.assertions.iter().copied()).collect();
    operators(&case.script.pool, &roots).join(" ")
}

/// Formula number `number` of a stock; none if there is none.
pub fn formula_row(stock: &Stock, number: u64) -> Option<FormulaRow> {
    let index = UBig::from(number);
    let text = stock.formulas.at(&index)?;
    let size = stock.formulas.size(&index).unwrap_or(0) as u64;
    Some(FormulaRow { grammar: stock.label.clone(), number: number.to_string(), size, text })
}

/// The case of a formula; none if its text is no script.
pub fn case_of(formula: &FormulaRow) -> Option<Case> {
    let script = smt::read(formula.text.as_bytes()).ok()?;
    let about = format!("formula {} of {}", formula.number, formula.grammar);
    let lineage = Lineage { strategy: "enumerate".into(), about, ..Lineage::default() };
    Some(Case { script, others: Vec::new(), claims: Vec::new(), lineage })
}

struct Worker<'a, S: ?Sized> {
    plan: &'a Plan,
    store: &'a S,
    /// Where runs are kept that outlive the study.
    lasting: &'a S,
    counts: &'a Counts,
    /// One for each contender: itself, then its references.
    benches: &'a [Vec<Solver>],
    courts: Vec<TrialRunner<'a>>,
}

/// Works until nothing is left or somebody says stop.
pub fn work<S: Store + Runs + ?Sized>(
    plan: &Plan,
    (store, lasting): (&S, &S),
    source: &dyn Source,
    counts: &Counts,
    stop: &AtomicBool,
) -> Result<(), HuntError> {
    let benches: Vec<Vec<Solver>> = plan
        .contenders
        .iter()
        .map(|c| {
            let references = c.references.iter().map(|&r| plan.contenders[r].solver.clone());
            std::iter::once(c.solver.clone()).chain(references).collect()
        })
        .collect();
    let quiet = RwLock::new(());
    let court = |bench| TrialRunner::new(bench, &[], &plan.oracles, plan.limits, plan.way, &quiet);
    let courts = benches.iter().map(|bench| court(bench)).collect();
    let mut worker = Worker { plan, store, lasting, counts, benches: &benches, courts };
    while !stop.load(Ordering::Relaxed) {
        let Some((which, number)) = source.next()? else { break };
        match worker.formula(&plan.stocks[which], number, stop) {
            Ok(true) => {
                source.done();
                counts.formulas.fetch_add(1, Ordering::Relaxed);
            }
            Ok(false) => break,
            Err(e) => {
                stop.store(true, Ordering::Relaxed);
                return Err(e);
            }
        }
    }
    source.finish()?;
    for court in worker.courts {
        court.runner.finish()?;
    }
    Ok(())
}

impl<S: Store + Runs + ?Sized> Worker<'_, S> {
    /// Asks all releases that have no row of a formula; false if it was left in the middle.
    fn formula(&mut self, stock: &Stock, number: u64, stop: &AtomicBool) -> Result<bool, HuntError> {
        let digits = number.to_string();
        let contenders = &self.plan.contenders;
        let kept = self.lasting.asked(&stock.label, &digits)?;
        let passing = match contenders.iter().all(|c| c.lasting) {
            true => Vec::new(),
            false => self.store.asked(&stock.label, &digits)?,
        };
        let is_asked = |i: usize| {
            let place = if contenders[i].lasting { &kept } else { &passing };
            place.contains(&contenders[i].solver.name)
        };
        let missing: Vec<usize> =
            (0..contenders.len()).filter(|&i| contenders[i].studied && !is_asked(i)).collect();
        let there = contenders.iter().filter(|c| c.studied).count() - missing.len();
        self.counts.there.fetch_add(there, Ordering::Relaxed);
        if missing.is_empty() {
            return Ok(true);
        }
        // A finite grammar may have fewer.
        let Some(formula) = formula_row(stock, number) else { return Ok(true) };
        let Some(case) = case_of(&formula) else {
            self.counts.unread.fetch_add(1, Ordering::Relaxed);
            return Ok(true);
        };
        let text = case.text();
        let mut wanted = missing.clone();
        wanted.extend(missing.iter().flat_map(|&i| contenders[i].references.clone()));
        wanted.sort_unstable();
        wanted.dedup();
        let mut runs: Vec<Option<Run>> = vec![None; contenders.len()];
        let mut made = vec![false; contenders.len()];
        for &i in &wanted {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if is_asked(i) {
                let row = self.place(i).run(&stock.label, &digits, &contenders[i].solver.name)?;
                runs[i] = row.as_ref().and_then(run_of);
            } else {
                runs[i] = self.ask(i, &case, &text)?;
                made[i] = true;
                self.counts.asked.fetch_add(1, Ordering::Relaxed);
            }
        }
        let references: Vec<usize> = contenders.iter().flat_map(|c| c.references.clone()).collect();
        let (mut handed, mut lasting) = (Vec::new(), Vec::new());
        for &i in wanted.iter().filter(|&&i| made[i]) {
            let wrongs = if contenders[i].studied { self.judge(i, &case, &text, &runs)? } else { Vec::new() };
            self.counts.wrongs.fetch_add(wrongs.len(), Ordering::Relaxed);
            let with_model = self.plan.keep_models && references.contains(&i);
            let run = row_of(runs[i].as_ref(), self.plan.way, with_model);
            let place = if contenders[i].lasting { &mut lasting } else { &mut handed };
            place.push(Handed { release: contenders[i].solver.name.clone(), run, wrongs });
        }
        if !lasting.is_empty() {
            self.lasting.hand_in_runs(&formula, &lasting)?;
        }
        if !handed.is_empty() {
            self.store.hand_in_runs(&formula, &handed)?;
        }
        Ok(true)
    }

    /// Where the runs of a contender are.
    fn place(&self, i: usize) -> &S {
        if self.plan.contenders[i].lasting { self.lasting } else { self.store }
    }

    /// Asks a contender. What was ended by the clock on the wall with little CPU time used may have been starved by other
    /// work: it is asked once more.
    fn ask(&mut self, i: usize, case: &Case, text: &str) -> Result<Option<Run>, HuntError> {
        let starved = |run: &Run| {
            let used = run.cpu.unwrap_or(self.plan.limits.cpu);
            run.ending == Ending::Stopped(Bound::Time) && used < self.plan.limits.cpu / 2
        };
        let run = self.courts[i].ask_one(case, text, 0)?;
        if run.as_ref().is_some_and(starved) {
            return Ok(self.courts[i].ask_one(case, text, 0)?);
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
    ) -> Result<Vec<WrongRow>, HuntError> {
        let references = self.plan.contenders[i].references.iter().map(|&r| runs[r].clone());
        let all: Vec<Option<Run>> = std::iter::once(runs[i].clone()).chain(references).collect();
        let Tried { runs, complaints, .. } =
            self.courts[i].judge_runs(case, text, all, Known::new(), None)?;
        let mut wrongs = Vec::new();
        for (entry, complaint) in &complaints {
            // References have trials of their own.
            if complaint.against.is_some_and(|whom| whom > 0) || !kinds_that_count(complaint.kind) {
                continue;
            }
            let seen = self.confirm(i, case, text, &runs, (entry, complaint))?;
            wrongs.push(WrongRow {
                kind: complaint.kind,
                seen,
                operators: operators_of(case),
                summary: complaint.summary.clone(),
            });
        }
        Ok(wrongs)
    }

    /// Confirms a complaint in fresh processes and keeps it as a finding, while there is room for its like.
    fn confirm(
        &mut self,
        i: usize,
        case: &Case,
        text: &str,
        runs: &[Option<Run>],
        (entry, complaint): (&'static oracle::Entry, &Complaint),
    ) -> Result<Seen, HuntError> {
        let bench = &self.benches[i];
        let fingerprint = fingerprint_of(case, text, bench, complaint);
        let full = match self.store.trigger(&fingerprint)? {
            Room::Plenty => false,
            Room::Below(size) => text.len() as u64 >= size,
        };
        // What was seen in a fresh process is confirmed by others of its like; what was seen warm is not.
        if full && self.plan.way == AskMode::Fresh {
            return Ok(Seen::Counted);
        }
        let court = &mut self.courts[i];
        let Some(finding) = court
            .confirm(case, text, &Known::new(), (entry, complaint))?
            .map(|confirmed| Finding::confirmed(case, text, confirmed, Turn::default()))
        else {
            let trial = Trial::new(case, text, bench, runs.to_vec());
            let unconfirmed = Confirmation::default();
            let finding = Finding::new(&trial, entry.name, complaint.clone(), unconfirmed, Turn::default());
            self.store.record(&finding, true)?;
            return Ok(Seen::Once);
        };
        if !full {
            self.store.record(&finding, false)?;
        }
        Ok(Seen::Confirmed)
    }
}
