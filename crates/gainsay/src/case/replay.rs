//! Replay: applies edits to a seed again, all or some of them, and says why one cannot be applied.

use smt::theory::table;
use smt::walk::{at, bound_in};
use smt::{Head, Index, Pool, Script, SortId, TermId};

use super::{DeclaredLogic, Edit, Rule};

/// The result of applying a list of edits.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The script after all edits that could be applied.
    pub script: Script,
    /// The numbers of the edits that could not be applied, and why.
    pub refused: Vec<(usize, Refused)>,
}

/// Why an edit cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no such place in the script.
    #[error("its place is not there")]
    NoPlace,
    /// The new term or operator does not fit there.
    #[error("what it puts there does not fit")]
    DoesNotFit,
}

/// Applies edits to the script of a seed, oldest first. An edit is applied if the new term fits, whatever is at its place now.
/// So later edits of a place can be applied without the earlier ones.
pub fn replay<'e>(seed: Script, edits: impl IntoIterator<Item = &'e Edit>) -> Replayed {
    let promises = DeclaredLogic::all(&seed);
    let mut script = seed;
    let mut refused = Vec::new();
    let mut changed = Vec::new();
    for (number, edit) in edits.into_iter().enumerate() {
        let done = match &edit.rule {
            Rule::Operator => operator(&mut script, edit),
            Rule::Term | Rule::Approximation(_) | Rule::Equal(_) | Rule::Equivalent(_) => {
                term(&mut script, edit)
            }
        };
        match done {
            Ok(()) => changed.push(edit.place.command as usize),
            Err(why) => refused.push((number, why)),
        }
    }
    // A seed that goes beyond its logic is left as it is.
    for promise in promises.iter().filter(|promise| promise.commands.clone().any(|i| changed.contains(&i))) {
        promise.keep(&mut script);
    }
    Replayed { script, refused }
}

fn operator(script: &mut Script, edit: &Edit) -> Result<(), Refused> {
    let (command, number) = (edit.place.command as usize, edit.place.term as usize);
    let root = script.term_of(command, number).ok_or(Refused::NoPlace)?;
    let pool = &mut script.pool;
    let old = at(pool, root, &edit.place.path).ok_or(Refused::NoPlace)?;
    let new = match (pool.node(old).head, &*edit.new) {
        (Head::Forall(_) | Head::Exists(_), "forall" | "exists") => {
            let is_forall = matches!(pool.node(old).head, Head::Forall(_));
            if is_forall == (edit.new == "forall") { Some(old) } else { pool.dual(old) }
        }
        (Head::Op(..), new) => identifier(pool, new).and_then(|(name, indices)| {
            let args = pool.args(old).to_vec();
            pool.apply_named(&name, &indices, &args, None).ok()
        }),
        _ => None,
    };
    let root = put(pool, root, &edit.place.path, new.ok_or(Refused::DoesNotFit)?);
    let done = script.set_term(command, number, root.ok_or(Refused::DoesNotFit)?);
    if done { Ok(()) } else { Err(Refused::DoesNotFit) }
}

fn term(script: &mut Script, edit: &Edit) -> Result<(), Refused> {
    let (command, number) = (edit.place.command as usize, edit.place.term as usize);
    let root = script.term_of(command, number).ok_or(Refused::NoPlace)?;
    let mut variables = script.variables_of(command, number).to_vec();
    let mut term = root;
    for &k in &edit.place.path {
        let next = *script.pool.args(term).get(k as usize).ok_or(Refused::NoPlace)?;
        variables.extend_from_slice(bound_in(&script.pool, term, k as usize));
        term = next;
    }
    let new = smt::read::term_at(script, command, &variables, edit.new.as_bytes());
    let new = new.map_err(|_| Refused::DoesNotFit)?;
    let root = script.pool.replace(root, &edit.place.path, new).ok_or(Refused::DoesNotFit)?;
    if script.set_term(command, number, root) { Ok(()) } else { Err(Refused::DoesNotFit) }
}

/// The name and indices that `div` or `(_ extract 3 0)` spells.
fn identifier(pool: &mut Pool, text: &str) -> Option<(String, Vec<Index>)> {
    let Some(inside) = text.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')) else {
        return Some((smt::unquoted(text).to_owned(), Vec::new()));
    };
    let mut words = inside.split(' ');
    let name = words.next()?.to_owned();
    let index = |word: &str| match word.parse() {
        Ok(number) => Some(Index::Number(number)),
        Err(_) => pool.find(word).and_then(|spelling| pool.function_spelled(spelling)).map(Index::Function),
    };
    Some((name, words.map(index).collect::<Option<_>>()?))
}

/// The root with another term at the end of a path. If the new term is a Real and the old one an Int, the operations above it
/// become operations of Reals, if they have the same name for Reals.
pub fn put(pool: &mut Pool, root: TermId, way: &[u32], new: TermId) -> Option<TermId> {
    let old = at(pool, root, way)?;
    if pool.sort_of(old) == pool.sort_of(new) {
        return pool.replace(root, way, new);
    }
    if (pool.sort_of(old), pool.sort_of(new)) != (SortId::INT, SortId::REAL) {
        return None;
    }
    let (mut way, mut new) = (way, new);
    while let Some((&k, above)) = way.split_last() {
        let parent = at(pool, root, above)?;
        match pool.node(parent).head {
            Head::Coerce => {}
            Head::Op(op, _) if table().op(op).real_for_int => {
                let mut args = pool.args(parent).to_vec();
                args[k as usize] = new;
                new = pool.apply_named(table().op(op).name, &[], &args, None).ok()?;
            }
            _ => return None,
        }
        way = above;
        if pool.sort_of(parent) == pool.sort_of(new) {
            return pool.replace(root, way, new);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Place;

    const SEED: &str = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)
        (assert (< (+ x y) (* 2 y)))(assert (exists ((z Int)) (= z x)))(check-sat)";

    fn edit(command: u32, way: &[u32], new: &str, rule: Rule) -> Edit {
        let place = Place { command, term: 0, path: way.to_vec() };
        Edit { place, old: String::new(), new: new.to_owned(), rule }
    }

    #[test]
    fn edits_are_done_or_refused() {
        let first = "(assert (< (+ x y) (* 2 y)))";
        let rows: &[(Edit, Result<&str, Refused>)] = &[
            (edit(3, &[0], "-", Rule::Operator), Ok("(assert (< (- x y) (* 2 y)))")),
            (edit(3, &[0], "mod", Rule::Operator), Ok("(assert (< (mod x y) (* 2 y)))")),
            (edit(3, &[0], "/", Rule::Operator), Ok("(assert (< (/ x y) (* 2 y)))")),
            (edit(3, &[], "distinct", Rule::Operator), Ok("(assert (distinct (+ x y) (* 2 y)))")),
            (edit(3, &[0], "and", Rule::Operator), Err(Refused::DoesNotFit)),
            (edit(3, &[], "+", Rule::Operator), Err(Refused::DoesNotFit)),
            (edit(3, &[0, 0], "+", Rule::Operator), Err(Refused::DoesNotFit)),
            (edit(3, &[7], "-", Rule::Operator), Err(Refused::NoPlace)),
            (edit(9, &[], "-", Rule::Operator), Err(Refused::NoPlace)),
            (edit(4, &[], "forall", Rule::Operator), Ok("(assert (forall ((z Int)) (= z x)))")),
            (edit(4, &[], "and", Rule::Operator), Err(Refused::DoesNotFit)),
            (edit(4, &[0], "(> z y)", Rule::Term), Ok("(assert (exists ((z Int)) (> z y)))")),
            (edit(3, &[0], "(abs z)", Rule::Term), Err(Refused::DoesNotFit)),
            (edit(3, &[0], "true", Rule::Term), Err(Refused::DoesNotFit)),
            (edit(3, &[0], "(", Rule::Term), Err(Refused::DoesNotFit)),
        ];
        for (edit, expected) in rows {
            let seed = smt::read(SEED.as_bytes()).expect("well-sorted");
            let Replayed { script, refused } = replay(seed, [edit]);
            let text = script.text();
            match expected {
                Ok(command) => assert!(refused.is_empty() && text.contains(command), "{edit:?}: {text}"),
                Err(why) => {
                    assert_eq!(refused, [(0, *why)], "{edit:?}");
                    assert!(text.contains(first), "{edit:?}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_logic_follows() {
        let edits = [edit(3, &[0], "*", Rule::Operator), edit(3, &[0], "+", Rule::Operator)];
        let logic = |n: usize| {
            let seed = smt::read(SEED.as_bytes()).expect("well-sorted");
            replay(seed, &edits[..n]).script.logic().map(str::to_owned)
        };
        assert_eq!([logic(0), logic(1), logic(2)].map(Option::unwrap_or_default), ["QF_LIA", "NIA", "LIA"]);
    }
}
