//! Instances: the operators of a part at its sorts, in the order of the table.
//!
//! Names of tests stay, and which terms a test is made of is counted off. So what was added after names had been given is
//! marked: it has tests of its own and changes none of the others.

use smt::theory::{OpId, Theory, admitted, table};
use smt::{Pat, SortId};

use super::super::parts::{Instance, Part, Samples};
use super::super::support::OperatorSupport;

/// The most instances of each kind of an operator with indices.
const INSTANCES: usize = 3;
/// Indices that are tried besides: a least number above zero, and one above the greatest; more than one copy.
const BESIDES: &[(&str, &[u32])] = &[("re.loop", &[1, 2]), ("re.loop", &[2, 1]), ("repeat", &[2])];

/// An operator at sorts.
pub struct Found {
    /// The operator.
    pub instance: Instance,
    /// Whether it was added after the first tests were named.
    pub late: bool,
}

/// All operators of a part. The first `own` sorts are those of the part.
pub fn instances(part: &Part, samples: &mut Samples, own: usize) -> Vec<Found> {
    let support = support(part);
    let wanted = |op: OpId| {
        let theory = table().theory(op);
        // Equality and its kin are of every theory, connectives of the core alone.
        let of_all = theory == Theory::Core && (part.theories.is_empty() || is_polymorphic(op));
        let of_part = admitted(op) && (part.theories.contains(&theory) || of_all);
        (of_part || is_choice(op)) && support(op)
    };
    let mut all = Vec::new();
    // What other rows of the same name turned out to be, until these rows have their turn.
    let mut held: Vec<Instance> = Vec::new();
    for op in table().ids().filter(|&op| wanted(op)) {
        // One for each choice of sorts; of indices a few.
        let most = if table().op(op).indices == Some(0) { usize::MAX } else { INSTANCES };
        let first = samples.instances_among(op, most, own);
        let (first, others): (Vec<_>, Vec<_>) = first.into_iter().partition(|found| found.op == op);
        all.extend(first.into_iter().map(|instance| Found { instance, late: is_choice(op) }));
        held.extend(others);
        if !part.beside.is_empty() && !is_choice(op) && !is_polymorphic(op) {
            held.extend(samples.instances(op, usize::MAX).into_iter().filter(|found| converts(found, own)));
        }
        let (mut later, rest): (Vec<_>, Vec<_>) = held.into_iter().partition(|found| found.op == op);
        held = rest;
        later.truncate(most);
        for (_, indices) in BESIDES.iter().filter(|(name, _)| *name == table().op(op).name) {
            later.extend(samples.instances_with(op, indices, own));
        }
        all.extend(later.into_iter().map(|instance| Found { instance, late: true }));
    }
    all
}

/// Whether an operator converts between a sort of the part and another sort.
fn converts(instance: &Instance, own: usize) -> bool {
    let sorts = || instance.args.iter().chain([&instance.result]);
    sorts().any(|&sort| sort > 0 && sort < own) && sorts().any(|&sort| sort >= own)
}

/// The operators that are used: those of the standard and those that both z3 and cvc5 add. If there are none, those of the
/// solver that has the theory.
fn support(part: &Part) -> impl Fn(OpId) -> bool {
    let both = OperatorSupport::of("");
    let own = || table().ids().filter(|op| part.theories.contains(&table().theory(*op)));
    let any = part.theories.is_empty() || own().any(|op| both.has(op));
    let cvc5 = own().any(|op| table().op(op).readers.get("cvc5").is_some());
    move |op| {
        let row = table().op(op);
        if any { both.has(op) } else { row.readers.get(if cvc5 { "cvc5" } else { "z3" }).is_some() }
    }
}

/// Whether an operator takes arguments of any sort and its result is a Bool.
pub fn is_polymorphic(op: OpId) -> bool {
    let row = table().op(op);
    matches!(row.result, Pat::Is(SortId::BOOL))
        && !row.args.is_empty()
        && row.args.iter().all(|arg| matches!(arg, Pat::Any(_)))
}

/// Whether an operator chooses between two terms.
pub fn is_choice(op: OpId) -> bool {
    table().op(op).name == "ite"
}
