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

    pub fn find(&self, hash: u64, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> Option<TermId> {
        // What has an argument that the base does not have is not there either.
        if let Some(base) = &self.base
            && args.iter().all(|arg| arg.0 < self.offset)
            && let Some(id) = base.find(hash, head, name, sort, args)
        {
            return Some(id);
        }
        self.table
            .find(hash, |&id| {
                let node = &self.nodes[(id - self.offset) as usize];
                node.name == name && node.head == head && node.sort == sort && self.args_of(node) == args
            })
            .map(|&id| TermId(id))
    }

    pub fn intern(&mut self, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash(head, name, sort, args);
        if let Some(id) = self.find(hash, head, name, sort, args) {
            return id;
        }
        if self.nodes.is_empty() && self.base.is_some() {
            self.reserve(FIRST);
        }
        let id = self.len();
        let start = u32::try_from(self.args.len()).expect("a pool holds fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, name, sort, start, len: args.len() as u32 });
        let (nodes, all, offset) = (&self.nodes, &self.args, self.offset);
        self.table.insert_unique(hash, id, |&other| {
            let node = &nodes[(other - offset) as usize];
            let args = &all[node.start as usize..(node.start + node.len) as usize];
            self::hash(node.head, node.name, node.sort, args)
        });
        TermId(id)
    }
}

#[inline]
fn hash(head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(name.0) << 32 | u64::from(sort.0));
    std::mem::discriminant(&head).hash(&mut hasher);
    // Where the name does not tell heads apart, a number does: many functions may have one name.
    match head {
        Head::Fun(FunId(n))
        | Head::Let(BinderList(n))
        | Head::Forall(BinderList(n))
        | Head::Exists(BinderList(n))
        | Head::Lambda(BinderList(n))
        | Head::Choice(BinderList(n))
        | Head::Comprehension(BinderList(n))
        | Head::Match(CaseList(n))
        | Head::Annotated(AttrList(n)) => hasher.write_u32(n),
        Head::Literal(_) | Head::Variable(_) | Head::Op(..) | Head::Coerce | Head::Apply | Head::Opaque => {}
    }
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}
