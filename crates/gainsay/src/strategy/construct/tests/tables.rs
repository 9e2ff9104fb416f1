//! The rows: equivalences and equalities, tried out on small values with our evaluator.

use super::super::equalities::{EQUALITIES, Equality};
use super::super::equivalences::{self, Equivalence};
use super::super::tree::Tree;
use super::search::World;
use super::small::Small;
use crate::strategy::parts::PARTS;

/// A universal quantifier over small values: the parts of a small value are small.
fn spread(tree: &Tree, small: &Small) -> Tree {
    tree.with(&|tree| {
        let [Tree::Word(word), Tree::List(binders), Tree::List(body)] = tree.list()? else { return None };
        if &**word != "forall" {
            return None;
        }
        let body =
            if body.first() == Some(&Tree::word("!")) { body[1].clone() } else { Tree::List(body.clone()) };
        let mut all = vec![body];
        for binder in binders.iter().filter_map(Tree::list) {
            let constants = small.values(&binder[1].to_string());
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

/// The conjuncts of what is implied, each for itself, so that a value which one rules out is known at once.
fn conjuncts(tree: &Tree) -> Vec<Tree> {
    match tree.list() {
        Some([Tree::Word(word), condition, then]) if &**word == "=>" && then.head() == Some("and") => {
            let all = then.list().into_iter().flatten().skip(1);
            all.map(|one| Tree::List(vec![Tree::word("=>"), condition.clone(), one.clone()])).collect()
        }
        _ => vec![tree.clone()],
    }
}

/// The sorts of the variables that quantifiers of a formula bind.
fn bound(tree: &Tree, found: &mut Vec<String>) {
    if let Some([Tree::Word(word), Tree::List(binders), _]) = tree.list()
        && &**word == "forall"
    {
        found.extend(binders.iter().filter_map(Tree::list).map(|binder| binder[1].to_string()));
    }
    tree.list().into_iter().flatten().for_each(|tree| bound(tree, found));
}

fn variables(of: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, sort)| ((*name).to_owned(), (*sort).to_owned())).collect()
}

/// Values of the shared variables for which a row does not hold, in the directions it claims.
fn exceptions(row: &Equivalence) -> Option<String> {
    let about = format!("{} {}", row.a, row.b.join(" "));
    let a = Tree::of(row.a);
    let b: Vec<Tree> = row.b.iter().map(|text| Tree::of(text)).collect();
    let mut inner = Vec::new();
    for tree in &b {
        bound(tree, &mut inner);
    }
    let result = a.list().filter(|list| list[0] == Tree::word("=") && list[2] == Tree::word("res"));
    let operation = result.map(|list| list[1].clone());
    // Once with any result, and once with the right one, which may be larger than the others.
    for given in std::iter::once(None).chain(operation.map(Some)) {
        let put = |tree: &Tree| given.as_ref().map_or(tree.clone(), |op| tree.put(&Tree::word("res"), op));
        let keep = |(name, _): &&(&'static str, &'static str)| given.is_none() || *name != "res";
        let shared: Vec<_> = row.shared.iter().filter(keep).copied().collect();
        let all: Vec<_> = shared.iter().chain(row.own).copied().collect();
        let sorts = shared.iter().map(|(_, sort)| *sort).chain(inner.iter().map(String::as_str));
        let small = Small::of(&about, &sorts.collect::<Vec<_>>(), row.own.len());
        let b = b.iter().flat_map(|tree| conjuncts(&spread(tree, &small)));
        let formulas: Vec<(Tree, &str)> =
            std::iter::once(a.clone()).chain(b).map(|tree| (put(&tree), "Bool")).collect();
        let mut world = World::new(&variables(&all), &|sort| small.values(sort), &formulas);
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

/// The variables of an equality, and small values for them.
fn values(row: &Equality) -> (Vec<(String, String)>, Small) {
    let mut all = if row.is_general() { vec![("s", row.sort)] } else { Vec::new() };
    all.extend(row.others);
    let sorts: Vec<&str> = all.iter().map(|(_, sort)| *sort).collect();
    (variables(&all), Small::of(&format!("{} {} {}", row.term, row.value, row.side), &sorts, 0))
}

fn side(row: &Equality) -> Tree {
    Tree::of(if row.side.is_empty() { "true" } else { row.side })
}

#[test]
fn equalities_hold_for_small_values() {
    for row in EQUALITIES {
        let (all, small) = values(row);
        let equal = Tree::of(&format!("(= {} {})", row.term, row.value));
        let denied = Tree::List(vec![Tree::word("not"), equal]);
        let constants = |sort: &str| small.values(sort);
        let mut world = World::new(&all, &constants, &[(denied, "Bool"), (side(row), "Bool")]);
        let order = world.order(&(0..all.len()).collect::<Vec<_>>(), &[0, 1]);
        assert!(!world.find(&order, &[0, 1], &mut u64::MAX.clone()), "{}", row.id);
        // And it speaks of something: the side condition can be met.
        let mut world = World::new(&all, &constants, &[(side(row), "Bool")]);
        let met = world.find(&order, &[0], &mut u64::MAX.clone());
        assert!(met, "{}: its side condition is never met", row.id);
    }
}

/// Whether a row's term can be everything, and so may stand under a quantifier, is as the row says.
#[test]
fn rows_that_may_be_bound_reach_every_small_value() {
    for row in EQUALITIES.iter().filter(|row| row.is_general()) {
        let (mut all, small) = values(row);
        all.push(("result".to_owned(), row.sort.to_owned()));
        let result = all.len() - 1;
        // Where numbers below zero are left out, the quantifier must leave them out, too; and no string here is longer.
        let places = match row.side.contains("(>= s 0)") && row.onto {
            true => format!("(<= 0 result {})", small.length),
            false => "true".to_owned(),
        };
        let equal = Tree::of(&format!("(= {} result)", row.term));
        let formulas = [(equal, "Bool"), (side(row), "Bool"), (Tree::of(&places), "Bool")];
        let mut world = World::new(&all, &|sort| small.values(sort), &formulas);
        let order = world.order(&(0..result).collect::<Vec<_>>(), &[0, 1]);
        let missed = (0..world.values(result)).find(|&value| {
            world.set(result, value);
            world.holds(2) && !world.find(&order, &[0, 1], &mut u64::MAX.clone())
        });
        assert_eq!(missed.is_none(), row.onto, "{}", row.id);
    }
}

/// A row with one word changed is found out: the values are not too few.
#[test]
fn wrong_rows_are_found_out() {
    let rows = [
        ("X9", "(str.replace s", "(str.replace_all s"),
        ("X18", "(= s \"aa\")", "(= s \"aaa\")"),
        ("X19", "\"c\"", "\"d\""),
        ("X5", "57", "58"),
        ("E1", "off 1", "off 2"),
        ("Q4", "(= (seq.len s1) off)", "(= (seq.len s3) off)"),
        ("V9", "extract 4 4", "extract 3 3"),
        ("V13", "#xf", "#xe"),
    ];
    for (id, old, new) in rows {
        let mut all = PARTS.iter().flat_map(|part| equivalences::rows(part.name));
        let row = all.find(|row| row.id == id).expect("there");
        let b: Vec<String> = row.b.iter().map(|text| text.replace(old, new)).collect();
        assert_ne!(b, row.b, "{id}");
        // Rows are written down; this one lives as long as the test.
        let b: Vec<&'static str> = b.into_iter().map(|text| &*text.leak()).collect();
        let changed = Equivalence { b: b.leak(), ..*row };
        assert!(exceptions(&changed).is_some(), "{id}");
    }
}
