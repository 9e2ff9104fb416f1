//! Operations: rows of the table at the sorts of a theory, evaluated on the cross product of boundary constants.

use smt::theory::table;
use smt::value::{Value, write};
use smt::{Fuel, Model, Pool, Script, SortId, TermId};

use super::super::parts::{Instance, Part, Samples};
use super::constants::{Labelled, boundary};
use super::instances::{Found, instances, is_choice, is_polymorphic};

/// The most rows that are taken from the cross product.
const ROWS: usize = 1000;
/// The budget of the evaluator for one value.
const FUEL: u64 = 100_000;

/// A constant that may stand in a formula.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The word for the constant in names of tests.
    pub label: String,
    /// Its text.
    pub text: String,
    /// Its value; none of a sort whose values cannot be compared at once.
    pub value: Option<Value>,
    term: TermId,
}

/// A sort, and whether variables are declared of it.
#[derive(Clone, Debug)]
pub struct SortOf {
    /// Its text.
    pub text: String,
    /// The prefix of the names of its variables, such as `str`.
    pub short: String,
    /// Whether variables of it can be declared.
    pub declarable: bool,
    /// Its boundary constants.
    pub constants: Vec<Constant>,
}

/// One row of an operation's table: the numbers of the arguments' constants, and the value.
#[derive(Clone, Debug)]
pub struct Row {
    /// A constant for each argument.
    pub args: Vec<usize>,
    /// The value.
    pub value: Value,
    /// The value as it is written.
    pub text: String,
}

/// An operation: a term with places for its arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name in names of tests.
    pub name: String,
    /// The text before, between and after the arguments.
    pub pieces: Vec<String>,
    /// The sorts of its arguments, by number.
    pub args: Vec<usize>,
    /// Whether each argument may be a variable. If not, solvers want a constant there.
    pub open: Vec<bool>,
    /// Whether the operation serves to observe the results of others, so that their tests cover it.
    pub covered: bool,
    /// The number of its result's sort.
    pub result: usize,
    /// Its values for boundary constants.
    pub rows: Vec<Row>,
    /// How many rows, from the first, give terms to the tests that existed first. The other rows give terms only to later
    /// tests.
    pub first: usize,
}

impl Operation {
    /// The operation applied to arguments as they are written.
    pub fn write<'a>(&self, args: impl Iterator<Item = &'a str>, out: &mut String) {
        out.push_str(&self.pieces[0]);
        for (arg, piece) in args.zip(&self.pieces[1..]) {
            out.push_str(arg);
            out.push_str(piece);
        }
    }
}

/// The operations of a theory and the sorts they are over.
#[derive(Clone, Debug)]
pub struct Operations {
    /// The sorts.
    pub sorts: Vec<SortOf>,
    /// The operations, in the order of the table.
    pub all: Vec<Operation>,
}

/// An operation before it is evaluated. It has two rows if no variable can have the sort of the first row's result.
struct Shape {
    name: String,
    inner: Instance,
    /// The operation that observes the result, and the number of the argument for it.
    outer: Option<(Instance, usize)>,
    late: bool,
}

impl Operations {
    /// The operations of a part of the standard.
    pub fn of(part: &Part) -> Result<Operations, String> {
        let mut texts = vec!["Bool"];
        texts.extend(part.sorts);
        let own = texts.len();
        texts.extend(part.beside);
        let mut samples = Samples::of(&texts)?;
        let mut found = instances(part, &mut samples, own);
        let mut pool = samples.pool;
        let ids: Vec<SortId> = samples.sorts.iter().map(|(sort, _, _)| *sort).collect();
        let mut sorts = Vec::new();
        for (sort, text, _) in &samples.sorts {
            sorts.push(sort_of(&mut pool, *sort, text)?);
        }
        for i in 0..sorts.len() {
            if !sorts[i].declarable {
                sorts[i].constants = undeclared(&mut pool, &found, &sorts, i);
            }
        }
        found.retain(|Found { instance, .. }| {
            // Bool is no sort of its own here, and languages are compared by what they hold.
            let plain = |&arg: &usize| (arg > 0 || part.theories.is_empty()) && sorts[arg].declarable;
            match instance.args.as_slice() {
                args if is_polymorphic(instance.op) => part.theories.is_empty() || args.iter().all(plain),
                [_, chosen @ ..] if is_choice(instance.op) => chosen.iter().all(plain),
                _ => true,
            }
        });
        let all = shapes(&found, &sorts);
        let all = evaluated(pool, &sorts, &ids, all)?;
        Ok(Operations { sorts, all })
    }
}

fn sort_of(pool: &mut Pool, sort: SortId, text: &str) -> Result<SortOf, String> {
    let mut constants = Vec::new();
    for (label, value) in boundary(pool, sort) {
        let constant = constant(pool, sort, (label, value));
        constants.push(constant.ok_or_else(|| format!("a constant of {text} cannot be written"))?);
    }
    let letters = text.chars().filter(char::is_ascii_alphabetic).flat_map(char::to_lowercase);
    let short: String = letters.take(3).collect();
    Ok(SortOf { text: text.to_owned(), short, declarable: !constants.is_empty(), constants })
}

fn constant(pool: &mut Pool, sort: SortId, (label, value): Labelled) -> Option<Constant> {
    let term = pool.value(sort, &value).ok()?;
    Some(Constant { label, text: write(pool, sort, &value).ok()?, value: Some(value), term })
}

/// Constants of a sort without values of its own: the results of rows without arguments, or of rows over declared sorts,
/// applied to the second constant of each sort.
fn undeclared(pool: &mut Pool, all: &[Found], sorts: &[SortOf], sort: usize) -> Vec<Constant> {
    let mut found = Vec::new();
    let fits = |i: &&Instance| i.result == sort && i.indices.is_empty();
    for instance in all.iter().filter(|one| !one.late).map(|one| &one.instance).filter(fits) {
        let args: Option<Vec<&Constant>> = instance
            .args
            .iter()
            .map(|&arg| sorts[arg].constants.get(1).filter(|_| sorts[arg].declarable))
            .collect();
        let Some(args) = args else { continue };
        let terms: Vec<TermId> = args.iter().map(|c| c.term).collect();
        let Ok(term) = pool.apply(instance.op, &[], &terms, instance.want) else { continue };
        let label = safe(&instance.spelling);
        found.push(Constant { label, text: smt::write_term(pool, term), value: None, term });
    }
    found
}

/// A name that may be part of a path.
fn safe(spelling: &str) -> String {
    let plain = |c: char| match c {
        '/' => '÷',
        '(' | ')' => '\0',
        ' ' => '_',
        c => c,
    };
    spelling.trim_start_matches("(_ ").chars().map(plain).filter(|&c| c != '\0').collect()
}

/// The shapes of all instances. An instance whose result cannot be a variable is put into the first formula that observes such
/// a result.
fn shapes(all: &[Found], sorts: &[SortOf]) -> Vec<Shape> {
    let looks_at = |sort: usize| {
        let fits = |other: &&Instance| {
            other.result == 0
                && other.args.iter().filter(|&&arg| arg == sort).count() == 1
                && other.args.iter().all(|&arg| arg == sort || sorts[arg].declarable)
        };
        let found = all.iter().map(|one| &one.instance).find(fits)?;
        Some((found.clone(), found.args.iter().position(|&arg| arg == sort)?))
    };
    let mut found: Vec<Shape> = Vec::new();
    for Found { instance, late } in all {
        let outer = if sorts[instance.result].declarable { None } else { looks_at(instance.result) };
        if outer.is_none() && (!sorts[instance.result].declarable || instance.args.is_empty()) {
            continue;
        }
        found.push(Shape { name: String::new(), inner: instance.clone(), outer, late: *late });
    }
    // Of several with one spelling the first has it as its name, and what came later has the last numbers.
    for late in [false, true] {
        for i in 0..found.len() {
            if found[i].late == late {
                let spelling = &found[i].inner.spelling;
                let same = |other: &&Shape| !other.name.is_empty() && other.inner.spelling == *spelling;
                let number = found.iter().filter(same).count() + 1;
                let name = safe(spelling);
                found[i].name = if number == 1 { name } else { format!("{name}.{number}") };
            }
        }
    }
    found
}

impl Shape {
    /// The arguments of the whole.
    fn args(&self) -> Vec<usize> {
        match &self.outer {
            None => self.inner.args.clone(),
            Some((outer, place)) => {
                let mut args = outer.args.clone();
                args.splice(*place..=*place, self.inner.args.iter().copied());
                args
            }
        }
    }

    /// Which arguments may be variables.
    fn open(&self, sorts: &[SortOf]) -> Vec<bool> {
        let one = |instance: &Instance| -> Vec<bool> {
            let row = table().op(instance.op);
            let may = |(i, &arg): (usize, &usize)| sorts[arg].declarable && !row.wants_constant(i);
            instance.args.iter().enumerate().map(may).collect()
        };
        let inner = one(&self.inner);
        let Some((outer, place)) = &self.outer else { return inner };
        let mut open = one(outer);
        open.splice(*place..=*place, inner);
        open
    }

    fn term(&self, pool: &mut Pool, args: &[TermId]) -> Option<TermId> {
        let inner = &self.inner;
        let Some((outer, place)) = &self.outer else {
            return pool.apply(inner.op, &inner.indices, args, inner.want).ok();
        };
        let end = place + inner.args.len();
        let term = pool.apply(inner.op, &inner.indices, &args[*place..end], inner.want).ok()?;
        let mut whole = args.to_vec();
        whole.splice(*place..end, [term]);
        pool.apply(outer.op, &outer.indices, &whole, outer.want).ok()
    }

    /// The text around the arguments.
    fn pieces(&self) -> Vec<String> {
        let one = |instance: &Instance| -> Vec<String> {
            let count = instance.args.len();
            if count == 0 {
                return vec![instance.spelling.clone()];
            }
            let mut pieces = vec![format!("({} ", instance.spelling)];
            pieces.extend((1..count).map(|_| " ".to_owned()));
            pieces.push(")".to_owned());
            pieces
        };
        let inner = one(&self.inner);
        let Some((outer, place)) = &self.outer else { return inner };
        let mut pieces = one(outer);
        let after = pieces.remove(place + 1);
        pieces[*place].push_str(&inner[0]);
        let mut rest = inner[1..].to_vec();
        match rest.last_mut() {
            Some(last) => last.push_str(&after),
            None => pieces[*place].push_str(&after),
        }
        let end = pieces.split_off(place + 1);
        pieces.extend(rest);
        pieces.extend(end);
        pieces
    }
}

/// The numbers of constants for each argument: the whole cross product. Where that is too large, that of the first constants of
/// each sort, then others spread evenly over the rest; so many are of the first kind.
fn rows(sorts: &[SortOf], args: &[usize]) -> (Vec<Vec<usize>>, usize) {
    let most = args.iter().map(|&arg| sorts[arg].constants.len()).max().unwrap_or(0);
    let product = |k: usize| {
        args.iter().fold(vec![Vec::new()], |all, &arg| {
            let count = sorts[arg].constants.len().min(k);
            let longer = |row: &Vec<usize>| {
                let row = row.clone();
                (0..count).map(move |i| row.iter().copied().chain([i]).collect())
            };
            all.iter().flat_map(longer).collect::<Vec<Vec<usize>>>()
        })
    };
    let size = |k: usize| args.iter().map(|&arg| sorts[arg].constants.len().min(k)).product::<usize>();
    let k = (1..=most).rev().find(|&k| size(k) <= ROWS).unwrap_or(0);
    let mut all = product(k);
    let first = all.len();
    if k < most {
        let mut rest = product(most);
        rest.retain(|row| row.iter().any(|&i| i >= k));
        let wanted = ROWS - first;
        all.extend((0..wanted).map(|i| rest[i * rest.len() / wanted].clone()));
    }
    (all, first)
}

/// Evaluates all shapes; rows that have no value, or none that can be written, are left out.
fn evaluated(
    mut pool: Pool,
    sorts: &[SortOf],
    ids: &[SortId],
    shapes: Vec<Shape>,
) -> Result<Vec<Operation>, String> {
    let mut terms = Vec::new();
    for shape in &shapes {
        let args = shape.args();
        let mut own: Vec<(Vec<usize>, TermId)> = Vec::new();
        let (rows, first) = rows(sorts, &args);
        for row in rows {
            let given: Vec<TermId> =
                args.iter().zip(&row).map(|(&s, &c)| sorts[s].constants[c].term).collect();
            if let Some(term) = shape.term(&mut pool, &given) {
                own.push((row, term));
            }
        }
        terms.push((own, if shape.late { 0 } else { first }));
    }
    let model = Model::empty(&Script::new(pool));
    let outer = |shape: &Shape| shape.outer.as_ref().map(|(outer, _)| outer.spelling.clone());
    let outer: Vec<String> = shapes.iter().filter_map(outer).collect();
    let mut all = Vec::new();
    for (shape, (terms, first)) in shapes.into_iter().zip(terms) {
        let result = shape.outer.as_ref().map_or(shape.inner.result, |(outer, _)| outer.result);
        let value = |(args, term): (Vec<usize>, TermId)| {
            let value = smt::eval(term, &model, &mut Fuel::new(FUEL)).ok()?;
            let text = write(model.pool(), ids[result], &value).ok()?;
            Some(Row { args, value, text })
        };
        let rows: Vec<Option<Row>> = terms.into_iter().map(value).collect();
        let first = rows.iter().take(first).flatten().count();
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        if !rows.is_empty() {
            let (args, open, pieces) = (shape.args(), shape.open(sorts), shape.pieces());
            let covered = shape.outer.is_none() && outer.contains(&shape.inner.spelling);
            all.push(Operation { name: shape.name, pieces, args, open, covered, result, rows, first });
        }
    }
    Ok(all)
}
