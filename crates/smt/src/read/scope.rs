//! The meanings of names at one point of a script.

use rustc_hash::FxHashMap;

use crate::Pool;
use crate::levels::Levels;
use crate::script::{Script, What};
use crate::sort::{SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::FunId;

/// Each further function of a name costs as much as there are already.
pub(super) const MOST_OF_ONE_NAME: usize = 100;

/// The meaning of a name in a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Meaning {
    /// Nothing the script declares: an operator of the table, or unknown.
    #[default]
    None,
    /// A bound variable.
    Variable(SortId),
    /// A function; the list, by number, if several share the name.
    Fun(FunId),
    Several(u32),
}

/// The meaning of a name in a sort.
#[derive(Clone, Debug)]
pub(crate) enum SortMeaning {
    Declared(SortDeclId),
    /// `define-sort`: its parameters and its body over them.
    Defined(Vec<Symbol>, SortId),
    /// `define-sort` with parameters and a body that is not understood, in which they cannot be replaced.
    Opaque,
    Param,
}

/// Names in scope. Everything bound can be unbound in reverse.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: Vec<Meaning>,
    undo: Vec<(Symbol, Meaning)>,
    several: Vec<Vec<FunId>>,
    sorts: FxHashMap<Symbol, SortMeaning>,
    undo_sorts: Vec<(Symbol, Option<SortMeaning>)>,
    levels: Levels<(u32, usize)>,
    /// Whether a sort parameter was ever bound.
    pub has_params: bool,
    /// `:global-declarations`: push and pop leave names alone.
    pub global: bool,
}

impl Scope {
    #[inline]
    pub fn get(&self, name: Symbol) -> Meaning {
        self.names.get(name.0 as usize).copied().unwrap_or_default()
    }

    /// The functions that share a name, if it means functions.
    pub fn funs<'a>(&'a self, meaning: &'a Meaning) -> &'a [FunId] {
        match meaning {
            Meaning::Fun(fun) => std::slice::from_ref(fun),
            Meaning::Several(list) => &self.several[*list as usize],
            _ => &[],
        }
    }

    pub fn bind(&mut self, name: Symbol, meaning: Meaning) {
        let i = name.0 as usize;
        if i >= self.names.len() {
            self.names.resize((i + 1).next_power_of_two(), Meaning::None);
        }
        self.undo.push((name, self.names[i]));
        self.names[i] = meaning;
    }

    pub fn bind_variable(&mut self, name: Symbol, sort: SortId) {
        self.bind(name, Meaning::Variable(sort));
    }

    /// Binds a function beside those of the same name, in the place of one with the same sorts. False if too many
    /// functions would have the name.
    pub fn bind_beside(&mut self, pool: &Pool, name: Symbol, fun: FunId) -> bool {
        let old = self.get(name);
        let decl = pool.fun(fun);
        let same = |f: &FunId| pool.fun(*f).args == decl.args && pool.fun(*f).result == decl.result;
        let mut all: Vec<FunId> = self.funs(&old).iter().copied().filter(|f| !same(f)).collect();
        if all.is_empty() {
            self.bind(name, Meaning::Fun(fun));
            return true;
        }
        all.push(fun);
        let few = all.len() <= MOST_OF_ONE_NAME;
        self.several.push(all);
        self.bind(name, Meaning::Several(self.several.len() as u32 - 1));
        few
    }

    /// Binds the functions of a datatype as if they had been declared before everything else: nothing unbinds them, and
    /// other meanings of their names stay.
    pub fn bind_first(&mut self, pool: &Pool, decl: SortDeclId) {
        for fun in pool.functions_of(decl) {
            let name = pool.fun(fun).name;
            match self.get(name) {
                Meaning::None => {
                    self.bind(name, Meaning::Fun(fun));
                    self.undo.pop();
                }
                Meaning::Fun(_) | Meaning::Several(_) => {
                    self.bind_beside(pool, name, fun);
                }
                Meaning::Variable(_) => {}
            }
        }
    }

    /// A point to come back to.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.undo.len() as u32
    }

    /// Unbinds what was bound since `mark`.
    #[inline]
    pub fn back_to(&mut self, mark: u32) {
        while self.undo.len() > mark as usize {
            let (name, meaning) = self.undo.pop().expect("longer than the mark");
            self.names[name.0 as usize] = meaning;
        }
    }

    pub fn sort(&self, name: Symbol) -> Option<&SortMeaning> {
        self.sorts.get(&name)
    }

    pub fn bind_sort(&mut self, name: Symbol, meaning: SortMeaning) {
        self.has_params |= matches!(meaning, SortMeaning::Param);
        let old = self.sorts.insert(name, meaning);
        self.undo_sorts.push((name, old));
    }

    pub fn sort_mark(&self) -> usize {
        self.undo_sorts.len()
    }

    pub fn sorts_back_to(&mut self, mark: usize) {
        while self.undo_sorts.len() > mark {
            let (name, old) = self.undo_sorts.pop().expect("longer than the mark");
            match old {
                Some(meaning) => self.sorts.insert(name, meaning),
                None => self.sorts.remove(&name),
            };
        }
    }

    pub fn push(&mut self, count: u32) {
        self.levels.push((self.mark(), self.undo_sorts.len()), count);
    }

    /// Whether there were so many levels to leave.
    pub fn pop(&mut self, count: u64) -> bool {
        let (outermost, enough) = self.levels.pop(count);
        if let Some((names, sorts)) = outermost
            && !self.global
        {
            self.back_to(names);
            self.sorts_back_to(sorts);
        }
        enough
    }

    /// Leaves all levels and, unless declarations are global, forgets those of the first level, too.
    pub fn reset_assertions(&mut self) {
        self.pop(u64::MAX);
        if !self.global {
            self.back_to(0);
            self.sorts_back_to(0);
        }
    }

    pub fn clear(&mut self) {
        *self = Scope::default();
    }
}

/// The names that a script has without declaring them.
fn initial(pool: &Pool) -> Scope {
    let mut scope = Scope::default();
    if let Some(list) = pool.known_list() {
        scope.bind_sort(pool.sort_decl(list).name, SortMeaning::Declared(list));
        scope.bind_first(pool, list);
    }
    scope
}

/// The meanings of names at a command of the script.
pub(super) fn scope_at(script: &Script, command: usize) -> Scope {
    let pool = &script.pool;
    let mut scope = initial(pool);
    let bind = |scope: &mut Scope, fun: FunId| {
        scope.bind_beside(pool, pool.fun(fun).name, fun);
    };
    for c in &script.commands[..command.min(script.commands.len())] {
        match c.what {
            What::DeclareFun(fun) | What::DefineFun(fun) => bind(&mut scope, fun),
            What::DefineFunsRec(first, count) => {
                (first.0..first.0 + count).for_each(|f| bind(&mut scope, FunId(f)));
            }
            What::DeclareSort(decl) => {
                scope.bind_sort(pool.sort_decl(decl).name, SortMeaning::Declared(decl));
            }
            What::DefineSort(def) => {
                let def = pool.sort_def(def);
                scope.bind_sort(def.name, SortMeaning::Defined(def.params.clone(), def.body));
            }
            What::DeclareDatatypes(first, count) => {
                for decl in (first.0..first.0 + count).map(SortDeclId) {
                    scope.bind_sort(pool.sort_decl(decl).name, SortMeaning::Declared(decl));
                    pool.functions_of(decl).for_each(|fun| bind(&mut scope, fun));
                }
            }
            What::SetOption(key, value) if pool.text(key) == ":global-declarations" => {
                scope.global = pool.text(value) == "true";
            }
            What::Push(n) => scope.push(n),
            What::Pop(n) => {
                scope.pop(n.into());
            }
            What::ResetAssertions => scope.reset_assertions(),
            What::Reset => scope = initial(pool),
            _ => {}
        }
    }
    scope
}
