//! Seeds taken apart: the declarations and assertions of one check, as texts with what they need, and those of another seed
//! beside them with names of their own.

use std::collections::BTreeSet;

use smt::rename::own_names;
use smt::sexpr::{with_words, words};
use smt::theory::table;
use smt::{AttrValue, Head, Logic, Pool, Script, TermId, What, unquoted};

use crate::case::{DeclaredLogic, HIGHER_ORDER, HIGHER_ORDER_ALL, one_shot};

/// The most units of a material. Neighbouring assertions of larger seeds are one unit.
const MOST_UNITS: usize = 6;
/// Seeds of which fewer assertions than this are asserted have their conjunctions split.
const FEW: usize = 3;
/// Larger seeds are not taken apart: a session has their assertions several times.
const LARGEST: usize = 16_000;
/// What the names begin with that strategies declare.
const OURS: [&str; 5] = ["guard!", "named!", "unused!", "fused!", OTHER];
/// What the names of the other seed begin with.
const OTHER: &str = "other!";

/// A command that declares or defines something.
#[derive(Debug)]
pub(super) struct Declaration {
    /// The command.
    pub text: String,
    /// The names that it gives.
    names: BTreeSet<String>,
    /// The declarations that it needs, in order.
    needs: Vec<usize>,
    /// The name, if it declares a constant.
    pub constant: Option<String>,
}

/// An assertion.
#[derive(Debug)]
pub(super) struct Assertion {
    /// The formula.
    pub text: String,
    /// The declarations that it needs, in order.
    pub needs: Vec<usize>,
}

/// What one check of a seed is made of.
#[derive(Debug)]
pub(super) struct Material {
    /// The options that the seed sets.
    pub options: Vec<String>,
    /// The logic that the seed declares.
    pub logic: Option<String>,
    /// What is declared, in order.
    pub declarations: Vec<Declaration>,
    /// What is asserted, in order.
    pub assertions: Vec<Assertion>,
    /// Assertions that come and go together.
    pub units: Vec<Vec<usize>>,
}

impl Material {
    /// The material of a check of a script; none if it cannot be taken apart.
    pub fn of(script: &Script, check: usize) -> Option<Material> {
        let base = one_shot(script, script.queries().get(check)?)?;
        // Nothing says which assertions need such a declaration.
        if base.commands.iter().any(|command| matches!(command.what, What::Declare(..))) {
            return None;
        }
        let (material, gone) = Material::taken(&base);
        material.is_usable(&gone).then_some(material)
    }

    /// The parts of a script with one check, and the names that its assertions had.
    fn taken(base: &Script) -> (Material, BTreeSet<String>) {
        let (options, declarations, assertions, units) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let logic = base.logic().map(str::to_owned);
        let mut material = Material { options, logic, declarations, assertions, units };
        let (mut asserted, mut gone) = (Vec::new(), BTreeSet::new());
        for (i, command) in base.commands.iter().enumerate() {
            match command.what {
                What::SetOption(..) => material.options.push(base.command_text(*command)),
                What::Assert(term) => asserted.push(without_name(&base.pool, term, &mut gone)),
                What::SetLogic(_) | What::CheckSat => {}
                _ => material.declare(base, i),
            }
        }
        if asserted.len() < FEW {
            asserted = asserted.into_iter().flat_map(|term| conjuncts(&base.pool, term)).collect();
        }
        for term in asserted {
            let text = smt::write_term(&base.pool, term);
            let needs = material.needed(&text);
            material.assertions.push(Assertion { text, needs });
        }
        let count = material.assertions.len();
        let units = count.min(MOST_UNITS);
        material.units = (0..units).map(|u| (u * count / units..(u + 1) * count / units).collect()).collect();
        (material, gone)
    }

    fn declare(&mut self, base: &Script, command: usize) {
        let pool = &base.pool;
        let mut names = BTreeSet::new();
        base.each_function(command, |fun| {
            names.insert(pool.text(pool.fun(fun).name).to_owned());
        });
        let what = base.commands[command].what;
        match what {
            What::DeclareSort(decl) => names.extend([pool.text(pool.sort_decl(decl).name).to_owned()]),
            What::DefineSort(def) => names.extend([pool.text(pool.sort_def(def).name).to_owned()]),
            What::DeclareDatatypes(first, count) => {
                let sorts = pool.sort_decls_from(first, count);
                names.extend(sorts.map(|decl| pool.text(pool.sort_decl(decl).name).to_owned()));
            }
            _ => {}
        }
        let constant = match what {
            What::DeclareFun(fun) if pool.fun(fun).args.is_empty() => {
                Some(pool.text(pool.fun(fun).spelling).to_owned())
            }
            _ => None,
        };
        let text = base.command_text(base.commands[command]);
        let needs = self.needed(&text);
        self.declarations.push(Declaration { text, names, needs, constant });
    }

    /// The declarations so far that a text needs, with what they need themselves, in order.
    fn needed(&self, text: &str) -> Vec<usize> {
        let mut all = BTreeSet::new();
        for word in words(text) {
            let word = unquoted(word);
            let word = word.strip_prefix("is-").filter(|_| !self.names(word)).unwrap_or(word);
            for (i, declaration) in self.declarations.iter().enumerate() {
                if declaration.names.contains(word) {
                    all.extend(declaration.needs.iter().copied());
                    all.insert(i);
                }
            }
        }
        all.into_iter().collect()
    }

    /// Whether the material declares a name.
    pub fn names(&self, word: &str) -> bool {
        self.declarations.iter().any(|declaration| declaration.names.contains(word))
    }

    /// The one-shot form of some of its units.
    pub fn alone(&self, units: &[usize]) -> String {
        let mut lines: Vec<String> = self.options.clone();
        lines.extend(self.logic.iter().map(|logic| format!("(set-logic {logic})")));
        lines.extend(self.declarations.iter().map(|declaration| declaration.text.clone()));
        let asserted = units.iter().flat_map(|&unit| &self.units[unit]);
        lines.extend(asserted.map(|&i| format!("(assert {})", self.assertions[i].text)));
        lines.push("(check-sat)\n".to_owned());
        lines.join("\n")
    }

    /// The one-shot form of all its units.
    pub fn everything(&self) -> String {
        let all: Vec<usize> = (0..self.units.len()).collect();
        self.alone(&all)
    }

    /// All texts.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let declared = self.declarations.iter().map(|d| d.text.as_str());
        declared.chain(self.assertions.iter().map(|a| a.text.as_str()))
    }

    /// Whether it can be used: it is small, no name of an assertion is used, and none of our names is.
    fn is_usable(&self, gone: &BTreeSet<String>) -> bool {
        let is_ours = |word: &str| OURS.iter().any(|ours| unquoted(word).starts_with(ours));
        !self.assertions.is_empty()
            && self.texts().map(str::len).sum::<usize>() <= LARGEST
            && self.assertions.iter().all(|a| !a.text.contains(":named"))
            && !self.texts().flat_map(words).any(|word| gone.contains(unquoted(word)) || is_ours(word))
    }

    /// The material of another seed beside this one, with names of its own. None if a name would mean two things.
    pub fn beside(&self, script: &Script, check: usize) -> Option<Material> {
        let plain = Material::of(script, check)?;
        let text = one_shot(script, script.queries().get(check)?)?.text();
        let mut own = own_names(&smt::read(text.as_bytes()).ok().filter(|s| s.opaque.is_empty())?);
        own.extend(plain.declarations.into_iter().flat_map(|declaration| declaration.names));
        let new = |name: String| Some(smt::spelled(&name).into_owned());
        let renamed = with_words(&text, |word| {
            let name = unquoted(word);
            match name.strip_prefix("is-").filter(|constructor| own.contains(*constructor)) {
                Some(constructor) => new(format!("is-{OTHER}{constructor}")),
                None if own.contains(name) => new(format!("{OTHER}{name}")),
                None => None,
            }
        });
        let renamed = smt::read(renamed.as_bytes()).ok().filter(|script| script.opaque.is_empty())?;
        let (other, _) = Material::taken(&renamed);
        let clashes = other.texts().flat_map(words).any(|word| self.names(unquoted(word)));
        (!clashes).then_some(other)
    }
}

/// An assertion without its name, which is added to those that are gone.
fn without_name(pool: &Pool, term: TermId, gone: &mut BTreeSet<String>) -> TermId {
    let Head::Annotated(attrs) = pool.node(term).head else { return term };
    let name = pool.attrs(attrs).iter().find_map(|attr| match attr.value {
        AttrValue::Text(name) if pool.text(attr.keyword) == ":named" => Some(pool.text(name)),
        _ => None,
    });
    let Some(name) = name.filter(|_| pool.attrs(attrs).len() == 1) else { return term };
    gone.insert(unquoted(name).to_owned());
    pool.args(term)[0]
}

/// The members of a conjunction, or the formula itself.
fn conjuncts(pool: &Pool, term: TermId) -> Vec<TermId> {
    let node = pool.node(term);
    if matches!(node.head, Head::Op(..)) && pool.text(node.name) == "and" {
        pool.args(term).to_vec()
    } else {
        vec![term]
    }
}

/// Two seeds have no logic in which both mean what they mean alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoCommonLogic;

/// The logic that a script declares that is made of two seeds; none if the first declares none. `text` is such a script with
/// everything that may be used. It declares the logic of the first.
pub(super) fn common_logic(declared: [Option<&str>; 2], text: &str) -> Result<Option<String>, NoCommonLogic> {
    let [is_real, other] = declared.map(|logic| logic.is_some_and(smt::read::is_real_only));
    if is_real != other {
        return Err(NoCommonLogic);
    }
    let Some(first) = declared[0] else { return Ok(None) };
    let both = smt::read(text.as_bytes()).map_err(|_| NoCommonLogic)?;
    // Without a logic, a seed may use what is read in none.
    if declared[1].is_none() && (!both.opaque.is_empty() || wants_no_logic(&both)) {
        return Err(NoCommonLogic);
    }
    let used = Logic::of(&both);
    let promise = DeclaredLogic::all(&both).into_iter().next().ok_or(NoCommonLogic)?;
    let is_higher = |logic: Option<&str>| logic.is_some_and(|logic| logic.starts_with(HIGHER_ORDER));
    let higher = !is_higher(Some(first)) && (is_higher(declared[1]) || used.higher_order);
    let other = match promise.other(used) {
        _ if higher => Some(HIGHER_ORDER_ALL.to_owned()),
        // Nobody knows what else such a logic offers than the seed uses.
        None if Logic::named(first).is_none() && declared[1] != Some(first) => Some("ALL".to_owned()),
        other => other,
    };
    match other {
        other if !promise.admits(used, other.as_deref()) => Err(NoCommonLogic),
        other => Ok(Some(other.unwrap_or_else(|| first.to_owned()))),
    }
}

/// Whether a script uses an operator that is read only in scripts that set no logic.
fn wants_no_logic(script: &Script) -> bool {
    let pool = &script.pool;
    pool.all_terms().any(|term| match pool.node(term).head {
        Head::Op(op, _) => table().op(op).without_logic,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_seeds_have_a_logic_for_both() {
        let sort = |logic: &str| if logic == "QF_LRA" { "Real" } else { "Int" };
        // (the logics of the seeds, an assertion over x, the logic of both; none if there is none that fits)
        let rows = [
            (["QF_LIA", "QF_LIA"], "(< x 1)", Some("QF_LIA")),
            (["QF_LIA", "QF_NIA"], "(< (* x x) 1)", Some("QF_NIA")),
            (["QF_LIA", "QF_LRA"], "(< x 1)", None),
            (["ALL", ""], "(or (iff true true) (< x 1))", None),
            (["ALL", ""], "(= (as l (List Int)) (as nil (List Int)))", None),
            (
                ["QF_FF", "QF_LIA"],
                "(or (< x 1) (= (as ff1 (_ FiniteField 3)) (as ff1 (_ FiniteField 3))))",
                Some("ALL"),
            ),
            (["ALL", "HO_UFLIA"], "(< x 1)", Some("HO_ALL")),
            (["ALL", ""], "(= x ((lambda ((y Int)) y) x))", Some("HO_ALL")),
            (["HO_ALL", "QF_LIA"], "(< x 1)", Some("HO_ALL")),
            (["QF_UFLIAFS", "QF_SLIA"], "(= x (str.len \"a\"))", Some("ALL")),
            (["QF_UFLIAFS", "QF_UFLIAFS"], "(< x 1)", Some("QF_UFLIAFS")),
        ];
        for (logics, assertion, expected) in rows {
            let x = sort(logics[0]);
            let text =
                format!("(set-logic {})(declare-const x {x})(assert {assertion})(check-sat)", logics[0]);
            let declared = logics.map(|logic| Some(logic).filter(|logic| !logic.is_empty()));
            let found = common_logic(declared, &text).ok().flatten();
            assert_eq!(found.as_deref(), expected, "{logics:?} {assertion}");
        }
        assert_eq!(common_logic([None, Some("ALL")], "(check-sat)"), Ok(None));
    }
}
