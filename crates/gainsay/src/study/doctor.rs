//! Examinations of solvers: what of each installed solver works.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::case::Answer;
use crate::solver::acquire::home::Home;
use crate::solver::profile::Profile;
use crate::solver::{AskMode, Bound, Ending, Limits, Outputs, Question, Runner, Solver, SolverError};

const SAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (= x #x3))(check-sat)";
const UNSAT: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (bvult x #x0))(check-sat)";
const CORE: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (! (bvult x #x0) :named a))\
(assert (! (= x #x1) :named b))(check-sat)";
/// Two factors of a product of two large primes: nobody finds them in a moment.
const HARD: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 128))(declare-const y (_ BitVec 128))\
(assert (= ((_ extract 127 64) x) #x0000000000000000))(assert (= ((_ extract 127 64) y) #x0000000000000000))\
(assert (bvugt x #x00000000000000000000000000000001))(assert (bvugt y #x00000000000000000000000000000001))\
(assert (= (bvmul x y) #x54d1c863effc8f8715f4aa355f57b857))(check-sat)";

/// The result of one examination of a solver.
pub struct Examined {
    /// The part that was examined: `version`, `models`, `limits`.
    pub part: &'static str,
    /// What the solver did, or what is wrong with it.
    pub result: Result<String, String>,
}

/// All installed releases of all solvers.
pub fn installed() -> Vec<Solver> {
    let home = Home::of_environment();
    let of_profile = |profile: &Arc<Profile>| -> Vec<Solver> {
        let releases = home.installed(&profile.name);
        releases.iter().map(|release| Solver::installed(profile, release, &home)).collect()
    };
    Profile::all().iter().flat_map(of_profile).collect()
}

/// Runs a solver and tells of each part whether it works.
pub fn examine(solver: &Solver) -> Result<Vec<Examined>, SolverError> {
    let mut lines = vec![version(solver)];
    let mut runner = Runner::new(Limits::of_time(Duration::from_secs(10)));
    lines.push(answers(solver, &mut runner)?);
    if lines[1].result.is_err() {
        return Ok(lines);
    }
    lines.push(model(solver, &mut runner)?);
    lines.push(core(solver, &mut runner)?);
    lines.push(limits(solver)?);
    lines.push(ways(solver, &mut runner)?);
    Ok(lines)
}

fn version(solver: &Solver) -> Examined {
    let said = solver.version_output().unwrap_or_default();
    let first = said.lines().next().unwrap_or("nothing").to_owned();
    let wrong = match solver.profile.recognise(&said) {
        Some(found) if found == solver.release => None,
        Some(found) => {
            Some(format!("says it is {}: {first}", found.map_or("nothing".to_owned(), |r| r.to_string())))
        }
        None => Some(format!("not recognised: {first}")),
    };
    Examined { part: "version", result: wrong.map_or(Ok(first), Err) }
}

fn answers(solver: &Solver, runner: &mut Runner) -> Result<Examined, SolverError> {
    let mut wrong = None;
    let mut told = String::new();
    for (script, answer) in [(SAT, Answer::Sat), (UNSAT, Answer::Unsat)] {
        let run = runner.ask(solver, Question { script, ask: Outputs::default() }, AskMode::Fresh)?;
        if run.reply.answers() != [answer] {
            let text: String =
                format!("{}{}", run.reply.errors.join(" "), run.reply.stderr).chars().take(200).collect();
            wrong = Some(format!("not {}: {} {}", answer.word(), run.ending, text.trim()));
        }
        told = format!("{told}{} {:.1} ms  ", answer.word(), run.wall.as_secs_f64() * 1e3);
    }
    Ok(Examined { part: "answers", result: wrong.map_or(Ok(told), Err) })
}

fn model(solver: &Solver, runner: &mut Runner) -> Result<Examined, SolverError> {
    let run = runner.ask(
        solver,
        Question { script: SAT, ask: Outputs { model: true, core: false, reason: false } },
        AskMode::Fresh,
    )?;
    let model = run.reply.checks.first().and_then(|c| c.model.clone());
    let right = |m: &String| ["#b0011", "#x3", "(_ bv3 4)"].iter().any(|v| m.contains(v));
    let wrong = match &model {
        Some(m) if right(m) => None,
        Some(m) => Some(format!("not x = 3: {m}")),
        None => Some(format!("none: {}", run.reply.refused.join(" "))),
    };
    let told = model.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Examined { part: "models", result: wrong.map_or(Ok(told), Err) })
}

fn core(solver: &Solver, runner: &mut Runner) -> Result<Examined, SolverError> {
    if solver.profile.ask.core.is_empty() {
        return Ok(Examined { part: "cores", result: Ok("it has none".to_owned()) });
    }
    let run = runner.ask(
        solver,
        Question { script: CORE, ask: Outputs { model: false, core: true, reason: false } },
        AskMode::Fresh,
    )?;
    let core = run.reply.checks.first().and_then(|c| c.core.clone());
    let wrong = match &core {
        Some(names) if names.iter().any(|n| n == "a") => None,
        Some(names) => Some(format!("without `a`: {}", names.join(" "))),
        None => Some(format!("none: {} {}", run.reply.refused.join(" "), run.reply.errors.join(" "))),
    };
    let told = format!("({})", core.unwrap_or_default().join(" "));
    Ok(Examined { part: "cores", result: wrong.map_or(Ok(told), Err) })
}

fn limits(solver: &Solver) -> Result<Examined, SolverError> {
    let wall = Duration::from_millis(500);
    let mut runner = Runner::new(Limits::of_time(wall));
    let start = Instant::now();
    let run = runner.ask(solver, Question { script: HARD, ask: Outputs::default() }, AskMode::Fresh)?;
    let took = start.elapsed();
    let told = format!("{} after {:.0} ms", run.ending, took.as_secs_f64() * 1e3);
    let fine = took < wall * 3 && matches!(run.ending, Ending::Stopped(Bound::Time | Bound::Cpu));
    Ok(Examined { part: "limits", result: if fine { Ok(told) } else { Err(told) } })
}

fn ways(solver: &Solver, runner: &mut Runner) -> Result<Examined, SolverError> {
    let mut told = Vec::new();
    let mut wrong = None;
    for way in AskMode::ALL {
        let mut last = Duration::ZERO;
        let mut used = way;
        for (script, answer) in
            [(SAT, Answer::Sat), (UNSAT, Answer::Unsat), (SAT, Answer::Sat), (UNSAT, Answer::Unsat)]
        {
            let run = runner.ask(solver, Question { script, ask: Outputs::default() }, way)?;
            if run.reply.answers() != [answer] {
                wrong = Some(format!("{}: not {} but {:?}", way.word(), answer.word(), run.reply.answers()));
            }
            last = run.wall;
            used = run.way;
        }
        if used == way {
            told.push(format!("{} {:.1} ms", way.word(), last.as_secs_f64() * 1e3));
        }
    }
    Ok(Examined { part: "ways", result: wrong.map_or(Ok(told.join(", ")), Err) })
}
