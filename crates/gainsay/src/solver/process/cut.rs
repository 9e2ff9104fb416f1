//! A script cut where it is answered, and what a session must know of it.

use smt::sexpr::{Command, commands, parts};

/// A script cut into its commands, up to its `exit`.
#[derive(Debug)]
pub struct CutScript<'a> {
    script: &'a str,
    commands: Vec<Command<'a>>,
    /// How many commands at the beginning set options, the logic or information.
    header: usize,
    /// How many commands call for an answer, those after `exit` included.
    pub checks: usize,
}

/// Whether a command is answered with sat, unsat or unknown.
fn is_check(c: &Command<'_>) -> bool {
    c.head.starts_with("check-sat") || c.head.starts_with("get-timeout-core")
}

/// The script without its `(set-info :status …)`: some solvers compare their answer with it and call a difference
/// an error, even with the status of an earlier script. Blanks keep everything else in its place.
pub fn without_status(script: &str) -> Option<String> {
    memchr::memmem::find(script.as_bytes(), b":status")?;
    let mut text = script.to_owned();
    for c in
        commands(script)?.iter().filter(|c| c.head == "set-info" && parts(c.text).get(1) == Some(&":status"))
    {
        text.replace_range(c.start..c.end, &" ".repeat(c.end - c.start));
    }
    Some(text)
}

impl<'a> CutScript<'a> {
    /// Cuts a script; `None` if its parentheses do not close.
    pub fn new(script: &'a str) -> Option<CutScript<'a>> {
        let mut commands = commands(script)?;
        let checks = commands.iter().filter(|c| is_check(c)).count();
        if let Some(exit) = commands.iter().position(|c| c.head == "exit") {
            commands.truncate(exit);
        }
        let header =
            commands.iter().take_while(|c| matches!(c.head, "set-option" | "set-logic" | "set-info")).count();
        Some(CutScript { script, commands, header, checks })
    }

    /// The parts of the script, each ending with a `check-sat` but for the last.
    pub fn pieces(&self) -> Vec<&'a str> {
        self.cut(0, 0)
    }

    /// The same for what follows the header.
    pub fn body_pieces(&self) -> Vec<&'a str> {
        let from = self.header.checked_sub(1).map_or(0, |last| self.commands[last].end);
        self.cut(self.header, from)
    }

    fn cut(&self, first: usize, mut from: usize) -> Vec<&'a str> {
        let end = self.commands.last().map_or(0, |c| c.end);
        let mut pieces = Vec::new();
        for c in self.commands[first..].iter().filter(|c| is_check(c)) {
            pieces.push(&self.script[from..c.end]);
            from = c.end;
        }
        if !self.script[from..end].trim().is_empty() {
            pieces.push(&self.script[from..end]);
        }
        pieces
    }

    /// Whether it needs the solver's incremental mode.
    pub fn is_incremental(&self) -> bool {
        let needs = |c: &Command<'_>| matches!(c.head, "push" | "pop" | "check-sat-assuming");
        self.commands.iter().any(needs) || self.commands.iter().filter(|c| is_check(c)).count() > 1
    }

    /// Whether it may be asked between `push` and `pop`, after its header.
    pub fn is_scopable(&self) -> bool {
        let unscopable = |c: &Command<'_>| {
            matches!(c.head, "set-option" | "set-logic" | "push" | "pop" | "reset" | "reset-assertions" | "")
        };
        let incremental_set = |c: &Command<'_>| c.head == "set-option" && c.text.contains(":incremental");
        !self.commands[self.header..].iter().any(unscopable) && !self.commands.iter().any(incremental_set)
    }

    /// The options and the logic that come before all else.
    pub fn header(&self) -> String {
        self.commands[..self.header].iter().filter(|c| c.head != "set-info").map(|c| c.text).collect()
    }

    /// The options it sets, wherever it does.
    pub fn options(&self) -> String {
        self.commands.iter().filter(|c| c.head == "set-option").map(|c| c.text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_cut_where_they_are_answered() {
        let script = "(set-info :source |x|)(set-option :a 1)(set-logic QF_LIA)(check-sat)(get-model)(check-sat)(exit)(foo)";
        let cut = CutScript::new(script).expect("whole");
        assert_eq!(cut.pieces().len(), 2);
        assert!(cut.pieces()[1].ends_with("(get-model)(check-sat)"));
        assert_eq!(cut.header(), "(set-option :a 1)(set-logic QF_LIA)");
        assert_eq!(cut.options(), "(set-option :a 1)");
        assert!(cut.is_scopable());
        assert_eq!(cut.body_pieces(), ["(check-sat)", "(get-model)(check-sat)"]);
        assert!(cut.is_incremental());
    }

    #[test]
    fn not_every_script_may_be_scoped() {
        for script in [
            "(set-logic ALL)(push 1)(check-sat)(pop 1)",
            "(check-sat)(set-option :x 1)(check-sat)",
            "(check-sat)(reset)(check-sat)",
            "(set-option :incremental false)(check-sat)",
        ] {
            assert!(!CutScript::new(script).expect("whole").is_scopable(), "{script}");
        }
        assert!(CutScript::new("(check-sat").is_none());
    }

    #[test]
    fn the_status_is_blanked_out() {
        let script = "(set-info :status sat)\n(set-info :name |:status|)(check-sat)";
        let blank = " ".repeat(22);
        assert_eq!(without_status(script), Some(format!("{blank}\n(set-info :name |:status|)(check-sat)")));
        assert_eq!(without_status("(check-sat)"), None);
    }
}
