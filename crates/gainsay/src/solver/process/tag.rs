//! Tags: what a solver is asked to print, so that we know where the output of a part of a question ends.

use std::fmt::Write as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::pipes::SolverProcess;

static NEXT_EXCHANGE: AtomicU64 = AtomicU64::new(0);
static PROCESS: LazyLock<u32> = LazyLock::new(std::process::id);

/// What the solver is asked to print after a part of a question, so that we know where the output of that part ends.
///
/// No other question has the same tags, and each part has its own.
#[derive(Clone)]
pub struct Tag {
    text: String,
    /// How long the text is without the number of the part.
    stem: usize,
    number: u32,
    /// How much of the output is known not to begin it.
    searched: usize,
}

impl Tag {
    /// The first tag of a question.
    pub fn new() -> Tag {
        let question = NEXT_EXCHANGE.fetch_add(1, Ordering::Relaxed);
        let mut text = String::with_capacity(40);
        write!(text, "gainsay.{}.{question}.", *PROCESS).expect("a string takes all");
        let stem = text.len();
        text.push_str("0.");
        Tag { text, stem, number: 0, searched: 0 }
    }

    /// Goes on to the tag of the next part.
    pub fn advance(&mut self) {
        self.number += 1;
        self.text.truncate(self.stem);
        write!(self.text, "{}.", self.number).expect("a string takes all");
    }

    /// The command that prints it, in parts.
    pub fn echo(&self) -> [&str; 3] {
        ["(echo \"", &self.text, "\")\n"]
    }

    /// Sends the command that prints it.
    pub fn write_echo(&self, process: &mut SolverProcess) {
        for part in self.echo() {
            process.write(part);
        }
    }

    /// The length of the output before the tag, and where the tag ends, once it is there on a line of its own. `ended` says
    /// whether no more output comes.
    pub fn find(&mut self, out: &[u8], ended: bool) -> Option<(usize, usize)> {
        let mut from = self.searched.min(out.len());
        loop {
            let Some(found) = memchr::memmem::find(&out[from..], self.text.as_bytes()) else {
                self.searched = out.len().saturating_sub(self.text.len());
                return None;
            };
            let at = from + found;
            let quoted = at > 0 && out[at - 1] == b'"';
            let start = at - usize::from(quoted);
            let end = at + self.text.len() + usize::from(quoted);
            let closes = match out.get(end) {
                None => ended,
                Some(b) => *b == b'\n' || *b == b'\r',
            };
            if (start == 0 || out[start - 1] == b'\n') && closes {
                self.searched = 0;
                return Some((start, end));
            }
            if end >= out.len() {
                // The end of its line has not come yet.
                self.searched = start;
                return None;
            }
            from = at + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_on_a_line_of_its_own() {
        let mut tag = Tag::new();
        let word = tag.text.clone();
        let mut find = |out: String, ended: bool| tag.find(out.as_bytes(), ended);
        // It comes in two parts; the output is searched on from where its beginning may be.
        assert_eq!(find(format!("sat\n{}", &word[..5]), false), None);
        assert_eq!(find(format!("sat\n{word}"), false), None, "the end of the line has not come");
        assert_eq!(find(format!("sat\n{word}\n"), false), Some((4, 4 + word.len())));
        assert_eq!(find(format!("sat\n\"{word}\"\nunsat"), false), Some((4, 6 + word.len())));
        assert_eq!(find(format!("sat\n{word}"), true), Some((4, 4 + word.len())), "nothing more comes");
        assert_eq!(find(format!("x {word}\n"), true), None, "it is within another line");
        tag.advance();
        assert_ne!(tag.text, word);
        assert_ne!(Tag::new().text, word);
    }
}
