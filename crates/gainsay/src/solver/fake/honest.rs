//! The honest solver: takes commands as a z3 does, and answers what it can find out by trying everything.

use smt::{Fuel, Head, Query, Script, TermId, Verdict, What, read, satisfies, write_term};

use super::brute::{Brute, Choice, Decision, reach};
use super::plan::Fault;
use crate::case::Answer;
use crate::solver::driver::commands::echoed;
use smt::sexpr::{head, parts};

/// More levels than this are refused.
const MOST_LEVELS: usize = 100_000;

/// A solver's state: the text in scope, and what the last check showed.
#[derive(Default)]
pub struct Honest {
    /// All commands in scope that count. What is popped is cut off.
    pub(super) text: String,
    /// Where each command of the text starts.
    pub(super) starts: Vec<usize>,
    /// How long the text was at each `push`.
    levels: Vec<usize>,
    /// How much of the text is known to be free of errors.
    pub(super) settled: usize,
    /// Names outlive their level: then the text holds `push` and `pop` itself.
    global: bool,
    /// The mistakes that it makes.
    pub(super) faults: Vec<Fault>,
    /// The text of the last check, with all that was in scope.
    checked: Option<String>,
    pub(super) last: Option<Checked>,
    /// Whether values were asked for.
    pub(super) asked_values: bool,
}

/// A check, what is true of it and what is wrong with the answer.
pub struct Checked {
    pub(super) script: Script,
    pub(super) ask: Query,
    /// By assertion, how a core names it; assertions without a name are always in.
    pub(super) names: Vec<Option<String>>,
    pub(super) search: Option<Brute>,
    pub(super) decision: Decision,
    faults: Vec<Fault>,
    pub(super) said: Option<Answer>,
    /// How often a model was asked for.
    pub(super) models: u32,
}

impl Honest {
    /// A solver that makes these mistakes.
    pub fn with(faults: Vec<Fault>) -> Honest {
        Honest { faults, ..Honest::default() }
    }

    /// Whether there is a `push` without its `pop`.
    pub fn is_scoped(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Takes a command that is no check; what there is to say to it.
    pub fn take(&mut self, command: &str) -> String {
        match head(command) {
            "echo" => self.settle() + &format!("{}\n", echoed(command).trim_matches('"')),
            "get-model" => {
                let another = self.makes(Fault::SecondModel);
                let last = self.last.as_mut().filter(|last| last.said == Some(Answer::Sat));
                last.map_or_else(|| error("model is not available"), |last| last.model(another))
            }
            "get-unsat-core" => {
                let last = self.last.as_mut().filter(|last| last.said == Some(Answer::Unsat));
                last.map_or_else(|| error("unsat core is not available"), Checked::core)
            }
            "get-value" => self.values(command),
            "eval" => self.value(command),
            "get-info" => self.information(command),
            "get-assignment" => self.assignment(),
            "get-unsat-assumptions" => self.assumptions(),
            "get-proof" => self.proof(),
            "simplify" => self.simplified(command),
            "apply" => self.applied(command),
            "push" => match count(command) {
                Some(n) if n <= MOST_LEVELS - self.levels.len() => self.push(n, command),
                _ => error("invalid push command, argument is too large"),
            },
            "pop" => match count(command) {
                Some(n) if n <= self.levels.len() => self.pop(n, command),
                _ => error("invalid pop command, argument is greater than the current stack depth"),
            },
            "reset" => {
                *self = Honest::with(std::mem::take(&mut self.faults));
                String::new()
            }
            name if name.starts_with("get-") => self.settle() + "unsupported\n",
            name => {
                if name == "reset-assertions" {
                    self.levels.clear();
                }
                if name == "set-option" && command.contains(":global-declarations") {
                    self.global = command.contains("true");
                }
                let keeps = name == "reset-assertions" && self.makes(Fault::ResetKeeps);
                let kept = keeps.then(|| self.last_assertion(0)).flatten();
                self.add(command);
                if let Some(kept) = kept {
                    self.keep(&kept);
                }
                String::new()
            }
        }
    }

    /// What is wrong with the commands that were not looked at yet, as errors; they are dropped.
    pub fn settle(&mut self) -> String {
        if self.settled == self.text.len() {
            return String::new();
        }
        self.read_all("").1
    }

    /// Answers a check; none if the check itself is wrong. The errors of what came before it come first.
    pub fn check(&mut self, command: &str) -> (String, Option<&mut Checked>) {
        self.last = None;
        let (script, errors) = self.read_all(command);
        self.last = script.and_then(Checked::new);
        let asked = format!("{}{command}", self.text);
        if self.makes(Fault::SecondCheck) && self.checked.as_ref() == Some(&asked) {
            self.last.iter_mut().for_each(|last| last.fault(Fault::Lie));
        }
        self.checked = Some(asked);
        let proofs = self.makes(Fault::Proofs) && self.text.contains(":produce-proofs true");
        if proofs || (self.makes(Fault::AfterValues) && self.asked_values) {
            self.last.iter_mut().for_each(|last| last.fault(Fault::Lie));
        }
        if self.makes(Fault::AssumptionStays) && head(command) == "check-sat-assuming" {
            self.keep_assumption(command);
        }
        (errors, self.last.as_mut())
    }

    pub(super) fn add(&mut self, command: &str) {
        self.starts.push(self.text.len());
        self.text.push_str(command);
        self.text.push('\n');
    }

    fn push(&mut self, n: usize, command: &str) -> String {
        self.levels.extend(std::iter::repeat_n(self.text.len(), n));
        if self.global {
            self.add(command);
        }
        String::new()
    }

    fn pop(&mut self, n: usize, command: &str) -> String {
        let errors = if self.global { String::new() } else { self.settle() };
        let kept = self.levels.len() - n;
        let length = self.levels.get(kept).copied().unwrap_or(self.text.len());
        self.levels.truncate(kept);
        let forgotten = self.makes(Fault::PopForgets).then(|| self.last_assertion(length)).flatten();
        if self.global {
            self.add(command);
        } else {
            self.text.truncate(length);
            self.starts.truncate(self.starts.partition_point(|&start| start < length));
            self.settled = self.settled.min(length);
        }
        if let Some(forgotten) = forgotten {
            self.keep(&forgotten);
        }
        if self.makes(Fault::PopTakesMore) && !self.global {
            self.lose();
        }
        errors
    }

    /// Reads the text and one more command, which is not kept. A command that is wrong is dropped and the rest read
    /// again; if it is the last one, there is no script.
    pub(super) fn read_all(&mut self, last: &str) -> (Option<Script>, String) {
        let mut errors = String::new();
        let own = self.text.len();
        self.text.push_str(last);
        let mut end = own;
        let script = loop {
            let wrong = match read(self.text.as_bytes()) {
                Ok(script) => break Some(script),
                Err(wrong) => wrong,
            };
            let place = wrong.locate("", self.text.as_bytes());
            errors.push_str(&format!(
                "(error \"line {} column {}: {}\")\n",
                place.line,
                place.column,
                wrong.message.replace('"', "\"\"")
            ));
            let number = self.starts.partition_point(|&start| start <= wrong.offset);
            if wrong.offset >= end || number == 0 {
                break None;
            }
            end -= self.drop_command(number - 1, end);
        };
        self.text.truncate(end);
        self.settled = end;
        (script, errors)
    }

    /// Cuts a command out of the text; how long it was.
    pub(super) fn drop_command(&mut self, number: usize, end: usize) -> usize {
        let from = self.starts.remove(number);
        let to = self.starts.get(number).copied().unwrap_or(end);
        self.text.drain(from..to);
        for mark in
            self.starts.iter_mut().skip(number).chain(self.levels.iter_mut().filter(|mark| **mark > from))
        {
            *mark -= to - from;
        }
        to - from
    }
}

impl Checked {
    fn new(mut script: Script) -> Option<Checked> {
        let ask = script.queries().pop()?;
        let mut names: Vec<_> = ask.assertions.iter().map(|&term| name(&script, term)).collect();
        if let Some(What::CheckSatAssuming(list)) = script.commands.last().map(|c| c.what) {
            let assumed = script.pool.terms(list);
            let first = names.len() - assumed.len();
            for (name, &term) in names[first..].iter_mut().zip(assumed) {
                *name = Some(write_term(&script.pool, term));
            }
        }
        let optimises = |what| matches!(what, What::AssertSoft(..) | What::Optimize(..));
        let (search, decision) = if ask.opaque || script.commands.iter().any(|c| optimises(c.what)) {
            (None, Decision::Open("a command that is more than an assertion".to_owned()))
        } else {
            match Brute::new(&mut script, &ask.assertions) {
                Ok(mut search) => {
                    let decision = decide(&mut search, &ask);
                    (Some(search), decision)
                }
                Err(why) => (None, Decision::Open(why)),
            }
        };
        Some(Checked { script, ask, names, search, decision, faults: Vec::new(), said: None, models: 0 })
    }

    /// Whether an assertion in scope contains a word, in itself or in a definition it uses; or is this term, in parentheses.
    pub fn contains(&self, word: &str) -> bool {
        let pool = &self.script.pool;
        if word.starts_with('(') {
            return self.ask.assertions.iter().any(|&term| write_term(pool, term) == word);
        }
        let mut found = false;
        reach(pool, &self.ask.assertions, |term| {
            let text = match pool.node(term).head {
                Head::Let(_) => "let",
                Head::Forall(_) => "forall",
                Head::Exists(_) => "exists",
                Head::Lambda(_) => "lambda",
                Head::Choice(_) => "choice",
                Head::Comprehension(_) => "set.comprehension",
                Head::Match(_) => "match",
                _ => pool.text(pool.node(term).name),
            };
            found = text == word || text.split(['(', ')', ' ']).any(|part| part == word);
            !found
        });
        found
    }

    /// Has this wrong with it from now on.
    pub fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// What is to be said.
    pub fn answer(&mut self) -> String {
        let truth = match self.decision {
            Decision::Sat(_) => Answer::Sat,
            Decision::Unsat => Answer::Unsat,
            Decision::Open(_) => Answer::Unknown,
        };
        let told = self.faults.iter().fold(truth, |told, fault| match (fault, truth) {
            (Fault::SatForUnsat | Fault::Lie, Answer::Unsat) => Answer::Sat,
            (Fault::UnsatForSat | Fault::Lie, Answer::Sat) => Answer::Unsat,
            (Fault::Says(answer), _) => *answer,
            _ => told,
        });
        if self.has(Fault::Refuse) {
            return error("the formula is refused");
        }
        self.said = Some(told);
        let mut text = format!("{}\n", told.word());
        if told == Answer::Sat && self.has(Fault::SelfCheck) {
            text += &error("an invalid model was generated");
        }
        text
    }

    /// The model; another one from the second time on, if `another` is set.
    fn model(&mut self, another: bool) -> String {
        self.models += 1;
        let wrong = self.has(Fault::WrongModel) || (another && self.models > 1);
        let missing = self.has(Fault::MissingModel);
        let Some(search) = &mut self.search else { return "(\n)\n".to_owned() };
        let mut choice: Choice = match &self.decision {
            Decision::Sat(choice) => choice.clone(),
            // A lie has a model as well, and it is wrong.
            _ => search.first(),
        };
        if wrong && let Some(other) = search.refuted_near(&choice) {
            choice = other;
        }
        search.print(&choice, if missing { &[0] } else { &[] })
    }

    fn core(&mut self) -> String {
        let named: Vec<usize> = (0..self.names.len()).filter(|&i| self.names[i].is_some()).collect();
        let (wrong, large) = (self.has(Fault::WrongCore), self.has(Fault::LargeCore));
        self.needed(&named, (wrong, large))
    }

    /// The names of some assertions without which the others, and those that are not among them, are not unsatisfiable. If it is
    /// to be wrong, one is missing; if it is to be large, none is left out.
    pub(super) fn needed(&mut self, some: &[usize], (wrong, large): (bool, bool)) -> String {
        let mut core: Vec<usize> = (0..self.names.len()).collect();
        if let Some(search) = self.search.as_mut().filter(|_| self.decision == Decision::Unsat && !large) {
            for &i in some {
                let less: Vec<usize> = core.iter().copied().filter(|&k| k != i).collect();
                if search.decide(&less) == Decision::Unsat {
                    core = less;
                }
            }
            // What is left needs each of its members; without one it is satisfiable.
            let member = core.iter().position(|i| some.contains(i));
            if let Some(member) = member.filter(|_| wrong) {
                core.remove(member);
            }
        }
        let names: Vec<&str> =
            core.iter().filter(|i| some.contains(i)).filter_map(|&i| self.names[i].as_deref()).collect();
        format!("({})\n", names.join(" "))
    }
}

/// Decides all, and says sat only where the evaluator would let it pass.
fn decide(search: &mut Brute, ask: &Query) -> Decision {
    let all: Vec<usize> = (0..ask.assertions.len()).collect();
    match search.decide(&all) {
        Decision::Sat(choice) => match satisfies(ask, search.model(&choice), &Fuel::default()) {
            Verdict::True => Decision::Sat(choice),
            Verdict::False => Decision::Open("two minds about it".to_owned()),
            Verdict::Open(gap) => Decision::Open(gap.to_string()),
        },
        other => other,
    }
}

/// The name of an assertion.
fn name(script: &Script, term: TermId) -> Option<String> {
    let Head::Annotated(attrs) = script.pool.node(term).head else { return None };
    script.pool.attrs(attrs).iter().find_map(|attr| match attr.value {
        smt::AttrValue::Text(name) if script.pool.text(attr.keyword) == ":named" => {
            Some(script.pool.text(name).to_owned())
        }
        _ => None,
    })
}

/// How many levels a `push` or `pop` is about.
fn count(command: &str) -> Option<usize> {
    match parts(command).get(1) {
        None => Some(1),
        Some(number) => number.parse().ok(),
    }
}

pub(super) fn error(text: &str) -> String {
    format!("(error \"line 1 column 1: {text}\")\n")
}

#[cfg(test)]
mod tests;
