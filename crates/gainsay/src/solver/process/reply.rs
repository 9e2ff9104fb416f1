//! Replies, parsed: answers in order, models, cores, errors; what is none of these is noise.

use crate::case::Answer;
use smt::command::{CommandRow, Prints};
use smt::sexpr::{Extent, extent, parts};

/// The reply to one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The answer.
    pub answer: Answer,
    /// Why it is unknown, if the solver says so with the answer.
    pub reason: Option<String>,
    /// Whether an error came before: then this is no answer to the script that was sent.
    pub void: bool,
    /// The model, as printed.
    pub model: Option<String>,
    /// The names in the unsatisfiable core.
    pub core: Option<Vec<String>>,
}

/// What a solver printed in reply to a command of the script that asks for output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The number of the command among those of the script, as it was written, that ask for output.
    pub number: usize,
    /// The number of the last check before it; none if there was none.
    pub check: Option<usize>,
    /// Whether the script had an error before it. Then the names in it may mean something else to the solver, or nothing.
    pub void: bool,
    /// What it printed.
    pub said: Said,
}

/// What came of a command that asks for output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// This text.
    Text(String),
    /// This error.
    Error(String),
    /// That it does not do this.
    Unsupported,
}

impl Output {
    /// The text that was printed; none if there was an error.
    pub fn text(&self) -> Option<&str> {
        match &self.said {
            Said::Text(text) => Some(text),
            Said::Error(_) | Said::Unsupported => None,
        }
    }
}

/// All that a solver replied to one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// One entry for each `check-sat` that was answered, in order.
    pub checks: Vec<Check>,
    /// What the script's own commands printed that ask for output, in order. A command that was not sent has no entry.
    pub outputs: Vec<Output>,
    /// Whether the script calls for no answer.
    pub unasked: bool,
    /// The texts of errors in the script.
    pub errors: Vec<String>,
    /// The texts of errors in what we asked besides: no model, no core.
    pub refused: Vec<String>,
    /// How often it said `unsupported`.
    pub unsupported: u32,
    /// Other well-formed output: values, information.
    pub other: Vec<String>,
    /// Lines of standard output that belong to nothing above.
    pub noise: String,
    /// Standard error.
    pub stderr: String,
    /// Both as bytes, our own marks left out: what a finding keeps of a fresh run.
    pub raw: Raw,
}

/// What a solver wrote, byte for byte. Empty for warm runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

/// To which of our questions a stretch of output belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A piece of the script.
    Script,
    /// A piece of the script in a session that prints a model after each `sat`.
    ScriptWithModels,
    /// The request for a model.
    Model,
    /// The request for a core.
    Core,
    /// The question why an answer is unknown.
    Reason,
}

enum Item<'a> {
    Answer(Answer, Option<&'a str>),
    Error(String),
    List(&'a str),
    Unsupported,
    Success,
    Line(&'a str),
}

impl Reply {
    /// The answers that are answers: none after an error.
    pub fn answers(&self) -> Vec<Answer> {
        self.checks.iter().filter(|c| !c.void).map(|c| c.answer).collect()
    }

    /// What the last of the script's commands printed that ask for output.
    pub fn last_output(&self) -> Option<&str> {
        self.outputs.last().and_then(Output::text)
    }

    /// Takes in a stretch of standard output.
    pub fn take(&mut self, text: &str, part: Part) {
        let mut at = 0;
        let mut model_follows = false;
        while let Some((item, end)) = next_item(text, at) {
            at = end;
            match item {
                Item::Answer(answer, reason) => {
                    self.checks.push(Check {
                        answer,
                        reason: reason.map(str::to_owned),
                        void: !self.errors.is_empty(),
                        model: None,
                        core: None,
                    });
                    model_follows = part == Part::ScriptWithModels && answer == Answer::Sat;
                }
                Item::Error(text) if matches!(part, Part::Script | Part::ScriptWithModels) => {
                    self.errors.push(text);
                }
                Item::Error(text) => self.refused.push(text),
                Item::List(list) if std::mem::take(&mut model_follows) => self.take_list(list, Part::Model),
                Item::List(list) => self.take_list(list, part),
                Item::Unsupported => self.unsupported += 1,
                Item::Success => {}
                Item::Line(line) => {
                    self.noise.push_str(line);
                    self.noise.push('\n');
                }
            }
        }
    }

    /// Takes in what a command of the script printed. Nothing in it is an answer, whatever it looks like.
    pub fn take_output(&mut self, text: &str, number: usize, row: &CommandRow) {
        let check = self.checks.len().checked_sub(1);
        let text = text.trim();
        let said = match next_item(text, 0) {
            Some((Item::Error(error), _)) if row.prints != Prints::Echo => {
                self.refused.push(error.clone());
                Said::Error(error)
            }
            Some((Item::Unsupported, _)) if row.prints != Prints::Echo => {
                self.unsupported += 1;
                Said::Unsupported
            }
            _ => Said::Text(text.to_owned()),
        };
        if let (Said::Text(text), Prints::Model, Some(last)) = (&said, row.prints, self.checks.last_mut()) {
            last.model.get_or_insert_with(|| text.clone());
        }
        let void = !self.errors.is_empty();
        self.outputs.push(Output { number, check, void, said });
    }

    fn take_list(&mut self, list: &str, part: Part) {
        let last = self.checks.last_mut();
        match (part, last) {
            (Part::Model, Some(check)) if check.model.is_none() => check.model = Some(list.to_owned()),
            (Part::Core, Some(check)) if check.core.is_none() => {
                check.core = Some(parts(list).into_iter().map(str::to_owned).collect());
            }
            (Part::Reason, Some(check)) if check.reason.is_none() => {
                check.reason = parts(list).get(1).map(|r| r.trim_matches('"').to_owned());
            }
            (Part::Script | Part::ScriptWithModels, Some(check))
                if check.model.is_none() && is_model(list) =>
            {
                check.model = Some(list.to_owned());
            }
            _ => self.other.push(list.to_owned()),
        }
    }
}

/// Whether a list in the output is the reply to a `get-model` of the script itself.
fn is_model(list: &str) -> bool {
    let parts = parts(list);
    let defines = |p: &&str| p.starts_with("(define-fun") || p.starts_with("(define-const");
    parts.first() == Some(&"model") || (!parts.is_empty() && parts.iter().any(defines))
}

fn next_item(text: &str, from: usize) -> Option<(Item<'_>, usize)> {
    let bytes = text.as_bytes();
    let start = from + bytes.get(from..)?.iter().position(|b| !b.is_ascii_whitespace())?;
    let line_end = bytes[start..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| start + n);
    if bytes[start] == b'(' {
        if let Some(found) = error_at(text, start) {
            return Some(found);
        }
        if let Extent::Ends(end) = extent(bytes, start) {
            return Some((Item::List(&text[start..end]), end));
        }
    }
    let line = text[start..line_end].trim_end();
    let item = match line {
        "sat" => Item::Answer(Answer::Sat, None),
        "unsat" => Item::Answer(Answer::Unsat, None),
        "unknown" => Item::Answer(Answer::Unknown, None),
        "success" => Item::Success,
        "unsupported" => Item::Unsupported,
        _ => match line.strip_prefix("unknown (").and_then(|r| r.strip_suffix(')')) {
            Some(reason) => Item::Answer(Answer::Unknown, Some(reason)),
            None => Item::Line(line),
        },
    };
    Some((item, line_end))
}

/// An `(error "…")`. Solvers do not always double the quotes in its text, so it may also end at the end of a line.
fn error_at(text: &str, start: usize) -> Option<(Item<'_>, usize)> {
    let rest = text[start..].strip_prefix("(error")?.trim_start();
    let body = text.len() - rest.len();
    let plain = |end: usize| text[end..].lines().next().is_none_or(|l| l.trim().is_empty());
    if let Extent::Ends(end) = extent(text.as_bytes(), start)
        && plain(end)
    {
        let inner = text[body..end - 1].trim();
        let inner = inner.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(inner);
        return Some((Item::Error(inner.replace("\"\"", "\"").trim().to_owned()), end));
    }
    let close =
        rest.find("\")\n").map(|n| body + n).or_else(|| rest.ends_with("\")").then(|| text.len() - 2))?;
    let inner = text[body..close].trim_start_matches('"');
    Some((Item::Error(inner.trim().to_owned()), close + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> Reply {
        let mut r = Reply::default();
        r.take(text, Part::Script);
        r
    }

    #[test]
    fn answers_come_in_order() {
        let r = reply("success\nsat\n(\n (define-fun x () Int 1)\n)\nunsat\r\nunknown (TIMEOUT)\n");
        assert_eq!(r.answers(), [Answer::Sat, Answer::Unsat, Answer::Unknown]);
        assert_eq!(r.checks[0].model.as_deref(), Some("(\n (define-fun x () Int 1)\n)"));
        assert_eq!(r.checks[2].reason.as_deref(), Some("TIMEOUT"));
        assert_eq!(r.noise, "");
    }

    #[test]
    fn an_answer_after_an_error_is_none() {
        let r = reply("sat\n(error \"line 3: unknown constant x\")\nunsat\n");
        assert_eq!(r.answers(), [Answer::Sat]);
        assert!(r.checks[1].void);
        assert_eq!(r.errors, ["line 3: unknown constant x"]);
    }

    #[test]
    fn errors_may_hold_bare_quotes_and_lines() {
        let r =
            reply("(error \"Parse Error: <stdin>:3: foo\n\n  ...(assert foo)(echo \"t\")\n   ^\n\")\nsat\n");
        assert_eq!(r.errors.len(), 1);
        assert!(r.errors[0].starts_with("Parse Error"), "{:?}", r.errors);
        assert!(r.errors[0].ends_with('^'));
        assert_eq!(r.checks.len(), 1);
        assert!(r.checks[0].void);
    }

    #[test]
    fn words_inside_other_output_are_not_answers() {
        let r = reply("exclude sat\n(model (define-fun sat () Bool true))\n\"unsat\"\nunsatisfiable\n");
        assert!(r.checks.is_empty());
        assert_eq!(r.noise, "exclude sat\n\"unsat\"\nunsatisfiable\n");
        assert_eq!(r.other.len(), 1);
    }

    #[test]
    fn what_a_command_prints_is_no_answer() {
        let mut r = reply("sat\n");
        for (text, word, said) in [
            ("sat\n", "echo", Said::Text("sat".to_owned())),
            ("(error \"echoed\")\n", "echo", Said::Text("(error \"echoed\")".to_owned())),
            ("unsat\n", "eval", Said::Text("unsat".to_owned())),
            ("((x 1)\n (y 2))\n", "get-value", Said::Text("((x 1)\n (y 2))".to_owned())),
            ("(error \"line 3: no model\")\n", "get-value", Said::Error("line 3: no model".to_owned())),
            ("unsupported\n", "get-info", Said::Unsupported),
        ] {
            let row = smt::command::command(word).expect(word);
            r.take_output(text, 7, row);
            let output = Output { number: 7, check: Some(0), void: false, said };
            assert_eq!(r.outputs.pop(), Some(output), "{word} {text}");
        }
        assert_eq!((r.checks.len(), r.errors.len()), (1, 0));
        assert_eq!(r.refused, ["line 3: no model"]);
        let row = smt::command::command("get-model").expect("it is there");
        r.take_output("((define-fun x () Int 1))\n", 8, row);
        assert_eq!(r.checks[0].model.as_deref(), Some("((define-fun x () Int 1))"));
    }

    #[test]
    fn half_an_answer_is_noise() {
        let r = reply("sat\n((define-fun x () Int");
        assert_eq!(r.answers(), [Answer::Sat]);
        assert_eq!(r.checks[0].model, None);
        assert_eq!(r.noise, "((define-fun x () Int\n");
        assert_eq!(reply("unsa").noise, "unsa\n");
    }

    #[test]
    fn a_model_may_come_with_its_answer() {
        let mut r = Reply::default();
        r.take("((x 1))\nsat\n()\n((y 2))\nunsat\n((z 3))\n", Part::ScriptWithModels);
        assert_eq!(r.checks[0].model.as_deref(), Some("()"));
        assert_eq!(r.checks[1].model, None);
        assert_eq!(r.other, ["((x 1))", "((y 2))", "((z 3))"]);
    }

    #[test]
    fn cores_and_refusals_belong_to_their_question() {
        let mut r = reply("unsat\n");
        r.take("(a |b c|)\n", Part::Core);
        r.take("(error \"no model\")\n", Part::Model);
        assert_eq!(r.checks[0].core.as_deref(), Some(&["a".to_owned(), "|b c|".to_owned()][..]));
        assert_eq!(r.refused, ["no model"]);
        r.take("unknown\n", Part::Script);
        r.take("(:reason-unknown \"canceled\")\n", Part::Reason);
        assert_eq!(r.checks[1].reason.as_deref(), Some("canceled"));
        assert!(r.errors.is_empty());
    }
}
