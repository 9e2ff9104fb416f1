//! Checks of rows: that x and y are what a row says, at many points.

use std::collections::BTreeMap;

use smt::Verdict;

use super::table::{Instance, Row};
use crate::case::Choices;
use crate::strategy::points::{failure, literals};

/// Values of each sort that a row of a user is checked at; every pair of them is a point.
pub(super) const FEW: usize = 12;
/// How often the constants of a row are drawn.
const DRAWS: u64 = 3;

/// Sorts that letters of patterns stand for in checks.
const SORTS: [(&str, &str); 2] = [("A", "Int"), ("B", "Bool")];
const WIDTHS: [(&str, &str); 4] = [("n", "5"), ("m", "3"), ("e", "3"), ("s", "4")];

/// Checks a row at points of so many values each. The error says what is wrong, and where.
pub(super) fn row(row: &Row, values: usize) -> Result<(), String> {
    if row.x.is_none() && row.y.is_none() {
        return Err("neither x nor y is given".to_owned());
    }
    let letters: BTreeMap<&str, &str> = SORTS.into_iter().chain(WIDTHS).collect();
    let sort =
        |pattern: &str| smt::sexpr::with_words(pattern, |word| letters.get(word).map(|s| (*s).to_owned()));
    let sorts = [sort(&row.sorts[0]), sort(&row.sorts[1])];
    let found = row.matched(&sorts[0], &sorts[1]).ok_or("its patterns of sorts cannot be read")?;
    for draw in 0..DRAWS {
        let mut choices = Choices::drawn(draw, "points", 0);
        let instance = row.instance(0, ["x", "y"], found.clone(), &mut choices)?;
        let values = sorts.each_ref().map(|sort| literals(sort, values, &mut choices));
        at_points(&instance, &sorts, &values)?;
    }
    Ok(())
}

/// Evaluates an instance at each pair of values.
fn at_points(instance: &Instance, sorts: &[String; 2], values: &[Vec<String>; 2]) -> Result<(), String> {
    let Instance { also, z, sides, guard, declared, .. } = instance;
    // What z is depends on the constants beside it, which depend on x and y.
    let bind = |inner: &str| {
        let with_z = format!("(let (({} {z})) {inner})", instance.names[2]);
        let beside: Vec<String> = also.iter().map(|also| format!("({} {})", also.name, also.value)).collect();
        if beside.is_empty() { with_z } else { format!("(let ({}) {with_z})", beside.join(" ")) }
    };
    let mut all: Vec<String> = ["x", "y"]
        .iter()
        .zip(sides)
        .filter_map(|(name, side)| side.as_ref().map(|side| format!("(= {name} {side})")))
        .collect();
    all.extend(also.iter().map(|also| also.holds.clone()));
    let right = format!(
        "(=> {} {})",
        guard.as_deref().unwrap_or("true"),
        bind(&format!("(and true {})", all.join(" ")))
    );
    let [x, y] = sorts;
    let points: Vec<Vec<&str>> =
        values[0].iter().flat_map(|x| values[1].iter().map(move |y| vec![x.as_str(), y.as_str()])).collect();
    let Some(failure) = failure(&declared.join("\n"), &[("x", x), ("y", y)], &right, &points)? else {
        return Ok(());
    };
    let [x, y] = points[failure.point][..] else { return Err("a point has two values".to_owned()) };
    Err(match failure.verdict {
        Verdict::Open(gap) => format!("it has no value at x = {x}, y = {y}: {gap}"),
        _ => format!("x or y is wrong at x = {x}, y = {y}; z is {z}"),
    })
}
