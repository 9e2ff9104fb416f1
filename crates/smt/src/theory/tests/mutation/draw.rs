//! Ground terms that show a change of a meaning, made of a few literals for each sort.

use super::change::Change;
use crate::eval::Machine;
use crate::gap::{Fuel, Gap};
use crate::sort::{Pat, SortId};
use crate::term::{Head, TermId};
use crate::theory::call::Call;
use crate::theory::{Op, OpId, table};
use crate::value::{Value, write};
use crate::{Model, Script, What, read};

/// No more terms than this are tried for one row.
const MOST: usize = 3_000;

const INTS: &[&str] = &["0", "2", "(- 3)", "5", "1"];
const REALS: &[&str] = &["0.0", "2.5", "(- 1.5)", "1.0", "9.0"];
const BITS: &[&str] =
    &["#x0", "#xf", "#x9", "#x3", "#b0", "#b1", "#b000", "#b111", "#b101", "#b010", "#b0000111"];
const FLOATS: &[&str] = &[
    "(_ +zero 3 4)",
    "(_ -zero 3 4)",
    "(_ NaN 3 4)",
    "(_ +oo 3 4)",
    "(_ -oo 3 4)",
    "(fp #b0 #b011 #b101)",
    "(fp #b1 #b100 #b011)",
    "(fp #b0 #b000 #b001)",
    "(fp #b0 #b010 #b111)",
];
const TEXTS: &[&str] = &["\"\"", "\"a\"", "\"ab\"", "\"abcab\"", "\"B7\"", "\"7\""];
const LANGUAGES: &[&str] = &["(str.to_re \"a\")", "(re.* (str.to_re \"ab\"))", "re.allchar", "re.none"];
const ROUNDINGS: &[&str] = &["RNE", "RNA", "RTP", "RTN", "RTZ"];
const SEQUENCES: &[&str] = &[
    "(as seq.empty (Seq Int))",
    "(seq.unit 2)",
    "(seq.++ (seq.unit 2) (seq.unit 5))",
    "(seq.++ (seq.unit 5) (seq.unit 2) (seq.unit 5))",
];
const SETS: &[&str] =
    &["(as set.empty (Set Int))", "(set.singleton 2)", "(set.union (set.singleton 2) (set.singleton 5))"];
const FINITE_SETS: &[&str] = &["(as set.empty (FiniteSet Int))", "(set.range 2 2)", "(set.range 2 5)"];
const NULLABLES: &[&str] =
    &["(as nullable.null (Nullable Int))", "(nullable.some 0)", "(nullable.some 2)", "(nullable.some (- 3))"];
const BAGS: &[&str] = &["(as bag.empty (Bag Int))", "(bag 2 1)", "(bag.union_disjoint (bag 2 3) (bag 5 1))"];
const FIELDS: &[&str] = &["#f0m7", "#f1m7", "#f3m7"];
const ARRAYS: &[&str] = &["((as const (Array Int Int)) 0)", "(store ((as const (Array Int Int)) 2) 5 0)"];

/// Literals of a sort.
fn literals(pat: Pat) -> &'static [&'static str] {
    match pat {
        Pat::Is(SortId::BOOL) => &["true", "false"],
        Pat::Is(SortId::INT) | Pat::Any(_) => INTS,
        Pat::Is(SortId::REAL) => REALS,
        Pat::Is(SortId::STRING) => TEXTS,
        Pat::Is(SortId::REGLAN) => LANGUAGES,
        Pat::Is(SortId::ROUNDING) => ROUNDINGS,
        Pat::BitVec(_) => BITS,
        Pat::Float(..) => FLOATS,
        Pat::Seq(_) => SEQUENCES,
        Pat::Set(_) => SETS,
        Pat::FiniteSet(_) => FINITE_SETS,
        Pat::Bag(_) => BAGS,
        Pat::Nullable(_) => NULLABLES,
        Pat::Field => FIELDS,
        Pat::Array(..) => ARRAYS,
        Pat::Is(_) | Pat::Function(_) => &[],
    }
}

/// The names of an operator with some indices.
fn names(op: &Op) -> Vec<String> {
    let name = op.name;
    match op.indices {
        Some(0) => vec![name.to_owned()],
        Some(1) => ["1", "2", "4"].map(|i| format!("(_ {name} {i})")).to_vec(),
        Some(2) => ["2 1", "3 4", "2 3", "3 3"].map(|i| format!("(_ {name} {i})")).to_vec(),
        _ => vec![format!("(_ {name} 2 1 1)")],
    }
}

/// All applications of an operator to literals, no more than a few thousand.
fn applications(op: &Op) -> Vec<String> {
    let mut lists: Vec<Vec<&str>> = vec![Vec::new()];
    let variadic = op.args.len() == 1 && op.admits(2);
    let args: Vec<Pat> = if variadic { vec![op.args[0]; 2] } else { op.args.to_vec() };
    for pat in args {
        let longer = |list: &Vec<&'static str>| {
            let list = list.clone();
            literals(pat).iter().map(move |literal| [&list[..], &[*literal]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    let mut terms = Vec::new();
    for name in names(op) {
        for list in &lists {
            terms.push(if list.is_empty() { name.clone() } else { format!("({name} {})", list.join(" ")) });
        }
    }
    // Some of all, if there are too many.
    let step = terms.len().div_ceil(MOST).max(1);
    terms.into_iter().step_by(step).collect()
}

/// An application of a row to literals, with its value.
pub(super) struct Shown {
    pub term: String,
    pub value: String,
    /// The changes that it shows.
    pub changes: Vec<Change>,
}

/// Applications of a row to literals, each of which shows a change that those before do not.
pub(super) fn shown(id: OpId) -> Vec<Shown> {
    let op = table().op(id);
    let mut left: Vec<Change> = Change::ALL.to_vec();
    left.retain(|change| *change == Change::Guess || change.fits(op));
    let mut all = Vec::new();
    for term in applications(op) {
        if left.is_empty() {
            break;
        }
        let Some((value, changes)) = shows(id, &term) else { continue };
        if changes.iter().any(|change| left.contains(change)) {
            left.retain(|change| !changes.contains(change));
            all.push(Shown { term, value, changes });
        }
    }
    all
}

/// The value of an application of a row, and the changes of the row that it shows.
fn shows(id: OpId, term: &str) -> Option<(String, Vec<Change>)> {
    let script = read(format!("(simplify {term})").as_bytes()).ok()?;
    let Some(What::Query(_, root, _)) = script.commands.last().map(|c| c.what) else { return None };
    let Head::Op(row, indices) = script.pool.node(root).head else { return None };
    if row != id || !script.opaque.is_empty() {
        return None;
    }
    let model = Model::empty(&script);
    let mut machine = Machine::new(&model, Fuel::default());
    let args: Vec<Value> =
        script.pool.args(root).iter().map(|&arg| machine.eval(arg).ok()).collect::<Option<_>>()?;
    let sort = script.pool.sort_of(root);
    let indices = script.pool.indices(indices);
    let op = table().op(id);
    if op.control.is_some() {
        let value = machine.eval(root).and_then(|value| write(&script.pool, sort, &value)).ok()?;
        return Some((value, vec![Change::OffByOne]));
    }
    let mut call = Call { args: &args, indices, sort, op, world: &mut machine };
    let outcome = (op.meaning)(&mut call);
    let changes = Change::ALL.into_iter().filter(|c| c.made(&mut call, outcome.clone()) != outcome).collect();
    Some((spelled(&script, root, &outcome), changes))
}

fn spelled(script: &Script, root: TermId, outcome: &Result<Value, Gap>) -> String {
    let text = |value: &Value| write(&script.pool, script.pool.sort_of(root), value);
    outcome
        .as_ref()
        .map_or_else(ToString::to_string, |value| text(value).unwrap_or_else(|gap| gap.to_string()))
}
