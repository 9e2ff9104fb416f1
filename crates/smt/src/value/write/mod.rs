//! Values and sorts as SMT-LIB text.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use dashu_base::Signed;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Array, BitVec, Data, Float, Function, Rounding, Value};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::symbol::{Symbol, spelled};

/// A value of this sort as a term. Functions without a name are a gap.
pub fn write(pool: &Pool, sort: SortId, value: &Value) -> Result<String, Gap> {
    let mut writer = Writer { pool, out: String::new() };
    writer.value(Seen { sort, params: &Params::NONE }, value)?;
    Ok(writer.out)
}

/// A sort as a script writes it.
pub fn write_sort(pool: &Pool, sort: SortId) -> String {
    let mut writer = Writer { pool, out: String::new() };
    writer.sort(Seen { sort, params: &Params::NONE });
    writer.out
}

/// A sort seen from inside parametric datatypes.
#[derive(Clone, Copy)]
struct Seen<'a> {
    sort: SortId,
    params: &'a Params<'a>,
}

/// The sorts that the sort parameters of a datatype stand for.
struct Params<'a> {
    names: &'a [Symbol],
    sorts: Vec<Seen<'a>>,
}

impl Params<'_> {
    const NONE: Params<'static> = Params { names: &[], sorts: Vec::new() };
}

impl<'a> Seen<'a> {
    fn inner(self, sort: SortId) -> Seen<'a> {
        Seen { sort, params: self.params }
    }

    /// The sort that a sort parameter stands for. Any other sort stands for itself.
    fn resolved(self, pool: &Pool) -> Seen<'a> {
        let Sort::Param(name) = pool.sort(self.sort) else { return self };
        let place = self.params.names.iter().position(|&n| n == name);
        place.and_then(|i| self.params.sorts.get(i)).copied().unwrap_or(self)
    }
}

struct Writer<'p> {
    pool: &'p Pool,
    out: String,
}

const CONFUSED: Gap = Gap::NoMeaning("a value of another sort than its own");

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn print(&mut self, text: impl std::fmt::Display) {
        write!(self.out, "{text}").expect("a String takes all");
    }

    fn sort(&mut self, seen: Seen) {
        let seen = seen.resolved(self.pool);
        let pool = self.pool;
        match pool.sort(seen.sort) {
            Sort::Unknown => self.put("?"),
            Sort::Bool => self.put("Bool"),
            Sort::Int => self.put("Int"),
            Sort::Real => self.put("Real"),
            Sort::String => self.put("String"),
            Sort::RegLan => self.put("RegLan"),
            Sort::RoundingMode => self.put("RoundingMode"),
            Sort::Char => self.put("Unicode"),
            Sort::BitVec(width) => self.print(format_args!("(_ BitVec {width})")),
            Sort::Float(eb, sb) => self.print(format_args!("(_ FloatingPoint {eb} {sb})")),
            Sort::FiniteField(order) => self.print(format_args!("(_ FiniteField {})", pool.text(order))),
            Sort::Array(index, element) => self.sorts("Array", seen, &[index, element]),
            sort @ (Sort::Seq(e) | Sort::Set(e) | Sort::FiniteSet(e) | Sort::Bag(e) | Sort::Nullable(e)) => {
                self.sorts(sort.collection().expect("these are collections"), seen, &[e]);
            }
            Sort::Tuple(list) if pool.sort_list(list).is_empty() => self.put("UnitTuple"),
            Sort::Tuple(list) => self.sorts("Tuple", seen, pool.sort_list(list)),
            Sort::Function(list) => self.sorts("->", seen, pool.sort_list(list)),
            Sort::Declared(id, list) => {
                let name = spelled(pool.text(pool.sort_decl(id).name));
                match pool.sort_list(list) {
                    [] => self.put(&name),
                    sorts => self.sorts(&name, seen, sorts),
                }
            }
            Sort::Param(name) => self.put(&spelled(pool.text(name))),
            Sort::Opaque(text) => self.put(pool.text(text)),
        }
    }

    fn sorts(&mut self, name: &str, seen: Seen, sorts: &[SortId]) {
        self.put("(");
        self.put(name);
        for &sort in sorts {
            self.put(" ");
            self.sort(seen.inner(sort));
        }
        self.put(")");
    }

    /// `(as name Sort)`
    fn qualified(&mut self, name: &str, seen: Seen) {
        self.put("(as ");
        self.put(name);
        self.put(" ");
        self.sort(seen);
        self.put(")");
    }

    fn value(&mut self, seen: Seen, value: &Value) -> Result<(), Gap> {
        let seen = seen.resolved(self.pool);
        let pool = self.pool;
        match (value, pool.sort(seen.sort)) {
            (Value::Bool(b), _) => self.print(b),
            (Value::Int(n), _) => self.int(n),
            (Value::Real(q), _) => self.real(q),
            (Value::BitVec(bits), _) => self.bits(bits),
            (Value::Text(text), _) => self.text(text),
            (Value::Float(float), _) => self.float(float),
            (Value::Rounding(mode), _) => self.put(name_of(*mode)),
            (Value::Char(code), _) => self.print(format_args!("(_ Char {code})")),
            (Value::Field(residue, modulus), _) => self.print(format_args!("#f{residue}m{modulus}")),
            // The name may say its sort.
            (Value::Element(_, name), _) if pool.text(*name).starts_with("(as ") => {
                self.put(pool.text(*name));
            }
            (Value::Element(sort, name), _) => {
                self.qualified(&spelled(pool.text(*name)), seen.inner(*sort));
            }
            (Value::Function(function), _) => match &***function {
                Function::Named(id) => self.put(pool.text(pool.fun(*id).spelling)),
                _ => return Err(Gap::NoMeaning("a function without a name as text")),
            },
            (Value::Seq(elements), Sort::Seq(element)) => {
                self.union(seen, ["seq.empty", "seq.++"], &elements[..], |w, one| {
                    w.list("seq.unit", [one], |w, one| w.value(seen.inner(element), one))
                })?;
            }
            (Value::Set(elements), Sort::Set(element) | Sort::FiniteSet(element)) => {
                self.union(seen, ["set.empty", "set.union"], elements.iter(), |w, one| {
                    w.list("set.singleton", [one], |w, one| w.value(seen.inner(element), one))
                })?;
            }
            (Value::Seq(one), Sort::Nullable(element)) => match &one[..] {
                [] => self.qualified("nullable.null", seen),
                [one] => self.list("nullable.some", [one], |w, one| w.value(seen.inner(element), one))?,
                _ => return Err(CONFUSED),
            },
            (Value::Bag(counts), Sort::Bag(element)) => {
                self.union(seen, ["bag.empty", "bag.union_disjoint"], counts.iter(), |w, (one, count)| {
                    w.put("(bag ");
                    w.value(seen.inner(element), one)?;
                    w.print(format_args!(" {count})"));
                    Ok(())
                })?;
            }
            (Value::Tuple(parts), Sort::Tuple(list)) => match &parts[..] {
                [] => self.put("tuple.unit"),
                parts => {
                    let sorts = pool.sort_list(list);
                    self.list("tuple", parts.iter().zip(sorts), |w, (part, &sort)| {
                        w.value(seen.inner(sort), part)
                    })?;
                }
            },
            (Value::Array(array), Sort::Array(index, element)) => {
                self.array(seen, seen.inner(index), seen.inner(element), array)?;
            }
            (Value::Data(data), Sort::Declared(..)) => self.data(seen, data)?,
            _ => return Err(CONFUSED),
        }
        Ok(())
    }

    /// `(name a b ..)`
    fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T) -> Result<(), Gap>,
    ) -> Result<(), Gap> {
        self.put("(");
        self.put(name);
        for item in items {
            self.put(" ");
            each(self, item)?;
        }
        self.put(")");
        Ok(())
    }

    /// `(name a b ..)`, or the only one as it is, or the name for none.
    fn union<T>(
        &mut self,
        seen: Seen,
        [none, name]: [&str; 2],
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut each: impl FnMut(&mut Self, T) -> Result<(), Gap>,
    ) -> Result<(), Gap> {
        let mut items = items.into_iter();
        if items.len() > 1 {
            return self.list(name, items, each);
        }
        match items.next() {
            None => self.qualified(none, seen),
            Some(one) => each(self, one)?,
        }
        Ok(())
    }

    fn int(&mut self, n: &IBig) {
        if n.is_negative() { self.print(format_args!("(- {})", -n)) } else { self.print(n) }
    }

    /// As a decimal if it is one, else as a fraction.
    fn real(&mut self, q: &RBig) {
        let negative = q.is_negative();
        let (numerator, denominator) = (q.numerator().clone().into_parts().1, q.denominator());
        if negative {
            self.put("(- ");
        }
        match decimal(&numerator, denominator) {
            Some(text) => self.put(&text),
            None => self.print(format_args!("(/ {numerator}.0 {denominator}.0)")),
        }
        if negative {
            self.put(")");
        }
    }

    fn bits(&mut self, bits: &BitVec) {
        let width = bits.width() as usize;
        if width.is_multiple_of(4) {
            let digits = bits.unsigned().in_radix(16).to_string();
            self.print(format_args!("#x{digits:0>width$}", width = width / 4));
        } else {
            let digits = bits.unsigned().in_radix(2).to_string();
            self.print(format_args!("#b{digits:0>width$}"));
        }
    }

    /// Its parts in bits; NaN, which has many, by its name.
    fn float(&mut self, float: &Float) {
        let format = float.format();
        let Some((negative, exponent, significand)) = float.to_parts() else {
            return self.print(format_args!("(_ NaN {} {})", format.eb(), format.sb()));
        };
        let (eb, sb) = (format.eb() as usize, format.sb() as usize - 1);
        let (exponent, significand) = (exponent.in_radix(2).to_string(), significand.in_radix(2).to_string());
        self.print(format_args!("(fp #b{} #b{exponent:0>eb$} #b{significand:0>sb$})", u8::from(negative)));
    }

    fn text(&mut self, text: &[u32]) {
        self.put("\"");
        for &code in text {
            match code {
                0x22 => self.put("\"\""),
                // A bare backslash might begin an escape together with what follows.
                0x20..=0x7E if code != 0x5C => self.out.push(code as u8 as char),
                _ => self.print(format_args!("\\u{{{code:x}}}")),
            }
        }
        self.put("\"");
    }

    fn array(&mut self, seen: Seen, index: Seen, element: Seen, array: &Array) -> Result<(), Gap> {
        for _ in &array.entries {
            self.put("(store ");
        }
        self.put("(");
        self.qualified("const", seen);
        self.put(" ");
        self.value(element, &array.default)?;
        self.put(")");
        for (key, value) in &array.entries {
            self.put(" ");
            self.value(index, key)?;
            self.put(" ");
            self.value(element, value)?;
            self.put(")");
        }
        Ok(())
    }

    fn data(&mut self, seen: Seen, data: &Data) -> Result<(), Gap> {
        let pool = self.pool;
        let fun = pool.fun(data.constructor);
        let Sort::Declared(_, list) = pool.sort(seen.sort) else { return Err(CONFUSED) };
        let sorts = pool.sort_list(list).iter().map(|&sort| seen.inner(sort).resolved(pool)).collect();
        let params = Params { names: &fun.type_params, sorts };
        let name = spelled(pool.text(fun.name));
        if !data.fields.is_empty() {
            self.put("(");
        }
        // Unless the arguments tell all sort parameters, the constructor must be qualified.
        if fun.type_params.iter().all(|&param| fun.args.iter().any(|&arg| mentions(pool, arg, param))) {
            self.put(&name);
        } else {
            self.qualified(&name, seen);
        }
        if data.fields.len() != fun.args.len() {
            return Err(CONFUSED);
        }
        for (field, &sort) in data.fields.iter().zip(&fun.args) {
            self.put(" ");
            self.value(Seen { sort, params: &params }, field)?;
        }
        if !data.fields.is_empty() {
            self.put(")");
        }
        Ok(())
    }
}

fn name_of(mode: Rounding) -> &'static str {
    match mode {
        Rounding::Rne => "RNE",
        Rounding::Rna => "RNA",
        Rounding::Rtp => "RTP",
        Rounding::Rtn => "RTN",
        Rounding::Rtz => "RTZ",
    }
}

/// Whether a sort parameter occurs in a sort.
fn mentions(pool: &Pool, sort: SortId, param: Symbol) -> bool {
    match pool.sort(sort) {
        Sort::Param(name) => name == param,
        Sort::Array(a, b) => mentions(pool, a, param) || mentions(pool, b, param),
        Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => {
            pool.sort_list(list).iter().any(|&s| mentions(pool, s, param))
        }
        sort => sort.element().is_some_and(|element| mentions(pool, element, param)),
    }
}

/// A fraction in lowest terms as a decimal, if it has one of reasonable length.
fn decimal(numerator: &UBig, denominator: &UBig) -> Option<String> {
    let ten = UBig::from(10_u8);
    let mut scale = UBig::ONE;
    for places in 0..=64_usize {
        if (&scale % denominator).is_zero() {
            let digits = (numerator * (&scale / denominator)).to_string();
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            return Some(format!("{whole}.{}", if places == 0 { "0" } else { part }));
        }
        scale *= &ten;
    }
    None
}
