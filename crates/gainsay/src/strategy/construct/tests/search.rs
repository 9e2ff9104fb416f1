//! Small values tried out with our evaluator: all of them, or until some satisfy what is wanted.

use smt::{BinderList, Fuel, FunId, Model, TermId, What, eval};

use super::super::tree::Tree;

/// A few constants of a sort, as they are written: closed under taking parts. Cores are earned with these.
pub fn domain(sort: &str, about: &str) -> Vec<String> {
    let own = |texts: &[&str]| -> Vec<String> { texts.iter().map(|&text| text.to_owned()).collect() };
    let integer = |n: i64| if n < 0 { format!("(- {})", -n) } else { n.to_string() };
    match sort {
        "Bool" => own(&["false", "true"]),
        "String" if about.contains("_int") || about.contains("digit") => {
            let longer = own(&["\"\"", "\"00\"", "\"01\"", "\"10\"", "\"a\""]);
            (0..10).map(|digit| format!("\"{digit}\"")).chain(longer).collect()
        }
        "String" if about.contains("(str.replace") => own(&["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"aa\""]),
        "String" => own(&["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"ba\"", "\"aa\"", "\"aba\""]),
        "Int" if about.contains("_code") => {
            [-1, 0, 1, 47, 48, 57, 58, 97, 196_607, 196_608].map(integer).to_vec()
        }
        "Int" if about.contains("_int") => (-2..13).chain([99, 100]).map(integer).collect(),
        "Int" if about.contains("str.") || about.contains("seq.") || about.contains("select") => {
            (-2..4).map(integer).collect()
        }
        "Int" => (-7..8).map(integer).collect(),
        "(_ BitVec 4)" => (0..16).map(|n| format!("#x{n:x}")).collect(),
        "(_ BitVec 8)" => (0..256).map(|n| format!("#x{n:02x}")).collect(),
        "RoundingMode" => own(&["RNE", "RNA", "RTP", "RTN", "RTZ"]),
        "(_ FloatingPoint 8 24)" => {
            let float =
                |sign: u8, exponent: u8, rest: u32| format!("(fp #b{sign} #b{exponent:08b} #b{rest:023b})");
            let parts = [(0, 0), (0, 1), (1, 0), (127, 0), (127, 1), (254, (1 << 23) - 1), (255, 0)];
            let mut all = vec!["(_ NaN 8 24)".to_owned()];
            all.extend([0, 1].iter().flat_map(|&sign| parts.map(|(e, rest)| float(sign, e, rest))));
            all
        }
        "(Array Int Int)" => {
            let constant = |n: i64| format!("((as const (Array Int Int)) {})", integer(n));
            let mut all = vec![constant(0), constant(1)];
            for i in 0..2 {
                all.push(format!("(store {} {i} 2)", constant(0)));
                all.push(format!("(store {} {i} 0)", constant(1)));
            }
            all
        }
        "(Seq Int)" => {
            let mut all = own(&["(as seq.empty (Seq Int))", "(seq.unit 0)", "(seq.unit 1)"]);
            for (a, b) in [(0, 1), (1, 0), (0, 0)] {
                all.push(format!("(seq.++ (seq.unit {a}) (seq.unit {b}))"));
            }
            all
        }
        _ => panic!("no constants of {sort}"),
    }
}

/// Formulas, and values of their variables that may be changed.
pub struct World {
    model: Model,
    variables: Vec<Variable>,
    /// Each formula with the numbers of its variables.
    formulas: Vec<(TermId, Vec<usize>)>,
}

struct Variable {
    name: String,
    fun: FunId,
    values: Vec<(BinderList, TermId)>,
}

impl World {
    /// Variables with the constants that their sorts have, and terms over them.
    pub fn new(
        variables: &[(String, String)],
        constants: &dyn Fn(&str) -> Vec<String>,
        formulas: &[(Tree, &str)],
    ) -> World {
        let mut text = String::new();
        let mut domains: Vec<&str> = Vec::new();
        for (name, sort) in variables {
            text.push_str(&format!("(declare-const {name} {sort})"));
            if !domains.contains(&sort.as_str()) {
                domains.push(sort);
                for constant in constants(sort) {
                    let k = domains.len();
                    text.push_str(&format!("(define-const value.{k} {sort} {constant})"));
                }
            }
        }
        for (tree, sort) in formulas {
            text.push_str(&format!("(define-const formula {sort} {tree})"));
        }
        // Names may be defined again and again here: each is looked up by its place.
        let text = number(&text);
        let script = smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"));
        let mut declared = Vec::new();
        let mut values: Vec<Vec<(BinderList, TermId)>> = vec![Vec::new(); domains.len()];
        let mut terms = Vec::new();
        for command in &script.commands {
            match command.what {
                What::DeclareFun(fun) => declared.push(fun),
                What::DefineFun(fun) => {
                    let name = script.pool.text(script.pool.fun(fun).name);
                    let body = script.pool.body(fun).expect("defined");
                    match name.strip_prefix("value.") {
                        Some(rest) => {
                            let k: usize =
                                rest.split('.').next().and_then(|k| k.parse().ok()).expect("a number");
                            values[k - 1].push(body);
                        }
                        None => terms.push(body.1),
                    }
                }
                _ => {}
            }
        }
        let variables = variables.iter().zip(declared).map(|((name, sort), fun)| {
            let k = domains.iter().position(|known| known == sort).expect("known");
            Variable { name: name.clone(), fun, values: values[k].clone() }
        });
        let variables: Vec<Variable> = variables.collect();
        let formulas = formulas.iter().zip(terms).map(|((tree, _), term)| {
            let used = (0..variables.len()).filter(|&v| tree.holds(&Tree::word(&variables[v].name)));
            (term, used.collect())
        });
        let formulas = formulas.collect();
        World { model: Model::empty(&script), variables, formulas }
    }

    /// How many values a variable may have.
    pub fn values(&self, variable: usize) -> usize {
        self.variables[variable].values.len()
    }

    /// Gives a variable a value.
    pub fn set(&mut self, variable: usize, value: usize) {
        let Variable { fun, values, .. } = &self.variables[variable];
        self.model.interpret(*fun, values[value].0, values[value].1);
    }

    /// The value of a formula.
    pub fn eval(&self, formula: usize) -> Result<smt::value::Value, smt::Gap> {
        eval(self.formulas[formula].0, &self.model, &mut Fuel::new(1_000_000))
    }

    /// The value of a formula, as it is written.
    pub fn text(&self, formula: usize) -> Option<String> {
        let pool = self.model.pool();
        smt::value::write(pool, pool.sort_of(self.formulas[formula].0), &self.eval(formula).ok()?).ok()
    }

    /// Whether a formula is true.
    pub fn holds(&self, formula: usize) -> bool {
        matches!(self.eval(formula), Ok(smt::value::Value::Bool(true)))
    }

    /// Sets variables so that all these formulas hold; others must be set. None if no values do, or `left` evaluations are
    /// not enough.
    pub fn find(&mut self, variables: &[usize], formulas: &[usize], left: &mut u64) -> bool {
        let Some((&next, rest)) = variables.split_first() else {
            return formulas.iter().all(|&f| self.holds(f));
        };
        // What is decided once this variable is set, and what is not.
        let open = |f: &usize| self.formulas[*f].1.iter().any(|v| rest.contains(v));
        let (later, now): (Vec<usize>, Vec<usize>) = formulas.iter().copied().partition(|f| open(f));
        for value in 0..self.values(next) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            self.set(next, value);
            if now.iter().all(|&f| self.holds(f)) && self.find(rest, &later, left) {
                return true;
            }
        }
        false
    }

    /// An order of these variables in which formulas are decided early.
    pub fn order(&self, variables: &[usize], formulas: &[usize]) -> Vec<usize> {
        let mut left = variables.to_vec();
        let mut order = Vec::new();
        while !left.is_empty() {
            let open = |f: &usize| self.formulas[*f].1.iter().filter(|v| left.contains(v)).count();
            let next = formulas.iter().filter(|f| open(f) > 0).min_by_key(|f| open(f));
            let next = next.and_then(|&f| self.formulas[f].1.iter().copied().find(|v| left.contains(v)));
            let next = next.unwrap_or(left[0]);
            left.retain(|&v| v != next);
            order.push(next);
        }
        order
    }
}

/// Gives every definition a name of its own.
fn number(text: &str) -> String {
    let mut out = String::new();
    for (i, piece) in text.split("(define-const ").enumerate() {
        if i > 0 {
            let (name, rest) = piece.split_once(' ').expect("a name");
            out.push_str(&format!("(define-const {name}.{i} {rest}"));
        } else {
            out.push_str(piece);
        }
    }
    out
}
