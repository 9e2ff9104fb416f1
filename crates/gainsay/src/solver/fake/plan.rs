//! Plans: what the fake solver is to do at each `check-sat`, as a text that people can write.

use std::fmt;
use std::str::FromStr;

use crate::case::Answer;

/// How plans are written, for help texts.
pub const HELP: &str = "\
A plan is acts joined by commas, done in order at each `check-sat`. Lists joined by semicolons are for the first, the \
second and so on; the last is for all that follow.

An honest list holds the word `honest`: it decides formulas of at most 12 free bits by trying out everything, gives a \
model or a core when asked, and says `unknown` to the rest. The other acts of the list are done before it answers.

Conditions stand before the acts they govern, up to the next condition; with no act after them the answer is a lie:
  when=WORD      an assertion in scope contains the word
  when=(TERM)    an assertion in scope is this term
  random         the solver's random number is odd (smt.random_seed=N, --seed=N; 0 if none is given)
  flaky          by chance, once for each start of the program
  scoped         between `push` and `pop`
  with=OPTION    the command line has this option, or the script this setting: tactic:NAME, simplifier:NAME

Faults, for honest lists:
  sat-for-unsat  unsat-for-sat  lie    the wrong answer: one, the other, or either
  sat  unsat  unknown                  this answer, whatever is true
  refuse         an error in place of an answer
  self-check     after sat, the error of a solver that refutes its own model
  wrong-model    a model under which an assertion is false
  missing-model  a model that lacks an entry
  wrong-core     a core that is satisfiable
  large-core     all names, needed or not

Faults of sessions, for honest lists. Conditions do not govern them:
  pop-forgets       a pop leaves the last assertion of the level
  pop-takes-more    a pop removes the last assertion of the level below, too
  assumption-stays  the first assumption of a check-sat-assuming stays asserted
  second-check      the wrong answer where the same is asked twice in a row
  reset-keeps       a reset-assertions leaves the last assertion

Faults of outputs, for honest lists. Conditions do not govern them:
  wrong-value        the first value of a get-value is another than in the model
  second-model       a second get-model prints another model
  wrong-assignment   the first truth value of a get-assignment is wrong
  wrong-assumptions  a get-unsat-assumptions leaves out an assumption that is needed
  wrong-rewriter     a simplify or apply is wrong where a constant is zero
  wrong-statistics   statistics are no list
  proofs-lie         the wrong answer, where proofs are on
  values-lie         the wrong answer, after values were asked for

Acts, for all lists:
  sat unsat unknown half late error=TEXT print=TEXT complain=TEXT assertion segv signal=N exit=N hang slow=MS sleep=MS \
burn=MS flood=MB allocate=MB leak=MB halfmodel fork=N daemon bomb=N deaf stubborn closestdin closestdout mark=TEXT

With `begin=MS` it needs so long to start.

Examples: `honest`, `honest,when=bvmul,unsat-for-sat`, `honest,random,wrong-model,when=concat,segv`, `sat;unsat;hang`";

/// Acts without a value.
const PLAIN: &[&str] = &[
    "assertion",
    "closestdin",
    "closestdout",
    "daemon",
    "deaf",
    "half",
    "halfmodel",
    "hang",
    "late",
    "sat",
    "segv",
    "stubborn",
    "unknown",
    "unsat",
    "",
];

/// Acts that take a text.
const WITH_TEXT: &[&str] = &["complain", "error", "mark", "print"];

/// Acts that take a number.
const WITH_NUMBER: &[&str] =
    &["allocate", "begin", "bomb", "burn", "exit", "flood", "fork", "leak", "signal", "sleep", "slow"];

/// What can be wrong with an honest solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Says sat where it is unsat.
    SatForUnsat,
    /// Says unsat where it is sat.
    UnsatForSat,
    /// Says the opposite of what it knows.
    Lie,
    /// Says this whatever is true.
    Says(Answer),
    /// Prints an error in place of an answer.
    Refuse,
    /// Says that its own model is wrong.
    SelfCheck,
    /// Gives a model under which an assertion is false.
    WrongModel,
    /// Gives a model that lacks an entry.
    MissingModel,
    /// Gives a core that is satisfiable.
    WrongCore,
    /// Gives a core of all names.
    LargeCore,
    /// A `pop` leaves an assertion.
    PopForgets,
    /// A `pop` removes an assertion of the level below.
    PopTakesMore,
    /// A `check-sat-assuming` leaves an assumption asserted.
    AssumptionStays,
    /// The opposite of what it knows, where it is asked the same twice in a row.
    SecondCheck,
    /// A `reset-assertions` leaves an assertion.
    ResetKeeps,
    /// The first value of a `get-value` is another than in the model.
    WrongValue,
    /// A second `get-model` prints another model.
    SecondModel,
    /// The first truth value of a `get-assignment` is wrong.
    WrongAssignment,
    /// A `get-unsat-assumptions` leaves out an assumption that is needed.
    WrongAssumptions,
    /// A `simplify` or `apply` is wrong where a constant is zero.
    WrongRewriter,
    /// Statistics are no list.
    WrongStatistics,
    /// The opposite of what it knows, where proofs are on.
    Proofs,
    /// The opposite of what it knows, after values were asked for.
    AfterValues,
}

const FAULTS: &[(&str, Fault)] = &[
    ("sat-for-unsat", Fault::SatForUnsat),
    ("unsat-for-sat", Fault::UnsatForSat),
    ("lie", Fault::Lie),
    ("sat", Fault::Says(Answer::Sat)),
    ("unsat", Fault::Says(Answer::Unsat)),
    ("unknown", Fault::Says(Answer::Unknown)),
    ("refuse", Fault::Refuse),
    ("self-check", Fault::SelfCheck),
    ("wrong-model", Fault::WrongModel),
    ("missing-model", Fault::MissingModel),
    ("wrong-core", Fault::WrongCore),
    ("large-core", Fault::LargeCore),
    ("pop-forgets", Fault::PopForgets),
    ("pop-takes-more", Fault::PopTakesMore),
    ("assumption-stays", Fault::AssumptionStays),
    ("second-check", Fault::SecondCheck),
    ("reset-keeps", Fault::ResetKeeps),
    ("wrong-value", Fault::WrongValue),
    ("second-model", Fault::SecondModel),
    ("wrong-assignment", Fault::WrongAssignment),
    ("wrong-assumptions", Fault::WrongAssumptions),
    ("wrong-rewriter", Fault::WrongRewriter),
    ("wrong-statistics", Fault::WrongStatistics),
    ("proofs-lie", Fault::Proofs),
    ("values-lie", Fault::AfterValues),
];

/// When an act is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An assertion in scope contains this word, or is this term.
    When(String),
    /// The solver's random number is odd.
    Random,
    /// By chance.
    Flaky,
    /// Between `push` and `pop`.
    Scoped,
    /// The command line has this option, or the script this tactic or simplifier.
    With(String),
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Be wrong in this way.
    Fault(Fault),
    /// Do this at once: the name and the value of an act.
    Do(String, String),
}

/// What to do at one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Whether the answer is found, not told.
    pub honest: bool,
    groups: Vec<(Vec<Condition>, Vec<Act>)>,
}

impl List {
    /// The acts whose conditions hold, in order.
    pub fn due(&self, mut holds: impl FnMut(&Condition) -> bool) -> Vec<&Act> {
        let due = self.groups.iter().filter(|(conditions, _)| conditions.iter().all(&mut holds));
        due.flat_map(|(_, acts)| acts).collect()
    }
}

/// What to do at each `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    lists: Vec<List>,
}

impl Plan {
    /// What to do at the `check-sat` of this number.
    pub fn list(&self, turn: usize) -> &List {
        &self.lists[turn.min(self.lists.len() - 1)]
    }

    /// How many milliseconds it needs to start.
    pub fn beginning(&self) -> u64 {
        let mut acts = self.lists.iter().flat_map(|list| &list.groups).flat_map(|(_, acts)| acts);
        let time = |act: &Act| match act {
            Act::Do(name, value) if name == "begin" => value.parse().ok(),
            _ => None,
        };
        acts.find_map(time).unwrap_or(0)
    }

    /// All faults that there are in some list, whatever their conditions.
    pub fn faults(&self) -> Vec<Fault> {
        let acts = self.lists.iter().flat_map(|list| &list.groups).flat_map(|(_, acts)| acts);
        let fault = |act: &Act| match act {
            Act::Fault(fault) => Some(*fault),
            Act::Do(..) => None,
        };
        acts.filter_map(fault).collect()
    }

    /// Whether any answer is found, so that the script must be read.
    pub fn is_honest(&self) -> bool {
        self.lists.iter().any(|list| list.honest)
    }
}

/// Why a text is no plan.
#[derive(Debug, PartialEq, Eq)]
pub struct BadPlan(String);

impl fmt::Display for BadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPlan {}

impl FromStr for Plan {
    type Err = BadPlan;

    fn from_str(text: &str) -> Result<Plan, BadPlan> {
        let lists = text.split(';').map(list).collect::<Result<Vec<_>, _>>()?;
        Ok(Plan { lists })
    }
}

fn list(text: &str) -> Result<List, BadPlan> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let honest = words.contains(&"honest");
    let mut groups: Vec<(Vec<Condition>, Vec<Act>)> = vec![(Vec::new(), Vec::new())];
    for word in words.into_iter().filter(|&word| word != "honest") {
        if let Some(condition) = condition(word).filter(|_| honest) {
            match groups.last_mut() {
                Some((conditions, acts)) if acts.is_empty() && !conditions.is_empty() => {
                    conditions.push(condition);
                }
                _ => groups.push((vec![condition], Vec::new())),
            }
        } else if let Some((_, acts)) = groups.last_mut() {
            acts.push(act(word, honest)?);
        }
    }
    for (conditions, acts) in &mut groups {
        if acts.is_empty() && !conditions.is_empty() {
            acts.push(Act::Fault(Fault::Lie));
        }
    }
    Ok(List { honest, groups })
}

fn condition(word: &str) -> Option<Condition> {
    match word {
        "random" => Some(Condition::Random),
        "flaky" => Some(Condition::Flaky),
        "scoped" => Some(Condition::Scoped),
        _ => match word.strip_prefix("with=") {
            Some(option) => Some(Condition::With(option.to_owned())),
            None => word.strip_prefix("when=").map(|word| Condition::When(word.to_owned())),
        },
    }
}

fn act(word: &str, honest: bool) -> Result<Act, BadPlan> {
    if let Some((_, fault)) = FAULTS.iter().find(|(name, _)| honest && *name == word) {
        return Ok(Act::Fault(*fault));
    }
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    let fits = match value {
        None => PLAIN.contains(&name),
        Some(value) => {
            WITH_TEXT.contains(&name) || WITH_NUMBER.contains(&name) && value.parse::<u64>().is_ok()
        }
    };
    if fits {
        return Ok(Act::Do(name.to_owned(), value.unwrap_or_default().to_owned()));
    }
    let needs_honest = condition(word).is_some() || FAULTS.iter().any(|(fault, _)| *fault == word);
    Err(BadPlan(if needs_honest {
        format!("the fake solver does `{word}` only in a list with `honest`")
    } else if WITH_NUMBER.contains(&name) {
        format!("the fake solver's `{name}` takes a number, such as {name}=100")
    } else if WITH_TEXT.contains(&name) {
        format!("the fake solver's `{name}` takes a text, such as {name}=hello")
    } else {
        format!("the fake solver cannot `{word}`; `gainsay drive fake --help` says what it can")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(plan: &str, holding: &[Condition]) -> Vec<String> {
        let plan: Plan = plan.parse().expect(plan);
        let show = |act: &Act| match act {
            Act::Fault(fault) => format!("{fault:?}"),
            Act::Do(name, value) => format!("{name}={value}"),
        };
        plan.list(0).due(|condition| holding.contains(condition)).into_iter().map(show).collect()
    }

    #[test]
    fn conditions_govern_what_follows_them() {
        let when = |word: &str| Condition::When(word.to_owned());
        let rows: &[(&str, &[Condition], &[&str])] = &[
            ("honest", &[], &[]),
            ("honest,unsat-for-sat", &[], &["UnsatForSat"]),
            ("honest,when=a,segv", &[], &[]),
            ("honest,when=a,segv", &[when("a")], &["segv="]),
            ("honest,when=a,segv,hang", &[when("a")], &["segv=", "hang="]),
            ("honest,when=a,when=b,segv", &[when("a")], &[]),
            ("honest,with=a=b,segv", &[Condition::With("a=b".to_owned())], &["segv="]),
            ("honest,with=a=b,segv", &[], &[]),
            ("honest,scoped", &[], &[]),
            ("honest,scoped", &[Condition::Scoped], &["Lie"]),
            ("honest,when=a,when=b,segv", &[when("a"), when("b")], &["segv="]),
            ("honest,when=a,segv,when=b,slow=5", &[when("b")], &["slow=5"]),
            ("mark=x,honest,random,flaky", &[Condition::Random], &["mark=x"]),
            ("mark=x,honest,random,flaky", &[Condition::Random, Condition::Flaky], &["mark=x", "Lie"]),
            ("honest,when=a", &[when("a")], &["Lie"]),
            ("sat,sleep=5,unsat", &[], &["sat=", "sleep=5", "unsat="]),
        ];
        for (plan, holding, acts) in rows {
            assert_eq!(due(plan, holding), *acts, "{plan} with {holding:?}");
        }
    }

    #[test]
    fn the_last_list_is_for_all_that_follow() {
        let plan: Plan = "honest;sat;unsat".parse().expect("a plan");
        assert!(plan.is_honest() && plan.list(0).honest && !plan.list(1).honest);
        assert_eq!(plan.list(2), plan.list(7));
        assert_ne!(plan.list(1), plan.list(2));
        assert!(!"sat".parse::<Plan>().expect("a plan").is_honest());
    }

    #[test]
    fn what_is_no_plan_is_refused_with_advice() {
        for (plan, advice) in [
            ("honset", "cannot `honset`"),
            ("honest,wrong", "cannot `wrong`"),
            ("wrong-model", "only in a list with `honest`"),
            ("sat,when=x,segv", "only in a list with `honest`"),
            ("honest;lie", "only in a list with `honest`"),
            ("slow", "takes a number, such as slow=100"),
            ("sleep=soon", "takes a number"),
            ("honest,error", "takes a text"),
            ("segv=1", "cannot `segv=1`"),
        ] {
            let told = plan.parse::<Plan>().expect_err(plan).to_string();
            assert!(told.contains(advice), "{plan}: {told}");
        }
    }

    #[test]
    fn the_help_names_everything() {
        let words =
            PLAIN.iter().chain(WITH_TEXT).chain(WITH_NUMBER).copied().chain(FAULTS.iter().map(|f| f.0));
        for word in words {
            assert!(HELP.contains(word), "{word}");
        }
    }
}
