//! Faults of sessions: what the honest solver forgets to remove, or removes too much of, if its plan says so.

use smt::read;
use smt::sexpr::{head, parts};

use super::honest::Honest;
use super::plan::Fault;

impl Honest {
    pub(super) fn makes(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// The number of the last assertion of the text that begins at a place or after it.
    fn last_number(&self, from: usize) -> Option<usize> {
        let is_it = |&i: &usize| self.starts[i] >= from && head(self.command(i)) == "assert";
        (0..self.starts.len()).rev().find(is_it)
    }

    /// The text of a command, with the blanks after it.
    fn command(&self, number: usize) -> &str {
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        &self.text[self.starts[number]..end]
    }

    /// The last assertion of the text from a place on.
    pub(super) fn last_assertion(&self, from: usize) -> Option<String> {
        Some(self.command(self.last_number(from)?).trim().to_owned())
    }

    /// Adds a command that should not be there, if it can be read there.
    pub(super) fn keep(&mut self, command: &str) {
        if read(format!("{}{command}\n", self.text).as_bytes()).is_ok() {
            self.add(command);
        }
    }

    /// Removes the last assertion, though it should stay.
    pub(super) fn lose(&mut self) {
        if let Some(number) = self.last_number(0) {
            let end = self.text.len();
            self.drop_command(number, end);
            self.settled = self.settled.min(self.text.len());
        }
    }

    /// Keeps the first assumption of a check.
    pub(super) fn keep_assumption(&mut self, check: &str) {
        let assumed = parts(check).get(1).copied().unwrap_or_default();
        if let Some(first) = parts(assumed).first() {
            let command = format!("(assert {first})");
            self.keep(&command);
        }
    }
}
