//! Writing terms with a stack instead of recursion.

use super::Writer;
use crate::term::{AttrValue, Binder, BinderList, Head, TermId};

impl Writer<'_> {
    pub(super) fn term(&mut self, term: TermId) {
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

    /// Writes the text before argument `k`.
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
            Head::Choice(list) => self.variables("(choice ", list),
            Head::Comprehension(list) if k == 0 => self.variables("(set.comprehension ", list),
            Head::Comprehension(_) => self.out.push(b' '),
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

    pub(super) fn sorted_variables(&mut self, list: BinderList) {
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

    /// Writes the text between inner term `k - 1` and inner term `k` of an annotation: attributes without terms, the
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
}
