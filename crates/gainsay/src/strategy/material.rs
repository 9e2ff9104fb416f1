//! Material: the subterms of a seed that new terms are made of, and the places where each may be used.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::scope::Scoped;
use smt::walk::bound_in;
use smt::{AttrValue, Binder, FunId, Head, Index, Pool, Script, Sort, SortId, Symbol, TermId, What};

use crate::case::Choices;

/// The most nodes of a subterm that is used. With larger ones, mutants would grow without limit.
const LARGEST: u32 = 24;
/// How many terms are drawn before a place gets none.
const TRIES: usize = 8;

/// A term that may be used.
#[derive(Clone, Copy, Debug)]
struct Piece {
    term: TermId,
    /// The variables that are free in it, one bit for each.
    free: u64,
    /// The first and the last command in which all its functions are declared.
    from: u32,
    until: u32,
}

/// A place for a new term: its command and the variables that are bound there.
pub(super) struct Spot {
    scope: u64,
    command: u32,
}

/// The subterms of a seed, by sort.
pub(super) struct Material {
    pieces: FxHashMap<SortId, Vec<Piece>>,
    variables: FxHashMap<(Symbol, SortId), u8>,
    lives: Lives,
    /// The names of functions. A variable with such a name hides the function.
    functions: FxHashSet<Symbol>,
    /// All sorts that have a term.
    pub sorts: Vec<SortId>,
    /// The widths of the bit-vector sorts among them.
    pub widths: Vec<u32>,
    /// Numbers that may be used as indices.
    pub numbers: Vec<u32>,
}

/// A term and its size while material is collected; none if it cannot be used.
type Known = Option<(Piece, u32)>;

impl Material {
    pub fn of(script: &Script) -> Material {
        let pool = &script.pool;
        let mut material = Material {
            pieces: FxHashMap::default(),
            variables: FxHashMap::default(),
            lives: Lives::default(),
            functions: pool.functions().map(|fun| pool.fun(fun).name).collect(),
            sorts: Vec::new(),
            widths: Vec::new(),
            numbers: Vec::new(),
        };
        let lives = lives(script);
        let mut known: Vec<Known> = Vec::with_capacity(pool.term_count() as usize);
        for term in pool.all_terms() {
            let piece = material.known(pool, term, &known, &lives);
            // An Int that is a Real without a word is part of a term, but none of its own.
            if let Some((piece, _)) = piece
                && pool.node(term).head != Head::Coerce
            {
                let sort = pool.sort_of(term);
                if !material.pieces.contains_key(&sort) {
                    material.sorts.push(sort);
                }
                material.pieces.entry(sort).or_default().push(piece);
            }
            known.push(piece);
        }
        material.lives = lives;
        for &sort in &material.sorts {
            if let Sort::BitVec(width) = pool.sort(sort) {
                material.widths.push(width);
            }
        }
        let last_bits = material.widths.iter().map(|width| width - 1);
        material.numbers = (0..4).chain(last_bits).collect();
        material.numbers.sort_unstable();
        material.numbers.dedup();
        material
    }

    fn known(&mut self, pool: &Pool, term: TermId, known: &[Known], lives: &Lives) -> Known {
        let node = pool.node(term);
        let mut piece = Piece { term, free: 0, from: 0, until: u32::MAX };
        match node.head {
            Head::Literal(_) | Head::Coerce => {}
            Head::Variable(name) => piece.free = self.bit(name, node.sort)?,
            Head::Fun(fun) => (piece.from, piece.until) = *lives.get(&fun)?,
            Head::Op(..) if pool.bytes(node.name).starts_with(b"(as") => return None,
            // A sort that is named may not be there yet.
            Head::Op(_, list) if pool.indices(list).iter().any(|i| matches!(i, Index::Text(_))) => {
                return None;
            }
            Head::Op(..) | Head::Let(_) => {}
            // What names its sorts, its functions or itself may mean something else elsewhere.
            _ => return None,
        }
        if matches!(pool.sort(node.sort), Sort::Unknown | Sort::Opaque(_) | Sort::Function(_)) {
            return None;
        }
        let mut size = 1;
        for (k, arg) in pool.args(term).iter().enumerate() {
            let (below, nodes) = known[arg.index()]?;
            let mut free = below.free;
            for binder in bound_in(pool, term, k) {
                free &= !self.bit(binder.name, binder.sort)?;
            }
            piece.free |= free;
            piece.from = piece.from.max(below.from);
            piece.until = piece.until.min(below.until);
            size += nodes;
        }
        (size <= LARGEST).then_some((piece, size))
    }

    /// The bit of a variable; none if there are too many.
    fn bit(&mut self, name: Symbol, sort: SortId) -> Option<u64> {
        let next = u8::try_from(self.variables.len()).unwrap_or(u8::MAX);
        let bit = *self.variables.entry((name, sort)).or_insert(next);
        (bit < 64).then(|| 1 << bit)
    }

    /// The place in a command below these binders, outermost first; none if they hide a function.
    pub fn spot<'b>(&self, command: usize, binders: impl Iterator<Item = &'b Binder>) -> Option<Spot> {
        let mut names: Vec<&Binder> = Vec::new();
        for binder in binders {
            if self.functions.contains(&binder.name) {
                return None;
            }
            names.retain(|outer| outer.name != binder.name);
            names.push(binder);
        }
        let bit = |binder: &&Binder| self.variables.get(&(binder.name, binder.sort));
        let bits = names.iter().filter_map(bit).filter(|&&bit| bit < 64);
        Some(Spot { scope: bits.fold(0, |all, &bit| all | 1 << bit), command: command as u32 })
    }

    /// A random term of a sort that may be used at a place and for which `fits` is true.
    pub fn some(
        &self,
        sort: SortId,
        spot: &Spot,
        choices: &mut Choices,
        fits: impl Fn(TermId) -> bool,
    ) -> Option<TermId> {
        let pieces = self.pieces.get(&sort)?;
        (0..TRIES).find_map(|_| {
            let piece = choices.pick(pieces)?;
            let usable = piece.free & !spot.scope == 0
                && (piece.from..piece.until).contains(&spot.command)
                && fits(piece.term);
            usable.then_some(piece.term)
        })
    }

    /// Whether a function is declared at a place.
    pub fn knows(&self, fun: FunId, spot: &Spot) -> bool {
        self.lives.get(&fun).is_some_and(|&(from, until)| (from..until).contains(&spot.command))
    }

    /// Whether there is a term of a sort.
    pub fn has(&self, sort: SortId) -> bool {
        self.pieces.contains_key(&sort)
    }
}

/// By function: the first command and the last command in which it is declared.
type Lives = FxHashMap<FunId, (u32, u32)>;

fn lives(script: &Script) -> Lives {
    let mut lives = Lives::default();
    let mut global = false;
    let mut known: Scoped<FunId> = Scoped::default();
    for (i, command) in script.commands.iter().enumerate() {
        match command.what {
            What::SetOption(key, value) if script.pool.text(key) == ":global-declarations" => {
                global = script.pool.text(value) == "true";
            }
            What::Pop(n) if global => known.merge(n),
            what => {
                for fun in known.follow(what) {
                    lives.entry(fun).and_modify(|life: &mut (u32, u32)| life.1 = i as u32);
                }
                script.each_function(i, |fun| {
                    lives.insert(fun, (i as u32 + 1, u32::MAX));
                    known.add(fun);
                });
            }
        }
    }
    lives
}

/// Whether a node is an annotation that gives its term a name.
pub(super) fn gives_name(pool: &Pool, term: TermId) -> bool {
    let Head::Annotated(list) = pool.node(term).head else { return false };
    let names =
        |attr: &smt::Attr| matches!(attr.value, AttrValue::Text(_)) && pool.bytes(attr.keyword) == b":named";
    pool.attrs(list).iter().any(names)
}
