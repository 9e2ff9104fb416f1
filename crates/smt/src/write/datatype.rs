//! Writing declarations of datatypes.

use super::Writer;
use crate::sort::{SortDecl, SortDeclId};

impl Writer<'_> {
    pub(super) fn datatypes(&mut self, first: SortDeclId, count: u32) {
        let decls: Vec<_> = (first.0..first.0 + count).map(|i| self.pool.sort_decl(SortDeclId(i))).collect();
        // Only a datatype declared alone can name its order of subterms.
        if let &[decl] = &decls[..]
            && let Some(order) = decl.datatype.as_ref().and_then(|d| d.order)
        {
            self.text("(declare-datatype ");
            self.symbol(decl.spelling);
            self.out.push(b' ');
            self.constructors(decl);
            self.text(" :subterm ");
            self.symbol(self.pool.fun(order).spelling);
            self.out.push(b')');
            return;
        }
        let co = decls.iter().any(|d| d.datatype.as_ref().is_some_and(|d| d.co));
        self.text(if co { "(declare-codatatypes (" } else { "(declare-datatypes (" });
        for decl in &decls {
            self.out.push(b'(');
            self.symbol(decl.spelling);
            self.text(&format!(" {})", decl.arity));
        }
        self.text(") (");
        for decl in decls {
            self.constructors(decl);
        }
        self.text("))");
    }

    fn constructors(&mut self, decl: &SortDecl) {
        let Some(datatype) = &decl.datatype else { return };
        if !datatype.params.is_empty() {
            self.text("(par (");
            for (i, &param) in datatype.params.iter().enumerate() {
                self.text(if i == 0 { "" } else { " " });
                self.symbol(param);
            }
            self.text(") ");
        }
        self.out.push(b'(');
        for constructor in &datatype.constructors {
            self.out.push(b'(');
            self.symbol(self.pool.fun(constructor.function).spelling);
            for &selector in &constructor.selectors {
                let selector = self.pool.fun(selector);
                self.text(" (");
                self.symbol(selector.spelling);
                self.out.push(b' ');
                self.sort(selector.result);
                self.out.push(b')');
            }
            self.out.push(b')');
        }
        self.out.push(b')');
        if !datatype.params.is_empty() {
            self.out.push(b')');
        }
    }
}
