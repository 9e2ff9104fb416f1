//! Derivatives: the language of the strings that may follow a character.

use rustc_hash::FxHashSet;

use super::fuel::{Fuel, OutOfFuel};
use super::pool::{EMPTY_WORD, Form, Id, NONE, Pool};
use super::ranges::{Classes, holds};

impl Pool {
    /// The words that follow `code` in the words of `id`.
    pub(super) fn derive(&mut self, id: Id, code: u32, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        fuel.burn(1)?;
        let code = self.classes.representative(code);
        let mut todo = vec![id];
        while let Some(&next) = todo.last() {
            if self.known(next, code).is_none() {
                let before = todo.len();
                match self.form(next) {
                    &Form::Concat(head, tail) => {
                        todo.push(head);
                        if self.nullable(head) {
                            todo.push(tail);
                        }
                    }
                    Form::Union(parts) | Form::Inter(parts) => todo.extend_from_slice(parts),
                    &Form::Comp(body) | &Form::Loop(body, ..) => todo.push(body),
                    Form::None | Form::EmptyWord | Form::Set(_) => unreachable!("known at once"),
                }
                fuel.burn(todo.len() - before + 1)?;
                let mut at = before;
                while at < todo.len() {
                    if self.known(todo[at], code).is_some() {
                        todo.swap_remove(at);
                    } else {
                        at += 1;
                    }
                }
                if todo.len() > before {
                    continue;
                }
                let derived = self.step(next, code, fuel)?;
                self.derived.insert((next, code), derived);
            }
            todo.pop();
        }
        Ok(self.known(id, code).expect("just derived"))
    }

    /// The derivative, if it is plain or was met before.
    fn known(&self, id: Id, code: u32) -> Option<Id> {
        match self.form(id) {
            Form::None | Form::EmptyWord => Some(NONE),
            Form::Set(ranges) => Some(if holds(ranges, code) { EMPTY_WORD } else { NONE }),
            _ => self.derived.get(&(id, code)).copied(),
        }
    }

    /// The derivative from those of the parts.
    fn step(&mut self, id: Id, code: u32, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        let of = |pool: &Self, part: Id| pool.known(part, code).expect("parts go first");
        match self.form(id) {
            Form::None | Form::EmptyWord | Form::Set(_) => unreachable!("known at once"),
            &Form::Concat(head, tail) => {
                let first = of(self, head);
                let through = self.concat(first, tail, fuel)?;
                if self.nullable(head) {
                    self.union(vec![through, of(self, tail)], fuel)
                } else {
                    Ok(through)
                }
            }
            Form::Union(parts) => {
                let parts = parts.iter().map(|&part| of(self, part)).collect();
                self.union(parts, fuel)
            }
            Form::Inter(parts) => {
                let parts = parts.iter().map(|&part| of(self, part)).collect();
                self.inter(parts, fuel)
            }
            &Form::Comp(body) => self.comp(of(self, body), fuel),
            // Right for a body with the empty word too: its loop begins at 0.
            &Form::Loop(body, low, high) => {
                let first = of(self, body);
                let rest =
                    self.repeat(body, low.saturating_sub(1), high.map(|high| high.saturating_sub(1)), fuel)?;
                self.concat(first, rest, fuel)
            }
        }
    }

    /// One character of each class that the derivatives of `ids` tell apart.
    pub(super) fn firsts(&self, ids: &[Id], fuel: &mut Fuel) -> Result<Vec<u32>, OutOfFuel> {
        let mut seen = FxHashSet::default();
        let mut todo = ids.to_vec();
        let mut sets: Vec<&[(u32, u32)]> = Vec::new();
        while let Some(id) = todo.pop() {
            fuel.burn(1)?;
            if !seen.insert(id) {
                continue;
            }
            match self.form(id) {
                Form::None | Form::EmptyWord => {}
                Form::Set(ranges) => sets.push(ranges),
                &Form::Concat(head, tail) => {
                    todo.push(head);
                    if self.nullable(head) {
                        todo.push(tail);
                    }
                }
                Form::Union(parts) | Form::Inter(parts) => {
                    fuel.burn(parts.len())?;
                    todo.extend_from_slice(parts);
                }
                &Form::Comp(body) | &Form::Loop(body, ..) => todo.push(body),
            }
        }
        Ok(Classes::new(&sets, fuel)?.representatives().to_vec())
    }
}
