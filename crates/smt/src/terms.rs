//! Hash-consed nodes of terms in a growing arena, which may stand on a frozen one.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{AttrList, BinderList, CaseList, FunId, Head, Node, TermId};

/// Room that a layer has as soon as it has a term: for most mutants it is enough.
const FIRST: usize = 28;

/// Hash-consed nodes.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    base: Option<Arc<Terms>>,
    offset: u32,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    table: HashTable<u32>,
}

impl Terms {
    pub fn new() -> Self {
        Terms { base: None, offset: 0, nodes: Vec::new(), args: Vec::new(), table: HashTable::new() }
    }

    pub fn reserve(&mut self, terms: usize) {
        self.nodes.reserve(terms);
        self.args.reserve(2 * terms);
        self.table.reserve(terms, |_| unreachable!("reserved while empty"));
    }

    pub fn over(base: &Arc<Terms>) -> Self {
        Terms { base: Some(Arc::clone(base)), offset: base.len(), ..Terms::new() }
    }

    pub fn len(&self) -> u32 {
        self.offset + self.nodes.len() as u32
    }

    pub fn below(&self) -> &Terms {
        self.base.as_ref().expect("a number below the offset has a base")
    }

    #[inline]
    pub fn node(&self, id: TermId) -> &Node {
        match id.0.checked_sub(self.offset) {
            Some(own) => &self.nodes[own as usize],
            None => self.below().node(id),
        }
    }

    #[inline]
    pub fn args(&self, id: TermId) -> &[TermId] {
        match id.0.checked_sub(self.offset) {
            Some(own) => self.args_of(&self.nodes[own as usize]),
            None => self.below().args(id),
        }
    }

    #[inline]
    pub fn args_of(&self, node: &Node) -> &[TermId] {
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }

    /// The number of this term, if this layer or one below has it.
    #[inline]
    fn find(&self, parts: Parts, hash: u64) -> Option<u32> {
        let mut layer = self;
        loop {
            let own = |id| Parts::of(&layer.nodes[(id - layer.offset) as usize], &layer.args);
            if let Some(&id) = layer.table.find(hash, |&id| own(id) == parts) {
                return Some(id);
            }
            // What has an argument that the base does not have is not there either.
            let offset = layer.offset;
            layer = layer.base.as_deref().filter(|_| parts.args.iter().all(|arg| arg.0 < offset))?;
        }
    }

    /// The number of this term, which is added if it is new.
    pub fn intern(&mut self, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> TermId {
        let parts = Parts { name, head, sort, args };
        let hash = parts.hash();
        TermId(self.find(parts, hash).unwrap_or_else(|| self.add(parts, hash)))
    }

    #[inline(never)]
    fn add(&mut self, Parts { name, head, sort, args }: Parts, hash: u64) -> u32 {
        if self.nodes.is_empty() && self.base.is_some() {
            self.reserve(FIRST);
        }
        let id = self.len();
        let start = u32::try_from(self.args.len()).expect("a pool holds fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, name, sort, start, len: args.len() as u32 });
        let (nodes, args, offset) = (&self.nodes, &self.args, self.offset);
        self.table.insert_unique(hash, id, |&id| Parts::of(&nodes[(id - offset) as usize], args).hash());
        id
    }
}

/// What tells one term from another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Parts<'a> {
    name: Symbol,
    head: Head,
    sort: SortId,
    args: &'a [TermId],
}

impl<'a> Parts<'a> {
    /// The parts of a term whose arguments are among these.
    #[inline]
    fn of(node: &Node, args: &'a [TermId]) -> Self {
        let &Node { head, name, sort, start, len } = node;
        Parts { name, head, sort, args: &args[start as usize..(start + len) as usize] }
    }

    #[inline]
    fn hash(self) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(self.name.0) << 32 | u64::from(self.sort.0));
        std::mem::discriminant(&self.head).hash(&mut hasher);
        // Where the name does not tell heads apart, a number does: many functions may have one name.
        match self.head {
            Head::Fun(FunId(n))
            | Head::Let(BinderList(n))
            | Head::Forall(BinderList(n))
            | Head::Exists(BinderList(n))
            | Head::Lambda(BinderList(n))
            | Head::Choice(BinderList(n))
            | Head::Comprehension(BinderList(n))
            | Head::Match(CaseList(n))
            | Head::Annotated(AttrList(n)) => hasher.write_u32(n),
            Head::Literal(_)
            | Head::Variable(_)
            | Head::Op(..)
            | Head::Coerce
            | Head::Apply
            | Head::Opaque => {}
        }
        for arg in self.args {
            hasher.write_u32(arg.0);
        }
        hasher.finish()
    }
}
