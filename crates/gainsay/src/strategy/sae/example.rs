//! Examples of each rule at its sorts, for people to read, for the evaluator and for solvers.

use std::fmt::Write;
use std::sync::Arc;

use smt::{Script, TermId, What, write_term};

use super::inject::{At, Source, admits};
use super::rules::Kind;
use super::schema::{Bound, Read, Schema, book, build};
use crate::case::Choices;
use crate::seed::{Keep, Seed};
use crate::strategy::makers::Makers;
use crate::strategy::support::OperatorSupport;

/// A rule of approximation at one sort, with constants drawn.
#[derive(Clone, Debug)]
pub struct RuleExample {
    /// The rule.
    pub id: &'static str,
    /// The sort of its `x`.
    pub sort: &'static str,
    /// `over`, `under`, or `both` if the two formulas are equivalent.
    pub way: &'static str,
    /// The formula that is approximated.
    pub from: String,
    /// The approximation.
    pub to: String,
    /// A script that is satisfiable only if the rule does not hold here.
    pub refutation: String,
}

/// A rule as it is listed.
#[derive(Clone, Debug)]
pub struct ListedRule {
    /// Its names in the published table of checked rules, the first being its own; or a name of ours.
    pub ids: &'static str,
    /// Its theory.
    pub theory: &'static str,
    /// `over`, `under` or `both`.
    pub way: &'static str,
    /// The formula that is approximated.
    pub from: &'static str,
    /// The approximation.
    pub to: &'static str,
    /// The condition on its constants; `-` for none.
    pub condition: &'static str,
    /// The solvers that proved it.
    pub proved: &'static str,
}

/// Rules that bind variables or name functions of the script, each at one example: `S` is any sort, `L` any datatype.
/// They are code (`binders.rs`, `data.rs`, or a row at a place inside); `ψ` is any formula.
const CODE: &str = include_str!("rules/code.tsv");
/// The declarations for these examples.
pub(super) const WORLD: &str = "(declare-sort S 0)\n(declare-fun p (S) Bool)\n(declare-fun g (S) Bool)
(declare-fun r (S S) Bool)\n(declare-fun f (S) S)\n(declare-const x S)\n(declare-const y S)\n(declare-const q Bool)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\n(declare-const l L)\n(declare-const k L)
(declare-const h Int)\n(declare-const i Int)\n";

/// The rows of the rules that are code.
pub(super) fn code_rules() -> impl Iterator<Item = ListedRule> {
    CODE.lines().skip(1).map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let &[ids, theory, way, from, to, proved] = cells.as_slice() else {
            panic!("such a rule has six cells: {line}")
        };
        ListedRule { ids, theory, way, from, to, condition: "-", proved }
    })
}

/// All rules.
pub fn listed_rules() -> Vec<ListedRule> {
    let row = |read: &Read| {
        let rule = read.rule;
        ListedRule {
            ids: rule.ids,
            theory: rule.kind.theory(),
            way: rule.way.word(),
            from: rule.from,
            to: rule.to,
            condition: rule.when.word(),
            proved: rule.proved,
        }
    };
    book().rules.iter().chain(&book().injections).map(row).chain(code_rules()).collect()
}

/// Examples of every rule at every sort it is tried at, in words that these solvers read. Different draws have different
/// constants.
pub fn rule_examples(draw: u64, speakers: &str) -> Vec<RuleExample> {
    let mut examples = Vec::new();
    for read in book().rules.iter().chain(&book().injections) {
        for &sort in sorts(read.rule.kind) {
            if let Some((script, from, to)) = applied(read, sort, draw, speakers) {
                examples.push(example(read, sort, &script, (from, to)));
            }
        }
    }
    for ListedRule { ids, theory: sort, way, from, to, .. } in code_rules() {
        let id = ids.split(' ').next().unwrap_or(ids);
        let (from, to) = (from.to_owned(), to.replace('ψ', "q"));
        let refutation =
            format!("(set-logic ALL)\n{WORLD}(assert {})\n(check-sat)\n", wrong(way, &from, &to));
        examples.push(RuleExample { id, sort, way, from, to, refutation });
    }
    examples
}

/// A formula that is satisfiable only if one formula does not approximate the other.
fn wrong(way: &str, from: &str, to: &str) -> String {
    match way {
        "over" => format!("(and {from} (not {to}))"),
        "under" => format!("(and {to} (not {from}))"),
        _ => format!("(xor {from} {to})"),
    }
}

fn example(read: &Read, sort: &'static str, script: &Script, sides: (TermId, TermId)) -> RuleExample {
    let (from, to) = (write_term(&script.pool, sides.0), write_term(&script.pool, sides.1));
    let way = read.rule.way.word();
    let wrong = wrong(way, &from, &to);
    let mut refutation = String::from("(set-logic ALL)\n");
    for command in script.commands.iter().filter(|c| matches!(c.what, What::DeclareFun(_))) {
        let _ = writeln!(refutation, "{}", script.command_text(*command));
    }
    let _ = writeln!(refutation, "(assert {wrong})\n(check-sat)");
    RuleExample { id: read.rule.id, sort, way, from, to, refutation }
}

/// Sorts to try a rule at.
pub(super) fn sorts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Formula => &["Bool"],
        Kind::Any => &["Int", "(_ BitVec 2)", "(_ FloatingPoint 3 4)"],
        Kind::Int => &["Int"],
        Kind::Real => &["Real"],
        Kind::Number => &["Int", "Real"],
        Kind::Vector => &["(_ BitVec 1)", "(_ BitVec 4)", "(_ BitVec 8)"],
        Kind::Float => &["(_ FloatingPoint 3 4)", "(_ FloatingPoint 5 11)"],
        Kind::Text => &["String"],
        Kind::Array => &["(Array (_ BitVec 2) (_ BitVec 1))", "(Array Bool Bool)"],
        Kind::Seq => &["(Seq Int)"],
        Kind::Set => &["(Set Int)"],
    }
}

/// The sort of a metavariable where `x` has this one.
pub(super) fn sort_of(hole: char, sort: &str) -> String {
    let part = |n: usize| {
        let inside = &sort[1..sort.len() - 1];
        let parts: Vec<&str> = match inside.strip_prefix("Array ") {
            Some("Bool Bool") => vec!["Bool", "Bool"],
            Some(_) => vec!["(_ BitVec 2)", "(_ BitVec 1)"],
            None => vec!["Int", "Int"],
        };
        parts[n].to_owned()
    };
    match hole {
        'p' | 'q' | 'r' => "Bool".to_owned(),
        'i' | 'j' => part(0),
        'v' | 'e' => part(1),
        'k' | 'n' => "Int".to_owned(),
        'R' | 'S' => "RegLan".to_owned(),
        _ => sort.to_owned(),
    }
}

/// The left side of a rule as text: metavariables are constants of the script, languages and characters are written.
fn instance(read: &Schema) -> String {
    match read {
        Schema::Hole(b'R') => "(re.* (str.to_re \"ab\"))".to_owned(),
        Schema::Hole(b'S') => "(re.range \"a\" \"f\")".to_owned(),
        Schema::Hole(b'l') => "\"b\"".to_owned(),
        Schema::Hole(b'h') => "\"d\"".to_owned(),
        Schema::Hole(hole) => char::from(*hole).to_string(),
        Schema::Rest => "w z".to_owned(),
        Schema::Literal(text) => (*text).to_owned(),
        Schema::Quantified { .. } => unreachable!("no rule starts from a quantifier"),
        Schema::Apply { name, indices, args } => {
            let head = match indices.as_slice() {
                [] => (*name).to_owned(),
                _ => format!("(_ {name} 12)"),
            };
            let args: Vec<String> = args.iter().map(instance).collect();
            if args.is_empty() { head } else { format!("({head} {})", args.join(" ")) }
        }
    }
}

const HOLES: &[char] = &['x', 'y', 'w', 'z', 'p', 'q', 'r', 'c', 'k', 'n'];

/// A seed that asserts the left side of a rule.
fn seed(read: &Read, sort: &str) -> Seed {
    let mut text = String::new();
    let container = matches!(read.rule.kind, Kind::Array | Kind::Set);
    let more: &[char] = if container { &['i', 'j', 'v', 'e'] } else { &[] };
    for &hole in HOLES.iter().chain(more) {
        let formula = hole == 'c' && read.rule.kind == Kind::Formula;
        let sort = if formula { "Bool".to_owned() } else { sort_of(hole, sort) };
        let _ = writeln!(text, "(declare-const {hole} {sort})");
    }
    let _ = writeln!(text, "(assert {})(check-sat)", instance(&read.from));
    Seed::read(read.rule.id, text.as_bytes(), Keep::Bare).expect("an example is a script")
}

/// A script, the left side and the right side of a rule.
pub(super) fn applied(
    read: &Read,
    sort: &str,
    draw: u64,
    speakers: &str,
) -> Option<(Script, TermId, TermId)> {
    let seed = Arc::new(seed(read, sort));
    let mut script = seed.fork();
    let from = script.commands.iter().find_map(|c| match c.what {
        What::Assert(term) => Some(term),
        _ => None,
    })?;
    let mut choices = Choices::drawn(draw, read.rule.id, 0);
    let support = OperatorSupport::of(speakers).in_script(seed.script());
    let mut source = Source::of(seed.script(), Makers::new(support));
    let mut bound = match &read.from {
        Schema::Apply { name, .. } => {
            let smt::Head::Op(_, list) = script.pool.node(from).head else { return None };
            let indices = script.pool.indices(list).to_vec();
            read.matches(&script.pool, name, &indices, script.pool.args(from))?
        }
        _ => Bound::formula(from),
    };
    if !admits(read.rule.when, &bound, &source.constants) {
        return None;
    }
    let command = script.commands.iter().position(|c| matches!(c.what, What::Assert(_)))?;
    let spot = source.material.spot(command, [].iter())?;
    let mut at = At { source: &mut source, spot: &spot, choices: &mut choices };
    let to = build(&mut script.pool, &read.to, read.rule.when, &mut bound, &mut at)?;
    Some((script, from, to))
}
