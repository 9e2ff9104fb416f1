//! Sequences.

use dashu_int::IBig;

use super::{A, B, BOOL, INT, Identity, Op, REG, op};
use crate::gap::Gap;
use crate::sort::Pat;
use crate::theory::call::Call;
use crate::value::{Value, list};

const SEQ: Pat = Pat::Seq(&A);
const SEQ_B: Pat = Pat::Seq(&B);
/// The first z3 that maps and folds.
const MAPPING_Z3: &str = "4.8.17";

pub(super) static OPS: &[Op] = &[
    op("seq.empty", &[], SEQ, |_| Value::seq(Vec::new())).extension(),
    op("seq.unit", &[A], SEQ, |c| Value::seq(vec![c.arg(0)?.clone()])).extension(),
    // z3 takes one argument, too.
    op("seq.++", &[SEQ, SEQ], SEQ, concat).associative().identity(Identity::Empty).left_assoc().extension(),
    op("seq.len", &[SEQ], INT, |c| int(c.seq(0)?.len().into())).extension(),
    op("seq.at", &[SEQ, INT], SEQ, |c| part(c, list::at(c.seq(0)?, c.int(1)?))).extension(),
    op("seq.nth", &[SEQ, INT], A, nth).extension(),
    op("seq.extract", &[SEQ, INT, INT], SEQ, |c| part(c, list::substr(c.seq(0)?, c.int(1)?, c.int(2)?)))
        .extension(),
    op("seq.contains", &[SEQ, SEQ], BOOL, |c| compare(c, list::contains)).extension(),
    op("seq.prefixof", &[SEQ, SEQ], BOOL, |c| compare(c, list::prefixof)).extension(),
    op("seq.suffixof", &[SEQ, SEQ], BOOL, |c| compare(c, list::suffixof)).extension(),
    op("seq.indexof", &[SEQ, SEQ, INT], INT, |c| {
        told_apart(c, 2)?;
        int(list::indexof(c.seq(0)?, c.seq(1)?, c.int(2)?))
    })
    .extension(),
    op("seq.indexof", &[SEQ, SEQ], INT, |c| {
        told_apart(c, 2)?;
        int(list::indexof(c.seq(0)?, c.seq(1)?, &IBig::ZERO))
    })
    .z3_only(),
    op("seq.last_indexof", &[SEQ, SEQ], INT, |c| {
        told_apart(c, 2)?;
        int(list::last_indexof(c.seq(0)?, c.seq(1)?))
    })
    .z3_only(),
    op("seq.replace", &[SEQ, SEQ, SEQ], SEQ, replace).extension(),
    op("seq.replace_all", &[SEQ, SEQ, SEQ], SEQ, replace_all).extension().since("z3", "5.3.0"),
    op("seq.update", &[SEQ, INT, SEQ], SEQ, |c| {
        c.build(c.seq(0)?.len() as u64)?;
        Value::seq(list::update(c.seq(0)?, c.int(1)?, c.seq(2)?))
    })
    .cvc5_only(),
    op("seq.rev", &[SEQ], SEQ, |c| {
        c.build(c.seq(0)?.len() as u64)?;
        Value::seq(list::rev(c.seq(0)?))
    })
    .cvc5_only(),
    op("seq.map", &[Pat::Function(&[A, B]), SEQ], SEQ_B, map).z3_only().since("z3", MAPPING_Z3),
    op("seq.mapi", &[Pat::Function(&[INT, A, B]), INT, SEQ], SEQ_B, mapi).z3_only().since("z3", MAPPING_Z3),
    op("seq.foldl", &[Pat::Function(&[B, A, B]), B, SEQ], B, foldl)
        .also(&["seq.fold_left"])
        .z3_only()
        .since("z3", MAPPING_Z3),
    op("seq.foldli", &[Pat::Function(&[INT, B, A, B]), INT, B, SEQ], B, foldli)
        .also(&["seq.fold_lefti"])
        .z3_only()
        .since("z3", MAPPING_Z3),
    // Languages over sequences, of which no release reads more than the names.
    op("seq.to_re", &[SEQ], REG, |_| Err(Gap::NoMeaning("seq.to_re"))).legacy(),
    op("seq.in_re", &[SEQ, REG], BOOL, |_| Err(Gap::NoMeaning("seq.in_re"))).legacy(),
];

fn int(n: IBig) -> Result<Value, Gap> {
    Ok(Value::Int(n))
}

fn part(c: &mut Call, elements: &[Value]) -> Result<Value, Gap> {
    c.build(elements.len() as u64)?;
    Value::seq(elements.to_vec())
}

fn concat(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.seq(0)?, c.seq(1)?);
    c.build(a.len() as u64 + b.len() as u64)?;
    Value::seq([a, b].concat())
}

// Out of range it is some function of sequence and index; z3's models may give it.
fn nth(c: &mut Call) -> Result<Value, Gap> {
    match list::nth(c.seq(0)?, c.int(1)?) {
        Some(element) => Ok(element.clone()),
        None => c.unspecified(&["seq.nth_u"], "seq.nth out of range", &c.args[..2]),
    }
}

/// Pays for comparing the elements of the first `n` arguments, if that can be done at all.
fn told_apart(c: &mut Call, n: usize) -> Result<(), Gap> {
    let args = &c.args[..n.min(c.args.len())];
    c.pay(args.iter().map(Value::size).sum())?;
    if args.iter().all(Value::rigid) {
        Ok(())
    } else {
        Err(Gap::Incomparable("elements that may be equal or not"))
    }
}

fn compare(c: &mut Call, holds: fn(&[Value], &[Value]) -> bool) -> Result<Value, Gap> {
    told_apart(c, 2)?;
    Ok(Value::Bool(holds(c.seq(0)?, c.seq(1)?)))
}

fn replace(c: &mut Call) -> Result<Value, Gap> {
    told_apart(c, 2)?;
    let (list, part, new) = (c.seq(0)?, c.seq(1)?, c.seq(2)?);
    c.build(list.len() as u64 + new.len() as u64)?;
    Value::seq(list::replace(list, part, new))
}

fn replace_all(c: &mut Call) -> Result<Value, Gap> {
    told_apart(c, 2)?;
    let (list, part, new) = (c.seq(0)?, c.seq(1)?, c.seq(2)?);
    let times = list.len().checked_div(part.len()).unwrap_or(0) as u64;
    c.build((list.len() as u64).saturating_add(times.saturating_mul(new.len() as u64)))?;
    Value::seq(list::replace_all(list, part, new))
}

fn map(c: &mut Call) -> Result<Value, Gap> {
    let (function, list) = (c.arg(0)?, c.seq(1)?);
    let mapped: Result<_, _> = list.iter().map(|x| c.apply(function, std::slice::from_ref(x))).collect();
    Value::seq(mapped?)
}

/// As `seq.map`, the function also seeing where it is; the first position is given.
fn mapi(c: &mut Call) -> Result<Value, Gap> {
    let (function, first, list) = (c.arg(0)?, c.int(1)?, c.seq(2)?);
    let mapped: Result<_, _> = list
        .iter()
        .enumerate()
        .map(|(i, x)| c.apply(function, &[Value::Int(first + i), x.clone()]))
        .collect();
    Value::seq(mapped?)
}

fn foldl(c: &mut Call) -> Result<Value, Gap> {
    let (function, start, list) = (c.arg(0)?, c.arg(1)?, c.seq(2)?);
    list.iter().try_fold(start.clone(), |so_far, x| c.apply(function, &[so_far, x.clone()]))
}

/// As `seq.foldl`, the function also seeing where it is; the first position is given.
fn foldli(c: &mut Call) -> Result<Value, Gap> {
    let (function, first, start, list) = (c.arg(0)?, c.int(1)?, c.arg(2)?, c.seq(3)?);
    list.iter().enumerate().try_fold(start.clone(), |so_far, (i, x)| {
        c.apply(function, &[Value::Int(first + i), so_far, x.clone()])
    })
}

#[cfg(test)]
mod tests {
    use super::OPS;
    use crate::theory::tests::samples::rows;

    rows! { parts,
        "the first"            : "(seq.at (seq.++ (seq.unit 1) (seq.unit 2)) 0)" => "(seq.unit 1)",
        "past the end"         : "(seq.at (seq.unit 1) 1)" => "(as seq.empty (Seq Int))",
        "before the start"     : "(seq.at (seq.unit 1) (- 1))" => "(as seq.empty (Seq Int))",
        "nth"                  : "(seq.nth (seq.++ (seq.unit 1) (seq.unit 2)) 1)" => "2",
        "nth past the end"     : "(seq.nth (seq.unit 1) 1)" => "seq.nth out of range is left to the model, which does not say",
        "nth before the start" : "(seq.nth (seq.unit 1) (- 1))" => "seq.nth out of range is left to the model, which does not say",
        "nth of nothing"       : "(seq.nth (as seq.empty (Seq Bool)) 0)" => "seq.nth out of range is left to the model, which does not say",
        "extract"              : "(seq.extract (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3)) 1 9)" => "(seq.++ (seq.unit 2) (seq.unit 3))",
        "extract none"         : "(seq.extract (seq.unit 1) 0 0)" => "(as seq.empty (Seq Int))",
        "extract a negative count" : "(seq.extract (seq.unit 1) 0 (- 1))" => "(as seq.empty (Seq Int))",
        "extract from before"  : "(seq.extract (seq.unit 1) (- 1) 2)" => "(as seq.empty (Seq Int))",
        "length"               : "(seq.len (seq.++ (seq.unit true) (seq.unit true)))" => "2",
        "nested"               : "(seq.len (seq.unit (as seq.empty (Seq Int))))" => "1",
        "unqualified"          : "seq.empty" => "(as seq.empty (Seq Bool))",
        "unqualified, of another sort" : "(seq.++ seq.empty (seq.unit 1))" => "no row for seq.++",
        "a wrong qualifier"    : "(seq.len (as seq.empty Int))" => "no row for seq.empty",
        "two sorts"            : "(seq.++ (seq.unit 1) (seq.unit true))" => "no row for seq.++",
    }

    rows! { search,
        "contains"             : "(seq.contains (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 2))" => "true",
        "contains nothing"     : "(seq.contains (seq.unit 1) (as seq.empty (Seq Int)))" => "true",
        "does not contain"     : "(seq.contains (seq.unit 1) (seq.unit 2))" => "false",
        "prefix"               : "(seq.prefixof (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 2)))" => "true",
        "prefix, swapped"      : "(seq.prefixof (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 1))" => "false",
        "suffix"               : "(seq.suffixof (seq.unit 2) (seq.++ (seq.unit 1) (seq.unit 2)))" => "true",
        "suffix that is not"   : "(seq.suffixof (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 2)))" => "false",
        "index"                : "(seq.indexof (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1) 1)" => "1",
        "index from before"    : "(seq.indexof (seq.unit 1) (seq.unit 1) (- 1))" => "(- 1)",
        "index of nothing"     : "(seq.indexof (seq.unit 1) (as seq.empty (Seq Int)) 1)" => "1",
        "index of nothing, too far" : "(seq.indexof (seq.unit 1) (as seq.empty (Seq Int)) 2)" => "(- 1)",
        "index without offset" : "(seq.indexof (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 2))" => "1",
        "last index"           : "(seq.last_indexof (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1))" => "1",
        "last index of nothing": "(seq.last_indexof (seq.unit 1) (as seq.empty (Seq Int)))" => "1",
        "functions"            : "(seq.contains (seq.unit (lambda ((x Int)) x)) (seq.unit (lambda ((x Int)) 1)))"
                                 => "elements that may be equal or not cannot be compared",
        "their length"         : "(seq.len (seq.unit (lambda ((x Int)) x)))" => "1",
    }

    rows! { changes,
        "replace the first"    : "(seq.replace (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1) (seq.unit 2))" => "(seq.++ (seq.unit 2) (seq.unit 1))",
        "replace nothing"      : "(seq.replace (seq.unit 1) (as seq.empty (Seq Int)) (seq.unit 2))" => "(seq.++ (seq.unit 2) (seq.unit 1))",
        "replace the absent"   : "(seq.replace (seq.unit 1) (seq.unit 3) (seq.unit 2))" => "(seq.unit 1)",
        "replace all"          : "(seq.replace_all (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1) (seq.unit 2))" => "(seq.++ (seq.unit 2) (seq.unit 2))",
        "replace all nothings" : "(seq.replace_all (seq.unit 1) (as seq.empty (Seq Int)) (seq.unit 2))" => "(seq.unit 1)",
        "update"               : "(seq.update (seq.++ (seq.unit 1) (seq.unit 2)) 1 (seq.++ (seq.unit 3) (seq.unit 4)))" => "(seq.++ (seq.unit 1) (seq.unit 3))",
        "update past the end"  : "(seq.update (seq.unit 1) 1 (seq.unit 3))" => "(seq.unit 1)",
        "update before"        : "(seq.update (seq.unit 1) (- 1) (seq.unit 3))" => "(seq.unit 1)",
        "reverse"              : "(seq.rev (seq.++ (seq.unit 1) (seq.unit 2)))" => "(seq.++ (seq.unit 2) (seq.unit 1))",
        "too large"            : "(seq.len (doubled 25 (seq.unit 1)))" => "the value is too large",
    }

    rows! { functions,
        "map"                  : "(seq.map (lambda ((x Int)) (< x 2)) (seq.++ (seq.unit 1) (seq.unit 2)))" => "(seq.++ (seq.unit true) (seq.unit false))",
        "map nothing"          : "(seq.map (lambda ((x Int)) (< x 2)) (as seq.empty (Seq Int)))" => "(as seq.empty (Seq Bool))",
        "map with positions"   : "(seq.mapi (lambda ((i Int) (x Int)) (+ (* 10 i) x)) 5 (seq.++ (seq.unit 1) (seq.unit 2)))" => "(seq.++ (seq.unit 51) (seq.unit 62))",
        "fold from the left"   : "(seq.foldl (lambda ((a Int) (x Int)) (+ (* 10 a) x)) 7 (seq.++ (seq.unit 1) (seq.unit 2)))" => "712",
        "fold nothing"         : "(seq.foldl (lambda ((a Int) (x Int)) (+ (* 10 a) x)) 7 (as seq.empty (Seq Int)))" => "7",
        "fold with positions"  : "(seq.foldli (lambda ((i Int) (a Int) (x Int)) (+ (* 10 a) x (* 100 i))) 3 7 (seq.++ (seq.unit 1) (seq.unit 2)))" => "4112",
        "map of another sort"  : "(seq.map (lambda ((x Bool)) x) (seq.unit 1))" => "no row for seq.map",
    }

    #[test]
    fn releases_of_z3_read_what_they_read() {
        let rows = [
            ("seq.indexof", 2, "4.5.1", true),
            ("seq.indexof", 3, "4.5.1", true),
            ("seq.replace_all", 3, "5.1.0", false),
            ("seq.replace_all", 3, "5.3.0", true),
            ("seq.map", 2, "4.8.16", false),
            ("seq.map", 2, "4.8.17", true),
            ("seq.foldli", 4, "4.8.17", true),
        ];
        for (name, args, release, reads) in rows {
            let mut all = OPS.iter().filter(|op| op.name == name && op.args.len() == args);
            let number = crate::theory::ReleaseNumber::parse(release);
            let read = |op: &crate::theory::Op| op.is_read_by::<&str>("z3", number, &[]) == Some(reads);
            assert!(all.all(read), "{name} of {args} in {release}");
        }
    }
}
