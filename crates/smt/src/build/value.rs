//! From a value to the usual term for it.

use dashu_base::Signed;
use dashu_ratio::RBig;

use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::term::{Head, Index, Literal, TermId};
use crate::theory::NoRow;
use crate::value::{BitVec, Float, UBig, Value, write};

/// The value is not of the sort it is said to be of.
const CONFUSED: Gap = Gap::NoMeaning("a value of another sort than its own");

impl From<NoRow> for Gap {
    fn from(NoRow: NoRow) -> Gap {
        CONFUSED
    }
}

impl Pool {
    /// The term that stands for a value of this sort, spelled as [`crate::value::write`] spells it. Functions and
    /// languages, which have no one spelling, are a gap.
    pub fn value(&mut self, sort: SortId, value: &Value) -> Result<TermId, Gap> {
        // Values are never nested deeply: plain recursion is safe.
        match (value, self.sort(sort)) {
            (Value::Bool(b), _) => Ok(self.apply_named(if *b { "true" } else { "false" }, &[], &[], None)?),
            (Value::Int(n), _) if n.is_negative() => self.negated(sort, &Value::Int(-n)),
            (Value::Real(q), _) if q.is_negative() => self.negated(sort, &Value::Real(-q)),
            (Value::Int(_), _) => self.literal(Literal::Numeral, sort, value),
            (Value::Real(q), _) => self.real(q),
            (Value::BitVec(bits), _) if bits.width().is_multiple_of(4) => {
                self.literal(Literal::Hexadecimal, sort, value)
            }
            (Value::BitVec(_), _) => self.literal(Literal::Binary, sort, value),
            (Value::Text(_), _) => self.literal(Literal::String, sort, value),
            (Value::Field(..), _) => self.literal(Literal::Field, sort, value),
            (Value::Element(..), _) => self.literal(Literal::Element, sort, value),
            (Value::Rounding(_), _) => {
                let name = write(self, sort, value)?;
                Ok(self.apply_named(&name, &[], &[], None)?)
            }
            (Value::Float(float), _) => self.float(float),
            (Value::Char(code), _) => {
                let text = self.value(SortId::STRING, &Value::Text([*code].into()))?;
                let first = self.value(SortId::INT, &Value::Int(0.into()))?;
                Ok(self.apply_named("seq.nth", &[], &[text, first], None)?)
            }
            (Value::Function(_), _) => Err(Gap::NoMeaning("a function as text")),
            (Value::Regex(_), _) => Err(Gap::NoMeaning("a language as text")),
            _ => self.made_of_values(sort, value),
        }
    }

    /// The term that stands for a value that holds other values.
    fn made_of_values(&mut self, sort: SortId, value: &Value) -> Result<TermId, Gap> {
        match (value, self.sort(sort)) {
            (Value::Seq(elements), Sort::Seq(element)) => {
                let units = elements.iter().map(|x| {
                    let x = self.value(element, x)?;
                    Ok(self.apply_named("seq.unit", &[], &[x], None)?)
                });
                let units = units.collect::<Result<Vec<_>, Gap>>()?;
                self.joined(sort, ["seq.empty", "seq.++"], &units)
            }
            (Value::Set(elements), Sort::Set(element) | Sort::FiniteSet(element)) => {
                let singletons = elements.iter().map(|x| {
                    let x = self.value(element, x)?;
                    Ok(self.apply_named("set.singleton", &[], &[x], Some(sort))?)
                });
                let singletons = singletons.collect::<Result<Vec<_>, Gap>>()?;
                self.joined(sort, ["set.empty", "set.union"], &singletons)
            }
            (Value::Seq(one), Sort::Nullable(element)) => match &one[..] {
                [] => Ok(self.apply_named("nullable.null", &[], &[], Some(sort))?),
                [one] => {
                    let one = self.value(element, one)?;
                    Ok(self.apply_named("nullable.some", &[], &[one], None)?)
                }
                _ => Err(CONFUSED),
            },
            (Value::Bag(counts), Sort::Bag(element)) => {
                let bags = counts.iter().map(|(x, n)| {
                    let x = self.value(element, x)?;
                    let n = self.value(SortId::INT, &Value::Int(n.clone().into()))?;
                    Ok(self.apply_named("bag", &[], &[x, n], None)?)
                });
                let bags = bags.collect::<Result<Vec<_>, Gap>>()?;
                self.joined(sort, ["bag.empty", "bag.union_disjoint"], &bags)
            }
            (Value::Tuple(parts), Sort::Tuple(list)) => {
                let sorts = self.sort_list(list).to_vec();
                let parts = self.values(&sorts, parts)?;
                let name = if parts.is_empty() { "tuple.unit" } else { "tuple" };
                Ok(self.apply_named(name, &[], &parts, None)?)
            }
            (Value::Array(array), Sort::Array(index, element)) => {
                let default = self.value(element, &array.default)?;
                let mut term = self.apply_named("const", &[], &[default], Some(sort))?;
                for (i, x) in &array.entries {
                    let (i, x) = (self.value(index, i)?, self.value(element, x)?);
                    term = self.apply_named("store", &[], &[term, i, x], None)?;
                }
                Ok(term)
            }
            (Value::Data(data), Sort::Declared(..)) => {
                let sorts = self.field_sorts(data.constructor, sort).ok_or(CONFUSED)?;
                let fields = self.values(&sorts, &data.fields)?;
                Ok(self.call(data.constructor, &fields, Some(sort))?)
            }
            _ => Err(CONFUSED),
        }
    }

    fn literal(&mut self, kind: Literal, sort: SortId, value: &Value) -> Result<TermId, Gap> {
        let text = write(self, sort, value)?;
        let text = self.intern(&text);
        Ok(self.add_term(Head::Literal(kind), text, sort, &[]))
    }

    fn values(&mut self, sorts: &[SortId], values: &[Value]) -> Result<Vec<TermId>, Gap> {
        if sorts.len() != values.len() {
            return Err(CONFUSED);
        }
        sorts.iter().zip(values).map(|(&sort, value)| self.value(sort, value)).collect()
    }

    fn negated(&mut self, sort: SortId, value: &Value) -> Result<TermId, Gap> {
        let positive = self.value(sort, value)?;
        Ok(self.apply_named("-", &[], &[positive], None)?)
    }

    /// A decimal, or else a fraction of two.
    fn real(&mut self, q: &RBig) -> Result<TermId, Gap> {
        let text = write(self, SortId::REAL, &Value::Real(q.clone()))?;
        if !text.starts_with('(') {
            let text = self.intern(&text);
            return Ok(self.add_term(Head::Literal(Literal::Decimal), text, SortId::REAL, &[]));
        }
        let (over, under) = (RBig::from(q.numerator().clone()), RBig::from(q.denominator().clone()));
        let (over, under) = (self.real(&over)?, self.real(&under)?);
        Ok(self.apply_named("/", &[], &[over, under], None)?)
    }

    fn float(&mut self, float: &Float) -> Result<TermId, Gap> {
        let (eb, sb) = (float.format().eb(), float.format().sb());
        let Some((negative, exponent, significand)) = float.to_parts() else {
            return Ok(self.apply_named("NaN", &[Index::Number(eb), Index::Number(sb)], &[], None)?);
        };
        let mut bits = |width: u32, bits: UBig| {
            // As parts of a float bits are always written one by one.
            let digits = bits.in_radix(2).to_string();
            let text = self.intern(&format!("#b{digits:0>width$}", width = width as usize));
            let sort = self.bitvec(width);
            self.add_term(Head::Literal(Literal::Binary), text, sort, &[])
        };
        let sign = bits(1, BitVec::bit(negative).unsigned().clone());
        let parts = [sign, bits(eb, exponent), bits(sb - 1, significand)];
        Ok(self.apply_named("fp", &[], &parts, None)?)
    }

    /// `(name a b ..)`, or the only one as it is, or what there is for none.
    fn joined(&mut self, sort: SortId, [none, name]: [&str; 2], parts: &[TermId]) -> Result<TermId, Gap> {
        Ok(match *parts {
            [] => self.apply_named(none, &[], &[], Some(sort))?,
            [one] => one,
            _ => self.apply_named(name, &[], parts, None)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::read::read;
    use crate::script::What;
    use crate::{Fuel, Model, eval, value, write_term};

    /// Terms that stand for their own value, spelled as values are written.
    #[test]
    fn values_are_spelled_as_they_are_written() {
        const PRELUDE: &str = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))
            (declare-datatype Option (par (X) ((none) (some (val X)))))";
        for text in [
            "true",
            "12",
            "(- 12)",
            "0.5",
            "(- (/ 1.0 3.0))",
            "#x0f",
            "#b011",
            "\"a\"\"\\u{5c}\\u{2ffff}\"",
            "RTZ",
            "(fp #b1 #b011 #b0010)",
            "(_ NaN 3 5)",
            "#f3m7",
            "(as seq.empty (Seq Int))",
            "(seq.unit 1)",
            "(seq.++ (seq.unit 1) (seq.unit (- 2)))",
            "(set.union (set.singleton 1) (set.singleton 2))",
            "(bag.union_disjoint (bag 1 2) (bag 2 3))",
            "(tuple 1 true)",
            "tuple.unit",
            "(store (store ((as const (Array Int Bool)) false) 1 true) 2 true)",
            "(cons 1 (cons 2 nil))",
            "(some 1)",
            "(as none (Option Int))",
            "(some (as none (Option Int)))",
        ] {
            let script = read(format!("{PRELUDE}(simplify {text})").as_bytes()).expect("well-sorted");
            let Some(What::Query(_, term, _)) = script.commands.last().map(|c| c.what) else {
                unreachable!()
            };
            let value = eval(term, &Model::empty(&script), &mut Fuel::default()).expect("a value");
            let (mut pool, sort) = (script.pool.clone(), script.pool.sort_of(term));
            let built = pool.value(sort, &value).expect("a spelling");
            assert_eq!(write_term(&pool, built), text);
            assert_eq!(value::write(&pool, sort, &value).as_deref(), Ok(text));
        }
    }
}
