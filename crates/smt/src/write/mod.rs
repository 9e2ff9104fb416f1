//! Writing scripts, terms and sorts, without recursion on terms.

mod datatype;

use crate::Pool;
use crate::script::{Command, Script, What};
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{AttrValue, Binder, BinderList, Head, TermId};

impl Script {
    /// The text of the script, each command on its own line. Unchanged commands are copied from the source. Bytes of
    /// a comment that are no text are replaced.
    ///
    /// ```
    /// let script = smt::read(b"(declare-const x Int)  (assert (= x 1))").expect("well-sorted");
    /// assert_eq!(script.text(), "(declare-const x Int)\n(assert (= x 1))\n");
    /// ```
    pub fn text(&self) -> String {
        text_of(write_script(self))
    }

    /// The text of one command of the script, or of another command with its terms.
    pub fn command_text(&self, command: Command) -> String {
        text_of(write_command(self, command))
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The bytes of a script's text.
pub(crate) fn write_script(script: &Script) -> Vec<u8> {
    let mut out = Vec::with_capacity(script.source.len() + 256);
    write_script_to(script, &mut out);
    out
}

/// Appends the text of a script to `out`.
pub fn write_script_to(script: &Script, out: &mut Vec<u8>) {
    let mut writer = Writer::new(&script.pool, out);
    for command in &script.commands {
        writer.command(script, *command);
        writer.out.push(b'\n');
    }
}

/// The bytes of a command's text.
pub(crate) fn write_command(script: &Script, command: Command) -> Vec<u8> {
    let mut out = Vec::new();
    Writer::new(&script.pool, &mut out).command(script, command);
    out
}

/// Appends the text of a single command to `out`.
pub fn write_command_to(script: &Script, command: Command, out: &mut Vec<u8>) {
    Writer::new(&script.pool, out).command(script, command);
}

/// Appends the text of a single command to `out`, and to `marks` where in `out` each node of its terms begins, in
/// preorder. A command that is copied from its source has no marks.
pub fn write_command_marked(script: &Script, command: Command, out: &mut Vec<u8>, marks: &mut Vec<u32>) {
    let mut writer = Writer::new(&script.pool, out);
    writer.marks = Some(marks);
    writer.command(script, command);
}

/// Appends the text of a term to `out`, and to `marks` where in `out` each of its nodes begins, in preorder.
pub fn write_term_marked(pool: &Pool, term: TermId, out: &mut Vec<u8>, marks: &mut Vec<u32>) {
    let mut writer = Writer::new(pool, out);
    writer.marks = Some(marks);
    writer.term(term);
}

/// The text of a term.
pub fn write_term(pool: &Pool, term: TermId) -> String {
    let mut out = Vec::new();
    Writer::new(pool, &mut out).term(term);
    String::from_utf8(out).expect("only text is written")
}

/// The text of a sort.
pub fn sort_text(pool: &Pool, sort: SortId) -> String {
    let mut out = Vec::new();
    Writer::new(pool, &mut out).sort(sort);
    String::from_utf8(out).expect("only text is written")
}

struct Writer<'a> {
    pool: &'a Pool,
    out: &'a mut Vec<u8>,
    /// Terms begun, and the number of their next argument.
    stack: Vec<(TermId, u32)>,
    /// Of the annotations begun: the attribute whose turn it is, and its first inner term.
    annotations: Vec<(usize, usize)>,
    /// Where nodes begin, if somebody wants to know.
    marks: Option<&'a mut Vec<u32>>,
}

impl<'a> Writer<'a> {
    fn new(pool: &'a Pool, out: &'a mut Vec<u8>) -> Self {
        Writer { pool, out, stack: Vec::new(), annotations: Vec::new(), marks: None }
    }
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.out.extend_from_slice(self.pool.bytes(symbol));
    }

    // ---- terms

    fn term(&mut self, term: TermId) {
        let base = self.stack.len();
        self.begin(term);
        while self.stack.len() > base {
            let top = self.stack.len() - 1;
            let (id, k) = self.stack[top];
            let args = self.pool.args(id);
            if let Some(&arg) = args.get(k as usize) {
                self.stack[top].1 += 1;
                self.before(id, k as usize);
                self.begin(arg);
            } else {
                self.stack.pop();
                self.after(id);
            }
        }
    }

    #[inline]
    fn begin(&mut self, id: TermId) {
        if let Some(marks) = &mut self.marks {
            marks.push(self.out.len() as u32);
        }
        let node = self.pool.node(id);
        if node.len == 0 { self.symbol(node.name) } else { self.stack.push((id, 0)) }
    }

    /// What stands before argument `k`.
    fn before(&mut self, id: TermId, k: usize) {
        let node = self.pool.node(id);
        match node.head {
            Head::Coerce => {}
            Head::Let(list) => {
                let binders = self.pool.binders(list);
                self.text(match k {
                    0 if binders.is_empty() => "(let () ",
                    0 => "(let ((",
                    _ if k < binders.len() => ") (",
                    _ => ")) ",
                });
                if let Some(binder) = binders.get(k) {
                    self.symbol(binder.spelling);
                    self.out.push(b' ');
                }
            }
            Head::Forall(list) => self.variables("(forall ", list),
            Head::Exists(list) => self.variables("(exists ", list),
            Head::Lambda(list) => self.variables("(lambda ", list),
            Head::Match(_) if k == 0 => self.text("(match "),
            Head::Match(list) => {
                self.text(if k == 1 { " ((" } else { ") (" });
                let case = self.pool.cases(list)[k - 1];
                let binders = self.pool.binders(case.binders);
                if case.constructor.is_none() || binders.is_empty() {
                    self.symbol(case.spelling);
                } else {
                    self.out.push(b'(');
                    self.symbol(case.spelling);
                    for binder in binders {
                        self.out.push(b' ');
                        self.symbol(binder.spelling);
                    }
                    self.out.push(b')');
                }
                self.out.push(b' ');
            }
            Head::Annotated(_) if k == 0 => {
                self.annotations.push((0, 0));
                self.text("(! ");
            }
            Head::Annotated(_) => self.attributes(id, k - 1),
            Head::Apply if k == 0 => self.out.push(b'('),
            _ => {
                if k == 0 {
                    self.out.push(b'(');
                    self.symbol(node.name);
                }
                self.out.push(b' ');
            }
        }
    }

    fn after(&mut self, id: TermId) {
        let node = self.pool.node(id);
        match node.head {
            Head::Coerce => {}
            Head::Match(_) => self.text(")))"),
            Head::Annotated(_) => {
                self.attributes(id, node.len as usize - 1);
                self.annotations.pop();
                self.out.push(b')');
            }
            _ => self.out.push(b')'),
        }
    }

    fn variables(&mut self, word: &str, list: BinderList) {
        self.text(word);
        self.sorted_variables(list);
        self.out.push(b' ');
    }

    fn sorted_variables(&mut self, list: BinderList) {
        self.out.push(b'(');
        for (i, &Binder { spelling, sort, sort_spelling, .. }) in self.pool.binders(list).iter().enumerate() {
            self.text(if i == 0 { "(" } else { " (" });
            self.symbol(spelling);
            self.out.push(b' ');
            if self.pool.bytes(sort_spelling).is_empty() {
                self.sort(sort);
            } else {
                self.symbol(sort_spelling);
            }
            self.out.push(b')');
        }
        self.out.push(b')');
    }

    /// What stands between inner term `k - 1` and inner term `k` of an annotation: attributes without terms, the
    /// end of one list of terms and the beginning of the next.
    fn attributes(&mut self, id: TermId, k: usize) {
        let Head::Annotated(list) = self.pool.node(id).head else { return };
        let attrs = self.pool.attrs(list);
        let (mut at, mut first) = self.annotations.pop().expect("pushed before its first term");
        while let Some(attr) = attrs.get(at) {
            let terms = match attr.value {
                AttrValue::Term => 1,
                AttrValue::Terms(n) => n as usize,
                _ => 0,
            };
            let inside = first < k;
            if inside && k < first + terms {
                self.out.push(b' ');
                break;
            }
            if inside {
                // Its last term was written.
                self.text(if attr.value == AttrValue::Term { "" } else { ")" });
            } else {
                self.out.push(b' ');
                self.symbol(attr.keyword);
                match attr.value {
                    AttrValue::None => {}
                    AttrValue::Text(text) => {
                        self.out.push(b' ');
                        self.symbol(text);
                    }
                    AttrValue::Term => self.out.push(b' '),
                    AttrValue::Terms(0) => self.text(" ()"),
                    AttrValue::Terms(_) => self.text(" ("),
                }
                if terms > 0 {
                    break;
                }
            }
            at += 1;
            first += terms;
        }
        self.annotations.push((at, first));
    }

    // ---- sorts

    fn sort(&mut self, sort: SortId) {
        match self.pool.sort(sort) {
            Sort::Unknown => self.text("?"),
            Sort::Bool => self.text("Bool"),
            Sort::Int => self.text("Int"),
            Sort::Real => self.text("Real"),
            Sort::String => self.text("String"),
            Sort::RegLan => self.text("RegLan"),
            Sort::RoundingMode => self.text("RoundingMode"),
            Sort::Char => self.text("Unicode"),
            Sort::BitVec(w) => self.text(&format!("(_ BitVec {w})")),
            Sort::Float(e, s) => self.text(&format!("(_ FloatingPoint {e} {s})")),
            Sort::FiniteField(p) => {
                self.text("(_ FiniteField ");
                self.symbol(p);
                self.out.push(b')');
            }
            Sort::Array(index, element) => {
                // z3's arrays of several indices are written flat.
                match self.pool.sort(index) {
                    Sort::Tuple(list) if self.pool.sort_list(list).len() > 1 => {
                        let mut sorts = self.pool.sort_list(list).to_vec();
                        sorts.push(element);
                        self.sorts("Array", &sorts);
                    }
                    _ => self.sorts("Array", &[index, element]),
                }
            }
            Sort::Seq(e) => self.sorts("Seq", &[e]),
            Sort::Set(e) => self.sorts("Set", &[e]),
            Sort::Bag(e) => self.sorts("Bag", &[e]),
            Sort::Tuple(list) if self.pool.sort_list(list).is_empty() => self.text("UnitTuple"),
            Sort::Tuple(list) => self.sorts("Tuple", self.pool.sort_list(list)),
            Sort::Function(list) => self.sorts("->", self.pool.sort_list(list)),
            Sort::Declared(decl, list) => {
                let spelling = self.pool.sort_decl(decl).spelling;
                let args = self.pool.sort_list(list);
                if args.is_empty() {
                    self.symbol(spelling);
                } else {
                    self.sorts(self.pool.text(spelling), args);
                }
            }
            Sort::Param(name) | Sort::Opaque(name) => self.symbol(name),
        }
    }

    fn sorts(&mut self, name: &str, args: &[SortId]) {
        self.out.push(b'(');
        self.text(name);
        for &arg in args {
            self.out.push(b' ');
            self.sort(arg);
        }
        self.out.push(b')');
    }

    // ---- commands

    fn command(&mut self, script: &Script, command: Command) {
        if let Some(span) = command.span {
            self.out.extend_from_slice(&script.source[span.start as usize..span.end as usize]);
            return;
        }
        match command.what {
            What::SetLogic(logic) => self.words("set-logic", &[logic]),
            What::SetOption(key, value) => self.words("set-option", &[key, value]),
            What::SetInfo(key, value) => self.words("set-info", &[key, value]),
            What::DefineSort(def) => self.symbol(self.pool.sort_def(def).text),
            What::DeclareSort(decl) => {
                let decl = self.pool.sort_decl(decl);
                self.words("declare-sort", &[decl.spelling]);
                self.out.pop();
                self.text(&format!(" {})", decl.arity));
            }
            What::DeclareDatatypes(first, count) => self.datatypes(first, count),
            What::DeclareFun(fun) => {
                let fun = self.pool.fun(fun);
                self.text("(declare-fun ");
                self.symbol(fun.spelling);
                self.text(" (");
                for (i, &sort) in fun.args.iter().enumerate() {
                    self.text(if i == 0 { "" } else { " " });
                    self.sort(sort);
                }
                self.text(") ");
                self.sort(fun.result);
                self.out.push(b')');
            }
            What::DefineFun(fun) => {
                if let Some((binders, body)) = self.pool.body(fun) {
                    self.definition("(define-fun ", fun, binders);
                    self.out.push(b' ');
                    self.term(body);
                    self.out.push(b')');
                }
            }
            What::DefineFunsRec(first, count) => self.recursive(first, count),
            What::Assert(term) => self.with_terms("assert", &[term]),
            What::AssertSoft(term, rest) => {
                self.with_terms("assert-soft", &[term]);
                if !self.pool.bytes(rest).is_empty() {
                    self.out.pop();
                    self.out.push(b' ');
                    self.symbol(rest);
                    self.out.push(b')');
                }
            }
            What::Optimize(word, term) | What::Query(word, term) => {
                self.with_terms(self.pool.text(word), &[term]);
            }
            What::CheckSat => self.text("(check-sat)"),
            What::CheckSatAssuming(list) => self.with_list("check-sat-assuming", self.pool.terms(list)),
            What::GetValue(list) => self.with_list("get-value", self.pool.terms(list)),
            What::CheckSatUsing(tactic) => self.words("check-sat-using", &[tactic]),
            What::Push(n) => self.text(&format!("(push {n})")),
            What::Pop(n) => self.text(&format!("(pop {n})")),
            What::Reset => self.text("(reset)"),
            What::ResetAssertions => self.text("(reset-assertions)"),
            What::Exit => self.text("(exit)"),
            What::Other(word) | What::Opaque(word) => self.words(self.pool.text(word), &[]),
        }
    }

    fn words(&mut self, word: &str, rest: &[Symbol]) {
        self.out.push(b'(');
        self.text(word);
        for &symbol in rest {
            if !self.pool.bytes(symbol).is_empty() {
                self.out.push(b' ');
                self.symbol(symbol);
            }
        }
        self.out.push(b')');
    }

    fn with_terms(&mut self, word: &str, terms: &[TermId]) {
        self.out.push(b'(');
        self.text(word);
        for &term in terms {
            self.out.push(b' ');
            self.term(term);
        }
        self.out.push(b')');
    }

    fn with_list(&mut self, word: &str, terms: &[TermId]) {
        self.out.push(b'(');
        self.text(word);
        self.text(" (");
        for (i, &term) in terms.iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.term(term);
        }
        self.text("))");
    }

    fn definition(&mut self, word: &str, fun: crate::FunId, binders: BinderList) {
        self.text(word);
        let fun = self.pool.fun(fun);
        self.symbol(fun.spelling);
        self.out.push(b' ');
        self.sorted_variables(binders);
        self.out.push(b' ');
        self.sort(fun.result);
    }

    fn recursive(&mut self, first: crate::FunId, count: u32) {
        let funs: Vec<_> = (first.0..first.0 + count)
            .map(crate::FunId)
            .filter_map(|id| self.pool.body(id).map(|(binders, body)| (id, binders, body)))
            .collect();
        if let &[(fun, binders, body)] = &funs[..] {
            self.definition("(define-fun-rec ", fun, binders);
            self.out.push(b' ');
            self.term(body);
            self.out.push(b')');
            return;
        }
        self.text("(define-funs-rec (");
        for &(fun, binders, _) in &funs {
            self.definition("(", fun, binders);
            self.out.push(b')');
        }
        self.text(") (");
        for (i, &(.., body)) in funs.iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.term(body);
        }
        self.text("))");
    }
}
