//! Examples: each rule at sorts it is made for, to be looked at, evaluated and proved.

use std::fmt::Write;
use std::sync::Arc;

use smt::{Script, TermId, What, write_term};

use super::constants::Constants;
use super::inject::{At, Source, admits};
use super::rules::{Kind, Way};
use super::schema::{Bound, Read, Schema, book, build};
use crate::case::Choices;
use crate::seed::Seed;
use crate::strategy::makers::Makers;
use crate::strategy::material::Material;
use crate::strategy::vocabulary::Vocabulary;

/// A rule of approximation at one sort, with constants drawn.
#[derive(Clone, Debug)]
pub struct RuleExample {
    /// The rule.
    pub id: &'static str,
    /// The sort of its `x`.
    pub sort: &'static str,
    /// `over`, `under`, or `both` if the two formulas are as true as each other.
    pub way: &'static str,
    /// What is approximated.
    pub from: String,
    /// What it becomes.
    pub to: String,
    /// A script that is satisfiable only if the rule does not hold here.
    pub refutation: String,
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
    examples
}

fn example(read: &Read, sort: &'static str, script: &Script, sides: (TermId, TermId)) -> RuleExample {
    let (from, to) = (write_term(&script.pool, sides.0), write_term(&script.pool, sides.1));
    let (way, wrong) = match read.rule.way {
        Way::Over => ("over", format!("(and {from} (not {to}))")),
        Way::Under => ("under", format!("(and {to} (not {from}))")),
        Way::Both => ("both", format!("(xor {from} {to})")),
    };
    let mut refutation = String::from("(set-logic ALL)\n");
    for command in script.commands.iter().filter(|c| matches!(c.what, What::DeclareFun(_))) {
        let line = smt::write_command(script, *command);
        let _ = writeln!(refutation, "{}", String::from_utf8_lossy(&line));
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
    Seed::read(read.rule.id, text.as_bytes()).expect("an example is a script")
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
    let mut source = Source {
        material: Material::of(seed.script()),
        makers: Makers::new(Vocabulary::of(speakers).in_script(seed.script())),
        constants: Constants::of(seed.script()),
    };
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
