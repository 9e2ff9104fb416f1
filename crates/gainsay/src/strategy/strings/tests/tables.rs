//! The rows: equivalences and equalities, tried out on small values with our evaluator.

use super::super::equalities::EQUALITIES;
use super::super::equivalences::{self, Equivalence};
use super::super::tree::Tree;
use super::search::{World, domain};
use crate::strategy::parts::PARTS;

/// A universal quantifier over small values: the parts of a small value are small.
fn spread(tree: &Tree, about: &str) -> Tree {
    tree.with(&|tree| {
        let [Tree::Word(word), Tree::List(binders), Tree::List(body)] = tree.list()? else { return None };
        if &**word != "forall" {
            return None;
        }
        let body =
            if body.first() == Some(&Tree::word("!")) { body[1].clone() } else { Tree::List(body.clone()) };
        let mut all = vec![body];
        for binder in binders.iter().filter_map(Tree::list) {
            let constants = domain(&binder[1].to_string(), about);
            all = all
                .iter()
                .flat_map(|tree| {
                    constants.iter().map(|c| tree.put(&binder[0], &Tree::of(c))).collect::<Vec<_>>()
                })
                .collect();
        }
        Some(Tree::List(std::iter::once(Tree::word("and")).chain(all).collect()))
    })
}

fn variables(of: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, sort)| ((*name).to_owned(), (*sort).to_owned())).collect()
}

/// Values of the shared variables for which a row does not hold, in the directions it claims.
fn exceptions(row: &Equivalence) -> Option<String> {
    let about = format!("{} {}", row.a, row.b.join(" "));
    let a = Tree::of(row.a);
    let b: Vec<Tree> = row.b.iter().map(|text| spread(&Tree::of(text), &about)).collect();
    let result = a.list().filter(|list| list[0] == Tree::word("=") && list[2] == Tree::word("res"));
    let operation = result.map(|list| list[1].clone());
    // Once with any result, and once with the right one, which may be larger than the others.
    for given in std::iter::once(None).chain(operation.map(Some)) {
        let put = |tree: &Tree| given.as_ref().map_or(tree.clone(), |op| tree.put(&Tree::word("res"), op));
        let keep = |(name, _): &&(&'static str, &'static str)| given.is_none() || *name != "res";
        let shared: Vec<_> = row.shared.iter().filter(keep).copied().collect();
        let all: Vec<_> = shared.iter().chain(row.own).copied().collect();
        let formulas: Vec<(Tree, &str)> =
            std::iter::once(&a).chain(&b).map(|tree| (put(tree), "Bool")).collect();
        let mut world = World::new(&variables(&all), &about, &formulas);
        let numbers: Vec<usize> = (1..formulas.len()).collect();
        let own: Vec<usize> = (shared.len()..all.len()).collect();
        let own = world.order(&own, &numbers);
        let mut now = vec![0; shared.len()];
        'all: loop {
            for (variable, &value) in now.iter().enumerate() {
                world.set(variable, value);
            }
            let left = world.holds(0);
            let right = world.find(&own, &numbers, &mut u64::MAX.clone());
            if right && !left || row.converse && left && !right {
                return Some(format!("{}: {now:?} of {shared:?}: {left} {right}", row.id));
            }
            for (k, value) in now.iter_mut().enumerate() {
                *value += 1;
                if *value < world.values(k) {
                    continue 'all;
                }
                *value = 0;
            }
            break;
        }
    }
    None
}

#[test]
fn equivalences_hold_for_small_values() {
    for row in PARTS.iter().flat_map(|part| equivalences::rows(part.name)) {
        assert_eq!(exceptions(row), None);
    }
}

/// What was printed does not hold the other way: the corrections are needed.
#[test]
fn printed_rows_hold_one_way_only() {
    for id in ["E4-printed", "E5-printed", "E6-printed"] {
        let row = equivalences::rows("strings").find(|row| row.id == id).expect("there");
        assert!(!row.converse);
        let both = Equivalence { converse: true, ..*row };
        assert!(exceptions(&both).is_some(), "{id}");
    }
}

#[test]
fn equalities_hold_for_small_values() {
    for row in EQUALITIES {
        let mut all = if row.is_general() { vec![("s", row.sort)] } else { Vec::new() };
        all.extend(row.others);
        let equal = Tree::of(&format!("(= {} {})", row.term, row.value));
        let side = Tree::of(if row.side.is_empty() { "true" } else { row.side });
        let denied = Tree::List(vec![Tree::word("not"), equal]);
        let about = format!("{} {}", row.term, row.side);
        let mut world = World::new(&variables(&all), &about, &[(denied, "Bool"), (side.clone(), "Bool")]);
        let order = world.order(&(0..all.len()).collect::<Vec<_>>(), &[0, 1]);
        assert!(!world.find(&order, &[0, 1], &mut u64::MAX.clone()), "{}", row.id);
        // And it speaks of something: the side condition can be met.
        let mut world = World::new(&variables(&all), &about, &[(side, "Bool")]);
        let met = world.find(&order, &[0], &mut u64::MAX.clone());
        assert!(met, "{}: its side condition is never met", row.id);
    }
}
