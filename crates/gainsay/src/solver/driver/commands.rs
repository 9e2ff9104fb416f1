//! Commands from standard input, one at a time as they come.

use std::io::{self, Read};

use crate::solver::sexpr::{Extent, extent, skip_blank};

/// Cuts what comes on a stream into commands.
pub struct Commands<R> {
    input: R,
    buffer: Vec<u8>,
    ended: bool,
}

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// A whole command.
    Command(String),
    /// Something that no command starts with, or that does not end.
    Rest(String),
}

impl<R: Read> Commands<R> {
    /// Commands from that stream.
    pub fn new(input: R) -> Commands<R> {
        Commands { input, buffer: Vec::new(), ended: false }
    }

    /// The next command; waits for it to be whole.
    pub fn next_command(&mut self) -> io::Result<Option<Next>> {
        self.next_after(|| Ok(()))
    }

    /// The next command; does something before it waits for more to come.
    pub fn next_after(
        &mut self,
        mut before_waiting: impl FnMut() -> io::Result<()>,
    ) -> io::Result<Option<Next>> {
        loop {
            let start = skip_blank(&self.buffer, 0);
            // A comment that is not yet at its end may go on.
            let open_comment = start == self.buffer.len() && !self.buffer.ends_with(b"\n") && start > 0;
            if !open_comment || self.ended {
                self.buffer.drain(..start);
                if let Some(found) = self.take() {
                    return Ok(Some(found));
                }
            }
            if self.ended {
                let rest = String::from_utf8_lossy(&self.buffer).trim().to_owned();
                self.buffer.clear();
                return Ok((!rest.is_empty()).then_some(Next::Rest(rest)));
            }
            before_waiting()?;
            let mut chunk = [0; 1 << 14];
            let n = self.input.read(&mut chunk)?;
            self.ended = n == 0;
            self.buffer.extend_from_slice(&chunk[..n]);
        }
    }

    fn take(&mut self) -> Option<Next> {
        let first = *self.buffer.first()?;
        match extent(&self.buffer, 0) {
            Extent::Ends(end) if first == b'(' || end < self.buffer.len() => {
                let text = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
                self.buffer.drain(..end.max(1));
                Some(if first == b'(' { Next::Command(text) } else { Next::Rest(text) })
            }
            _ => None,
        }
    }
}

/// The head of a command.
pub fn head(command: &str) -> &str {
    let from = skip_blank(command.as_bytes(), 1);
    let end = |c: char| c.is_whitespace() || c == '(' || c == ')';
    let rest = &command[from.min(command.len())..];
    &rest[..rest.find(end).unwrap_or(rest.len())]
}

/// The text that an `echo` is to print, quotes included.
pub fn echoed(command: &str) -> &str {
    let rest = command.split_once("echo").map_or("", |(_, rest)| rest);
    rest.trim().strip_suffix(')').unwrap_or(rest).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.0.len().min(3);
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn commands_come_whole_however_they_arrive() {
        let text = "; c (\n(assert (= s \")\"))(check-sat)\nfoo (echo \"a b\") (open";
        let mut commands = Commands::new(Slow(text.as_bytes()));
        let mut got = Vec::new();
        while let Some(next) = commands.next_command().expect("reading a slice") {
            got.push(match next {
                Next::Command(c) => c,
                Next::Rest(r) => format!("rest {r}"),
            });
        }
        assert_eq!(got, ["(assert (= s \")\"))", "(check-sat)", "rest foo", "(echo \"a b\")", "rest (open"]);
        assert_eq!(head("( check-sat)"), "check-sat");
        assert_eq!(echoed("(echo \"a b\")"), "\"a b\"");
    }
}
