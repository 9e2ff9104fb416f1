//! Commands from standard input, one at a time as they come.

use std::io::{self, Read};

use smt::sexpr::Growing;

/// Cuts what comes on a stream into commands.
pub struct Commands<R> {
    input: R,
    buffer: Vec<u8>,
    /// How far the buffer was looked at.
    growing: Growing,
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
        Commands { input, buffer: Vec::new(), growing: Growing::default(), ended: false }
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
            if let Some(found) = self.growing.next(&self.buffer, false) {
                let is_command = self.buffer[found.start] == b'(';
                let text = String::from_utf8_lossy(&self.buffer[found.clone()]).into_owned();
                self.buffer.drain(..found.end);
                self.growing.forget(found.end);
                return Ok(Some(if is_command { Next::Command(text) } else { Next::Rest(text) }));
            }
            if self.ended {
                let start = smt::sexpr::skip_blank(&self.buffer, 0);
                let rest = String::from_utf8_lossy(&self.buffer[start..]).trim().to_owned();
                self.buffer.clear();
                self.growing = Growing::default();
                return Ok((!rest.is_empty()).then_some(Next::Rest(rest)));
            }
            before_waiting()?;
            let mut chunk = [0; 1 << 14];
            let n = self.input.read(&mut chunk)?;
            self.ended = n == 0;
            self.buffer.extend_from_slice(&chunk[..n]);
        }
    }
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
        assert_eq!(echoed("(echo \"a b\")"), "\"a b\"");
    }
}
