//! The rules of approximation: proved again one by one, and audited by what is made with them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::case::{Answer, Choices};
use crate::finding::words;
use crate::judge::{AuditReport, AuditVerdict, Auditors, Tally};
use crate::seed::{Asked, Corpus};
use crate::solver::acquire::choose::readers;
use crate::solver::{Solver, SolverError};
use crate::strategy::{
    self, BadOption, EquivalenceExample, ListedRule, Options, Strategy, listed_rules, rule_examples,
};

/// The rules of a theory, or all; a sentence if the theory has none.
pub fn rules_of(theory: Option<&str>) -> Result<Vec<ListedRule>, String> {
    let all = listed_rules();
    let Some(wanted) = theory else { return Ok(all) };
    let mut theories: Vec<&str> = all.iter().map(|rule| rule.theory).collect();
    theories.sort_unstable();
    theories.dedup();
    if !theories.iter().any(|theory| theory.eq_ignore_ascii_case(wanted)) {
        return Err(format!("there are no rules for {wanted} (there are {})", theories.join(", ")));
    }
    Ok(all.into_iter().filter(|rule| rule.theory.eq_ignore_ascii_case(wanted)).collect())
}

/// What the proofs of a rule came to.
pub struct CheckedRule {
    /// The name of the rule.
    pub id: String,
    /// The worst verdict; none if no solver reads the rule.
    pub verdict: Option<AuditVerdict>,
    /// The verdict at each sort.
    pub at: Vec<(&'static str, AuditVerdict)>,
}

impl CheckedRule {
    /// The sorts at which the verdict is this one.
    pub fn sorts(&self, verdict: AuditVerdict) -> String {
        let sorts = self.at.iter().filter(|(_, other)| *other == verdict).map(|(sort, _)| *sort);
        sorts.collect::<Vec<_>>().join(", ")
    }

    /// The verdict for people.
    pub fn about(&self) -> &'static str {
        match self.verdict {
            None => "no solver here reads it",
            Some(AuditVerdict::Holds) => "holds",
            Some(AuditVerdict::Open) => "open",
            Some(AuditVerdict::Refuted) => "REFUTED",
        }
    }

    /// The verdict for machines.
    pub fn json(&self) -> Value {
        let (open, refuted) = (self.sorts(AuditVerdict::Open), self.sorts(AuditVerdict::Refuted));
        json!({ "id": self.id, "word": self.about(), "open": open, "refuted": refuted })
    }
}

/// Proves rules again, at several sorts, with constants drawn from a number. Each is told as soon as it is known.
pub fn check_rules(
    rules: &[ListedRule],
    solvers: Vec<Solver>,
    time: Duration,
    draw: u64,
    mut tell: impl FnMut(&CheckedRule),
) -> Result<Vec<CheckedRule>, SolverError> {
    let examples = rule_examples(draw, &readers(&solvers));
    let mut auditors = Auditors::new(solvers, time);
    let mut checked = Vec::new();
    for rule in rules {
        let id = rule.ids.split(' ').next().unwrap_or(rule.ids);
        let mut at = Vec::new();
        for example in examples.iter().filter(|example| example.id == id) {
            at.push((example.sort, auditors.audit(&example.refutation)?));
        }
        let verdict = at.iter().map(|(_, verdict)| *verdict).max();
        let one = CheckedRule { id: id.to_owned(), verdict, at };
        tell(&one);
        checked.push(one);
    }
    Ok(checked)
}

/// What solvers say of an equivalence; none if they all refuse it.
pub type EquivalenceVerdict = Option<AuditVerdict>;

/// Asks solvers to prove equivalences. Each is told as soon as it is known. The result has one verdict for each.
pub fn check_equivalences(
    examples: &[EquivalenceExample],
    solvers: Vec<Solver>,
    time: Duration,
    mut tell: impl FnMut(&EquivalenceExample, EquivalenceVerdict),
) -> Result<Vec<EquivalenceVerdict>, SolverError> {
    let mut auditors = Auditors::new(solvers, time);
    let mut all = Vec::with_capacity(examples.len());
    for example in examples {
        let said = auditors.audit(&example.refutation)?;
        let refused = said == AuditVerdict::Open && auditors.all_refuse(&example.refutation)?;
        let verdict = (!refused).then_some(said);
        tell(example, verdict);
        all.push(verdict);
    }
    Ok(all)
}

/// An audit of mutants that rules make.
pub struct RuleAudit {
    /// How many mutants are made.
    pub mutants: u64,
    /// How many of them are also audited as a whole.
    pub wholes: u64,
    /// The time for each step.
    pub time: Duration,
    /// The time for each whole.
    pub whole_time: Duration,
    /// The number that mutants are drawn from.
    pub draw: u64,
    /// Whether every place is taken to be positive. The audit must refute that.
    pub control: bool,
    /// Whether seeds become clauses first.
    pub cnf: bool,
}

/// The result of an audit.
#[derive(Default)]
pub struct AuditSum {
    /// How many mutants were made.
    pub mutants: u64,
    /// How many of them were audited as a whole.
    pub wholes: u64,
    /// Counts, and what was refuted.
    pub report: AuditReport,
    /// How often each question stayed open.
    pub open: BTreeMap<String, u64>,
    /// How many questions were asked.
    pub asked: u64,
    /// How many questions had been asked before.
    pub repeated: u64,
}

/// A rule of the list for people, in a line.
pub fn listed_text(rule: &ListedRule) -> String {
    let ListedRule { ids, theory, way, from, to, condition, proved } = rule;
    let when = if *condition == "-" { String::new() } else { format!(" if a is {condition}") };
    format!("{ids}  {theory}  {way}: {from} → {to}{when}  [proved by {proved}]")
}

/// A rule of the list for machines.
pub fn listed_json(rule: &ListedRule) -> Value {
    let ListedRule { ids, theory, way, from, to, condition, proved } = rule;
    let ids: Vec<&str> = ids.split(' ').collect();
    json!({ "ids": ids, "theory": theory, "direction": way, "from": from, "to": to, "condition": condition,
        "proved": proved })
}

impl AuditSum {
    fn add(&mut self, mut report: AuditReport) {
        for rule in std::mem::take(&mut report.open) {
            *self.open.entry(words::asked(&rule)).or_default() += 1;
        }
        for rule in std::mem::take(&mut report.unwritten) {
            let line = format!("{}, which cannot be written down", words::rule(&rule));
            *self.open.entry(line).or_default() += 1;
        }
        self.report.add(report);
    }

    /// The counts in a line.
    pub fn line(&self) -> String {
        let one = |name: &str, tally: Tally| {
            let (open, refuted) = (tally.of(AuditVerdict::Open), tally.of(AuditVerdict::Refuted));
            format!("{} {name}: {open} open, {refuted} refuted", tally.all())
        };
        let AuditReport { steps, places, whole, .. } = &self.report;
        let all = [one("steps", *steps), one("places", *places), one("wholes", *whole)];
        format!("{} mutants; {}", self.mutants, all.join("; "))
    }
}

impl AuditSum {
    /// The sum for people, with the time that the audit took.
    pub fn text(&self, took: Duration) -> String {
        let AuditSum { asked, repeated, .. } = self;
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let open: Vec<String> = open.iter().take(20).map(|(rule, count)| format!("{rule} {count}")).collect();
        let open = if open.is_empty() { "nothing".to_owned() } else { open.join(", ") };
        let line = self.line();
        format!(
            "{line}\n{asked} questions, {repeated} had been asked before; {} s\nopen most often: {open}",
            took.as_secs()
        )
    }

    /// The sum for machines, with the time that the audit took.
    pub fn json(&self, took: Duration) -> Value {
        let tally = |t: Tally| {
            [AuditVerdict::Holds, AuditVerdict::Open, AuditVerdict::Refuted].map(|word| t.of(word))
        };
        let AuditReport { steps, places, whole, refuted, .. } = &self.report;
        let refuted: Vec<_> = refuted.iter().map(|(asked, script)| (words::asked(asked), script)).collect();
        json!({ "mutants": self.mutants, "steps": tally(*steps), "places": tally(*places),
            "wholes": tally(*whole), "asked": self.asked, "repeated": self.repeated, "open": self.open,
            "refuted": refuted, "seconds": took.as_secs() })
    }
}

impl RuleAudit {
    /// Makes mutants of seeds and audits every step of them. The sum is told after each series.
    pub fn run(
        &self,
        corpus: &Corpus,
        solvers: Vec<Solver>,
        strategy: &dyn Strategy,
        mut tell: impl FnMut(&AuditSum),
    ) -> Result<AuditSum, SolverError> {
        let order = self.order(corpus.seeds.len());
        let mut steps = Auditors::new(solvers.clone(), self.time);
        let mut wholes = Auditors::new(solvers, self.whole_time);
        let mut sum = AuditSum::default();
        let each = self.mutants.div_ceil(2 * order.len().max(1) as u64).max(1);
        for round in 0.. {
            let before = sum.mutants;
            for &no in &order {
                let Some(seed) = strategy.takes(&corpus.seeds[no]) else { continue };
                let checks = seed.script().queries().len();
                // Whether an approximation is one does not depend on the seed's answer: both directions are tried.
                for answer in [Answer::Sat, Answer::Unsat] {
                    let asked = [Asked::agreed(seed.clone(), vec![answer; checks])];
                    let choices = Choices::drawn(self.draw ^ round, answer.word(), no as u64);
                    let mut series = strategy.series(round, &asked, choices);
                    for _ in 0..each {
                        let Some(case) = series.next().filter(|_| sum.mutants < self.mutants) else { break };
                        sum.mutants += 1;
                        sum.add(steps.case(&case)?);
                        if sum.mutants * self.wholes / self.mutants > sum.wholes {
                            sum.wholes += 1;
                            sum.add(wholes.whole(&case)?);
                        }
                    }
                    tell(&sum);
                }
                if sum.mutants >= self.mutants {
                    break;
                }
            }
            if sum.mutants >= self.mutants || sum.mutants == before {
                break;
            }
        }
        sum.asked = steps.asked + wholes.asked;
        sum.repeated = steps.repeated + wholes.repeated;
        Ok(sum)
    }

    /// The numbers of seeds in the order in which they are used.
    fn order(&self, seeds: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..seeds).collect();
        let mut choices = Choices::drawn(self.draw, "order of seeds", 0);
        for i in (1..order.len()).rev() {
            order.swap(i, choices.below(i as u64 + 1) as usize);
        }
        order
    }

    /// The strategy that makes the mutants.
    pub fn strategy(&self, solvers: &[Solver]) -> Result<Box<dyn Strategy>, BadOption> {
        let entry = strategy::named("sae").expect("registered");
        let mut given = BTreeMap::from([("readable-by".to_owned(), readers(solvers))]);
        if self.cnf {
            given.insert("cnf".to_owned(), "true".to_owned());
        }
        let options = Options::of(entry.flags, &given);
        if self.control { strategy::without_polarity(&options) } else { (entry.build)(&options) }
    }
}
