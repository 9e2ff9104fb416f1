//! Rows of the table as text, for error messages.

use crate::Pool;
use crate::sort::{Pat, Width};
use crate::theory::{Arity, Op};
use crate::write::sort_text;

/// The sorts of a row as text: `((_ BitVec m) (_ BitVec m) ..) Bool`, and its indices if it has some.
pub(crate) fn row_text(op: &Op) -> String {
    let mut args: Vec<_> = op.args.iter().map(|&p| pattern_text(p)).collect();
    if op.arity != Arity::Fixed {
        args.push("..".to_owned());
    }
    let indices = match op.indices {
        Some(0) => String::new(),
        Some(n) => {
            format!("(_ {}{}) on ", op.name, (0..n).flat_map(|i| [' ', index_text(i)]).collect::<String>())
        }
        None => format!("(_ {} ..) on ", op.name),
    };
    format!("{indices}({}) {}", args.join(" "), pattern_text(op.result))
}

fn pattern_text(pat: Pat) -> String {
    match pat {
        Pat::Is(sort) => sort_text(&Pool::new(), sort),
        Pat::Any(v) => char::from(b'A' + v).to_string(),
        Pat::BitVec(w) => format!("(_ BitVec {})", width_text(w)),
        Pat::Float(e, s) => format!("(_ FloatingPoint {} {})", width_text(e), width_text(s)),
        Pat::Field => "(_ FiniteField p)".to_owned(),
        Pat::Array(x, y) => format!("(Array {} {})", pattern_text(*x), pattern_text(*y)),
        Pat::Function(pats) => {
            let pats: Vec<_> = pats.iter().map(|&p| pattern_text(p)).collect();
            format!("(-> {})", pats.join(" "))
        }
        Pat::Seq(_) | Pat::Set(_) | Pat::FiniteSet(_) | Pat::Bag(_) | Pat::Nullable(_) => {
            let (x, of) = pat.elements().expect("these are collections");
            format!("({} {})", of.collection().expect("these are collections"), pattern_text(*x))
        }
    }
}

fn index_text(index: u8) -> char {
    char::from(b'i' + index)
}

fn width_text(width: Width) -> String {
    match width {
        Width::Is(w) => w.to_string(),
        Width::Var(v) => char::from(b'm' + v).to_string(),
        Width::Index(i) => index_text(i).to_string(),
        Width::Sum(x, y) => format!("{}+{}", width_text(*x), width_text(*y)),
        Width::Product(x, y) => format!("{}*{}", width_text(*x), width_text(*y)),
        Width::Span(x, y) => format!("{}-{}+1", width_text(*x), width_text(*y)),
    }
}
