//! Shapes: formulas without their atoms. They are drawn, or they are the skeletons of formulas on which some solver once failed.

use std::path::Path;

use smt::theory::table;
use smt::{Head, Pool, Script, SortId, TermId, What};

use super::{BadOption, Flag, Options, Value};
use crate::case::Choices;
use crate::seed::{Corpus, Keep, builtin};

pub(super) const SKELETONS: Flag = Flag {
    name: "skeletons",
    value: Value::Text,
    default: "",
    about: "put formulas into the shapes of others: past for those that come with the program, or a folder",
};

/// The word for the skeletons that come with the program.
const PAST: &str = "past";
/// Skeletons have at least this many atoms, and at most that many.
const ATOMS: std::ops::RangeInclusive<usize> = 2..=12;
/// The most arguments of a connective that is drawn.
const ARGUMENTS: u64 = 3;

/// What stands at a place of a shape, where a value may be wanted of it.
pub(super) type Fill<'f> = &'f mut dyn FnMut(&mut Pool, &Shape, Option<bool>, &mut Choices) -> Option<TermId>;

/// A place for any formula.
const ATOM: Shape = Shape::Atom(b'a');

/// A connective of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Connective {
    Not,
    And,
    Or,
    Implies,
    Xor,
    Equal,
    Ite,
}

use Connective::{And, Equal, Implies, Ite, Not, Or, Xor};

impl Connective {
    const ALL: [Connective; 7] = [Not, And, Or, Implies, Xor, Equal, Ite];
    /// Those that are drawn.
    const DRAWN: [Connective; 6] = [And, Or, Implies, Xor, Equal, Ite];

    /// The names of all their operators.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Connective::ALL.into_iter().map(Connective::name)
    }

    /// The connective on top of a formula; none if it is an atom.
    pub fn on(pool: &Pool, formula: TermId) -> Option<Connective> {
        let (Head::Op(op, _), args) = (pool.node(formula).head, pool.args(formula)) else { return None };
        // The condition of an `ite` of other things is a formula, too.
        args.last().filter(|&&last| pool.sort_of(last) == SortId::BOOL)?;
        match table().op(op).name {
            "distinct" if args.len() == 2 => Some(Xor),
            name => Connective::ALL.into_iter().find(|connective| connective.name() == name),
        }
    }

    /// The name of its operator.
    pub fn name(self) -> &'static str {
        match self {
            Not => "not",
            And => "and",
            Or => "or",
            Implies => "=>",
            Xor => "xor",
            Equal => "=",
            Ite => "ite",
        }
    }

    /// The value that it gives to formulas with these values.
    fn of(self, values: &[bool]) -> bool {
        match self {
            Not => !values[0],
            And => values.iter().all(|&v| v),
            Or => values.iter().any(|&v| v),
            Implies => match values.split_last() {
                Some((&last, premises)) => last || !premises.iter().all(|&v| v),
                None => true,
            },
            Xor => values.iter().fold(false, |all, &v| all ^ v),
            Equal => values.windows(2).all(|pair| pair[0] == pair[1]),
            Ite => {
                if values[0] {
                    values[1]
                } else {
                    values[2]
                }
            }
        }
    }

    /// Values of so many formulas, drawn, to which it gives the wanted value.
    fn values(self, count: usize, wanted: bool, choices: &mut Choices) -> Vec<bool> {
        let mut values: Vec<bool> = (0..count).map(|_| choices.happens(1, 2)).collect();
        if self.of(&values) == wanted {
            return values;
        }
        let last = count - 1;
        match (self, wanted) {
            (And | Equal, true) => values.fill(true),
            (Or, false) => values.fill(false),
            (Implies, false) => {
                values.fill(true);
                values[last] = false;
            }
            // All are equal, or the last decides.
            (Ite, _) => {
                let branch = if values[0] { 1 } else { 2 };
                values[branch] = wanted;
            }
            _ => {
                let some = choices.below(count as u64) as usize;
                let place = if self == Implies { last } else { some };
                values[place] = !values[place];
            }
        }
        values
    }
}

/// A formula without its atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A place for any formula, the same wherever the letter is the same.
    Atom(u8),
    /// A place for the formula that the shape is put around.
    Given,
    /// A connective of shapes.
    Of(Connective, Vec<Shape>),
}

impl Shape {
    /// A shape with at most so many connectives one in another, drawn.
    pub fn drawn(depth: u64, choices: &mut Choices) -> Shape {
        if depth == 0 {
            return ATOM;
        }
        let connective = *choices.pick(&Connective::DRAWN).expect("there are some");
        let count = match connective {
            Ite => 3,
            Xor | Implies | Equal => 2,
            _ => 2 + choices.below(ARGUMENTS - 1),
        };
        let inside = |choices: &mut Choices| {
            let less = if choices.happens(1, 3) { 0 } else { depth - 1 };
            Shape::drawn(less, choices)
        };
        Shape::Of(connective, (0..count).map(|_| inside(choices)).collect())
    }

    /// The shape of a text such as `(or p q)`, where p is the given formula and other words are any.
    pub fn read(text: &str) -> Shape {
        if text == "p" {
            return Shape::Given;
        }
        if !text.starts_with('(') {
            return Shape::Atom(text.as_bytes()[0]);
        }
        let parts = smt::sexpr::parts(text);
        let connective = Connective::ALL.into_iter().find(|c| parts.first() == Some(&c.name()));
        let inside = parts[1..].iter().map(|part| Shape::read(part)).collect();
        Shape::Of(connective.expect("a connective"), inside)
    }

    /// The shape of a formula: what is no connective is an atom.
    fn of(pool: &Pool, term: TermId) -> Shape {
        let args = pool.args(term);
        match (pool.node(term).head, Connective::on(pool, term)) {
            (Head::Annotated(_), _) => Shape::of(pool, args[0]),
            (Head::Let(_), _) => Shape::of(pool, args[args.len() - 1]),
            (_, Some(connective)) => {
                Shape::Of(connective, args.iter().map(|&arg| Shape::of(pool, arg)).collect())
            }
            (_, None) => ATOM,
        }
    }

    /// How many atoms it has.
    fn atoms(&self) -> usize {
        match self {
            Shape::Atom(_) | Shape::Given => 1,
            Shape::Of(_, inside) => inside.iter().map(Shape::atoms).sum(),
        }
    }

    /// The formula of this shape whose atoms `fill` gives; none if one is missing. Each is wanted to have a value, so that the
    /// formula has the value that is wanted of it. If none is, atoms may have any.
    pub fn filled(
        &self,
        pool: &mut Pool,
        wanted: Option<bool>,
        choices: &mut Choices,
        fill: Fill,
    ) -> Option<TermId> {
        // Shapes are no deeper than what is drawn or read as a skeleton, so this recursion is bounded.
        let Shape::Of(connective, inside) = self else { return fill(pool, self, wanted, choices) };
        let values = wanted.map(|wanted| connective.values(inside.len(), wanted, choices));
        let mut args = Vec::with_capacity(inside.len());
        for (i, shape) in inside.iter().enumerate() {
            let wanted = values.as_ref().map(|values| values[i]);
            args.push(shape.filled(pool, wanted, choices, fill)?);
        }
        pool.apply_named(connective.name(), &[], &args, None).ok()
    }
}

/// The shape of a formula on which some solver once failed.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    /// The script that it is from.
    pub name: String,
    /// The shape.
    pub shape: Shape,
}

/// The skeletons that the flag names; none if it is not given.
pub(super) fn skeletons(options: &Options) -> Result<Vec<Skeleton>, BadOption> {
    let wanted = options.text(SKELETONS.name);
    let corpus = match wanted {
        "" => return Ok(Vec::new()),
        PAST => {
            let past: Vec<_> = builtin::scripts().filter(|(name, _)| name.starts_with(PAST)).collect();
            Corpus::of_texts(&past, Keep::Bare)
        }
        folder => Corpus::load(&[Path::new(folder).to_owned()], Keep::Bare)
            .map_err(|e| options.bad(SKELETONS.name, &e.to_string()))?,
    };
    let mut found: Vec<Skeleton> = Vec::new();
    for seed in &corpus.seeds {
        let shape = shape_of(seed.script());
        if ATOMS.contains(&shape.atoms()) && !found.iter().any(|known| known.shape == shape) {
            found.push(Skeleton { name: seed.name.name.to_string(), shape });
        }
    }
    if found.is_empty() {
        return Err(options.bad(SKELETONS.name, "no script there has several atoms"));
    }
    Ok(found)
}

/// The shape of everything that a script asserts.
fn shape_of(script: &Script) -> Shape {
    let asserted = script.commands.iter().filter_map(|command| match command.what {
        What::Assert(term) if depth(&script.pool, term) <= MOST_DEPTH => Some(Shape::of(&script.pool, term)),
        _ => None,
    });
    let mut shapes: Vec<Shape> = asserted.collect();
    match shapes.len() {
        0 => ATOM,
        1 => shapes.remove(0),
        _ => Shape::Of(And, shapes),
    }
}

/// Formulas that are nested more deeply are no skeletons.
const MOST_DEPTH: usize = 40;

/// How deeply a formula is nested, counted to a little more than what is used.
fn depth(pool: &Pool, root: TermId) -> usize {
    let (mut deepest, mut seen) = (0, 0);
    let mut left = vec![(root, 1)];
    while let Some((term, depth)) = left.pop() {
        deepest = deepest.max(depth);
        seen += 1;
        if deepest > MOST_DEPTH || seen > 4000 {
            return MOST_DEPTH + 1;
        }
        let formulas = pool.args(term).iter().filter(|&&arg| pool.sort_of(arg) == SortId::BOOL);
        left.extend(formulas.map(|&arg| (arg, depth + 1)));
    }
    deepest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn connectives_get_the_values_that_give_what_is_wanted() {
        let mut choices = Choices::drawn(3, "shapes", 0);
        for connective in Connective::ALL {
            let counts = match connective {
                Not => 1..=1,
                Ite => 3..=3,
                _ => 2..=4,
            };
            for count in counts {
                for round in 0..200 {
                    let wanted = round % 2 == 0;
                    let values = connective.values(count, wanted, &mut choices);
                    assert_eq!(connective.of(&values), wanted, "{connective:?} {values:?}");
                }
            }
        }
    }

    /// The connectives mean what the operators of these names mean.
    #[test]
    fn connectives_are_the_operators() {
        for connective in Connective::ALL {
            let count = match connective {
                Not => 1,
                Ite => 3,
                _ => 3,
            };
            for bits in 0..1u8 << count {
                let values: Vec<bool> = (0..count).map(|i| bits >> i & 1 == 1).collect();
                let text: Vec<String> = values.iter().map(bool::to_string).collect();
                let script = format!("(assert ({} {}))(check-sat)", connective.name(), text.join(" "));
                let script = smt::read(script.as_bytes()).expect("well-sorted");
                let verdict =
                    smt::satisfies(&script.queries()[0], &smt::Model::empty(&script), &smt::Fuel::default());
                let expected = if connective.of(&values) { smt::Verdict::True } else { smt::Verdict::False };
                assert_eq!(verdict, expected, "{connective:?} {values:?}");
            }
        }
    }

    #[test]
    fn shapes_are_read_from_formulas() {
        let rows = [
            ("(and p (or q (not (< n 3))))", "(and a (or a (not a)))"),
            ("(ite p (= n 3) q)", "(ite a a a)"),
            ("(= (ite p n 3) 4)", "a"),
            ("(let ((r (and p q))) (=> r q))", "(=> a a)"),
            ("(xor (! p :x y) (distinct p q))", "(xor a (xor a a))"),
            ("(exists ((m Int)) (and p q))", "a"),
            ("(= p q (and p q))", "(= a a (and a a))"),
        ];
        for (formula, shape) in rows {
            let text = format!(
                "(declare-const p Bool)(declare-const q Bool)(declare-const n Int)(assert {formula})(check-sat)"
            );
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            let root = script.term_of(3, 0).expect("the assertion");
            assert_eq!(Shape::of(&script.pool, root), Shape::read(shape), "{formula}");
        }
    }

    #[test]
    fn skeletons_are_those_of_past_bugs_or_of_a_folder() {
        let of = |value: &str| {
            let flags = BTreeMap::from([("skeletons".to_owned(), value.to_owned())]);
            skeletons(&Options::of(&[SKELETONS], &flags))
        };
        assert!(of("").expect("none are wanted").is_empty());
        let past = of(PAST).expect("they come with the program");
        assert!(!past.is_empty() && past.iter().all(|s| s.name.starts_with("past/")), "{past:?}");
        let folder = std::env::temp_dir().join(format!("gainsay-skeletons-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let name = folder.to_str().expect("a name");
        let write = |text: &str| std::fs::write(folder.join("a.smt2"), text).expect("writable");
        write("(declare-const p Bool)(assert p)(check-sat)");
        assert!(of(name).is_err(), "one atom is no skeleton");
        write("(declare-const p Bool)(assert (xor p (not p)))(assert (= 1 2))(check-sat)");
        std::fs::write(
            folder.join("b.smt2"),
            "(declare-const q Bool)(assert (xor q (not q)))(assert q)(check-sat)",
        )
        .expect("writable");
        let found = of(name).expect("a folder");
        assert_eq!(found.len(), 1, "equal shapes are one");
        assert_eq!(found[0].shape, Shape::read("(and (xor a (not a)) a)"));
        std::fs::remove_dir_all(&folder).expect("there");
        assert!(of(name).is_err(), "there is no such folder");
    }
}
