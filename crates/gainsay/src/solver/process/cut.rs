//! A script cut where it is answered, with the commands that one solver reads, and what a session must know of it.

use std::borrow::Cow;

use smt::command::{After, CommandRow, Effect, Form, command};
use smt::sexpr::{Command, commands, parts};

use crate::solver::profile::Input;
use crate::solver::runnable::Solver;

/// A script cut into the commands that a solver reads, up to its `exit`.
#[derive(Debug)]
pub struct CutScript<'a> {
    script: &'a str,
    commands: Vec<Kept<'a>>,
    /// Whether a command was left out or written otherwise.
    changed: bool,
    /// How many commands at the beginning set options, the logic or information.
    header: usize,
    /// How many commands call for an answer, those after `exit` included.
    pub checks: usize,
}

/// A command that is sent.
#[derive(Debug)]
struct Kept<'a> {
    /// If it asks for output, its number among the commands of the script that do.
    number: usize,
    command: Command<'a>,
    row: Option<&'static CommandRow>,
    /// What is sent in its place.
    instead: Option<&'static str>,
}

impl<'a> Kept<'a> {
    fn text(&self) -> &'a str {
        self.instead.unwrap_or(self.command.text)
    }

    fn is_check(&self) -> bool {
        self.row.is_some_and(CommandRow::is_check)
    }

    fn has(&self, forms: &[Form]) -> bool {
        self.row.is_some_and(|row| forms.contains(&row.form))
    }

    /// What it sets `:incremental` to, if it does.
    fn incremental_option(&self) -> Option<&'a str> {
        let words = if self.has(&[Form::SetOption]) { parts(self.text()) } else { Vec::new() };
        (words.get(1) == Some(&":incremental")).then(|| words.get(2).copied().unwrap_or_default())
    }

    /// Whether after it only one question may be asked.
    fn forbids_sessions(&self) -> bool {
        self.incremental_option() == Some("false")
    }
}

/// A part of a script that is sent at once, and what it is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Its text.
    pub text: Cow<'a, str>,
    /// What it is answered with.
    pub kind: PieceKind,
}

/// What a piece of a script is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// It ends with a check.
    Check,
    /// It is one command that asks for output.
    Output {
        /// Its number among the commands of the script, as it was written, that ask for output.
        number: usize,
        /// The command.
        row: &'static CommandRow,
        /// The answer that the last check must have had.
        after: After,
    },
    /// Nothing.
    Rest,
}

/// What is sent to a solver of a command.
enum Sent {
    AsWritten,
    Instead(&'static str),
    Nothing,
}

/// What is sent to a solver of a command. What it does not read is left out, unless the script would mean something else without.
fn sent(solver: &Solver, row: &CommandRow, command: &Command<'_>) -> Sent {
    if row.form == Form::SetOption {
        let words = parts(command.text);
        let (key, value) =
            (words.get(1).copied().unwrap_or_default(), words.get(2).copied().unwrap_or_default());
        return if solver.takes_option(key, value) { Sent::AsWritten } else { Sent::Nothing };
    }
    // What a file answers cannot be told apart.
    if row.is_output() && solver.input() == Input::File {
        return Sent::Nothing;
    }
    // Its own options have tactics and simplifiers: whoever chose them knows that it reads them.
    if matches!(row.form, Form::CheckSatUsing | Form::SetSimplifier) && solver.has_text_settings() {
        return Sent::AsWritten;
    }
    let keeps_meaning = !matches!(row.effect, Effect::Declares | Effect::Asserts);
    match row.readers {
        None => Sent::AsWritten,
        Some(_) if solver.reads_command(row) => Sent::AsWritten,
        // A tactic is only a way to the answer.
        Some(_) if row.form == Form::CheckSatUsing => Sent::Instead("(check-sat)"),
        Some(_) if keeps_meaning => Sent::Nothing,
        Some(_) => Sent::AsWritten,
    }
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

/// Whether these commands need the solver's incremental mode.
fn is_incremental(commands: &[Kept<'_>]) -> bool {
    let needs = [Form::Push, Form::Pop, Form::CheckSatAssuming];
    commands.iter().any(|c| c.has(&needs)) || commands.iter().filter(|c| c.is_check()).count() > 1
}

impl<'a> CutScript<'a> {
    /// Cuts a script as a solver reads it; `None` if its parentheses do not close.
    pub fn new(script: &'a str, solver: &Solver) -> Option<CutScript<'a>> {
        let mut row: Option<&'static CommandRow> = None;
        let (mut kept, mut changed, mut ended, mut checks, mut number) = (Vec::new(), false, false, 0, 0);
        for one in commands(script)? {
            // Most commands follow one of the same word.
            if row.is_none_or(|row| row.word != one.head) {
                row = command(one.head);
            }
            checks += usize::from(row.is_some_and(CommandRow::is_check));
            ended |= row.is_some_and(|row| row.form == Form::Exit);
            if ended {
                continue;
            }
            let asked_before = number;
            number += usize::from(row.is_some_and(CommandRow::is_output));
            let mut instead = None;
            match row.map_or(Sent::AsWritten, |row| sent(solver, row, &one)) {
                Sent::AsWritten => {}
                Sent::Instead(text) => (instead, changed) = (Some(text), true),
                Sent::Nothing => {
                    changed = true;
                    continue;
                }
            }
            kept.push(Kept { number: asked_before, command: one, row, instead });
        }
        // One that may be asked only once refuses the rest of a session.
        if is_incremental(&kept) {
            let before = kept.len();
            kept.retain(|c| !c.forbids_sessions());
            changed |= kept.len() < before;
        }
        let sets = [Form::SetOption, Form::SetLogic, Form::SetInfo];
        let header = kept.iter().take_while(|c: &&Kept<'_>| c.has(&sets)).count();
        Some(CutScript { script, commands: kept, changed, header, checks })
    }

    /// The parts of the script. Each ends with a check or is a command that asks for output, but for those between.
    pub fn pieces(&self) -> Vec<Piece<'a>> {
        self.cut(0)
    }

    /// The same for what follows the header.
    pub fn body_pieces(&self) -> Vec<Piece<'a>> {
        self.cut(self.header)
    }

    fn cut(&self, first: usize) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut from = first;
        for (i, c) in self.commands.iter().enumerate().skip(first) {
            if c.is_check() {
                pieces.push(Piece { text: self.text(from, i + 1), kind: PieceKind::Check });
                from = i + 1;
            } else if let Some(row) = c.row.filter(|row| row.is_output()) {
                if from < i {
                    pieces.push(Piece { text: self.text(from, i), kind: PieceKind::Rest });
                }
                let argument = parts(c.text()).get(1).copied().unwrap_or_default();
                let kind = PieceKind::Output { number: c.number, row, after: row.after(argument) };
                pieces.push(Piece { text: Cow::Borrowed(c.text()), kind });
                from = i + 1;
            }
        }
        if from < self.commands.len() {
            pieces.push(Piece { text: self.text(from, self.commands.len()), kind: PieceKind::Rest });
        }
        pieces
    }

    /// The text of some commands: as it is written, with what is before them, if nothing was changed.
    fn text(&self, from: usize, to: usize) -> Cow<'a, str> {
        if self.changed {
            return Cow::Owned(self.commands[from..to].iter().map(Kept::text).collect::<Vec<_>>().join("\n"));
        }
        let start = from.checked_sub(1).map_or(0, |before| self.commands[before].command.end);
        let end = self.commands[..to].last().map_or(start, |last| last.command.end);
        Cow::Borrowed(&self.script[start..end])
    }

    /// Whether it needs the solver's incremental mode.
    pub fn is_incremental(&self) -> bool {
        is_incremental(&self.commands)
    }

    /// Whether it may be asked between `push` and `pop`, after its header.
    pub fn is_scopable(&self) -> bool {
        let forms = [
            Form::SetOption,
            Form::SetLogic,
            Form::SetSimplifier,
            Form::Push,
            Form::Pop,
            Form::Reset,
            Form::ResetAssertions,
        ];
        let unscopable = |c: &Kept<'_>| c.has(&forms) || c.command.head.is_empty();
        !self.commands[self.header..].iter().any(unscopable)
            && !self.commands.iter().any(|c| c.incremental_option().is_some())
    }

    /// The options and the logic that come before all else.
    pub fn header(&self) -> String {
        self.commands[..self.header].iter().filter(|c| !c.has(&[Form::SetInfo])).map(Kept::text).collect()
    }

    /// The options it sets, wherever it does.
    pub fn options(&self) -> String {
        self.commands.iter().filter(|c| c.has(&[Form::SetOption])).map(Kept::text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(script: &str) -> CutScript<'_> {
        CutScript::new(script, &Solver::fake("honest")).expect("whole")
    }

    fn texts<'a>(pieces: &'a [Piece<'_>]) -> Vec<&'a str> {
        pieces.iter().map(|piece| piece.text.trim()).collect()
    }

    #[test]
    fn scripts_are_cut_where_they_are_answered() {
        let script = "(set-info :source |x|)(set-option :a 1)(set-logic QF_LIA)(check-sat)(get-model)(push 1)(echo \"sat\")(check-sat)(exit)(foo)";
        let cut = cut(script);
        assert_eq!(
            texts(&cut.body_pieces()),
            ["(check-sat)", "(get-model)", "(push 1)", "(echo \"sat\")", "(check-sat)"]
        );
        let numbers: Vec<_> = cut
            .pieces()
            .iter()
            .filter_map(|piece| match piece.kind {
                PieceKind::Output { number, row, .. } => Some((number, row.word)),
                _ => None,
            })
            .collect();
        assert_eq!(numbers, [(0, "get-model"), (1, "echo")]);
        assert_eq!(cut.header(), "(set-option :a 1)(set-logic QF_LIA)");
        assert_eq!(cut.options(), "(set-option :a 1)");
        assert!(cut.is_incremental() && !cut.is_scopable());
    }

    #[test]
    fn not_every_script_may_be_scoped() {
        for script in [
            "(set-logic ALL)(push 1)(check-sat)(pop 1)",
            "(check-sat)(set-option :x 1)(check-sat)",
            "(check-sat)(reset)(check-sat)",
            "(set-simplifier simplify)(check-sat)",
        ] {
            assert!(!cut(script).is_scopable(), "{script}");
        }
        let cvc5 = Solver::fake_as("cvc5", "honest").expect("it has a profile");
        let incremental = CutScript::new("(set-option :incremental true)(check-sat)", &cvc5).expect("whole");
        assert!(!incremental.is_scopable());
        // Separation logic needs it.
        let text = "(set-option :incremental false)(assert true)(check-sat)";
        let once = CutScript::new(text, &cvc5).expect("whole");
        assert_eq!(texts(&once.pieces()), [text]);
        assert!(!once.is_scopable() && !once.is_incremental());
        let session = format!("{text}(check-sat)");
        let session = CutScript::new(&session, &cvc5).expect("whole");
        assert!(session.is_incremental() && !session.options().contains("incremental"));
        assert!(cut("(set-option :a 1)(check-sat)(get-model)").is_scopable());
        assert!(CutScript::new("(check-sat", &Solver::fake("honest")).is_none());
    }

    #[test]
    fn each_solver_is_sent_what_it_reads() {
        let script = "(set-option :smt.random_seed 3)(set-option :seed 4)(set-option :unheard-of 5)(set-simplifier simplify)
            (declare-const x Int)(assert (= x 1))(check-sat-using smt)(eval x)(simplify x)(get-value (x))(get-assignment)";
        let rows = [
            (
                "z3",
                "(set-option :smt.random_seed 3) (set-option :unheard-of 5) (set-simplifier simplify) (declare-const x Int) (assert (= x 1)) (check-sat-using smt) (eval x) (simplify x) (get-value (x)) (get-assignment)",
            ),
            (
                "cvc5",
                "(set-option :seed 4) (set-option :unheard-of 5) (declare-const x Int) (assert (= x 1)) (check-sat) (simplify x) (get-value (x)) (get-assignment)",
            ),
            (
                "bitwuzla",
                "(set-option :seed 4) (set-option :unheard-of 5) (declare-const x Int) (assert (= x 1)) (check-sat) (get-value (x))",
            ),
            (
                "any",
                "(set-option :unheard-of 5) (declare-const x Int) (assert (= x 1)) (check-sat) (get-value (x))",
            ),
            // It takes a file.
            ("oxiz", "(set-option :unheard-of 5) (declare-const x Int) (assert (= x 1)) (check-sat)"),
        ];
        for (profile, expected) in rows {
            let solver = Solver::fake_as(profile, "honest").expect(profile);
            let cut = CutScript::new(script, &solver).expect("whole");
            let pieces = cut.pieces();
            let text = texts(&pieces).join(" ").replace('\n', " ");
            assert_eq!(text, expected, "{profile}");
            let last = pieces.iter().rev().find_map(|piece| match piece.kind {
                PieceKind::Output { number, row, .. } => Some((number, row.word)),
                _ => None,
            });
            let asking = ["eval", "simplify", "get-value", "get-assignment"];
            let is_there = |(number, word): (usize, &str)| asking[number] == word;
            assert!(last.is_none_or(is_there), "{profile}: {last:?}");
        }
    }

    #[test]
    fn the_status_is_blanked_out() {
        let script = "(set-info :status sat)\n(set-info :name |:status|)(check-sat)";
        let blank = " ".repeat(22);
        assert_eq!(without_status(script), Some(format!("{blank}\n(set-info :name |:status|)(check-sat)")));
        assert_eq!(without_status("(check-sat)"), None);
    }
}
