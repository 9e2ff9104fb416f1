//! Whether a script survives being printed.

use crate::read::{Lexer, read};
use crate::script::{Command, Script, What};
use crate::write::{write_command, write_script};

impl Script {
    /// The script with every command that can be printed from what it is cut loose from its source.
    #[must_use]
    pub fn cut_loose(&self) -> Script {
        let mut script = self.clone();
        for command in &mut script.commands {
            if !matches!(command.what, What::Opaque(_)) {
                command.span = None;
            }
        }
        script
    }

    /// Whether printing loses nothing: an unchanged script prints the tokens it was read from; assertions print them
    /// even when cut loose from the source; and what is printed then reads as the same script.
    pub fn is_lossless(&self) -> bool {
        if !same_tokens(&write_script(self), &self.source) {
            return false;
        }
        let loose = self.cut_loose();
        let printed = write_script(&loose);
        let Ok(again) = read(&printed) else { return false };
        again.commands.len() == self.commands.len()
            && write_script(&again.cut_loose()) == printed
            && self.commands.iter().all(|command| self.prints_its_tokens(*command))
    }

    fn prints_its_tokens(&self, command: Command) -> bool {
        let (What::Assert(_), Some(span)) = (command.what, command.span) else { return true };
        let printed = write_command(self, Command { span: None, ..command });
        same_tokens(&printed, &self.source[span.start as usize..span.end as usize])
    }
}

/// Whether two texts have the same tokens.
fn same_tokens(a: &[u8], b: &[u8]) -> bool {
    let (Ok(mut left), Ok(mut right)) = (Lexer::new(a), Lexer::new(b)) else { return false };
    let (mut x, mut y) = (Vec::new(), Vec::new());
    loop {
        match (left.next(&mut x), right.next(&mut y)) {
            (Ok(false), Ok(false)) => return true,
            (Ok(true), Ok(true)) => {}
            _ => return false,
        }
        let same = x.len() == y.len()
            && x.iter().zip(&y).all(|(s, t)| {
                s.kind == t.kind
                    && s.next == t.next
                    && (s.next > 1 && s.kind == crate::read::Kind::List
                        || a[s.start as usize..s.end as usize] == b[t.start as usize..t.end as usize])
            });
        if !same {
            return false;
        }
    }
}
