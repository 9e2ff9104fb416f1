//! Writing scripts, terms and sorts, without recursion on terms.

mod command;
mod datatype;
mod sort;
mod term;

use crate::Pool;
use crate::script::{Command, Script};
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::TermId;

impl Script {
    /// The text of the script, each command on its own line. Unchanged commands are copied from the source. Bytes of
    /// a comment that are no text are replaced.
    ///
    /// ```
    /// let script = smt::read(b"(declare-const x Int)  (assert (= x 1))").expect("well-sorted");
    /// assert_eq!(script.text(), "(declare-const x Int)\n(assert (= x 1))\n");
    /// ```
    pub fn text(&self) -> String {
        text_of(write_script(self))
    }

    /// The text of one command of the script, or of another command with its terms.
    pub fn command_text(&self, command: Command) -> String {
        text_of(write_command(self, command))
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The bytes of a script's text.
pub(crate) fn write_script(script: &Script) -> Vec<u8> {
    let mut out = Vec::with_capacity(script.source.len() + 256);
    write_script_to(script, &mut out);
    out
}

/// Appends the text of a script to `out`.
pub fn write_script_to(script: &Script, out: &mut Vec<u8>) {
    let mut writer = Writer::new(&script.pool, out);
    for command in &script.commands {
        writer.command(script, *command);
        writer.out.push(b'\n');
    }
}

/// The bytes of a command's text.
pub(crate) fn write_command(script: &Script, command: Command) -> Vec<u8> {
    let mut out = Vec::new();
    Writer::new(&script.pool, &mut out).command(script, command);
    out
}

/// Appends the text of a single command to `out`.
pub fn write_command_to(script: &Script, command: Command, out: &mut Vec<u8>) {
    Writer::new(&script.pool, out).command(script, command);
}

/// Appends the text of a single command to `out`, and to `marks` where in `out` each node of its terms begins, in
/// preorder. A command that is copied from its source has no marks.
pub fn write_command_marked(script: &Script, command: Command, out: &mut Vec<u8>, marks: &mut Vec<u32>) {
    let mut writer = Writer::new(&script.pool, out);
    writer.marks = Some(marks);
    writer.command(script, command);
}

/// Appends the text of a term to `out`, and to `marks` where in `out` each of its nodes begins, in preorder.
pub fn write_term_marked(pool: &Pool, term: TermId, out: &mut Vec<u8>, marks: &mut Vec<u32>) {
    let mut writer = Writer::new(pool, out);
    writer.marks = Some(marks);
    writer.term(term);
}

/// The text of a term.
pub fn write_term(pool: &Pool, term: TermId) -> String {
    let mut out = Vec::new();
    Writer::new(pool, &mut out).term(term);
    String::from_utf8(out).expect("only text is written")
}

/// The text of a sort.
pub fn sort_text(pool: &Pool, sort: SortId) -> String {
    let mut out = Vec::new();
    Writer::new(pool, &mut out).sort(sort);
    String::from_utf8(out).expect("only text is written")
}

/// Text in the making.
struct Writer<'a> {
    pool: &'a Pool,
    out: &'a mut Vec<u8>,
    /// Terms begun, and the number of their next argument.
    stack: Vec<(TermId, u32)>,
    /// Of the annotations begun: the attribute whose turn it is, and its first inner term.
    annotations: Vec<(usize, usize)>,
    /// The places where nodes begin, if they are wanted.
    marks: Option<&'a mut Vec<u32>>,
}

impl<'a> Writer<'a> {
    fn new(pool: &'a Pool, out: &'a mut Vec<u8>) -> Self {
        Writer { pool, out, stack: Vec::new(), annotations: Vec::new(), marks: None }
    }
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.out.extend_from_slice(self.pool.bytes(symbol));
    }
}
