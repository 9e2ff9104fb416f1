//! Reading a single term as it would be read at some place of a script.

use super::lexer::Lexer;
use super::scope::scope_at;
use super::{ReadError, Reader, Result};
use crate::script::{Script, What};
use crate::term::{Binder, TermId};

/// Reads one term into the script's pool, with the names that are known before one of its commands and these variables,
/// of which the last of a name counts. A term that names what it marks (`:named`), or has parts that are not
/// understood, is refused.
pub fn term_at(script: &mut Script, command: usize, variables: &[Binder], text: &[u8]) -> Result<TermId> {
    let scope = scope_at(script, command);
    let before = script.commands.iter().take(command);
    let real_numerals = before.fold(false, |known, c| match c.what {
        What::SetLogic(name) => super::command::is_real_only(script.pool.text(name)),
        _ => known,
    });
    let mut reader = Reader::new(text, script.pool.clone());
    (reader.scope, reader.real_numerals) = (scope, real_numerals);
    for variable in variables {
        reader.scope.bind_variable(variable.name, variable.sort);
    }
    let functions = reader.pool.fun_count();
    let mut lexer = Lexer::new(text)?;
    if !lexer.next(&mut reader.nodes)? {
        return Err(ReadError::new(0, "expected a term"));
    }
    let term = reader.term(0)?;
    if lexer.next(&mut reader.nodes)? || !reader.opaque.is_empty() || reader.pool.fun_count() > functions {
        return Err(ReadError::new(0, "expected a single term of known parts"));
    }
    script.pool = reader.pool;
    Ok(term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read, write_term};

    #[test]
    fn terms_are_read_where_they_stand() {
        let text =
            "(declare-const x Int)(assert (forall ((y Int)) (< x y)))(declare-const z Int)(assert (= z x))";
        let rows = [
            (1, "(+ x 1)", true),
            (1, "(+ x y)", true),
            (1, "(+ x z)", false),
            (3, "(+ x z)", true),
            (1, "(+ x true)", false),
            (1, "x x", false),
            (1, "", false),
            (1, "(! x :named n)", false),
            (1, "(unheard x)", false),
        ];
        for (command, term, reads) in rows {
            let mut script = read(text.as_bytes()).expect("well-sorted");
            let y = script.pool.binder("y", crate::SortId::INT);
            let got = term_at(&mut script, command, &[y], term.as_bytes());
            assert_eq!(got.is_ok(), reads, "{command} {term}");
            if let Ok(got) = got {
                assert_eq!(write_term(&script.pool, got), term);
            }
        }
    }
}
