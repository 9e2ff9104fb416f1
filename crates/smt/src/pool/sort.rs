//! The sorts of a pool, and how large a sort may be.

use super::Pool;
use crate::FunId;
use crate::sort::{Sort, SortDecl, SortDeclId, SortDef, SortDefId, SortId, SortList};

/// Sorts nested deeper than this are refused, so that walks over sorts may be plain recursion.
pub const MAX_SORT_DEPTH: u16 = 200;

/// Sorts written with more parts than this are refused: definitions of sorts can double their size each time, and
/// every use of one may look at all its parts.
const MAX_SORT_SIZE: u32 = 1 << 10;

/// No more sorts than this: a few bytes of text can make a thousand.
const MAX_SORTS: u32 = 1 << 21;

/// A sort, how deep it is nested and how many parts it has, both functions of the sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SortNode {
    sort: Sort,
    depth: u16,
    size: u32,
}

impl SortNode {
    pub fn plain(sort: Sort) -> Self {
        SortNode { sort, depth: 1, size: 1 }
    }
}

impl Pool {
    /// A sort by its parts.
    #[inline]
    pub fn sort(&self, id: SortId) -> Sort {
        self.sorts.get(id.0)[0].sort
    }

    /// Whether one of z3's finite sets is among the sorts. Then a singleton is one, too.
    pub fn has_finite_sets(&self) -> bool {
        self.finite_sets
    }

    /// Makes singletons those of z3, because a script has a name that only z3's finite sets have.
    pub(crate) fn expect_finite_sets(&mut self) {
        self.finite_sets = true;
    }

    /// The sort's number. Sorts nested deeper than [`MAX_SORT_DEPTH`], or too large, have none; nor do
    /// more than two million sorts.
    pub fn sort_id(&mut self, sort: Sort) -> Option<SortId> {
        let sort = match sort {
            // (-> A (-> B C)) is (-> A B C).
            Sort::Function(list) => {
                let mut sorts = self.sort_list(list).to_vec();
                let last = sorts.pop()?;
                match self.sort(last) {
                    Sort::Function(rest) => sorts.extend_from_slice(self.sort_list(rest)),
                    _ => sorts.push(last),
                }
                Sort::Function(self.sort_list_id(&sorts))
            }
            // z3's strings are sequences of characters.
            Sort::Seq(SortId::CHAR) => Sort::String,
            _ => sort,
        };
        let (depth, size) = match sort {
            Sort::Array(a, b) => self.extent(&[a, b]),
            Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => {
                self.extent(self.sort_list(list))
            }
            sort => sort.element().map_or((1, 1), |element| self.extent(&[element])),
        };
        self.finite_sets |= matches!(sort, Sort::FiniteSet(_));
        let fits = depth <= MAX_SORT_DEPTH && size <= MAX_SORT_SIZE && self.sorts.len() < MAX_SORTS;
        fits.then(|| SortId(self.sorts.intern(&[SortNode { sort, depth, size }])))
    }

    /// The only solver of those that the table of operators describes that reads a sort; none if several do.
    pub fn only_reader(&self, id: SortId) -> Option<&'static str> {
        // Sorts are bounded in depth, so that this recursion is, too.
        let any = |parts: &[SortId]| parts.iter().find_map(|&part| self.only_reader(part));
        match self.sort(id) {
            Sort::Bag(_) | Sort::Nullable(_) | Sort::Tuple(_) => Some("cvc5"),
            Sort::Char => Some("z3"),
            // The index may be a tuple of cvc5, or several indices of z3.
            Sort::Array(index, element) if matches!(self.sort(index), Sort::Tuple(_)) => any(&[element]),
            Sort::Array(index, element) => any(&[index, element]),
            Sort::Declared(decl, _) if self.known_list() == Some(decl) => Some("z3"),
            Sort::Function(list) | Sort::Declared(_, list) => any(self.sort_list(list)),
            sort => sort.element().and_then(|element| self.only_reader(element)),
        }
    }

    /// Depth and size of a sort with these parts.
    fn extent(&self, parts: &[SortId]) -> (u16, u32) {
        parts
            .iter()
            .map(|id| self.sorts.get(id.0)[0])
            .fold((1, 1), |(depth, size), part| (depth.max(part.depth + 1), size.saturating_add(part.size)))
    }

    /// The number of `(_ BitVec width)`.
    pub fn bitvec(&mut self, width: u32) -> SortId {
        SortId(self.sorts.intern(&[SortNode::plain(Sort::BitVec(width))]))
    }

    /// The sorts of a list.
    #[inline]
    pub fn sort_list(&self, list: SortList) -> &[SortId] {
        self.sort_lists.get(list.0)
    }

    /// The number of a list of sorts.
    pub fn sort_list_id(&mut self, sorts: &[SortId]) -> SortList {
        SortList(self.sort_lists.intern(sorts))
    }

    /// A declared sort.
    pub fn sort_decl(&self, id: SortDeclId) -> &SortDecl {
        self.sort_decls.get(id.0)
    }

    /// The functions of a datatype: its order of subterms, constructors, testers and selectors.
    pub(crate) fn functions_of(&self, id: SortDeclId) -> impl Iterator<Item = FunId> {
        let datatype = self.sort_decl(id).datatype.iter();
        datatype.flat_map(|datatype| {
            let constructors = datatype.constructors.iter();
            let all = constructors
                .flat_map(|c| [c.function, c.tester].into_iter().chain(c.selectors.iter().copied()));
            datatype.order.into_iter().chain(all)
        })
    }

    /// So many declared sorts from this one on, as one command declares them.
    pub fn sort_decls_from(&self, first: SortDeclId, count: u32) -> impl Iterator<Item = SortDeclId> + use<> {
        (first.0..first.0 + count).map(SortDeclId)
    }

    /// Adds a declared sort.
    pub fn add_sort_decl(&mut self, decl: SortDecl) -> SortDeclId {
        SortDeclId(self.sort_decls.push(decl))
    }

    /// A defined sort.
    pub fn sort_def(&self, id: SortDefId) -> &SortDef {
        self.sort_defs.get(id.0)
    }

    /// Adds a defined sort.
    pub fn add_sort_def(&mut self, def: SortDef) -> SortDefId {
        SortDefId(self.sort_defs.push(def))
    }

    /// A declared sort of this layer, to be completed.
    pub(crate) fn sort_decl_mut(&mut self, id: SortDeclId) -> Option<&mut SortDecl> {
        self.sort_decls.get_mut(id.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_are_bounded_in_depth() {
        let mut pool = Pool::new();
        let mut sort = SortId::INT;
        for _ in 1..MAX_SORT_DEPTH {
            sort = pool.sort_id(Sort::Seq(sort)).expect("not too deep yet");
        }
        assert_eq!(pool.sort_id(Sort::Seq(sort)), None);
    }

    #[test]
    fn some_sorts_are_of_one_solver() {
        let rows = [
            ("Int", None),
            ("(Set Int)", None),
            ("(Array Int (Bag Int))", Some("cvc5")),
            ("(Relation Int Int)", Some("cvc5")),
            ("(Seq (Nullable Int))", Some("cvc5")),
            ("(Array Int Int Int)", None),
            ("(FiniteSet Unicode)", Some("z3")),
            ("(-> Int (List Int))", Some("z3")),
        ];
        for (sort, expected) in rows {
            let script = crate::read(format!("(declare-const x {sort})").as_bytes()).expect(sort);
            let x = script.pool.functions().last().expect("declared");
            assert_eq!(script.pool.only_reader(script.pool.fun(x).result), expected, "{sort}");
        }
    }

    #[test]
    fn sorts_are_bounded_in_size() {
        let mut pool = Pool::new();
        let mut sort = SortId::INT;
        for _ in 0..9 {
            sort = pool.sort_id(Sort::Array(sort, sort)).expect("not too large yet");
        }
        assert_eq!(pool.sort_id(Sort::Array(sort, sort)), None);
    }
}
