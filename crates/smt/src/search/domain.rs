//! The values that a symbol may have.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Pool;
use crate::sort::{Sort, SortId};
use crate::term::FunId;
use crate::value::{BitVec, Value, cardinality, elements, finite, standard, tables};

/// Values that are not numbers are listed, and no more than this.
const MOST_LISTED: u64 = 1 << 16;

/// Values of a symbol, by number.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    /// All bit-vectors of a width: so many.
    Bits(u32, u64),
    /// The integers from the first on: so many.
    Integers(IBig, u64),
    /// A list of all values that are tried.
    Listed(Vec<Value>),
}

impl Domain {
    pub fn size(&self) -> u64 {
        match self {
            Domain::Bits(_, size) | Domain::Integers(_, size) => *size,
            Domain::Listed(values) => values.len() as u64,
        }
    }

    /// Value number `i`.
    pub fn at(&self, i: u64) -> Value {
        match self {
            Domain::Bits(width, _) => Value::BitVec(BitVec::new(*width, UBig::from(i))),
            Domain::Integers(first, _) => Value::Int(first + IBig::from(i)),
            Domain::Listed(values) => values[i as usize].clone(),
        }
    }

    /// All values of a declared function; otherwise why they cannot all be tried.
    pub fn of(pool: &Pool, fun: FunId) -> Result<Domain, &'static str> {
        let fun = pool.fun(fun);
        if fun.args.is_empty() {
            return Domain::of_sort(pool, fun.result);
        }
        let mut places: Vec<Vec<Value>> = vec![Vec::new()];
        let few = "it is a function with too many tables of values";
        for &sort in &fun.args {
            let values =
                listed(pool, sort, 64).map_err(|_| "it is a function of a large or infinite domain")?;
            let longer = |place: &Vec<Value>| {
                let place = place.clone();
                values.iter().map(move |v| [&place[..], std::slice::from_ref(v)].concat())
            };
            places = places.iter().flat_map(longer).collect();
            if places.len() > 64 {
                return Err(few);
            }
        }
        let results = listed(pool, fun.result, MOST_LISTED)?;
        let tables_count = (results.len() as u64).checked_pow(places.len() as u32);
        if tables_count.is_none_or(|n| n > MOST_LISTED) {
            return Err(few);
        }
        let places: Option<Vec<Value>> = places
            .into_iter()
            .map(|mut place| if place.len() == 1 { place.pop() } else { Value::tuple(place).ok() })
            .collect();
        let index = if let [index] = fun.args[..] { index } else { SortId::UNKNOWN };
        let tables = places.and_then(|places| tables(pool, &places, index, &results));
        tables.map(Domain::Listed).ok_or(few)
    }

    fn of_sort(pool: &Pool, sort: SortId) -> Result<Domain, &'static str> {
        match pool.sort(sort) {
            Sort::BitVec(width) => Ok(Domain::Bits(width, 1_u64.checked_shl(width).unwrap_or(u64::MAX))),
            _ => listed(pool, sort, MOST_LISTED).map(Domain::Listed),
        }
    }

    /// A few small values of a sort that has too many; the model's choice of an uninterpreted sort is one element.
    pub fn small(pool: &Pool, fun: FunId) -> Option<Domain> {
        let fun = pool.fun(fun);
        if !fun.args.is_empty() {
            return None;
        }
        small_values(pool, fun.result).map(Domain::Listed)
    }
}

/// Sets have so many different elements at most.
const FEW_ELEMENTS: usize = 4;

/// A few small values of a sort. Sorts are never nested deeply, so that plain recursion is safe.
fn small_values(pool: &Pool, sort: SortId) -> Option<Vec<Value>> {
    let text = |codes: &[u8]| Value::Text(codes.iter().map(|&c| u32::from(c)).collect());
    Some(match pool.sort(sort) {
        Sort::Int => [0, 1, -1, 2, -2, 3, 5, 8].map(|n| Value::Int(IBig::from(n))).to_vec(),
        Sort::Real => {
            let half = |n: i32| Value::Real(RBig::from_parts(IBig::from(n), 2u8.into()));
            [0, 2, -2, 1, -1, 4, 6].map(half).to_vec()
        }
        Sort::String => ["", "a", "0", "b", "aa", "ab", "01", "A"].map(|t| text(t.as_bytes())).to_vec(),
        Sort::Seq(element) => {
            let one = standard(pool, element)?;
            let of = |n: usize| Value::seq(vec![one.clone(); n]).ok();
            [of(0), of(1), of(2)].into_iter().flatten().collect()
        }
        Sort::Set(element) | Sort::FiniteSet(element) => {
            let all = listed(pool, element, FEW_ELEMENTS as u64).ok();
            let members = all.or_else(|| small_values(pool, element))?;
            let members = &members[..members.len().min(FEW_ELEMENTS)];
            let subset = |bits: usize| {
                let inside = members.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
                Value::set(inside.map(|(_, v)| v.clone()).collect()).ok()
            };
            (0..1 << members.len()).filter_map(subset).collect()
        }
        _ => vec![standard(pool, sort)?],
    })
}

fn listed(pool: &Pool, sort: SortId, most: u64) -> Result<Vec<Value>, &'static str> {
    if matches!(pool.sort(sort), Sort::Function(_)) {
        return Err("it is a function as a value");
    }
    match cardinality(pool, sort) {
        None => Err("its sort may have any number of values"),
        Some(finite::ENDLESS) => Err("its sort has infinitely many values, or too many"),
        Some(_) => elements(pool, sort, most).ok_or("its sort has too many values"),
    }
}
