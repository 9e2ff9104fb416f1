//! How many known faults of solvers each way of asking still shows.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::known::KNOWN;
use gainsay::case::Answer;
use gainsay::solver::acquire::home::Home;
use gainsay::solver::id::split_words;
use gainsay::solver::pick::Pick;
use gainsay::solver::{
    AskMode, Limits, Outcome, Outputs, Profile, Question, Run, Runner, Solver, SolverError,
};

/// A script on which a release is known to fail.
pub struct Trigger {
    solver: Solver,
    name: String,
    script: String,
    expected: Option<Answer>,
}

fn answer(word: &str) -> Option<Answer> {
    [Answer::Sat, Answer::Unsat].into_iter().find(|a| a.word() == word.trim())
}

/// The right answer, as a script of the built-in corpus says it.
fn status(script: &str) -> Option<Answer> {
    answer(script.split_once("(set-info :status ")?.1.split_once(')')?.0)
}

impl Trigger {
    /// Its name, its script, and who fails on it.
    pub fn into_parts(self) -> (String, String, Solver) {
        let name = format!("{} [{}]", self.name, self.solver.name);
        (name, self.script, self.solver)
    }

    /// Reads the comments of a trigger: `; z3-4.8.7 KIND … expected: unsat`, `; cmd: …/z3 -in -t:700 OPTIONS`.
    ///
    /// `None` if it is no trigger, or one of a release that is not installed.
    pub fn read(place: &Path, script: String) -> Option<Trigger> {
        let mut comments = script.lines().filter_map(|l| l.strip_prefix("; "));
        let first = comments.next()?;
        let (name, release) = first.split([' ', '+']).next()?.rsplit_once('-')?;
        let expected = first.split_once("expected: ").and_then(|(_, e)| answer(e));
        let command = comments.find_map(|l| l.strip_prefix("cmd: ")).unwrap_or_default();
        let ours = |o: &&str| {
            let asked = ["-in", "-q", "--produce-models"].contains(o);
            !asked && !o.starts_with("-t:") && !o.starts_with("--tlimit")
        };
        let options: Vec<String> = command.split(' ').skip(1).filter(ours).map(str::to_owned).collect();
        let solver = Solver::named(&format!("{name}@{release}"), &Home::of_environment(), None).ok()?;
        let name = place.display().to_string();
        Some(Trigger { solver: solver.with_options(&options), name, script, expected })
    }
}

/// The scripts that come with the program, each for every installed release that fails on it; and how many of these
/// solvers have no release installed.
pub fn known() -> Result<(Vec<Trigger>, usize), SolverError> {
    let home = Home::of_environment();
    let mut found = Vec::new();
    let mut absent = 0;
    for known in KNOWN {
        let script = known.script();
        let expected = status(script);
        for whom in known.wrong {
            let words = split_words(whom).expect("a known fault has no open quote");
            let (first, options) = words.split_first().expect("a known fault names a solver");
            let pick = Pick::parse(first)?;
            let profile = Profile::named(&pick.name)?;
            let there = home.installed(&pick.name);
            let releases = pick.select(&there);
            absent += usize::from(releases.is_empty());
            for release in releases {
                found.push(Trigger {
                    solver: Solver::installed(&profile, release, &home).with_options(options),
                    name: format!("`{}` on {}@{release}", known.name, pick.name),
                    script: script.to_owned(),
                    expected,
                });
            }
        }
    }
    Ok((found, absent))
}

/// The fault a run shows, if any.
fn fault(run: &Run, expected: Option<Answer>) -> Option<&'static str> {
    match run.outcome() {
        Outcome::Crashed => Some("crash"),
        Outcome::SelfCheck => Some("self-check"),
        Outcome::Answered => match (run.reply.answers().last()?, expected?) {
            (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat) => Some("wrong answer"),
            _ => None,
        },
        _ => None,
    }
}

/// What was shown, counted.
#[derive(Default)]
struct Tally {
    by_fresh: BTreeMap<&'static str, usize>,
    shown: BTreeMap<(&'static str, AskMode), usize>,
    releases: BTreeMap<String, usize>,
    /// How often a way was asked for, and another was used because the script or the solver allows no better.
    otherwise: BTreeMap<(AskMode, AskMode), usize>,
    clean: Vec<String>,
    missed: Vec<String>,
}

/// Asks each trigger in every way and prints which faults were shown again.
pub fn run(triggers: &[Trigger], absent: usize) -> anyhow::Result<()> {
    let mut tally = Tally::default();
    for t in triggers {
        let question = Question { script: &t.script, ask: Outputs::default() };
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(5)));
        let fresh = runner.ask(&t.solver, question, AskMode::Fresh)?;
        let Some(kind) = fault(&fresh, t.expected) else {
            tally.clean.push(t.name.clone());
            continue;
        };
        *tally.by_fresh.entry(kind).or_default() += 1;
        let release = t.solver.name.without_options().to_string();
        *tally.releases.entry(release).or_default() += 1;
        for way in AskMode::ALL {
            // Warm means warm: something else has been asked before.
            let other =
                Question { script: "(declare-const p Bool)(assert p)(check-sat)", ask: Outputs::default() };
            runner.ask(&t.solver, other, way)?;
            let run = runner.ask(&t.solver, question, way)?;
            if run.way != way {
                *tally.otherwise.entry((way, run.way)).or_default() += 1;
            }
            if fault(&run, t.expected) == Some(kind) {
                *tally.shown.entry((kind, way)).or_default() += 1;
            } else {
                tally.missed.push(format!("{} misses the {kind} of {}", way.word(), t.name));
            }
        }
    }
    print(&tally, triggers.len(), absent);
    Ok(())
}

fn print(tally: &Tally, tried: usize, absent: usize) {
    let releases: Vec<String> = tally.releases.iter().map(|(r, n)| format!("{r}: {n}")).collect();
    println!("{tried} triggers tried, {absent} of releases that are not installed");
    println!("  faults by release ({}): {}", releases.len(), releases.join(", "));
    for (kind, total) in &tally.by_fresh {
        let counts: Vec<String> = AskMode::ALL
            .iter()
            .map(|w| format!("{} {}", w.word(), tally.shown.get(&(kind, *w)).unwrap_or(&0)))
            .collect();
        println!("  {kind}: fresh showed {total}; again: {}", counts.join(", "));
    }
    let total: usize = tally.by_fresh.values().sum();
    for way in AskMode::ALL {
        let sum: usize = tally.shown.iter().filter(|((_, w), _)| *w == way).map(|(_, n)| n).sum();
        let otherwise = tally.otherwise.iter().filter(|((asked, _), _)| *asked == way);
        let otherwise: Vec<String> =
            otherwise.map(|((_, used), n)| format!(", {n} of them asked as {}", used.word())).collect();
        println!(
            "  {}: {sum} of {total} ({:.0} %){}",
            way.word(),
            100.0 * f64::from(sum as u32) / f64::from(total.max(1) as u32),
            otherwise.concat()
        );
    }
    for m in &tally.missed {
        println!("  {m}");
    }
    for name in &tally.clean {
        println!("  fresh shows no fault: {name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_faults_are_well_formed() {
        for known in KNOWN {
            assert!(status(known.script()).is_some(), "{}", known.name);
            for whom in known.wrong {
                let first = split_words(whom).unwrap_or_default().into_iter().next().unwrap_or_default();
                let pick = Pick::parse(&first).expect(whom);
                let all =
                    gainsay::solver::acquire::install::installable(&Profile::named(&pick.name).expect(whom));
                assert!(!pick.select(&all).is_empty(), "{whom} names no release");
            }
        }
    }

    #[test]
    fn what_is_no_trigger_is_left_out() {
        for text in ["", "(check-sat)", "; nothing", "; nosuch-1.0 WRONG expected: sat\n(check-sat)"] {
            assert!(Trigger::read(Path::new("x.smt2"), text.to_owned()).is_none(), "{text}");
        }
    }
}
