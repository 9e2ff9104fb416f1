//! Algebraic numbers as z3 writes them: `(root-obj (+ (^ x 2) (- 2)) 2)` is the second root of a polynomial.

use super::lexer::Kind;
use super::{Reader, Result};
use crate::sort::SortId;
use crate::term::{Head, Literal, TermId};

impl Reader<'_> {
    /// The root of a polynomial that stands at `i`; none if something else stands there. The variable of the polynomial means
    /// nothing outside.
    pub(super) fn root(&mut self, i: u32) -> Result<Option<TermId>> {
        let parts = self.parts(i);
        let &[_, polynomial, number] = &parts[..] else { return Ok(None) };
        if self.at(number).kind != Kind::Numeral || !self.is_polynomial(polynomial) {
            return Ok(None);
        }
        let spelling = self.tidy(i)?;
        Ok(Some(self.pool.add_term(Head::Literal(Literal::Root), spelling, SortId::REAL, &[])))
    }

    /// Whether sums, products and powers of integers and of one variable stand at `i`.
    fn is_polynomial(&self, i: u32) -> bool {
        let mut variable: Option<&[u8]> = None;
        (i..self.at(i).next).all(|at| match self.at(at).kind {
            Kind::List => self.at(at).next > at + 1 && self.is_sum_or_product(at + 1),
            Kind::Numeral => true,
            Kind::Symbol if self.is_sum_or_product(at) => true,
            Kind::Symbol => *variable.get_or_insert(self.bytes(at)) == self.bytes(at),
            _ => false,
        })
    }

    fn is_sum_or_product(&self, i: u32) -> bool {
        [&b"+"[..], b"-", b"*", b"^"].iter().any(|word| self.is_word(i, word))
    }
}

#[cfg(test)]
mod tests {
    use crate::read;

    #[test]
    fn roots_are_numbers() {
        let rows = [
            ("(root-obj (+ (^ x 2) (- 2)) 2)", None),
            ("(root-obj (- (^ x 2) 2) 1)", None),
            ("(+ 1.0 (root-obj (+ (^ x 5) (* (- 1) x) (- 1)) 1))", None),
            // The variable is bound inside, whatever it is outside.
            ("(root-obj (+ (^ p 2) (- 2)) 2)", None),
            ("(root-obj (+ (^ x 2) y) 2)", Some("root-obj is not known")),
            ("(root-obj (+ (^ x 2) 0.5) 2)", Some("root-obj is not known")),
            ("(root-obj (+ (^ x 2) (- 2)) r)", Some("root-obj is not known")),
            ("(root-obj (+ (^ x 2) (- 2)))", Some("root-obj is not known")),
        ];
        for (term, expected) in rows {
            let text =
                format!("(declare-const r Real)(declare-const p Bool)(assert (= r {term}))(check-sat)");
            let script = read(text.as_bytes()).expect("well-sorted");
            assert_eq!(script.opaque.first().map(|part| part.why.as_str()), expected, "{term}");
            assert!(script.is_lossless(), "{term}");
        }
        assert!(read(b"(assert (root-obj (- (^ x 2) 2) 1))").is_err());
    }
}
