//! How a solver is started and asked: its arguments, how it takes a script, and the commands for more than an answer.

use serde::Deserialize;

/// How a solver takes its script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// On standard input, answering command by command.
    #[default]
    Stdin,
    /// As a file named last on the command line, all at once.
    File,
}

/// How to start a solver; `{ms}`, `{s}`, `{mb}` and `{seed}` stand for numbers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Arguments it always needs to read SMT-LIB as we send it.
    pub argv: Vec<String>,
    /// Arguments that make it print its version.
    pub version: Vec<String>,
    /// What its version output looks like; the group `release` is the number.
    pub recognise: String,
    /// How it takes its script.
    #[serde(default)]
    pub input: Input,
    /// Its own limit of time per question.
    #[serde(default)]
    pub time: Vec<String>,
    /// Its own limit of memory.
    #[serde(default)]
    pub memory: Vec<String>,
    /// Its random number.
    #[serde(default)]
    pub seed: Vec<String>,
    /// What it needs before it takes `push`.
    #[serde(default)]
    pub incremental: Vec<String>,
    /// What makes it check its own models and cores.
    #[serde(default)]
    pub self_check: Vec<String>,
    /// What makes its unsatisfiable cores minimal.
    #[serde(default)]
    pub minimal_cores: Vec<String>,
    /// Options that end its work after `{units}` of what it counts itself; none if it counts nothing.
    #[serde(default)]
    pub units: Vec<String>,
    /// Exit statuses that mean a crash.
    #[serde(default)]
    pub crash_status: Vec<i32>,
    /// Whether it goes on after an error, answering a script that is not the one sent.
    #[serde(default)]
    pub goes_on_after_error: bool,
    /// Whether `(reset)` brings a session back to its beginning.
    pub reset: bool,
    /// Whether formulas may be asked between `(push 1)` and `(pop 1)`.
    pub scoped: bool,
}

/// How to ask for more than an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// The command that must come first if a model will be asked for.
    pub model: String,
    /// The command that makes the solver print a model after each `sat` and after no other answer; empty if it has none.
    ///
    /// A warm session then needs no second question for the model.
    #[serde(default)]
    pub model_with_answer: String,
    /// The command that must come first if an unsatisfiable core will be asked for; empty if it has none.
    pub core: String,
    /// The command that says why an answer is unknown, where it is safe to ask.
    #[serde(default)]
    pub reason: String,
    /// The command that gives the questions that follow `{ms}` milliseconds each, also after `(reset)`; empty if it has none.
    ///
    /// Questions with different limits can then share a warm session.
    #[serde(default)]
    pub time: String,
    /// Options of a seed that change nothing in meaning; all others are dropped.
    pub harmless: Vec<String>,
}

/// Fills `{name}` in each argument.
pub fn fill(argv: &[String], values: &[(&str, u64)]) -> Vec<String> {
    let fill_one = |arg: &String| {
        values
            .iter()
            .fold(arg.clone(), |a, (name, value)| a.replace(&format!("{{{name}}}"), &value.to_string()))
    };
    argv.iter().map(fill_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_filled() {
        let argv = vec!["-t:{ms}".to_owned(), "x".to_owned()];
        assert_eq!(fill(&argv, &[("ms", 700)]), ["-t:700", "x"]);
    }
}
