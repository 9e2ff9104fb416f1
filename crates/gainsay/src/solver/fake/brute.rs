//! Decides formulas of a few free bits by trying out everything.

use std::collections::{BTreeSet, HashSet};

use smt::value::float::Format;
use smt::value::{Array, Float, Rounding, UBig, Value, cardinality, elements};
use smt::{
    BinderList, Fuel, FunId, FunKind, Gap, Head, Index, Model, Pool, Script, Sort, SortId, TermId, eval,
    sort_text, write_term,
};

/// Twelve free bits.
const MOST: u64 = 1 << 12;

/// More symbols than this cannot all have two values; and each is one level of the search.
const MOST_SYMBOLS: usize = 64;

/// All the work of one search: about a second.
const WORK: u64 = 20_000_000;

/// A declared function, and all that it can be.
struct Symbol {
    fun: FunId,
    binders: BinderList,
    bodies: Vec<TermId>,
}

/// What the symbols are, each by the number of its body.
pub type Choice = Vec<usize>;

/// What trying out everything showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This makes everything true.
    Sat(Choice),
    /// Nothing makes everything true.
    Unsat,
    /// Nothing was seen to make everything true, and this is why we cannot be sure.
    Open(String),
}

/// A conjunction of few free bits.
pub struct Brute {
    symbols: Vec<Symbol>,
    /// Each assertion, and how many symbols must be chosen before it has a value.
    assertions: Vec<(TermId, usize)>,
    model: Model,
}

impl Brute {
    /// Prepares the search; what is too large, or has values that cannot be listed, is refused with the reason.
    pub fn new(script: &mut Script, assertions: &[TermId]) -> Result<Brute, String> {
        let mut order: Vec<FunId> = Vec::new();
        let mut room = MOST;
        let mut placed = Vec::new();
        for &assertion in assertions {
            let mut last = 0;
            for fun in declared(&script.pool, assertion) {
                let at = order.iter().position(|&f| f == fun);
                if at.is_none() {
                    let name = || script.pool.text(script.pool.fun(fun).name).to_owned();
                    let size = count(&script.pool, fun).ok_or_else(|| format!("{} is not finite", name()))?;
                    room = room.checked_div(size).filter(|&left| left > 0).ok_or("more than 12 free bits")?;
                    order.push(fun);
                }
                last = last.max(at.unwrap_or(order.len() - 1) + 1);
            }
            placed.push((assertion, last));
        }
        if order.len() > MOST_SYMBOLS {
            return Err(format!("more than {MOST_SYMBOLS} free symbols"));
        }
        let listed =
            order.iter().map(|&fun| symbol(&mut script.pool, fun).ok_or("values that cannot be listed"));
        let symbols = listed.collect::<Result<Vec<_>, _>>()?;
        Ok(Brute { symbols, assertions: placed, model: Model::empty(script) })
    }

    /// Decides the assertions of these numbers.
    pub fn decide(&mut self, kept: &[usize]) -> Decision {
        let mut due = vec![Vec::new(); self.symbols.len() + 1];
        for &i in kept {
            let (term, last) = self.assertions[i];
            due[last].push(term);
        }
        let mut search =
            Search { due, choice: vec![0; self.symbols.len()], fuel: Fuel::new(WORK), open: None };
        if search.from(self, 0, None) {
            return Decision::Sat(search.choice);
        }
        search.open.map_or(Decision::Unsat, |gap| Decision::Open(gap.to_string()))
    }

    /// The first value of everything.
    pub fn first(&self) -> Choice {
        vec![0; self.symbols.len()]
    }

    /// The model that a choice is.
    pub fn model(&mut self, choice: &[usize]) -> &Model {
        for (symbol, &body) in choice.iter().enumerate() {
            self.set(symbol, body);
        }
        &self.model
    }

    /// A choice other than this one under which some assertion is false.
    pub fn refuted_near(&mut self, choice: &[usize]) -> Option<Choice> {
        let near = self.symbols.iter().enumerate().flat_map(|(i, symbol)| {
            (0..symbol.bodies.len()).filter(move |&body| body != choice[i]).map(move |body| (i, body))
        });
        for (i, body) in near.collect::<Vec<_>>() {
            let mut other = choice.to_vec();
            other[i] = body;
            if self.refutes(&other) {
                return Some(other);
            }
        }
        None
    }

    /// Whether some assertion is false under a choice.
    pub fn refutes(&mut self, choice: &[usize]) -> bool {
        self.model(choice);
        let is_false = |term| eval(term, &self.model, &mut Fuel::new(WORK)) == Ok(Value::Bool(false));
        self.assertions.iter().any(|&(term, _)| is_false(term))
    }

    /// A choice as z3 prints a model, without the entries of these numbers.
    pub fn print(&self, choice: &[usize], without: &[usize]) -> String {
        let pool = self.model.pool();
        let mut text = "(\n".to_owned();
        for (i, symbol) in self.symbols.iter().enumerate().filter(|(i, _)| !without.contains(i)) {
            let fun = pool.fun(symbol.fun);
            let variables = pool.binders(symbol.binders).iter();
            let variables: Vec<String> = variables
                .map(|b| format!("({} {})", pool.text(b.spelling), pool.text(b.sort_spelling)))
                .collect();
            text.push_str(&format!(
                "  (define-fun {} ({}) {}\n    {})\n",
                pool.text(fun.spelling),
                variables.join(" "),
                sort_text(pool, fun.result),
                write_term(pool, symbol.bodies[choice[i]])
            ));
        }
        text.push_str(")\n");
        text
    }

    fn set(&mut self, symbol: usize, body: usize) {
        let Symbol { fun, binders, ref bodies } = self.symbols[symbol];
        self.model.interpret(fun, binders, bodies[body]);
    }
}

/// A search under way.
struct Search {
    /// By how many symbols are chosen: the assertions that have a value then and not before.
    due: Vec<Vec<TermId>>,
    choice: Choice,
    fuel: Fuel,
    /// Why the search may have missed something.
    open: Option<Gap>,
}

impl Search {
    /// Tries the symbols from this one on; true when everything is true.
    fn from(&mut self, brute: &mut Brute, at: usize, mut open: Option<Gap>) -> bool {
        for &term in &self.due[at] {
            match eval(term, &brute.model, &mut self.fuel) {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => return false,
                Ok(_) => open = open.or(Some(Gap::NoMeaning("an assertion that is not Bool"))),
                Err(gap) => open = open.or(Some(gap)),
            }
        }
        if at == self.choice.len() {
            let found = open.is_none();
            self.open = self.open.take().or(open);
            return found;
        }
        for body in 0..brute.symbols[at].bodies.len() {
            self.choice[at] = body;
            brute.set(at, body);
            if self.from(brute, at + 1, open.clone()) {
                return true;
            }
            if self.open == Some(Gap::TooMuchWork) {
                return false;
            }
        }
        false
    }
}

/// Visits each term below a root once, those of the definitions it uses included; stops when told to.
pub fn reach(pool: &Pool, roots: &[TermId], mut visit: impl FnMut(TermId) -> bool) {
    let mut seen: HashSet<TermId> = HashSet::new();
    let mut left = roots.to_vec();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if !visit(term) {
            return;
        }
        for fun in functions(pool, term) {
            left.extend(pool.body(fun).map(|(_, body)| body));
        }
        left.extend(pool.args(term).iter().rev());
    }
}

/// The functions of the script that a node names.
fn functions(pool: &Pool, term: TermId) -> Vec<FunId> {
    match pool.node(term).head {
        Head::Fun(fun) => vec![fun],
        Head::Op(_, indices) => {
            let named = pool.indices(indices).iter();
            named
                .filter_map(|index| if let Index::Function(fun) = index { Some(*fun) } else { None })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The declared functions below a term, in order of occurrence.
fn declared(pool: &Pool, term: TermId) -> Vec<FunId> {
    let mut found = Vec::new();
    reach(pool, &[term], |term| {
        for fun in functions(pool, term) {
            if pool.fun(fun).kind == FunKind::Declared && !found.contains(&fun) {
                found.push(fun);
            }
        }
        found.len() <= MOST_SYMBOLS
    });
    found
}

/// How many functions of these sorts there are.
fn count(pool: &Pool, fun: FunId) -> Option<u64> {
    let fun = pool.fun(fun);
    let places = fun.args.iter().try_fold(1_u64, |n, &sort| n.checked_mul(cardinality(pool, sort)?))?;
    match cardinality(pool, fun.result)? {
        1 => Some(1),
        size => size.checked_pow(u32::try_from(places).ok()?),
    }
}

/// A function with all that it can be.
fn symbol(pool: &mut Pool, fun: FunId) -> Option<Symbol> {
    let (args, result) = (pool.fun(fun).args.clone(), pool.fun(fun).result);
    let results = terms(pool, result)?;
    if args.is_empty() {
        return Some(Symbol { fun, binders: pool.binders_id(&[]), bodies: results });
    }
    let binders: Vec<_> =
        args.iter().enumerate().map(|(i, &sort)| pool.binder(&format!("x!{i}"), sort)).collect();
    // Each place is the condition that the arguments are these values.
    let mut places: Vec<Vec<TermId>> = vec![Vec::new()];
    for (&binder, &sort) in binders.iter().zip(&args) {
        let variable = pool.variable(binder);
        let values = terms(pool, sort)?;
        let is = values.iter().map(|&value| pool.apply_named("=", &[], &[variable, value], None).ok());
        let is: Vec<TermId> = is.collect::<Option<_>>()?;
        places = places
            .iter()
            .flat_map(|place| is.iter().map(move |&this| [&place[..], &[this]].concat()))
            .collect();
    }
    let conditions = places.iter().map(|place| match place[..] {
        [only] => Some(only),
        _ => pool.apply_named("and", &[], place, None).ok(),
    });
    let conditions: Vec<TermId> = conditions.collect::<Option<_>>()?;
    // The last place needs no condition: every table of the others, with each value there.
    let mut bodies = results.clone();
    for &condition in conditions.iter().rev().skip(1) {
        let mut longer = Vec::new();
        for &value in &results {
            for &other in &bodies {
                longer.push(if value == other {
                    value
                } else {
                    pool.apply_named("ite", &[], &[condition, value, other], None).ok()?
                });
            }
        }
        bodies = longer;
    }
    Some(Symbol { fun, binders: pool.binders_id(&binders), bodies })
}

/// All values of a sort as terms.
fn terms(pool: &mut Pool, sort: SortId) -> Option<Vec<TermId>> {
    let values = values(pool, sort)?;
    values.iter().map(|value| pool.value(sort, value).ok()).collect()
}

/// All values of a small sort, if they can be listed.
fn values(pool: &Pool, sort: SortId) -> Option<Vec<Value>> {
    if cardinality(pool, sort)? > MOST {
        return None;
    }
    match pool.sort(sort) {
        Sort::RoundingMode => Some(Rounding::ALL.map(Value::Rounding).into()),
        Sort::Float(eb, sb) => {
            let format = Format::new(eb, sb).ok()?;
            let all = (0..1_u64 << (eb + sb)).map(|bits| Float::from_bits(format, &UBig::from(bits)));
            let nan = Float::nan(format);
            Some(all.filter(|f| *f != nan).chain([nan.clone()]).map(Value::Float).collect())
        }
        Sort::Set(element) | Sort::FiniteSet(element) => {
            let members = values(pool, element)?;
            let sets = (0..1_u64 << members.len()).map(|bits| {
                let inside = members.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                Value::set(inside.map(|(_, v)| v.clone()).collect::<BTreeSet<_>>()).ok()
            });
            sets.collect()
        }
        Sort::Array(index, element) => {
            let (places, members) = (values(pool, index)?, values(pool, element)?);
            let mut tables: Vec<Vec<Value>> = vec![Vec::new()];
            for _ in &places {
                tables = tables
                    .iter()
                    .flat_map(|table| {
                        members.iter().map(move |v| [&table[..], std::slice::from_ref(v)].concat())
                    })
                    .collect();
            }
            let arrays = tables.into_iter().map(|table| {
                let entries = places.iter().cloned().zip(table.iter().cloned()).collect();
                Value::array(Array { default: table[0].clone(), entries }.normal(pool, index)).ok()
            });
            arrays.collect()
        }
        _ => elements(pool, sort, MOST),
    }
}
