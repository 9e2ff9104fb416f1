//! Equality of values of nested sorts is by meaning: values drawn with two spellings each, and what they mean beside.

use std::collections::{BTreeMap, BTreeSet};

use smt::value::Value;
use smt::{Fuel, Model, What, eval, read};

/// Numbers that look random and are the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A sort, by what its values are made of.
#[derive(Clone, Debug)]
enum Shape {
    Int,
    Bool,
    RegLan,
    Float,
    /// From Bool to Int.
    Function,
    Seq(Box<Shape>),
    Set(Box<Shape>),
    Bag(Box<Shape>),
    Pair(Box<Shape>, Box<Shape>),
    Array(Box<Shape>, Box<Shape>),
    /// A datatype with one constructor of this field, and one of none.
    Data(Box<Shape>),
}

/// Some value: one of its meanings, as text that is the same for equal values.
type Meaning = String;

const REGLAN: &[(&str, &[&str])] = &[
    (
        "A+",
        &[
            "(re.+ (str.to_re \"A\"))",
            "(re.++ (str.to_re \"A\") (re.* (str.to_re \"A\")))",
            "(re.++ (re.* (str.to_re \"A\")) (str.to_re \"A\"))",
        ],
    ),
    ("A*", &["(re.* (str.to_re \"A\"))", "(re.opt (re.+ (str.to_re \"A\")))"]),
    ("none", &["re.none", "(re.inter (str.to_re \"A\") (str.to_re \"B\"))", "(re.comp re.all)"]),
    ("all", &["re.all", "(re.* re.allchar)", "(re.union (str.to_re \"A\") (re.comp (str.to_re \"A\")))"]),
    ("AB", &["(str.to_re \"AB\")", "(re.++ (str.to_re \"A\") (str.to_re \"B\"))"]),
];

const FLOAT: &[(&str, &[&str])] = &[
    (
        "nan",
        &[
            "(_ NaN 3 4)",
            "(fp #b0 #b111 #b001)",
            "(fp #b1 #b111 #b111)",
            "(fp.div RNE (_ +zero 3 4) (_ +zero 3 4))",
        ],
    ),
    ("+0", &["(_ +zero 3 4)", "(fp #b0 #b000 #b000)"]),
    ("-0", &["(_ -zero 3 4)", "(fp.neg (_ +zero 3 4))"]),
    ("1", &["(fp #b0 #b011 #b000)", "((_ to_fp 3 4) RNE 1.0)"]),
];

const FUNCTION: &[(&str, &[&str])] = &[
    ("1 0", &["(lambda ((x Bool)) (ite x 1 0))", "(lambda ((y Bool)) (ite (not y) 0 1))"]),
    ("0 1", &["(lambda ((x Bool)) (ite x 0 1))", "(lambda ((x Bool)) (- 1 (ite x 1 0)))"]),
    ("0 0", &["(lambda ((x Bool)) 0)", "(lambda ((x Bool)) (ite x 0 0))"]),
];

/// A value of a table, and a spelling of it.
fn listed(draw: &mut Draw, table: &[(&str, &[&str])], which: usize) -> (Meaning, String) {
    let (meaning, spellings) = table[which % table.len()];
    (meaning.to_owned(), spellings[draw.below(spellings.len())].to_owned())
}

impl Shape {
    fn drawn(draw: &mut Draw, depth: u32) -> Shape {
        let boxed = |draw: &mut Draw| Box::new(Shape::drawn(draw, depth - 1));
        match draw.below(if depth == 0 { 5 } else { 13 }) {
            0 => Shape::Int,
            1 => Shape::Bool,
            2 => Shape::RegLan,
            3 => Shape::Float,
            4 => Shape::Function,
            5 => Shape::Seq(boxed(draw)),
            6 | 7 => Shape::Set(boxed(draw)),
            8 => Shape::Bag(boxed(draw)),
            9 => Shape::Pair(boxed(draw), boxed(draw)),
            10 | 11 => Shape::Array(Box::new(Shape::index(draw, depth - 1)), boxed(draw)),
            _ => Shape::Data(boxed(draw)),
        }
    }

    /// A sort of infinitely many values, or Bool: the meaning of an array over it is easily written.
    fn index(draw: &mut Draw, depth: u32) -> Shape {
        match draw.below(if depth == 0 { 3 } else { 6 }) {
            0 => Shape::Int,
            1 => Shape::Bool,
            2 => Shape::RegLan,
            3 => Shape::Seq(Box::new(Shape::drawn(draw, depth - 1))),
            4 => Shape::Bag(Box::new(Shape::drawn(draw, depth - 1))),
            _ => Shape::Pair(Box::new(Shape::RegLan), Box::new(Shape::drawn(draw, depth - 1))),
        }
    }

    fn sort(&self, declared: &mut Vec<String>) -> String {
        match self {
            Shape::Int => "Int".into(),
            Shape::Bool => "Bool".into(),
            Shape::RegLan => "RegLan".into(),
            Shape::Float => "(_ FloatingPoint 3 4)".into(),
            Shape::Function => "(-> Bool Int)".into(),
            Shape::Seq(of) => format!("(Seq {})", of.sort(declared)),
            Shape::Set(of) => format!("(Set {})", of.sort(declared)),
            Shape::Bag(of) => format!("(Bag {})", of.sort(declared)),
            Shape::Pair(a, b) => format!("(Tuple {} {})", a.sort(declared), b.sort(declared)),
            Shape::Array(i, e) => format!("(Array {} {})", i.sort(declared), e.sort(declared)),
            Shape::Data(of) => {
                let field = of.sort(declared);
                let mut k = 0;
                while declared.get(k).is_some_and(|d: &String| *d != field) {
                    k += 1;
                }
                if k == declared.len() {
                    declared.push(field);
                }
                format!("D{k}")
            }
        }
    }

    /// Value number `which` of the sort, and one of its spellings.
    fn value(&self, draw: &mut Draw, which: usize, declared: &mut Vec<String>) -> (Meaning, String) {
        match self {
            Shape::Int => {
                let n = which % 3;
                let spelling = if draw.below(2) == 0 { n.to_string() } else { format!("(- {} 5)", n + 5) };
                (n.to_string(), spelling)
            }
            Shape::Bool => {
                let b = which.is_multiple_of(2);
                (b.to_string(), if draw.below(2) == 0 { b.to_string() } else { format!("(not {})", !b) })
            }
            Shape::RegLan => listed(draw, REGLAN, which),
            Shape::Float => listed(draw, FLOAT, which),
            Shape::Function => listed(draw, FUNCTION, which),
            Shape::Seq(of) => {
                let parts: Vec<_> = (0..which % 3).map(|i| of.value(draw, which / 3 + i, declared)).collect();
                let sort = self.sort(declared);
                let mut text = format!("(as seq.empty {sort})");
                for (_, part) in parts.iter().rev() {
                    text = format!("(seq.++ (seq.unit {part}) {text})");
                }
                (format!("[{}]", parts.iter().map(|p| &p.0[..]).collect::<Vec<_>>().join(";")), text)
            }
            Shape::Set(of) => {
                let mut inside: Vec<usize> = (0..which % 3).map(|i| which / 3 + i).collect();
                let meaning: BTreeSet<Meaning> =
                    inside.iter().map(|&w| of.value(draw, w, declared).0).collect();
                // In any order, some twice, each time in another spelling.
                inside.extend(inside.clone());
                if draw.below(2) == 0 {
                    inside.reverse();
                }
                let mut text = format!("(as set.empty {})", self.sort(declared));
                for w in inside {
                    let element = of.value(draw, w, declared).1;
                    text = match draw.below(2) {
                        0 => format!("(set.insert {element} {text})"),
                        _ => format!("(set.union {text} (set.singleton {element}))"),
                    };
                }
                (format!("{{{}}}", meaning.into_iter().collect::<Vec<_>>().join(";")), text)
            }
            Shape::Bag(of) => {
                let mut inside: Vec<usize> = (0..which % 3).map(|i| which / 3 + i).collect();
                let mut meaning: BTreeMap<Meaning, usize> = BTreeMap::new();
                for &w in &inside {
                    *meaning.entry(of.value(draw, w, declared).0).or_default() += 2;
                }
                inside.extend(inside.clone());
                if draw.below(2) == 0 {
                    inside.reverse();
                }
                let mut text = format!("(as bag.empty {})", self.sort(declared));
                for w in inside {
                    let element = of.value(draw, w, declared).1;
                    text = format!("(bag.union_disjoint {text} (bag {element} 1))");
                }
                (format!("{meaning:?}"), text)
            }
            Shape::Pair(a, b) => {
                let (a, b) = (a.value(draw, which, declared), b.value(draw, which / 2, declared));
                (format!("({},{})", a.0, b.0), format!("(tuple {} {})", a.1, b.1))
            }
            Shape::Array(index, element) => self.array(index, element, draw, which, declared),
            Shape::Data(of) => {
                let sort = self.sort(declared);
                if which % 4 == 3 {
                    return ("nil".into(), format!("(as nil{} {sort})", &sort[1..]));
                }
                let field = of.value(draw, which, declared);
                (format!("mk {}", field.0), format!("(mk{} {})", &sort[1..], field.1))
            }
        }
    }

    fn array(
        &self,
        index: &Shape,
        element: &Shape,
        draw: &mut Draw,
        which: usize,
        declared: &mut Vec<String>,
    ) -> (Meaning, String) {
        let sort = self.sort(declared);
        let default = element.value(draw, which, declared);
        let mut table: BTreeMap<Meaning, Meaning> = BTreeMap::new();
        let mut text = format!("((as const {sort}) {})", default.1);
        let is_bool = matches!(index, Shape::Bool);
        let written: Vec<(usize, usize)> = (0..which % 3).map(|i| (which / 3 + i, which + i)).collect();
        for &(i, e) in &written {
            table.insert(index.value(draw, i, declared).0, element.value(draw, e, declared).0);
        }
        // Something else first, which is written over by another spelling of the index.
        if let Some(&(i, _)) = written.first() {
            let (key, other) = (index.value(draw, i, declared).1, element.value(draw, which + 1, declared).1);
            text = format!("(store {text} {key} {other})");
        }
        for &(i, e) in &written {
            let (key, new) = (index.value(draw, i, declared).1, element.value(draw, e, declared).1);
            text = format!("(store {text} {key} {new})");
        }
        if is_bool {
            // Every index is written: the default shows nowhere.
            for which_index in 0..2 {
                let key = index.value(draw, which_index, declared);
                table.entry(key.0.clone()).or_insert_with(|| default.0.clone());
                if draw.below(2) == 0 && !written.iter().any(|(i, _)| i % 2 == which_index) {
                    text = format!("(store {text} {} {})", key.1, element.value(draw, which, declared).1);
                }
            }
            return (format!("{table:?}"), text);
        }
        table.retain(|_, e| *e != default.0);
        (format!("{} but {table:?}", default.0), text)
    }
}

/// What closed terms of Bool evaluate to, over the declared datatypes.
fn evaluated(declared: &[String], terms: &[String]) -> Vec<Result<Value, smt::Gap>> {
    let mut text = String::new();
    for (k, field) in declared.iter().enumerate() {
        text += &format!("(declare-datatype D{k} ((nil{k}) (mk{k} (f{k} {field}))))\n");
    }
    for term in terms {
        text += &format!("(simplify {term})\n");
    }
    let script = read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.message));
    assert!(script.opaque.is_empty(), "{:?}: {text}", script.opaque);
    let model = Model::empty(&script);
    let asked = script.commands.iter().filter_map(|c| match c.what {
        What::Query(_, term, _) => Some(term),
        _ => None,
    });
    asked.map(|term| eval(term, &model, &mut Fuel::default())).collect()
}

#[test]
fn equality_is_by_meaning() {
    let mut draw = Draw(20_261_118);
    let (mut decided, mut open, mut alike) = (0, 0, 0);
    for _ in 0..4000 {
        let shape = Shape::drawn(&mut draw, 3);
        let mut declared = Vec::new();
        let (first, second) = (draw.below(9), draw.below(9));
        let a = shape.value(&mut draw, first, &mut declared);
        let second = if draw.below(2) == 0 { first } else { second };
        let b = shape.value(&mut draw, second, &mut declared);
        let (same, sort) = (a.0 == b.0, shape.sort(&mut declared));
        let (a, b) = (a.1, b.1);
        let terms = [
            format!("(= {a} {b})"),
            format!("(= {b} {a})"),
            format!("(not (distinct {a} {b}))"),
            format!("(set.member {a} (set.singleton {b}))"),
            format!("(= (set.card (set.insert {a} (set.singleton {b}))) 1)"),
            format!("(= (set.singleton {a}) (set.singleton {b}))"),
            format!("(= (bag.count {a} (bag.union_disjoint (bag {b} 2) (bag {a} 1))) 3)"),
            format!("(= (select (store ((as const (Array {sort} Int)) 0) {a} 1) {b}) 1)"),
            format!(
                "(= (store ((as const (Array {sort} Int)) 0) {a} 1) (store ((as const (Array {sort} Int)) 0) {b} 1))"
            ),
            format!("(let ((g (lambda ((x {sort})) (= x {a})))) (g {b}))"),
            format!("(set.subset (set.singleton {a}) (set.insert {b} (as set.empty (Set {sort}))))"),
            format!("(= (set.card (set.inter (set.singleton {a}) (set.singleton {b}))) 1)"),
            format!("(= (set.card (set.minus (set.singleton {a}) (set.singleton {b}))) 0)"),
        ];
        for (term, value) in terms.iter().zip(evaluated(&declared, &terms)) {
            match value {
                Ok(value) => {
                    assert_eq!(value, Value::Bool(same), "{declared:?} {term}");
                    decided += 1;
                    alike += usize::from(same);
                }
                Err(_) => open += 1,
            }
        }
    }
    // An array over arrays, say, is rarely compared; nearly everything else is.
    assert!(decided > 40 * open && alike > decided / 4, "{decided} decided, {open} open, {alike} equal");
}

#[test]
fn one_language_in_two_spellings() {
    let a = "(re.++ (str.to_re \"A\") (re.* (str.to_re \"A\")))";
    let b = "(re.+ (str.to_re \"A\"))";
    for (left, right) in [
        (format!("(cons {a} nil)"), format!("(cons {b} nil)")),
        (format!("((as const (Array Int RegLan)) {a})"), format!("((as const (Array Int RegLan)) {b})")),
        (format!("(seq.unit {a})"), format!("(seq.unit {b})")),
        (format!("(set.singleton {a})"), format!("(set.singleton {b})")),
        (format!("(bag {a} 2)"), format!("(bag {b} 2)")),
        (format!("(tuple 1 {a})"), format!("(tuple 1 {b})")),
    ] {
        let text = format!(
            "(declare-datatype L ((nil) (cons (head RegLan) (tail L)))) (simplify (= {left} {right}))
             (simplify (distinct {left} {right}))"
        );
        let script = read(text.as_bytes()).expect("well-sorted");
        let model = Model::empty(&script);
        let asked = script.commands.iter().filter_map(|c| match c.what {
            What::Query(_, term, _) => Some(eval(term, &model, &mut Fuel::default())),
            _ => None,
        });
        let answers: Vec<_> = asked.collect();
        assert_eq!(answers, [Ok(Value::Bool(true)), Ok(Value::Bool(false))], "{left}");
    }
}
